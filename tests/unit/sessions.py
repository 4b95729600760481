"""Sessions of turns, and a summariser that joins them: what the tests of compaction share."""

from __future__ import annotations

from collections.abc import Sequence

import byheart
from byheart.summarising import FunctionSummariser, Turn

WHOLE = {"classes": ("public", "internal", "pii", "secret")}


def turns(count: int, **fields: object) -> list[dict[str, object]]:
    words = ("kettle", "tea", "cake", "garden", "bicycle")
    return [
        {
            "id": f"t{number:02}",
            "text": f"Turn {number}: the {words[number % 5]} again.",
            "session_id": "s1",
            "kind": "turn",
            "created_at": 100.0 + number,
            **fields,
        }
        for number in range(count)
    ]


def joined(asked: Sequence[Turn]) -> tuple[str, float]:
    return " / ".join(turn.text for turn in asked), 0.75


JOINED = FunctionSummariser(joined, "joined")


def stored(memory: byheart.Memory) -> dict[str, byheart.Record]:
    return {str(record.id): record for record in memory.records(boundary=WHOLE)}


SHORT = FunctionSummariser(lambda asked: (asked[0].text, 0.5), "first")
"""Keeps the first turn alone, so that a summary leaves something out."""
