"""Names that are very common words, too: "Who is May?", "Who's Will?" ask for somebody, and no index has the word.

A question that has no word to search for, and asks who, is answered as `+may` is, by what holds the word, if it stands
there with its capital letter: "you may go" is of nobody.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from .._core import Analyzer
from ..light.expressions import expression
from .operators import MAX_OPERATORS, Operators, parse

_WHO: Final = expression(r"\b(?:who|whose|whos)\b", re.IGNORECASE)
_NAME: Final = expression(r"(?<=\S )[^\W\d_a-z][^\W\d_]+")


def names_asked(query: str, analyzer: Analyzer) -> Operators | None:
    """Return what a record must hold where a question asks who somebody is; None where it names nobody so.

    Only for a question of which no word is searched for.

    >>> asked = names_asked("Who is May?", Analyzer())
    >>> str(asked), asked.plain, names_asked("Who is it?", Analyzer())
    ('+May', 'Who is May?', None)

    """
    if _WHO.search(query) is None:
        return None
    said = (found[0] for found in _NAME.finditer(query))
    names = list(dict.fromkeys(name for name in said if name[0].isupper() and not _WHO.fullmatch(name)))
    found = parse(" ".join(f"+{name}" for name in names[:MAX_OPERATORS]), analyzer)
    return None if found is None else replace(found, written=query, plain=query, names=tuple(names))
