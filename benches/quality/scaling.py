"""Does the scaling of the hypervector score help, and how could it be done better?

What: the score of a record from the similarities of its fields, in five forms over the same vectors: the seed's plain
weighted sum; "adaptive" as the index does it (renormalised over the fields that record and query both have, each field
divided by its reach); adaptive without the floor; and adaptive with a reach of at least .1, .2 or .3.
Each is measured alone (its own first ten) and inside kb-balanced with k = 10: hypervectors always asked, asked when the
lexical index finds fewer than 4, and the same with escalated answers spared the cut behind the gap. Differences are
from never asking. The scores are computed here, from the vectors' bits; the forms that the index has are checked
against it on the first query of each set.
On: locomo-dev and scifact-train, with the query sets and the seed of material.py.

    python benches/quality/scaling.py --data DIR [--only scifact-train]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from escalation import signed
from material import ENCODERS, PRESETS, K, document_frequencies, query_sets
from numpy.typing import NDArray

from byheart import Analyzer, HyperVector, HypervectorIndex, LexicalIndex
from byheart.errors import InvalidArgument
from byheart.evaluation import datasets, metrics
from byheart.evaluation.datasets import Collection, Document, Query
from byheart.profiles import EscalatingConfig, Profile
from byheart.ranking import algebra
from byheart.ranking.agreement import RECORDS_FOR_A_FLOOR, DropDuplicates, cut
from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import join
from byheart.ranking.hypervector_score import FIELD_WEIGHTS, FLOOR
from byheart.retrieval import hypervector, lexical

COLLECTIONS = ("locomo-dev", "scifact-train")
TEXT_FIELDS = ("topic", "claim")  # the fields that these collections have
NOTHING = HyperVector.encode_tokens([])
BALANCED = EscalatingConfig.of("kb-balanced")
KB_BALANCED, UNGAPPED = BALANCED.profile(), replace(BALANCED, gap=0.0).profile()
Hits = Sequence[tuple[str, float]]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Form:
    """A way from field similarities to a score."""

    name: str
    floor: float
    least_reach: float | None  # None: no scaling, no renormalisation

    def scores(self, cell: Cell, parts: int, correlations: Mapping[str, Array]) -> Array:
        """Return the score of every record of a cell for a query of so many parts."""
        total, present = np.zeros(len(cell.ids)), np.zeros(len(cell.ids))
        for field in TEXT_FIELDS:
            score, there = np.maximum(correlations[field], 0.0), cell.parts[field] > 0
            if self.least_reach is not None:
                reach = np.where(there, np.maximum(_reach(cell.parts[field], parts), self.least_reach), 1.0)
                score = np.where(score <= self.floor, 0.0, np.minimum(1.0, score / reach))
            total += FIELD_WEIGHTS[field] * np.where(there, score, 0.0)
            present += FIELD_WEIGHTS[field] * there
        if self.least_reach is None:
            return np.where(total > self.floor, total, 0.0)
        return np.where(present > 0.0, total / np.maximum(present, 1e-9), 0.0)

    def search(self, cell: Cell, parts: int, correlations: Mapping[str, Array]) -> Hits:
        """Return the best ten of a cell; a query without terms has no parts and finds nothing."""
        if parts == 0:
            return []
        scores = self.scores(cell, parts, correlations)
        least = max(np.partition(scores, -K)[-K], np.nextafter(0.0, 1.0)) if len(scores) > K else np.nextafter(0.0, 1.0)
        rows = sorted(np.flatnonzero(scores >= least), key=lambda row: (-scores[row], cell.ids[row]))
        return [(cell.ids[row], float(scores[row])) for row in rows[:K]]


FORMS = (
    Form("sum", FLOOR, None),
    Form("adaptive, reach >= 0.2", FLOOR, 0.2),
    Form("adaptive, any reach", FLOOR, 0.0),
    Form("adaptive, any reach, no floor", 0.0, 0.0),
    Form("adaptive, reach >= 0.1", FLOOR, 0.1),
    Form("adaptive, reach >= 0.3", FLOOR, 0.3),
)


class Cell:
    """The vectors of one conversation: for each field a row of +1 and -1 a record, and the number of its parts."""

    def __init__(self, documents: Sequence[Document], analyzer: Analyzer, encoder: str) -> None:
        self.ids = [document.id for document in documents]
        self.vectors = [hypervector.encode_record(document.record(), analyzer, encoder) for document in documents]
        none = np.zeros(4096, dtype=np.float32)
        self._signs = {
            field: np.stack([_signs(own[field]) if field in own else none for own in self.vectors])
            for field in TEXT_FIELDS
        }
        self.parts = {
            field: np.array([max(own[field].parts, 1) if field in own else 0 for own in self.vectors])
            for field in TEXT_FIELDS
        }

    def correlations(self, field: str, queries: Sequence[HyperVector]) -> Array:
        """Return 2 * (similarity - 1/2), a row a query and a column a record; exact, since float32 holds the sums."""
        products = np.stack([_signs(query) for query in queries]) @ self._signs[field].T
        return products.astype(np.float64) / 4096.0

    def index(self, combine: str) -> HypervectorIndex:
        """Return the core's own index over the same vectors."""
        made = HypervectorIndex(dict(FIELD_WEIGHTS), combine=combine, floor=FLOOR)
        rows = [row for row, own in enumerate(self.vectors) if own]
        made.add([self.ids[row] for row in rows], [self.vectors[row] for row in rows])
        return made


