"""Redaction by the published patterns as they are written, and its rule for overlaps, character by character."""
# docs/sources.md: B1.16.2, B1.16.3.

from __future__ import annotations

import re
from collections.abc import Sequence

PATTERNS = {
    "email": r"(?ai)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}",
    "phone": r"\+?[0-9][0-9\-\s]{7,}[0-9]",
    "secret": r"(?ai)sk-[a-z0-9]{10,}",
}
Span = tuple[int, int, str]


def spans(text: str, names: Sequence[str]) -> list[Span]:
    """Return what the published patterns find.

    >>> spans("due 2025-11-11", ["phone"])
    [(4, 14, 'phone')]
    """
    return [(found.start(), found.end(), name) for name in names for found in re.finditer(PATTERNS[name], text)]


def winners(found: Sequence[Span], names: Sequence[str]) -> list[Span]:
    """Return the spans by who wins: the longer, then the earlier rule, then the earlier place."""
    return sorted(found, key=lambda span: (span[0] - span[1], names.index(span[2]), span[0]))


def literal(text: str, names: Sequence[str]) -> tuple[str, int]:
    """Return the text with the spans that overlap no winner replaced, and how many these are.

    >>> literal("x@example.com, 090-1234-5678", ["email", "phone"])
    ('[email], [phone]', 2)
    """
    kept: list[Span] = []
    for span in winners(spans(text, names), names):
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    result = text
    for start, end, name in sorted(kept, reverse=True):
        result = result[:start] + f"[{name}]" + result[end:]
    return result, len(kept)


def painted(text: str, found: Sequence[Span], names: Sequence[str]) -> str:
    """Return the text with each character that a span holds hidden by the best span that holds it.

    >>> painted("+81 90 1234 5678@example.com", [(0, 16, "phone"), (12, 28, "email")], ["email", "phone"])
    '[phone][email]'
    """
    colours: list[Span | None] = [None] * len(text)
    for winner in winners(found, names):
        for at in range(winner[0], winner[1]):
            colours[at] = colours[at] or winner
    result, at = "", 0
    while at < len(text):
        end, span = at + 1, colours[at]
        while span and end < len(text) and colours[end] == span:
            end += 1
        worth = span and (span[:2] == (at, end) or any(letter.isalnum() for letter in text[at:end]))
        result += f"[{span[2]}]" if span and worth else text[at:end]
        at = end
    return result
