"""A vector that is none of the memory's model is not searched, and takes no record with it: at opening, or in a repair.

An embedder of another width than its fingerprint says opened an empty memory: all records were set aside as damaged,
and a repair erased them. So did a single vector of another model's width, or one that holds NaN.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart import Memory
from byheart.embedding import Fingerprint
from byheart.errors import ModelError
from byheart.storage import InProcessStore, Vectors, key_of

TEXTS = {"k": "The kettle leaks.", "b": "The bath leaks."}
WRONG = pytest.mark.parametrize("wrong", [np.ones(9), np.ones(7), np.full(8, np.nan), np.full(8, np.inf)])
STORES = pytest.mark.parametrize("kind", ["in process", "memory.jsonl", "memory.db"])


class Eight:
    """An embedder of eight dimensions, as its fingerprint says."""

    dimensions = 8
    fingerprint = Fingerprint("toy", 8, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return np.eye(self.dimensions, dtype=np.float32)[[len(text) % 8 for text in texts]]

    embed_queries = embed_documents


class Nine(Eight):
    """The same with another width, which its fingerprint does not say."""

    dimensions = 9


class Place:
    """Where a memory's records are kept, to be opened again."""

    def __init__(self, kind: str, folder: Path) -> None:
        self._path, self._store = folder / kind, InProcessStore() if kind == "in process" else None

    def opened(self, embedder: Any = None, **options: Any) -> Memory:
        if self._store is not None:
            return Memory(store=self._store, embedder=embedder, **options)
        return Memory(self._path, embedder=embedder, **options)


def ids(memory: Memory) -> set[str | None]:
    return {record.id for record in memory.records()}


@STORES
@pytest.mark.parametrize("options", [{}, {"reembed": True}, {"read_only": True}])
def test_an_embedder_that_its_fingerprint_does_not_fit_opens_nothing(
    kind: str, options: dict[str, Any], tmp_path: Path
) -> None:
    place = Place(kind, tmp_path)
    memory = place.opened(Eight())
    memory.remember_many([{"id": id, "text": text} for id, text in TEXTS.items()])
    with pytest.raises(ModelError, match="9 dimensions, but its fingerprint says 8"):
        place.opened(Nine(), **options)
    with pytest.raises(ModelError, match="9 dimensions"):
        memory.embed(Nine())
    assert [hit.id for hit in memory.recall("kettle")] == ["k"] and memory.check() == []
    with place.opened(Eight()) as again:
        assert ids(again) == set(TEXTS)


@STORES
@WRONG
def test_a_record_whose_vector_alone_is_wrong_is_found_by_its_words(kind: str, wrong: Any, tmp_path: Path) -> None:
    place = Place(kind, tmp_path)
    memory = place.opened(Eight())
    memory.remember_many([{"id": id, "text": text} for id, text in TEXTS.items()])
    store, record = memory._engine.store, memory.get("k")
    rows = {key_of(record): wrong.astype("<f4").tobytes()}
    store.write([record], [], Vectors(str(Eight.fingerprint), rows))
    if kind != "in process":
        memory.close()
    memory = place.opened(Eight())
    keeps = key_of(record) in dict(memory._engine.store.vectors(str(Eight.fingerprint)))  # a file of lines keeps none
    assert ids(memory) == set(TEXTS) and "k" in {hit.id for hit in memory.recall("kettle")}
    assert "vector" in " ".join(memory.recall("kettle").degraded) or not keeps
    told = memory.check()
    assert [(each.where, each.key.id) for each in told if each.key] == ([("vectors", "k")] if keeps else [])
    assert memory.check(repair=True) == told and memory.check() == []
    assert ids(memory) == set(TEXTS) and memory.get("k") == record
    memory.embed()
    assert memory.recall("kettle").degraded == () and memory.check() == []


@WRONG
def test_embed_makes_a_vector_anew_that_is_wrong(wrong: Any, tmp_path: Path) -> None:
    place = Place("memory.db", tmp_path)
    with place.opened(Eight()) as memory:
        memory.remember_many([{"id": id, "text": text} for id, text in TEXTS.items()])
        record = memory.get("k")
        rows = {key_of(record): wrong.astype("<f4").tobytes()}
        memory._engine.store.write([record], [], Vectors(str(Eight.fingerprint), rows))
    with place.opened(Eight()) as memory:
        assert memory.embed().made == 1 and memory.check() == []
        assert memory.recall("kettle").degraded == () and memory.embed().made == 0


def test_a_repair_inside_a_boundary_keeps_a_record_of_which_a_note_alone_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=Eight()) as memory:
        memory.remember(TEXTS["k"], id="k")
    with closing(sqlite3.connect(path)) as outsider, outsider:
        outsider.execute("UPDATE live_claims SET expires_at = 5")
    with Memory(path, embedder=Eight(), boundary={"classes": ["internal"]}) as memory:
        assert [each.where for each in memory.check(repair=True)] == ["live_claims"]
        assert ids(memory) == {"k"} and memory.recall("kettle").degraded == () and memory.check() == []
