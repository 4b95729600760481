"""Where somebody lives or works now, by forms with a number, a hyphen or a year in them."""

from __future__ import annotations

import pytest

import byheart
from byheart.patterns.states import change_in


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("I moved to Gartengasse 3.", "gartengasse 3"),
        ("We moved to Gartengasse 3b, a three-room flat.", "gartengasse 3b"),
        ("I moved to Via Roma 12.", "via roma 12"),
        ("I moved to Berlin 3 weeks ago.", "berlin"),
        ("I moved to Berlin with Tom.", "berlin"),
        ("I moved to Dublin.", "dublin"),
        ("Our new address is Gartengasse 3.", "gartengasse 3"),
        ("First day at Northwind as a data engineer.", "northwind"),
        ("I have a new job at Bosch.", "bosch"),
    ],
)
def test_the_whole_name_is_read(text: str, where: str) -> None:
    change = change_in(text)
    assert change is not None
    assert change.said == (where,)


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("I live in a two-room flat on Lindenstrasse 14.", "We moved to Gartengasse 3, a flat.", "Where do I live?"),
        ("I live in Lindenau.", "I moved to Gartengasse 3.", "Where do I live?"),
        ("I work at Brightleaf.", "First day at Northwind as a data engineer.", "Where do I work?"),
        ("I work for Siemens.", "I have a new job at Bosch.", "Where do I work?"),
        ("The Wi-Fi password is tulip-88.", "The new Wi-Fi password is fox-21.", "What is the Wi-Fi password?"),
        ("Wi-Fi password: tulip-88.", "New Wi-Fi password: fox-21.", "What is the Wi-Fi password?"),
    ],
)
def test_what_is_so_now_stands_first(old: str, new: str, question: str) -> None:
    memory = byheart.Memory()
    memory.remember(old, created_at="2025-01-02")
    memory.remember(new, created_at="2025-09-15")
    assert memory.recall(question, now="2026-12-01")[0].text == new


@pytest.mark.parametrize(
    ("now", "once", "question"),
    [
        ("I live in Vienna.", "Until 2020 I lived in Oslo.", "Where do I live?"),
        ("I work at Northwind.", "In 2019 I worked at Siemens.", "Where do I work?"),
    ],
)
def test_what_was_stands_behind_what_is(now: str, once: str, question: str) -> None:
    memory = byheart.Memory()
    memory.remember(now, created_at="2026-06-01")
    memory.remember(once, created_at="2026-08-01")
    assert memory.recall(question, now="2026-12-01")[0].text == now
