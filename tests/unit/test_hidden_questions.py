"""What a policy hides of a question weighs nothing: a placeholder is no word of it, in any profile."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart import Memory
from byheart.embedding import HashingEmbedder

from .reopened import PROFILES

TEXTS = [
    "You reach Ann at ann@example.com about the kettle.", "Mail bob@example.com for the boat keys.",
    "The garden needs water.", "Call the plumber on +44 20 7946 0958.",
]  # fmt: skip
NAMES = {f"r{number}": text for number, text in enumerate(TEXTS)}
NOTE = "the policy hides what the question names"


def governed(**options: Any) -> Memory:
    memory = Memory(policy="default", **options)
    memory.remember_many([{"id": id, "text": text} for id, text in NAMES.items()])
    return memory


@pytest.mark.parametrize(
    "question", ["who is dora@example.com?", "who is at +49 170 5551234?", "who is [email]?", "dora@example.com"]
)
def test_a_question_of_which_nothing_else_is_left_finds_nothing_and_says_so(question: str) -> None:
    memory = governed()
    answer = memory.recall(question)
    assert list(answer) == [] and not answer.sufficient and answer.strength < 0.1
    assert any(NOTE in said for said in answer.degraded) and not any("common" in said for said in answer.degraded)
    assert any(NOTE in said for said in memory.recall_many([question])[0].degraded)
    assert any(NOTE in said for said in memory.context(question, 100).degraded)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("pair", [("kettle dora@example.com", "kettle"), ("call +49 170 5551234", "call")])
def test_no_profile_weighs_a_placeholder(profile: str, pair: tuple[str, str]) -> None:
    memory = governed(embedder=HashingEmbedder(64))

    def found(question: str) -> list[tuple[str, float]]:
        if profile == "activation":
            return [(item.claim_id, item.score) for item in memory.activate(question, now=9).items]
        return [(hit.id, hit.score) for hit in memory.recall(question, 9, profile, now=9)]

    assert found(pair[0]) == found(pair[1])


def test_marks_lists_and_receipts() -> None:
    memory = governed()
    assert [hit.id for hit in memory.recall("kettle -dora@example.com")] == ["r0"]
    assert [hit.id for hit in memory.recall(["water", "dora@example.com"], profile="kb-fast")] == ["r2"]
    answer = memory.recall("who sells dora@example.com a kettle?")
    assert [hit.id for hit in answer] == ["r0"] and answer.degraded == ()
    assert answer.receipt.query == "who sells [email] a kettle?"
    assert memory.recall("+kettle dora@example.com").receipt.query == "+kettle [email]"
    assert memory.recall(["kettle", "x@example.com"], profile="kb-fast").receipt.query == ("kettle", "[email]")
    assert byheart.Memory().recall("dora@example.com").degraded == ()
