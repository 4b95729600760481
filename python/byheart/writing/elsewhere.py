"""Texts of other cells: whether a new one says what lies there, as a whole among other lines.

Two files that are joined make one chunk of two where nothing divides them; a note that is put below a heading becomes a
part of that section. Nobody said that what was moved to another class is to be in such a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..records import Record

Lines = tuple[str, ...]


class Elsewhere:
    """The texts of other cells, to be looked for in new ones.

    Args:
        away: the records that lie there.

    """

    def __init__(self, away: Iterable[Record]) -> None:
        self._by_first: dict[str, list[tuple[Lines, Record]]] = {}
        for old in away:
            if lines := _lines(old.text):
                self._by_first.setdefault(lines[0], []).append((lines, old))

    def held_by(self, text: str, before: str = "") -> Record | None:
        r"""Return a record whose lines all stand in a text, one after the other; None if there is none.

        Args:
            text: of a record.
            before: what it said until now: what that said already is no news.

        >>> elsewhere = Elsewhere([Record(text="# Safe\nIt is 1.", id="safe")])
        >>> [found and found.id for found in map(elsewhere.held_by, ("Tea.\n\n## Safe\n\nIt is 1.\n", "It is 1."))]
        ['safe', None]

        """
        known = {id(old) for old in self._held(before)}
        return next((old for old in self._held(text) if id(old) not in known), None)

    def _held(self, text: str) -> Iterator[Record]:
        lines = _lines(text) if self._by_first else ()
        for at, line in enumerate(lines):
            for held, old in self._by_first.get(line, ()):
                if lines[at : at + len(held)] == held:
                    yield old


def _lines(text: str) -> Lines:
    """Return the lines of a text that are not blank, without what may differ where they are put below others."""
    return tuple(line for each in text.splitlines() if (line := each.strip().lstrip("#").strip()))
