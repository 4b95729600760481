"""The operators of a question, by their definition: read letter by letter, and a look at all words of every record.

A record is a plain mapping, as in `byheart.reference.memory`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .memory import LEXICAL_WEIGHTS, acts_of, claim_of
from .text import terms

QUOTES = '"＂“”„‟«»'
ENDS = ".,;:!?)]}"


@dataclass(frozen=True)
class Read:
    """What is searched for, and the phrases that a record must hold, or must not."""

    plain: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def read(query: str, *, mode: str = "unicode") -> Read:
    """Return a question without its operators, and these.

    >>> read('the "blue kettle" -old +spring -5')
    Read(plain='the blue kettle spring -5', wanted=('blue kettle', 'spring'), unwanted=('old',))
    """
    plain, wanted, unwanted = "", list[str](), list[str]()
    at = 0
    while at < len(query):
        sign, text, end = _operator(query, at) if at == 0 or query[at - 1].isspace() else ("", "", at)
        if not words(text, mode=mode):  # a phrase without a word is plain text as a whole, to its closing mark
            end = max(end, at + 1)
            plain += query[at:end]
            at = end
            continue
        if sign == "-":
            unwanted.append(text)
        else:
            wanted.append(text)
            plain += text
        at = end
    if not wanted and not unwanted:
        return Read(query, (), ())
    return Read(_closed_up(plain), tuple(wanted), tuple(unwanted))


def _operator(query: str, at: int) -> tuple[str, str, int]:
    """Return the sign and the text of the operator at a place, and where it ends; no text if there is none."""
    sign = query[at] if query[at] in "+-" else ""
    start = at + len(sign)
    first = query[start : start + 1]
    if first and first in QUOTES:
        inside = start + 1
        end = inside
        while end < len(query) and query[end] not in QUOTES and query[end] not in "\n\r":
            end += 1
        closed = end < len(query) and query[end] in QUOTES
        if closed and end > inside and not query[inside].isspace():
            return sign, query[inside:end], end + 1
        return "", "", at
    if sign and first.isalnum() and not first.isdecimal():
        end = start
        while end < len(query) and not query[end].isspace() and query[end] not in QUOTES:
            end += 1
        return sign, query[start:end].rstrip(ENDS), end
    return "", "", at


def _closed_up(text: str) -> str:
    """Return a text with one blank where several blanks and tabs stood, and none at its ends."""
    kept = ""
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] in " \t":
            end += 1
        if end - at >= 2:
            kept += " "
            at = end
        else:
            kept += text[at]
            at += 1
    return kept.strip()


def words(text: str, *, mode: str = "unicode") -> list[str]:
    """Return the words of a text: of hyphenated ones the parts, none stemmed, none left out.

    >>> words("The well-known foxes"), words("東京都")
    (['the', 'well', 'known', 'foxes'], ['東', '東京', '京', '京都', '都'])
    """
    found = terms(text, mode=mode, stem=False, stop_words=None)
    return [word for word in found if "-" not in word or (mode == "ascii" and word[0] in "0123456789")]


def holds(text: str, phrase: str, *, mode: str = "unicode") -> bool:
    """Return whether a text has the words of a phrase one behind the other.

    >>> holds("An old, blue kettle", "Blue Kettle"), holds("A blue old kettle", "blue kettle")
    (True, False)
    """
    said, sought = words(text, mode=mode), words(phrase, mode=mode)
    return any(said[at : at + len(sought)] == sought for at in range(len(said) - len(sought) + 1))


def passes(record: Mapping[str, object], asked: Read, *, mode: str = "unicode") -> bool:
    """Return whether a record may be found: each phrase that it must hold stands in one of its texts, and no other."""
    texts = _texts(record)
    return all(any(holds(text, phrase, mode=mode) for text in texts) for phrase in asked.wanted) and not any(
        holds(text, phrase, mode=mode) for text in texts for phrase in asked.unwanted
    )


def _texts(record: Mapping[str, object]) -> Sequence[str]:
    """Return the texts that are searched of a record."""
    texts = {name: str(record.get(name) or "") for name in LEXICAL_WEIGHTS}
    texts["claim"] = claim_of(record)
    texts["utility_acts"] = " ".join(acts_of(record))
    return list(texts.values())
