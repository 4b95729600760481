"""Hits in a number of tokens: what has no room is passed over, and what comes behind it is looked at."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.mcp.fitting import fitting


def words(text: str) -> list[str]:
    return text.lower().split()


@pytest.mark.parametrize("long", [8, 170])
def test_a_short_text_is_shown_behind_one_that_has_no_room(long: int) -> None:
    memory = Memory()
    no_room = "Green tea stands here, green tea " + "behind many other things " * long
    texts = ("Green tea is here.", no_room, "Hot tea is there.")
    for number, text in enumerate(texts):
        memory.remember(text, id=f"t{number}")
    found = memory.recall("Where is green tea?", min_strength=0)
    assert [hit.id for hit in found] == ["t0", "t1", "t2"]
    shown = fitting(found, "Where is green tea?", 20, words)
    assert shown == {0: texts[0], 2: texts[2]}
