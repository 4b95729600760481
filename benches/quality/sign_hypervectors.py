"""How much of an embedding do 4,096 sign bits keep?

What: nDCG@10 and R@10 of the float vectors (`DenseIndex`, exact) and of `HyperVector.from_embedding` of the same
vectors, documents and queries alike (`HypervectorIndex`, by Hamming distance), and how many of the float vectors' ten
are among the first 10 and the first 100 by signs. Beside that, on the same rows, the time of a search of each (the best
of three, then the median over at most 200 queries) and of making a query's signs; and the bytes a record of both
indexes, as the process grows with at least 50,000 rows (the collection's own, repeated) and ids of ten characters.
On: locomo-dev (a cell for each conversation), scifact-train, cosqa-dev and jsquad-valid, with WordLlama at 256 and
all-MiniLM-L6-v2 at 384 dimensions; of scifact-train and jsquad-valid MiniLM gets a sample (vectors.py).

    python benches/quality/sign_hypervectors.py --data DIR [--minilm FOLDER] [--cache FOLDER] [--out FILE] [--only NAME]

The arguments are those of dense.py. The one seed is that of the samples, 7.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from command import collections, options_of
from vectors import WIDTHS, Cell, cells, embedders, feasible

from byheart import DenseIndex, HyperVector, HypervectorIndex
from byheart.evaluation import metrics

K, FIRST, TIMED, REPEATED = 10, 100, 200, 50_000
COLLECTIONS = ("locomo-dev", "scifact-train", "cosqa-dev", "jsquad-valid")
Row = dict[str, Any]


def resident() -> int:
    """Return the bytes that this process holds in memory; 0 where the system does not say so."""
    gc.collect()
    if not sys.platform.startswith("linux"):
        return 0
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def footprint(cell: Cell, tiers: Sequence[int]) -> dict[str, float]:
    """Return the bytes a record of both indexes."""
    rounds = -(-REPEATED // len(cell.ids))
    ids = [f"{number:010}" for number in range(rounds * len(cell.ids))]
    rows, signs = np.tile(cell.documents, (rounds, 1)), HyperVector.from_embeddings(cell.documents) * rounds
    start = resident()
    floats = DenseIndex(tiers[-1], tiers)
    floats.add(ids, rows)
    between = resident()
    hypervectors = HypervectorIndex()
    hypervectors.add(ids, signs)
    end = resident()
    assert len(floats) == len(hypervectors) == len(ids)
    return {"float bytes": (between - start) / len(ids), "sign bytes": (end - between) / len(ids)}


def seconds(call: Callable[[], object]) -> float:
    """Return the shortest of three runs."""
    taken = []
    for _ in range(3):
        start = perf_counter()
        call()
        taken.append(perf_counter() - start)
    return min(taken)


def times(found: Sequence[Cell], floats: DenseIndex, signs: HypervectorIndex) -> dict[str, float]:
    """Return the median microseconds of a search of each index, one after the other for each query."""
    asked = [(cell.name, vector) for cell in found for vector in cell.asked]
    taken: dict[str, list[float]] = {"float µs": [], "sign µs": [], "encode µs": []}
    for name, vector in asked[:: -(-len(asked) // TIMED)]:
        encoded = HyperVector.from_embedding(vector)
        taken["float µs"].append(seconds(partial(floats.search, vector, K, cells=name)))
        taken["sign µs"].append(seconds(partial(signs.search, encoded, K, cells=name)))
        taken["encode µs"].append(seconds(partial(HyperVector.from_embedding, vector)))
    return {name: 1e6 * median(values) for name, values in taken.items()}


def measure(found: Sequence[Cell], grades: Mapping[str, Mapping[str, int]], tiers: Sequence[int]) -> Row:
    """Return the means of both ways over all queries of these cells, and what both cost."""
    floats, signs = DenseIndex(tiers[-1], tiers), HypervectorIndex()
    each: dict[str, list[float]] = {name: [] for name in ("float", "sign", "float R", "sign R", "ten", "hundred")}
    for cell in found:
        floats.add(cell.ids, cell.documents, cells=cell.name)
        signs.add(cell.ids, HyperVector.from_embeddings(cell.documents), cells=cell.name)
        true = floats.search_many(cell.asked, K, cells=cell.name)
        near = signs.search_many(HyperVector.from_embeddings(cell.asked), FIRST, cells=cell.name)
        for query, exact, bits in zip(cell.queries, true, near, strict=True):
            for way, ids in (("float", exact.ids), ("sign", bits.ids[:K])):
                each[way].append(metrics.ndcg(ids, grades[query.id], K))
                each[f"{way} R"].append(metrics.recall(ids, grades[query.id], K))
            if exact.ids:  # a query in which the model knows nothing has no vector, and no ten
                each["ten"].append(len({*exact.ids} & {*bits.ids[:K]}) / len(exact.ids))
                each["hundred"].append(len({*exact.ids} & {*bits.ids}) / len(exact.ids))
    differences = [after - before for after, before in zip(each["sign"], each["float"], strict=True)]
    means = {name: metrics.estimate(values).mean for name, values in each.items()}
    return {
        "queries": len(differences),
        "rows a search": round(sum(len(cell.ids) for cell in found) / len(found)),
        "dimensions": tiers[-1],
        **means,
        "kept": means["sign"] / means["float"],
        "difference": metrics.estimate(differences),
        **times(found, floats, signs),
        **footprint(found[0], tiers),
    }


def print_rows(rows: Sequence[Row]) -> None:
    """Print what is kept, then what it costs."""
    head = ["", "model", "rows a search", f"floats: nDCG@{K} (R@{K})", "signs", "kept", "difference"]
    head += [f"float ten in first {K}", f"in first {FIRST}"]
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for row in rows:
        named = f"| {row['collection']} | {row['model']} | {row['rows a search']:,} "
        ways = " | ".join(f"{row[way]:.4f} ({row[f'{way} R']:.3f})" for way in ("float", "sign"))
        mean, error = row["difference"]
        kept = f"{row['kept']:.1%} | {mean:+.4f} ± {error:.4f} | {row['ten']:.3f} | {row['hundred']:.3f}"
        print(f"{named}| {ways} | {kept} |")
    head = [
        "",
        "model",
        "floats: µs a search",
        "signs: µs a search",
        "µs to make signs",
        "floats: bytes a record",
        "signs",
    ]
    print(f"\n| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for row in rows:
        numbers = [row[name] for name in ("float µs", "sign µs", "encode µs", "float bytes", "sign bytes")]
        print(f"| {row['collection']} | {row['model']} | {' | '.join(f'{number:,.0f}' for number in numbers)} |")


def main() -> None:
    """Measure and print."""
    options = options_of(
        "sign_hypervectors", "Compare embeddings with the signs of their random projections.", COLLECTIONS
    )
    rows: list[Row] = []
    for whole in collections("sign_hypervectors", options, COLLECTIONS):
        for model, embedder in embedders(options.minilm).items():
            collection = feasible(whole, model)
            found = list(cells(collection, embedder, options.cache))
            head = {"collection": collection.name, "model": model}
            rows.append(head | measure(found, collection.grades, WIDTHS[model]))
    print_rows(rows)
    if options.out:
        options.out.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
