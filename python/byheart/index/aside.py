"""The records that are set aside: stored and not indexed, since they are damaged or no index takes them in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..boundary import Boundary
from ..boundary.reach import Reach
from ..errors import ByheartError
from ..records import Record
from ..storage import JOURNAL, OBSERVATIONS, Key, Problem, by_id, key_of
from .partition import Partition
from .taken_in import Made

LINES = "lines"
"""Where a problem lies in a file of lines."""

INDEX = "index"
"""Where a problem lies that is not the store's."""

_REFUSED = (ByheartError, ValueError, TypeError, OverflowError)


def of_load(problems: Sequence[Problem], records: Iterable[Record]) -> tuple[dict[Key, Problem], list[Problem]]:
    """Return what is set aside of a store that was read whole, and what is wrong and is no record's that can be named.

    Args:
        problems: what was found to be wrong.
        records: those that are sound.

    """
    sound = set(map(key_of, records)) if problems else frozenset()
    aside = {each.key: each for each in problems if each.key is not None and each.key not in sound}
    return aside, [each for each in problems if each.key is None or each.key in sound]


def told(aside: Mapping[Key, Problem], amiss: Sequence[Problem], reach: Reach) -> list[Problem]:
    """Return what is set aside, as far as a memory may be told.

    Of what is not known for certain to lie inside its reach, nothing is said.

    Args:
        aside: by key.
        amiss: what is wrong and is no record's that can be named.
        reach: what the memory may see.

    """
    sorted_by_id = [aside[key] for key in sorted(aside, key=by_id)]
    return [*sorted_by_id, *amiss] if reach.sees_all else tellable(sorted_by_id, reach)


def inside(
    aside: Mapping[Key, Problem], within: Boundary, ids: Iterable[str] | None = None, *, sure: bool = True
) -> list[Key]:
    """Return the keys inside a boundary, with these ids, that are set aside; if `sure`, those that are certain."""
    if not aside:
        return []
    asked = None if ids is None else set(ids)
    reach = Reach(within)
    found = [key for key, why in aside.items() if reach.holds(key.tenant, *key.cell) and (why.sure or not sure)]
    return sorted((key for key in found if asked is None or key.id in asked), key=by_id)


def rows_inside(
    aside: Mapping[Key, Problem], within: Boundary, ids: Iterable[str] | None, *, sure: bool = True
) -> list[Key]:
    """Return the keys of observations inside a boundary, with these ids, that are set aside; `sure` as above.

    Of which scopes one was made cannot be read: a boundary of some scopes holds none.
    """
    if within.scopes is not None:
        return []
    start = OBSERVATIONS + "/"
    asked = None if ids is None else {start + id for id in ids}
    found = [
        key
        for key, why in aside.items()
        if (key.tenant, key.scope) == (JOURNAL, within.tenant) and key.boundary_class in within.classes
        if key.id.startswith(start) and (why.sure or not sure) and (asked is None or key.id in asked)
    ]
    return sorted(found, key=by_id)


def tellable(problems: Iterable[Problem], reach: Reach) -> list[Problem]:
    """Return those of some problems that a memory may be told: of records that certainly lie inside its reach.

    Not in which line of a file they stand: that counts the records of others.
    """
    if reach.sees_all:
        return list(problems)
    return [
        replace(each, message=f"record {each.key.id!r} is damaged; forget it") if each.where == LINES else each
        for each in problems
        if each.sure and each.key is not None and reach.holds(each.key.tenant, *each.key.cell)
    ]


def taken_in(
    partition: Partition, records: Sequence[Record], embeddings: Sequence[bytes | None], made: Made | None = None
) -> dict[Key, Problem]:
    """Put records into a partition, and return those that it refuses, and why; `made` is as in `Partition.put`.

    Where a call with several is refused, they are tried one by one, and what is refused again without its vector: if
    that alone does not fit, the record is found by its words. Even if all are refused, nothing is raised: a tenant
    whose records cannot be indexed is no matter of the others.
    """
    try:
        partition.put(records, embeddings, made)
    except _REFUSED:
        refused = dict[Key, Problem]()
    else:
        return {}
    partition.remove([(key.id, key.cell) for key in map(key_of, records)])
    for record, embedding in zip(records, embeddings, strict=True):
        key = key_of(record)
        error = _refused(partition, record, embedding)
        if error is not None and embedding is not None and _refused(partition, record, None) is None:
            continue
        if error is not None:
            named = f"record {key.id!r} of tenant {key.tenant!r}"
            refused[key] = Problem(INDEX, f"{named} cannot be indexed ({error}); forget it", key)
    return refused


def _refused(partition: Partition, record: Record, embedding: bytes | None) -> Exception | None:
    """Put a record into a partition; return why it is not taken in, if it is not."""
    try:
        partition.put([record], [embedding])
    except _REFUSED as error:
        partition.remove([(key_of(record).id, key_of(record).cell)])
        return error
    return None
