"""A question of marks and words that no index keeps is answered by its first texts as by a look at all of them.

The look at all is that of an explained recall, which says of each record whether the marks let it through.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from byheart import Memory, profiles
from byheart.embedding import HashingEmbedder
from byheart.index.indexes import Indexes
from byheart.reference import operators as slow

from ..counts import examples

WORDS = ("the", "not", "in", "is", "i", "of", "fox", "The-Red", "don't", "zebra", "東京は", "lies")
MARKS = ('"the"', '"not in"', "+is", '"I"', "-the", "-zebra", '-"in the"', "+fox", '"は"', "+the", '"in not of"')
PLAIN = ("the", "of", "fox", "is", "zebra")
BOUNDARY = {"classes": ["public", "internal"]}

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
rows = st.fixed_dictionaries(
    {"text": texts, "boundary_class": st.sampled_from(["public", "public", "secret"])},
    optional={"topic": texts, "user_id": st.sampled_from("ab"), "session_id": st.sampled_from("st")},
)
common = st.tuples(st.sampled_from(MARKS), st.lists(st.sampled_from([*MARKS, "the", "of"]), max_size=2))
mixed = st.tuples(st.sampled_from(MARKS), st.lists(st.sampled_from([*MARKS, *PLAIN]), max_size=2))
questions = (common | mixed).map(lambda drawn: " ".join([drawn[0], *drawn[1]]))


def said(recall: Any) -> Any:
    hits = [(hit.id, hit.score.hex(), hit.strength) for hit in recall]
    return hits, recall.degraded, recall.strength, recall.receipt


@pytest.mark.parametrize("profile", [*profiles.NAMES])
@settings(max_examples=examples(40))
@given(
    batch=st.lists(rows, max_size=60),
    query=questions,
    k=st.sampled_from([1, 2, 10, 50]),
    asked=st.sampled_from([{}, {"min_strength": 0.0}, {"where": {"topic": {"$exists": False}}}, {"user_id": "a"}]),
    embedder=st.booleans(),
)
def test_the_first_texts_answer_as_all_of_them_do(
    profile: str, batch: list[dict[str, Any]], query: str, k: int, asked: dict[str, Any], embedder: bool
) -> None:
    if "min_strength" in asked and profile != "auto":
        asked = {}
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None, noise=None)
    memory.remember_many({**record, "id": f"r{number:02}"} for number, record in enumerate(batch))
    given = {"k": k, "profile": profile, "now": 10.0, "boundary": BOUNDARY, **asked}
    few, whole = memory.recall(query, **given), memory.recall(query, explain=True, **given)
    event("hits" if few else "no hits")
    assert said(few) == said(whole)
    if not asked and few and "marks" in few.table.columns:
        event("by marks alone")
        stored = [{**record, "id": f"r{number:02}"} for number, record in enumerate(batch)]
        read = slow.read(query)
        passing = [row["id"] for row in stored if row["boundary_class"] == "public" and slow.passes(row, read)]
        assert [hit.id for hit in few] == passing[:k]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many records each read of the indexes gives."""
    noted: list[int] = []
    plainly = Indexes.read

    def noting(indexes: Indexes, tenant: str, rows: Any, sequence: int) -> Any:
        noted.append(len(rows))
        return plainly(indexes, tenant, rows, sequence)

    monkeypatch.setattr(Indexes, "read", noting)
    return noted


def told(records: int) -> Memory:
    memory = Memory(noise=None)
    kinds = ("it is not in the way", "what I know of that", "the one that is here")
    texts = (f"{kinds[n % 3]} w{n} x{n % 97} y{n % 89}" for n in range(records))
    memory.remember_many({"id": f"r{n:05}", "text": text} for n, text in enumerate(texts))
    return memory


def test_as_many_texts_are_read_of_many_records_as_of_few(read: list[int]) -> None:
    counts: list[dict[str, tuple[int, int]]] = []
    for memory in (told(1_000), told(4_000)):
        found = {}
        for query in ('"not in"', '"is"', '"I"', "+the", "-the"):
            read.clear()
            hits = len(memory.recall(query, now=1.0))
            found[query] = hits, sum(read)
        counts.append(found)
    assert counts[0] == counts[1]
    assert counts[0].pop("-the") == (0, 0)
    assert all(hits == 10 and 10 <= records <= 80 for hits, records in counts[0].values()), counts[0]


def test_a_phrase_that_nothing_holds_is_looked_for_once(read: list[int]) -> None:
    found = told(600).recall('"in not"', now=1.0)
    assert found.degraded == ('nothing that may be found holds "in not"',)
    assert sum(read) == 600


def test_of_what_stands_beside_hits_no_other_texts_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(noise=None)
    memory.remember_many(
        {"id": f"t{n:04}", "text": f"kettle {n} is{' not' * (n % 2)} in", "session_id": "s", "created_at": 60.0 * n}
        for n in range(600)
    )
    noted: list[int] = []
    plainly = Indexes.stored

    def noting(indexes: Indexes, tenant: str, rows: Any) -> Any:
        noted.append(len(rows))
        return plainly(indexes, tenant, rows)

    monkeypatch.setattr(Indexes, "stored", noting)
    context = memory.context('kettle "not in"', 100, now=60.0 * 600)
    assert context.entries and all(" not in" in entry.text for entry in context.entries)
    assert 0 < sum(noted) < 100
