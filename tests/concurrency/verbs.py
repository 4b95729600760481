"""Verbs that are interleaved, on a few records which all of them mean; and what each call gives, as can be compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import byheart
from byheart.conversation.receipts import TurnReceipt
from byheart.errors import ByheartError, StoreBusy
from byheart.records import Record
from byheart.summarising import FunctionSummariser, Turn

from .scheduler import stop

NOW: Final = 1_000.0
Call = Callable[[byheart.Memory, Path], object]
_UNTOLD: Final = frozenset({"files", "made", "kept", "previous", "timings", "gate"})
"""What receipts say of how a call went, and not of what it did: index files that went, vectors that were there; and
what the gate has reckoned, which is of the moment at which it looked."""

REPLACING: Final = ("remember the same", "remember_many", "update", "ingest_turn that", "import_from")
"""How those calls are called that put a text in the place of another one: saved indexes may say the old one a while."""


def retell(turns: Sequence[Turn]) -> tuple[str, float]:
    stop("the summariser")
    return "in short " + " and ".join(turn.text for turn in turns), 0.5


RETOLD: Final = FunctionSummariser(retell, "retold")


def begin(memory: byheart.Memory) -> dict[str, str]:
    """Remember what is there before; return names that are known only then."""
    memory.remember("amber tea", id="a", category="food", user_id="ann", created_at=1.0)
    memory.remember("bronze rice", id="b", category="home", expires_at=100.0, created_at=1.0)
    memory.remember("coral boat", id="d0", provenance={"source_name": "doc"}, created_at=1.0)
    for number, text in enumerate(["I prefer the denim seat", "my emerald kettle sings", "the fuchsia boat leaves"]):
        memory.ingest_turn(
            text, session_id="s", user_id="ann", id=f"t{number}", now=10.0 + number,
            durable="all" if number == 0 else "none",
        )  # fmt: skip
    for number, text in enumerate(["golden harbour", "hazel lantern"]):
        memory.remember(text, id=f"o{number}", session_id="old", kind="turn", created_at=2.0 + number)
    [summary] = memory.compact("old", force=True, summariser=RETOLD, now=5.0).summaries
    return {"summary": summary, "version": memory.version("a")}


def source(id: str, text: str, name: str) -> Record:
    return Record(id=id, text=text, provenance={"source_name": name}, created_at=3.0)


def calls(names: Mapping[str, str]) -> dict[str, Call]:
    """Return every verb that is interleaved, by a name of its own."""
    summary, version = names["summary"], names["version"]
    said: dict[str, Any] = {"session_id": "s", "user_id": "ann", "now": 20.0}
    return {
        "remember the same id": lambda m, _: m.remember("indigo soup", id="a", category="food", created_at=1.0),
        "remember the same id elsewhere": lambda m, _: m.remember(
            "ivory soup", id="a", boundary_class="public", created_at=1.0
        ),
        "remember a new id": lambda m, _: m.remember("jasper pier", id="n", category="food", created_at=1.0),
        "remember a new id elsewhere": lambda m, _: m.remember(
            "khaki pier", id="n", boundary_class="public", created_at=1.0
        ),
        "remember without an id": lambda m, _: m.remember("lilac map", user_id="ann", created_at=1.0),
        "remember it for another": lambda m, _: m.remember("lilac map", user_id="bob", created_at=1.0),
        "remember with an end": lambda m, _: m.remember("mauve map", id="e", expires_at=50.0, created_at=1.0),
        "remember a turn": lambda m, _: m.remember("nutmeg oar", id="t9", session_id="s", kind="turn", created_at=19.0),
        "remember a fact": lambda m, _: m.remember("The kettle uses water.", id="k", created_at=1.0),
        "remember it again": lambda m, _: m.remember("Lilac  map", user_id="ann", created_at=2.0, receipt=True),
        "remember in the place of one": lambda m, _: m.remember(
            "lime soup", id="n", supersedes="a", user_id="ann", created_at=4.0, receipt=True
        ),
        "remember in the place of it too": lambda m, _: m.remember(
            "maroon soup", id="p", supersedes="a", user_id="ann", created_at=5.0
        ),
        "state a fact": lambda m, _: m.remember("I live in Rome.", id="f", user_id="ann", created_at=6.0),
        "state another": lambda m, _: m.remember("I live in Oslo.", id="g", user_id="ann", created_at=7.0),
        "state one earlier": lambda m, _: m.remember("I live in Bern.", id="h", user_id="ann", created_at=3.0),
        "say where we meet": lambda m, _: m.remember("We meet at noon.", id="q", user_id="ann", created_at=6.0),
        "say it otherwise": lambda m, _: m.remember("We meet at nine.", id="r", user_id="ann", created_at=7.0),
        "forget what supersedes": lambda m, _: m.forget(["n", "f"]),
        "history": lambda m, _: m.history("a"),
        "remember_many": lambda m, _: m.remember_many(
            [{"id": "a", "text": "ochre tea", "created_at": 1.0}, {"id": "n", "text": "olive oil", "created_at": 1.0}]
        ),
        "replace a source": lambda m, _: m.replace_sources({"doc": [source("d1", "peach sail", "doc")]}),
        "replace a source by nothing": lambda m, _: m.replace_sources({"doc": []}),
        "replace a source that was not there": lambda m, _: m.replace_sources(
            {"f": [source("f1", "pearly sail", "f")]}
        ),
        "replace it otherwise": lambda m, _: m.replace_sources({"f": [source("f2", "poppy sail", "f")]}),
        "update a text": lambda m, _: m.update("a", text="purple tea", updated_at=30.0),
        "update a category": lambda m, _: m.update("a", category="home", updated_at=31.0),
        "update another category": lambda m, _: m.update("b", category="food", updated_at=31.0),
        "supersede": lambda m, _: m.update("a", superseded_by="b", valid_to=31.0, updated_at=31.0),
        "update an end": lambda m, _: m.update("b", expires_at=9e9, updated_at=32.0),
        "update a class": lambda m, _: m.update("a", boundary_class="public", updated_at=33.0),
        "update a version": lambda m, _: m.update("a", topic="kitchen", updated_at=34.0, if_version=version),
        "update a turn": lambda m, _: m.update("t0", text="I prefer the raspberry seat", updated_at=35.0),
        "update a turn behind a summary": lambda m, _: m.update("o0", text="russet harbour", updated_at=36.0),
        "forget an id": lambda m, _: m.forget("a"),
        "forget ids": lambda m, _: m.forget(["a", "b", "n"]),
        "forget a category": lambda m, _: m.forget(where={"category": "food"}),
        "forget a session": lambda m, _: m.forget(where={"session_id": "s"}),
        "forget a user": lambda m, _: m.forget(where={"user_id": "ann"}),
        "forget a turn": lambda m, _: m.forget("t0"),
        "forget a turn behind a summary": lambda m, _: m.forget("o0"),
        "forget a summary": lambda m, _: m.forget(summary),
        "forget a summary and its turns": lambda m, _: m.forget(summary, sources="forget"),
        "purge": lambda m, _: m.purge(now=200.0),
        "ingest_turn": lambda m, _: m.ingest_turn("I always take the sienna ferry", durable="all", **said),
        "ingest_turn again": lambda m, _: m.ingest_turn("I always take the silver ferry", durable="none", **said),
        "ingest_turn if it is new": lambda m, _: m.ingest_turn(
            "my tawny dog is called Rex", durable="all", durable_duplicates="refuse", **said
        ),
        "ingest_turn if nobody said it": lambda m, _: m.ingest_turn(
            "my tawny dog is called Rex", durable="all", durable_duplicates="refuse", **said
        ),
        "ingest_turn that is known": lambda m, _: m.ingest_turn("my turquoise kettle", id="t1", durable="all", **said),
        "ingest_turn that is no longer durable": lambda m, _: m.ingest_turn("hush", id="t0", durable="none", **said),
        "compact": lambda m, _: m.compact("s", force=True, summariser=RETOLD, now=40.0),
        "compact in parts": lambda m, _: m.compact("s", target=2, force=True, summariser=RETOLD, now=40.0),
        "compact and delete": lambda m, _: m.compact("s", force=True, sources="delete", summariser=RETOLD, now=40.0),
        "compact but the last": lambda m, _: m.compact("s", force=True, keep_recent=1, summariser=RETOLD, now=40.0),
        "expand": lambda m, _: m.expand(summary),
        "touch": lambda m, _: m.touch(["a", "t0"], now=41.0),
        "embed": lambda m, _: m.embed(),
        "import_from": lambda m, folder: m.import_from(folder / "other.jsonl"),
        "rebuild": lambda m, _: m.rebuild(),
        "save": lambda m, _: m._engine.saver._save(at_least=0),
        "check": lambda m, _: m.check(),
        "flush": lambda m, _: m.flush(),
        "repair": lambda m, _: m.check(repair=True),
        "recall": lambda m, _: hits(m, "tea seat kettle boat"),
        "recall by words": lambda m, _: hits(m, "ferry soup harbour", profile="kb-fast"),
        "recall by facts": lambda m, _: hits(m, "kettle", profile="kb-thinkingdb"),
        "context": lambda m, _: m.context("kettle", 200, session_id="s", recent=True, now=NOW).text,
        "records": lambda m, _: [(one.id, one.text) for one in m.records()],
        "records that are superseded": lambda m, _: [
            (one.id, one.superseded_by, one.superseded_at) for one in m.records({"superseded_by": {"exists": True}})
        ],
        "recall as of then": lambda m, _: hits(m, "soup tea", as_of=4.5),
        "count": lambda m, _: m.count({"category": "food"}),
        "sessions": lambda m, _: m.sessions(),
        "users": lambda m, _: m.users(),
        "get": lambda m, _: m.get("a"),
        "activate": lambda m, _: [item.claim_id for item in m.activate("the seat and the kettle", now=12.5)],
        "search": lambda m, _: [item.claim_id for item in m.search("a boat and tea", now=12.5)],
        "upsert": lambda m, _: m.upsert("A tidal chart.", provenance={"at": 1.0}, boundary_class="internal", now=43.0),
        "upsert it elsewhere": lambda m, _: m.upsert(
            "A tidal chart.", provenance={"at": 1.0}, boundary_class="public", now=43.0
        ),
        "say that it was helpful": lambda m, _: m.feedback("a", "helpful", now=44.0),
        "say that it is outdated": lambda m, _: m.feedback("a", "outdated", now=44.0),
        "say that it is a duplicate": lambda m, _: m.feedback("b", "duplicate", duplicate_of="a", now=44.0),
        "decay": lambda m, _: m.decay(now=9e6),
        "observe": lambda m, _: m.observe("chat", "the tide is low", now=45.0),
    }


def hits(memory: byheart.Memory, question: str, **how: Any) -> list[tuple[str, str, float]]:
    return [(hit.id, hit.text, hit.score) for hit in memory.recall(question, now=NOW, **how)]


def outcome(call: Call, memory: byheart.Memory, folder: Path) -> object:
    """Return what a call gives, or what it raises; that others were always quicker is no outcome."""
    try:
        return told(call(memory, folder))
    except StoreBusy:
        raise
    except ByheartError as error:
        return type(error).__name__


def told(value: Any) -> object:
    """Return what an answer says of what was done."""
    if isinstance(value, Record):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        said = {
            field.name: told(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if field.name not in _UNTOLD
        }
        if isinstance(value, TurnReceipt):  # what the gate saw is of the moment at which it looked, as its numbers are
            said["degraded"] = [why for why in value.degraded if not why.startswith("gate: ")]
        return said
    return [told(each) for each in value] if isinstance(value, (list, tuple)) else value
