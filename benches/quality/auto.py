"""Does every part of the profile auto earn its place, and is the whole at least as good as its best part?

Each line is auto with one part changed or left out, beside auto as it is: the mean over queries of the difference in
nDCG@10, with a paired bootstrap interval of 95 %. Also the best single leg: words alone, vectors alone.

    python benches/quality/auto.py --data DIR [--embedder none|hashing|wordllama] [--minilm FOLDER] [--only NAME ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from byheart import Profile, profiles
from byheart.embedding import Embedder, HashingEmbedder, StaticEmbedder
from byheart.evaluation import datasets, metrics
from byheart.evaluation.filling import Filled, fill
from byheart.evaluation.resampling import paired
from byheart.profiles import Leg
from byheart.ranking.absolute import AbsoluteFusion, ByScore
from byheart.ranking.agreement import DropDuplicates
from byheart.ranking.dates import periods
from byheart.ranking.named_time import NamedTime
from byheart.ranking.strength import Strength
from byheart.ranking.told import Neighbours, SpeakerNamed, WholeSession

COLLECTIONS = ("locomo-dev", "scifact-train", "cosqa-dev", "jsquad-valid")
K = 10


def variants(auto: Profile) -> Iterator[tuple[str, Profile]]:
    """Give auto without each of its parts, and its legs alone."""
    without = {"neighbours": Neighbours, "whole session": WholeSession, "speaker": SpeakerNamed, "strength": Strength}
    for name, stage in without.items():
        kept = tuple(each for each in auto.stages if not isinstance(each, stage))
        yield f"without {name}", replace(auto, name=f"without {name}", stages=kept)
    legs = tuple(leg for leg in auto.legs if leg.retriever != "hypervector")
    yield "without sub-words", replace(auto, name="without sub-words", legs=legs)
    plain = (AbsoluteFusion(), ByScore(), DropDuplicates())
    yield "words alone", Profile("words alone", (Leg("words"),), plain)
    yield (
        "vectors, one by words",
        Profile(
            "vectors, one by words",
            (Leg("dense", optional=True), Leg("words", pool=1)),
            (AbsoluteFusion(dense=1.0, in_conversation=1.0, floor=0.0), ByScore(), DropDuplicates()),
        ),
    )
    at = auto.stages.index(next(each for each in auto.stages if isinstance(each, ByScore)))
    kept = tuple(each for each in auto.stages if not isinstance(each, NamedTime))
    for share in (0.0, 0.1, 0.4):
        stages = (*kept[: at - 1], NamedTime(share, slack_days=3.0), *kept[at - 1 :])
        yield f"with times, {share:g}", replace(auto, name=f"times {share:g}", stages=stages)
    yield "kb-balanced", profiles.get("kb-balanced")


def scores(filled: Filled, collection: datasets.Collection, profile: Profile) -> list[float]:
    """Return nDCG@10 of each judged query."""
    found = []
    for query in collection.judged():
        boundary = None if query.conversation is None else {"tenant": query.conversation}
        now = filled.now(query.conversation)
        hits = filled.memory.recall(query.text, K, profile, boundary=boundary, now=now)
        found.append(metrics.ndcg([hit.id for hit in hits], collection.grades[query.id], K))
    return found


def embedder_of(name: str, minilm: Path | None) -> Embedder | None:
    """Return the embedder of a name."""
    if minilm is not None:
        from byheart.embedding.onnx import OnnxEmbedder

        return OnnxEmbedder(minilm, "all-MiniLM-L6-v2", threads=2)
    return {"none": lambda: None, "hashing": HashingEmbedder, "wordllama": lambda: StaticEmbedder.wordllama(256)}[
        name
    ]()


def main() -> None:
    """Measure and print one table a collection."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--embedder", default="none", choices=("none", "hashing", "wordllama"))
    parser.add_argument("--minilm", type=Path)
    parser.add_argument("--only", nargs="+", default=COLLECTIONS)
    wanted = parser.parse_args()
    auto = profiles.get("auto")
    for name in wanted.only:
        collection = datasets.load(wanted.data / name)
        filled = fill(collection, embedder=embedder_of(wanted.embedder, wanted.minilm), preset="default")
        whole = scores(filled, collection, auto)
        mean = sum(whole) / len(whole)
        model = wanted.embedder if wanted.minilm is None else "MiniLM"
        print(f"\n{name}, {len(whole)} queries, {model}: auto {mean:.4f}")
        dated = sum(bool(periods(query.text, filled.now(query.conversation))) for query in collection.judged())
        with patch("byheart.retrieval.words.function_words", lambda text, analyzer: []):
            tell("without function words", whole, scores(filled, collection, auto))
        for title, profile in variants(auto):
            if title.startswith("with times") and not dated:
                continue
            tell(title, whole, scores(filled, collection, profile))


def tell(title: str, whole: list[float], other: list[float]) -> None:
    """Print what another way scores beside the whole."""
    beside, mean = paired(whole, other), sum(other) / len(other)
    print(f"| {title} | {mean:.4f} | {beside.mean:+.4f} ({beside.low:+.4f} to {beside.high:+.4f}) |")


if __name__ == "__main__":
    main()
