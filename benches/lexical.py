"""What: one lexical query, a batch of queries, and the build, of one corpus. Corpus: see corpora.py. Compare: engines.

    python benches/lexical.py --corpus zipf --records 10000
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import corpora
from harness import ROUNDS, emit, in_turns, note, per_call, pin, row
from lexical_engines import ENGINES, Bm25s, Bm25sIds, Byheart, Engine

KINDS = {"zipf": ("topic", "stop", "sentence"), "english": ("sentence",)}
QUERIES = 300


def chosen(corpus: str, records: int) -> list[type[Engine]]:
    """Return the engines that take part."""
    return [kind for kind in ENGINES if kind.largest >= records and (kind.knows_english or corpus != "english")]


def timed_build(engine: Engine, documents: list[str]) -> Callable[[], float]:
    """Return a turn: build anew, and give documents per second."""

    def turn() -> float:
        start = time.process_time()
        engine.build(documents)
        return len(documents) / (time.process_time() - start)

    return turn


def builds(corpus: str, documents: list[str]) -> list[Engine]:
    """Time the builds; return the engines, each built."""
    engines = [kind(corpus == "english") for kind in chosen(corpus, len(documents))]
    for engine in engines:
        engine.build(documents[:10])  # whatever is compiled or imported at first use
    rounds = 1 if len(documents) > 100_000 else 3 if len(documents) > 10_000 else ROUNDS
    samples = in_turns({engine.name: timed_build(engine, documents) for engine in engines}, rounds)
    megabytes = sum(map(len, documents)) / 1e6
    speed = sorted(samples["byheart"])[rounds // 2] * megabytes / len(documents)
    if len(documents) >= 10_000:
        emit(row(
            "lexical build", f"{corpus}, {len(documents):,} records", "records/s", samples,
            higher_is_better=True, rounds=rounds, megabytes_a_second=round(speed, 1),
        ))  # fmt: skip
    return engines


def agreement(engines: list[Engine], queries: list[str]) -> dict[str, float]:
    """Return for each engine which share of byheart's top ten it has in its own, over the queries."""
    answers = {
        engine.name: [set(engine.ids(engine.search(engine.prepare(query)))) for query in queries] for engine in engines
    }
    exact = answers["byheart"]
    wanted = sum(map(len, exact))
    return {
        name: round(sum(len(mine & theirs) for mine, theirs in zip(exact, found, strict=True)) / wanted, 3)
        for name, found in answers.items()
        if name != "byheart" and wanted
    }


def single(engine: Engine, queries: list[str]) -> Callable[[], float]:
    """Return a turn: microseconds of one query."""
    prepared = [engine.prepare(query) for query in queries]
    return lambda: per_call(engine.search, prepared)


def batch(engine: Engine, queries: list[str], count: int) -> Callable[[], float]:
    """Return a turn: microseconds a query, all handed over at once."""
    prepared = [engine.prepare(query) for query in queries[:count]]

    def turn() -> float:
        start = time.process_time()
        engine.search_many(prepared)
        return (time.process_time() - start) * 1e6 / len(prepared)

    return turn


def main() -> None:
    """Measure one corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", choices=KINDS, required=True)
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    documents = corpora.load(wanted.corpus, wanted.records)
    note(f"{wanted.corpus}, {wanted.records:,} records: builds")
    engines = builds(wanted.corpus, documents)
    engines += [Bm25sIds(engine) for engine in engines if type(engine) is Bm25s]
    rare = {"corpus_crc32": corpora.checksum(wanted.corpus, wanted.records)}
    for kind in KINDS[wanted.corpus]:
        case = f"{wanted.corpus}, {len(documents):,} records, {kind}"
        note(case)
        queries = corpora.queries(documents, kind, QUERIES)
        agreed = agreement(engines, queries[:100] if len(documents) <= 100_000 else queries[:30])
        samples = in_turns({engine.name: single(engine, queries) for engine in engines})
        emit(row("lexical query", case, "us", samples, agreement=agreed, **rare))
        # rank-bm25 and SQLite take one query at a time: their batch is the row above.
        many = [engine for engine in engines if type(engine) in (Byheart, Bm25s, Bm25sIds)]
        if len(documents) >= 10_000:
            count = QUERIES if len(documents) <= 100_000 else 100
            samples = in_turns({engine.name: batch(engine, queries, count) for engine in many})
            emit(row("lexical batch", case, "us/query", samples))


if __name__ == "__main__":
    main()
