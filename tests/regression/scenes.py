"""Scenes of a memory: each verb is called in most of its ways, and `test_kept_answers` keeps what they give."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from byheart import Memory, Record
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError

Said = Iterator[tuple[str, Any]]
"""What was called, and what it gave."""

NOW = 1_780_000_000.0
DAY = 86_400.0
NOTES: list[dict[str, Any]] = [
    {"id": "kettle", "text": "The kettle is descaled every spring.", "topic": "kitchen", "importance": 0.9},
    {"id": "boiler", "text": "The boiler is on the roof, beside the water tank.", "tags": ["house", "heating"]},
    {"id": "boiler2", "text": "The boiler is on the roof, beside the old water tank.", "tags": ["house"]},
    {"id": "rent", "text": "My rent is 1,020 euros since May.", "category": "money", "user_id": "ann"},
    {"id": "newrent", "text": "My rent is 1,050 euros now.", "category": "money", "user_id": "ann"},
    {"id": "dentist", "text": "The dentist is on 3 May at 18:30.", "session_id": "s1", "user_id": "ann"},
    {"id": "code", "text": "ERR_1042 means that parse_header() met an empty line in setup.cfg.", "kind": "note"},
    {"id": "lived", "text": "I live in Solna with two cats, Miso and Momo.", "user_id": "ann"},
    {"id": "moved", "text": "I moved to Uppsala last week.", "user_id": "ann"},
    {"id": "fact", "text": "Byheart uses Rust.", "subject": "byheart", "relation": "uses", "object": "rust"},
    {"id": "part", "text": "Rust is part of the toolchain.", "subject": "rust", "relation": "part_of",
     "object": "toolchain"},
    {"id": "how", "text": "To bleed a radiator, open the valve until water comes.", "role": "Procedure",
     "procedure": "open the valve", "condition": "the heating is off", "utility_acts": ["implement"], "utility": 2.0},
    {"id": "claim", "text": "Hot water costs more than light.", "claim": "water costs more", "confidence": 0.4},
    {"id": "gone", "text": "The parking pass ends in June.", "expires_at": NOW - DAY},
    {"id": "secret", "text": "The spare key of the boiler room is under the mat.", "boundary_class": "secret"},
    {"id": "other", "text": "Der Kessel wird im Frühling entkalkt.", "scope": "house", "access_count": 7},
    {"id": "tokyo", "text": "東京の水道料金は月に三千円です。", "entities": ["Tokyo"], "quality": 0.8},
]  # fmt: skip
TURNS = (
    ("user", "Hello there!"), ("user", "I'm allergic to nuts, please remember that."),
    ("assistant", "Noted: no nuts. Do you have plans for Friday?"),
    ("user", "The sail of our boat is torn, the boat needs a new sail."),
    ("user", "A new sail for our boat costs 400 euros."), ("user", "We ordered the new sail for our boat today."),
    ("user", "The new sail of our boat is red, and on the boat since noon."),
    ("user", "My flight to Oslo leaves at 7:40 on Friday."), ("user", "haha, never mind"),
    ("user", "Actually, it leaves at 8:15."), ("user", "What time does my flight leave?"),
    ("assistant", "It leaves at 8:15 on Friday."), ("user", "My sister Vera works at the harbour in Bergen."),
    ("user", "My sister Vera works at the museum now."), ("user", "thanks a lot"),
    ("user", "We booked a table for six at Lumi on Saturday evening."),
)  # fmt: skip
PROFILES = ("auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "hybrid", "scoped", "discovery", "router", "dense")


def tried(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or the error that it ends in."""
    try:
        return call()
    except (ByheartError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def filled(**options: Any) -> Memory:
    """Return a memory with all notes, one day apart."""
    memory = Memory(**options)
    count = len(NOTES)
    made = [Record(**{"created_at": NOW - DAY * (count - at), **note}) for at, note in enumerate(NOTES)]
    memory.remember_many(made)
    return memory


def asked(profile: str) -> Said:
    """A question to a profile: its hits, and of the best one what was made of it."""
    memory = filled(embedder=HashingEmbedder(64))
    for query, options in (
        ("where is the boiler?", {}),
        ('"water tank" -old', {}),
        ("how much is my rent?", {"user_id": "ann", "k": 2}),
        ("what does ERR_1042 mean?", {"explain": True}),
        ("when is the dentist on 3 May?", {"explain": True, "session_id": "s1"}),
        ("byheart toolchain rust", {"explain": True, "k": 3}),
        ("Wo wird der Kessel entkalkt?", {"boundary": {"scopes": ["house"]}}),
        ("水道料金", {}), ("nothing of that kind whatsoever", {}), ("", {}),
        ("water", {"where": {"importance": {">=": 0.1}}, "exclude": ["boiler"], "k": 4}),
        ("boiler key", {"boundary": {"classes": ["internal", "secret"]}, "min_strength": 0.1}),
        ("where do I live?", {"include_superseded": True, "as_of": NOW - 3 * DAY}),
    ):  # fmt: skip
        yield f"{query} {options or ''}", tried(lambda: memory.recall(query, profile=profile, now=NOW, **options))  # noqa: B023
    yield "explain", tried(lambda: memory.explain("where is the boiler roof?", "boiler2", profile=profile, now=NOW))
    yield "many", tried(lambda: memory.recall_many(["boiler", "rent"], 1, profile, now=NOW))


def talked() -> Said:
    """A conversation: what became of each turn, what is shown of it, and what is left once it was compacted."""
    memory = Memory(embedder=HashingEmbedder(64))
    for at, (role, text) in enumerate(TURNS):
        turn: Any = {"session_id": "talk", "user_id": "ann", "role": role, "id": f"t{at}"}
        yield text, memory.ingest_turn(text, created_at=NOW - DAY + 60 * at, **turn)
    yield "again", tried(lambda: memory.ingest_turn("Hello there!", session_id="talk", id="t0", durable="none"))
    yield "all", memory.ingest_turn("ok", session_id="talk", user_id="ann", id="t90", created_at=NOW, durable="all")
    for query in ("when does my flight leave?", "where does Vera work?", "what am I allergic to?"):
        yield query, memory.recall(query, session_id="talk", now=NOW, explain=True, k=2)
        yield f"context: {query}", memory.context(query, 60, session_id="talk", now=NOW)
    yield (
        "a wide context",
        memory.context(
            "flight table Oslo", 400, recent=True, session_id="talk", now=NOW, count_frame=True, flatten=True
        ),
    )
    yield "sessions", memory.sessions()
    yield "users", memory.users()
    yield "compacted", memory.compact("talk", target=4, force=True, keep_recent=2, now=NOW)
    yield "nothing left", tried(lambda: memory.compact("talk", now=NOW))
    for record in memory.records({"kind": "summary"}):
        yield "summary", record
        yield "behind it", [each.id for each in memory.expand(str(record.id))]
    yield "records", list(memory.records(order_by="-created_at", limit=4))
    yield "history", memory.history("t3")
    yield "by kind", memory.count(by="kind")
    yield "a context of summaries", memory.context("flight", 200, now=NOW)


def written() -> Said:
    """Records that are written, changed, superseded, used, worn and forgotten."""
    memory = filled(single_valued=["leaves_at"])
    yield "receipt", memory.remember("The ferry leaves at noon.", id="ferry", created_at=NOW, receipt=True)
    yield "again", memory.remember("The ferry leaves at noon.", created_at=NOW + 1, receipt=True)
    yield "nearly", memory.remember("The ferry leaves at noon!", created_at=NOW + 2, receipt=True, id="ferry2")
    for value in ("noon", "one"):
        fact: Any = {"subject": "ferry", "relation": "leaves_at", "object": value, "id": f"at-{value}"}
        yield value, memory.remember(f"It leaves at {value}.", created_at=NOW, receipt=True, **fact)
    yield "same id", tried(lambda: memory.remember("Another.", id="ferry"))
    yield "changed", len(memory.update("kettle", importance=0.1, tags=["tea"], text="The kettle is descaled in May."))
    yield "kettle", memory.get("kettle")
    yield (
        "in another's place",
        memory.remember("The ferry leaves at two.", id="late", supersedes=["ferry"], created_at=NOW + 9, receipt=True),
    )
    yield "ferry", memory.get(["ferry", "none", "late"])
    yield "told", memory.feedback("boiler", "helpful", score=0.5, now=NOW)
    yield "touched", memory.touch(["boiler", "rent"], now=NOW + DAY)
    yield "worn", memory.decay(NOW + 30 * DAY)
    yield "boiler", memory.get("boiler")
    yield "tried", memory.forget(["ferry", "rent"], dry_run=True)
    yield "forgotten", memory.forget(where={"category": "money"})
    yield "not there", tried(lambda: memory.forget("nobody"))
    yield "purged", memory.purge(NOW)
    yield "counts", [memory.count(), memory.count(by="scope"), memory.count({"tags": "house"})]
    yield "page", memory.records(limit=2, order_by="created_at")
    yield "stats", memory.stats()
    yield "damage", memory.check()
    yield "happened", memory.history("ferry")


def governed() -> Said:
    """A memory under a policy: what is hidden, refused, told of claims, observed, activated and changed."""
    memory = Memory(policy="default", embedder=HashingEmbedder(64))
    yield "hidden", memory.remember("Ask ann@example.com at +43 664 1234567.", id="r", receipt=True, created_at=NOW)
    where: Any = {"provenance": {"source": "wiki", "at": NOW}, "boundary_class": "internal"}
    yield "claim", memory.upsert("Ann drinks tea.", kind="fact", entities=["Ann"], scope="project", now=NOW, **where)
    yield "same claim", memory.upsert("Ann drinks tea.", kind="fact", scope="project", now=NOW + 1, **where)
    yield "no claim", tried(lambda: memory.upsert("", provenance={}, boundary_class="internal"))
    yield "observed", memory.observe("chat", "My key is sk-abcdefghijklmnop.", now=NOW, tags=["a"])
    yield "active", memory.activate("what does Ann drink?", 3, now=NOW)
    yield "found", memory.search("tea", 2, now=NOW)
    yield "valid", memory.validate("Write to bob@example.com.", allow=["answer:task"])
    yield "applied", tried(lambda: memory.apply_policy({"version": "0.3.0"}, dry_run=True, now=NOW))
    key = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----"
    yield "refused", tried(lambda: memory.remember(key))
    yield "events", memory.events()


def in_files(folder: Path) -> Said:
    """A memory in a file of text, what stands in it, and what is made of its lines elsewhere."""
    path = folder / "m.jsonl"
    with Memory(path) as memory:
        memory.remember_many([Record(**{"created_at": NOW, **note}) for note in NOTES])
        memory.update("kettle", importance=0.25)
        piece: Any = {"text": "One. Two.", "created_at": NOW, "provenance": {"source_name": "a.md", "chunk_id": 0}}
        yield "receipts", memory.replace_sources({"a.md": [Record(id="a1", **piece)]})
        yield "exported", memory.export_to(folder / "out.jsonl", {"category": "money"})
    yield "lines", [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    yield "of others", (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    with Memory(folder / "n.db") as memory:
        yield "imported", memory.import_from(path)
        yield "again", tried(lambda: memory.import_from(path))
        yield "asked", [hit.id for hit in memory.recall("where is the boiler?", now=NOW)]
        yield "stats", memory.stats()


SCENES: dict[str, Callable[[Path], Said]] = {
    **{f"asked-{profile}": lambda folder, profile=profile: asked(profile) for profile in PROFILES},  # type: ignore[misc]
    "talked": lambda folder: talked(),
    "written": lambda folder: written(),
    "governed": lambda folder: governed(),
    "files": in_files,
}
