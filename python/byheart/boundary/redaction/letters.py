"""Three patterns found in linear time: e-mail addresses, telephone numbers, and keys that start with "sk-".

A general pattern engine would try these anew at every character. Here each `@`, each run of digits and each "sk-" is
looked at once, with the same finds: the tests hold them to the patterns themselves. This is the published letter; what
is looked for without being asked for it is in `mails`, `telephones` and `credentials`.
"""
# docs/sources.md: B1.16.2, B1.16.4.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression

Span = tuple[int, int]

PATTERNS = {
    "email": r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}",
    "phone": r"\+?\d[\d\-\s]{7,}\d",
    "secret": r"(?i)sk-[a-z0-9]{10,}",
}
"""The patterns as they are published; `\\d` and letters are those of ASCII."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
DOMAIN = _LETTERS | _DIGITS | frozenset(".-")
LOCAL = DOMAIN | frozenset("_%+")
"""What may stand behind and before an `@`."""

# A run of one class is a match wherever it starts; a key that fails has cost ten characters.
_NUMBER_RUN = expression(r"[0-9][0-9\-\s]*")
_KEY = expression(r"sk-[a-z0-9]{10,}", re.IGNORECASE | re.ASCII)
_LEAST_NUMBER = 9


def emails(text: str) -> Iterator[Span]:
    """Yield where e-mail addresses stand, from the first `@` on, none of which overlap.

    >>> list(emails("to x@example.com."))
    [(3, 16)]
    """
    floor, at = 0, text.find("@")
    while at >= 0:
        start = local_start(text, at, floor)
        if start < at and (end := domain_end(text, at + 1)):
            yield start, end
            floor = end
        at = text.find("@", max(at + 1, floor))


def local_start(text: str, at: int, floor: int) -> int:
    """Return where the part before an `@` starts, which is the place of the `@` if there is none."""
    start = at
    while start > floor and text[start - 1] in LOCAL:
        start -= 1
    return start


def domain_end(text: str, start: int) -> int:
    """Return the end of the longest domain that starts here; 0 if there is none."""
    end = start
    while end < len(text) and text[end] in DOMAIN:
        end += 1
    dot = text.rfind(".", start + 1, end)
    while dot > 0:
        last = dot + 1
        while last < end and text[last] in _LETTERS:
            last += 1
        if last - dot > 2:
            return last
        dot = text.rfind(".", start + 1, dot)
    return 0


def numbers(text: str) -> Iterator[Span]:
    """Yield where telephone numbers may stand: nine or more digits, hyphens and spaces, a digit at both ends.

    Dates and the numbers of records look the same to this rule; see `telephones`.

    >>> list(numbers("due 2025-11-11"))
    [(4, 14)]
    """
    for run in _NUMBER_RUN.finditer(text):
        start, end = run.span()
        while text[end - 1] not in _DIGITS:
            end -= 1
        if end - start >= _LEAST_NUMBER:
            yield start - (start > 0 and text[start - 1] == "+"), end


def keys(text: str) -> Iterator[Span]:
    """Yield where keys stand: "sk-" and ten or more letters and digits.

    >>> list(keys("SK-abcdefghij, sk-short"))
    [(0, 13)]
    """
    for found in _KEY.finditer(text):
        yield found.span()
