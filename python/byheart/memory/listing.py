"""The listing that the directory can do alone: the first records of an order, and how many have each value.

Only what the directory keeps as it is shown is answered so: times that no use changes, and names that no policy
redacts; without a policy all texts, and metadata. Of everything else records are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..boundary import Boundary, cell_key
from ..index.indexes import Indexes
from ..retrieval.filter.canonical import Canonical, all_of
from ..retrieval.filter.fields import KINDS
from ..storage import Key
from .page import Order, Place

if TYPE_CHECKING:
    from ..retrieval.filter.canonical import Value

TIMES: Final = frozenset({"created_at", "updated_at", "expires_at"})
ID: Final = "id"
_NUMBER, _TEXT = 2, 3  # what `Order.place` says of a number and of a text
NAMES: Final = frozenset({"user_id", "session_id", "kind", "ku_type"})


def first_keys(
    indexes: Indexes, inside: Boundary, filter: Canonical | None, order: Order, start: Place | None, most: int
) -> list[Key] | None:
    """Return the keys of the first records of an order, behind a place if one is given; the caller has the lock.

    None where the directory does not have the order.
    """
    by_id = order.field == ID
    if not (by_id or order.field in TIMES) or (start is not None and not _is_of(start, by_id=by_id)):
        return None
    behind = None
    if start is not None:
        _, _, value, id, scope, boundary_class = start
        behind = (None if by_id else value, id, cell_key(scope, boundary_class))
    partition, column = indexes[inside.tenant], None if by_id else order.field
    cells = partition.all_cells_in(inside)
    rows = partition.core.first(column, most, down=order.down, behind=behind, filter=filter, cells=cells)
    return indexes.keys(inside.tenant, rows)


def _is_of(place: Place, *, by_id: bool) -> bool:
    """Return whether a place is one that a record may have in the order by id, or by a time."""
    missing, kind, value, id, *_ = place
    return (kind == _TEXT and value == id) if by_id else (missing or kind == _NUMBER)


def counts(
    indexes: Indexes, inside: Boundary, filter: Canonical | None, field: str, *, governed: bool
) -> dict[Value | None, int] | None:
    """Return how many records have each value of a field; None where the directory cannot say. The caller has the lock.

    Of metadata it says so unless some are flags: records that have True are counted with those that have 1.

    Args:
        indexes: of the store.
        inside: what may be seen.
        filter: which records are counted; None for all.
        field: of records, or of their metadata.
        governed: whether a policy says what is shown.

    """
    if field not in NAMES and (governed or KINDS.get(field, "any") not in ("text", "any")):
        return None
    partition = indexes[inside.tenant]
    counted = partition.counts_in(inside, field, filter)
    if any(isinstance(value, bool) for value, _ in counted):
        return None
    absent: Canonical = ("exists", field, False)
    without = partition.count_in(inside, absent if filter is None else all_of([filter, absent]))
    if not counted and without != partition.count_in(inside, filter):  # it knows of some in another way, such as ids
        return None
    known = [(value if isinstance(value, str) else float(value), count) for value, count in counted]
    found: dict[Value | None, int] = dict(sorted(known, key=lambda each: (isinstance(each[0], str), each[0])))
    return {**found, None: without} if without else found
