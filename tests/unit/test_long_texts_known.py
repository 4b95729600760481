"""A word that stands in one long log alone is known: its length weakens no answer, and the order is as it was."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from byheart import Memory, Recall

NOW = 1.76e9


def log(lines: int) -> str:
    """A log with one line that is unlike all others."""
    said = [f"10:{at // 60:02d}:{at % 60:02d} INFO http.server status=200 path=/v1/{at:06x}" for at in range(lines)]
    said[lines // 2] = "10:00:05 FATAL recon.runner LedgerImbalance: journal=88120934 diff=-3"
    return "\n".join(said)


def memory_with(lines: int) -> Memory:
    memory = Memory()
    memory.remember_many([f"Module m{number} belongs to squad {number % 5}." for number in range(100)])
    memory.remember(log(lines), id="log")
    return memory


@pytest.mark.parametrize("lines", [5, 20, 30, 60])
@pytest.mark.parametrize("asked", ["LedgerImbalance", "88120934", "what is LedgerImbalance?"])
def test_its_words_are_known(lines: int, asked: str) -> None:
    memory = memory_with(lines)
    found: list[Recall] = [memory.recall(asked, now=NOW, explain=explain) for explain in (False, True)]
    assert [hit.id for hit in found[0]] == ["log"]
    assert found[0].strength == found[1].strength == found[0][0].strength == found[1][0].strength > 0.25


def test_what_no_text_says_is_not() -> None:
    memory = memory_with(60)
    assert not memory.recall("what is a zebra?", now=NOW)


def test_the_scores_are_as_they_were() -> None:
    memory = memory_with(60)
    found = memory.recall("LedgerImbalance", now=NOW, min_strength=0)
    with patch("byheart.recall.absolute.lift_of", lambda *_: 1.0), patch("byheart.recall.legs.lift_of", lambda *_: 1.0):
        plain = memory.recall("LedgerImbalance", now=NOW, min_strength=0)
    assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in plain]
    assert found.strength > 2 * plain.strength


def test_a_session_with_a_log_is_found_after_its_compaction() -> None:
    memory = Memory()
    memory.remember_many([f"Module m{number} belongs to squad {number % 5}." for number in range(40)])
    turns = [
        ("user", "Look at the log of the nightly run, something is wrong."),
        ("tool", log(40)),
        ("assistant", "Journal 88120934 was off by 3 cents because of rounding in split_fee(); fixed in 5be0d12."),
        ("user", "ok, ship it with the next release"),
    ]
    for at, (role, text) in enumerate(turns):
        memory.ingest_turn(
            text, session_id="s", user_id="u", role=role, id=f"t{at}", created_at=1.75e9 + at, now=1.75e9
        )
    memory.compact("s", force=True, now=NOW)
    for asked in ("rounding in split_fee", "5be0d12", "why was journal 88120934 off?"):
        assert memory.recall(asked, user_id="u", now=NOW), asked
        assert "5be0d12" in memory.context(asked, 3000, user_id="u", now=NOW).text, asked
