"""Two memories with different models on one file: whoever was first is told, and takes nothing back unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import FingerprintMismatch


def test_the_vectors_of_another_model_are_not_made_anew_unasked(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with byheart.Memory(path, embedder=HashingEmbedder(64)) as old:
        old.remember_many(["The kettle leaks.", "The bath is full."])
        assert old.embed().made == 0
        with byheart.Memory(path, embedder=HashingEmbedder(128), reembed=True) as new:
            [note] = old.recall("kettle").degraded
            assert "vectors of another model" in note
            assert "Memory.embed" not in note
            with pytest.raises(FingerprintMismatch, match="since this memory was opened"):
                old.embed()
            assert not new.recall("kettle").degraded
            assert old.embed(HashingEmbedder(64)).made == 2, "whoever gives one means it"


def test_a_memory_that_is_to_change_the_model_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class Down(HashingEmbedder):
        is_down = True

        def embed_documents(self, texts):  # type: ignore[no-untyped-def]
            if self.is_down:
                raise ConnectionError("down")
            return super().embed_documents(texts)

    path = tmp_path / "a.db"
    with byheart.Memory(path, embedder=HashingEmbedder(64)) as memory:
        memory.remember("The kettle leaks.")
    model = Down(128)
    with pytest.raises(ConnectionError):
        byheart.Memory(path, embedder=model, reembed=True)
    model.is_down = False
    with byheart.Memory(path, embedder=model, reembed=True) as memory:
        assert memory.embed().made == 0


def test_why_a_record_is_no_hit_names_the_embedder_that_failed() -> None:
    class Down(HashingEmbedder):
        def embed_queries(self, texts):  # type: ignore[no-untyped-def]
            raise ConnectionError("down")

    memory = byheart.Memory(embedder=Down())
    memory.remember("The kettle leaks.", id="k")
    memory.remember("The bath is full.", id="b")
    told = str(memory.explain("kettle leaks", "b", profile="dense"))
    assert "the embedder failed (ConnectionError: down)" in told
