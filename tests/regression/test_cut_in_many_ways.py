"""Chatter that can be cut into its parts in many ways: all ways were tried, and "www..." of 30 letters took minutes."""

from __future__ import annotations

import pytest

from byheart.patterns.chatter import chatter


@pytest.mark.parametrize(
    ("unit", "last", "how"),
    [
        ("w", "\u732b", None), ("\u7b11", "\u732b", None), ("\u305d\u3046\u3067\u3059\u306d", "\u732b", None),
        ("asdfghjkl", "x", None), ("asdfghjkl;", "boat", None),
        ("w", "\u7b11", "fillers"), ("\u305d\u3046\u3067\u3059\u306d", "\u3088\u306d", "fillers"),
        ("asdfghjkl", ";", "keyboard"), ("\u306d", "", None),
    ],
)  # fmt: skip
def test_what_can_be_cut_in_many_ways_is_read_once(unit: str, last: str, how: str | None) -> None:
    assert chatter(unit * 35 + last) == how, "of two ways for each unit there were 2^35, all of which were tried"
