"""What stands behind a record by its marks, walked once for many, is what a walk from each of them finds."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from byheart import Record
from byheart.writing.places import _Hiding

IDS = "abcdefgh"
ids = st.sampled_from([*IDS, None, None, "gone"])
rows = st.fixed_dictionaries({id: st.tuples(ids, ids) for id in IDS})


def walked(record: Record, by_id: dict[str, Record]) -> set[str]:
    """Return the ids behind which a record stands, one behind the other."""
    found, waiting = set[str](), [record]
    while waiting:
        each = waiting.pop()
        for id in {each.superseded_by, each.archived_by} - {None, each.id, *found}:
            found.add(id or "")
            waiting += [by_id[id]] if id in by_id else []
    return found


@given(rows, st.sampled_from(IDS), st.permutations(IDS[:4]), st.sets(st.sampled_from(IDS)))
@example(dict(zip(IDS, zip([*IDS[1:], "a"], [None] * 8, strict=True), strict=True)), "d", list("abef"), set())
def test_who_stands_behind_a_record_is_told_as_by_a_walk_from_each(
    marks: dict[str, tuple[str | None, str | None]], of: str, order: list[str], known: set[str]
) -> None:
    records = {
        id: Record(text=id, id=id).completed(superseded_by=by, archived_by=for_) for id, (by, for_) in marks.items()
    }
    hides = _Hiding(of, {id: records[id] for id in known}, lambda _, id: records.get(id))
    for id in [*order, *IDS]:
        if id != of:
            assert hides.holds(records[id]) == (of in walked(records[id], records))


def test_a_row_is_walked_once() -> None:
    row = [Record(text="-", id=str(number)).completed(superseded_by=str(number + 1)) for number in range(50)]
    by_id = {each.id: each for each in row}
    looked: list[str] = []

    def lookup(_: Record, id: str) -> Record | None:
        looked.append(id)
        return by_id.get(id)

    aside = _Hiding("elsewhere", {}, lookup)
    assert not any(map(aside.holds, row))
    assert len(looked) == 50
    looked.clear()
    assert all(map(_Hiding("50", {}, lookup).holds, row))
    assert len(looked) == 49
