"""The rules of selection and of catching up, each at the value where it turns."""

import pytest

import byheart
from byheart.errors import BoundaryViolation
from byheart.index.partition import Partition
from byheart.profiles import escalating
from byheart.ranking import agreement, hierarchy, pruning
from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import Candidates


@pytest.mark.parametrize(("inside", "hits"), [(30, 3), (31, 3), (32, 0), (33, 0)])
def test_the_minimum_score_counts_from_32_records_inside_the_boundary(inside: int, hits: int) -> None:
    memory = byheart.Memory()
    memory.remember_many([{"text": f"common word{n}"} for n in range(inside)])
    memory.remember_many([{"text": f"common outside{n}", "boundary_class": "pii"} for n in range(40)])
    found = memory.recall("common", profile="kb-fast")
    assert found.receipt.records == inside
    assert len(found.hits) == hits
    if hits == 0:
        assert {row.reason.split(" (")[0] for row in found.dropped} == {"below minimum"}


def scored(*scores: float) -> Candidates:
    return Candidates(tuple(f"r{n}" for n in range(len(scores))), {"score": scores})


def test_a_score_at_the_minimum_and_at_the_gap_is_kept() -> None:
    below = 0.29999999999999993
    assert agreement.drop_below_minimum(scored(0.5, 0.3, below), 0.3, records=32, literal=False).ids == ("r0", "r1")
    assert agreement.drop_below_minimum(scored(0.5, 0.3, below), 0.3, records=1, literal=True).ids == ("r0", "r1")
    assert agreement.drop_behind_gap(scored(1.0, 0.5, 0.49999999999999994), 0.5).ids == ("r0", "r1")
    assert pruning.gap_prune([8.0, 4.0, 2.0, 1.0], 0.25) == [8.0, 4.0, 2.0]


def test_children_of_aggregates_share_their_score_and_stand_once() -> None:
    table = scored(1.0, 0.5, 0.25)
    grown = agreement.expand_aggregates(table, {"r0": ["a", "b", "a"], "r1": ["b", "r2"], "r2": []})
    assert set(grown.ids) == {"r0", "r1", "r2", "a", "b"} and len(grown.ids) == 5
    own = {id: grown.scores()[at] for at, id in enumerate(grown.ids)}
    assert own["a"] == own["b"] == pytest.approx(hierarchy.child_scores(1.0, 2)[0]) and own["r2"] == 0.25
    assert agreement.expand_aggregates(table, {"r1": ["r2"]}) is table, "nothing is new"


def test_no_gap_is_cut_unless_one_is_asked_for() -> None:
    assert agreement.GapPruning()(scored(1.0, 0.01), StageContext(now=0.0, k=2)).ids == ("r0", "r1")


def test_duplicates_are_dropped_before_the_gap_is_measured_and_the_cut_comes_last() -> None:
    memory = byheart.Memory()
    long = "fox and " + " ".join(f"filler{n}" for n in range(30))
    texts = {"best": "fox den hill", "second": "fox den hill stone", "weak": long, "weaker": long}
    memory.remember_many([{"text": text, "id": id} for id, text in texts.items()])
    profile = escalating("narrow", max_results=9, min_score=0.0, gap=0.5)
    found = memory.recall("fox den hill", profile=profile)
    assert [hit.id for hit in found] == ["best", "second"]
    assert [(row.id, row.reason.split(" (")[0]) for row in found.dropped] == [
        ("weaker", "duplicate of weak"),
        ("weak", "gap"),
    ]


def test_a_call_may_only_narrow_the_boundary_of_the_memory() -> None:
    inside = {"tenant": "alice", "scopes": ["session", "project"], "classes": ["public", "internal"]}
    memory = byheart.Memory(tenant="alice", boundary=inside)
    memory.remember("a fox", id="fox")
    assert [hit.id for hit in memory.recall("fox", boundary={"scopes": ["project"]})] == ["fox"]
    assert not memory.recall("fox", boundary={"scopes": []}).hits
    wider = [{"scopes": None}, {"scopes": ["project", "principle"]}, {"classes": ["pii"]}, {"tenant": "bob"}]
    for boundary in wider:
        with pytest.raises(BoundaryViolation):
            memory.recall("fox", boundary=boundary)
        with pytest.raises(BoundaryViolation):
            memory.forget(["fox"], boundary=boundary)
    assert len(memory.recall("fox").hits) == 1


@pytest.mark.parametrize("step", ["put", "remove"])
def test_an_index_that_was_interrupted_catches_up_with_its_store(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory()
    memory.remember("the old fox", id="old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Partition, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            memory.remember("the new fox", id="new")
        with pytest.raises(KeyboardInterrupt):
            memory.recall("fox")
    assert {hit.id for hit in memory.recall("fox")} == {"old", "new"}
    with monkeypatch.context() as patch:
        patch.setattr(Partition, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            memory.forget(["old"])
    assert {hit.id for hit in memory.recall("fox")} == {"new"}
    assert memory.stats()["records"] == 1


def test_where_nothing_is_found_the_best_score_is_nought() -> None:
    memory = byheart.Memory()
    memory.remember("kettle", id="a")
    for explain in (False, True):
        (applied,) = memory.recall("zebra", profile="kb-fast", explain=explain).table.applied
        assert applied.detail == "weight 1 x raw / max(best raw 0.000000, 1)"
