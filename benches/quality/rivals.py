"""How good are the answers of the default, beside what people build by hand?

What: nDCG@10 and R@10 of bm25s (stop words and stems of English), of tantivy (its English analyser), of WordLlama's
vectors alone, of two ways of joining bm25s and the vectors (reciprocal ranks, k = 60; half and half after min-max), 100
of each, and of byheart: `kb-balanced`, `hybrid`, and `auto` without and with the same vectors.
On: locomo-dev (an index for each conversation), scifact-train, cosqa-dev and jsquad-valid. Titles stand before texts in
one field for the rivals. No analyser of the rivals cuts Japanese; theirs is what comes with them.

    python benches/quality/rivals.py --data DIR [--minilm FOLDER] [--cache FOLDER] [--only NAME ...]

It needs bm25s, PyStemmer and tantivy (`../requirements.txt`) beside `byheart[static]`. With MiniLM its vectors stand
beside WordLlama's. No seed: all is deterministic. A table goes to standard output.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from dense import convex
from vectors import Cell, Kept, cells, embedders, text_of

from byheart import fusion
from byheart.evaluation import datasets, metrics
from byheart.evaluation.datasets import Collection
from byheart.evaluation.filling import fill

COLLECTIONS = ("locomo-dev", "scifact-train", "cosqa-dev", "jsquad-valid")
K, SIDE = 10, 100
Ranked = Mapping[str, Sequence[tuple[str, float]]]  # by query, best first


def by_bm25s(collection: Collection, found: Sequence[Cell]) -> Ranked:
    """Return the best 100 of bm25s with its defaults, English stop words and PyStemmer."""
    import bm25s
    import Stemmer

    stemmer, texts = Stemmer.Stemmer("english"), {each.id: text_of(each) for each in collection.documents}
    lists = {}
    for cell in found:
        index = bm25s.BM25()
        told = bm25s.tokenize([texts[id] for id in cell.ids], stopwords="en", stemmer=stemmer, show_progress=False)
        index.index(told, show_progress=False)
        for query in cell.queries:
            asked = bm25s.tokenize([query.text], stopwords="en", stemmer=stemmer, show_progress=False)
            rows, scores = index.retrieve(asked, k=min(SIDE, len(cell.ids)), show_progress=False)
            best = [(cell.ids[int(row)], float(score)) for row, score in zip(rows[0], scores[0], strict=True)]
            lists[query.id] = [hit for hit in best if hit[1] > 0.0]
    return lists


def by_tantivy(collection: Collection, found: Sequence[Cell]) -> Ranked:
    """Return the best 100 of tantivy, any word of the question, its English analyser."""
    import tantivy

    texts = {each.id: text_of(each) for each in collection.documents}
    lists = {}
    for cell in found:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        builder.add_text_field("text", tokenizer_name="en_stem")
        index = tantivy.Index(builder.build())
        writer = index.writer(heap_size=50_000_000, num_threads=1)
        for id in cell.ids:
            writer.add_document(tantivy.Document(id=id, text=texts[id]))
        writer.commit()
        index.reload()
        searcher = index.searcher()
        for query in cell.queries:
            plain = "".join(letter if letter.isalnum() else " " for letter in query.text)
            asked, _ = index.parse_query_lenient(plain.lower(), ["text"])
            hits = searcher.search(asked, SIDE).hits
            lists[query.id] = [(searcher.doc(place)["id"][0], score) for score, place in hits]
    return lists


def by_vectors(found: Sequence[Cell]) -> Ranked:
    """Return the best 100 by cosine."""
    lists = {}
    for cell in found:
        for query, scores in zip(cell.queries, cell.scores(), strict=True):
            first = np.argsort(-scores, kind="stable")[:SIDE]
            lists[query.id] = [(cell.ids[at], float(scores[at])) for at in first]
    return lists


def joined(words: Ranked, vectors: Ranked) -> Iterator[tuple[str, Ranked]]:
    """Give both ways of joining two lists."""
    yield (
        "by reciprocal ranks",
        {
            id: fusion.reciprocal_rank_fusion([[hit[0] for hit in words[id]], [hit[0] for hit in vectors[id]]])
            for id in words
        },
    )
    halves = {id: convex(dict(words[id]), dict(vectors[id]), 0.5) for id in words}
    yield "half and half", {id: sorted(each.items(), key=lambda hit: (-hit[1], hit[0])) for id, each in halves.items()}


def by_byheart(collection: Collection, profile: str, embedder: Any = None) -> Ranked:
    """Return the ten hits of a profile, as a program would ask for them."""
    filled = fill(collection, embedder=embedder, preset="default")
    lists = {}
    for query in collection.judged():
        boundary = None if query.conversation is None else {"tenant": query.conversation}
        hits = filled.memory.recall(query.text, K, profile, boundary=boundary, now=filled.now(query.conversation))
        lists[query.id] = [(hit.id, hit.score) for hit in hits]
    return lists


def means(collection: Collection, lists: Ranked) -> tuple[float, float]:
    """Return nDCG@10 and R@10."""
    pairs = [([hit[0] for hit in lists.get(each.id, ())], collection.grades[each.id]) for each in collection.judged()]
    ndcg = [metrics.ndcg(ids, grades, K) for ids, grades in pairs]
    recall = [metrics.recall(ids, grades, K) for ids, grades in pairs]
    return float(np.mean(ndcg)), float(np.mean(recall))


def measured(collection: Collection, minilm: Path | None, cache: Path | None) -> dict[str, tuple[float, float]]:
    """Return the means by arm."""
    rows: dict[str, Ranked] = {}
    for model, embedder in embedders(minilm).items():
        found = list(cells(collection, embedder, cache))
        if not rows:
            rows["bm25s"], rows["tantivy"] = by_bm25s(collection, found), by_tantivy(collection, found)
            rows["byheart, `kb-balanced`"] = by_byheart(collection, "kb-balanced")
            rows["byheart, `auto`"] = by_byheart(collection, "auto")
        rows[f"{model} alone"] = by_vectors(found)
        for how, lists in joined(rows["bm25s"], rows[f"{model} alone"]):
            rows[f"bm25s and {model}, {how}"] = lists
        kept = Kept(embedder, cache)
        for profile in ("hybrid", "auto"):
            rows[f"byheart, `{profile}`, {model}"] = by_byheart(collection, profile, kept)
    return {name: means(collection, lists) for name, lists in rows.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--minilm", type=Path, help="folder of MiniLM; without it only WordLlama is measured")
    parser.add_argument("--cache", type=Path, help="keep vectors here between runs")
    parser.add_argument("--only", nargs="+", default=COLLECTIONS, help="these collections only")
    options = parser.parse_args()
    tables = {
        name: measured(datasets.load(Path(options.data) / name), options.minilm, options.cache) for name in options.only
    }
    print(f"| nDCG@{K} (R@{K}) | {' | '.join(tables)} |\n|---|{'---|' * len(tables)}")
    for arm in next(iter(tables.values())):
        told = [f"{table[arm][0]:.3f} ({table[arm][1]:.3f})" for table in tables.values()]
        print(f"| {arm} | {' | '.join(told)} |")


if __name__ == "__main__":
    main()
