"""Do the two corrections of the hypervector score help: scaling by what a bundle can reach, and the floor?

What: the same vectors in four indexes: the seed's plain weighted sum, and the sum renormalised over the fields that
record and query both have, each field scaled by its reach; either with a floor under the field score or without.
Measured alone (the index's own first ten), and joined with the lexical first ten as kb-balanced joins them, nothing
cut; the difference is from the lexical ten alone.
On: the collections and query sets of escalation.py, which see; the same seed.

    python benches/quality/scaling.py --data DIR [--only scifact-train]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from escalation import ENCODERS, K, PRESETS, document_frequencies, query_sets, signed

from byheart import Analyzer, HypervectorIndex
from byheart.errors import InvalidArgument
from byheart.evaluation import datasets, metrics
from byheart.evaluation.datasets import Collection
from byheart.profiles import KB_BALANCED
from byheart.ranking import stages
from byheart.ranking.candidates import join
from byheart.ranking.hypervector_score import FIELD_WEIGHTS, FLOOR
from byheart.retrieval import hypervector, lexical

VARIANTS = [(combine, floor) for combine in ("sum", "adaptive") for floor in (FLOOR, 0.0)]
Hits = Sequence[tuple[str, float]]


def fused(words: Hits, vectors: Hits) -> list[str]:
    """Return the first ten ids of both lists, joined as kb-balanced does; nothing is cut."""
    table = stages.normalise_lexical(join({"lexical": words, "hypervector": vectors}))
    table = stages.fuse_by_agreement(table, KB_BALANCED.weights, KB_BALANCED.agreement_bonus)
    return list(table.sorted_by_score().ids[:K])


def indexes(collection: Collection, encoder: str, analyzer: Analyzer) -> dict[tuple[str, float], HypervectorIndex]:
    """Return an index for each variant over the same vectors."""
    made = {
        (combine, floor): HypervectorIndex(dict(FIELD_WEIGHTS), combine=combine, floor=floor)
        for combine, floor in VARIANTS
    }
    encoded = [
        (document, vectors)
        for document in collection.documents
        if (vectors := hypervector.encode_record(document.record(), analyzer, encoder))
    ]
    ids = [document.id for document, _ in encoded]
    cells = [document.conversation or "all" for document, _ in encoded]
    for index in made.values():
        index.add(ids, [vectors for _, vectors in encoded], cells=cells)
    return made


def compare(collection: Collection, analyzer: Analyzer) -> None:
    """Print a table for each query set."""
    words = lexical.new_index(PRESETS[collection.name], analyzer)
    records = [document.record() for document in collection.documents]
    cells = [document.conversation or "all" for document in collection.documents]
    lexical.add(words, [document.id for document in collection.documents], records, cells)
    sets = query_sets(collection, document_frequencies(collection, analyzer), analyzer)
    vectors = {encoder: indexes(collection, encoder, analyzer) for encoder in ENCODERS}
    for name, queries in sets.items():
        asked = [(analyzer.terms(query.text), [query.conversation or "all"], query.id) for query in queries]
        grades = [collection.grades[query.id] for query in queries]
        found = [words.search(terms, K, cells=inside) for terms, inside, _ in asked]
        alone = [metrics.ndcg(hits.ids, graded, K) for hits, graded in zip(found, grades, strict=True)]
        print(f"\n**{collection.name}, {name}** ({len(asked)} queries; lexical {metrics.estimate(alone).mean:.4f})\n")
        print("| encoder | combine | floor | hypervectors alone | joined | difference |\n|---|---|---|---|---|---|")
        for encoder, made in vectors.items():
            encoded = [hypervector.encode_query(terms, None, (), encoder) for terms, _, _ in asked]
            for (combine, floor), index in made.items():
                hits = [index.search(query, K, cells=asked[row][1]) for row, query in enumerate(encoded)]
                bare = [metrics.ndcg(own.ids, graded, K) for own, graded in zip(hits, grades, strict=True)]
                both = [
                    metrics.ndcg(fused(list(left), list(right)), graded, K)
                    for left, right, graded in zip(found, hits, grades, strict=True)
                ]
                gain = metrics.estimate([after - before for after, before in zip(both, alone, strict=True)])
                means = f"{metrics.estimate(bare).mean:.4f} | {metrics.estimate(both).mean:.4f}"
                print(f"| {encoder} | {combine} | {floor:g} | {means} | {signed(gain)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare ways of scoring hypervectors on judged collections.")
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--only", action="append", choices=sorted(PRESETS), help="these collections only")
    options = parser.parse_args()
    if not options.data:
        sys.exit("scaling: no collections; give --data DIR or set BYHEART_DATA")
    for name in options.only or PRESETS:
        try:
            compare(datasets.load(Path(options.data) / name), Analyzer())
        except InvalidArgument as error:
            sys.exit(f"scaling: {error}")


if __name__ == "__main__":
    main()
