"""A recall looks only as deep as its hits need: the first rows of a search, and all of them, give the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import byheart
from byheart import profiles
from byheart._core import Agreement
from byheart.embedding import HashingEmbedder
from byheart.ranking.agreement import cut
from byheart.ranking.algebra import Stage, StageContext
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.single import one_pass

from ..counts import examples
from .strategies import unexplained

Hits = list[tuple[str, float]]

SCORES = st.one_of(st.sampled_from([0.25, 0.5, 1.0, 1.5, 3.0]), st.floats(min_value=0.01, max_value=4.0))
SHARES = st.sampled_from([0.0, 0.15, 0.3, 0.5, 1.0])
STAGES = st.builds(
    lambda floor, gap, literal, dense: profiles.EscalatingConfig(
        "p", min_score=floor, gap=gap, literal=literal, weights={"lexical": 0.9, "dense": 0.7}
    ).stages(),
    SHARES,
    SHARES,
    st.booleans(),
    st.booleans(),
)


@st.composite
def searches(draw: st.DrawFn) -> tuple[str, Hits, dict[str, bytes]]:
    """Return a retriever, what it proposes, best first, and the contents of the records, some of them alike."""
    name = draw(st.sampled_from(["lexical", "dense"]))
    scores = draw(st.lists(SCORES if name == "lexical" else SCORES.map(lambda x: x / 2 - 0.2), min_size=1, max_size=30))
    hits = sorted(((f"r{at:02}", score) for at, score in enumerate(scores)), key=lambda hit: (-hit[1], hit[0]))
    contents = {id: bytes([draw(st.integers(0, 60))]) * 16 for id, _ in hits}
    return name, hits, contents


def staged(stages: Sequence[Stage], name: str, hits: Hits, context: StageContext, k: int) -> Candidates:
    """Return the table after each stage has run, and the cut."""
    table = join({name: hits})
    for stage in stages:
        table = stage(table, context)
    return cut(table, k)


@given(searches(), STAGES, st.integers(1, 12), st.sampled_from([5, 100]), st.data())
def test_one_pass_over_the_first_rows_gives_what_the_stages_give_of_all(
    search: tuple[str, Hits, dict[str, bytes]], stages: Sequence[Stage], k: int, inside: int, data: st.DataObject
) -> None:
    name, hits, contents = search
    rules = one_pass(stages, name)
    assert rules is not None, "these are the stages of a pass"
    top = hits[0][1]
    context = StageContext(
        now=0.0, k=k, inside=inside, tops={name: top} if top > 0.0 else {},
        content_hashes=lambda keys: {key: contents[key].hex() for key in keys},
    )  # fmt: skip
    full = staged(stages, name, hits, context, k)
    depth = data.draw(st.integers(1, len(hits)))
    for rows in (depth, len(hits)):
        first = hits[:rows]
        agreed = Agreement.of(
            [id for id, _ in first], [score for _, score in first], [contents[id] for id, _ in first],
            weight=rules.weight, cosines=rules.clamps, floor=rules.floor_for(inside), gap=rules.gap, k=k, top=top,
        )  # fmt: skip
        if agreed is None:
            # Only cosines are out of the ordinary here: those not above 0, and those that clamping puts in a tie.
            assert name == "dense" and (first[-1][1] <= 0.0 or first[0][1] > 1.0)
            continue
        table = rules.table(agreed, inside, k, ())
        if rows == len(hits):
            assert table == full
            assert list(table.columns) == list(full.columns)
        elif agreed.is_certain:
            assert (table.keys, table.columns, table.notes, table.applied) == (
                full.keys, full.columns, full.notes, full.applied,
            )  # fmt: skip


@pytest.mark.parametrize("name", ["kb-fast", "kb-balanced", "dense"])
def test_the_answer_is_that_of_a_recall_over_the_whole_pool(name: str) -> None:
    """With `explain=True` everything is looked at."""
    memory = byheart.Memory(embedder=HashingEmbedder(64), noise=None)
    words = ["tea", "kettle", "spring", "water", "cup", "leaf"]
    memory.remember_many(
        {"id": f"r{at:03}", "text": f"{words[at % 6]} {words[at // 6 % 6]} {words[at % 5]} {at % 40}", "created_at": 0}
        for at in range(240)
    )
    fewer = 0
    for query in ("tea kettle", "spring water 7", "cup leaf tea 3", "kettle"):
        for k in (1, 3, 10, 60, 95):
            short, whole = memory.recall(query, k, name), memory.recall(query, k, name, explain=True)
            mine, theirs = unexplained(short), unexplained(whole)
            looked, proposed = mine.pop("dropped"), theirs.pop("dropped")
            assert mine == theirs
            fewer += len(looked) < len(proposed)
    assert fewer, "no recall stopped before the end of its pool"


VECTORS = st.lists(st.integers(-2, 2), min_size=3, max_size=3).filter(any)
WAITING = profiles.EscalatingConfig(
    "waiting", primary="dense", escalation="few", min_acceptable=4, weights={"dense": 0.9, "hypervector": 0.5}
).profile()


@settings(max_examples=examples(400))
@given(
    st.lists(st.tuples(VECTORS, st.sampled_from("abcd")), min_size=1, max_size=40),
    VECTORS,
    st.sampled_from([{"topic": "a"}, {"topic": ["a", "b"]}, {"topic": {"not": "c"}}, {"topic": "absent"}]),
    st.sampled_from(["dense", "auto", WAITING]),
    st.integers(1, 12),
)
def test_a_filter_answers_as_beside_a_search_of_all(
    held: list[tuple[list[int], str]], vector: list[int], where: dict[str, Any], profile: Any, k: int
) -> None:
    """What no stage reads of all records is not searched for; a recall that is explained looks at everything."""
    with byheart.Memory(vectors="own:3", noise=None) as memory:
        memory.remember_many(
            {"id": f"r{at:02}", "text": f"tea {at}", "topic": topic, "vector": row, "created_at": 0}
            for at, (row, topic) in enumerate(held)
        )
        asked: dict[str, Any] = {"vector": vector, "where": where, "now": 1.0, "min_strength": 0.0}
        short = memory.recall("a kettle", k, profile, **asked)
        whole = memory.recall("a kettle", k, profile, **asked, explain=True)
        mine, theirs = unexplained(short), unexplained(whole)
        mine.pop("dropped"), theirs.pop("dropped")
        assert mine == theirs
        event(f"{profile if isinstance(profile, str) else profile.name}, {'found' if short.hits else 'nothing'}")


@pytest.mark.parametrize("name", ["dense", "auto"])
def test_a_filtered_question_searches_no_vectors_beside_those_that_may_be_found(name: str) -> None:
    legs: list[Any] = []

    class Watched:
        def __init__(self, core: Any) -> None:
            self._core = core

        def propose(self, asked: Sequence[Any], *given: Any, **more: Any) -> Any:
            legs.extend(asked)
            return self._core.propose(asked, *given, **more)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._core, name)

    with byheart.Memory(vectors="own:2", noise=None) as memory:
        for at in range(40):
            memory.remember(f"tea {at}", topic="ab"[at % 2], vector=[1.0, at / 40])
        partition = memory._engine.indexes["default"]
        partition.core = Watched(partition.core)  # type: ignore[assignment]
        found = memory.recall("tea", 3, name, where={"topic": "a"}, vector=[1.0, 0.0], min_strength=0.0)
    assert len(found) == 3
    of_vectors = [leg for leg in legs if leg["retriever"] == "dense"]
    assert of_vectors and not any(leg["whole"] for leg in of_vectors)


def test_a_last_row_that_scores_like_the_last_hit_is_not_enough() -> None:
    """Rows of one score stand in the order of their ids: one behind, lower before rounding, may come before."""
    rules = {"weight": 1.0, "cosines": False, "floor": None, "gap": 0.0, "k": 1, "top": 2.0}
    hashes = [bytes([number]) * 16 for number in range(2)]
    same = Agreement.of(["b", "c"], [1.0, 1.0], hashes, **rules)  # type: ignore[arg-type]
    lower = Agreement.of(["b", "c"], [1.0, 0.5], hashes, **rules)  # type: ignore[arg-type]
    assert same is not None and lower is not None
    assert not same.is_certain and lower.is_certain
