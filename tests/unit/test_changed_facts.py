"""Facts that are changed later: what they superseded comes back, is handed on, or is superseded anew."""

from __future__ import annotations

from typing import Any

import pytest

import byheart

from .reopened import Place, found, moved

CHANGES: dict[str, Any] = {
    "updated": lambda memory: memory.update("o", text="The weather is fine."),
    "replaced": lambda memory: memory.remember("The weather is fine.", id="o", user_id="a", created_at=2),
    "another's now": lambda memory: memory.update("o", user_id="b"),
    "replaced by another's": lambda memory: memory.remember("I live in Oslo.", id="o", user_id="b", created_at=2),
    "no longer so": lambda memory: memory.update("o", text="I lived in Oslo."),
}


@pytest.mark.parametrize("how", CHANGES)
def test_what_a_fact_superseded_is_reinstated_when_the_fact_is_gone(place: Place, how: str) -> None:
    with place.open() as memory:
        moved(memory)
        CHANGES[how](memory)
    with place.open() as memory:
        old, new = memory.get("r"), memory.get("o")
        assert (old.superseded_by, old.superseded_at, new.supersedes, new.contradicts) == (None, None, (), ())
        assert found(memory, "where do I live?", user_id="a")[0] == "r" and memory.check() == []
        assert [each.what for each in memory.history("r")] == ["remembered"], "no name of what is another's"


def test_an_earlier_fact_is_handed_on_when_the_one_between_changes(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
        memory.remember("I live in Kiel.", id="k", user_id="a", created_at=3)
        memory.update("o", text="The weather is fine.")
        assert (memory.get("r").superseded_by, memory.get("r").superseded_at) == ("k", 3.0)
        assert (memory.get("o").superseded_by, memory.get("k").supersedes) == (None, ("r",))


def test_without_the_relation_declared_a_change_frees_what_the_fact_hid(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
    with place.open(single_valued=[]) as memory:
        memory.update("o", text="The weather is fine.")
        assert found(memory, "where do I live?", user_id="a")[0] == "r"


def test_an_update_to_a_fact_stands_as_if_it_were_said(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        memory.remember("The weather is fine.", id="w", user_id="a", created_at=2)
        memory.update("w", text="I live in Lima.")
        assert (found(memory, "where do I live?"), memory.get("w").contradicts) == (["w"], ("r",))
        memory.remember("I live in Bonn.", id="b", user_id="b", created_at=1)
        memory.update("w", user_id="b")
        assert [memory.get(id).superseded_by for id in "rbw"] == [None, "w", None]
        memory.update("r", subject="I", relation="lives_in", object="Kyiv", user_id="b")
        assert memory.get("r").superseded_by == "w", "where its time is"


def test_a_fact_that_was_taken_from_the_text_follows_it_and_a_stated_one_stays() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    taken = {"subject": "Loom", "relation": "uses", "object": "yarn"}
    memory.remember("Loom uses yarn.", id="f", **taken)
    memory.update("f", text="Loom uses silk.")
    assert memory.get("f").object == "silk"
    memory.update("f", text="It rains.")
    assert (memory.get("f").subject, memory.get("f").object) == (None, None)
    memory.remember("The loom takes yarn.", id="s", **taken)
    memory.update("s", text="The loom takes silk.")
    assert memory.get("s").object == "yarn"
    memory.update("s", text="Loom uses wool.", object="wool yarn")
    assert memory.get("s").object == "wool yarn"


def test_the_copy_of_a_turn_that_changes_supersedes_by_what_it_says_now(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        turn = memory.ingest_turn("I live in Oslo.", session_id="s", user_id="a", now=2, durable="all")
        assert memory.get("r").superseded_by == turn.durable_id
        memory.update(turn.id, text="The weather is fine.")
        assert (memory.get(turn.durable_id).text, memory.get("r").superseded_by) == ("The weather is fine.", None)


@pytest.mark.parametrize("said", [False, True])
def test_what_is_handed_on_stays_said_or_concluded_as_it_was(said: bool) -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    before = None
    for at, city in enumerate(("Rome", "Paris", "Oslo")):
        told = {"supersedes": before} if said and before else {}
        before = memory.remember(f"I live in {city}.", id=city, user_id="ann", created_at=at, **told)
    memory.forget("Paris")
    oslo = memory.get("Oslo")
    assert (oslo.supersedes, oslo.contradicts) == (("Rome",), () if said else ("Rome",))
