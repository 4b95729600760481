"""The tool `list`: how many it gives, and what it says of those in whose place others stand."""

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart

from ..mcp_host import Host


def test_a_list_that_says_no_number_is_of_twenty() -> None:
    with byheart.Memory() as memory:
        memory.remember_many([f"tea number {number}" for number in range(25)])
        page = Host(memory)("list")
        assert len(page["items"]) == 20 and len(Host(memory)("list", cursor=page["cursor"])["items"]) == 5


def test_what_is_no_longer_so_is_told_as_such() -> None:
    with byheart.Memory() as memory:
        old = memory.remember("The rent is 950 euros.")
        new = memory.remember("The rent is 1,000 euros.", supersedes=[old])
        memory.remember("The cellar is dry.")
        outcome = Host(memory).outcome("list")
        assert {each["id"]: each["superseded_by"] for each in outcome.data["items"]}[old] == new
        assert [each["superseded_by"] for each in outcome.data["items"]].count(None) == 2
        assert outcome.text.endswith(f"no longer so: {old} ({new} stands in its place)")
        memory.forget(old)
        assert "no longer" not in Host(memory).outcome("list").text
