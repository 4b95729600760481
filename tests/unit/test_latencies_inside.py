"""What searches took inside one boundary decides nothing in another."""

from __future__ import annotations

import time

import byheart
from byheart.profiles.router import RouterConfig
from byheart.retrieval.protocol import LegQuery, register


class Notes:
    name = "slow_notes"

    def search(self, asked: LegQuery) -> list[tuple[str, float]]:
        if "slow" in asked.question.text:
            time.sleep(0.06)
        return [("vinegar", 0.9)]


def test_a_slow_search_of_one_tenant_skips_none_of_another() -> None:
    register(Notes())
    memory = byheart.Memory()
    memory.remember("Vinegar stands left.", id="vinegar")
    memory.remember("The kettle.", id="k")
    memory.remember("Slow boat.", tenant="acme")
    profile = RouterConfig(stage2="slow_notes", estimate="p95", cap_ms=50).profile()
    before = memory.recall("kettle", profile=profile)
    memory.recall("slow", profile=profile, boundary={"tenant": "acme"})
    after = memory.recall("kettle", profile=profile)
    assert after.receipt.routing is not None
    assert before.receipt.routing is not None
    assert after.hits == before.hits
    assert after.receipt.routing["reason"] == before.receipt.routing["reason"] == "used"
    memory.recall("slow", profile=profile)
    skipped = memory.recall("kettle", profile=profile)
    assert skipped.receipt.routing is not None
    assert skipped.receipt.routing["reason"] == "estimated_over_cap"
