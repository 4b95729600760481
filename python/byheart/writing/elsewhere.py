"""Texts of other cells: whether a new one says what lies there, as a whole among other lines.

Two files that are joined make one chunk of two where nothing divides them; a note that is put below a heading becomes a
part of that section. Nobody said that what was moved to another class is to be in such a text; nor that another heading
above it makes it public. Only what others say below their headings, too, as "None.", is nobody's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import dropwhile

from ..records import Record

Lines = tuple[str, ...]


class Elsewhere:
    """The texts of other cells, to be looked for in new ones.

    Args:
        away: the records that lie there.
        here: those of the cell of the import.

    """

    def __init__(self, away: Iterable[Record], here: Iterable[Record] = ()) -> None:
        self._records: dict[Lines, Record] = {}
        self._lengths: dict[str, dict[int, None]] = {}  # by the first line: headings such as "Notes" begin many
        common = {_below_headings(old.text) for old in here}
        for old in away:
            below = _below_headings(old.text)
            for lines in (_lines(old.text), () if below in common else below):
                if lines:
                    self._records.setdefault(lines, old)
                    self._lengths.setdefault(lines[0], {})[len(lines)] = None

    def held_by(self, text: str, before: str = "") -> Record | None:
        r"""Return a record whose lines all stand in a text, one after the other; None if there is none.

        Args:
            text: of a record.
            before: what it said until now: what that said already is no news.

        >>> elsewhere = Elsewhere([Record(text="# Safe\nIt is 1.", id="safe")])
        >>> texts = "Tea.\n\n## Safe\n\nIt is 1.\n", "It is 1.", "# Safe"
        >>> [found and found.id for found in map(elsewhere.held_by, texts)]
        ['safe', 'safe', None]

        """
        known = set(self._held(before))
        return next((self._records[held] for held in self._held(text) if held not in known), None)

    def _held(self, text: str) -> Iterator[Lines]:
        lines = _lines(text) if self._records else ()
        for at, line in enumerate(lines):
            for length in self._lengths.get(line, ()):
                if (part := lines[at : at + length]) in self._records:
                    yield part


def _below_headings(text: str) -> Lines:
    """Return the lines of a section without those of the headings that it begins with; the whole of another text."""
    return _lines("\n".join(dropwhile(lambda line: not line.strip() or line.startswith("#"), text.splitlines())))


def _lines(text: str) -> Lines:
    """Return the lines of a text that are not blank, without what may differ where they are put below others."""
    return tuple(line for each in text.splitlines() if (line := each.strip().lstrip("#").strip()))