def _signs(vector: HyperVector) -> NDArray[np.float32]:
    return np.unpackbits(np.frombuffer(bytes(vector), dtype=np.uint8)).astype(np.float32) * 2.0 - 1.0


def _reach(parts: NDArray[np.int64], other: int) -> Array:
    small, large = np.minimum(parts, other), np.maximum(np.maximum(parts, other), 1)
    return np.where(small == large, 1.0, np.arcsin(np.sqrt(small / large)) * (2.0 / np.pi))


class Asked:
    """The queries of one set as hypervectors, each compared with every record of its conversation."""

    def __init__(self, queries: Sequence[Query], cells: Mapping[str, Cell], analyzer: Analyzer, encoder: str) -> None:
        terms = [analyzer.terms(query.text) for query in queries]
        self.vectors = [hypervector.encode_query(own, None, (), encoder).get("claim", NOTHING) for own in terms]
        self.cells = [cells[query.conversation or "all"] for query in queries]
        self.correlations: list[dict[str, Array]] = [{} for _ in queries]
        for cell in cells.values():
            rows = [row for row, own in enumerate(self.cells) if own is cell]
            for field in TEXT_FIELDS if rows else ():
                for row, values in zip(
                    rows, cell.correlations(field, [self.vectors[row] for row in rows]), strict=True
                ):
                    self.correlations[row][field] = values

    def search(self, form: Form) -> list[Hits]:
        """Return the best ten for each query."""
        both = zip(self.cells, self.vectors, self.correlations, strict=True)
        return [form.search(cell, vector.parts, values) for cell, vector, values in both]


def check(asked: Asked) -> None:
    """Stop if the forms that the index has too are computed differently here."""
    row = next(row for row, vector in enumerate(asked.vectors) if vector.parts)
    for combine, form in (("sum", FORMS[0]), ("adaptive", FORMS[1])):
        query = {field: asked.vectors[row] for field in TEXT_FIELDS}
        theirs = list(asked.cells[row].index(combine).search(query, K))
        ours = asked.search(form)[row]
        if [id for id, _ in ours] != [id for id, _ in theirs] or not np.allclose(
            [score for _, score in ours], [score for _, score in theirs], rtol=0.0, atol=1e-12
        ):
            sys.exit(f"scaling: {form.name} is not what the index computes: {ours} against {theirs}")


