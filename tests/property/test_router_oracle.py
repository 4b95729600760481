"""The router against its slow version: over lists, and over a memory whose stages are recorded."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.profiles.router import RouterConfig
from byheart.ranking.qmd import chunks
from byheart.ranking.qmd import fusion as qmd_fusion
from byheart.ranking.qmd.chunks import Break
from byheart.ranking.router import fusion
from byheart.ranking.router.fusion import Placed
from byheart.ranking.router.routing import Constants, route
from byheart.reference import router as slow
from byheart.retrieval.protocol import register
from byheart.retrieval.recorded import Recorded

from ..counts import examples

NAMES = [f"r{number}" for number in range(8)]
lists = st.lists(st.sampled_from(NAMES), max_size=12)
rules = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(fusion.MODES),
        "top_k": st.integers(1, 12),
        "n1": st.integers(1, 12),
        "n2": st.integers(1, 12),
        "max_append": st.integers(0, 5),
        "min_must": st.integers(0, 6),
        "k_rrf": st.integers(0, 80),
        "always_stage2": st.booleans(),
    },
)
milliseconds = st.none() | st.sampled_from([0.0, 599.0, 600.0, 600.25, 5000.0])
rows_of = st.tuples(st.sampled_from(NAMES), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 1), st.integers(1, 3))
TOLD = ("ids", "stage2_should_trigger", "stage2_used", "stage2_skipped_budget")


@settings(max_examples=examples(2_000))
@given(lists, lists, rules, milliseconds, milliseconds, st.booleans(), st.booleans())
def test_routing_is_that_of_the_slow_version(
    first: list[str],
    second: list[str],
    chosen: dict[str, Any],
    estimate: float | None,
    took: float | None,
    bad1: bool,
    bad2: bool,
) -> None:
    errors = {name: "x" for name, bad in (("stage1", bad1), ("stage2", bad2)) if bad}
    latency = {} if took is None else {"stage2": took}
    got = route(first, second, Constants(**chosen), estimate_ms=estimate, latency_ms=latency, errors=errors).to_dict()
    wanted = slow.route(
        first, second, **chosen, estimate_ms=estimate, stage2_ms=took, stage1_failed=bad1, stage2_failed=bad2
    )
    assert {name: got[name] for name in TOLD} == wanted


@given(st.lists(lists, max_size=4), st.integers(0, 80))
def test_reciprocal_ranks(given_lists: list[list[str]], k: int) -> None:
    assert [(row.id, row.score) for row in fusion.rrf(given_lists, k)] == slow.rrf(given_lists, k)


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 1), st.integers(1, 3)))
)
def test_the_order_is_total_and_that_of_the_slow_version(rows: list[tuple[str, float, int, int]]) -> None:
    assert [row.id for row in fusion.in_order(Placed(*row) for row in rows)] == slow.ordered(rows)
    assert fusion.in_order(Placed(*row) for row in reversed(rows)) == fusion.in_order(Placed(*row) for row in rows)


@given(st.lists(lists, max_size=4), st.lists(st.sampled_from([0.0, 1.0, 2.0]), max_size=4))
def test_the_fusion_of_qmd(given_lists: list[list[str]], weights: list[float]) -> None:
    assert qmd_fusion.rrf(given_lists, weights) == slow.qmd_rrf(given_lists, weights)


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.sampled_from([0.0, 1.0, 20.0, 100.0]))),
    st.integers(0, 1000),
    st.lists(st.tuples(st.integers(0, 500), st.integers(500, 1000)), max_size=2),
)
def test_cuts(breaks: list[tuple[int, float]], target: int, fences: list[tuple[int, int]]) -> None:
    got = chunks.cutoff([Break(*each) for each in breaks], target, fences=fences)
    assert got == slow.cutoff(breaks, target, fences=fences)


@given(st.text(st.sampled_from("# `\n-a1. "), max_size=400), st.integers(20, 60))
def test_pieces_hold_all_of_a_text(text: str, size: int) -> None:
    made = chunks.pieces(text, size=size, overlap=4, window=10)
    joined = ""
    for piece in made:
        assert len(piece.text) <= size and text.startswith(piece.text, piece.pos)
        assert piece.pos <= len(joined)
        joined = text[: piece.pos + len(piece.text)]
    assert joined == text


@settings(max_examples=examples(300))
@given(lists, lists, rules, milliseconds, milliseconds)
def test_the_profile_routes_as_the_slow_version(
    first: list[str], second: list[str], chosen: dict[str, Any], estimate: float | None, took: float | None
) -> None:
    memory = byheart.Memory()
    for name in NAMES:
        memory.remember(f"text of {name}", id=name)
    for stage, found, time in (("oracle one", first, 1.0), ("oracle two", second, 1.0 if took is None else took)):
        entry = {"question": "x", "retrieved_session_ids": found, "latency_ms": time}
        register(Recorded(stage, {"results": [entry]}), replace=True)
    config = RouterConfig(stage1="oracle one", stage2="oracle two", estimate=estimate, **chosen)
    answer = memory.recall("x", k=config.top_k, profile=config.profile(), explain=True)
    wanted = slow.route(first, second, **chosen, estimate_ms=estimate, stage2_ms=1.0 if took is None else took)
    assert [hit.id for hit in answer] == wanted.pop("ids")
    assert answer.receipt.routing is not None
    assert {name: answer.receipt.routing[name] for name in wanted} == wanted
    assert all(hit.explanation is not None and hit.explanation.recomputed() == hit.score for hit in answer)
    assert [hit.score for hit in answer] == sorted((hit.score for hit in answer), reverse=True)
