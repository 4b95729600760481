"""The stems of words in other languages than English: "Katzen" says "Katze", too, and "кошку" "кошки".

The analyser stems English alone (Porter), and its terms stay what they are. For `auto` a record has the stem of each
inflected word beside it, behind the mark of parts, and a question asks for words with their stems: who has the word in
any form is found. The stems are those of Snowball for the languages of `asking_words`, which a text's function words
tell, and for Russian, Greek and Arabic, which are told by their letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ..light.expressions import expression
from .asking_words import function_words_of, language_of
from .marked_terms import MARK
from .plain_forms import without_elisions

if TYPE_CHECKING:
    from .._core import Analyzer


_OWN_WRITING: Final = expression("[\u0370-\u03ff\u0400-\u04ff\u0620-\u064a\u1f00-\u1fff]")
"""Letters that tell a language: Greek, Russian and Arabic. Most texts without a language have none."""

COMPOUNDING: Final = frozenset({"da", "de", "nl", "sv"})
"""The languages that write compound words in one."""


def stems_of(text: str, language: str | None, analyzer: Analyzer) -> Mapping[str, str]:
    """Return the stems of the words of a text by their terms, where they are others; function words have none.

    >>> from byheart import Analyzer
    >>> stems_of("Wo sind meine Kinder und ihre Katzen?", "de", Analyzer())
    {'kinder': 'kind', 'katzen': 'katz'}
    >>> stems_of("Где мои ключи?", "ru", Analyzer())["ключи"], stems_of("The kinder eggs are gone", None, Analyzer())
    ('ключ', {})
    """
    if language is None and (text.isascii() or _OWN_WRITING.search(text) is None):
        return {}
    known = frozenset[str]() if language is None else function_words_of(language)
    latin = None if language == "ru" else language
    inflected = analyzer.inflected(without_elisions(text), latin)
    return {term: stem for word, term, stem in inflected if word not in known}


def marked_stems(text: str, analyzer: Analyzer) -> list[str]:
    """Return the stems of the words of a text behind the mark, each once.

    >>> from byheart import Analyzer
    >>> [stem.replace(MARK, "*") for stem in marked_stems("Das Kind und die Kinder", Analyzer())]
    ['*kind']
    """
    return [MARK + stem for stem in dict.fromkeys(stems_of(text, language_of(text, analyzer), analyzer).values())]
