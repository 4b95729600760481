"""The rows of a store and their checksums: a row's bytes, its place and its checksum agree, or it is damaged.

A checksum is the BLAKE2b hash, 16 bytes, of the table's name and of every value of the row, its number among them: a
row that stands under another number, or with another row's content, does not fit. The digest of a table is the sum of
its rows' checksums: it notices rows that are missing, and rows that came back as they were before.
"""

import json
from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import Any, Final

from ..errors import CorruptRecord
from ..frozen import maker
from ..light.classes import dataclass
from ..records import Record
from .encoding import restore
from .protocol import Key, Problem, key_of
from .reserved import what_to_do

SIZE: Final = 16
EMPTY: Final = bytes(SIZE)  # the checksum of a blanked row, and the digest of no rows
_bytes, _whole, _other = Struct("<cQ").pack, Struct("<cq").pack, Struct("<cd").pack
_MODULUS: Final = 1 << (8 * SIZE)
_KINDS: Final = frozenset((int, float, bytes))  # of the values that SQLite gives, those that are stored


def checksum(table: str, *values: int | float | bytes) -> bytes:
    """Return the checksum of a row of a table; order, type and length of the values count."""
    parts: list[bytes] = []
    for value in values:
        if isinstance(value, bytes):
            parts += (_bytes(b"b", len(value)), value)
        else:
            parts.append(_whole(b"i", value) if isinstance(value, int) else _other(b"f", value))
    return blake2b(b"".join(parts), digest_size=SIZE, person=table.encode()).digest()


def plus(digest: bytes, row: bytes) -> bytes:
    """Return a digest with one more row.

    >>> minus(plus(EMPTY, checksum("t", 1)), checksum("t", 1)) == EMPTY
    True

    """
    return total((digest, row))


def minus(digest: bytes, row: bytes) -> bytes:
    """Return a digest with one row less."""
    return ((_number(digest) - _number(row)) % _MODULUS).to_bytes(SIZE, "little")


def total(checksums: Sequence[bytes]) -> bytes:
    """Return the digest of rows with these checksums."""
    return (sum(map(_number, checksums)) % _MODULUS).to_bytes(SIZE, "little")


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "little")


def sound(table: str, values: Sequence[Any], stored: Any) -> bool:
    """Return whether a row's values are of the kinds that are stored, and fit its checksum."""
    if not _KINDS.issuperset(map(type, values)):
        return False
    try:
        return bool(checksum(table, *values) == stored)
    except (OverflowError, ValueError):
        return False


def live(claim: Any, expires_at: Any) -> tuple[Any, ...]:
    """Return what the checksum of a row of live_claims is of."""
    return (claim,) if expires_at is None else (claim, expires_at)


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A row of claims as SQLite returns it: anything, if the file is damaged."""

    number: Any
    tenant: Any
    id: Any
    content: Any
    scope: Any
    boundary_class: Any
    checksum: Any

    @property
    def blank(self) -> bool:
        """Whether the row was removed or replaced."""
        return bool(self.checksum == EMPTY)

    @property
    def sound(self) -> bool:
        """Whether the row is as it was written."""
        return sound("claims", self.values, self.checksum)

    @property
    def values(self) -> tuple[Any, ...]:
        """What the checksum is of."""
        return self.number, self.tenant, self.id, self.content, self.scope, self.boundary_class

    def key(self) -> Key:
        """Return the key that the row names; of a damaged one, what can be read of it."""
        return Key(*map(readable, (self.tenant, self.scope, self.boundary_class, self.id)))

    @property
    def names_itself(self) -> bool:
        """Whether content and columns name the same key: then that of a damaged row can be believed."""
        if not isinstance(self.content, bytes):
            return False
        parts = (f'"{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in self.key()._asdict().items())
        return all(part.encode() in self.content for part in parts)

    def record(self, where: str, *, looked_at: bool = False) -> Record:
        """Return the record; one that was `looked_at` was found to be sound.

        Raises:
            CorruptRecord: the row is not as it was written; names tenant and id as far as they can be read.

        """
        if not looked_at and not self.sound:
            raise CorruptRecord(self.complaint(where))
        record = restore(self.content)
        assert key_of(record) == self.key(), "what was written agrees with itself"
        return record

    def problem(self, where: str, key: Key | None = None) -> Problem:
        """Return the report of a damaged row, under the record that was looked for, or else the one that it names."""
        return Problem("claims", self.complaint(where), key or self.key(), self.names_itself)

    def complaint(self, where: str) -> str:
        """Return what to say of a damaged row."""
        return f"{where}: {what_to_do(self.key())}"


claim_row = maker(ClaimRow)
"""Makes a row as `ClaimRow` does, in less time."""


def readable(value: Any) -> str:
    """Return what a column says, even if it is damaged."""
    return value.decode(errors="replace") if isinstance(value, bytes) else repr(value)
