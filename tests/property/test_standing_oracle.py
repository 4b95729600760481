"""What may be found of statements that repeat, contradict and supersede each other: as `reference.standing` has it.

Any history of remembering, superseding, forgetting and opening again, in this process and in files of both kinds, asked
in several profiles, as of now and of other times.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import byheart
from byheart.errors import InvalidArgument, RecordNotFound
from byheart.reference.standing import Fact, History, Statement

from ..counts import examples

KINDS = ["in process", "memory.jsonl", "memory.db"]
PROFILES = ["auto", "auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "hybrid", "discovery", "scoped"]
OPTIONS: dict[str, Any] = {"single_valued": ["lives_in"], "noise": None}
OWNERS = st.sampled_from([None, "ann"])
TOWNS = ["rome", "paris", "oslo"]
TIMES = st.integers(1, 6).map(float)
DATA = st.dictionaries(st.sampled_from("ab"), st.sampled_from("12"))
HELD = st.sampled_from([(None, None), (None, None), (2.0, None), (None, 4.0), (2.0, 4.0)])

plain = st.fixed_dictionaries(
    {"do": st.just("say"), "owner": OWNERS, "word": st.sampled_from(["tea", "Tea", " tea", "rice"]), "made": TIMES,
     "held": HELD, "named": st.booleans(), "over": st.lists(st.integers(0, 9), max_size=2), "data": DATA}
)  # fmt: skip
facts = st.fixed_dictionaries(
    {"do": st.just("state"), "owner": OWNERS, "town": st.sampled_from(TOWNS), "made": TIMES, "held": HELD,
     "named": st.sampled_from([True, True, False]), "data": DATA}
)  # fmt: skip
changes = st.fixed_dictionaries(
    {"do": st.just("change"), "which": st.integers(0, 3), "at": TIMES,
     "to": st.one_of(
         st.fixed_dictionaries({"town": st.sampled_from([None, *TOWNS])}), st.fixed_dictionaries({"held": HELD}),
         st.fixed_dictionaries({"owner": OWNERS}),
     )}
)  # fmt: skip
forgets = st.fixed_dictionaries({"do": st.just("forget"), "which": st.lists(st.integers(0, 9), min_size=1, max_size=2)})
steps = st.lists(
    st.one_of(plain, facts, facts, changes, changes, forgets, st.just({"do": "open"})), min_size=2, max_size=9
)
told_at_once = facts.map(lambda each: {**each, "owner": None, "made": 1.0, "named": True})
no_fact = changes.map(lambda each: {**each, "to": {"town": None}})
forgets_one = st.fixed_dictionaries(
    {"do": st.just("forget"), "which": st.lists(st.integers(0, 3), min_size=1, max_size=1)}
)
at_once = st.tuples(
    st.lists(told_at_once, min_size=3, max_size=4),
    st.lists(st.one_of(no_fact, changes, forgets_one, told_at_once), min_size=1, max_size=5),
).map(lambda two: [*two[0], *two[1]])


class Both:
    """A memory and its reference, told the same."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.store = byheart.storage.InProcessStore() if kind == "in process" else None
        self.history = History(frozenset({"lives_in"}))
        self.said = 0
        self.memory = self.opened()

    def opened(self) -> byheart.Memory:
        if self.store is not None:
            return byheart.Memory(store=self.store, **OPTIONS)
        return byheart.Memory(self.folder / self.kind, **OPTIONS)

    def step(self, step: dict[str, Any]) -> None:
        if step["do"] == "open":
            if self.store is None:
                self.memory.close()
            self.memory = self.opened()
        elif step["do"] == "forget":
            gone = [f"s{number}" for number in step["which"]]
            self.memory.forget(gone)
            self.history.forget(gone)
        elif step["do"] == "change":
            self.change(f"s{step['which']}", step["to"], step["at"])
        else:
            self.say(step)

    def change(self, id: str, to: dict[str, Any], at: float) -> None:
        held = self.history.held.get(id)
        if held is None or ("town" in to and (held.fact is None or held.names)):
            return
        given: dict[str, Any] = {}
        told: dict[str, Any] = {}
        if "town" in to:  # another fact, or none any more
            fact: Fact | None = None if to["town"] is None else ("home", "lives_in", to["town"])
            given = dict(zip(("subject", "relation", "object"), fact or (None, None, None), strict=True))
            told = {"fact": fact} if fact == held.fact else {"fact": fact, "since": at}
        elif "held" in to:
            given = dict(zip(("valid_from", "valid_to"), to["held"], strict=True))
            told = dict(zip(("holds_from", "holds_to"), to["held"], strict=True))
        else:
            given, told = {"user_id": to["owner"]}, {"owner": to["owner"]}
        self.memory.update(id, **given, updated_at=at)
        self.history.change(id, **told)

    def say(self, step: dict[str, Any]) -> None:
        id, owner, (begun, ended) = f"s{self.said}", step["owner"], step["held"]
        self.said += 1
        town = step.get("town")
        about = f"a thing of {owner}: {begun} {ended}" + (f" {id}" if step["named"] else "")
        text = f"{town or step['word']} {about}"
        fact: Fact | None = None if town is None else ("home", "lives_in", town)
        names = [f"s{number}" for number in step.get("over", ())] if step["named"] else []
        given = {"user_id": owner, "created_at": step["made"], "valid_from": begun, "valid_to": ended,
                 "metadata": step["data"]}  # fmt: skip
        if fact is not None:
            given |= dict(zip(("subject", "relation", "object"), fact, strict=True))
        held = self.history.held
        good = all(name in held and held[name].owner == owner and held[name].fact is None for name in names)
        if town is None and not good:
            facts_named = any(name in held and held[name].fact is not None for name in names)
            if not facts_named:
                with pytest.raises((RecordNotFound, InvalidArgument)):
                    self.memory.remember(text, id=id, supersedes=names, **given)
            return
        stored = self.memory.remember(text, id=id if step["named"] else None, supersedes=names, **given)
        statement = Statement(
            stored if not step["named"] else id, text, step["made"], owner, fact, begun, ended,
            frozenset(names), frozenset(step["data"].items()),
        )  # fmt: skip
        assert self.history.remember(statement, named=step["named"]) == stored

    def check(self, at: float, as_of: float | None, profile: str) -> None:
        for include in (False, True):
            wanted = self.history.found(at=at, as_of=as_of, include_superseded=include)
            answer = self.memory.recall(
                "thing", 60, profile, now=at, as_of=as_of, include_superseded=include,
                **({"min_strength": 0.0} if profile == "auto" else {}),
            )  # fmt: skip
            found = {hit.id for hit in answer}
            assert found <= wanted, (profile, at, as_of, include)
            if profile == "auto":  # the others have floors that a common word does not reach
                assert self.texts(found) == self.texts(wanted), (at, as_of, include)

    def texts(self, ids: set[str]) -> set[str]:
        """Return what statements say: of those that say the same, only the first is an answer's."""
        return {self.history.held[id].text for id in ids}

    def check_marks(self) -> None:
        records = {record.id: record for record in self.memory.records()}
        assert records.keys() == self.history.held.keys()
        for id, held in self.history.held.items():
            record = records[id]
            assert record.superseded_at == self.history.superseded_since(id), id
            assert (record.superseded_by is None) == (record.superseded_at is None)
            assert set(record.contradicts) <= set(record.supersedes)
            assert record.superseded_by is None or record.superseded_by in records, "a stale mark"
            assert set(record.supersedes) <= records.keys(), "the name of what is forgotten"
            assert (record.seen_count, record.seen_at) == (held.seen, held.seen_at)
            assert dict(record.metadata) == dict(held.data)


