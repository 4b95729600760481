"""The stages of activation on a table: bit for bit the one path from candidates to results, and what they promise."""

from __future__ import annotations

from array import array
from dataclasses import replace
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Record
from byheart.boundary.policy import Retrieval
from byheart.ranking.activation import Population, Sides, rank
from byheart.ranking.activation import formulas as ours
from byheart.ranking.activation.stages import WorthFactor, normalised, stages
from byheart.ranking.algebra import StageContext, run, violations
from byheart.ranking.candidates import Candidates
from byheart.ranking.registry import stage_from_dict

from ..counts import examples
from .test_activation_oracle import NOW, candidate, rows

parameters = st.builds(
    Retrieval,
    alpha=st.sampled_from([0.3, 0.65, 0.9]),
    k_final=st.integers(1, 4),
    min_score=st.sampled_from([0.0, 0.15]),
    use_quality=st.booleans(),
    half_life_days=st.none() | st.just(60.0),
)


def context(found: list[dict]) -> StageContext:
    records = {
        each["id"]: Record(text=f"text {each['id']}", id=each["id"], kind=each["kind"], created_at=each["created_at"],
                           entities=each["entities"])
        for each in found
    }  # fmt: skip
    vectors = {each["id"]: None if each["vec"] is None else array("f", each["vec"]) for each in found}
    return StageContext(
        now=NOW, k=12, records=records, vector_of=vectors.get,
        content_hashes=lambda keys: {each["id"]: each["hash"] for each in found if each["hash"]},
    )  # fmt: skip


def table(found: list[dict], sides: Sides, population: bool) -> Candidates:
    columns = {name: [each[name] for each in found] for name in ("utility", "confidence", "quality")}
    columns["age_days"] = [ours.age_days(each["created_at"], each["updated_at"], NOW) for each in found]
    if sides.text:
        columns["lexical"] = [each["bm25"] for each in found]
    if sides.vectors:
        columns["dense"] = [each["sim"] for each in found]
    if population:
        known = Population.of(columns["utility"])
        columns["utility_z"] = [known.z(utility) for utility in columns["utility"]]
    return Candidates(tuple(each["id"] for each in found), {name: tuple(values) for name, values in columns.items()})


@settings(max_examples=examples(1_000))
@given(rows, parameters, st.sampled_from([Sides(), Sides(text=False), Sides(vectors=False)]), st.booleans())
def test_a_recalls_stages_are_the_one_path(found, chosen, sides, population):
    gone = {"bm25": not sides.text, "sim": not sides.vectors}
    found = [{name: None if gone.get(name) else value for name, value in each.items()} for each in found]
    wanted = rank(
        [candidate(each) for each in found], chosen, now=NOW, sides=sides, utility="z" if population else "linear"
    )
    got = run(stages(chosen), table(found, sides, population), context(found))

    hits = list(zip(got.ids, got.scores(), strict=True))
    assert hits[: chosen.k_final] == [(item.id, item.score) for item in wanted.items]
    reasons = {row.id: row.reason for row in got.dropped}
    assert {id for id, reason in reasons.items() if reason == "below_threshold"} == set(wanted.below)
    assert len(got.ids) + len(got.dropped) == len(found), "every row is there, or was dropped with a reason"
    for item in wanted.items[:1]:
        row = got.ids.index(item.id)
        assert (got.columns["S"][row], got.columns["g"][row]) == (item.s, item.worth.g)


@settings(max_examples=examples(300))
@given(rows, parameters)
def test_stages_keep_what_they_promise(found, chosen):
    seen = table(found, Sides(), True)
    for stage in stages(chosen):
        scores = [ours.min_max([float(row) for row in range(len(seen.keys))])[row] for row in range(len(seen.keys))]
        assert violations(stage, seen.with_column("score", scores), context(found)) == []


@given(rows, parameters)
def test_fewer_results_are_the_first_of_more(found, chosen):
    chosen = replace(chosen, k_final=4)
    got = run(stages(chosen), table(found, Sides(), True), context(found)).ids
    wide = run(stages(chosen)[:-1], table(found, Sides(), True), context(found)).ids
    assert set(got) <= set(wide) and (not got or got[0] == wide[0])


def test_a_profile_can_name_them() -> None:
    for stage in stages(Retrieval(half_life_days_by_kind={"fact": 10.0}, use_quality=True)):
        assert stage_from_dict(stage.to_dict()) == stage


def test_texts_that_differ_in_case_and_spaces_are_one() -> None:
    assert normalised("Ｔea  is\nREADY") == normalised("tea is ready") != normalised("tea is not ready")
    found = [SimpleNamespace(id=id, text=text) for id, text in (("a", "Tea is ready"), ("b", "tea  IS ready"))]
    records = {each.id: Record(text=each.text, id=each.id, created_at=NOW) for each in found}
    seen = Candidates(("a", "b"), {"dense": (1.0, 1.0), "age_days": (0.0, 0.0), "confidence": (1.0, 1.0)})
    got = run(stages(Retrieval()), seen, StageContext(now=NOW, k=12, records=records))
    assert got.ids == ("a",) and got.dropped[0].id == "b"


def test_what_a_record_is_worth_moves_a_score_by_no_more_than_it_says() -> None:
    for quality in (False, True):
        [influence] = WorthFactor(use_quality=quality).influence()
        least = ours.worth(-1e9, 0.0, 0.0, 0.0 if quality else None).g
        most = ours.worth(1e9, 1.0, 1.0, 1.0 if quality else None).g
        assert influence.least - 1e-12 <= least < influence.least + 1e-12 and most == influence.greatest
