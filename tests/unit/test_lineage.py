"""What says the same as a record: durable copies and summaries, when the record is forgotten, changed, or expires."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import byheart
from byheart.conversation.turn_names import durable_id
from byheart.embedding import HashingEmbedder
from byheart.storage import InProcessStore

TEXT = "I prefer green tea in the morning, and my flat is in Turku."


@pytest.fixture(params=["", "memory.db", "memory.jsonl"], ids=["process", "file", "text file"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> byheart.Memory:
    path = tmp_path / request.param if request.param else None
    return byheart.Memory(path, embedder=HashingEmbedder(64))


def said(memory: byheart.Memory, id: str, text: str = TEXT) -> str:
    receipt = memory.ingest_turn(text, session_id="s", user_id="ann", id=id, durable="all")
    assert receipt.durable_id is not None
    return receipt.durable_id


def stored(memory: byheart.Memory) -> dict[str, str]:
    return {record.id or "": record.text for record in memory.records()}


def test_a_turn_and_its_copy_are_forgotten_together(memory: byheart.Memory) -> None:
    copy, other = said(memory, "t1"), said(memory, "t2", "The lighthouse is painted white and red.")
    dry = memory.forget("t1", dry_run=True)
    receipt = memory.forget("t1")
    assert receipt.ids == dry.ids == ("t1",) and receipt.copies == dry.copies == (copy,)
    assert set(stored(memory)) == {"t2", other}
    assert memory.forget([durable_id("t2")]).copies == ("t2",) and set(stored(memory)) == set(), "both say the same"


def test_a_copy_outside_the_boundary_stays(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    memory.update(copy, boundary_class="pii")
    assert memory.forget("t1").copies == () and set(stored(memory)) == set()
    everything = {"tenant": "default", "classes": ["public", "internal", "pii"]}
    assert [record.id for record in memory.records(boundary=everything)] == [copy]


def test_a_turn_that_was_deleted_by_compaction_still_has_its_copy_forgotten(memory: byheart.Memory) -> None:
    copies = [said(memory, f"t{number}") for number in range(2)]
    [summary] = memory.compact("s", force=True, sources="delete").summaries
    assert set(stored(memory)) == {summary, *copies}
    receipt = memory.forget("t0")
    assert (receipt.missing, receipt.summaries, receipt.copies) == (("t0",), (summary,), (copies[0],))


def test_a_copy_ends_with_its_turn(memory: byheart.Memory) -> None:
    copy, other = said(memory, "t1"), said(memory, "t2", "The lighthouse is painted white and red.")
    memory.update("t1", expires_at=1.1e9)
    assert TEXT not in [hit.text for hit in memory.recall(TEXT, user_id="ann")], "over, and not purged yet"
    receipt = memory.purge()
    assert (receipt.ids, receipt.copies) == (("t1",), (copy,)) and set(stored(memory)) == {"t2", other}
    assert memory.check() == []


def test_a_copy_follows_an_end_that_is_moved_or_lifted(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    vectors = memory.stats()["vectors"]
    for end in (5e9, 6e9, 4e9, None):
        memory.update("t1", expires_at=end)
        assert memory.get(copy).expires_at == end
    assert memory.get(copy).revisions[-1][1:] == ("updated", ("expires_at",)) and memory.stats()["vectors"] == vectors


def test_a_copy_keeps_an_earlier_end_of_its_own_and_one_that_it_is_given_later(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    memory.update(copy, expires_at=4e9)
    memory.update("t1", expires_at=5e9)
    assert memory.get(copy).expires_at == 4e9, "it was to end before its turn does"
    memory.update(copy, expires_at=6e9)
    memory.update("t1", importance=0.5)
    assert memory.get(copy).expires_at == 6e9, "no end was set on the turn"
    receipt = memory.purge(now=5.5e9)
    assert (receipt.ids, receipt.copies) == (("t1",), ()) and set(stored(memory)) == {copy}


def test_a_copy_with_a_later_end_ends_with_a_turn_that_is_given_one(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    memory.update(copy, expires_at=6e9)
    memory.update("t1", expires_at=5e9)
    assert memory.get(copy).expires_at == 5e9


def test_the_end_of_a_turn_reaches_no_copy_outside_the_boundary(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    memory.update(copy, boundary_class="pii")
    memory.update("t1", expires_at=4e9)
    [left] = memory.records(boundary={"tenant": "default", "classes": ["pii"]})
    assert left.id == copy and left.expires_at is None
    memory.update("t1", boundary={"tenant": "default", "classes": ["internal", "pii"]}, expires_at=4.5e9)
    [left] = memory.records(boundary={"tenant": "default", "classes": ["pii"]})
    assert left.expires_at == 4.5e9
    receipt = memory.purge(now=5e9)
    assert (receipt.ids, receipt.copies) == (("t1",), (copy,)), "a purge looks everywhere"


def test_a_purge_whose_boundary_holds_the_copy_alone_names_it_as_any_record() -> None:
    store = InProcessStore()
    whole = byheart.Memory(store=store)
    copy = said(whole, "t1")
    whole.update(copy, boundary_class="pii")
    whole.update("t1", boundary={"tenant": "default", "classes": ["internal", "pii"]}, expires_at=4e9)
    bounded = byheart.Memory(store=store, boundary={"tenant": "default", "classes": ["pii"]})
    receipt = bounded.purge(now=5e9)
    assert (receipt.ids, receipt.copies) == ((copy,), ())
    assert whole.purge(now=5e9).ids == ("t1",)


def test_an_end_that_is_remembered_under_the_id_of_a_turn_reaches_its_copy(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    memory.remember(memory.get("t1").to_dict() | {"expires_at": 4e9})
    assert memory.get("t1").expires_at == memory.get(copy).expires_at == 4e9


def test_the_end_of_a_turn_takes_its_summary_away_which_would_tell_it_beyond_that(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    said(memory, "t2", "The lighthouse is painted white and red.")
    [summary] = memory.compact("s", force=True).summaries
    memory.update("t1", expires_at=4e9)
    kept = {record.id: record for record in memory.records()}
    assert summary not in kept and kept["t1"].archived_by is kept["t2"].archived_by is None
    receipt = memory.purge(now=5e9)
    assert (receipt.ids, receipt.copies, receipt.summaries) == (("t1",), (copy,), ())


def test_a_copy_that_ends_with_its_turn_hides_what_it_supersedes_until_then(memory: byheart.Memory) -> None:
    old = said(memory, "t1", "Ann lives in Turku.")
    new = said(memory, "t2", "Ann lives in Tampere.")
    memory.remember(memory.get(new).to_dict() | {"supersedes": [old]})
    memory.update("t2", expires_at=4e9)
    assert memory.get(old).superseded_by == new and memory.get(old).superseded_to == 4e9


def test_a_change_of_text_reaches_what_says_the_same(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    said(memory, "t2", "The lighthouse is painted white and red.")
    [summary] = memory.compact("s", force=True).summaries
    new = "I prefer black coffee in the morning, and my flat is in Tampere."
    memory.update("t1", text=new)
    kept = {record.id: record for record in memory.records()}
    assert summary not in kept and kept[copy].text == kept["t1"].text == new
    assert kept["t1"].archived_by is None and kept["t2"].archived_by is None
    assert memory.recall(new, profile="dense").hits[0].text == new and memory.check() == []
    assert not any("Turku" in record.text for record in memory.records())


def test_other_changes_reach_nothing_else(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    said(memory, "t2", "The lighthouse is painted white and red.")
    [summary] = memory.compact("s", force=True).summaries
    memory.update("t1", importance=0.9)
    memory.update(summary, text="Tea in Turku; a lighthouse in two colours.")
    kept = {record.id: record for record in memory.records()}
    assert kept["t1"].archived_by == kept["t2"].archived_by == summary and kept[copy].importance is None
    assert kept[summary].text.startswith("Tea in Turku")


@pytest.mark.parametrize("change", [{"kind": "note"}, {"source_ids": []}, {"source_ids": ["t1"]}])
def test_a_summary_leads_to_its_turns_for_good(memory: byheart.Memory, change: dict[str, object]) -> None:
    said(memory, "t1")
    said(memory, "t2", "The lighthouse is painted white and red.")
    [summary] = memory.compact("s", force=True).summaries
    with pytest.raises(byheart.errors.InvalidArgument, match="of a summary cannot be changed"):
        memory.update(summary, **change)
    assert [turn.id for turn in memory.expand(summary)] == ["t1", "t2"]


class Interrupted(HashingEmbedder):
    """Does something else once, in the middle of a change."""

    meanwhile: Callable[[], object] | None = None

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Let others write first."""
        act, self.meanwhile = self.meanwhile, None
        if act is not None:
            act()
        return super().embed_documents(texts)


