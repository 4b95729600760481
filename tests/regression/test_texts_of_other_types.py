"""Texts of types of their own: members of `(str, Enum)`, NumPy's, any subclass of str are the text that they hold.

Whatever such a type says of itself (`__str__`, `__format__`, `__eq__`, `__hash__`), what is kept, returned and compared
is plain `str`: a memory that was told so holds, finds and answers what one does that was told the same in plain texts.
"""

from __future__ import annotations

import enum
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest

import byheart
from byheart.errors import ByheartError
from byheart.memory.fields import RecordFields

from ..property.verbs import shown


class Odd(str):
    """A text that says something else of itself wherever it is asked."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return 7

    def __str__(self) -> Never:
        raise AssertionError("a text is not asked what it would say")

    __format__ = __len__ = __str__  # type: ignore[assignment]


def member(text: str) -> str:
    """Return a member of an enumeration whose name is not its value: its hash is that of the name."""
    made: Any = enum.Enum("Word", {"MEMBER": text}, type=str)
    return made.MEMBER  # type: ignore[no-any-return]


def given(value: Any, kind: Callable[[str], str]) -> Any:
    """Return a value with all of its texts of another type, in lists and mappings too."""
    if type(value) is str:
        return kind(value)
    if isinstance(value, Mapping):
        return {kind(name): given(each, kind) for name, each in value.items()}
    return type(value)(given(each, kind) for each in value) if isinstance(value, (list, tuple)) else value


Step = tuple[str, tuple[Any, ...], dict[str, Any]]
WHERE = {"and": [{"tags": {"in": ["home", "x"]}}, {"metadata.room": "hall"}, {"not": {"user_id": "bob"}}]}
INSIDE = {"tenant": "acme", "scopes": ["team"], "classes": ["internal", "public"]}
ASKED = {"boundary": INSIDE, "now": "1970-01-02", "user_id": "ann", "category": "food"}
SCRIPT: list[Step] = [
    ("remember", ("Ann's phone is 555 1234.",),
     {"id": "a", "scope": "team", "user_id": "ann", "topic": "phone", "tags": ["home", "home"], "kind": "note",
      "category": "food", "session_id": "s", "speaker": "Ann", "links": ["b"], "entities": ["Ann"],
      "created_at": "1970-01-01",
      "metadata": {"room": "hall", "deep": {"x": ["y", "z"]}}, "provenance": {"source_name": "f"}}),
    ("remember", ("The kettle is red.",),
     {"scope": "team", "boundary_class": "public", "tenant": "acme", "created_at": 3}),
    ("remember", ({"text": "Ann lives in Rome.", "id": "b", "subject": "Ann", "relation": "lives_in", "object": "Rome",
                   "createdAt": 4},), {"scope": "team", "user_id": "ann"}),
    ("remember", ("Ann lives in Oslo.",),
     {"id": "c", "supersedes": "b", "scope": "team", "user_id": "ann", "created_at": 5}),
    ("remember", ("The kettle was sold.",),
     {"role": "Procedure", "claim": "sold", "procedure": "sell", "condition": "if", "utility_acts": ["explain"],
      "utility_note": "note", "ku_type": "composite", "child_unit_ids": ["a", "c"], "parent_unit_ids": ["a"],
      "derived_from_unit_ids": ["a"], "source_words": "pot", "source_ids": ["a"], "created_at": 6, "id": "d"}),
    ("remember_many",
     ([{"text": "Buy green tea.", "created_at": 7}, {"text": "Buy rice.", "tags": ["shop"], "createdAt": 8}],), {}),
    ("update", ("a",),
     {"topic": "phones", "updated_at": "1970-01-01", "if_version": None, "metadata": {"room": "hall", "n": 1},
      "cell": ["team", "internal"]}),
    ("update", ("d",), {"scope": "team", "boundary_class": "public", "updated_at": 9, "archived_by": "d"}),
    ("update", ("d",),
     {"archived_by": None, "superseded_by": "a", "updated_at": 9, "user_id": "ann", "boundary": INSIDE}),
    ("ingest_turn", ("My locker code is 4417.",),
     {"session_id": "s", "user_id": "ann", "role": "Human", "id": "t", "created_at": 10, "durable": "all",
      "tenant": "acme", "durable_duplicates": "keep", "scope": "team", "boundary_class": "internal",
      "metadata": {"role": "user", "k": "v"}}),
    ("ingest_turn", ("I parked the car on level 2.",), {"session_id": "s", "user_id": "ann", "now": 11}),
    ("ingest_turn", ("ok thanks",), {"session_id": "s", "now": 12, "metadata": {"k": "v"}}),
    ("recall", ("Ann's phone",), {"profile": "auto", "where": WHERE, **ASKED}),
    ("recall", (["phone", "kettle"],),
     {"profile": "kb-balanced", "act": "explain", "needed_roles": ["Procedure"], "now": 20}),
    ("recall", ("phone",),
     {"exclude": ["a", "t"], "since": "1970-01-01", "until": "1970-01-02", "adaptive": "byheart", "now": 20}),
    ("recall", ("phone",), {"profile": "scoped", "session_id": "s", "mode": "exact", "now": 20}),
    ("recall_many", (["phone", "where is the car?"],),
     {"where": {"session_id": "s"}, "profile": "auto", "adaptive": "byheart", "now": 20}),
    ("explain", ("phone", "a"),
     {"profile": "auto", "cell": {"scope": "team", "boundary_class": "internal"}, "now": 20}),
    ("context", ("phone",),
     {"budget": 90, "profile": "auto", "adaptive": "byheart", "policy": "first_fit", "session_id": "s", "recent": True,
      "now": 20}),
    ("get", ("a",), {}), ("get", (["a", "t"],), {"boundary": INSIDE}),
    ("version", ("a",), {"cell": ["team", "internal"]}),
    ("history", ("c",), {}), ("records", (WHERE,), {"order_by": "-created_at", "limit": 1}),
    ("records", (), {"limit": 2, "order_by": "topic"}), ("count", ({"tags": "home"},), {"by": "metadata.room"}),
    ("sessions", ({"user_id": "ann"},), {}), ("users", (), {"where": {"session_id": ["s", None]}}),
    ("touch", ("a",), {"now": 21}), ("touch", (["a", "c"],), {"now": "1970-01-01", "cell": ["team", "internal"]}),
    ("upsert", ("Ann drinks green tea.",),
     {"provenance": {"at": "1970-01-01"}, "boundary_class": "internal", "kind": "fact", "scope": "team", "now": 22,
      "entities": ["Ann", {"id": "e", "name": "Tea"}], "relations": [{"a": "b"}], "observation_id": "obs",
      "request_id": "r", "trace_id": "u"}),
    ("observe", ("chat", "mail x@example.com"),
     {"source_id": "w", "boundary_class": "internal", "actor": "ann", "tags": ["x"], "provenance": {"k": "v"},
      "mode": "redact", "scope": "team", "now": 22, "request_id": "r", "trace_id": "u"}),
    ("search", ("green tea",),
     {"scope": ["team"], "where": {"user_id": None}, "now": 23, "request_id": "r", "trace_id": "u"}),
    ("activate", ("green tea",), {"actor": "ann", "provenance": {"k": "v"}, "now": 23, "boundary": INSIDE}),
    ("feedback", ("a", "helpful"), {"now": 24, "cell": ["team", "internal"], "request_id": "r", "trace_id": "u"}),
    ("feedback", ("c", "duplicate"), {"now": 25, "duplicate_of": "a"}),
    ("events", ("search",), {}), ("compact", ("s",), {"force": True, "sources": "archive", "summary_time": "newest",
                                                      "trivial": "summarise", "now": 30, "boundary": INSIDE}),
    ("records", (), {}), ("forget", ("c",), {"cell": ["team", "internal"], "boundary": INSIDE}),
    ("forget", (), {"where": {"user_id": "ann"}, "dry_run": True, "sources": "forget"}), ("check", (), {}),
    ("forget", (["a", "nobody"],), {}), ("recall", ("Ann's phone",), {"now": 31}),
]  # fmt: skip
OPENED: dict[str, Any] = {
    "tenant": "acme", "scope": "team", "boundary": {"tenant": "acme", "scopes": ["team"]}, "preset": "conversation",
    "hypervectors": "tokens", "relations": ["likes"], "single_valued": ["lives in"], "noise": "mark",
    "noise_profile": "byheart", "durability": "normal", "invariants": ["Answer in English."], "context_budget": 200,
}  # fmt: skip


def told(path: Path, kind: Callable[[str], str]) -> Iterator[Any]:
    """Give what callers are told who say the same in texts of a type: of each verb, and by the file behind it."""
    with byheart.Memory(path, **{name: given(value, kind) for name, value in OPENED.items()}) as memory:
        for verb, arguments, named in SCRIPT:
            run, options = getattr(memory, verb), {name: given(value, kind) for name, value in named.items()}
            try:
                yield verb, timeless(shown(run(*given(arguments, kind), **options)))
            except (ByheartError, TypeError) as error:
                yield verb, f"{type(error).__name__}: {error}"
        yield "in", [kind(name) in memory for name in ("b", "a")]
    with byheart.Memory(path, **OPENED) as memory:
        yield "sound", memory.check()
        memory.export_to(path.with_suffix(".jsonl"))
        yield "kept", path.with_suffix(".jsonl").read_bytes()
        yield "found", timeless(memory.recall("locker code", user_id="ann", now=40).to_dict())


def timeless(value: Any) -> Any:
    """Return an answer without what the clock says."""
    if isinstance(value, Mapping):
        return {name: timeless(each) for name, each in value.items() if name not in ("timings", "updated_at")}
    return [*map(timeless, value)] if isinstance(value, (list, tuple)) else value


def texts(value: Any) -> Iterator[str]:
    """Give every text of an answer."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from (*texts(name), *texts(each))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value
    elif hasattr(value, "to_dict"):
        yield from texts(value.to_dict())


