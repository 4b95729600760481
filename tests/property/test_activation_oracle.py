"""Activation against its definition, to the last bit; and the laws that its source states."""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.boundary.policy import Retrieval
from byheart.errors import CalibrationMismatch, InvalidArgument
from byheart.ranking.activation import Calibration, Candidate, Population, Sides, alpha_for, rank
from byheart.ranking.activation import formulas as ours
from byheart.ranking.activation.calibration import _loss, fit_platt
from byheart.ranking.activation.question_form import form, token_count
from byheart.ranking.activation.stages import DiverseEntities
from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import Candidates
from byheart.reference import activation as oracle
from byheart.reference import gate
from byheart.reference.diversity import maximal_marginal_relevance

from ..counts import examples

DAY = 86_400.0
NOW = 1_000 * DAY
halves = st.sampled_from([0.0, 0.5, 1.0, -0.5]) | st.floats(-1.0, 1.0, width=32)
shares = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)
times = st.none() | st.sampled_from([0.0, NOW, NOW + DAY, NOW - 30 * DAY]) | st.floats(0.0, NOW)
vectors = st.none() | st.lists(st.sampled_from([0.0, 1.0, -1.0, 0.6, 0.8]), min_size=3, max_size=3)


def row(number: int) -> st.SearchStrategy[dict]:
    return st.fixed_dictionaries(
        {
            "id": st.just(f"r{number % 7}{number}"),
            "bm25": st.none() | st.sampled_from([1.0, 2.0, 2.0000001]) | st.floats(0.0, 30.0),
            "sim": st.none() | halves,
            "utility": st.sampled_from([0.0, 0.1, -2.0]) | st.floats(-5.0, 5.0),
            "confidence": shares,
            "quality": shares,
            "kind": st.sampled_from([None, "fact", "task", "preference", "policy_hint", "turn"]),
            "created_at": times,
            "updated_at": times,
            "hash": st.sampled_from([None, None, "h1", "h2"]),
            "entities": st.lists(st.sampled_from(["e", "f"]), max_size=2, unique=True),
            "vec": vectors,
        }
    )


rows = st.integers(0, 9).flatmap(lambda count: st.tuples(*(row(number) for number in range(count))).map(list))


def candidate(given: dict) -> Candidate:
    return Candidate(
        id=given["id"], text_score=given["bm25"], similarity=given["sim"], utility=given["utility"],
        confidence=given["confidence"], quality=given["quality"], kind=given["kind"], created_at=given["created_at"],
        updated_at=given["updated_at"], text=given["hash"], entities=tuple(given["entities"]),
        vector=None if given["vec"] is None else array("f", given["vec"]),
    )  # fmt: skip


def f32(given: dict) -> dict:
    vector = given["vec"]
    return {**given, "vec": None if vector is None else list(array("f", vector))}


@settings(max_examples=examples(1_000))
@given(rows, st.integers(1, 5), st.sampled_from([0.3, 0.65, 0.9]), st.sampled_from([0.0, 0.15, 0.3]), st.booleans())
def test_activation_is_its_definition(found, k, alpha, threshold, use_quality):
    parameters = Retrieval(alpha=alpha, k_final=k, min_score=threshold, use_quality=use_quality)
    got = rank([candidate(each) for each in found], parameters, now=NOW)
    results, below = oracle.activate([f32(each) for each in found], NOW, alpha, k, threshold, use_quality=use_quality)
    assert [(item.id, item.score) for item in got.items] == results
    assert list(got.below) == below


@settings(max_examples=examples(500))
@given(rows, st.randoms(use_true_random=False))
def test_the_laws_of_an_activation(found, random):
    parameters = Retrieval(k_final=4)
    candidates = [candidate(each) for each in found]
    got = rank(candidates, parameters, now=NOW)
    random.shuffle(candidates)
    assert rank(candidates, parameters, now=NOW) == got, "the order in which candidates come decides nothing"
    known = {each.id: each for each in candidates}
    texts = [known[item.id].text for item in got.items if known[item.id].text]
    assert len(set(texts)) == len(texts)
    for item in got.items:
        assert 0.15 <= item.score <= item.s, "no record scores above what its text and vector give"
        assert 0.09 <= item.worth.g <= 1.0
    for name in ("e", "f"):
        assert sum(name in known[item.id].entities for item in got.items) <= parameters.entity_cap
    if got.items:
        everything = rank(candidates, replace(parameters, trade_off=1.0, entity_cap=100), now=NOW)
        assert got.items[0].score == everything.items[0].score, "the first is the best"
        assert [item.score for item in everything.items] == sorted((i.score for i in everything.items), reverse=True)


@settings(max_examples=examples(500))
@given(halves, shares, shares, shares, st.floats(0.001, 0.5))
def test_worth_grows_with_each_part(z, confidence, lately, quality, more):
    base = ours.worth(z, confidence, lately, quality).g
    for better in ((z + more, confidence, lately, quality), (z, confidence + more, lately, quality),
                   (z, confidence, lately + more, quality), (z, confidence, lately, quality + more)):  # fmt: skip
        assert ours.worth(*better).g >= base
    assert base == oracle.g(z, confidence, lately, quality)
    assert ours.fuse(confidence, lately, 0.65) <= ours.fuse(confidence, min(lately + more, 1.0), 0.65)


