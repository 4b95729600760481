"""E-mail addresses found in linear time: the published pattern's finds, and letters and apostrophes beyond ASCII.

Each `@` is looked at once. Where a script has no blanks between words, an address ends where the script does: what
stands before `x@example.com` and behind it in a Japanese sentence stays.
"""
# docs/sources.md: B1.16.2, B1.16.4.

from __future__ import annotations

from collections.abc import Iterator

from .letters import DOMAIN, LOCAL, Span, domain_end, local_start

_WIDE = "\u2e80"
"""From here on, letters of scripts that set no blanks (Chinese, Japanese) or that stand beside them."""


def emails(text: str) -> Iterator[Span]:
    """Yield where e-mail addresses stand, from the first `@` on, none of which overlap.

    >>> [text[a:b] for text in ["jürgen.müller@example.de", "o'neil@example.com"] for a, b in emails(text)]
    ['jürgen.müller@example.de', "o'neil@example.com"]
    """
    floor, at = 0, text.find("@")
    while at >= 0:
        start = min(local_start(text, at, floor), _start(text, at, floor))
        end = max(domain_end(text, at + 1), _end(text, at + 1)) if start < at else 0
        if end:
            yield start, end
            floor = end
        at = text.find("@", max(at + 1, floor))


def _letter(character: str) -> bool:
    """Return whether a character beyond ASCII is of a word: a letter, a digit, or a mark upon one."""
    if character.isascii():
        return False
    if character.isalnum():
        return True
    from unicodedata import category  # on use

    return category(character).startswith("M")


def _start(text: str, at: int, floor: int) -> int:
    """Return where the part before an `@` starts; wide letters belong to it if one stands at its end.

    An apostrophe does if it stands between two characters of it, a letter before it.
    """
    wide = at > floor and text[at - 1] >= _WIDE

    def inside(place: int) -> bool:
        return text[place] in LOCAL or (_letter(text[place]) and (wide or text[place] < _WIDE))

    def apostrophe(place: int) -> bool:
        letter = place - 1
        return text[place] == "'" and place + 1 < at and letter >= floor and text[letter].isalpha() and inside(letter)

    start = at
    while start > floor and (inside(start - 1) or apostrophe(start - 1)):
        start -= 1
    return start


def _end(text: str, start: int) -> int:
    """Return the end of the last label that can end a domain, where letters beyond ASCII count; 0 if there is none."""
    end, at, labels = 0, start, 0
    while True:
        label = _label_end(text, at)
        if label == at:
            return end
        labels += 1
        if labels > 1 and label - at > 1 and not any(sign == "-" or sign.isdigit() for sign in text[at:label]):
            end = label
        if text[label : label + 1] != ".":
            return end
        at = label + 1


def _label_end(text: str, start: int) -> int:
    wide = text[start : start + 1] >= _WIDE
    at = start
    while at < len(text) and text[at] != ".":
        sign = text[at]
        if sign not in DOMAIN and not (_letter(sign) and (wide or sign < _WIDE)):
            break
        at += 1
    return at
