"""Seed 000's hybrid score against its definition, bit for bit; the bounds, boundaries and orders that it promises."""

import math
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Record
from byheart._core import exp, ln
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking import features, scoped
from byheart.ranking.algebra import StageContext, explain, run, violations
from byheart.ranking.candidates import Candidates
from byheart.ranking.scoped_stages import (
    Cosine,
    DropSameSource,
    ScopedRecency,
    ScopeWeight,
    StableOrder,
    SummaryQuality,
)
from byheart.reference import mathematics
from byheart.reference import scoped as oracle

from ..counts import examples

shares = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.7, 1.0]) | st.floats(0, 1)
cosines = st.sampled_from([-0.5, 0.0, 0.5, 0.9, 1.0, 1.0000001]) | st.floats(-1, 1)
ages = st.none() | st.sampled_from([0, -5.0, 600, 86_400.0, 1e7, 1e12]) | st.floats(-1e4, 1e9)
odd_rates = st.none() | st.sampled_from([0.25, 1, 1.7, -0.5, math.nan, math.inf, True, "0.5"]) | st.floats(0, 1)
weights = st.tuples(shares, shares, shares, shares)
NOW = StageContext(now=0.0, k=8)


@st.composite
def items(draw, most=7):
    few = st.sampled_from([0.3, 0.5]) if draw(st.booleans()) else cosines  # ties are the rule in half of the tables
    return [
        {
            "id": f"r{number}",
            "cos": draw(few),
            "age_s": draw(ages if draw(st.booleans()) else st.just(0)),
            "scope": draw(st.sampled_from(features.OWNERS)),
            "type": draw(st.sampled_from(["summary", "turn", None])),
            "decay_rate": draw(odd_rates),
        }
        for number in range(draw(st.integers(0, most)))
    ]


def table_of(given_items):
    return Candidates(
        tuple(item["id"] for item in given_items),
        {
            "dense": tuple(item["cos"] for item in given_items),
            "age_seconds": tuple(item["age_s"] for item in given_items),
            "scope": tuple(float(features.OWNERS.index(item["scope"])) for item in given_items),
            "summary": tuple(float(item["type"] == "summary") for item in given_items),
            "decay_rate": tuple(item["decay_rate"] for item in given_items),
        },
    )


def scored(item, alpha=0.7, beta=0.2, gamma=0.1, delta=0.5, **options):
    return scoped.hybrid_score(
        item["cos"],
        item["age_s"],
        item["scope"],
        summary=item["type"] == "summary",
        decay_rate=item["decay_rate"],
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        delta=delta,
        **options,
    )


def configured(alpha, beta, gamma, delta, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of weights that do not sum to 1
        return ScopedConfig(alpha=alpha, beta=beta, gamma=gamma, delta=delta, **options)


@settings(max_examples=examples(700))
@given(items(), weights)
def test_stages_and_formula_are_the_definition(given_items, numbers):
    expected = {item["id"]: oracle.hybrid_score(item, numbers) for item in given_items}
    assert {item["id"]: scored(item, *numbers) for item in given_items} == expected
    table = run(configured(*numbers).scoring(), table_of(given_items), NOW)
    assert dict(zip(table.ids, table.scores(), strict=True)) == expected
    assert list(table.ids) == oracle.rank(given_items, numbers)
    for id in table.ids:
        explanation = explain(table, id)
        assert explanation.recomputed() == explanation.score == expected[id]


@given(items(), st.tuples(*[st.floats(0, 0.01)] * 3), st.tuples(shares, shares, shares))
def test_rates_and_scope_weights_are_settings(given_items, rates, by_scope):
    named = dict(zip(features.OWNERS, rates, strict=True)), dict(zip(features.OWNERS, by_scope, strict=True))
    for item in given_items:
        found = scored(item, rates=rates, scope_weights=by_scope)
        assert found == oracle.hybrid_score(item, (0.7, 0.2, 0.1, 0.5), *named)
    config = configured(0.7, 0.2, 0.1, 0.5, **{f"recency_lambda_{scope}": rate for scope, rate in named[0].items()})
    table = run(config.scoring(), table_of(given_items), NOW)
    expected = {item["id"]: oracle.hybrid_score(item, (0.7, 0.2, 0.1, 0.5), named[0]) for item in given_items}
    assert dict(zip(table.ids, table.scores(), strict=True)) == expected


@settings(max_examples=examples(400))
@given(items(), weights, st.randoms())
def test_scores_keep_their_bounds_and_do_not_see_the_order(given_items, numbers, random):
    alpha, beta, gamma, _ = numbers
    table = run(configured(*numbers).scoring(), table_of(given_items), NOW)
    scores = dict(zip(table.ids, table.scores(), strict=True))
    # Rounding is monotone, so no score exceeds the same sum over ones.
    assert all(0.0 <= score <= alpha + beta + gamma for score in scores.values())
    shuffled = list(given_items)
    random.shuffle(shuffled)
    again = run(configured(*numbers).scoring(), table_of(shuffled), NOW)
    assert dict(zip(again.ids, again.scores(), strict=True)) == scores
    if alpha + beta + gamma > 0.0:
        unit = run(configured(*numbers, normalize_weights=True).scoring(), table_of(given_items), NOW)
        assert all(0.0 <= score <= 1.0 + 2**-52 for score in unit.scores())


@given(items())
def test_boundary_weights(given_items):
    for item in given_items:
        plain = item | {"type": "turn"}
        assert scored(plain, 1.0, 0.0, 0.0) == min(1.0, max(0.0, item["cos"]))
        rate = scoped.RATES[features.OWNERS.index(item["scope"])]
        assert scored(plain, 0.0, 1.0, 0.0) == scoped.recency(item["age_s"], rate)
        assert scored(plain, 0.0, 0.0, 1.0) == {"session": 1.0, "user": 0.6, "global": 0.3}[item["scope"]]
        assert scored(item, delta=0.0) == scored(plain)
        assert scored(item | {"type": "summary", "decay_rate": 1.0}, delta=1.0) == 0.0
        assert scored(plain) == scored(plain | {"decay_rate": 1.0})


@given(items(), weights)
def test_a_weight_of_0_is_an_absent_arm(given_items, numbers):
    alpha, beta, gamma, delta = numbers
    arms = [Cosine(alpha), ScopedRecency(beta), ScopeWeight(gamma), SummaryQuality(delta)]
    silent = [Cosine(0.0), ScopedRecency(0.0), ScopeWeight(0.0), SummaryQuality(0.0)]
    for at in range(4):
        weightless = run([*arms[:at], silent[at], *arms[at + 1 :], StableOrder()], table_of(given_items), NOW)
        without = run([*arms[:at], *arms[at + 1 :], StableOrder()], table_of(given_items), NOW)
        assert (weightless.ids, weightless.scores()) == (without.ids, without.scores())


@settings(max_examples=examples(600))
@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e-2), ages)
def test_recency_falls_with_age_and_never_ends(one, other, rate, age):
    young, old = sorted((one, other))
    assert 0.0 < scoped.recency(old, rate) <= scoped.recency(young, rate) <= 1.0
    assert scoped.recency(age, rate) == oracle.recency(age, rate)
    assert all(scoped.recency(none, rate) == 1.0 for none in (None, math.nan, math.inf, -one))
    if rate > 1e-300:
        half = scoped.half_life_seconds(rate)
        assert abs(scoped.recency(half, rate) - 0.5) <= 1e-15


