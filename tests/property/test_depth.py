"""A recall looks only as deep as its hits need: the first rows of a search, and all of them, give the same answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byheart
from byheart import profiles
from byheart.embedding import HashingEmbedder
from byheart.ranking.agreement import cut
from byheart.ranking.algebra import Stage, StageContext
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.single import one_pass
from byheart.recall.depth import decided

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


def staged(stages: Sequence[Stage], name: str, hits: Hits, context: StageContext, k: int) -> tuple[Candidates, bool]:
    """Return the table after each stage has run, and the cut; and whether more rows could not change the hits."""
    tables = [join({name: hits})]
    for stage in stages:
        tables.append(stage(tables[-1], context))
    return cut(tables[-1], k), decided(stages, tables, k)


@given(searches(), STAGES, st.integers(1, 12), st.sampled_from([5, 100]), st.booleans(), st.data())
def test_first_rows_and_one_pass_give_what_the_stages_give_of_all(
    search: tuple[str, Hits, dict[str, bytes]],
    stages: Sequence[Stage],
    k: int,
    inside: int,
    knows_the_best: bool,
    data: st.DataObject,
) -> None:
    name, hits, contents = search
    tops = {name: hits[0][1]} if knows_the_best else {}
    context = StageContext(
        now=0.0,
        k=k,
        inside=inside,
        tops=tops,
        content_hashes=lambda keys: {key: contents[key].hex() for key in keys},
    )
    full, _ = staged(stages, name, hits, context, k)
    depth = data.draw(st.integers(1, len(hits)))
    for rows in (depth, len(hits)):
        table, is_decided = staged(stages, name, hits[:rows], context, k)
        passed = one_pass(
            stages, name, hits[:rows], tops=tops, inside=inside, hashes=lambda keys: [contents[key] for key in keys],
            k=k,
        )  # fmt: skip
        if passed is not None:
            assert passed == (table, is_decided)
            assert list(passed[0].columns) == list(table.columns)
        if is_decided or rows == len(hits):
            assert (table.keys, table.columns, table.notes) == (full.keys, full.columns, full.notes)
            assert table.applied == full.applied


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
            mine, theirs = short.to_dict(), whole.to_dict()
            looked, proposed = mine.pop("dropped"), theirs.pop("dropped")
            assert mine == theirs
            fewer += len(looked) < len(proposed)
    assert fewer, "no recall stopped before the end of its pool"
