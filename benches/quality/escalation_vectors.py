"""Where an embedder is present, should escalation ask hypervectors made of embeddings?

What: kb-balanced asks a second retriever when the lexical index finds fewer than 4 records. This compares never asking
with asking hypervectors of subwords (the default), hypervectors of embeddings (`hypervectors="embedding"`: their
signs), and the embeddings themselves (`secondary="dense"`, with the hypervectors' weight); the last two also always.
On: the memories and query sets of escalation.py, and cosqa-dev (preset "default"), where words fail most; with
WordLlama at 256 and all-MiniLM-L6-v2 at 384 dimensions, the latter on a sample of scifact-train (vectors.py). A
record's embedding is that of its text, without the topic. k is the profile's.

    python benches/quality/escalation_vectors.py --data DIR [--minilm FOLDER] [--cache FOLDER] [--out FILE]
        [--only locomo-dev]

The arguments are those of dense.py, the seeds those of material.py and vectors.py, both 7. locomo-dev is measured by
session too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from command import collections, options_of
from escalation import BASELINE, Answer, Row, ask, signed, summary
from material import BY_SESSION, PRESETS, SEED, by_session, document_frequencies, query_sets
from vectors import Kept, embedders, feasible

from byheart import Analyzer, Memory, Profile
from byheart.embedding import Embedder
from byheart.evaluation import metrics
from byheart.evaluation.datasets import Collection
from byheart.profiles import EscalatingConfig

COLLECTIONS = ("locomo-dev", "scifact-train", "cosqa-dev")
BALANCED = EscalatingConfig.of("kb-balanced")
VECTORS = replace(BALANCED, secondary="dense", weights={"lexical": 1.0, "dense": BALANCED.weights["hypervector"]})
SUBWORDS = "few, subwords"
# What the memory's hypervectors are made of: the profiles to run over it.
ARMS: Mapping[str, Mapping[str, Profile]] = {
    "subwords": {
        BASELINE: replace(BALANCED, escalation="never").profile(),
        SUBWORDS: BALANCED.profile(),
        "few, floats": VECTORS.profile(),
        "always, floats": replace(VECTORS, escalation="always").profile(),
    },
    "embedding": {
        "few, signs": BALANCED.profile(),
        "always, signs": replace(BALANCED, escalation="always").profile(),
    },
}


def compare(collection: Collection, preset: str, embedder: Embedder, model: str) -> list[Row]:
    """Return a row for each query set and arm; one memory is held at a time."""
    analyzer = Analyzer()
    sets = query_sets(collection, document_frequencies(collection, analyzer), analyzer)
    for queries in sets.values():
        embedder.embed_queries([query.text for query in queries])  # in one batch, for `Kept` to keep
    measured: dict[str, dict[str, list[Answer]]] = {name: {} for name in sets}
    for encoder, profiles in ARMS.items():
        memory = Memory(preset=preset, hypervectors=encoder, analyzer=analyzer, embedder=embedder)
        memory.remember_many(document.record() for document in collection.documents)
        for name, queries in sets.items():
            for arm, profile in profiles.items():
                measured[name][arm] = ask(memory, queries, collection, profile, None)
        memory.close()
    return [
        {"collection": collection.name, "model": model, "set": name, "arm": arm}
        | summary(answers, found[BASELINE])
        | {"beside subwords": gain(answers, found[SUBWORDS])}
        for name, found in measured.items()
        for arm, answers in found.items()
    ]


def gain(answers: Sequence[Answer], others: Sequence[Answer]) -> metrics.Estimate:
    """Return the mean difference in nDCG, query by query."""
    return metrics.estimate([answer.ndcg - other.ndcg for answer, other in zip(answers, others, strict=True)])


def print_rows(rows: Sequence[Row]) -> None:
    """Print a table for each memory, model and query set."""
    group = None
    for row in rows:
        if group != (group := (row["collection"], row["model"], row["set"])):
            print(f"\n**{', '.join(group)}** ({row['queries']} queries)\n")
            print("| arm | nDCG@10 | R@10 | hits | escalated | beside never | beside subwords |")
            print("|---|---|---|---|---|---|---|")
        means = f"{row['ndcg']:.4f} | {row['recall']:.4f} | {row['hits']:.1f} | {row['escalated'] / row['queries']:.1%}"
        print(f"| {row['arm']} | {means} | {signed(row['difference'])} | {signed(row['beside subwords'])} |")


def main() -> None:
    """Measure and print."""
    options = options_of("escalation_vectors", "Compare escalating to words' parts and to embeddings.", COLLECTIONS)
    started = perf_counter()
    rows: list[Row] = []
    for whole in collections("escalation_vectors", options, COLLECTIONS):
        for model, bare in embedders(options.minilm).items():
            embedder, collection = Kept(bare, options.cache), feasible(whole, model)
            rows += compare(collection, PRESETS.get(whole.name, "default"), embedder, model)
            if whole.name == "locomo-dev":
                rows += compare(by_session(collection), PRESETS[BY_SESSION], embedder, model)
            print(f"{whole.name}, {model}: {perf_counter() - started:.0f} s", file=sys.stderr)
    print_rows(rows)
    if options.out:
        options.out.write_text(json.dumps({"seed": SEED, "compared": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
