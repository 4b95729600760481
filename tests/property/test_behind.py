"""What stands behind a record, walked once for many, is what a walk from each of them finds."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given
from hypothesis import strategies as st

from byheart import Record
from byheart.writing.behind import Behind

IDS = "abcdefgh"
ids = st.sampled_from([*IDS, None, None, "gone"])
rows = st.fixed_dictionaries({id: st.tuples(ids, ids) for id in IDS})
named = st.dictionaries(st.sampled_from(IDS), st.sets(st.sampled_from(IDS), max_size=2), max_size=3)
times = st.fixed_dictionaries({id: st.integers(1, 3).map(float) for id in IDS})


def walked(record: Record, by_id: Mapping[str, Record], above: Mapping[str, set[str]]) -> set[str]:
    """Return the ids behind which a record stands, one behind the other."""
    found, waiting = set[str](), [record]
    while waiting:
        each = waiting.pop()
        for id in {each.superseded_by, each.archived_by, *above.get(each.id or "", ())} - {None, each.id, *found}:
            found.add(id or "")
            waiting += [by_id[id]] if id in by_id else []
    return found


@given(rows, st.sampled_from(IDS), st.permutations(IDS[:4]), st.sets(st.sampled_from(IDS)), named, times)
@example(dict(zip(IDS, zip([*IDS[1:], "a"], [None] * 8, strict=True), strict=True)), "d", list("abef"), set(), {},
         dict.fromkeys(IDS, 1.0))  # fmt: skip
def test_who_stands_behind_a_record_is_told_as_by_a_walk_from_each(
    marks: dict[str, tuple[str | None, str | None]],
    of: str,
    order: list[str],
    known: set[str],
    names: dict[str, set[str]],
    at: dict[str, float],
) -> None:
    records = {
        id: Record(text=id, id=id, created_at=at[id], supersedes=tuple(names.get(id, ()))).completed(
            superseded_by=by, archived_by=for_
        )
        for id, (by, for_) in marks.items()
    }
    facts = [records[id] for id in known]
    against = any(at[id] >= at[by] for by in known for id in names.get(by, ()) if id in known)
    above: dict[str, set[str]] = {}
    if against:  # somebody said that one stands in the place of one that is no earlier: then all ways are looked at
        for id in IDS:
            above[id] = {by for by in known if id in names.get(by, ())}
            above[id] |= {by for by in known if at[by] > at[id]} if id in known else set()

    def later(record: Record) -> list[Record]:
        return [each for each in facts if at[each.id or ""] > at[record.id or ""]]

    ways = Behind(facts, lambda _, id: records.get(id), later)
    others = [records[id] for id in dict.fromkeys([*order, *IDS]) if id != of]
    assert ways.leading_to(of, others) == {each.id for each in others if of in walked(each, records, above)}
    assert ways.of([records[of]]) == walked(records[of], records, above)


def test_a_row_is_walked_once() -> None:
    row = [Record(text="-", id=str(number)).completed(superseded_by=str(number + 1)) for number in range(50)]
    by_id = {each.id: each for each in row}
    looked: list[str] = []

    def lookup(_: Record, id: str) -> Record | None:
        looked.append(id)
        return by_id.get(id)

    ways = Behind([], lookup, lambda _: [])
    assert not ways.leading_to("elsewhere", row)
    assert len(looked) == 50
    looked.clear()
    assert ways.leading_to("50", row) == {each.id for each in row}
    assert len(looked) == 49