@pytest.mark.parametrize("kind", [member, Odd, np.str_], ids=["member", "odd", "numpy"])
def test_a_memory_told_in_other_types_is_that_which_was_told_in_plain_texts(
    tmp_path: Path, kind: Callable[[str], str]
) -> None:
    plain, other = list(told(tmp_path / "plain.db", str)), list(told(tmp_path / "other.db", kind))
    refused = [(verb, said) for verb, said in plain if isinstance(said, str) and "Error: " in said]
    assert not refused, "the script says nothing"
    found = {
        step: (one, another) for step, (one, another) in enumerate(zip(plain, other, strict=True)) if one != another
    }
    assert not found
    assert len(plain) == len(SCRIPT) + 4
    strange = {type(text) for _, answer in other for text in texts(answer)} - {str}
    assert not strange


def test_every_argument_that_is_a_text_stands_in_the_script() -> None:
    looked = 0
    for verb in {verb for verb, *_ in SCRIPT}:
        positional = max(len(arguments) for name, arguments, _ in SCRIPT if name == verb)
        named = {name for each, _, options in SCRIPT if each == verb for name in options}
        parameters = list(inspect.signature(getattr(byheart.Memory, verb)).parameters.values())[1:]
        for place, parameter in enumerate(parameters):
            if "str" not in str(parameter.annotation) or place < positional:
                continue
            looked += 1
            assert (verb, parameter.name) in {*MADE, *((verb, name) for name in named)}
    assert looked >= 30
    said = {
        name
        for _, arguments, options in SCRIPT
        for name in (*options, *(arguments[0] if _of_fields(arguments) else ()))
    }
    texts_of_records = {name for name, value in RecordFields.__annotations__.items() if "str" in str(value)}
    assert texts_of_records - said == set()


