"""What do embeddings find that words do not, and how much of it does a prefix keep?

What: nDCG@10 and R@10 of BM25 alone, of the vectors alone, and of both, with half and with a fifth for the vectors.
Each list of the best 1,000 is brought to [0, 1] by its own smallest and largest score, a document that a list lacks has
0 there, and the weighted scores are added.
On: locomo-dev (a cell for each conversation), scifact-train, cosqa-dev and jsquad-valid, with WordLlama's table at 64,
128 and 256 dimensions and all-MiniLM-L6-v2 at 64, 128 and 384. Both models know English; jsquad-valid is Japanese. The
vectors are compared exhaustively with NumPy in float64: cascade.py asks what the index makes of them.

    python benches/quality/dense.py --data DIR [--minilm FOLDER] [--cache FOLDER] [--out FILE] [--only locomo-dev]

DIR (or BYHEART_DATA) holds one folder a collection, FOLDER is what `byheart models assemble` made. No seed: all is
deterministic. Tables go to standard output as Markdown, the same numbers to FILE as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from command import collections, options_of
from vectors import WIDTHS, Cell, cells, embedders, text_of

from byheart import LexicalIndex
from byheart.evaluation import metrics
from byheart.evaluation.datasets import Collection

K, DEPTH = 10, 1_000
SHARES = (0.5, 0.2)
BM25 = {"locomo-dev": (0.9, 0.4), "scifact-train": (1.2, 0.75), "cosqa-dev": (1.2, 0.75), "jsquad-valid": (1.2, 0.75)}
Scores = Mapping[str, float]
Row = dict[str, Any]


def best(scores: Scores) -> list[str]:
    """Return the ids, best first, ties by id."""
    return sorted(scores, key=lambda id: (-scores[id], id))


def min_max(scores: Scores) -> dict[str, float]:
    """Return the scores brought to [0, 1]; equal scores are all 1."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {id: (score - low) / (high - low) if high > low else 1.0 for id, score in scores.items()}


def convex(lexical: Scores, dense: Scores, share: float) -> dict[str, float]:
    """Return the convex combination of two lists after `min_max`; `share` is what the vectors have."""
    lexical, dense = min_max(lexical), min_max(dense)
    return {id: (1.0 - share) * lexical.get(id, 0.0) + share * dense.get(id, 0.0) for id in {*lexical, *dense}}


def lexical_lists(collection: Collection) -> dict[str, Scores]:
    """Return for each judged query the best 1,000 by BM25."""
    k1, b = BM25[collection.name]
    index = LexicalIndex(k1=k1, b=b)
    places = [document.conversation or "" for document in collection.documents]
    index.add([document.id for document in collection.documents], [*map(text_of, collection.documents)], cells=places)
    return {
        query.id: dict(index.search(query.text, DEPTH, cells=query.conversation or "")) for query in collection.judged()
    }


def dense_lists(found: Sequence[Cell]) -> dict[str, Scores]:
    """Return for each judged query the best 1,000 by cosine."""
    lists: dict[str, Scores] = {}
    for cell in found:
        for query, scores in zip(cell.queries, cell.scores(), strict=True):
            first = np.argsort(-scores, kind="stable")[:DEPTH]
            lists[query.id] = {cell.ids[at]: float(scores[at]) for at in first}
    return lists


def measured(collection: Collection, lists: Mapping[str, Scores], baseline: Sequence[float]) -> Row:
    """Return the means of one way of ranking, and the difference in nDCG from BM25, query by query."""
    ndcg, recall = [], []
    for query in collection.judged():
        ids, grades = best(lists[query.id]), collection.grades[query.id]
        ndcg.append(metrics.ndcg(ids, grades, K))
        recall.append(metrics.recall(ids, grades, K))
    differences = [value - base for value, base in zip(ndcg, baseline or ndcg, strict=True)]
    return {
        "ndcg": metrics.estimate(ndcg).mean,
        "recall": metrics.estimate(recall).mean,
        "difference": metrics.estimate(differences),
        "each": ndcg,
    }


def compare(collection: Collection, minilm: Path | None, cache: Path | None) -> list[Row]:
    """Return a row for BM25 and three for each model and width."""
    lexical = lexical_lists(collection)
    rows = [{"arm": "BM25", "width": None} | measured(collection, lexical, [])]
    baseline = rows[0]["each"]
    for name, embedder in embedders(minilm).items():
        whole = list(cells(collection, embedder, cache))
        for width in WIDTHS[name]:
            dense = dense_lists([cell.cut(width) for cell in whole])
            rows.append({"arm": f"{name} alone", "width": width} | measured(collection, dense, baseline))
            for share in SHARES:
                both = {id: convex(lexical[id], dense[id], share) for id in dense}
                arm = f"BM25 and {share:g} {name}"
                rows.append({"arm": arm, "width": width} | measured(collection, both, baseline))
    return [{"collection": collection.name} | {key: row[key] for key in row if key != "each"} for row in rows]


def print_rows(rows: Sequence[Row]) -> None:
    """Print a table a collection: nDCG (R), and the difference from BM25."""
    for name in dict.fromkeys(row["collection"] for row in rows):
        print(f"\n**{name}**: nDCG@{K} (R@{K})\n\n| | width | nDCG (R) | beside BM25 |\n|---|---|---|---|")
        for row in rows:
            if row["collection"] == name:
                mean, error = row["difference"]
                beside = f"{mean:+.4f} ± {error:.4f}" if row["width"] else ""
                print(f"| {row['arm']} | {row['width'] or ''} | {row['ndcg']:.4f} ({row['recall']:.3f}) | {beside} |")


def main() -> None:
    """Measure and print."""
    options = options_of("dense", "Compare BM25, embeddings and both on judged collections.", BM25)
    started = perf_counter()
    rows: list[Row] = []
    for collection in collections("dense", options, BM25):
        rows += compare(collection, options.minilm, options.cache)
        print(f"{collection.name}: {perf_counter() - started:.0f} s", file=sys.stderr)
    print_rows(rows)
    if options.out:
        options.out.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
