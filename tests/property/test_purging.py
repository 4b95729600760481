"""A purge changes no answer: what is over had no say any more, in whose place it stood or whoever stood in its.

Any history of remembering, stating, superseding by either way, saying again, giving and taking ends, forgetting and
purging, in this process and in a file. Asked are all times from the purge on. (Numbers are another thing: what is over
counts among the records of a word until it is gone, so scores are compared across stores, and where nothing went.)
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

import byheart
from byheart.errors import InvalidArgument, RecordNotFound

from ..counts import examples

LAST = 8
WHICH = st.integers(0, 7)
END = st.none() | st.integers(4, LAST).map(float)
BEGIN = st.none() | st.none() | st.integers(3, LAST).map(float)
OPTIONS: dict[str, Any] = {"single_valued": ["lives_in"], "noise": None}


def step(do: str, **drawn: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"do": st.just(do), **drawn})


ENDS = {"expires_at": END, "valid_to": END, "valid_from": BEGIN}
says = step("say", over=st.lists(WHICH, max_size=2), **ENDS)
states = step("state", town=st.sampled_from(["rome", "oslo", "paris"]), at=st.integers(0, 3).map(float), **ENDS)
marks = step("mark", which=WHICH, by=st.none() | WHICH)
changes = step("end", which=WHICH, field=st.sampled_from(["expires_at", "expires_at", "valid_to"]), to=END)
others = st.one_of(step("again", which=WHICH, expires_at=END), step("forget", which=WHICH), step("open"))
purges = step("purge", now=st.integers(4, LAST).map(float))
histories = st.lists(st.one_of(says, states, marks, marks, changes, changes, others, purges), min_size=3, max_size=12)
SAID: dict[str, Any] = {"do": "say", "over": [], "expires_at": None, "valid_to": None, "valid_from": None}
MARKED = {"do": "mark", "which": 0, "by": 1}


class Told:
    """A memory that is told a history, and asked before and after each purge of it."""

    def __init__(self, place: Path | None) -> None:
        self.place, self.store = place, byheart.storage.InProcessStore()
        self.said: list[str] = []
        self.purged = 0
        self.memory = self.opened()

    def opened(self) -> byheart.Memory:
        return byheart.Memory(self.place, **OPTIONS) if self.place else byheart.Memory(store=self.store, **OPTIONS)

    def do(self, step: dict[str, Any]) -> None:
        with suppress(RecordNotFound, InvalidArgument):  # of what is forgotten, or would stand in its own place
            getattr(self, step["do"])(**{name: value for name, value in step.items() if name != "do"})

    def say(self, over: list[int], **ends: Any) -> None:
        id = f"s{len(self.said)}"
        self.said.append(f"a thing of words {id}")
        self.memory.remember(
            self.said[-1], id=id, created_at=float(len(self.said)) / 8, supersedes=[f"s{each}" for each in over], **ends
        )

    def state(self, town: str, at: float, **ends: Any) -> None:
        id = f"s{len(self.said)}"
        self.said.append(f"a thing of {town} {id}")
        fact = {"subject": "home", "relation": "lives_in", "object": town}
        self.memory.remember(self.said[-1], id=id, created_at=at, **fact, **ends)

    def again(self, which: int, expires_at: float | None) -> None:
        text = self.said[which] if which < len(self.said) else "a thing"
        self.memory.remember(text, created_at=3.0, expires_at=expires_at)

    def mark(self, which: int, by: int | None) -> None:
        self.memory.update(f"s{which}", superseded_by=None if by is None else f"s{by}", updated_at=3.0)

    def end(self, which: int, field: str, to: float | None) -> None:
        self.memory.update(f"s{which}", **{field: to}, updated_at=3.0)

    def forget(self, which: int) -> None:
        self.memory.forget(f"s{which}")

    def open(self) -> None:
        if self.place:
            self.memory.close()
        self.memory = self.opened()

    def purge(self, now: float) -> None:
        before, scored = self.answers(now), self.scored(now)
        gone = self.memory.purge(now=now).ids
        self.purged += len(gone)
        assert self.answers(now) == before, gone
        if not gone:
            assert self.scored(now) == scored

    def answers(self, now: float) -> list[set[str]]:
        """Return what is found from one time on; beginnings and ends are whole, so no answer changes in between."""
        times = [now + each for each in range(1 if self.place else int(LAST - now) + 2)]
        asked = [{"now": at} for at in times] + [{"as_of": at} for at in times]
        asked += [{"now": now, "include_superseded": True}]
        return [{hit.id for hit in self.memory.recall("thing", 60, min_strength=0.0, **each)} for each in asked]

    def scored(self, now: float) -> list[tuple[str, float]]:
        return [(hit.id, hit.score) for hit in self.memory.recall("thing", 60, min_strength=0.0, now=now)]

    def names(self) -> None:
        """Hold that marks and names belong together."""
        records = {record.id: record for record in self.memory.records()}
        for id, record in records.items():
            assert set(record.supersedes) <= records.keys() and set(record.contradicts) <= set(record.supersedes)
            assert (record.superseded_by is None) == (record.superseded_at is None), id
            if record.superseded_by is not None:
                assert id in records[record.superseded_by].supersedes


@settings(max_examples=examples(600))
@given(histories, st.integers(4, LAST).map(float))
@example(
    [SAID, SAID, {"do": "mark", "which": 0, "by": 1}, {"do": "end", "which": 1, "field": "expires_at", "to": 5.0}], 5.0
)
@example(
    [SAID, SAID, {"do": "mark", "which": 0, "by": 1}, {"do": "end", "which": 1, "field": "valid_to", "to": 5.0}], 5.0
)
@example(  # marked again: the other one stands there alone
    [SAID, SAID | {"over": [0]}, SAID | {"expires_at": 5.0}, {"do": "mark", "which": 0, "by": 2}], 6.0
)
@example(  # what stands in the place of what is over stands in the place of what that hid, be it by an update
    [SAID, SAID | {"expires_at": 5.0}, SAID, MARKED, {"do": "mark", "which": 1, "by": 2}],
    6.0,
)
@example(  # the gap until the next one begins stays closed
    [SAID, SAID | {"expires_at": 5.0, "over": [0]}, SAID | {"valid_from": 8.0, "over": [0]}], 6.0
)
def test_a_purge_changes_no_answer(history: list[dict[str, Any]], last: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        both = [Told(None), Told(Path(folder) / "memory.db")]
        for step in [*history, {"do": "purge", "now": last}]:
            for told in both:
                told.do(step)
                told.names()
            assert both[0].scored(last) == both[1].scored(last)
        event(f"something went: {both[0].purged > 0}")
        for told in both:
            told.open()
            told.names()
        assert both[0].scored(last) == both[1].scored(last) and both[1].memory.check() == []
        both[1].memory.close()


def of_an_older_memory() -> tuple[byheart.storage.InProcessStore, byheart.Memory]:
    """Return a memory with a mark of an update, which the one that stands there does not name."""
    store = byheart.storage.InProcessStore()
    memory = byheart.Memory(store=store, **OPTIONS)
    for number, id in enumerate("abc"):
        memory.remember(f"a thing of {id}", id=id, created_at=float(number))
    memory.update("a", superseded_by="b", updated_at=3.0)
    store.write([each.completed(supersedes=()) for each in store.load()], [])
    return store, byheart.Memory(store=store, **OPTIONS)


def ids(memory: byheart.Memory, now: float) -> set[str]:
    return {hit.id for hit in memory.recall("thing", now=now)}


@pytest.mark.parametrize("field", ["expires_at", "valid_to"])
def test_a_mark_of_an_older_memory_follows_the_end_of_the_one_it_names(field: str) -> None:
    _, memory = of_an_older_memory()
    assert memory.get("b").supersedes == () and ids(memory, 6.0) == {"b", "c"}
    memory.update("b", **{field: 5.0})
    assert memory.get("b").supersedes == ("a",) and memory.get("a").superseded_at == 3.0
    assert (ids(memory, 4.0), ids(memory, 6.0)) == ({"b", "c"}, {"a", "c"})
    memory.purge(now=6.0)
    assert ids(memory, 6.0) == {"a", "c"}


@pytest.mark.parametrize("goes", ["forget", "purge"])
def test_a_mark_of_an_older_memory_is_handed_on(goes: str) -> None:
    _, memory = of_an_older_memory()
    memory.update("b", superseded_by="c", expires_at=5.0)
    assert ids(memory, 6.0) == {"c"}
    assert memory.forget("b") if goes == "forget" else memory.purge(now=6.0)
    assert ids(memory, 6.0) == {"c"} and memory.get("a").superseded_by == "c"
    memory.forget("c")
    assert ids(memory, 6.0) == {"a"}


def test_who_is_named_by_an_update_stands_there_alone() -> None:
    memory = byheart.Memory(**OPTIONS)
    memory.remember("a thing of a", id="a", created_at=1.0)
    memory.remember("a thing of b", id="b", created_at=2.0, supersedes="a")
    memory.remember("a thing of c", id="c", created_at=3.0)
    memory.update("a", superseded_by="c", updated_at=4.0)
    assert (memory.get("a").superseded_by, memory.get("a").superseded_at) == ("c", 4.0)
    assert (memory.get("b").supersedes, memory.get("c").supersedes) == ((), ("a",))
    assert memory.forget("c").reinstated == ("a",)


def test_those_of_one_call_stand_in_any_order() -> None:
    memory = byheart.Memory(**OPTIONS)
    new = {"text": "a thing of new", "id": "new", "created_at": 2.0, "expires_at": 5.0}
    old = {"text": "a thing of old", "id": "old", "created_at": 1.0}
    for first, second in [(new | {"supersedes": ["old"]}, old), (old | {"superseded_by": "new"}, new)]:
        memory.forget(["old", "new"])
        memory.remember_many([first, second])
        assert memory.get("old").superseded_by == "new" and memory.get("new").supersedes == ("old",)
        assert (ids(memory, 4.0), ids(memory, 6.0)) == ({"new"}, {"old"})
