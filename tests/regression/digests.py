"""Prints digests of ids and score bits over a seeded corpus: what `golden.json` pins. Run by `test_golden.py`.

A process prints one JSON object: which instruction set it ran, and the digests of each way in which the same
content was indexed and asked. The corpus is made here, by a generator of our own, so it is the same everywhere.
"""

import json
import sys
from array import array
from collections.abc import Iterable, Iterator
from hashlib import sha256

import byheart
from byheart import _core, knowledge

RECORDS, REMEMBERED, QUERIES = 2_500, 300, 120
ROLES = [None, "Comparison", "Explanation", "Procedure", "Definition", "Narrative", "Constraint"]
CELLS = ["a", "b", "c", "rare"]
FIELDS = {"title": 1.5, "body": 1.0}
VECTOR_FIELDS = {"topic": 0.35, "claim": 0.35, "role": 0.2, "acts": 0.1}
AWKWARD = ["re-index", "naïve", "東京タワー", "Straße", "u.s.a", "don’t", "3-day", "ﬁne", "o'clock's", "ΟΔΟΣ"]
SYLLABLES = ["ka", "lo", "mi", "ner", "ti", "sor", "ve", "ing", "ation", "ness", "ed", "s"]
NOW = 1_000_000_000.0


class Stream:
    """A linear congruential generator (Knuth's MMIX constants); the upper bits are used."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def shuffled(self, items: Iterable) -> list:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


STREAM = Stream(20_261_121)
WORDS = [
    *AWKWARD,
    *("".join(SYLLABLES[STREAM.below(len(SYLLABLES))] for _ in range(2 + STREAM.below(3))) for _ in range(700)),
]


def text(low: int, high: int) -> str:
    """Return some words, frequent ones more often; a product of uniform numbers is steep enough."""
    count = low + STREAM.below(high - low + 1)
    return " ".join(WORDS[STREAM.below(len(WORDS)) * STREAM.below(len(WORDS)) // len(WORDS)] for _ in range(count))


def documents() -> list[tuple]:
    """Return (id, fields, cell, label): mostly short, some long, some with one word a few hundred times."""
    made = []
    for number in range(RECORDS):
        body = text(1, 14) if number % 50 else text(200, 400)
        if number % 333 == 0:
            body += f" {WORDS[number % 20]}" * (254 + number % 3)
        cell = CELLS[min(STREAM.below(40) // 13, 3)]
        made.append((f"r{number * 7919 % 10_007}", {"title": text(0, 3), "body": body}, cell, ROLES[STREAM.below(7)]))
    return made


def remembered() -> list[dict]:
    """Return records of a memory: plain texts and full ones, some expired, some alike."""
    made = []
    for number in range(REMEMBERED):
        record = {"text": text(2, 9), "id": f"m{number * 389 % 1_009}", "created_at": float(number)}
        record["scope"] = ["session", "project"][STREAM.below(2)]
        if number % 3 == 0:
            record |= {"role": ROLES[1 + STREAM.below(6)], "topic": text(1, 2), "utility_note": text(0, 3)}
        if number % 11 == 0:
            record["expires_at"] = NOW + STREAM.below(3) - 1
        if number % 17 == 0 and made:
            record |= {key: made[-1][key] for key in ("text", "scope")}
        made.append(record)
    return made


DOCUMENTS = documents()
MEMORIES = remembered()
ASKED = [text(1, 5) for _ in range(QUERIES)]
ORDERS = {"as made": DOCUMENTS, "backwards": DOCUMENTS[::-1], "shuffled": STREAM.shuffled(DOCUMENTS)}


def digest(answers: Iterable) -> str:
    """Return the number of hits and the SHA-256 of ids and score bits of all answers."""
    total, hits = sha256(), 0
    for answer in answers:
        hits += len(answer)
        total.update(repr([(id, score.hex()) for id, score in answer]).encode())
    return f"{hits} hits, {total.hexdigest()}"


def in_batches(items: list, one_by_one: bool) -> Iterator[list]:
    """Yield everything at once; or the last 200 one by one after the rest."""
    if not one_by_one:
        yield items
        return
    yield items[:-200]
    for item in items[-200:]:
        yield [item]


def vectors_of(fields: dict, label: str | None, analyzer: byheart.Analyzer) -> dict:
    """Return the vectors of a document; every third lacks a field or two."""
    terms = {name: analyzer.terms(value) for name, value in fields.items()}
    found = {"topic": byheart.HyperVector.encode_subwords(terms["title"])}
    found["claim"] = byheart.HyperVector.encode_ngrams(terms["body"][:40])
    if label:
        found["role"] = byheart.HyperVector.random(label)
        found["acts"] = byheart.HyperVector.encode_tokens(knowledge.ROLE_DEFAULT_ACTS.get(label, ()))
    return found


VECTORS = {id: vectors_of(fields, label, byheart.Analyzer()) for id, fields, _, label in DOCUMENTS[:600]}
VECTOR_QUERIES = [
    {"topic": vectors["claim"], "claim": vectors["claim"], "role": byheart.HyperVector.random("Procedure")}
    for vectors in list(VECTORS.values())[:30]
]


def lexical_digests(order: list, one_by_one: bool, again: bool, threads: int) -> dict[str, str]:
    """Return the digests of lexical searches: plain ones, some cells, and boosted ones."""
    index = byheart.LexicalIndex(FIELDS)
    index.add([DOCUMENTS[5][0]], [{"title": "to be replaced"}], cells=["gone"])
    for batch in in_batches(order, one_by_one):
        ids, fields, cells, labels = map(list, zip(*batch, strict=True))
        index.add(ids, fields, cells=cells, labels=labels)
    if again:
        index = byheart.LexicalIndex.from_bytes(index.to_bytes())
    boosts = {"Procedure": 1.3, "Narrative": 0.5}
    return {
        "lexical": digest(index.search_many(ASKED, 20, threads=threads)),
        "lexical, some cells": digest(index.search_many(ASKED, 20, cells=["a", "rare"], threads=threads)),
        "lexical, boosted": digest(index.search(query, 20, boosts=boosts) for query in ASKED),
    }


def vector_digests(order: list, one_by_one: bool, again: bool, threads: int) -> dict[str, str]:
    """Return the digests of hypervector searches, for both ways to combine fields and for one vector a record."""
    found = {}
    held = [document for document in order if document[0] in VECTORS]
    for name in ("sum", "adaptive", "one vector"):
        whole = name == "one vector"
        index = byheart.HypervectorIndex() if whole else byheart.HypervectorIndex(VECTOR_FIELDS, name, 0.05)
        for batch in in_batches(held, one_by_one):
            vectors = [VECTORS[id]["claim"] if whole else VECTORS[id] for id, *_ in batch]
            index.add([id for id, *_ in batch], vectors, cells=[cell for _, _, cell, _ in batch])
        if again:
            index = byheart.HypervectorIndex.from_bytes(index.to_bytes())
        queries = [query["claim"] if whole else query for query in VECTOR_QUERIES]
        found[f"hypervector, {name}"] = digest(index.search_many(queries, 20, threads=threads))
    return found


def embedding(number: int) -> array:
    """Return the embedding of a document: later dimensions count for less, as in Matryoshka models."""
    stream = Stream(number)
    return array("f", [(stream.below(2001) - 1000) / (dimension + 8) for dimension in range(200)])


EMBEDDINGS = {id: embedding(number) for number, (id, *_) in enumerate(DOCUMENTS[:600])}
DENSE_QUERIES = [embedding(number * 41 + 7) for number in range(30)]


def dense_digests(order: list, one_by_one: bool, again: bool, threads: int) -> dict[str, str]:
    """Return the digests of searches by embedding, in each mode."""
    index = byheart.DenseIndex(200, (16, 64, 200))
    for batch in in_batches([document for document in order if document[0] in EMBEDDINGS], one_by_one):
        index.add([id for id, *_ in batch], [EMBEDDINGS[id] for id, *_ in batch], cells=[cell for *_, cell, _ in batch])
    if again:
        index = byheart.DenseIndex.from_bytes(index.to_bytes())
    exits = {"mode": "early_exit", "thresholds": [0.55, 0.4], "time_budget_ms": None}
    return {
        "dense": digest(index.search_many(DENSE_QUERIES, 20, threads=threads)),
        "dense, some cells": digest(index.search_many(DENSE_QUERIES, 20, cells=["a", "rare"], threads=threads)),
        "dense, early exit": digest(index.search_many(DENSE_QUERIES, 20, threads=threads, **exits)),
        "dense, shortlist": digest(index.search_many(DENSE_QUERIES, 20, threads=threads, mode="approx", shortlist=99)),
    }


def recall_digests(order: list, one_by_one: bool) -> dict[str, str]:
    """Return the digests of recalls."""
    memory = byheart.Memory()
    for batch in in_batches(order, one_by_one):
        memory.remember_many(batch)

    def hits(query: str, profile: str, **more) -> list:
        return [(hit.id, hit.score) for hit in memory.recall(query, profile=profile, now=NOW, **more)]

    found = {name: digest(hits(query, name) for query in ASKED) for name in ("kb-fast", "kb-balanced")}
    found["kb-balanced, act"] = digest(
        hits(query, "kb-balanced", act="explain", boundary={"scopes": ["session"]}) for query in ASKED
    )
    return found


def all_ways() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the digests of every order, way of adding, number of threads, and after bytes were written and read."""
    for number, (name, order) in enumerate(ORDERS.items()):
        one_by_one, threads = number > 0, (1, 2, 7)[number]
        for again in (False, True):
            way = f"{name}, one by one {one_by_one}, {threads} threads, read again {again}"
            lexical = lexical_digests(order, one_by_one, again, threads)
            vectors = vector_digests(order, one_by_one, again, threads)
            yield way, lexical | vectors | dense_digests(order, one_by_one, again, threads)
    shuffled = Stream(7).shuffled(MEMORIES)
    for name, order in {"as made": MEMORIES, "backwards": MEMORIES[::-1], "shuffled": shuffled}.items():
        yield f"memory, {name}", recall_digests(order, order is shuffled)


if __name__ == "__main__":
    ways = dict(all_ways())
    if sys.argv[1:] == ["golden"]:  # what golden.json holds
        golden = {name: value for digests in ways.values() for name, value in sorted(digests.items())}
        sys.stdout.write(json.dumps(golden, indent=2, sort_keys=True) + "\n")
    else:
        json.dump({"isa": _core.active_isa(), "ways": ways}, sys.stdout)
