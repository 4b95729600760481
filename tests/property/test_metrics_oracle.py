"""Metrics of rankings against trec_eval itself, as pytrec_eval runs it: the same numbers for every ranking."""

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.evaluation import metrics
from byheart.evaluation.measures import measured

from ..counts import examples

IDS = [f"d{number}" for number in range(12)]
ROUNDING = 1e-12  # absolute; sums of a few quotients of doubles in [0, 1]
CUTS = (1, 3, 5, 10)
THEIRS = {"ndcg_cut", "recall", "P", "recip_rank", "success"}


def of_trec_eval(ranking: list[str], grades: dict[str, int], wanted: set[str]) -> dict[str, float]:
    judge = pytrec_eval.RelevanceEvaluator({"q": grades}, wanted)
    # trec_eval orders a run by score; equal ones by id
    return judge.evaluate({"q": {id: float(len(ranking) - rank) for rank, id in enumerate(ranking)}})["q"]


rankings = st.lists(st.sampled_from(IDS), unique=True, min_size=1, max_size=12)
judgements = st.dictionaries(st.sampled_from(IDS), st.integers(0, 4), min_size=1).filter(lambda all: any(all.values()))


@settings(max_examples=examples(1_000))
@given(rankings, judgements)
def test_every_measure_is_that_of_trec_eval(ranking: list[str], grades: dict[str, int]) -> None:
    cuts = ",".join(map(str, CUTS))
    theirs = of_trec_eval(ranking, grades, {"recip_rank", *(f"{name}.{cuts}" for name in THEIRS - {"recip_rank"})})
    relevant = [id for id, grade in grades.items() if grade]
    for k in CUTS:
        ours = measured(ranking, grades, k)
        assert ours["ndcg"] == pytest.approx(theirs[f"ndcg_cut_{k}"], abs=ROUNDING)
        assert ours["recall"] == pytest.approx(theirs[f"recall_{k}"], abs=ROUNDING)
        assert ours["precision"] == pytest.approx(theirs[f"P_{k}"], abs=ROUNDING)
        assert ours["hit"] == theirs[f"success_{k}"]
        assert ours["recall_all"] == float(set(relevant) <= set(ranking[:k]))
        cut = of_trec_eval(ranking[:k], grades, {"recip_rank"})["recip_rank"]
        assert ours["mrr"] == pytest.approx(cut, abs=ROUNDING)
    assert metrics.reciprocal_rank(ranking, grades) == pytest.approx(theirs["recip_rank"], abs=ROUNDING)


@settings(max_examples=examples(500))
@given(rankings, judgements, st.integers(1, 12))
def test_the_exponential_gain_is_the_linear_one_of_raised_grades(
    ranking: list[str], grades: dict[str, int], k: int
) -> None:
    raised = {id: 2**grade - 1 for id, grade in grades.items()}
    theirs = of_trec_eval(ranking, raised, {f"ndcg_cut.{k}"})[f"ndcg_cut_{k}"]
    assert metrics.ndcg(ranking, grades, k, gain="exponential") == pytest.approx(theirs, abs=ROUNDING)
