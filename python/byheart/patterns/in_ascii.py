"""Automata that look at ASCII alone: patterns of words, and the texts put to them, with a stand-in for each other sign.

Where a pattern asks for the borders of words, the core's automaton gives up at the first sign that is not ASCII, and a
slower one begins again: a text of a hundred letters with one accent takes a millisecond. So each letter that the
patterns name is put as a capital, of which a text in small letters has none, each other sign as a sign of control; of
what no pattern names it counts whether it is a letter, a digit or a blank. Which of them it is, the core itself says,
so that the same is found. Patterns that ask for no borders are put to the text as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from .._core import GatePatterns
from ..light.expressions import expression

Named = tuple[str, str]
"""A name and its pattern, in the syntax of the core with white space between its parts."""

_BORDERS: Final = (r"\b", r"\w", r"\B", r"\W")
_CONTROLS: Final = "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f"
_LETTER, _DIGIT, _BLANK, _SIGN = "_", "0", "\x0b", "\x7f"
_MOST_KNOWN: Final = 4_096  # signs
_SURROGATES: Final = range(0xD800, 0xE000)  # which the core refuses


class InAscii:
    r"""Patterns that are looked for in texts in small letters.

    >>> patterns = InAscii([("sea", r"\bm(?:er|är)\b"), ("day", "[0-9]+\u65e5")])
    >>> [patterns.found(text) for text in ("la mer", "am\xe9r", "a m\xe4r\u2026", "3\u65e5")]
    [['sea'], [], ['sea'], ['day']]
    """

    def __init__(self, patterns: Iterable[Named]) -> None:
        """Make an automaton of the patterns that ask for borders of words, and one of the others."""
        of_words: list[Named] = []
        of_signs: list[Named] = []
        for each in patterns:
            (of_words if any(border in each[1] for border in _BORDERS) else of_signs).append(each)
        self._stand_ins = StandIns("".join(pattern for _, pattern in of_words))
        self._of_words = _automaton((name, pattern.translate(self._stand_ins.named)) for name, pattern in of_words)
        self._of_signs = _automaton(of_signs) if of_signs else None
        self._only_beyond = all(_is_beyond(pattern) for _, pattern in of_signs)

    def found(self, text: str) -> list[str]:
        """Return the names of the patterns that a text in small letters has."""
        plain = text if text.isascii() and text.isprintable() else text.translate(self._stand_ins)
        counts = self._of_words.signals(plain).counts
        if self._of_signs is not None and not (self._only_beyond and text.isascii()):
            counts += self._of_signs.signals(text).counts
        return [name[1:] for name, _ in counts if name[0] == _OWN]


class StandIns(dict[int, str]):
    """What stands in ASCII for each sign of a text, filled as texts bring them.

    Args:
        patterns: all that asks for words.

    Attributes:
        named: the stand-ins of the signs that the patterns name.

    """

    def __init__(self, patterns: str) -> None:
        """Give each sign that the patterns name a stand-in of its own."""
        capitals, controls = iter(ascii_uppercase), iter(_CONTROLS)
        named = sorted({sign for sign in patterns if not sign.isascii()})
        self.named: Final = {ord(sign): next(capitals if _kind(sign) == _LETTER else controls) for sign in named}
        self._digit = _DIGIT if r"\d" in patterns else _LETTER  # a pattern may ask for ten digits alone, or for all
        super().__init__(self.named)

    def __missing__(self, code: int) -> str:
        """Return what stands for a sign that no pattern names."""
        sign = chr(code)
        if code in _SURROGATES or (sign.isascii() and sign not in _CONTROLS):
            stand_in = sign
        else:
            kind = _kind(sign)
            stand_in = self._digit if kind == _DIGIT else kind
        if len(self) >= _MOST_KNOWN:
            self.clear()
            self.update(self.named)
        self[code] = stand_in
        return stand_in


_CLASS: Final = expression(r"\[([^\]]*)\]")
_UNSURE: Final = frozenset("()\\?*{}#[]")
_OWN: Final = "\u00b7"  # the core has names of its own beside these


def _automaton(patterns: Iterable[Named]) -> GatePatterns:
    return GatePatterns("strict", [("A", f"{_OWN}{name}", f"(?x){pattern}", 1.0) for name, pattern in patterns])


def _is_beyond(pattern: str) -> bool:
    """Return whether a pattern surely finds nothing in ASCII: each of its alternatives needs a sign that is none.

    Of patterns with groups in each other, or with parts that may be absent, it is not sure.
    """
    flat = _CLASS.sub(
        lambda found: "" if any(map(str.isascii, found[1])) else found[1][:1],
        pattern.removeprefix("(?:").removesuffix(")"),
    )
    return _UNSURE.isdisjoint(flat) and not any(map(str.isascii, flat.split("|")))


def _kind(sign: str) -> str:
    """Return what stands for a sign, by what the core takes it for."""
    found = [name for name, _ in _kinds().signals(f"x{sign}x").counts]
    return found[0] if found else _SIGN


@lru_cache(maxsize=1)
def _kinds() -> GatePatterns:
    """Return the patterns of what a sign may be, the narrower ones first."""
    kinds = ((_DIGIT, r"\d"), (_LETTER, r"\w"), (_BLANK, r"\s"))
    return GatePatterns("strict", [("A", name, f"^x{pattern}x$", 1.0) for name, pattern in kinds])
