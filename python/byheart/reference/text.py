"""Analysis: a text becomes a list of terms, in order, duplicates kept.

Mode `unicode` is the default; mode `ascii` is the letter of published cases, under which a word of another script
disappears. Both split on white space, strip the edges, drop stop words, give a hyphenated token whole and in
parts, and stem. Only `unicode` cuts ideographic writing into characters and pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Set

from .porter import porter_stem

_ENGLISH = """
    a an the
    and or but nor so if then than because while
    in on at to for of with by from about above after before below between down during into out over through under
    until up
    is are was were be been being am
    have has had do does did will would shall should may might must can could
    i me my we our you your he him his she her it its they them their
    this that these those
    what when where which who whom why how
    not no too very just again all also any both each few further here more most now only other own same some such there
    get got
"""
STOP_WORDS: Set[str] = frozenset(_ENGLISH.split())
"""The 115 English stop words: articles, conjunctions, prepositions, be, have, pronouns..."""

LONGEST_TERM = 255
"""A term is cut to this many UTF-8 bytes, at the end of a character."""

_ASCII_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_SPACES = frozenset(
    chr(point)
    for first, last in [(0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
                        (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)]
    for point in range(first, last + 1)
)  # fmt: skip
_ASCII_MODE_SPACES = _SPACES | {"\ufeff"}  # JavaScript's \s
_UNICODE_MODE_SPACES = _SPACES | {"\x85"}  # the property White_Space
_IDEOGRAPHIC = [
    (0x0E01, 0x0E7F), (0x1100, 0x11FF), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035),
    (0x3038, 0x303B), (0x3041, 0x3096), (0x3099, 0x309A), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF),
    (0x3105, 0x312F), (0x3131, 0x318E), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xD7B0, 0xD7FB), (0xF900, 0xFAFF), (0x20000, 0x3FFFD),
]  # fmt: skip


def terms(
    text: str, *, mode: str = "unicode", stem: bool = True, stop_words: Set[str] | str | None = "english"
) -> list[str]:
    """Return the terms of a text.

    Args:
        text: any text.
        mode: "unicode" or "ascii".
        stem: whether Porter's stemmer is applied.
        stop_words: words to leave out; "english" are the 115 of `STOP_WORDS`, None is no word.

    Raises:
        ValueError: the mode is another, or the name of the stop words.

    >>> terms("The well-known fox's 3-day hunts")
    ['well-known', 'well', 'known', 'fox', '3-dai', '3', 'dai', 'hunt']
    >>> terms("CPU-only", mode="ascii", stem=False)
    ['cpu-only', 'cpu']

    """
    if isinstance(stop_words, str):
        if stop_words != "english":
            raise ValueError(f"the stop words are 'english', a set or None, not {stop_words!r}")
        stop_words = STOP_WORDS
    if mode == "ascii":
        return _ascii_terms(text, stem, stop_words or frozenset())
    if mode == "unicode":
        return _unicode_terms(text, stem, stop_words or frozenset())
    raise ValueError(f"the mode is 'unicode' or 'ascii', not {mode!r}")


def is_ideographic(character: str) -> bool:
    """Return whether a character is of writing that does not part words: Han, kana, Hangul, Thai.

    >>> is_ideographic("語"), is_ideographic("é")
    (True, False)
    """
    return any(first <= ord(character) <= last for first, last in _IDEOGRAPHIC)


def _ascii_terms(text: str, stem: bool, stop_words: Set[str]) -> list[str]:
    found = []
    for chunk in _pieces(text.lower(), lambda character: character not in _ASCII_MODE_SPACES):
        token = _stripped(chunk, lambda character: character in _ASCII_WORD).removesuffix("'s")
        if not token or token in stop_words:
            continue
        found.append(token)
        if "-" in token and token[0] not in "0123456789":
            found += [part for part in token.split("-") if part and part not in stop_words]
    return [porter_stem(_cut(token)) if stem else _cut(token) for token in found]


def _unicode_terms(text: str, stem: bool, stop_words: Set[str]) -> list[str]:
    text = unicodedata.normalize("NFKC", text).lower()
    for apostrophe in "\u2018\u2019\u02bc":
        text = text.replace(apostrophe, "'")
    text = re.sub("i\u0307+", "i", text)  # lower case makes these of the Turkish capital
    found = []
    for chunk in _pieces(text, lambda character: character not in _UNICODE_MODE_SPACES):
        runs = _runs(chunk)
        for at, (run, ideographic) in enumerate(runs):
            if ideographic:
                found += _characters_and_pairs(run)
            else:
                tokens = _unicode_tokens(run, stop_words, at > 0, at + 1 < len(runs))
                found += [_stemmed(_cut(token), stem) for token in tokens]
    return found


def _unicode_tokens(run: str, stop_words: Set[str], before: bool, behind: bool) -> list[str]:
    """Return what a run that is not ideographic says: nothing, one token, or a hyphenated one and its parts.

    Args:
        run: the run.
        stop_words: what says nothing.
        before: whether ideographic writing stands right before it; then an underscore joins the two.
        behind: whether it stands right behind it.

    """
    token = run
    while token and not (_stays(token[0]) or (before and token[0] == "_")):
        token = token[1:]
    while token and not (_stays(token[-1]) or (behind and token[-1] == "_")):
        token = token[:-1]
    if token in STOP_WORDS and f"__{token}__" in run:  # a name, as `__all__`
        token = f"__{token}__"
    token = token.removesuffix("'s")
    if not _says_something(token) or token in stop_words:
        return []
    parts = token.split("-") if "-" in token else []
    return [token] + [part for part in parts if _says_something(part) and part not in stop_words]


def _stays(character: str) -> bool:
    return character == "-" or unicodedata.category(character)[0] in "LMN"


def _says_something(token: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in token)


def _characters_and_pairs(run: str) -> list[str]:
    """Return each character, and after it the pair that it begins."""
    found = []
    for at in range(len(run)):
        found.append(run[at])
        if at + 1 < len(run):
            found.append(run[at : at + 2])
    return found


def _runs(chunk: str) -> list[tuple[str, bool]]:
    """Cut a chunk where ideographic writing begins or ends; each run says which it is."""
    runs: list[tuple[str, bool]] = []
    for character in chunk:
        ideographic = is_ideographic(character)
        if runs and runs[-1][1] == ideographic:
            runs[-1] = (runs[-1][0] + character, ideographic)
        else:
            runs.append((character, ideographic))
    return runs


def _pieces(text: str, belongs: Callable[[str], bool]) -> list[str]:
    """Return the maximal runs of characters that belong to a piece."""
    pieces = [""]
    for character in text:
        if belongs(character):
            pieces[-1] += character
        elif pieces[-1]:
            pieces.append("")
    return [piece for piece in pieces if piece]


def _stripped(token: str, stays: Callable[[str], bool]) -> str:
    """Remove from both edges what does not stay."""
    while token and not stays(token[0]):
        token = token[1:]
    while token and not stays(token[-1]):
        token = token[:-1]
    return token


def _cut(term: str) -> str:
    return term.encode()[:LONGEST_TERM].decode(errors="ignore")


def _stemmed(term: str, stem: bool) -> str:
    return porter_stem(term) if stem and term.isascii() else term