MADE = {("records", "cursor"), ("feedback", "active_context_id"), ("upsert", "content_hash")}
"""What the memory made before, as the test below gives it."""


def _of_fields(arguments: tuple[Any, ...]) -> bool:
    return bool(arguments) and isinstance(arguments[0], dict)


@pytest.mark.parametrize("kind", [member, Odd, np.str_], ids=["member", "odd", "numpy"])
def test_what_a_memory_gave_is_taken_back(kind: Callable[[str], str]) -> None:
    memory = byheart.Memory()
    for number in range(2):
        memory.ingest_turn("We meet at noon, and bring tea.", session_id="s", created_at=number)
    page = memory.records(limit=1)
    assert len(memory.records(cursor=kind(page.cursor or ""))) == 1
    context, kept = memory.activate("tea"), memory.observe("chat", "rain")
    assert memory.active_context(kind(context.id)) == context
    assert memory.observation(kind(kept.id)) == kept
    claim = memory.upsert("Ann drinks tea.", provenance={"at": 0}, boundary_class="public")
    named = memory.feedback(claim.id, kind("helpful"), active_context_id=kind(context.id))  # type: ignore[arg-type]
    assert named.new
    hash = kind(claim.content_hash)
    again = memory.upsert("Ann drinks tea.", provenance={"at": 0}, boundary_class="public", content_hash=hash)
    assert again.id == claim.id
    [summary] = memory.compact("s", force=True).summaries
    assert len(memory.expand(kind(summary))) == 2
    said = [byheart.Record(text=kind("Rain."), provenance={kind("source_name"): kind("a.md")})]
    [id] = memory.replace_sources({kind("a.md"): said})
    assert [record.id for record in memory.records({"source": "a.md"})] == [id]
    assert memory.replace_sources({kind("a.md"): []}) == []
    assert not memory.count({"source": "a.md"})


