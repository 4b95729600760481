"""A recall looks only as deep as its hits need: the first rows of a search, and all of them, give the same answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byheart
from byheart import profiles
from byheart._core import Agreement
from byheart.embedding import HashingEmbedder
from byheart.ranking.agreement import cut
from byheart.ranking.algebra import Stage, StageContext
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.single import one_pass

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


def test_a_last_row_that_scores_like_the_last_hit_is_not_enough() -> None:
    """Rows of one score stand in the order of their ids: one behind, lower before rounding, may come before."""
    rules = {"weight": 1.0, "cosines": False, "floor": None, "gap": 0.0, "k": 1, "top": 2.0}
    hashes = [bytes([number]) * 16 for number in range(2)]
    same = Agreement.of(["b", "c"], [1.0, 1.0], hashes, **rules)  # type: ignore[arg-type]
    lower = Agreement.of(["b", "c"], [1.0, 0.5], hashes, **rules)  # type: ignore[arg-type]
    assert same is not None and lower is not None
    assert not same.is_certain and lower.is_certain