@given(items(most=1), shares, shares, shares)
def test_a_surer_summary_scores_no_lower(given_items, delta, one, other):
    less, more = sorted((one, other))
    for item in given_items:
        surer = scored(item | {"type": "summary", "decay_rate": less}, delta=delta)
        assert surer >= scored(item | {"type": "summary", "decay_rate": more}, delta=delta)
        assert surer <= scored(item | {"type": "turn"}, delta=delta)


@settings(max_examples=examples(80))
@given(items(), st.data())
def test_every_stage_keeps_its_promises(given_items, data):
    table = table_of(given_items)
    table = table.with_column("score", [data.draw(shares) for _ in table.ids])
    records = {
        id: Record(text="x", id=id, provenance={"source_id": data.draw(st.sampled_from("abr"))}) for id in table.ids
    }
    about = StageContext(now=0.0, k=3, records=records)
    table = table.with_column("decay_rate", [data.draw(st.none() | st.floats(0, 1)) for _ in table.ids])
    weight = data.draw(shares)
    stages = [Cosine(weight), ScopedRecency(weight), ScopeWeight(weight), SummaryQuality(weight)]
    for stage in (*stages, StableOrder(), DropSameSource()):
        assert violations(stage, table, about) == []


@given(st.sampled_from([None, "a", "b"]), st.sampled_from([None, "a", "b"]), st.data())
def test_scopes_of_metadata_and_of_records_are_one_rule(session_id, user_id, data):
    names = st.sampled_from([None, "a", "b"])
    session, user = data.draw(names), data.draw(names)
    metadata = {key: name for key, name in (("sessionId", session), ("userId", user)) if name is not None}
    expected = oracle.scope_of(session_id, user_id, metadata)
    assert scoped.scope_of(session_id, user_id, metadata) == expected
    assert scoped.scope_of(session_id, user_id, {"session_id": session, "user_id": user}) == expected
    record = Record(text="x", session_id=session, user_id=user)
    assert features.OWNERS[int(features.scope_of(record, session_id, user_id))] == expected


@given(st.floats(-800, 800) | st.sampled_from([0.0, -0.0, math.inf, -math.inf]))
def test_exp_and_ln_are_the_pinned_ones(x):
    assert exp(x) == mathematics.exp(x)
    assert ln(abs(x)) == mathematics.ln(abs(x))
    assert math.isnan(exp(math.nan)) and math.isnan(ln(-1.0))


def test_bounds_are_reached_by_the_defaults():
    best = {"cos": 1.0, "age_s": 0, "scope": "session", "type": None, "decay_rate": None}
    assert scored(best) == pytest.approx(1.0, abs=2**-52)
