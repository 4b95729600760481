"""Chroma as a persistent collection, which writes through an SQLite of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapter import Answer, Store
from data import TOP, Item


class Chroma(Store):
    """A persistent collection; in this form it ranks by vectors alone."""

    name = "Chroma"
    packages, imports = ("chromadb",), ("chromadb",)
    promise = "synced, by its own SQLite; the vectors' index follows from its log"
    vectors = "HNSW"
    cannot = frozenset({"text", "hybrid"})

    def _client(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        return chromadb.PersistentClient(str(self.folder / "chroma"), Settings(anonymized_telemetry=False))

    def create(self) -> None:
        self.collection = self._client().create_collection(
            "records", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def open(self) -> None:
        self.collection = self._client().get_collection("records", embedding_function=None)

    def add(self, items: Sequence[Item]) -> None:
        self.collection.add(
            ids=[str(item.number) for item in items],
            embeddings=[item.vector for item in items],
            documents=[item.text for item in items],
            metadatas=[{"group": item.group} for item in items],
        )

    def _found(self, vector: Any, **more: Any) -> Answer:
        found = self.collection.query(query_embeddings=[vector], n_results=TOP, include=["documents"], **more)
        return [(int(id), text) for id, text in zip(found["ids"][0], found["documents"][0], strict=True)]

    def text(self, words: str) -> Answer:
        raise NotImplementedError("a local collection filters by words, and ranks by none")

    def vector(self, vector: Any) -> Answer:
        return self._found(vector)

    def hybrid(self, words: str, vector: Any) -> Answer:
        raise NotImplementedError("a local collection has no ranking by words to join")

    def filtered(self, vector: Any, group: str) -> Answer:
        return self._found(vector, where={"group": group})
