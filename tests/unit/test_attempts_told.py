"""What a verb says that others came before again and again: what was to be done."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from byheart import Memory
from byheart.errors import StoreBusy
from byheart.storage import attempts

VERBS: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("tea"),
    "keep a turn": lambda memory: memory.ingest_turn("We meet at noon in Rome.", session_id="s"),
    "change record 'x'": lambda memory: memory.update("x", topic="kitchen"),
    "read it": lambda memory: memory.records(),
    "answer a recall": lambda memory: memory.recall("kettle"),
    "read the end of a conversation": lambda memory: memory.context("kettle", 100, session_id="s", recent=True),
    "compact session 's'": lambda memory: memory.compact("s", force=True),
    "forget records": lambda memory: memory.forget("x"),
    "compare the indexes with the store": lambda memory: memory.check(),
    "count a use": lambda memory: memory.touch("x"),
    "take in feedback": lambda memory: memory.feedback("x", "helpful"),
    "take in a claim": lambda memory: memory.upsert(
        "Ann drinks tea.",
        kind="fact",
        scope="project",
        boundary_class="internal",
        provenance={"from": "a chat", "at": 1},
    ),
}


@pytest.mark.parametrize("said", VERBS)
def test_a_verb_that_is_never_first_says_what_it_was_about(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory()
    memory.remember("The kettle is blue.", id="x")
    monkeypatch.setattr(attempts, "TRIES", 0)
    with pytest.raises(StoreBusy, match=rf"^others wrote to the store during each of 0 attempts to {said}; try again$"):
        VERBS[said](memory)


def test_who_is_slow_beside_busy_writers_goes_on_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose attempts were each beaten, 64 of them within a tenth of a second, was told that it is busy."""
    now = iter(range(1_000))
    monkeypatch.setattr("time.monotonic", lambda: next(now) / 100)
    assert len(list(zip(attempts.attempts("wait"), range(900), strict=False))) == 900
    monkeypatch.setattr("time.monotonic", lambda: 100.0 * next(now))
    counted = 0
    with pytest.raises(StoreBusy, match="each of 64 attempts to wait"):
        for _ in attempts.attempts("wait"):
            counted += 1
    assert counted == 64
