"""Activation in SQL against the stages of activation, over the same candidates, and against a memory's own answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.boundary import Boundary
from byheart.boundary.policy import Retrieval
from byheart.integrations.duckdb import Activated, DuckActivation
from byheart.knowledge import lowered
from byheart.profiles.activation import activation
from byheart.ranking.activation import Candidate, Population, Ranked, Sides, rank
from byheart.ranking.activation.ranked import of_table

from ..counts import examples

pytest.importorskip("duckdb", reason="the extra duckdb is not installed")

DAY = 86_400.0
NOW = 1_000 * DAY
FIGURES = 1e-9
"""Scores of SQL and of the stages: doubles of two libraries of mathematics, as the published cases allow."""
COSINES = 2**-24
"""Half a unit in the last place of a cosine: a memory keeps them in 32 bits."""

shares = st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])
signs = st.lists(st.sampled_from([0.5, -0.5]), min_size=4, max_size=4)  # of length 1, and their cosines are exact
records = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(["tea 100%", "tea", "a Kettle_b", "kettle", "やかん", "ＴＥＡ\u3000pot", "cup\\b"]),
            "utility": st.none() | st.sampled_from([0.0, -0.73, 0.5, 2.0]),
            "confidence": shares,
            "quality": shares,
            "kind": st.sampled_from([None, "fact", "task", "preference", "policy_hint", "turn"]),
            "created_at": st.sampled_from([NOW - 400 * DAY, NOW - 20 * DAY, NOW, NOW + DAY]),
            "updated_at": st.none() | st.just(NOW - 3 * DAY),
            "recency_anchor": st.none() | st.just(NOW - DAY),
            "expires_at": st.none() | st.sampled_from([NOW, NOW + 1.0]),
            "entities": st.sampled_from([(), ("e",), ("e", "f")]),
            "scope": st.sampled_from(["session", "project"]),
            "boundary_class": st.sampled_from(["internal", "public", "secret"]),
            "archived_by": st.none() | st.none() | st.just("s"),
            "vector": st.none() | signs | st.just([0.0] * 4),
        }
    ),
    min_size=1,
    max_size=14,
)
questions = st.sampled_from(["tea", "100%", "kettle", "e_b", "やかん", "t", "\\", "TEA pot", "%", "none of it"])
parameters = st.builds(
    Retrieval,
    alpha=st.sampled_from([0.3, 0.65, 0.9]),
    k_txt=st.none() | st.integers(1, 4),
    k_vec=st.none() | st.integers(1, 4),
    k_final=st.integers(1, 6),
    min_score=st.sampled_from([0.0, 0.15, 0.4]),
    half_life_days=st.sampled_from([None, 60.0]),
    half_life_days_by_kind=st.sampled_from([None, {"task": 7.0}]),
    use_quality=st.booleans(),
    recency_anchor=st.booleans(),
    dynamic_alpha=st.booleans(),
    text_fallback=st.sampled_from(["whole", "words"]),
)
boundaries = st.sampled_from(
    [
        Boundary(),
        Boundary(classes=("internal",)),
        Boundary(scopes=("session",)),
        Boundary(scopes=("project",), classes=("internal", "public", "secret")),
        Boundary(scopes=()),
        Boundary(classes=()),
    ]
)
WIDE = Boundary(classes=("internal", "public", "secret"))


def by_hand(held: Sequence[Mapping[str, Any]], query: str, vector: Any, asked: Retrieval, boundary: Boundary) -> Ranked:
    """Return what the stages say of candidates that are found here, slowly."""
    inside = [
        each for each in held if each["archived_by"] is None and boundary.holds(each["scope"], each["boundary_class"])
    ]
    wanted = lowered(query).split() if asked.text_fallback == "words" else [lowered(query)]
    holding = [each for each in inside if any(word in lowered(each["text"]) for word in wanted)]
    holding.sort(key=lambda each: (-each["created_at"], each["id"]))
    alive = [each for each in inside if each["expires_at"] is None or each["expires_at"] > NOW]
    k_txt, k_vec = asked.candidates
    places = {each["id"]: place for place, each in enumerate(holding, 1) if each in alive}
    words = dict(list(places.items())[:k_txt])
    near = {}
    for each in alive if vector is not None else ():
        if each["vector"] is not None and any(each["vector"]):
            near[each["id"]] = sum(a * b for a, b in zip(each["vector"], vector, strict=True))
    cosines = dict(sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:k_vec])
    candidates = [
        Candidate(
            id=each["id"], text_rank=words.get(each["id"]), similarity=cosines.get(each["id"]),
            utility=each["utility"] or 0.0, confidence=0.5 if each["confidence"] is None else each["confidence"],
            quality=0.5 if each["quality"] is None else each["quality"], kind=each["kind"],
            created_at=each["created_at"], updated_at=each["updated_at"], anchored_at=each["recency_anchor"],
            text=each["text"], entities=each["entities"],
            vector=None if each["vector"] is None else np.array(each["vector"], dtype="<f4"),
        )
        for each in inside
        if each["id"] in words or each["id"] in cosines
    ]  # fmt: skip
    population = Population.of([each["utility"] or 0.0 for each in inside])
    sides = Sides(full_text=False, vectors=vector is not None)
    return rank(candidates, asked, now=NOW, query=query, sides=sides, population=population)


def check(found: Activated | Ranked, expected: Ranked, tolerance: float) -> None:
    """Hold both answers together: order, every part, what was left out, and the figures."""
    assert [item.id for item in found.items] == [item.id for item in expected.items]
    assert found.below == expected.below and found.alpha == expected.alpha
    for one, other in zip(found.items, expected.items, strict=True):
        mine, theirs = one.features(), other.features()
        g = [mine.pop("g"), theirs.pop("g")]
        for got, wanted in ((mine, theirs), g, ({"score": one.score}, {"score": other.score})):
            assert {name: None if value is None else pytest.approx(value, rel=0, abs=tolerance)
                    for name, value in wanted.items()} == got  # fmt: skip
        assert one.reason == other.reason or tolerance > FIGURES, "two decimals may fall on either side"
    for name, wanted in expected.figures.items():
        for what, value in wanted.items():
            assert found.figures[name][what] == (None if value is None else pytest.approx(value, rel=0, abs=tolerance))


def numbered(held: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": f"r{number * 7 % 15:02}", **each} for number, each in enumerate(held)]


def far_apart(expected: Ranked) -> bool:
    """Return whether no two scores differ by so little that another library may turn them round."""
    scores = sorted(item.score for item in expected.items)
    return all(low == high or high - low > 1e3 * FIGURES for low, high in pairwise(scores))


@settings(max_examples=examples(600), deadline=None)
@given(records, questions, st.none() | signs, parameters, boundaries, st.sampled_from(["outer", "union"]))
def test_the_statement_is_the_stages(
    held: list[dict[str, Any]], query: str, vector: Any, asked: Retrieval, boundary: Boundary, join: str
) -> None:
    given = numbered(held)
    everything = by_hand(given, query, vector, Retrieval(**{**_said(asked), "min_score": 0.0, "k_final": 50,
        "k_txt": asked.candidates[0], "k_vec": asked.candidates[1], "entity_cap": 50}), boundary)  # fmt: skip
    assume(far_apart(everything))
    kept = [Record(**{name: value for name, value in each.items() if name != "vector"}) for each in given]
    vectors = {each["id"]: each["vector"] for each in given if each["vector"] is not None}
    if not vectors:
        vector = None
    with DuckActivation(kept, vectors=vectors, boundary=WIDE, settings=asked, extensions=(), join=join) as tables:
        found = tables.search(query, vector, now=NOW, boundary=boundary)
    check(found, by_hand(given, query, vector, asked, boundary), FIGURES)


def _said(asked: Retrieval) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in asked.__dataclass_fields__}


@settings(max_examples=examples(400), deadline=None)
@given(records, questions, st.none() | signs, parameters, boundaries)
def test_a_memory_gives_the_same_answer(
    held: list[dict[str, Any]], query: str, vector: Any, asked: Retrieval, boundary: Boundary
) -> None:
    memory = Memory(vectors="signs:4", noise=None)
    for each in numbered(held):
        own = {"archived_by": None if each["archived_by"] is None else each["id"]}
        memory.remember({**{name: each[name] for name in each if name != "vector"}, **own}, vector=each["vector"])
    profile = activation(asked, full_text=False)
    expected = of_table(memory.recall(query, profile=profile, boundary=boundary, vector=vector, now=NOW).table)
    assume(far_apart(expected))
    with DuckActivation(memory, boundary=boundary, settings=asked, extensions=()) as tables:
        check(tables.search(query, vector, now=NOW), expected, FIGURES)


@settings(max_examples=examples(50), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_real_vectors_are_as_near(number: int) -> None:
    """A memory's cosines are of 32 bits; whatever follows from them is as near."""
    random = np.random.default_rng(number)
    memory = Memory(vectors="random:32", noise=None)
    for place in range(20):
        memory.remember(f"tea {place % 7}", id=f"r{place:02}", vector=random.normal(size=32), created_at=place * DAY)
    vector = random.normal(size=32)
    asked = Retrieval(min_score=0.0, k_final=20, trade_off=1.0)
    hits = memory.recall("tea 3", profile=activation(asked, full_text=False), vector=vector, now=NOW)
    with DuckActivation(memory, settings=asked, extensions=()) as tables:
        found = tables.search("tea 3", vector, now=NOW)
    scores = {item.id: item.score for item in found.items}
    assert len(scores) == len(hits) > 5
    assert scores == {hit.id: pytest.approx(hit.score, rel=0, abs=COSINES) for hit in hits}
