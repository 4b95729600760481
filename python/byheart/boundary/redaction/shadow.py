"""The shadow of a text: its characters in their compatibility form (NFKC), and the way back from a span of it.

Detectors look at the shadow, so that `０９０` is `090`, and what is hidden is in the text. Each character is
taken by itself, so that the way back is a count of characters. Dashes of all lengths count as hyphens, and signs
without width, such as U+200B, are nothing, unless the letter of NFKC is asked for.
"""
# docs/sources.md: B1.16.2.

from __future__ import annotations

from array import array

_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63")


class Shadow:
    """A text as detectors see it.

    >>> shadow = Shadow("tel ①０９０")
    >>> shadow.text, shadow.span(5, 8)
    ('tel 1090', (5, 8))
    """

    __slots__ = ("_places", "text")

    def __init__(self, text: str, literal: bool = False) -> None:
        self._places: array[int] | None = None
        self.text = text
        if text.isascii():
            return
        forms = _LITERAL if literal else _USUAL
        self.text = text.translate(forms)
        if len(self.text) != len(text) or forms.has_nothing(text):  # else characters are one for one
            self._places = array("L")
            for place, character in enumerate(text):
                self._places.extend([place] * len(forms[ord(character)]))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text that a span of the shadow, which is not empty, comes from."""
        if self._places is None:
            return start, end
        return self._places[start], self._places[end - 1] + 1


class _Forms(dict[int, str]):
    """The compatibility form of each character that was met, for `str.translate`."""

    def __init__(self, *, literal: bool) -> None:
        super().__init__()
        self._literal = literal
        self._nothing = set[str]()

    def __missing__(self, point: int) -> str:
        from unicodedata import category, normalize  # on use

        form = normalize("NFKC", chr(point))
        if not self._literal and form in _DASHES:
            form = "-"
        elif not self._literal and category(chr(point)) == "Cf":
            form = ""
            self._nothing.add(chr(point))
        self[point] = form
        return form

    def has_nothing(self, text: str) -> bool:
        """Return whether a text, whose forms were met, holds a character that becomes nothing."""
        return not self._nothing.isdisjoint(text)


_USUAL, _LITERAL = _Forms(literal=False), _Forms(literal=True)
