"""Facts that are changed later: what they superseded comes back, is handed on, or is superseded anew."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument

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


ANN: dict[str, Any] = {"subject": "ann", "relation": "lives_in"}


def lived(memory: byheart.Memory, **towns: tuple[str, float]) -> None:
    """Remember where Ann lived, by id: the town, and when it was told."""
    for id, (town, at) in towns.items():
        memory.remember(f"Note {id}", id=id, **ANN, object=town, created_at=at)


@pytest.mark.parametrize("goes", ["forgotten", "no fact"])
def test_of_facts_of_one_time_each_later_one_stands_once_another_goes(goes: str) -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    lived(memory, r=("Rome", 1), o=("Oslo", 1), again=("Oslo", 1))
    assert memory.get("r").superseded_by == "o"
    if goes == "forgotten":
        assert memory.forget("o").reinstated == ()
    else:
        memory.update("o", subject=None, relation=None, object=None)
    assert (memory.get("r").superseded_by, memory.get("r").superseded_at) == ("again", 1.0)


def test_a_fact_follows_the_one_that_was_named_once_the_one_in_both_places_goes() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    lived(memory, l=("Lima", 2), p=("Lima", 3), r=("Rome", 4))
    memory.update("l", valid_from=10)
    memory.update("p", superseded_by="l")
    assert memory.forget("r").reinstated == ("l",)
    assert (memory.get("p").superseded_by, memory.get("p").superseded_from) == ("l", 10.0)
    lived(memory, r=("Rome", 1))
    assert memory.get("p").superseded_by == "l", "the id is another record's now"


def test_a_fact_that_comes_and_goes_leaves_the_ends_as_they_were_whatever_the_ids() -> None:
    for first, second, last, coming in permutations("abcd"):
        memory = byheart.Memory(single_valued=["lives_in"])
        lived(memory, **{first: ("Rome", 1), second: ("Lima", 2), last: ("Oslo", 3)})
        for id in (first, second, last):
            memory.update(id, expires_at=4e9)
        before = {record.id: record.superseded_to for record in memory.records()}
        assert before[first] == before[second] == 4e9
        lived(memory, **{coming: ("Kiel", 4)})
        assert memory.get(first).superseded_to is None
        memory.forget(coming)
        assert {record.id: record.superseded_to for record in memory.records()} == before, coming


def test_none_stands_in_the_place_of_what_stands_in_its_own_by_time_alone() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    lived(memory, a=("Rome", 2), b=("Rome", 2), c=("Paris", 1))
    assert not {"c"} & {*memory.get("b").supersedes}, "a is named, and stands there since as long"
    for by, id in (("c", "a"), ("c", "b")):
        with pytest.raises(InvalidArgument, match=f"'{id}' stands in the place of 'c' itself"):
            memory.update(id, superseded_by=by)


def test_an_end_that_goes_is_known_where_another_fact_is_named() -> None:
    for first, second, late in permutations("abc"):
        memory = byheart.Memory(single_valued=["lives_in"])
        for id in (first, second):
            memory.remember(f"Note {id}", id=id, expires_at=4e9, created_at=2, **ANN, object="Rome")
        lived(memory, **{late: ("Paris", 1)})
        assert memory.get(late).superseded_to == 4e9
        memory.update(second, expires_at=None)
        assert memory.get(late).superseded_to is None, (first, second, late)


@pytest.mark.parametrize(("said", "coming"), [(1, 1), (2, 2)], ids=["of one time", "of a later time"])
def test_a_fact_does_not_stand_in_the_place_of_what_a_caller_put_in_its_own(said: float, coming: float) -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    lived(memory, a=("Rome", said), b=("Rome", 1), c=("Rome", 1))
    memory.update("a", superseded_by="c")
    memory.update("a", object="Paris")
    assert (memory.get("a").superseded_by, memory.get("c").superseded_by) == ("c", None), "both would be left out"
    lived(memory, d=("Rome", coming))
    memory.forget("d")
    assert (memory.get("a").superseded_by, memory.get("c").superseded_by) == ("c", None)


def test_what_goes_is_named_by_no_record_whose_own_place_is_another_now() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    for id, at, end in [("a", 2, 4e9), ("b", 1, None), ("c", 1, None), ("d", 1, 4e9)]:
        memory.remember(f"Note {id}", id=id, created_at=at, expires_at=end, **ANN, object="Rome")
    memory.update("a", superseded_by="d", updated_at=1)
    lived(memory, f=("Paris", 1))
    memory.forget("f")
    assert memory.get("a").supersedes == ()


def test_a_turn_that_says_something_new_is_named_by_its_copy_no_more() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    turn = memory.ingest_turn("I prefer green tea in Turku, always.", session_id="s", user_id="ann", created_at=8)
    assert turn.durable_id is not None
    memory.update(turn.id, superseded_by=turn.durable_id)
    about = {"subject": "ann", "relation": "lives_in", "user_id": "ann"}
    memory.remember("Note Lima", id=turn.id, object="Lima", created_at=15, **about)
    assert (memory.get(turn.id).superseded_by, memory.get(turn.durable_id).supersedes) == (None, ())
    memory.remember("Note Turku", id="x", object="Turku", created_at=20, **about)
    memory.forget("x")
    assert memory.get(turn.id).superseded_by is None
