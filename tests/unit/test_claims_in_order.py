"""Claims and signals where several records are about: which one counts, in which order they are named, and whose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.memory.governed import PolicyOptions

from .test_governed_memory import opened

DAY = 86_400.0
SAID: dict[str, Any] = {"provenance": {"at": 0}, "boundary_class": "internal"}
TEA = "Ann drinks green tea every single morning at home"


# ---- claims


def test_of_several_records_that_say_it_the_oldest_is_the_claim() -> None:
    memory = Memory()
    memory.remember("Ann drinks green tea.", id="a-young", created_at=9)
    memory.remember("Ann drinks green tea.", id="z-old", created_at=1)
    memory.remember("Ann drinks green tea.", id="m-middle", created_at=5)
    memory.remember("Ann drinks green tea.", id="hers", user_id="ann", created_at=0)
    assert memory.upsert("Ann drinks green tea.", **SAID, now=20).id == "z-old"


def test_near_claims_come_the_likest_first_and_no_claim_is_near_itself() -> None:
    memory = Memory(embedder=HashingEmbedder(256))
    ids = {
        said: memory.upsert(said, **SAID).id
        for said in (f"{TEA} while reading the news.", f"{TEA} every day.", f"{TEA}.")
    }
    found = memory.upsert(f"{TEA}!", **SAID).similar_existing
    assert {id for id, _ in found} == {*ids.values()}
    cosines = [cosine for _, cosine in found]
    assert cosines == sorted(cosines, reverse=True) and len({*cosines}) > 1 and found[0][0] == ids[f"{TEA}."]
    again = memory.upsert(f"{TEA}.", **SAID)
    assert not again.new and again.similar_existing and again.id not in dict(again.similar_existing)


# ---- feedback


def test_a_signal_about_what_is_superseded_says_what_stands_in_its_place() -> None:
    memory = Memory()
    memory.remember("We meet at three.", id="old", created_at=1)
    memory.remember("We meet at four in the hall.", id="new", created_at=2, supersedes=["old"])
    assert memory.feedback("old", "outdated", now=3).superseded_by == "new"
    assert memory.feedback("old", "outdated", now=3).superseded_by == "new", "the second time, too"
    assert memory.feedback("new", "helpful", now=3).superseded_by is None


def test_what_a_signal_adds_decays_from_then_on_and_not_from_when_the_record_was_made() -> None:
    memory = Memory()
    memory.remember("Ann drinks green tea.", id="tea", created_at=0)
    memory.feedback("tea", "helpful", now=60 * DAY)
    assert memory.decay(now=60 * DAY).changed == 0 and memory.get("tea").utility == pytest.approx(0.1)
    memory.decay(now=90 * DAY)
    assert memory.get("tea").utility == pytest.approx(0.05)


def test_signals_about_a_record_go_with_it_where_a_duplicate_makes_it_stricter() -> None:
    memory = Memory()
    everything = {"classes": ["internal", "pii"]}
    memory.remember("Ann drinks tea.", id="kept", created_at=1)
    memory.remember("Ann drinks tea.", id="double", boundary_class="pii", created_at=2)
    memory.feedback("kept", "helpful", now=3)
    memory.feedback("double", "duplicate", now=4, boundary=everything)
    assert memory.get("kept", boundary=everything).boundary_class == "pii"
    signals = [entry.what for entry in memory.history("kept", boundary=everything) if entry.what == "helpful"]
    assert signals == ["helpful"]


# ---- decay


def test_what_has_a_quality_alone_decays_and_what_lies_outside_the_boundary_does_not() -> None:
    memory = Memory()
    memory.remember_many(
        [
            {"id": "tea", "text": "Ann drinks tea.", "quality": 0.8, "created_at": 0},
            {"id": "key", "text": "The key is blue.", "utility": 1.0, "created_at": 0, "boundary_class": "pii"},
        ]
    )
    done = memory.decay(now=120 * DAY, boundary={"classes": ["pii"]})
    assert (done.records, done.changed) == (1, 1) and memory.get("tea").quality == 0.8
    assert memory.get("key", boundary={"classes": ["pii"]}).utility == pytest.approx(1 / 16)
    assert memory.decay(now=120 * DAY).changed == 1 and memory.get("tea").quality == pytest.approx(0.4)


def test_observations_go_as_of_the_time_that_a_purge_is_given() -> None:
    memory = Memory()
    kept = memory.observe("chat", "Ann drinks tea.", ttl_days=1, now=0)
    memory.purge(now=DAY - 1)
    assert memory.observation(kept.id, now=1).id == kept.id
    memory.purge(now=DAY)
    assert not [key for key in memory._engine.journal.keys("observations")], "it is gone, and not only over"


# ---- searching


def test_there_is_more_only_where_something_is_left_behind_the_page() -> None:
    memory = Memory(embedder=HashingEmbedder(64))
    memory.remember_many([f"green tea number {number} at the {number} o'clock table" for number in range(3)])
    found = {k: memory.search("green tea", k=k) for k in (2, 3, 4)}
    assert {k: (len(each.items), each.more) for k, each in found.items()} == {
        2: (2, True),
        3: (3, False),
        4: (3, False),
    }


def test_a_request_without_a_trace_is_its_own_trace() -> None:
    memory = Memory()
    named = memory.search("tea", request_id="req-7", now=1)
    traced = memory.search("tea", request_id="req-7", trace_id="trace-9", now=1)
    assert (named.request_id, named.trace_id, traced.trace_id) == ("req-7", "req-7", "trace-9")


def test_without_a_policy_too_a_call_names_no_scope_outside_of_the_boundary() -> None:
    memory = Memory(boundary={"scopes": ["garden", "home"]})
    assert memory.search("tea", scope=["home"], now=1).items == ()
    with pytest.raises(InvalidArgument, match="scope: 'office' lies outside the boundary"):
        memory.search("tea", scope=["home", "office"], now=1)


# ---- policies


def test_of_the_stores_policy_and_that_of_who_only_reads_the_later_one_counts(tmp_path: Path) -> None:
    file, how = tmp_path / "memory.db", PolicyOptions(allow=("task",))
    with Memory(file, policy=opened({"internal": ["task"]}, "2.0.0"), policy_options=how) as memory:
        memory.remember("Ann drinks tea.", id="tea")
    closing = opened({"internal": ["nobody"]}, "3.0.0")
    with Memory(file, policy=closing, policy_options=how, read_only=True) as memory:
        assert memory.policy is not None and str(memory.policy.version) == "3.0.0" and len(memory.records()) == 0
    with Memory(file, policy="stored", policy_options=how, read_only=True) as memory:
        assert memory.policy is not None and str(memory.policy.version) == "2.0.0" and len(memory.records()) == 1
