"""What does the cascade make of real embeddings: what does exact search skip, does the early exit exit, what is lost?

What: for each judged query, inside its cell, the ten best of `DenseIndex` in its three modes.

- exact: how many tiers of a row are looked at, and how many rows are scored in full (a row scored twice counts twice).
  Beside it what no implementation could better: the share of rows whose bound after the first and the second tier (the
  product of the prefixes, plus the product of the lengths of what is left) still reaches the score of the true tenth;
  and the same for vectors rotated into the principal axes of their cell, which the index does not do.
- early_exit (thresholds 0.92 and 0.80, no time budget): where the cascade ends, and how many of the true ten it gives.
- approx: how many of the true ten. And the prefix alone: how many of the true ten are among its first 100.

The true ten are those of an exhaustive comparison with NumPy in float64; exact search has to give them, or this stops.
On: locomo-dev (a cell for each conversation; and all five as one), scifact-train and cosqa-dev, with WordLlama at
64/128/256 and all-MiniLM-L6-v2 at 64/128/384 dimensions. No model of 768 was at hand: what is said of 768 is synthetic.

    python benches/quality/cascade.py --data DIR [--minilm FOLDER] [--cache FOLDER] [--out FILE] [--only locomo-dev]

The arguments are those of dense.py. No seed: all is deterministic.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from command import collections, options_of
from vectors import WIDTHS, Cell, cells, embedders

from byheart import DenseIndex
from byheart.embedding import Vectors, unit_rows

K, FIRST = 10, 100
COLLECTIONS = ("locomo-dev", "scifact-train", "cosqa-dev")
Row = dict[str, Any]


def joined(found: Sequence[Cell]) -> list[Cell]:
    """Return all cells as one."""
    return [
        Cell(
            "all",
            [id for cell in found for id in cell.ids],
            np.concatenate([cell.documents for cell in found]),
            [query for cell in found for query in cell.queries],
            np.concatenate([cell.asked for cell in found]),
        )
    ]


def best_rows(documents: Vectors, query: Vectors, count: int) -> list[int]:
    """Return the best rows by cosine in float64, best first."""
    scores = documents.astype(np.float64) @ query.astype(np.float64)
    return [int(row) for row in np.argsort(-scores, kind="stable")[:count]]


def could_win(documents: Vectors, query: Vectors, tier: int) -> float:
    """Return the share of rows that, from their first `tier` components alone, may be among the best ten."""
    wide, asked = documents.astype(np.float64), query.astype(np.float64)
    rests = np.linalg.norm(wide[:, tier:], axis=1) * np.linalg.norm(asked[tier:])
    tenth = np.sort(wide @ asked)[-min(K, len(wide))]
    return float(np.mean(wide[:, :tier] @ asked[:tier] + rests >= tenth))


def rotated(cell: Cell) -> Cell:
    """Return the cell in its own singular axes, largest first (uncentred SVD); no dot product changes."""
    axes = np.linalg.svd(cell.documents.astype(np.float64), full_matrices=False)[2].T
    return replace(cell, documents=cell.documents @ axes, asked=cell.asked @ axes)


def share(ids: Sequence[str], true: set[str]) -> float:
    """Return the share of the true ids that were found."""
    return len(true.intersection(ids)) / len(true)


def measure(found: Sequence[Cell], tiers: Sequence[int]) -> Row:
    """Return the means over all queries of these cells."""
    index = DenseIndex(tiers[-1], tiers)
    for cell in found:
        index.add(cell.ids, cell.documents, cells=cell.name)
    sums: Counter[str] = Counter()
    queries = 0
    for cell in found:
        prefix, turned = unit_rows(cell.documents[:, : tiers[0]]), rotated(cell)
        for vector, turned_vector in zip(cell.asked, turned.asked, strict=True):
            true = {cell.ids[row] for row in best_rows(cell.documents, vector, K)}
            exact = index.search(vector, K, cells=cell.name)
            early = index.search(vector, K, cells=cell.name, mode="early_exit", time_budget_ms=None)
            near = best_rows(prefix, unit_rows(vector[None, : tiers[0]])[0], FIRST)
            queries += 1
            if share(exact.ids, true) < 1.0:
                sys.exit(f"cascade: exact search lost a record of {cell.name!r}; it has to give the true ten")
            sums["looked at"] += exact.counters["estimated"] / exact.counters["records"]
            sums["in full"] += exact.counters["rescored"]
            for tier in tiers[:-1]:
                sums[f"could win after {tier}"] += could_win(cell.documents, vector, tier)
                sums[f"could win after {tier}, rotated"] += could_win(turned.documents, turned_vector, tier)
            sums[f"tier {early.tier}"] += 1
            sums["early"] += share(early.ids, true)
            if early.tier < len(tiers):
                sums["left"] += 1
                sums["left early"] += share(early.ids, true)
            sums["approx"] += share(index.search(vector, K, cells=cell.name, mode="approx").ids, true)
            sums["prefix"] += share([cell.ids[row] for row in near], true)
    left = sums.pop("left", 0)
    where_left = sums.pop("left early", 0.0) / left if left else None
    means = {name: value / queries for name, value in sorted(sums.items())}
    return {"queries": queries, "rows": len(index), "tiers": list(tiers), "early where left": where_left} | means


def print_rows(rows: Sequence[Row]) -> None:
    """Print the table."""
    head = ["", "tiers", "rows a search", "could win after 1, 2", "rotated", "tiers looked at", "in full"]
    head += ["ends at 1, 2, 3", "early_exit", "where it left", "approx", f"prefix, first {FIRST}"]
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for row in rows:
        plain, turned = (
            ", ".join(f"{100 * row[f'could win after {tier}{form}']:.1f}" for tier in row["tiers"][:-1])
            for form in ("", ", rotated")
        )
        ends = ", ".join(f"{100 * row.get(f'tier {tier}', 0.0):.1f}" for tier in (1, 2, 3))
        where = "" if row["early where left"] is None else f"{row['early where left']:.3f}"
        named = (
            f"| {row['collection']}, {row['model']} | {'/'.join(map(str, row['tiers']))} | {row['rows a search']:,} |"
        )
        work = f" {plain} % | {turned} % | {row['looked at']:.2f} | {row['in full']:.0f} |"
        print(f"{named}{work} {ends} % | {row['early']:.3f} | {where} | {row['approx']:.3f} | {row['prefix']:.3f} |")


def main() -> None:
    """Measure and print."""
    options = options_of("cascade", "Look at what the cascade skips and loses on real embeddings.", COLLECTIONS)
    rows: list[Row] = []
    for collection in collections("cascade", options, COLLECTIONS):
        for model, embedder in embedders(options.minilm).items():
            found = list(cells(collection, embedder, options.cache))
            for form, parts in {collection.name: found, f"{collection.name} as one": joined(found)}.items():
                if form == collection.name or len(found) > 1:
                    searched = round(sum(len(cell.ids) for cell in parts) / len(parts))
                    head = {"collection": form, "model": model, "rows a search": searched}
                    rows.append(head | measure(parts, WIDTHS[model]))
    print_rows(rows)
    if options.out:
        options.out.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
