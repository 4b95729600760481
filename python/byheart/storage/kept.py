"""Records that were read and may be wanted again, as long as their rows stand."""

from collections.abc import Iterable
from typing import Final

from ..records import Record

_MOST_BYTES: Final = 32_000_000  # of their JSON


class Kept:
    """Records by the number of their row, all as of one sequence; what was replaced or removed is let go of.

    A row is never changed, so whatever has its number says what it said.
    """

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self._sizes: dict[int, int] = {}
        self._sequence, self._bytes = -1, 0

    def reset(self, sequence: int, left: Iterable[int] | None = None) -> None:
        """Say as of which sequence the store is; what went since is dropped, erased text too.

        Args:
            sequence: of the store.
            left: the rows that went since the last time; None: nobody knows.

        """
        if left is None and sequence != self._sequence:
            self._empty()
        for number in left or ():
            if self.records.pop(number, None) is not None:
                self._bytes -= self._sizes.pop(number)
        self._sequence = sequence

    def keep(self, read: Iterable[tuple[int, Record, int]]) -> None:
        """Keep records under their numbers; over the limit, start again."""
        for number, record, size in read:
            if number not in self.records:
                self._bytes += size
                self.records[number], self._sizes[number] = record, size
        if self._bytes > _MOST_BYTES:
            self._empty()

    def _empty(self) -> None:
        self.records, self._sizes, self._bytes = {}, {}, 0
