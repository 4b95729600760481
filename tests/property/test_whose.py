"""Whose records are whose, as its definition says: after any history, asked in between or not, saved and restored."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from byheart._core import Analyzer
from byheart.boundary import Boundary, cell_key, id_of
from byheart.index import whose
from byheart.index.partition import Partition
from byheart.records import Record

IDS = [f"r{number}" for number in range(5)]
CELLS = [("session", "internal"), ("project", "internal")]
SESSIONS, USERS, CATEGORIES = ("s1", "s2"), ("ann", "bob"), ("tea", "rice")
TIMES = (1.0, 2.0, 3.0)
OURS = Boundary("t", scopes=("project",))

records = st.builds(
    Record,
    text=st.just("-"),
    session_id=st.none() | st.sampled_from(SESSIONS),
    user_id=st.none() | st.sampled_from(USERS),
    category=st.none() | st.sampled_from(CATEGORIES),
    kind=st.sampled_from([None, "turn", "turn", "memory", "summary"]),
    metadata=st.sampled_from([{}, {"role": "user"}, {"role": "assistant"}, {"role": ["user", "assistant"]}]),
    provenance=st.sampled_from([{}, *({"source_id": id} for id in IDS)]),
    archived_by=st.sampled_from([None, None, "summary:1"]),
    access_count=st.sampled_from([0, 0, 2, 5]),
    expires_at=st.sampled_from([None, None, *TIMES]),
    source_ids=st.lists(st.sampled_from(IDS), max_size=3, unique=True).map(tuple),
)
places = st.tuples(st.sampled_from(IDS), st.sampled_from([*CELLS, CELLS[0]]))
histories = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(st.tuples(places, records), min_size=1, max_size=3)),
        st.tuples(st.sampled_from(["archive", "remove"]), places),
        st.tuples(st.sampled_from(["ask", "restore"]), st.none()),
    ),
    max_size=12,
)

Place = tuple[str, tuple[str, str]]
Kept = dict[Place, Record]


def role_is_users(record: Record) -> bool:
    """Return whether the user said a turn: its role says so, or nothing does."""
    role = record.metadata.get("role", "user")
    return "user" in role if isinstance(role, list) else role == "user"


def defined(kept: Kept) -> dict[str, Any]:
    """Return every answer, looked up record by record."""

    def those(meant: Callable[[Record], bool]) -> set[Place]:
        return {place for place, record in kept.items() if meant(record)}

    turns, archived = those(lambda one: one.kind == "turn"), those(lambda one: one.archived_by is not None)
    said = turns & those(role_is_users)
    found: dict[str, Any] = {
        "all": set(kept),
        "active": set(kept) - archived,
        "nobody's": those(lambda one: (one.session_id, one.user_id) == (None, None)),
    }
    for name in SESSIONS:
        found[name] = those(lambda one, name=name: one.session_id == name)
    for name in CATEGORIES:
        found[name] = those(lambda one, name=name: one.category == name)
    for name in USERS:
        own = those(lambda one, name=name: one.user_id == name)
        found[f"said by {name}"], found[f"known of {name}"] = own & said, own - turns
        for session in SESSIONS:
            found[f"{name} outside {session}"] = own - turns - found[session]
        found[f"{name} outside any"] = own - turns
    for id in IDS:
        copies = those(lambda one, id=id: one.kind == "memory" and one.provenance.get("source_id") == id)
        found[f"copies of {id}"] = copies
        found[f"summaries of {id}"] = those(lambda one, id=id: one.kind == "summary" and id in one.source_ids)
        found[f"none of {id}"] = set(kept) - copies - {place for place in kept if place[0] == id}
        found[f"only {id}"] = {place for place in kept if place[0] == id}
    for now in TIMES:
        found[f"over at {now}"] = those(lambda one, now=now: one.expires_at is not None and one.expires_at <= now)
    return found


def asked(partition: Partition) -> dict[str, Any]:
    """Return the same answers of the partition, whose rows name a record by id, or id and cell."""

    def those(filter: Any = None) -> set[Place]:
        rows = partition.rows(filter)
        assert len(rows) == len(set(rows)) == partition.core.count(filter)
        assert [id_of(row) for row in rows] == sorted(id_of(row) for row in rows)
        found = partition.places(rows)
        assert None not in found
        return {place for place in found if place is not None}

    found: dict[str, Any] = {
        "all": those(),
        "active": those(whose.ACTIVE),
        "nobody's": those(whose.of_nobody()),
    }
    found |= {name: those(whose.of_session(name)) for name in SESSIONS}
    found |= {name: those(whose.of_category(name)) for name in CATEGORIES}
    for name in USERS:
        found[f"said by {name}"] = those(whose.said_by(name))
        found[f"known of {name}"] = those(whose.known_of(name))
        found |= {f"{name} outside {session}": those(whose.of_user_elsewhere(name, session)) for session in SESSIONS}
        found[f"{name} outside any"] = those(whose.of_user_elsewhere(name, None))
    for id in IDS:
        found[f"copies of {id}"] = those(whose.copies_of(id))
        found[f"summaries of {id}"] = those(whose.summaries_of(id))
        found[f"none of {id}"] = those(whose.none_of([id]))
        found[f"only {id}"] = those(whose.one_of([id]))
    return found | {f"over at {now}": those(whose.over(now)) for now in TIMES}


def check_cells(partition: Partition, kept: Kept) -> None:
    """Compare what the partition counts by cell: sizes, ends, uses, and what lies inside a boundary."""
    active = {place: record for place, record in kept.items() if record.archived_by is None}
    sizes = {}
    for cell in CELLS:
        there = [record for (_, where), record in kept.items() if where == cell]
        found = [record for (_, where), record in active.items() if where == cell]
        if there:
            sizes[cell] = len(found), len(there) - len(found)
        key = cell_key(*cell)
        assert partition.any_ends_in([key]) == any(record.expires_at is not None for record in there)
        assert partition.figures.max_access_count([key]) == max((record.access_count for record in found), default=0)
    assert dict(partition.sizes()) == sizes
    own = {place for place in kept if OURS.holds(*place[1])}
    assert set(partition.places(partition.rows_in(OURS))) == own
    assert partition.count_in(OURS) == len(own)
    for row, place in zip(partition.rows(), partition.places(partition.rows()), strict=True):
        assert place is not None
        assert partition.is_archived(row) == (place not in active)
        assert partition.findable(row, [cell_key(*place[1])]) == (place in active)


def compare(partition: Partition, kept: Kept) -> None:
    """Compare everything."""
    assert asked(partition) == defined(kept)
    check_cells(partition, kept)
    assert len(partition) == len(kept)


def new() -> Partition:
    """Return an empty partition."""
    return Partition(Analyzer(), "default", "tokens")


def complete(record: Record, place: Place) -> Record:
    """Return a record as a store gives it back: in its place."""
    id, (scope, boundary_class) = place
    return replace(record, id=id, tenant="t", scope=scope, boundary_class=boundary_class)


@given(histories)
def test_whose_records_are_whose_is_its_definition(history: list[tuple[str, Any]]) -> None:
    partition, kept = new(), Kept()
    for verb, what in history:
        if verb == "put":
            batch = {place: complete(record, place) for place, record in what}
            partition.put(list(batch.values()))
            kept |= batch
        elif verb == "archive" and what in kept:
            kept[what] = replace(kept[what], archived_by="summary:2")
            partition.put([kept[what]])
        elif verb == "remove":
            partition.remove([what])
            kept.pop(what, None)
        elif verb == "restore":
            sections, partition = dict(partition.sections()), new()
            partition.restore(sections)
        elif verb == "ask":
            compare(partition, kept)
    compare(partition, kept)
