"""How strong is an answer where the topic is there, and where it is not? The curves of `byheart.ranking.curves`.

A memory for each collection (of conversations: for each of these) is asked its own questions, questions of the other
collections ("foreign"), questions about other conversations ("neighbour"), and small talk. A logistic curve over the
best share of words and the best meaning is fitted by Newton's method; every memory weighs the same, and so do both
classes. Printed: the coefficients, and by memory and kind of question the AUC and the share that is refused at the
floor, beside the share of own questions that is.

    python benches/quality/strength.py --data DIR [--embedder none|hashing|wordllama] [--minilm FOLDER] [--only NAME]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from auto import COLLECTIONS, embedder_of
from numpy.typing import NDArray

from byheart.evaluation import datasets
from byheart.evaluation.filling import fill
from byheart.ranking.curves import curve_of

SEED = 7
OWN, FOREIGN = 200, 200
TALK = (
    "thanks a lot!", "how are you today?", "tell me a joke", "what time is it?", "can you help me with something?",
    "good morning", "please summarise this for me", "translate this sentence into French",
    "what is the weather like tomorrow", "who won the football match yesterday",
)  # fmt: skip
Row = tuple[str, str, float, float]  # memory, kind of question, share of words as it counts by their number, meaning


def questions(name: str, tenant: str | None, asked: dict[str, list[datasets.Query]]) -> Iterator[tuple[str, str]]:
    """Give questions for a memory, each with its kind."""
    draw = random.Random(f"{SEED}/{name}/{tenant}")
    own = [query for query in asked[name] if query.conversation == tenant]
    few = len(own) < len(asked[name])
    yield from (("own", query.text) for query in draw.sample(own, min(OWN, len(own))))
    for other in asked:
        if other != name:
            yield from (("foreign", query.text) for query in draw.sample(asked[other], FOREIGN // (7 if few else 1)))
    if few:
        others = [query for query in asked[name] if query.conversation != tenant]
        yield from (("neighbour", query.text) for query in draw.sample(others, 60))
    yield from (("talk", text) for text in TALK)


def measured(names: tuple[str, ...], data: Path, embedder_name: str, minilm: Path | None) -> list[Row]:
    """Return how well each memory answers each question, by its words and by its vectors."""
    collections = {name: datasets.load(data / name) for name in names}
    asked = {name: list(collection.judged()) for name, collection in collections.items()}
    rows: list[Row] = []
    for name, collection in collections.items():
        memory = fill(collection, embedder=embedder_of(embedder_name, minilm), preset="default").memory
        for tenant in sorted({query.conversation for query in asked[name]}, key=str):
            boundary = None if tenant is None else {"tenant": tenant}
            for kind, text in questions(name, tenant, asked):
                found = memory.recall(text, 1, boundary=boundary, min_strength=0.0)
                best = found.account.bare().figures["strength"]
                curve = curve_of(best["model"])
                longer = curve.asked(best["length"]).words / curve.words
                rows.append((name, kind, best["share"] * longer, best["meaning"]))
    return rows


def fitted(rows: list[Row]) -> NDArray[np.float64]:
    """Return bias and coefficients of the logistic curve nearest to the rows."""
    own = np.array([kind == "own" for _, kind, _, _ in rows], dtype=float)
    memories = np.array([name for name, _, _, _ in rows])
    inputs = np.array([(1.0, share, meaning) for _, _, share, meaning in rows])
    inputs = inputs if inputs[:, 2].any() else inputs[:, :2]
    weights = np.zeros(len(rows))
    for name in set(memories):
        for kind in (0.0, 1.0):
            those = (memories == name) & (own == kind)
            weights[those] = 1.0 / those.sum()
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


def main() -> None:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--embedder", default="none", choices=("none", "hashing", "wordllama"))
    parser.add_argument("--minilm", type=Path)
    parser.add_argument("--only", nargs="+", default=COLLECTIONS)
    wanted = parser.parse_args()
    rows = measured(tuple(wanted.only), wanted.data, wanted.embedder, wanted.minilm)
    embedder = embedder_of(wanted.embedder, wanted.minilm)
    curve = curve_of(None if embedder is None else embedder.fingerprint.family)
    print("fitted:", fitted(rows).round(3), "shipped:", curve)
    for name in wanted.only:
        strength = {
            kind: np.array([curve.of(share, above) for at, each, share, above in rows if (at, each) == (name, kind)])
            for kind in ("own", "foreign", "neighbour", "talk")
        }
        own = strength.pop("own")
        print(f"{name}: of {len(own)} own questions {(own < curve.floor).mean():.3f} are refused")
        for kind, found in strength.items():
            if len(found):
                told = f"AUC {auc(own, found):.3f}, refused {(found < curve.floor).mean():.2f}"
                print(f"  {kind}, {len(found)}: {told}")


if __name__ == "__main__":
    main()
