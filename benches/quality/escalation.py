"""Does escalation earn its place, and with which hypervectors?

What: kb-balanced asks hypervectors too when the lexical index finds fewer than 4 records. This compares never
asking, asking then, and asking always, for each way of making a text's hypervector; and two proposals: asking when
the memory does not know some term of the query, and sparing answers that escalated the cut behind the gap.
On: locomo-dev (one tenant a conversation, preset "conversation"), the same with one tenant a session (small memories),
and scifact-train (titles as topics, preset "default"); each with its queries as they are, misspelled, and cut to their
rarest one and two words (material.py has the seed). Beside them, the lexical index alone on four collections, to be
compared with published numbers.

    python benches/quality/escalation.py --data DIR [--out FILE] [--only locomo-dev]

DIR (or BYHEART_DATA) holds one folder a collection; `byheart.evaluation.datasets` says what is in it.
Tables go to standard output as Markdown, the same numbers to FILE as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from material import ENCODERS, PRESETS, SEED, Frequencies, K, by_session, document_frequencies, query_sets

from byheart import Analyzer, LexicalIndex, Memory, Profile
from byheart.errors import InvalidArgument
from byheart.evaluation import datasets, metrics
from byheart.evaluation.datasets import Collection, Query
from byheart.profiles import EscalatingConfig

BASELINE = "kb-balanced, never"
# Collection: (k1, b), each with the published nDCG@10 where there is one.
LEXICAL: Mapping[str, Mapping[tuple[float, float], float | None]] = {
    "locomo-dev": {(1.2, 0.75): 0.4246, (0.9, 0.4): None},
    "scifact-train": {(1.2, 0.75): 0.6977},
    "jsquad-valid": {(1.2, 0.75): 0.937},
    "cosqa-dev": {(1.2, 0.75): 0.378},
}
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one query measured: nDCG and recall at 10, number of hits, and relevant documents lost, by reason."""

    ndcg: float
    recall: float
    escalated: bool
    hits: int
    lost: Mapping[str, int]


def ask(
    memory: Memory, queries: Iterable[Query], collection: Collection, profile: Profile, k: int | None
) -> list[Answer]:
    """Recall every query inside its conversation, and measure the answers."""
    answers = []
    for query in queries:
        boundary = None if query.conversation is None else {"tenant": query.conversation}
        recall = memory.recall(query.text, k, profile, boundary=boundary)
        grades, ids = collection.grades[query.id], [hit.id for hit in recall]
        answers.append(
            Answer(
                metrics.ndcg(ids, grades, K),
                metrics.recall(ids, grades, K),
                recall.receipt.escalated,
                len(ids),
                Counter(row.reason.split(" (")[0].split(" of ")[0] for row in recall.dropped if grades.get(row.id)),
            )
        )
    return answers


def arms(encoder: str) -> dict[str, Profile]:
    """Return the profiles to run over a memory with this encoder; those without hypervectors only once."""
    balanced = EscalatingConfig.of("kb-balanced")
    never = replace(balanced, escalation="never")
    plain = {
        BASELINE: never.profile(),
        "kb-balanced, never, uncut": replace(never, min_score=0.0, gap=0.0).profile(),
        "kb-fast": EscalatingConfig.of("kb-fast").profile(),
    }
    asking = {
        f"few, {encoder}": balanced.profile(),
        f"gap off, {encoder}": replace(balanced, gap=0.0).profile(),
        f"always, {encoder}": replace(balanced, escalation="always").profile(),
    }
    return {**plain, **asking} if encoder == ENCODERS[0] else asking


def proposals(
    found: Mapping[str, list[Answer]], queries: Sequence[Query], known: Frequencies, analyzer: Analyzer, encoder: str
) -> dict[str, list[Answer]]:
    """Return what two other rules would have answered, query by query put together from arms that were run."""
    never, always, ungapped = (found[arm] for arm in (BASELINE, f"always, {encoder}", f"gap off, {encoder}"))
    unknown = [bool(set(analyzer.terms(query.text)) - known[query.conversation].keys()) for query in queries]
    return {
        f"few, {encoder}, no gap then": [
            other if other.escalated else base for other, base in zip(ungapped, never, strict=True)
        ],
        f"unknown term, {encoder}": [
            other if asked else base for other, base, asked in zip(always, never, unknown, strict=True)
        ],
    }


def summary(answers: Sequence[Answer], baseline: Sequence[Answer]) -> Row:
    """Return the row of one arm: means, and differences in nDCG from the baseline, query by query."""
    differences = [answer.ndcg - base.ndcg for answer, base in zip(answers, baseline, strict=True)]
    there = [gain for gain, answer in zip(differences, answers, strict=True) if answer.escalated]
    lost: Counter[str] = Counter()
    for answer in answers:
        lost.update(answer.lost)
    return {
        "queries": len(answers),
        "ndcg": metrics.estimate([answer.ndcg for answer in answers]).mean,
        "recall": metrics.estimate([answer.recall for answer in answers]).mean,
        "hits": metrics.estimate([float(answer.hits) for answer in answers]).mean,
        "escalated": len(there),
        "difference": metrics.estimate(differences),
        "difference_where_escalated": metrics.estimate(there) if there else None,
        "relevant_lost": dict(sorted(lost.items())),
    }


