"""How strong is an answer where the topic is there, and where it is not? The curves of `byheart.ranking.curves`.

A memory for each collection (of conversations: for each of these) is asked its own questions, one and two of their
rarest words, questions of the other collections ("foreign"), questions about other conversations ("neighbour"), and
small talk; so are small memories: sessions of conversations, and forty or eight texts of the others. A logistic curve
over the best share of words, the best meaning and how familiar the words are is fitted by Newton's method; every memory
weighs the same. Printed: the coefficients, and by memory and kind of question what is refused at a floor, and what that
costs own questions of their nDCG@10.

    python benches/quality/strength.py --data DIR [--embedder none|hashing|wordllama] [--minilm FOLDER] [--only NAME]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from auto import COLLECTIONS, K, embedder_of
from material import Frequencies, by_session, document_frequencies
from numpy.typing import NDArray

from byheart import Analyzer
from byheart.embedding import Embedder
from byheart.evaluation import datasets, metrics
from byheart.evaluation.filling import fill
from byheart.evaluation.perturbation import rarest_words
from byheart.ranking.curves import Curve, curve_of

SEED = 7
OWN, FOREIGN, SMALL, SIZES = 200, 200, 40, (40, 8)
KNOWN = ("own", "one word", "two words")
WEIGHTS = {"own": 1.0, "foreign": 1.0}
OTHERS = 0.3  # what the other kinds weigh
TALK = (
    "thanks a lot!", "how are you today?", "tell me a joke", "what time is it?", "can you help me with something?",
    "good morning", "please summarise this for me", "translate this sentence into French",
    "what is the weather like tomorrow", "who won the football match yesterday",
)  # fmt: skip


class Row(NamedTuple):
    """A question, and what decides how strong its answer is."""

    memory: str
    kind: str
    share: float  # as it counts by the number of words
    meaning: float
    familiarity: float
    ndcg: float | None


def grouped(collection: datasets.Collection, size: int) -> datasets.Collection:
    """Return small memories of so many texts: half of them answer a question each, the others are there by chance."""
    draw = random.Random(f"{SEED}/{collection.name}/{size}")
    documents = {document.id: document for document in collection.documents}
    queries = list(collection.judged())
    draw.shuffle(queries)
    others = sorted(documents)
    draw.shuffle(others)
    held: list[datasets.Document] = []
    asked: list[datasets.Query] = []
    for number in range(SMALL // 2):
        chosen = queries[number * size // 2 : (number + 1) * size // 2]
        ids = {id for query in chosen for id, grade in collection.grades[query.id].items() if grade}
        ids |= set(others[number * size // 2 : (number + 1) * size // 2])
        # One text may lie in two memories: its id says which.
        held += [replace(documents[id], id=f"{number}/{id}", conversation=str(number)) for id in sorted(ids)]
        asked += [replace(query, conversation=str(number)) for query in chosen]
    grades = {
        query.id: {f"{query.conversation}/{id}": grade for id, grade in collection.grades[query.id].items()}
        for query in asked
    }
    return datasets.Collection(f"{collection.name}, {size} texts", tuple(held), tuple(asked), grades)


def questions(
    collection: datasets.Collection, tenant: str | None, others: dict[str, list[datasets.Query]], known: Frequencies
) -> Iterator[tuple[str, str, str | None]]:
    """Give questions for a memory, each with its kind, and own ones with their id."""
    name = collection.name
    draw = random.Random(f"{SEED}/{name}/{tenant}")
    own = [query for query in collection.judged() if query.conversation == tenant]
    few, analyzer = tenant is not None, Analyzer()
    for query in draw.sample(own, min(OWN, len(own))):
        yield "own", query.text, query.id
        for kind, words in (("one word", 1), ("two words", 2)):
            if text := rarest_words(query.text, words, known[tenant], analyzer):
                yield kind, text, None
    for other, theirs in others.items():
        if other != name.split(",")[0].removesuffix(" by session"):
            yield from (("foreign", query.text, None) for query in draw.sample(theirs, FOREIGN // (7 if few else 1)))
    if few:
        rest = [query for query in collection.judged() if query.conversation != tenant]
        yield from (("neighbour", query.text, None) for query in draw.sample(rest, min(60, len(rest))))
    yield from (("talk", text, None) for text in TALK)


def measured(collections: Sequence[datasets.Collection], embedder: Embedder | None) -> list[Row]:
    """Return how well each memory answers each question, by its words and by its vectors."""
    others = {each.name: list(each.judged()) for each in collections if each.name in COLLECTIONS}
    rows: list[Row] = []
    for collection in collections:
        filled = fill(collection, embedder=embedder, preset="default")
        known = document_frequencies(collection, Analyzer())
        tenants = sorted({query.conversation for query in collection.judged()}, key=str)
        for tenant in tenants[:: max(1, len(tenants) // SMALL)]:
            boundary, now = None if tenant is None else {"tenant": tenant}, filled.now(tenant)
            for kind, text, id in questions(collection, tenant, others, known):
                found = filled.memory.recall(text, K, boundary=boundary, min_strength=0.0, now=now)
                best = found.account.bare().figures["strength"]
                if best.get("certain"):  # a question about everything, or about a time alone: no curve decides
                    continue
                curve = curve_of(best["model"])
                share = best["share"] * (curve.asked(best["length"]).words / curve.words)
                grades = None if id is None else collection.grades[id]
                ndcg = None if grades is None else metrics.ndcg([hit.id for hit in found], grades, K)
                rows.append(Row(collection.name, kind, share, best["meaning"], best["familiarity"], ndcg))
    return rows


def fitted(rows: list[Row]) -> NDArray[np.float64]:
    """Return bias and coefficients of the logistic curve nearest to the rows."""
    own = np.array([row.kind in KNOWN for row in rows], dtype=float)
    kinds = [(row.memory, row.kind) for row in rows]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    weights = np.array([WEIGHTS.get(kind, OTHERS) / counts[memory, kind] for memory, kind in kinds])
    inputs = np.array([(1.0, row.share, row.familiarity, row.meaning) for row in rows])
    inputs = inputs if inputs[:, 3].any() else inputs[:, :3]
    curve = np.zeros(inputs.shape[1])
    for _ in range(60):
        likely = 1.0 / (1.0 + np.exp(-inputs @ curve))
        slope = inputs.T @ (weights * (own - likely))
        bend = (inputs * (weights * likely * (1.0 - likely))[:, None]).T @ inputs + 1e-6 * np.eye(len(curve))
        curve += np.linalg.solve(bend, slope)
    return curve


def auc(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return how often one of the first is above one of the second; equal ones count half."""
    above = (first[:, None] > second[None, :]).mean() + 0.5 * (first[:, None] == second[None, :]).mean()
    return float(above)