@contextmanager
def both(kind: str) -> Iterator[Both]:
    with tempfile.TemporaryDirectory() as folder:
        made = Both(kind, Path(folder))
        yield made
        made.memory.close()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(600))
@given(steps, st.lists(st.tuples(TIMES, st.none() | TIMES, st.sampled_from(PROFILES)), min_size=2, max_size=4))
@example(
    [{"do": "state", "owner": None, "town": "rome", "made": 1.0, "held": (None, None), "named": True, "data": {}},
     {"do": "change", "which": 0, "at": 4.0, "to": {"town": "oslo"}}],
    [(6.0, 3.0, "auto"), (6.0, 4.0, "auto")],
)  # fmt: skip
def test_what_is_found_and_marked_is_what_the_reference_says(
    kind: str, history: list[dict[str, Any]], asked: list[tuple[float, float | None, str]]
) -> None:
    with both(kind) as two:
        for step in history:
            two.step(step)
            two.check_marks()
        for at, as_of, profile in asked:
            two.check(at, as_of, profile)
        two.step({"do": "open"})
        two.check_marks()
        two.check(*asked[0])
        assert two.memory.check() == []


@settings(max_examples=examples(1_500))
@given(at_once)
def test_of_facts_of_one_time_the_one_told_later_stands_whatever_else_goes(history: list[dict[str, Any]]) -> None:
    with both("in process") as two:
        for step in history:
            two.step(step)
            two.check_marks()
