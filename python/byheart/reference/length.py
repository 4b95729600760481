"""Lengths, white space and scripts as the rules of texts count them."""
# docs/sources.md: A1.3, A2.7.3.

from __future__ import annotations

import math

_SPACES = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

SCRIPT_SPACE = _SPACES + "\ufeff"
"""White space of JavaScript, which has the byte order mark and lacks U+0085."""

UNICODE_SPACE = _SPACES + "\x85"
"""Unicode's white space, which the gate trims."""

_FIRST_SCRIPTS = [(0x4E00, 0x9FAF), (0x3041, 0x3096), (0x30A1, 0x30FA), (0xAC00, 0xD7A3)]
_SECOND_SCRIPTS = [(0x0400, 0x04FF), (0x0600, 0x06FF), (0x0590, 0x05FF)]


def length(text: str, unit: str) -> int:
    """Return the length in code points, UTF-16 units ("utf16") or UTF-8 bytes ("byte").

    >>> length("é😀", "codepoint"), length("é😀", "utf16"), length("é😀", "byte")
    (2, 3, 6)
    """
    if unit == "utf16":
        return sum(2 if ord(character) > 0xFFFF else 1 for character in text)
    if unit == "byte":
        return len(text.encode())
    return len(text)


def cjk_characters(text: str) -> int:
    """Return how many characters are Chinese, Japanese or Korean, in the ranges that the rules of questions name."""
    ranges = [(0x4E00, 0x9FFF), (0x3040, 0x309F), (0x30A0, 0x30FF), (0xAC00, 0xD7AF)]
    return sum(any(low <= ord(character) <= high for low, high in ranges) for character in text)


def host_tokens(text: str, unit: str = "codepoint") -> int:
    """Return the host's estimate: the length over 1.6, 2.5 or 4, by the scripts that occur.

    >>> host_tokens("hello"), host_tokens("漢字漢字漢字"), host_tokens("Привет")
    (2, 4, 3)
    """
    # docs/sources.md: A1.3.1, A1.3.2.
    divisor = 4.0
    for ranges, smaller in ((_SECOND_SCRIPTS, 2.5), (_FIRST_SCRIPTS, 1.6)):
        if any(low <= ord(character) <= high for character in text for low, high in ranges):
            divisor = smaller
    return math.ceil(length(text, unit) / divisor)


def gate_tokens(text: str, unit: str = "byte") -> int:
    """Return the gate's estimate: a quarter of the length, rounded down, at least 1.

    >>> gate_tokens("界界界界"), gate_tokens("界界界界", "codepoint"), gate_tokens("")
    (3, 1, 1)
    """
    # docs/sources.md: A1.3.5.
    return max(length(text, unit) // 4, 1)


def recent_tail(
    items: list[tuple[str, float, str | None]], least: int, budget: float
) -> tuple[list[str], list[str], list[str]]:
    """Return the ids before the tail, of its last `least` items, and of the whole tail.

    An item is (id, cost, bundle). Of all suffixes that split no bundle, the tail is the longest whose cost fits, or the
    shortest that holds the last `least` items if none of those fits.

    >>> recent_tail([("a", 9, None), ("b", 2, None), ("c", 2, None)], 1, 4)
    (['a'], ['c'], ['b', 'c'])
    """
    # docs/sources.md: A1.9.1.
    ids = [item[0] for item in items]
    base = max(len(items) - least, 0)
    whole = [start for start in range(base + 1) if _splits_no_bundle(items, start)]
    fitting = [start for start in whole if sum(cost for _, cost, _ in items[start:]) <= budget]
    start = min(fitting, default=max(whole))
    return ids[:start], ids[base:], ids[start:]


def _splits_no_bundle(items: list[tuple[str, float, str | None]], start: int) -> bool:
    before = {bundle for _, _, bundle in items[:start]} - {None}
    return not before & {bundle for _, _, bundle in items[start:]}