@pytest.mark.parametrize("kind", [member, Odd, np.str_], ids=["member", "odd", "numpy"])
def test_a_policy_is_what_its_texts_are(kind: Callable[[str], str]) -> None:
    def made(kind: Callable[[str], str]) -> list[Any]:
        options = byheart.memory.governed.PolicyOptions(allow=[kind("answer:task")])
        with byheart.Memory(policy=given(POLICY, kind), policy_options=options) as memory:
            done = memory.apply_policy(given({**POLICY, "version": "1.0.0"}, kind), approver=kind("ann"), dry_run=True)
            verdict = memory.validate(
                kind("mail x@example.com"), boundary_class=kind("internal"), scope=kind("session")
            )
            memory.remember(kind("mail x@example.com"), id=kind("a"), scope=kind("session"))
            assert memory.policy is not None
            return [memory.policy.to_dict(), shown(done), shown(verdict), memory.get("a").to_dict()["text"]]

    assert made(kind) == made(str)
    assert {type(text) for text in texts(made(kind))} == {str}


POLICY = {
    "version": "0.1.0", "name": "own", "scopes": {"session": {"ttl": "7d"}, "project": {}},
    "boundary_classes": {"internal": {"allow": ["answer:task"], "redact": ["email", "own"]}},
    "redact_policies": {"default": {"rules": [{"name": "email"}, {"name": "own", "find": "q+", "replace": "[own]"}]}},
}  # fmt: skip


def test_a_scope_of_an_enumeration_is_found_forgotten_and_gone(tmp_path: Path) -> None:
    class Scope(str, enum.Enum):  # noqa: UP042  # the form of before Python 3.11, whose text is "Scope.TEAM"
        TEAM = "team"

    with byheart.Memory(tmp_path / "e.db") as memory:
        id = memory.remember("Ann's phone is 555 1234.", scope=Scope.TEAM)
        assert [hit.id for hit in memory.recall("Ann's phone", boundary={"scopes": [Scope.TEAM]})] == [id]
        assert id in memory
        assert memory.check(repair=True) == []
        assert memory.forget(id).ids == (id,)
    with byheart.Memory(tmp_path / "e.db") as memory:
        assert memory.count() == 0
        assert not memory.recall("Ann's phone")


def test_the_line_of_a_record_is_what_it_was_told_as(tmp_path: Path) -> None:
    record = byheart.Record(text=Odd("tea"), id=member("a"), scope=np.str_("s"), metadata={Odd("k"): Odd("v")})
    assert json.loads(record.canonical()) == {"id": "a", "metadata": {"k": "v"}, "scope": "s", "text": "tea"}
    assert record == byheart.Record(text="tea", id="a", scope="s", metadata={"k": "v"})
    assert {type(text) for text in texts(record)} == {str}