@given(st.lists(st.floats(-100.0, 100.0), min_size=1, max_size=8))
def test_utilities_are_their_definition(utilities):
    population = Population.of(utilities)
    assert [population.z(each) for each in utilities] == oracle.z_scores(utilities)
    assert all(0.0 <= each <= 1.0 for each in ours.linear(utilities))


@settings(max_examples=examples(500))
@given(st.lists(shares, max_size=7), st.data(), st.integers(1, 8), st.sampled_from([0.0, 0.5, 0.85, 1.0]))
def test_diversity_without_entities_is_maximal_marginal_relevance(scores, data, k, trade_off):
    found = [data.draw(vectors) for _ in scores]
    arrays = [None if vector is None else array("f", vector) for vector in found]
    wide = [None if vector is None else list(vector) for vector in arrays]
    table = Candidates(tuple(map(str, range(len(scores)))), {"score": tuple(scores)})
    context = StageContext(now=0.0, k=k, vector_of=lambda key: arrays[int(key)], values=lambda field, key: ())
    got = DiverseEntities(k, trade_off)(table, context)
    assert [int(id) for id in got.ids] == maximal_marginal_relevance(scores, wide, k, trade_off)


def test_a_side_that_could_not_look_has_no_weight() -> None:
    only_words = [Candidate(id="a", text_rank=1, confidence=1.0, created_at=NOW)]
    assert rank(only_words, Retrieval(), now=NOW, sides=Sides(full_text=False)).items == (), "0.35 * 0.5 * 0.8"
    alone = rank(only_words, Retrieval(), now=NOW, sides=Sides(full_text=False, vectors=False))
    assert alone.alpha == 0.0 and alone.items[0].s == 0.5
    assert alone.items[0].reason == "LIKE=rank:1; recent=0d; util=0.50; conf=1.00"
    vectors_alone = [Candidate(id="a", similarity=1.0, confidence=1.0, created_at=NOW)]
    assert rank(vectors_alone, Retrieval(), now=NOW, sides=Sides(text=False)).items[0].s == 1.0


def test_each_side_has_its_own_coefficients() -> None:
    fitted = {"method": "platt", "model_version": "1", "policy_version": "1", "n": 9, "params": [[0.0, -2.0]],
              "fitted_at": 0.0, "query_set_hash": ""}  # fmt: skip
    fixed = 1.0 / (1.0 + math.exp(-2.0))  # whatever was found
    found = [Candidate(id="a", text_score=3.0, similarity=0.2, confidence=1.0, created_at=NOW)]
    for side in ("text", "vec"):
        sides = Sides(**{f"{side}_calibration": {"leg": side, **fitted}})
        item = rank(found, Retrieval(), now=NOW, sides=sides).items[0]
        calibrated, other = (item.s_text, item.s_vec) if side == "text" else (item.s_vec, item.s_text)
        assert calibrated == pytest.approx(fixed) and other != pytest.approx(fixed)


def test_what_is_below_is_named_and_an_empty_activation_has_figures() -> None:
    found = rank([Candidate(id="a", similarity=-1.0)], Retrieval(), now=NOW)
    assert found.items == () and found.below == ("a",) and found.figures["score_final"]["avg"] == 0.0
    assert rank([], Retrieval(), now=NOW).figures["S"] == {"avg": None, "p50": None, "p90": None}
    with pytest.raises(InvalidArgument, match="twice"):
        rank([Candidate(id="a"), Candidate(id="a")], Retrieval(), now=NOW)


def test_equal_texts_of_other_hashes_are_one_and_newer_ones_come_first() -> None:
    one = Candidate(id="a", similarity=1.0, confidence=1.0, updated_at=NOW)
    said = (("a", "X  x", 2.0), ("b", "ｘ x", 1.0), ("c", "y", 1.0))
    twins = [replace(one, id=id, created_at=NOW - age, text=text) for id, text, age in said]
    assert [item.id for item in rank(twins, Retrieval(), now=NOW).items] == ["b", "c"]


def test_diversity_looks_at_four_times_as_many_as_are_wanted() -> None:
    alike, other = array("f", [1.0, 0.0]), array("f", [0.0, 1.0])
    found = [
        Candidate(id=f"r{place}", similarity=0.9 - 0.01 * place, vector=other if place == 8 else alike, created_at=NOW)
        for place in range(9)
    ]
    assert [item.id for item in rank(found, Retrieval(k_final=2), now=NOW).items] == ["r0", "r1"]
    assert [item.id for item in rank(found, Retrieval(k_final=3), now=NOW).items] == ["r0", "r8", "r1"]


def test_the_last_helpful_use_counts_where_a_policy_says_so() -> None:
    old = Candidate(id="a", similarity=1.0, created_at=NOW - 90 * DAY, anchored_at=NOW)
    plain, anchored = (
        rank([old], Retrieval(recency_anchor=flag, min_score=0.0), now=NOW).items[0] for flag in (False, True)
    )
    assert plain.worth.recency == ours.recency(90.0, 30.0) and anchored.worth.recency == 1.0


