"""Records that were read and may be wanted again, as long as nothing changes."""

from collections.abc import Iterable
from typing import Final

from ..records import Record

_MOST_BYTES: Final = 32_000_000  # of their JSON


class Kept:
    """Records by the number of their row, all as of one sequence; a change of the store empties it."""

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self._sequence, self._bytes = -1, 0

    def reset(self, sequence: int) -> None:
        """Say as of which sequence the store is; what was kept as of another one is dropped, erased text too."""
        if sequence != self._sequence:
            self.records, self._sequence, self._bytes = {}, sequence, 0

    def keep(self, read: Iterable[tuple[int, Record, int]]) -> None:
        """Keep records under their numbers; over the limit, start again."""
        for number, record, size in read:
            if number not in self.records:
                self._bytes += size
                self.records[number] = record
        if self._bytes > _MOST_BYTES:
            self.records, self._bytes = {}, 0
