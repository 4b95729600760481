"""What is told of a record that moves to another cell: its copy follows it, and no summary is left behind to tell."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import DuplicateId
from byheart.validation import CLASSES

WHOLE = {"classes": list(CLASSES)}


def conversation(*classes: str) -> byheart.Memory:
    """Return a memory of turns of these classes, one after the other."""
    memory = byheart.Memory(noise=None, embedder=HashingEmbedder(16))
    for number, name in enumerate(classes):
        said = {"session_id": "s", "user_id": "u", "id": f"t{number}", "now": float(number), "durable": "all"}
        memory.ingest_turn(f"the code of door {number} is {number}{number}", **said, boundary_class=name)
    return memory


def told(memory: byheart.Memory, boundary: Any = None) -> set[str]:
    """Return the text of everything that can be seen."""
    return {record.text for record in memory.records(boundary=boundary)}


@pytest.mark.parametrize("order", [("public", "secret", "internal", "pii"), ("secret", "public", "pii", "internal")])
def test_no_summary_tells_past_the_strictest_of_its_turns(order: tuple[str, ...]) -> None:
    """Turns of several classes have a summary for each: a reader of one class sees no word of a stricter one."""
    memory = conversation(*order, *order)
    memory.compact("s", force=True, boundary=WHOLE)
    summaries = memory.records({"kind": "summary"}, boundary=WHOLE)
    assert sorted(str(one.boundary_class) for one in summaries) == sorted(CLASSES)
    strictness = {name: rank for rank, name in enumerate(("public", "internal", "pii", "secret"))}
    for summary in summaries:
        behind = memory.get(list(summary.source_ids), boundary=WHOLE)
        strictest = max(strictness[str(turn.boundary_class)] for turn in behind if turn is not None)
        assert strictness[str(summary.boundary_class)] == strictest


@pytest.mark.parametrize("where", [{"boundary_class": "secret"}, {"scope": "elsewhere"}])
def test_a_summary_goes_with_a_turn_that_leaves_its_cell(where: dict[str, str]) -> None:
    memory = conversation("internal", "internal", "internal")
    [summary] = memory.compact("s", force=True).summaries
    memory.update("t1", **where)
    assert summary not in {record.id for record in memory.records(boundary=WHOLE)}
    left = {"scopes": ["project"], "classes": ["internal"]}
    assert told(memory, left) == {"the code of door 0 is 00", "the code of door 2 is 22"}
    assert all(record.archived_by is None for record in memory.records(boundary=WHOLE)), "and all are found again"
    assert memory.check() == []


def test_a_copy_follows_its_turn_with_its_vector() -> None:
    memory = conversation("internal")
    memory.update("t0", boundary_class="secret")
    assert told(memory) == set()
    assert {record.kind for record in memory.records(boundary=WHOLE)} == {"turn", "memory"}
    assert memory.stats(boundary=WHOLE)["vectors"] == 2
    memory.remember({"id": "t0", "text": "the code is new", "kind": "turn", "session_id": "s"})
    assert told(memory) == {"the code is new"} == told(memory, WHOLE), "remembered elsewhere, it follows too"


def test_a_copy_that_was_moved_by_itself_stays_where_it_is() -> None:
    memory = conversation("internal")
    [copy] = memory.records({"kind": "memory"})
    memory.update(str(copy.id), boundary_class="pii")
    memory.update("t0", boundary_class="secret")
    assert memory.get(str(copy.id), boundary=WHOLE).boundary_class == "pii"


def test_a_copy_does_not_take_the_place_of_another_record() -> None:
    memory = conversation("internal")
    [copy] = memory.records({"kind": "memory"})
    store = memory._engine.store
    bounded = byheart.Memory(store=store, boundary={"classes": ["secret"]}, noise=None)
    bounded.remember("somebody else's", id=copy.id, boundary_class="secret")
    with pytest.raises(DuplicateId, match="another record bears it in the cell"):
        memory.update("t0", boundary_class="secret")
    assert "the code of door 0 is 00" in told(memory)


MARKS = ("near_duplicates", "superseded_by", "supersedes", "contradicts")


def test_a_copy_that_follows_its_turn_is_named_where_it_was_by_nothing_and_names_nothing_there() -> None:
    """What a copy said beside others of its cell is told neither there nor where it is now."""
    memory = byheart.Memory(single_valued=["lives_in"])
    for number, text in enumerate(("We meet at noon.", "We meet at one.", "I live in Rome.", "I live in Oslo.")):
        said = {"session_id": "s", "user_id": "ann", "id": f"t{number}", "now": float(number), "durable": "all"}
        memory.ingest_turn(text, **said, boundary_class="secret")
    beside = {each.id for each in memory.records(boundary=WHOLE) if any(getattr(each, name) for name in MARKS)}
    copies = {
        str(each.provenance["source_id"]): str(each.id) for each in memory.records({"kind": "memory"}, boundary=WHOLE)
    }
    assert len(copies) == 4 and beside >= set(copies.values())
    for turn, text in (("t1", None), ("t3", "I live in Turku now.")):
        changes = {} if text is None else {"text": text}
        memory.update(turn, boundary=WHOLE, boundary_class="public", **changes)
        copy = memory.get(copies[turn], boundary=WHOLE)
        assert copy.boundary_class == "public" and copy.text == memory.get(turn, boundary=WHOLE).text
        cells = {str(each.id): each.boundary_class for each in memory.records(boundary=WHOLE)}
        for each in memory.records(boundary=WHOLE):
            named = [getattr(each, name) for name in MARKS]
            ids = {id for value in named for id in ([value] if isinstance(value, str) else value or ())}
            assert {cells[id] for id in ids} <= {each.boundary_class}, (each.id, ids)
    assert {hit.id for hit in memory.recall("where do I live?", boundary={"classes": ["secret"]})} & {
        "t2",
        copies["t2"],
    }
    assert memory.check() == []
