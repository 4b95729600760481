"""The order of maximal marginal relevance, told where scores do not fall: what stands above counts against a row."""

from __future__ import annotations

from byheart import Memory
from byheart.embedding import HashingEmbedder


def test_an_explanation_says_by_what_rows_were_ordered_whose_scores_do_not_fall() -> None:
    memory = Memory(embedder=HashingEmbedder())
    for number, text in enumerate(
        ("tea with milk and sugar in the morning", "tea with milk and sugar in the evening", "tea of mint",
         "the tea pot is broken", "milk tea with sugar")
    ):  # fmt: skip
        memory.remember(text, id=f"t{number}", created_at=number)
    found = memory.recall("tea with milk and sugar", profile="activation", explain=True, now=10)
    scores = [hit.score for hit in found]
    assert scores != sorted(scores, reverse=True)
    order = "in the order of maximal marginal relevance (0.85 x score - 0.15 x the largest cosine with those above)"
    assert all(order in str(hit.explanation) for hit in found)