points = st.lists(st.tuples(st.floats(-5.0, 5.0, width=32), st.integers(0, 1)), min_size=2, max_size=12)


@settings(max_examples=examples(500))
@given(points)
@example([(0.0, 0), (0.0, 1)])
@example([(-1.0, 0), (1.0, 1)])
@example([(0.0, 0), (5.960464477539063e-08, 1)])
def test_platt_is_the_least_loss_there_is(given_points):
    scores, judged = [f for f, _ in given_points], [y for _, y in given_points]
    a, b = fit_platt(scores, judged)
    positive = sum(judged)
    high, low = (positive + 1.0) / (positive + 2.0), 1.0 / (len(judged) - positive + 2.0)
    targets = [(f, high if y else low) for f, y in given_points]
    least = _loss(targets, a, b)
    for step in (1e-3, 1e-1, 1.0):
        for da, db in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step), (step, -step), (-step, step)):
            assert _loss(targets, a + da, b + db) >= least - 1e-12


@pytest.mark.parametrize("middle", [1e6, -1e6])
def test_platt_does_not_depend_on_where_scores_lie_and_how_far_apart(middle: float) -> None:
    scores, judged = [0.0, 0.25, 0.5, 0.75, 1.0], [0, 1, 0, 1, 1]
    a, b = fit_platt(scores, judged)
    moved_a, moved_b = fit_platt([middle + f / 1024.0 for f in scores], judged)  # exact, as binary fractions are
    assert moved_a == pytest.approx(a * 1024.0, rel=1e-9)
    assert moved_b == pytest.approx(b - a * 1024.0 * middle, rel=1e-9)


@settings(max_examples=examples(500))
@given(points, st.sampled_from(["quantile", "isotonic", "platt"]), st.lists(st.floats(-6.0, 6.0), max_size=5))
def test_coefficients_are_shares_and_survive_a_trip(given_points, method, asked):
    scores, judged = [f for f, _ in given_points], [y for _, y in given_points]
    fitted = Calibration.fit("vec", method, scores, judged, model_version="m1", policy_version="1.0.0", fitted_at=3.0)
    again = Calibration.of_dict(fitted.to_dict())
    assert again == fitted
    values = [again.apply(x) for x in sorted(asked)]
    assert all(0.0 <= value <= 1.0 for value in values)
    if method != "platt":  # a logistic curve falls if what scored high was judged low
        assert all(low <= high + 1e-12 for low, high in pairwise(values))
    if method == "isotonic":
        at = dict(zip(sorted(set(scores)), gate.isotonic(given_points), strict=True))
        assert all(abs(fitted.apply(x) - at[x]) <= 1e-12 for x in scores)


def test_coefficients_of_another_leg_model_or_policy_are_refused() -> None:
    fitted = Calibration.fit("vec", "quantile", [0.1, 0.2], model_version="m1", policy_version="1.0.0")
    fitted.check("vec", "m1", "1.0.0")
    for asked in (("text", "m1", "1.0.0"), ("vec", "m2", "1.0.0"), ("vec", "m1", "1.1.0")):
        with pytest.raises(CalibrationMismatch, match="fit it anew"):
            fitted.check(*asked)
    for bad in ({"params": [[0.2, 0.1]]}, {"params": []}, {"params": "x"}, {"leg": "all"}, {"method": "guess"},
                {"params": [[float("nan")]]}, {"method": "platt", "params": [[1.0]]}, {"method": "isotonic"},
                {"n": "x"}):  # fmt: skip
        with pytest.raises(InvalidArgument):
            Calibration.of_dict({**fitted.to_dict(), **bad})


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("tea", "short"),
        ("cancel api", "short"),
        ("解約API", "short"),
        ("", "short"),
        ("see https://example.org/x", "url"),
        ("www.example.org is down again", "url"),
        ('he said "never again" to me', "quotation"),
        ("彼は「もう二度と」と言った", "quotation"),
        ("don't ask what it's about", "plain"),
        ("where is `open` used in it", "code"),
        ("what does std::vec::Vec hold", "code"),
        ("why is user_id empty here", "code"),
        ("when did getName change its type", "code"),
        ("open src/main.rs for me please", "code"),
        ("what changed in 3f2a91c since then", "code"),
        ("ask json.loads about it now", "code"),
        ("what does ann drink at noon", "plain"),
        ("解約APIの命名規約はどうなっていますか", "plain"),
        ("解約するときに使うエンドポイントの名前と命名規約がどう決まったかを教えてください", "long"),
        ("tell me what we decided last week about the naming of the cancel endpoint", "long"),
    ],
)
def test_the_form_of_a_question_chooses_alpha(question, found):
    assert form(question) == found
    expected = {"plain": 0.65, "long": 0.775}.get(found, 0.4)
    assert alpha_for(question, Retrieval(dynamic_alpha=True)) == expected
    assert alpha_for(question, Retrieval()) == 0.65


def test_a_japanese_sentence_is_more_than_one_token() -> None:
    assert token_count("状態管理にはXStateを使用する") == 7