def answer(words: Hits, vectors: Hits | None, profile: Profile) -> list[str]:
    """Return the ids that kb-balanced gives for these lists; None if hypervectors were not asked."""
    table = join({"lexical": words} | ({} if vectors is None else {"hypervector": vectors}))
    context = StageContext(now=0.0, k=K, inside=len(words) + len(vectors or ()) + RECORDS_FOR_A_FLOOR)
    stages = [stage for stage in profile.stages if not isinstance(stage, DropDuplicates)]
    return list(cut(algebra.run(stages, table, context), K).ids)


def compare(
    queries: Sequence[Query], collection: Collection, cells: Mapping[str, Cell], words: LexicalIndex, encoder: str
) -> None:
    """Print a line for each form."""
    found = [list(words.search(query.text, K, cells=[query.conversation or "all"])) for query in queries]
    few = [len(hits) < BALANCED.min_acceptable for hits in found]
    asked = Asked(queries, cells, words.analyzer, encoder)
    check(asked)

    def ndcg(rankings: Sequence[Sequence[str]]) -> list[float]:
        pairs = zip(rankings, queries, strict=True)
        return [metrics.ndcg(ids, collection.grades[query.id], K) for ids, query in pairs]

    never = ndcg([answer(hits, None, KB_BALANCED) for hits in found])

    def difference(rankings: Sequence[Sequence[str]], where: Sequence[bool]) -> str:
        both = zip(ndcg(rankings), never, where, strict=True)
        return signed(metrics.estimate([after - before if here else 0.0 for after, before, here in both]))

    for form in FORMS:
        vectors = asked.search(form)
        alone = metrics.estimate(ndcg([[id for id, _ in hits] for hits in vectors])).mean
        joined = [answer(left, right, KB_BALANCED) for left, right in zip(found, vectors, strict=True)]
        spared = [answer(left, right, UNGAPPED) for left, right in zip(found, vectors, strict=True)]
        hits = metrics.estimate(
            [float(len(ids)) for ids, asked in zip(spared, few, strict=True) if asked] or [0.0]
        ).mean
        always = difference(joined, [True] * len(few))
        print(
            f"| {form.name} | {alone:.4f} | {always} "
            f"| {difference(joined, few)} | {difference(spared, few)} | {hits:.1f} |"
        )


def run(collection: Collection, analyzer: Analyzer) -> None:
    """Print a table for each query set of a collection."""
    words = lexical.new_index(PRESETS[collection.name], analyzer)
    by_cell: dict[str, list[Document]] = {}
    for document in collection.documents:
        by_cell.setdefault(document.conversation or "all", []).append(document)
    for name, documents in by_cell.items():
        records = [document.record() for document in documents]
        words.add(
            [document.id for document in documents],
            [record.indexed() for record in records],
            cells=[name] * len(documents),
            labels=[record.role for record in records],
        )
    sets = query_sets(collection, document_frequencies(collection, analyzer), analyzer)
    for encoder in ENCODERS:
        cells = {name: Cell(documents, analyzer, encoder) for name, documents in by_cell.items()}
        for name, queries in sets.items():
            print(f"\n**{collection.name}, {name}, {encoder}** ({len(queries)} queries)\n")
            print("| form | alone | always | few | few, no gap then | hits then |\n|---|---|---|---|---|---|")
            compare(queries, collection, cells, words, encoder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare ways of scoring hypervectors on judged collections.")
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--only", action="append", choices=COLLECTIONS, help="these collections only")
    options = parser.parse_args()
    if not options.data:
        sys.exit("scaling: no collections; give --data DIR or set BYHEART_DATA")
    for name in options.only or COLLECTIONS:
        try:
            run(datasets.load(Path(options.data) / name), Analyzer())
        except InvalidArgument as error:
            sys.exit(f"scaling: {error}")


if __name__ == "__main__":
    main()
