"""The timings of an answer tell which way a recall went: the short one wherever it gives what the long one gives."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder

FUSED = ("question", "search")
FEW, SCORED, LONG = (*FUSED, "read"), (*FUSED, "scoring"), (*FUSED, "features")


@pytest.fixture(scope="module")
def memories() -> tuple[Memory, Memory]:
    """Return a memory of words alone, and one that has vectors, too."""
    both = Memory(), Memory(embedder=HashingEmbedder(16))
    for memory in both:
        memory.remember_many(["kettle " + " ".join(f"{sign}{at}" for sign in "abcde") for at in range(60)])
    return both


@pytest.mark.parametrize(
    ("profile", "question", "options", "words", "vectors"),
    [
        ("kb-fast", "kettle", {}, FEW, FEW),
        ("kb-fast", "kettle -a1", {}, FEW, FEW),
        ("kb-fast", "kettle in may 2020", {}, FEW, FEW),
        ("kb-fast", "", {}, LONG, LONG),
        ("kb-fast", "kettle", {"explain": True}, LONG, LONG),
        ("kb-balanced", "kettle", {}, FEW, FEW),
        ("kb-thinkingdb", "kettle", {}, LONG, LONG),
        ("hybrid", "kettle", {}, LONG, SCORED),
        ("hybrid", "kettle", {"explain": True}, LONG, LONG),
        ("auto", "kettle", {}, FUSED, FUSED),
        ("auto", "kettle", {"min_strength": 0}, FUSED, FUSED),
        ("auto", "", {}, LONG, LONG),
        ("auto", "kettle", {"explain": True}, LONG, LONG),
        ("auto", "kettle in may 2020", {}, LONG, LONG),
        ("scoped", "kettle", {}, LONG, LONG),
    ],
)
def test_the_way_of_a_recall_shows_in_its_steps(
    memories: Any, profile: Any, question: str, options: Any, words: tuple[str, ...], vectors: tuple[str, ...]
) -> None:
    for memory, way in zip(memories, (words, vectors), strict=True):
        steps = tuple(memory.recall(question, profile=profile, **options).timings)
        assert (steps if way == FUSED else steps[:3]) == way
