"""Seed 001's stages are its pipeline over plain lists, bit for bit; and they keep what they promise."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import fusion
from byheart.profiles.hybrid import HybridConfig
from byheart.ranking import normalisation
from byheart.ranking.algebra import StageContext, explain, run, violations
from byheart.ranking.candidates import Candidates, apply, join
from byheart.ranking.features import gather
from byheart.ranking.scoring import (
    DeferSimilar,
    Fuse,
    HardMinimum,
    Importance,
    LengthNormalisation,
    MinimumScore,
    MustContain,
    NoiseFilter,
    Recency,
    ReinforcedTimeDecay,
    TimeDecay,
)
from byheart.records import Record
from byheart.reference import fusion as fusion_oracle
from byheart.reference import hybrid as oracle

from ..counts import examples

IDS = [f"r{n}" for n in range(8)]
TEXTS = ["hello", "His name is Bob", "I don't recall", "proj:atlas is on", "x" * 700, "y" * 4000, "é" * 501, "no"]
QUERIES = ["what is proj:atlas?", "what is it?", "PROJ:Atlas env:prod"]

# Few numbers, so that ties, clamps and thresholds are met exactly; and now and then any number at all.
shares = st.sampled_from([0.0, 0.3, 0.35, 0.5, 0.75, 0.9, 1.0]) | st.floats(0.0, 1.0)
cosines = st.sampled_from([-1.0, 0.0, 0.1, 0.3, 0.5, 0.9, 1.0]) | st.floats(-1.0, 1.0)
raw_words = st.sampled_from([0.0, 0.5, 1.0, 5.0, 25.86]) | st.floats(0.0, 60.0)
ages = st.sampled_from([-5.0, 0.0, 14.0, 60.0, 365.0]) | st.floats(-10.0, 4000.0)
vectors = st.sampled_from([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.0, 0.0], [-1.0, 0.5], [0.7, 0.7]])
entries = st.builds(
    oracle.Entry,
    text=st.sampled_from(TEXTS),
    age_days=ages,
    importance=st.none() | shares,
    vector=st.none() | vectors,
    access_count=st.integers(0, 40),
    days_since_access=st.none() | ages,
)
worlds = st.fixed_dictionaries(dict.fromkeys(IDS, entries))
numbers_of_days = st.sampled_from([0.0, 1.0, 14.0, 60.0, 365.0])
configurations = st.builds(
    oracle.Settings,
    strategy=st.sampled_from(["bonus15", "weighted", "rrf"]),
    normaliser=st.sampled_from(["logistic", "ratio", "min_max", "none"]),
    vector_score=st.sampled_from(["cosine", "inverse_distance"]),
    min_score=st.sampled_from([0.0, 0.3, 0.6]),
    lightweight=st.booleans(),
    recency_half_life=numbers_of_days,
    recency_weight=st.sampled_from([0.0, 0.1, 0.5]),
    anchor=st.sampled_from([0.0, 500.0, 300.0]),
    time_half_life=numbers_of_days,
    base=st.sampled_from(["e", "half_life"]),
    reinforcement=st.sampled_from([0.0, 0.5, 2.0]),
    hard_min_score=st.sampled_from([0.0, 0.35, 0.7]),
    filter_noise=st.booleans(),
    noise_profile=st.sampled_from(["byheart", "1.0.11"]),
    threshold=st.sampled_from([0.85, 0.0, 1.0]),
)


def hits(scores):
    return st.lists(st.tuples(st.sampled_from(IDS), scores), unique_by=lambda hit: hit[0], max_size=8)


def best_first(found):
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


def config_of(s):
    return HybridConfig(
        rerank="lightweight" if s.lightweight else "none",
        fusion=s.strategy,
        normaliser=s.normaliser,
        vector_score=s.vector_score,
        min_score=s.min_score,
        recency_half_life_days=s.recency_half_life,
        recency_weight=s.recency_weight,
        length_norm_anchor=s.anchor,
        time_decay_half_life_days=s.time_half_life,
        decay_base=s.base,
        reinforcement_factor=s.reinforcement,
        hard_min_score=s.hard_min_score,
        filter_noise=s.filter_noise,
        noise_profile=s.noise_profile,
        deferral_threshold=s.threshold,
    )


def about(world, k=5, query="", query_vector=None):
    records = {id: Record(text=entry.text) for id, entry in world.items()}
    return StageContext(
        now=0.0, k=k, query=query, query_vector=query_vector, records=records, vector_of=lambda id: world[id].vector
    )


def with_features(table, world):
    for name in ("age_days", "importance", "access_count", "days_since_access"):
        table = table.with_column(name, [getattr(world[id], name) for id in table.ids])
    return table


@settings(max_examples=examples(1_200))
@given(worlds, hits(cosines), hits(raw_words), st.integers(1, 9), configurations, st.none() | vectors)
def test_the_stages_are_their_definition_and_explain_themselves(world, vector, words, limit, configuration, query):
    vector, words = best_first(vector), best_first(words)
    expected = oracle.run(world, vector, words, limit, configuration, query)
    stages = config_of(configuration).profile(limit=limit).stages
    table = with_features(join({"dense": vector, "lexical": words}), world)
    knows = about(world, limit, query_vector=query)
    table = run(stages, gather(table, stages, knows), knows)
    got = list(zip(table.ids, table.scores(), strict=True))
    assert got[:limit] == expected
    for id, score in got:
        assert explain(table, id).score == score == explain(table, id).recomputed()
    assert {id for id, _ in vector + words} == {*table.ids, *(row.id for row in table.dropped)}


any_score = st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf]) | st.floats()


@settings(max_examples=examples(1_000))
@given(
    st.lists(st.tuples(any_score, st.none() | any_score), max_size=5),
    st.sampled_from(["add", "multiply", "divide"]),
    st.booleans(),
)
def test_a_column_is_applied_row_by_row(rows, operation, clamp):
    rows = [row for row in rows if operation != "divide" or row[1] != 0.0]
    table = join({"dense": [(id, 0.0) for id in IDS[: len(rows)]]}).with_column("score", [row[0] for row in rows])
    table = table.scored("column", operation, [row[1] for row in rows], clamp=clamp)
    expected = [score if by is None else apply(operation, score, by, clamp=clamp) for score, by in rows]
    assert [score.hex() for score in table.scores()] == [score.hex() for score in expected]
    assert table.columns["column"] == tuple(row[1] for row in rows) or any(row[1] != row[1] for row in rows)


@settings(max_examples=examples(2_000))
@given(st.none() | shares | st.just(math.nan), st.none() | shares | st.just(math.inf), shares, shares)
def test_fusions_are_their_definitions(vector, words, first, second):
    assert fusion.bonus(vector, words) == fusion_oracle.bonus(vector, words)
    weights = {"vector_weight": first, "words_weight": second}
    assert fusion.convex(vector, words, **weights) == fusion_oracle.convex(vector, words, **weights)


@settings(max_examples=examples(1_000))
@given(st.lists(st.lists(st.sampled_from(IDS)), max_size=4), st.integers(0, 100))
def test_fusions_of_rankings_are_their_definitions(rankings, k):
    expected = fusion_oracle.reciprocal_rank_fusion(rankings, k)
    assert fusion.reciprocal_rank_fusion(rankings, k) == expected
    pairs = [[(id, 0.5) for id in ranking] for ranking in rankings]
    assert fusion.reciprocal_rank_fusion(pairs, k) == expected
    filled = fusion.append_fill(rankings)
    assert filled == fusion_oracle.append_fill(rankings) == fusion.append_fill(pairs)
    assert {id for id, _ in expected} == set(filled) == {id for ranking in rankings for id in ranking}


stages = st.sampled_from(
    [
        *(Fuse(strategy, "ratio", score) for strategy in ("bonus15", "weighted", "rrf") for score in ("cosine",)),
        Fuse("bonus15", "min_max", "inverse_distance"),
        Fuse("weighted", "logistic", vector_weight=0.9, words_weight=0.1),
        MinimumScore(),
        HardMinimum(0.9),
        Recency(),
        Recency(30.0, 1.0, "half_life"),
        Importance(),
        LengthNormalisation(),
        LengthNormalisation(100.0, "utf16"),
        TimeDecay(),
        ReinforcedTimeDecay(),
        NoiseFilter(),
        DeferSimilar(),
        MustContain(),
    ]
)


@settings(max_examples=examples(800))
@given(
    stages, worlds, hits(cosines), hits(raw_words), st.lists(shares, min_size=8, max_size=8), st.sampled_from(QUERIES)
)
def test_every_stage_keeps_its_promises(stage, world, vector, words, scores, query):
    table = with_features(join({"dense": vector, "lexical": words}), world)
    if not isinstance(stage, Fuse):
        table = table.scored("given", "add", scores[: len(table.ids)])
    knows = about(world, query=query)
    table = gather(table, [stage], knows)
    assert violations(stage, table, knows) == []
    for influence in stage.influence():
        operands = [x for x in stage(table, knows).columns[influence.column] if x is not None]
        assert all(influence.least <= operand <= influence.greatest for operand in operands)


@settings(max_examples=examples(500))
@given(hits(cosines), hits(raw_words), st.sampled_from(["bonus15", "weighted", "rrf"]), st.integers(1, 4))
def test_fusion_loses_no_row_and_an_empty_arm_changes_nothing(vector, words, strategy, limit):
    knows, fuse = about({}), Fuse(strategy)
    both = fuse(join({"dense": vector, "lexical": words}), knows)
    assert sorted(both.ids) == sorted({id for id, _ in vector + words}) and not both.dropped
    for name, found in (("dense", vector), ("lexical", words)):
        alone = fuse(join({name: found}), knows)
        other = "lexical" if name == "dense" else "dense"
        beside = fuse(join({name: found, other: []}), knows)
        assert (alone.ids, alone.scores()) == (beside.ids, beside.scores())
        # The best of an arm falls out of a window of 2 k rows only if as many score as high as it does.
        if found:
            best = both.ids.index(best_first(found)[0][0])
            above = [score for score in both.scores() if score >= both.scores()[best]]
            assert best < 2 * limit or len(above) > 2 * limit


@settings(max_examples=examples(300))
@given(worlds, hits(cosines), st.lists(shares, min_size=8, max_size=8))
def test_a_stage_that_is_off_changes_nothing(world, vector, scores):
    table = join({"dense": vector})
    table = with_features(table, world).scored("given", "add", scores[: len(table.ids)])
    off = [
        Recency(half_life_days=0.0), Recency(weight=0.0), LengthNormalisation(0.0), TimeDecay(0.0), MinimumScore(0.0),
        ReinforcedTimeDecay(0.0), HardMinimum(0.0), DeferSimilar(1.0), MustContain(()),
    ]  # fmt: skip
    for stage in off:
        knows = about(world, query="proj:atlas")
        assert stage(gather(table, [stage], knows), knows).columns.items() >= table.columns.items()
        assert stage(table, knows).ids == table.ids and stage.influence() == ()
    plain = TimeDecay()(table, about(world))
    unforced = ReinforcedTimeDecay(factor=0.0)(table, about(world))
    assert (plain.ids, plain.scores()) == (unforced.ids, unforced.scores())


@settings(max_examples=examples(1_000))
@given(st.lists(raw_words, max_size=8), st.floats(allow_nan=True, allow_infinity=True))
def test_normalised_scores_are_shares_and_keep_the_order(raw, any_number):
    for scaled in (
        [normalisation.logistic(x) for x in raw],
        [normalisation.ratio(x) for x in raw],
        normalisation.min_max(raw),
    ):
        assert all(0.0 <= share <= 1.0 for share in scaled)
        pairs = sorted(zip(raw, scaled, strict=True))
        assert all(low[1] <= high[1] for low, high in itertools.pairwise(pairs))
    assert 0.5 <= normalisation.logistic(any_number) <= 1.0 and 0.0 <= normalisation.ratio(any_number) <= 1.0


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_have_the_seeds_substitutes(odd):
    table = Candidates(("r",), {"score": (0.8,), "age_days": (odd,), "importance": (odd,), "length": (odd,)})
    knows = StageContext(now=0.0, k=1)
    assert Importance()(table, knows).scores() == [0.8 * 0.7]
    assert LengthNormalisation()(table, knows).scores() == [0.8 * 0.3]
    young, kept = {math.nan: (0.8, 0.5), math.inf: (0.8, 0.5), -math.inf: (0.9, 1.0)}[odd]
    assert Recency()(table, knows).scores() == [young]
    assert TimeDecay()(table, knows).scores() == [0.8 * kept]
    fused = Fuse(normaliser="none")(Candidates(("r", "s"), {"dense": (odd, None), "lexical": (None, odd)}), knows)
    assert fused.scores() == [0.1, 0.1]
