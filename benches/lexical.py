"""What: one lexical query, a batch of queries, and the build, of one corpus. Corpus: see corpora.py. Compare: engines.

python benches/lexical.py --corpus zipf --records 10000
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import corpora
from harness import ROUNDS, emit, in_turns, note, per_call, pin, row
from lexical_engines import ENGINES, Bm25s, Bm25sIds, Engine

KINDS = {"zipf": ("topic", "stop", "sentence"), "english": ("sentence",)}
QUERIES = 300


def chosen(corpus: str, records: int) -> list[type[Engine]]:
    """Return the engines that take part."""
    return [kind for kind in ENGINES if kind.largest >= records and (kind.knows_english or corpus != "english")]


def timed_build(
    kind: type[Engine], english: bool, documents: list[str], kept: dict[str, Engine]
) -> Callable[[], float]:
    """Return a turn: build anew, and give documents per second. The index before it is let go of first, untimed."""

    def turn() -> float:
        kept.pop(kind.name, None)
        engine = kind(english)
        start = time.process_time()
        engine.build(documents)
        spent = time.process_time() - start
        kept[kind.name] = engine
        return len(documents) / spent

    return turn


def builds(corpus: str, documents: list[str]) -> list[Engine]:
    """Time the builds; return the engines, each built."""
    kinds, kept = chosen(corpus, len(documents)), dict[str, Engine]()
    for kind in kinds:
        kind(corpus == "english").build(documents[:10])  # whatever is compiled or imported at first use
    rounds = 1 if len(documents) > 100_000 else 3 if len(documents) > 10_000 else ROUNDS
    turns = {kind.name: timed_build(kind, corpus == "english", documents, kept) for kind in kinds}
    samples = in_turns(turns, rounds)
    megabytes = sum(map(len, documents)) / 1e6
    speed = statistics.median(samples["byheart"]) * megabytes / len(documents)
    if len(documents) >= 10_000:
        emit(row(
            "lexical build", f"{corpus}, {len(documents):,} records", "records/s", samples,
            higher_is_better=True, rounds=rounds, megabytes_a_second=round(speed, 1),
        ))  # fmt: skip
    return [kept[kind.name] for kind in kinds]


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


def single(engine: Engine, queries: list[str], cold: bool = False) -> Callable[[], float]:
    """Return a turn: microseconds of one query."""
    prepared = [engine.prepare(query) for query in queries]
    return lambda: per_call(engine.search, prepared, cold=cold)


def batch(engine: Engine, queries: list[str], count: int) -> Callable[[], float]:
    """Return a turn: microseconds a query, all handed over at once."""
    prepared = [engine.prepare(query) for query in queries[:count]]

    def turn() -> float:
        engine.search_many(prepared)  # not counted
        start = time.process_time()
        engine.search_many(prepared)
        return (time.process_time() - start) * 1e6 / len(prepared)

    return turn


def measure(corpus: str, kind: str, documents: list[str], engines: list[Engine]) -> None:
    """Measure the queries of one kind, one by one and as a batch."""
    case = f"{corpus}, {len(documents):,} records, {kind}"
    note(case)
    queries = corpora.queries(documents, kind, QUERIES)
    agreed = agreement(engines, queries[:100] if len(documents) <= 100_000 else queries[:30])
    samples = in_turns({engine.name: single(engine, queries) for engine in engines})
    emit(row("lexical query", case, "us", samples, agreement=agreed))
    if len(documents) < 10_000:
        return
    if kind == "topic":
        cold = in_turns({engine.name: single(engine, queries, cold=True) for engine in engines})
        emit(row("lexical query", f"{case}, cold", "us", cold))
    count = QUERIES if len(documents) <= 100_000 else 100
    quick = [engine for engine in engines if statistics.median(samples[engine.name]) * count < 1e6]
    many = in_turns({engine.name: batch(engine, queries, count) for engine in quick})
    emit(row("lexical batch", case, "us/query", many))


def main() -> None:
    """Measure one corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", choices=KINDS, required=True)
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    documents = corpora.load(wanted.corpus, wanted.records)
    name = f"{wanted.corpus}, {len(documents):,} records"
    note(f"{name}: builds")
    emit({"area": "corpus", "case": name, "crc32": corpora.checksum(wanted.corpus, wanted.records)})
    engines = builds(wanted.corpus, documents)
    engines += [Bm25sIds(engine) for engine in engines if type(engine) is Bm25s]
    for kind in KINDS[wanted.corpus]:
        measure(wanted.corpus, kind, documents, engines)


if __name__ == "__main__":
    main()
