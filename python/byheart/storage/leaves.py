"""The leaves of a table, read past its tree: where SQLite finds no way to rows that still lie in their pages.

A table is a tree of pages, and its rows lie in the leaves. One damaged page above them hides all that are below it from
SQLite, whose pages nothing has touched. So every page of the file is looked at by itself. What is found is no more than
an offer: a row counts only if its checksum fits, and a page that a text or a vector runs over to is no leaf, since it
begins with the number of the next one.
"""
# The format: https://sqlite.org/fileformat2.html, "B-tree Pages", "Record Format", "Cell Payload Overflow Pages".

import sqlite3
from collections.abc import Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary

from .rows import ClaimRow

_LEAF: Final = 0x0D
_HEADER: Final = 8  # bytes of a leaf before the places of its cells
_WHOLE: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of an integer, by its type
_COLUMNS: Final = 7  # of claims, as they lie there: those of a later migration stand last
_read: WeakKeyDictionary[sqlite3.Connection, tuple[tuple[int, int], dict[int, ClaimRow]]] = WeakKeyDictionary()


def rows_in_leaves(connection: sqlite3.Connection) -> dict[int, ClaimRow]:
    """Return the rows of claims that are sound and not blank, by number, whatever became of their tree.

    The whole file is held in memory meanwhile. What was found is kept until the file changes.
    """
    now = (connection.execute("PRAGMA data_version").fetchone()[0], connection.total_changes)
    kept = _read.get(connection)
    if kept is None or kept[0] != now:
        found = (row for row in _claims(_File(connection)) if not row.blank and row.sound)
        kept = _read[connection] = (now, {row.number: row for row in found})
    return kept[1]


class _File:
    """The pages of a file, through the connection's own lock and journal."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.size: int = connection.execute("PRAGMA page_size").fetchone()[0]
        (self.root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'claims'").fetchone()
        self.bytes = connection.serialize() if hasattr(connection, "serialize") else b""  # not in every SQLite
        self.usable = self.size - (self.bytes[20] if self.bytes else 0)

    def page(self, number: int) -> bytes:
        """Return a page by its number, from one on; what lies behind the end is empty."""
        return self.bytes[(number - 1) * self.size : (number - 1) * self.size + self.usable] if number > 0 else b""

    def leaves(self) -> Iterator[bytes]:
        """Give the pages that say that they are leaves; the first of claims is one while there are few rows."""
        for number in range(2, len(self.bytes) // self.size + 1):
            if self.bytes[(number - 1) * self.size] == _LEAF or number == self.root:
                yield self.page(number)

    def payload(self, page: bytes, at: int, length: int) -> bytes:
        """Return what a cell holds, with the pages that it runs over to."""
        if length <= self.usable - 35:
            return page[at : at + length]
        least = (self.usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (self.usable - 4)
        here = here if here <= self.usable - 35 else least
        parts, missing = [page[at : at + here]], length - here
        following = page[at + here : at + here + 4]
        while missing > 0 and (over := self.page(int.from_bytes(following, "big"))):
            parts.append(over[4 : 4 + missing])
            following, missing = over[:4], missing - len(over) + 4
        return b"".join(parts)


def _claims(file: _File) -> Iterator[ClaimRow]:
    """Give what may be a row of claims, from all leaves."""
    for page in file.leaves():
        end = min(_HEADER + 2 * int.from_bytes(page[3:5], "big"), len(page))
        for place in range(_HEADER, end, 2):
            try:
                length, at = _varint(page, int.from_bytes(page[place : place + 2], "big"))
                number, at = _varint(page, at)
                if length > len(file.bytes):
                    continue
                values = _values(file.payload(page, at, length))
            except (IndexError, KeyError):
                continue  # no cell
            if len(values) == _COLUMNS:
                _, tenant, id, content, stored, scope, boundary_class = values
                yield ClaimRow(_signed(number), tenant, id, content, scope, boundary_class, stored)


def _values(record: bytes) -> list[Any]:
    """Return the columns of a row, texts as bytes; of a number that is the row's own nothing.

    Raises:
        IndexError, KeyError: it is no row.

    """
    end, at = _varint(record, 0)
    kinds, values = [], list[Any]()
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    for kind in kinds:
        size = (kind - 12) // 2 if kind >= 12 else 0 if kind in (0, 8, 9) else _WHOLE[kind]
        part = record[at : at + size]
        if len(part) < size:
            raise IndexError("a row that ends before its columns do")
        values.append(part if kind >= 12 else None if kind == 0 else int.from_bytes(part, "big", signed=True))
        at += size
    return values


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of one to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