def test_a_turn_that_two_summaries_stand_for_is_found_again_with_the_one_that_archived_it(
    memory: byheart.Memory,
) -> None:
    for number in range(3):
        memory.remember(f"We meet at {number}.", id=f"t{number}", session_id="s", created_at=float(number))
    memory.update("t2", session_id="elsewhere")
    [first] = memory.compact("s", force=True).summaries
    memory.remember("In short: two meetings.", id="by hand", kind="summary", source_ids=["t1", "t2"])
    receipt = memory.forget("t2")
    assert (receipt.summaries, receipt.released) == (("by hand",), ())
    assert memory.get("t1").archived_by == first
    assert memory.forget("t0").released == ("t1",)
    assert set(stored(memory)) == {"t1"}


def test_what_others_change_meanwhile_is_not_lost(tmp_path: Path) -> None:
    embedder = Interrupted(64)
    with (
        byheart.Memory(tmp_path / "memory.db", embedder=embedder) as one,
        byheart.Memory(tmp_path / "memory.db", embedder=HashingEmbedder(64)) as two,
    ):
        said(one, "t1")
        said(one, "t2", "The lighthouse is painted white and red.")
        one.compact("s", force=True)
        embedder.meanwhile = lambda: two.update("t2", importance=0.9)
        one.update("t1", text="I prefer black coffee, and my flat is in Tampere.")
        kept = {record.id: record for record in one.records()}
    assert kept["t2"].importance == 0.9 and kept["t2"].archived_by is None
    assert "Tampere" in kept["t1"].text


def test_a_record_remembered_again_with_another_text_reaches_what_says_the_old_one(memory: byheart.Memory) -> None:
    copy = said(memory, "t1")
    said(memory, "t2", "The lighthouse is painted white and red.")
    [summary] = memory.compact("s", force=True).summaries
    memory.remember(TEXT, id="t1", session_id="s", user_id="ann", kind="turn")
    assert summary in stored(memory), "the same text changes nothing"
    new = "I prefer black coffee in the morning, and my flat is in Tampere."
    other = byheart.Record(text="The ferry leaves at nine from the old quay.", id="x")
    memory.remember_many([{"text": new, "id": "t1", "session_id": "s", "user_id": "ann", "kind": "turn"}, other])
    kept = {record.id: record for record in memory.records()}
    assert summary not in kept and kept[copy].text == kept["t1"].text == new and kept["x"].text == other.text
    assert kept["t2"].archived_by is None and memory.check() == []
    assert memory.stats()["vectors"] == memory.stats()["records"] == len(kept)
