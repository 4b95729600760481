"""What was known at a time: a text that was changed later is not given as what a record said then."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder

from .reopened import PROFILES, Place, found

LEFT_OUT = "1 record that holds a word of the question is left out: what it said then was changed later"


def moved(memory: byheart.Memory, id: str = "home", **more: Any) -> None:
    """Say a town, and change the text of it."""
    memory.remember("Ann lives in Rome.", id=id, created_at="2024-01-01", **more)
    memory.update(id, text="Ann lives in Oslo.", updated_at="2025-01-01")


@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_gives_a_text_before_it_was_said(profile: str) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    moved(memory)
    memory.remember("Bob lives in Kiel.", id="bob", created_at="2024-01-01")

    def ids(as_of: str) -> set[str]:
        if profile == "activation":
            return {item.claim_id for item in memory.activate("Ann lives", now="2026-01-01", as_of=as_of)}
        return set(found(memory, "Ann lives", profile=profile, now="2026-01-01", as_of=as_of))

    assert "home" not in ids("2024-06-01")
    assert "home" in ids("2025-01-01") or profile == "discovery"


def test_the_answer_says_so_of_what_the_question_asks_for(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
        memory.remember("Tea is kept in the hall.", id="tea", created_at="2024-01-01")
    with place.open() as memory:
        answer = memory.recall("where does Ann live?", as_of="2024-06-01")
        assert (answer.hits, answer.degraded) == ((), (LEFT_OUT,))
        [other] = memory.recall_many(["where is tea kept?"], as_of="2024-06-01")
        assert ([hit.id for hit in other], other.degraded) == (["tea"], ())
        assert LEFT_OUT in memory.context("where does Ann live?", 100, as_of="2024-06-01").degraded
        for asked in ({}, {"as_of": "2025-01-01"}, {"as_of": "2023-01-01"}):
            answer = memory.recall("where does Ann live?", **asked)
            assert answer.degraded == () and (answer.hits == ()) == ("2023-01-01" in asked.values())
        assert "changed later" in str(memory.explain("where does Ann live?", "home", as_of="2024-06-01"))


def test_nothing_is_told_of_what_may_not_be_seen() -> None:
    memory = byheart.Memory()
    moved(memory, scope="closed", user_id="ann")
    for narrowed in ({"boundary": {"scopes": ["open"]}}, {"user_id": "bob"}, {"where": {"topic": "x"}}):
        for profile in ("auto", "scoped"):
            answer = memory.recall("where does Ann live?", profile=profile, as_of="2024-06-01", **narrowed)
            assert not [said for said in answer.degraded if "changed later" in said]
    assert memory.recall("where does Ann live?", as_of="2024-06-01", user_id="ann").degraded == (LEFT_OUT,)


def test_what_says_the_same_is_found_as_before(place: Place) -> None:
    with place.open(single_valued=()) as memory:
        memory.remember("Ann lives in Rome.", id="home", created_at="2024-01-01")
        moved(memory, id="other")
        for number in range(70):  # more changes than are kept
            for id in ("home", "other"):
                memory.update(id, importance=number / 100, topic=f"title {number}", updated_at="2026-01-01")
        assert len(memory.history("home")) == 64 and memory.history("home")[0].what == "remembered"
    with place.open(single_valued=()) as memory:
        assert found(memory, "Ann", as_of="2024-06-01") == ["home"]
        assert set(found(memory, "Ann", as_of="2025-06-01")) == {"home", "other"}


def test_where_it_is_not_known_since_when_a_record_says_what_it_says_the_oldest_change_counts() -> None:
    memory = byheart.Memory()
    changes = [(float(at), "updated", ("importance",)) for at in (5, 6)]  # those before them were dropped
    memory.remember(byheart.Record(text="tea", id="a", created_at=1, revisions=changes))
    assert found(memory, "tea", as_of=4) == [] and found(memory, "tea", as_of=5) == ["a"]


def test_a_fact_that_was_changed_is_another_one() -> None:
    memory = byheart.Memory()
    memory.remember("Where the loom is.", id="a", subject="Loom", relation="part_of", object="Mill", created_at=1)
    memory.update("a", object="Barn", updated_at=5)
    assert found(memory, "loom", as_of=4) == [] and found(memory, "loom", as_of=5) == ["a"]


def test_remembered_again_with_another_text_it_is_as_old_as_it_says(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
        memory.remember("Ann lives in Paris.", id="home", created_at="2024-03-01")
        assert [hit.text for hit in memory.recall("Ann", as_of="2024-06-01")] == ["Ann lives in Paris."]
        memory.remember("Ann lives in Kiel.", id="home", created_at="2026-01-01")
        assert found(memory, "Ann", as_of="2024-06-01") == [] != found(memory, "Ann", as_of="2026-01-01")
        memory.remember("Ann lives in Kiel.", id="home", created_at="2023-01-01")  # the same, dated back
        assert found(memory, "Ann", as_of="2024-06-01") == []


def test_a_turn_that_is_told_otherwise_and_its_copy(place: Place) -> None:
    with place.open() as memory:
        said = {"id": "t", "session_id": "s", "user_id": "ann", "created_at": 10.0}
        memory.ingest_turn("I always drink tea at noon.", **said, durable="all")
        [copy] = memory.records({"kind": "memory"})

        def there(word: str, as_of: float) -> list[list[str]]:
            return [found(memory, word, as_of=as_of, where={"kind": kind}) for kind in ("turn", "memory")]

        assert there("tea", 20) == [["t"], [copy.id]]
        memory.update("t", text="I always drink rum at noon.", updated_at=30)
        assert there("rum", 20) == [[], []] and there("rum", 30) == [["t"], [copy.id]]
        assert [each.what for each in memory.history(copy.id or "")] == ["remembered", "updated"]
        memory.ingest_turn("I always drink gin at noon.", **{**said, "created_at": 40.0}, durable="all")
        assert there("gin", 35) == [[], []] and there("gin", 40) == [["t"], [copy.id]]
        assert "gin" not in memory.context("noon", 100, session_id="s", recent=True, as_of=35, now=50).text


def test_what_was_changed_later_is_said_on_the_short_way_too() -> None:
    memory = byheart.Memory()
    memory.remember_many([{"text": f"kettle a{at} b{at} c{at}", "id": f"k{at}", "created_at": 1} for at in range(60)])
    memory.update("k7", text="kettle of steel", updated_at=9)
    found = memory.recall("kettle", as_of=2)
    assert list(found.timings) == ["question", "search"] and len(found) == 10
    [said] = found.degraded
    assert "1 record that holds a word of the question is left out: what it said then was changed later" in said
