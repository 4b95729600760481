"""The profile `activation` in a memory: the same as its formulas over what the legs find, inside every boundary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory, Profile, Record
from byheart.boundary import Boundary
from byheart.boundary.policy import Retrieval
from byheart.embedding import Fingerprint
from byheart.profiles import Leg
from byheart.profiles.activation import activation
from byheart.ranking.activation import Population
from byheart.ranking.activation.ranked import Candidate, Sides, of_table, rank
from byheart.ranking.algebra import Stage, StageContext
from byheart.ranking.candidates import Candidates

from ..counts import examples

DAY = 86_400.0
NOW = 1_000 * DAY
WORDS = ["tea", "kettle", "pot", "milk", "cup"]
INTERNAL = Boundary(classes=("internal",))


class Pointing:
    """An embedder by which texts point to where their letters do."""

    dimensions = 4
    fingerprint = Fingerprint("pointing", 4, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> Any:
        rows = np.array([[text.count(letter) for letter in "aeit"] for text in texts], dtype=np.float32) + 0.25
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    embed_queries = embed_documents


@dataclass(frozen=True, slots=True)
class AsFound(Stage):
    """Leaves the table as the legs filled it."""

    name = "as found"
    inputs = ()

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        return table.with_column("score", [0.0] * len(table.keys))


shares = st.none() | st.sampled_from([0.0, 0.5, 1.0])
records = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            "utility": shares,
            "confidence": shares,
            "quality": shares,
            "kind": st.sampled_from([None, "fact", "task", "turn"]),
            "created_at": st.sampled_from([NOW - 400 * DAY, NOW - 20 * DAY, NOW]),
            "updated_at": st.none() | st.just(NOW - DAY),
            "entities": st.sampled_from([(), ("e",), ("e", "f")]),
            "boundary_class": st.sampled_from(["internal", "secret"]),
            "topic": st.none() | st.just("drinks"),
        }
    ),
    min_size=1,
    max_size=14,
)
parameters = st.builds(
    Retrieval,
    alpha=st.sampled_from([0.3, 0.65, 0.9]),
    k_final=st.integers(1, 6),
    min_score=st.sampled_from([0.0, 0.15, 0.4]),
    use_quality=st.booleans(),
    dynamic_alpha=st.booleans(),
)


def memory_of(given: Sequence[Mapping[str, Any]], *, embedder: bool) -> Memory:
    memory = Memory(embedder=Pointing() if embedder else None, noise=None)
    memory.remember_many([{"id": f"r{number:02}", **each} for number, each in enumerate(given)])
    return memory


def by_hand(
    memory: Memory, query: str, asked: Retrieval, *, embedder: bool, full_text: bool
) -> list[tuple[str, float]]:
    """Return what the formulas make of what the legs find."""
    made = activation(asked, full_text=full_text)
    bare = Profile(
        "bare", tuple(Leg(leg.retriever, leg.pool, settings=leg.settings) for leg in made.legs), (AsFound(),)
    )
    found = memory.recall(query, 100, bare, boundary=INTERNAL, now=NOW)
    everybody = list(memory.records({"boundary_class": "internal"}))
    columns = found.table.columns
    embed = Pointing().embed_documents if embedder else None

    def column(name: str, row: int) -> float | None:
        return columns[name][row] if name in columns else None

    def candidate(row: int, record: Record) -> Candidate:
        place = column("substring", row)
        return Candidate(
            id=record.id or "", text_score=column("lexical", row),
            text_rank=None if place is None else round(1.0 / place - 1.0), similarity=column("dense", row),
            utility=record.utility or 0.0, confidence=0.5 if record.confidence is None else record.confidence,
            quality=0.5 if record.quality is None else record.quality, kind=record.kind, created_at=record.created_at,
            updated_at=record.updated_at, text=record.gist(), entities=record.entities,
            vector=None if embed is None else embed([record.embedded()])[0].astype(np.float32),
        )  # fmt: skip

    candidates = [candidate(row, hit.record) for row, hit in enumerate(found.hits)]
    population = Population.of([record.utility or 0.0 for record in everybody])
    sides = Sides(full_text=full_text, vectors=embed is not None)
    got = rank(candidates, asked, now=NOW, query=query, sides=sides, population=population)
    return [(item.id, item.score) for item in got.items]


@settings(max_examples=examples(1_000), deadline=None)
@given(
    records,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    parameters,
    st.booleans(),
    st.booleans(),
)
def test_is_its_formulas_over_what_the_legs_find(
    given: list[dict[str, Any]], query: str, asked: Retrieval, embedder: bool, full_text: bool
) -> None:
    memory = memory_of(given, embedder=embedder)
    profile = activation(asked, full_text=full_text)
    found = memory.recall(query, profile=profile, boundary=INTERNAL, now=NOW)
    assert [(hit.id, hit.score) for hit in found] == by_hand(
        memory, query, asked, embedder=embedder, full_text=full_text
    )
    told = of_table(found.table)
    assert [(item.id, item.score) for item in told.items] == [(hit.id, hit.score) for hit in found]
    whole = memory.recall(query, profile=profile, boundary=INTERNAL, now=NOW, explain=True)
    assert [(hit.id, hit.score) for hit in whole] == [(hit.id, hit.score) for hit in found]
    for hit in found:
        assert hit.record.boundary_class == "internal"
        assert hit.score >= asked.min_score


@settings(max_examples=examples(300), deadline=None)
@given(records, st.sampled_from(WORDS), parameters)
def test_nothing_outside_shows(given: list[dict[str, Any]], query: str, asked: Retrieval) -> None:
    """A memory without the secret records gives the same answers, figures and reasons."""
    whole = memory_of(given, embedder=True)
    own = memory_of([], embedder=True)
    own.remember_many(
        [{"id": f"r{n:02}", **each} for n, each in enumerate(given) if each["boundary_class"] == "internal"]
        or [{"id": "none", "text": "-", "boundary_class": "secret"}]
    )
    one, other = (m.recall(query, profile=activation(asked), boundary=INTERNAL, now=NOW) for m in (whole, own))
    assert one.to_dict() == other.to_dict() and one.table.figures == other.table.figures


@settings(max_examples=examples(300), deadline=None)
@given(records, st.sampled_from(WORDS), st.integers(1, 5))
def test_a_filter_changes_no_score_and_k_only_cuts(given: list[dict[str, Any]], query: str, k: int) -> None:
    memory = memory_of(given, embedder=True)
    profile = activation(Retrieval(min_score=0.0))
    scores = {hit.id: hit.score for hit in memory.recall(query, profile=profile, now=NOW)}
    some = memory.recall(query, profile=profile, now=NOW, where={"kind": "fact"})
    assert all(hit.record.kind == "fact" for hit in some)
    assert all(scores[hit.id] == hit.score for hit in some if hit.id in scores)
    few = memory.recall(query, k, profile, now=NOW)
    assert [hit.id for hit in few] == [hit.id for hit in memory.recall(query, profile=profile, now=NOW)][:k]
