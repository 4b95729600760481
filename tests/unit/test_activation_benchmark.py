"""The benchmark of activation: arms of the engine itself, alpha chosen on one part for another, lines always told."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary.policy import Retrieval
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.evaluation import metrics
from byheart.evaluation.activation_arms import ALPHAS, arms, hybrids
from byheart.evaluation.activation_benchmark import benchmark, chosen
from byheart.evaluation.activation_report import markdown
from byheart.evaluation.activation_results import Activated, Gold, Report, Step
from byheart.evaluation.datasets import Collection, Document, Query
from byheart.evaluation.filling import UNDATED
from byheart.evaluation.results import Answer, Lap, ProfileResult
from byheart.evaluation.splits import part_of
from byheart.profiles.activation import activation

WHAT = ("kettle", "violin", "saddle", "lantern", "harbour", "orchard", "engine", "garden")
WHO = ("Ada", "Ben", "Eve", "Kim", "Ann", "Tom", "Zoe", "Max")


@pytest.fixture(scope="module")
def collection() -> Collection:
    """Sixty-four claims, of each of which one query is judged that names what and who."""
    documents, queries, grades = [], [], {}
    for what in WHAT:
        for number, who in enumerate(WHO):
            id = f"{what}-{who}"
            documents.append(Document(id, f"{who} mended the {what} for {number + 3} hours before the spring feast."))
            queries.append(Query(f"q-{id}", f"how long did {who} mend the {what}?"))
            grades[f"q-{id}"] = {id: 1}
    return Collection("feast", tuple(documents), tuple(queries), grades)


@pytest.fixture(scope="module")
def found(collection: Collection) -> Report:
    return benchmark(collection, embedder=HashingEmbedder(64))


def filled(collection: Collection) -> Memory:
    memory = Memory(embedder=HashingEmbedder(64))
    memory.remember_many([replace(each.record(), created_at=UNDATED) for each in collection.documents])
    return memory


# ---- the arms


def test_arms_are_legs_and_stages_of_the_profile(collection: Collection) -> None:
    whole = activation()
    for name, arm in arms().items():
        assert arm.stages == whole.stages and arm.pool == whole.pool == 12, name
        assert [leg for leg in arm.legs if leg not in whole.legs] == ([arm.legs[0]] if name == "L0" else [])
    asked = {name: [leg.retriever for leg in arm.legs] for name, arm in arms().items()}
    single = {"L0": ["substring"], "L1": ["dense"], "L2": ["lexical"], "L3": ["dense"]}
    assert asked == {**single, "Hybrid": ["lexical", "dense"]}
    assert arms()["L3"].mode == "approx" and arms()["L1"].mode == "exact"
    assert arms()["Hybrid"] == whole
    assert ALPHAS == (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
    assert hybrids()[0.65] == whole and all(
        f'"alpha": {alpha}' in json.dumps(p.to_dict()) for alpha, p in hybrids().items()
    )


def test_the_hybrid_arm_answers_as_activate_does(collection: Collection) -> None:
    memory, asked = filled(collection), 0
    for query in collection.queries:
        hits = memory.recall(query.text, 12, arms()["Hybrid"], now=UNDATED)
        items = memory.activate(query.text, 12, now=UNDATED).items
        assert [(hit.id, hit.score) for hit in hits] == [(item.claim_id, item.score) for item in items]
        asked += bool(hits)
    assert asked == 64


# ---- what is measured


def test_figures_are_those_of_recalls_of_the_test_part(collection: Collection, found: Report) -> None:
    memory = filled(collection)
    [claims, judgements] = found.golds
    asked = [query for query in collection.queries if part_of(query.id) == "test"]
    assert len(asked) == len(judgements.hybrid.answers) > 2
    profiles = {**arms(), "Hybrid": hybrids()[judgements.alpha]}
    for arm in judgements.arms:
        values = []
        for query in asked:
            hits = memory.recall(query.text, 12, profiles[arm.name], now=UNDATED)
            values.append(metrics.ndcg([hit.id for hit in hits], collection.grades[query.id], 12))
        assert judgements.means()[arm.name]["ndcg"] == pytest.approx(sum(values) / len(values))
    assert {answer.query for answer in claims.hybrid.answers} <= {each.id for each in collection.documents}
    assert all(part_of(answer.query) == "test" for answer in claims.hybrid.answers)
    assert claims.means()["L0"]["recall"] == 1.0, "the words stand in the claim, letter by letter"
    assert claims.means()["L2"]["recall"] == 1.0 and claims.means()["L1"]["ndcg"] > 0.0


def test_alpha_is_chosen_on_valid_alone(collection: Collection, found: Report) -> None:
    judgements = found.golds[1]
    assert [step.alpha for step in judgements.grid] == [*ALPHAS]
    assert judgements.valid == sum(part_of(query.id) == "valid" for query in collection.queries) > 0
    assert judgements.alpha == chosen(judgements.grid, 0.65)
    for gold in found.golds:
        said = [json.dumps(arm.settings) for arm in (gold.hybrid, gold.usual)]
        assert f'"alpha": {gold.alpha}' in said[0] and '"alpha": 0.65' in said[1]
    hidden = {query.id: {"kettle-Ada": 1} for query in collection.queries if part_of(query.id) == "test"}
    other = benchmark(replace(collection, grades={**collection.grades, **hidden}), embedder=HashingEmbedder(64))
    assert other.golds[1].grid == judgements.grid, "what is right in test changes nothing that is chosen"
    assert other.golds[1].means() != judgements.means()


def test_the_arms_have_the_parameters_that_are_given(collection: Collection) -> None:
    given = Retrieval(k_final=7, half_life_days=5.0)
    few = replace(collection, documents=collection.documents[:16])
    for gold in benchmark(few, embedder=HashingEmbedder(16), settings=given).golds:
        assert gold.valid > 0
        assert gold.hybrid.settings == hybrids(given)[gold.alpha].to_dict()
        assert gold.usual.settings == arms(given)["Hybrid"].to_dict()


def test_of_equal_alphas_the_nearest_to_the_usual_one() -> None:
    steps = [Step(alpha, 0.5, 0.5) for alpha in ALPHAS]
    assert chosen(steps, 0.65) == 0.65
    assert chosen([*steps, Step(0.95, 0.6, 0.0)], 0.65) == 0.95
    assert chosen([Step(0.6, 0.5, 0.1), Step(0.7, 0.5, 0.9)], 0.65) in (0.6, 0.7)


def test_no_judgements_leave_one_gold(collection: Collection) -> None:
    alone = benchmark(replace(collection, grades={}), embedder=HashingEmbedder(64))
    assert [gold.name for gold in alone.golds] == ["claims"]
    assert "nobody has judged queries of test" in markdown(alone)


# ---- the lines


def outcome(recall: float, ndcg: float, milliseconds: float, fallbacks: int) -> Report:
    measures = dict.fromkeys(("ndcg_exponential", "recall_all", "hit", "precision", "mrr"), 0.5)
    answer = Answer("q", None, True, ("a",), (1.0,), (1,), {**measures, "recall": recall, "ndcg": ndcg})
    hybrid = ProfileResult("Hybrid", "", {}, (answer,))
    gold = Gold(
        "claims", 0, (), 0.65, (hybrid,), 0.65, replace(hybrid, name="usual"), {"Hybrid": [Lap("q", 2500.0, {})]}
    )
    events = {"search": 100, "search_fallback": fallbacks, "activate": 100}
    told = {"name": "made up", "documents": 1, "short": 0, "common": 0}
    return Report(told, {"k": 12, "words": 5}, "", (gold,), Activated(1, 0, events, (milliseconds,)), 0.0)


def test_lines_are_reached_at_their_limits() -> None:
    lines = outcome(0.70, 0.45, 1500.0, 1).lines()
    assert {(line.name, line.figure) for line in lines} == {
        ("recall", 0.70), ("ndcg", 0.45), ("activate_p90_ms", 1500.0), ("fallback_share", 0.01)
    }  # fmt: skip
    assert all(line.passed for line in lines)


def test_lines_that_are_not_passed_are_told() -> None:
    poor = outcome(0.6999, 0.4499, 1500.1, 2)
    assert not any(line.passed for line in poor.lines())
    page = markdown(poor)
    assert page.count("not passed") == 4 and page.index("not passed") < page.index("Gold:")
    for figure in ("| recall@12, claims, alpha .65 ", ".700 |", ".450 |", "1500.1 ms", "2.00%"):
        assert figure in page
    written = json.loads(json.dumps(poor.to_dict()))
    assert [line["passed"] for line in written["lines"] + written["timings"]["lines"]] == [False] * 4


def test_the_usual_alpha_has_lines_of_its_own() -> None:
    gold = outcome(0.9, 0.9, 1.0, 0).golds[0]
    measures = {**gold.hybrid.answers[0].measures, "recall": 0.2, "ndcg": 0.1}
    usual = replace(gold.usual, answers=(replace(gold.usual.answers[0], measures=measures),))
    lines = replace(gold, alpha=0.3, usual=usual).lines()
    assert {(line.name, line.alpha, line.figure, line.passed) for line in lines} == {
        ("recall", 0.3, 0.9, True), ("ndcg", 0.3, 0.9, True), ("recall", 0.65, 0.2, False), ("ndcg", 0.65, 0.1, False)
    }  # fmt: skip


def test_a_recall_that_fails_counts_nothing_in_a_line() -> None:
    good = outcome(1.0, 1.0, 1.0, 0).golds[0]
    failed = Answer("r", None, True, measures=dict.fromkeys(good.hybrid.answers[0].measures, 0.0), failure="broken")
    half = replace(good, arms=(replace(good.hybrid, answers=(*good.hybrid.answers, failed)),))
    assert [line.figure for line in half.lines()] == [0.5, 0.5]
    assert half.to_dict()["arms"][0]["failed"] == 1


class Failing(HashingEmbedder):
    """Makes vectors of records, and none of questions."""

    def embed_queries(self, texts: Sequence[str]) -> Any:
        raise OSError("the model is gone")


def test_a_side_that_fails_is_counted_and_told(collection: Collection) -> None:
    broken = benchmark(collection, embedder=Failing(64))
    searches = broken.activated.events["search"]
    assert searches == broken.activated.asked == broken.activated.events["search_fallback"] > 0
    [line] = [line for line in broken.lines() if line.name == "fallback_share"]
    assert (line.figure, line.passed) == (1.0, False)
    assert "L1: " in markdown(broken) and "OSError" in markdown(broken)


# ---- the receipt


def test_two_runs_are_the_same_bytes_but_for_timings(collection: Collection, found: Report) -> None:
    again = benchmark(collection, embedder=HashingEmbedder(64))
    one, two = (json.dumps(each.to_dict(timings=False)) for each in (found, again))
    assert one == two and "timings" not in one
    assert markdown(found, timings=False) == markdown(again, timings=False)
    assert " ms" not in markdown(found, timings=False) and "| activate p90 " in markdown(found)
    timings = found.to_dict()["timings"]
    assert set(timings["recall_milliseconds"]["claims"]) == {"L0", "L1", "L2", "L3", "Hybrid"}
    assert timings["activate_milliseconds"]["p90"] >= timings["activate_milliseconds"]["p50"] > 0.0
    assert [line["name"] for line in timings["lines"]] == ["activate_p90_ms"]


def test_a_receipt_is_aggregates_alone(collection: Collection, found: Report) -> None:
    for written in (json.dumps(found.to_dict()), markdown(found)):
        said = [each.id for each in (*collection.documents, *collection.queries) if each.id in written]
        said += [each.text for each in (*collection.documents, *collection.queries) if each.text in written]
        assert said == [] and not any(who in written for who in WHO)
    assert found.to_dict()["config_digest"] in json.dumps(found.to_dict())


def test_the_run_stands_in_the_journal(collection: Collection, tmp_path: Path) -> None:
    path = tmp_path / "claims.db"
    kept = benchmark(collection, embedder=HashingEmbedder(64), path=path)
    with Memory(path, embedder=HashingEmbedder(64)) as memory:
        [event] = memory.events("benchmark")
        assert memory.stats()["records"] == 64
    assert event.payload["alpha"] == {gold.name: gold.alpha for gold in kept.golds}
    assert (event.payload["k"], event.payload["k_txt"], event.payload["k_vec"]) == (12, 48, 96)
    assert event.payload["metrics"]["claims"] == kept.golds[0].means()
    assert event.payload["config"] == {"id": kept.config_digest}, "the digest is whole"
    assert event.payload["activate"]["p90"] > 0.0 and event.payload["fallback_share"] == 0.0
    with pytest.raises(InvalidArgument, match="there already"):
        benchmark(collection, embedder=HashingEmbedder(64), path=path)


def test_too_little_to_measure_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="give more documents"):
        benchmark(Collection("tiny", (Document("d", "Tea."),), (), {}), embedder=HashingEmbedder(64))


def test_it_asks_at_a_time_of_the_collection_and_not_of_the_clock(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []
    activate = Memory.activate

    def noted(self: Memory, *given: Any, **options: Any) -> Any:
        asked.append(options.get("now"))
        return activate(self, *given, **options)

    monkeypatch.setattr(Memory, "activate", noted)
    benchmark(collection, embedder=HashingEmbedder(64))
    assert asked and None not in asked


def test_claims_without_a_pseudo_query_are_told_with_why(found: Report) -> None:
    told = replace(found, collection={**found.collection, "short": 2, "common": 3})
    assert "2 have fewer than" in markdown(told) and "3 have no words of their own" in markdown(told)
