"""What dense.py and cascade.py measure on: the vectors of judged collections, made by real models, kept between runs.

A model is embedded once at its full width; narrower ones are its first components at unit length. For a table trained
as a Matryoshka that is what it was trained for; all-MiniLM-L6-v2 was not, and shows what cutting does to other models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byheart.embedding import Embedder, Mode, StaticEmbedder, Vectors, embed_checked, unit_rows
from byheart.evaluation.datasets import Collection, Document, Query

WORDLLAMA, MINILM = "WordLlama", "MiniLM"
WIDTHS = {WORDLLAMA: (64, 128, 256), MINILM: (64, 128, 384)}
BATCH = 512


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
