"""Key terms of a query, and how many of them a text has.

Two ways of cutting. "unicode": compatibility forms made one (NFKC), lower case, cut at whatever is no letter, mark,
digit or underscore; words count from three characters on. Writing without spaces (Chinese, Japanese, Thai; Korean too,
whose particles cling to its words) is cut into pairs of characters instead. "ascii": the original's letter, which finds
nothing in such writing. Not here: stems and stop words, which are the analyzer's.
"""
# docs/sources.md: A1.7.4, A1.7.12.

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping

from ..light.expressions import expression
from ..validation import check_one_of

SHORTEST = 3
"""Characters of a word that says something."""

# The same characters as those that the analyzer cuts into characters and pairs.
_UNSPACED = expression(
    "["
    "\u0e01-\u0e7f\u1100-\u11ff\u3005\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u3099\u309a"
    "\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\U00020000-\U0003fffd"
    "]+"
)
_ASCII_WORD = expression("[a-z0-9_]{3,}")
_PLAIN_WORD = expression(r"\w{3,}", re.ASCII)


def key_terms(query: str, variant: str = "unicode") -> tuple[str, ...]:
    """Return the key terms of a query, each once, in the order in which they occur first.

    Args:
        query: any text.
        variant: "unicode" or "ascii".

    Raises:
        InvalidArgument: the variant is unknown.

    >>> key_terms("Is the Math continuous? Math!"), key_terms("数学の継続"), key_terms("数学の継続", "ascii")
    (('the', 'math', 'continuous'), ('数学', '学の', 'の継', '継続'), ())

    """
    return tuple(dict.fromkeys(_variant(variant)(query, False)))


def document_terms(text: str, variant: str = "unicode") -> frozenset[str]:
    """Return what key terms are looked up in: the same cut, and the single characters of unspaced writing too.

    >>> sorted(document_terms("猫がいる cat")), key_terms("猫")
    (['cat', 'い', 'いる', 'が', 'がい', 'る', '猫', '猫が'], ('猫',))
    """
    return frozenset(_variant(variant)(text, True))


def coverage(keys: Collection[str], terms: Collection[str]) -> float:
    """Return which share of the key terms occurs among the terms, 0 to 1; 0 without any key.

    >>> coverage(["math", "continuity"], {"math", "budget"}), coverage([], {"x"})
    (0.5, 0.0)
    """
    wanted = frozenset(keys)
    return len(wanted.intersection(terms)) / len(wanted) if wanted else 0.0


def check_variant(variant: str) -> None:
    """Refuse a way of cutting that does not exist."""
    _variant(variant)


def _variant(name: str) -> Callable[[str, bool], list[str]]:
    check_one_of("key terms", name, _VARIANTS)
    return _VARIANTS[name]


def _ascii(text: str, singles: bool) -> list[str]:
    return _ASCII_WORD.findall(text.lower())


def _unicode(text: str, singles: bool) -> list[str]:
    if text.isascii():
        return _PLAIN_WORD.findall(text.lower())  # what the rest would find: such text has one form, and no marks
    text = unicodedata.normalize("NFKC", text).lower()
    # `\w` has letters, digits and the underscore; the marks of this text are added, so that no word breaks at one.
    marks = "".join(each for each in set(text) if not each.isascii() and unicodedata.category(each)[0] == "M")
    words = re.findall(rf"[\w{re.escape(marks)}]+", text)
    if _UNSPACED.search(text) is None:
        return [word for word in words if len(word) >= SHORTEST]
    found: list[str] = []
    for word in words:
        start = 0
        for run in _UNSPACED.finditer(word):
            found += _long_enough(word[start : run.start()])
            found += _pairs(run[0], singles)
            start = run.end()
        found += _long_enough(word[start:])
    return found


def _long_enough(word: str) -> list[str]:
    return [word] if len(word) >= SHORTEST else []


def _pairs(run: str, singles: bool) -> list[str]:
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*run, *pairs] if singles or not pairs else pairs


_VARIANTS: Mapping[str, Callable[[str, bool], list[str]]] = {"unicode": _unicode, "ascii": _ascii}
