"""Absolute fusion: how much vectors count follows the model that made them, unless a profile says it."""

import pytest

from byheart import Memory
from byheart.ranking.absolute import AbsoluteFusion
from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import Candidates
from byheart.ranking.curves import CURVES, curve_of

TABLE = Candidates(("alone", "told"), {"words": (2.0, 2.0), "dense": (0.6, 0.6), "told_whole": (None, 0.0)})


@pytest.mark.parametrize(("model", "weight"), [("all-MiniLM-L6-v2", 0.75), ("hashing", 0.5), ("unheard of", 0.5)])
def test_the_weight_of_vectors_is_that_of_their_model(model: str, weight: float) -> None:
    context = StageContext(now=0.0, k=10, model=model, mosts={"words": 4.0})
    fused = AbsoluteFusion()(TABLE, context)
    assert fused.columns["meaning"] == (pytest.approx(weight * 0.5), pytest.approx(0.1 * 0.5))
    assert f"{weight:g} (0.1 in a conversation)" in fused.applied[-1].detail


def test_a_profile_may_say_the_weight() -> None:
    context = StageContext(now=0.0, k=10, model="all-MiniLM-L6-v2", mosts={"words": 4.0})
    assert AbsoluteFusion(dense=0.2)(TABLE, context).columns["meaning"][0] == pytest.approx(0.1)


def test_what_it_adds_is_of_a_retriever_that_it_reads() -> None:
    fusion = AbsoluteFusion()
    changes = fusion.changes(None)
    assert {name: change.of for name, change in changes.items()} == {
        "word_share": "words", "subwords": "hypervector", "meaning": "dense"
    }  # fmt: skip
    assert {change.of for change in changes.values()} <= set(fusion.inputs)
    assert [change.column for change in changes.values()] == list(changes)


def test_models_that_nobody_measured_empty_no_answer() -> None:
    assert curve_of("unheard of").floor == 0.0
    assert all(0.0 < curve.floor <= 0.2 and 0.0 < curve.weight <= 1.0 for curve in CURVES.values())


def test_the_timings_of_an_answer_are_by_step_where_stages_run_in_one_call_too() -> None:
    memory = Memory()
    memory.remember_many(["kettle " + " ".join(f"{sign}{at}" for sign in "abcde") for at in range(60)])
    assert list(memory.recall("kettle").timings) == ["question", "search"]