def report(rows: list[Row], curve: Curve, floor: float) -> None:
    """Print what is refused at a floor."""
    print(f"floor {floor:g}")
    for name in dict.fromkeys(row.memory for row in rows):
        those = [row for row in rows if row.memory == name]
        strength = {
            kind: np.array([curve.of(row.share, row.meaning, row.familiarity) for row in those if row.kind == kind])
            for kind in dict.fromkeys(row.kind for row in those)
        }
        ndcg = np.array([row.ndcg for row in those if row.kind == "own"])
        own = strength["own"]
        cost = ndcg[own < floor].sum() / ndcg.sum()
        told = [f"{kind} {(found < floor).mean():.2f}" for kind, found in strength.items()]
        print(f"  {name}: cost {cost:.4f}, refused: {', '.join(told)}; AUC {auc(own, strength['foreign']):.3f}")


def main() -> None:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--embedder", default="none", choices=("none", "hashing", "wordllama"))
    parser.add_argument("--minilm", type=Path)
    parser.add_argument("--only", nargs="+", default=COLLECTIONS)
    parser.add_argument("--floors", nargs="+", type=float, default=())
    wanted = parser.parse_args()
    collections = [datasets.load(wanted.data / name) for name in wanted.only]
    small = [
        group
        for each in collections
        for group in ([by_session(each)] if each.name == "locomo-dev" else [grouped(each, size) for size in SIZES])
        if each.name != "jsquad-valid"
    ]
    embedder = embedder_of(wanted.embedder, wanted.minilm)
    rows = measured([*collections, *small], embedder)
    curve = curve_of(None if embedder is None else embedder.fingerprint.family)
    print("fitted (bias, words, familiar, meaning):", fitted(rows).round(2), "shipped:", curve)
    for floor in (curve.floor, *wanted.floors):
        report(rows, curve, floor)


if __name__ == "__main__":
    main()