def compare(collection: Collection, analyzer: Analyzer) -> list[Row]:
    """Return a row for each query set, k and arm; one memory is held at a time."""
    known = document_frequencies(collection, analyzer)
    sets = query_sets(collection, known, analyzer)
    measured: dict[tuple[str, int | None], dict[str, list[Answer]]] = {}
    for encoder in ENCODERS:
        memory = Memory(preset=PRESETS[collection.name], hypervectors=encoder, analyzer=analyzer)
        memory.remember_many(document.record() for document in collection.documents)
        for name, queries in sets.items():
            for k in (None, K):
                found = measured.setdefault((name, k), {})
                for arm, profile in arms(encoder).items():
                    found[arm] = ask(memory, queries, collection, profile, k)
                found.update(proposals(found, queries, known, analyzer, encoder))
                del found[f"gap off, {encoder}"]
        memory.close()
    return [
        {"collection": collection.name, "set": name, "k": k, "arm": arm, **summary(answers, found[BASELINE])}
        for (name, k), found in measured.items()
        for arm, answers in found.items()
    ]


def lexical_alone(collection: Collection) -> Iterator[Row]:
    """Give the first ten of the bare index, one field of title and text, beside the published number."""
    cells = [document.conversation or "all" for document in collection.documents]
    texts = [" ".join(filter(None, (document.title, document.searched()))) for document in collection.documents]
    for (k1, b), published in LEXICAL[collection.name].items():
        for stop_words in ("english", None):
            index = LexicalIndex({"text": 1.0}, k1=k1, b=b, analyzer=Analyzer(stop_words=stop_words))
            index.add([document.id for document in collection.documents], texts, cells=cells)
            judged = [
                (index.search(query.text, K, cells=[query.conversation or "all"]).ids, collection.grades[query.id])
                for query in collection.judged()
            ]
            yield {
                "collection": collection.name,
                "k1": k1,
                "b": b,
                "stop_words": stop_words or "none",
                "ndcg": metrics.estimate([metrics.ndcg(ids, grades, K) for ids, grades in judged]).mean,
                "recall": metrics.estimate([metrics.recall(ids, grades, K) for ids, grades in judged]).mean,
                "published": published,
            }


def signed(estimate: metrics.Estimate | None) -> str:
    return "-" if estimate is None else f"{estimate.mean:+.4f} ± {estimate.standard_error:.4f}"


def print_lexical(rows: list[Row]) -> None:
    print("\n| lexical index alone | k1 | b | stop words | nDCG@10 | R@10 | published nDCG@10 |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        measured = f"{row['ndcg']:.4f} | {row['recall']:.4f} | {row['published'] or '-'}"
        print(f"| {row['collection']} | {row['k1']} | {row['b']} | {row['stop_words']} | {measured} |")


def print_compared(rows: list[Row]) -> None:
    group = None
    for row in rows:
        if group != (group := (row["collection"], row["set"], row["k"])):
            print(f"\n**{row['collection']}, {row['set']}, k = {row['k'] or 'profile'}** ({row['queries']} queries)\n")
            print("| arm | nDCG@10 | R@10 | hits | escalated | difference | where escalated | relevant lost |")
            print("|---|---|---|---|---|---|---|---|")
        share = f"{row['escalated'] / row['queries']:.1%}"
        lost = ", ".join(f"{reason} {count}" for reason, count in row["relevant_lost"].items()) or "-"
        print(
            f"| {row['arm']} | {row['ndcg']:.4f} | {row['recall']:.4f} | {row['hits']:.1f} | {share} "
            f"| {signed(row['difference'])} | {signed(row['difference_where_escalated'])} | {lost} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare ways of escalating to hypervectors on judged collections.")
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--out", type=Path, help="write all numbers here, as JSON")
    parser.add_argument("--only", action="append", choices=sorted(LEXICAL), help="these collections only")
    options = parser.parse_args()
    if not options.data:
        sys.exit("escalation: no collections; give --data DIR or set BYHEART_DATA")
    analyzer, started = Analyzer(), perf_counter()
    lexical: list[Row] = []
    compared: list[Row] = []
    for name in options.only or LEXICAL:
        try:
            collection = datasets.load(Path(options.data) / name)
        except InvalidArgument as error:
            sys.exit(f"escalation: {error}")
        lexical += lexical_alone(collection)
        if name in PRESETS:
            compared += compare(collection, analyzer)
        if name == "locomo-dev":
            compared += compare(by_session(collection), analyzer)
        print(f"{name}: {perf_counter() - started:.0f} s", file=sys.stderr)
    print_lexical(lexical)
    print_compared(compared)
    if options.out:
        options.out.write_text(json.dumps({"seed": SEED, "lexical": lexical, "compared": compared}, indent=1) + "\n")


if __name__ == "__main__":
    main()
