"""What is measured with embeddings: the vectors of judged collections, made by real models, kept between runs.

A model is embedded once at its full width; narrower ones are its first components at unit length. For a table trained
as a Matryoshka that is what it was trained for; all-MiniLM-L6-v2 was not, and shows what cutting does to other models.
Where it would take too long on all of a collection, `sample` makes a smaller one; seed 7, all else is deterministic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byheart.embedding import Embedder, Fingerprint, Mode, StaticEmbedder, Vectors, embed_checked, unit_rows
from byheart.evaluation.datasets import Collection, Document, Query

WORDLLAMA, MINILM = "WordLlama", "MiniLM"
WIDTHS = {WORDLLAMA: (64, 128, 256), MINILM: (64, 128, 384)}
BATCH = 512
SEED, SAMPLED_QUERIES, SAMPLED_DOCUMENTS = 7, 200, 1_000
TOO_SLOW = {MINILM: ("scifact-train", "jsquad-valid")}  # of these the model gets a sample


@dataclass(frozen=True, slots=True)
class Cell:
    """What one query may find: documents, their vectors, and the judged queries that look there."""

    name: str
    ids: Sequence[str]
    documents: Vectors
    queries: Sequence[Query]
    asked: Vectors

    def cut(self, width: int) -> Cell:
        """Return the same with the first `width` components, at unit length."""
        return Cell(
            self.name, self.ids, unit_rows(self.documents[:, :width]), self.queries, unit_rows(self.asked[:, :width])
        )

    def scores(self) -> NDArray[np.float64]:
        """Return the cosine of each query and document, shape (queries, documents)."""
        return self.asked.astype(np.float64) @ self.documents.T.astype(np.float64)


def embedders(minilm: Path | None) -> dict[str, Embedder]:
    """Return the models at hand: WordLlama always, MiniLM where its folder is given."""
    found: dict[str, Embedder] = {WORDLLAMA: StaticEmbedder.wordllama(max(WIDTHS[WORDLLAMA]))}
    if minilm is not None:
        from byheart.embedding.onnx import OnnxEmbedder

        found[MINILM] = OnnxEmbedder(minilm, "all-MiniLM-L6-v2", threads=2)
    return found


def sample(collection: Collection) -> Collection:
    """Return 200 queries, what they are judged on, and more documents up to 1,000, by a seeded hash of the ids."""

    def drawn(id: str) -> bytes:
        return hashlib.sha256(f"{SEED}/{id}".encode()).digest()

    queries = sorted(collection.judged(), key=lambda query: drawn(query.id))[:SAMPLED_QUERIES]
    needed = {id for query in queries for id in collection.grades[query.id]}
    ids = sorted((document.id for document in collection.documents), key=lambda id: (id not in needed, drawn(id)))
    kept = set(ids[: max(SAMPLED_DOCUMENTS, len(needed))])
    return replace(
        collection,
        name=f"{collection.name}, sample",
        documents=tuple(document for document in collection.documents if document.id in kept),
        queries=tuple(queries),
    )


def feasible(collection: Collection, model: str) -> Collection:
    """Return the collection, or a sample where this model would take too long for all of it."""
    return sample(collection) if collection.name in TOO_SLOW.get(model, ()) else collection


def text_of(document: Document) -> str:
    """Return what is embedded: the title, if there is one, and the text as it is searched."""
    return f"{document.title}. {document.searched()}" if document.title else document.searched()


def cells(collection: Collection, embedder: Embedder, cache: Path | None) -> Iterator[Cell]:
    """Give each conversation of a collection, or the whole of one without conversations."""
    documents = embedded(embedder, [text_of(document) for document in collection.documents], "document", cache)
    judged = collection.judged()
    asked = embedded(embedder, [query.text for query in judged], "query", cache)
    for name in sorted({document.conversation or "" for document in collection.documents}):
        rows = [at for at, document in enumerate(collection.documents) if (document.conversation or "") == name]
        about = [at for at, query in enumerate(judged) if (query.conversation or "") == name]
        ids = [collection.documents[at].id for at in rows]
        yield Cell(name, ids, documents[rows], [judged[at] for at in about], asked[about])


def embedded(embedder: Embedder, texts: Sequence[str], mode: Mode, cache: Path | None) -> Vectors:
    """Return the vectors of the texts, from the cache if it has those of this model and these texts."""
    key = hashlib.sha256("\0".join([str(embedder.fingerprint), mode, *texts]).encode()).hexdigest()[:24]
    file = None if cache is None else cache / f"{key}.npy"
    if file is not None and file.exists():
        kept: Vectors = np.load(file)
        return kept
    batches = [embed_checked(embedder, texts[first : first + BATCH], mode) for first in range(0, len(texts), BATCH)]
    rows: Vectors = np.concatenate(batches)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, rows)
    return rows


class Kept:
    """An embedder that keeps what it made: in memory, and in files as `embedded` does it."""

    def __init__(self, inner: Embedder, cache: Path | None) -> None:
        self._inner, self._cache = inner, cache
        self._rows: dict[tuple[Mode, str], Vectors] = {}

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "document")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "query")

    def _embed(self, texts: Sequence[str], mode: Mode) -> Vectors:
        if any((mode, text) not in self._rows for text in texts):
            rows = embedded(self._inner, texts, mode, self._cache)
            self._rows.update(((mode, text), row) for text, row in zip(texts, rows, strict=True))
        return np.stack([self._rows[mode, text] for text in texts])
