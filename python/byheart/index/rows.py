"""The rows of a partition: what the indexes know a record by, where its id alone does not say which record it is.

An index knows one name a record. That is the record's id, as long as one cell of the tenant has it. Where several
cells have the same id, each of these records is known by a name that carries its cell as well; so is an id that could
be taken for such a name. The names are a matter of the indexes: everything that leaves them goes by its true id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from .. import knowledge
from ..records import Record
from ..validation import MAX_ID_BYTES

_PART: Final = "\x1f"  # stands in no scope and no class

Cell = tuple[str, str]
"""Scope and class."""


def carrying(id: str, cell: Cell) -> str:
    r"""Return the name of a row that carries its cell; in the order of ids, and then of cells.

    >>> carrying("a", ("project", "public"))
    'a\x1fproject\x1fpublic'
    """
    row = _PART.join((id, *cell))
    return row if len(row.encode()) <= MAX_ID_BYTES else _PART + knowledge.digest(row)


def names(records: Sequence[Record]) -> list[str]:
    r"""Return the names of the rows of complete records, which are all that a tenant has with their ids.

    >>> here = Record(id="a", text="x", tenant="t", scope="s", boundary_class="public")
    >>> names([here]), names([here, here.completed(scope="r")])
    (['a'], ['a\x1fs\x1fpublic', 'a\x1fr\x1fpublic'])
    """
    count = Counter(record.id for record in records)
    found = []
    for record in records:
        id, cell = record.id or "", (record.scope or "", record.boundary_class or "")
        found.append(id if count[id] == 1 and _PART not in id else carrying(id, cell))
    return found


class Rows:
    """The names that are no ids, and whose they are; empty in nearly every memory."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._rows: dict[str, set[str]] = {}

    def __bool__(self) -> bool:
        """Return whether there is such a name."""
        return bool(self._ids)

    def enter(self, row: str, id: str) -> None:
        """Note whose a row is."""
        if row != id:
            self._ids[row] = id
            self._rows.setdefault(id, set()).add(row)

    def leave(self, row: str) -> None:
        """Forget a row; an unknown one is ignored."""
        id = self._ids.pop(row, None)
        if id is not None:
            self._rows[id].discard(row)
            if not self._rows[id]:
                del self._rows[id]

    def id_of(self, row: str) -> str:
        """Return the true id of a row."""
        return self._ids.get(row, row)

    def of(self, id: str, known: Collection[str]) -> tuple[str, ...]:
        """Return the rows of an id, of those that are known; in the order of their cells."""
        if id in self._rows:
            return tuple(sorted(self._rows[id]))
        return (id,) if id in known and id not in self._ids else ()

    def table(self) -> dict[str, str]:
        """Return what `restore` makes the same of."""
        return dict(self._ids)

    def restore(self, table: Mapping[str, Any], known: Collection[str]) -> None:
        """Become what gave this table; raise ValueError if it names rows that are not known."""
        for row, id in table.items():
            if row not in known or not isinstance(id, str) or not id:
                raise ValueError("the table names rows that are not there")
            self.enter(row, id)


def ids_of(rows: Iterable[str], known: Rows) -> list[str]:
    """Return the true ids of rows."""
    return [known.id_of(row) for row in rows]
