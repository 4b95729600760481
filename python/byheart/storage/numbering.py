"""The keys of a store's records and the numbers of their rows, in the core's form, and its vectors by these numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, Final

from .._core import Numbering
from .protocol import Key

if TYPE_CHECKING:
    import sqlite3

    from .._core import Partition

_AT_ONCE: Final = 4_096  # keys that are objects at the same time
_PART: Final = 4_096  # vectors that are read until others may write
_ROWS: Final = (
    "SELECT number, claim, embedding FROM claim_vectors WHERE number > ? AND model = ? AND checksum <> ?"
    " ORDER BY number LIMIT ?"
)


class NumberedKeys(Set[Key]):
    """The keys of all records as of one moment: a set that costs nothing until somebody looks into it.

    >>> numbering = Numbering()
    >>> _ = numbering.put(Key("ada", "notes", "public", "tea"), 7)
    >>> keys = NumberedKeys(numbering.copy())
    >>> len(keys), Key("ada", "notes", "public", "tea") in keys, {key.id for key in keys}
    (1, True, {'tea'})

    """

    __slots__ = ("_numbering",)

    def __init__(self, numbering: Numbering) -> None:
        """Stand for the keys of a numbering that nobody changes."""
        self._numbering = numbering

    def __contains__(self, key: object) -> bool:
        """Return whether a record has this key."""
        return key in self._numbering

    def __iter__(self) -> Iterator[Key]:
        """Give the keys, in any order."""
        for start in range(0, self._numbering.places, _AT_ONCE):
            for key, _ in self._numbering.items(start, start + _AT_ONCE):
                yield Key._make(key)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._numbering)

    @classmethod
    def _from_iterable(cls, keys: Iterable[Any]) -> frozenset[Any]:  # what `-` and `|` make
        return frozenset(keys)

    def of_tenant(self, tenant: str) -> frozenset[Key]:
        """Return the keys of a tenant."""
        return frozenset(map(Key._make, self._numbering.of_tenant(tenant)))

    def missing_of(self, partitions: Mapping[str, Partition], apart: str) -> set[Key] | None:
        """Return the keys that are in none of these partitions, by tenant; a tenant that is `apart` has none to be in.

        None if a partition is empty, or holds what is not among the keys.
        """
        missing = self._numbering.missing(dict(partitions), apart)
        return None if missing is None else set(map(Key._make, missing))


def part_of(connection: sqlite3.Connection, model: int, after: int) -> Iterator[tuple[Any, ...]]:
    """Give some vectors of a model as they lie there, which follow a row: their number, a claim's, its vector.

    Args:
        connection: to the file.
        model: the number of the model.
        after: the number of the row.

    """
    from .rows import EMPTY  # on use: a memory without a file has no rows

    return connection.execute(_ROWS, (after, model, EMPTY, _PART))
