"""Forgetting a user: every class that the handle may see, what is archived, what was made of it; and what is left."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder

ALL = {"classes": ["public", "internal", "pii", "secret"]}
CLASSES = ("public", "internal", "pii", "secret")
WATCHDOG_SECONDS = 120


def filled(memory: byheart.Memory) -> dict[str, list[str]]:
    """Fill a memory with what two users said; return the ids of what is ann's, by what it is."""
    ids: dict[str, list[str]] = {"turns": [], "silent": [], "facts": [], "summaries": []}
    for number, boundary_class in enumerate(CLASSES):
        said: dict[str, Any] = {"session_id": "s", "boundary_class": boundary_class, "now": 10.0 * number}
        for at, text in enumerate(["I live in Turku", "my tea is green", "ok"]):
            done = memory.ingest_turn(f"{text} {boundary_class}" if at < 2 else text, user_id="ann", **said)
            ids["silent" if done.archived else "turns"].append(str(done.id))
        memory.ingest_turn("I live in Bergen", user_id="bob", **said)
        memory.ingest_turn("Turku is lovely", user_id=None, role="assistant", **said)
        for user in ("ann", None, "bob"):
            fact = memory.remember(
                f"somebody lives in Turku, says {user} {boundary_class}", id=f"fact-{user}-{boundary_class}",
                user_id=user, boundary_class=boundary_class, provenance={"source_id": ids["turns"][-2]},
            )  # fmt: skip
            ids["facts"] += [fact] if user != "bob" else []
    done = memory.compact("s", target=2, force=True, boundary=ALL, now=99.0)
    ids["summaries"] = [id for id in done.summaries if memory.get(id, boundary=ALL).user_id == "ann"]
    return ids


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path | None:
    return None if request.param == "in process" else tmp_path / str(request.param)


def test_a_user_is_forgotten_in_every_class(path: Path | None) -> None:
    memory = byheart.Memory(path, embedder=HashingEmbedder(16) if path is None else None)
    ids = filled(memory)
    assert len(ids["turns"]) == 8 and len(ids["silent"]) == 4 and len(ids["facts"]) == 8 and len(ids["summaries"]) == 4
    told = memory.forget(where={"user_id": "ann"}, dry_run=True)
    receipt = memory.forget(where={"user_id": "ann"})
    assert receipt == told if receipt.files == () else (receipt.ids, receipt.untouched) == (told.ids, told.untouched)
    gone = {*receipt.ids, *receipt.copies, *receipt.summaries}
    assert gone >= {id for those in ids.values() for id in those}
    left = memory.records(boundary=ALL)
    assert {record.user_id for record in left} == {"bob", None}
    assert not [record for record in left if "tea" in record.text or record.id in gone]
    assert len([record for record in left if record.text == "I live in Bergen" and record.kind == "turn"]) == 4
    # What stays though it may speak of her: the assistant's turns of her session (with their summaries), bob's facts.
    stays = {record.id for record in left if (record.session_id == "s" and record.user_id is None)}
    stays |= {f"fact-bob-{name}" for name in CLASSES}
    assert set(receipt.untouched) == stays and len(stays) >= 8
    assert memory.check() == []


def test_what_was_made_of_a_user_meanwhile_goes_too(path: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory(path)
    turn = memory.ingest_turn("I live in Turku", session_id="s", user_id="ann", now=1.0).id
    other = byheart.Memory(**({"store": memory._engine.store} if path is None else {"path": path}))
    commits, plain, calls = memory._engine.eraser._commits, memory._engine.eraser._commits.exchange, list[str]()

    def exchange(*rest: Any, **given: Any) -> bool:
        if not calls:
            calls.append(other.remember("somebody lives in Turku", provenance={"source_id": turn}))
        return plain(*rest, **given)

    monkeypatch.setattr(commits, "exchange", exchange)
    receipt = memory.forget(where={"user_id": "ann"})
    assert calls and set(calls) <= set(receipt.copies)
    assert memory.records(boundary=ALL) == []
    assert other.records(boundary=ALL) == []


def test_only_what_the_handle_may_see_is_reached_and_named(path: Path | None) -> None:
    whole = byheart.Memory(path)
    ids = filled(whole)
    before = {record.id for record in whole.records(boundary=ALL)}
    store = {"store": whole._engine.store} if path is None else {"path": path}
    bounded = byheart.Memory(**store, boundary={"classes": ["internal", "secret"]})
    receipt = bounded.forget(where={"user_id": "ann"})
    assert {record.boundary_class for record in whole.records({"user_id": "ann"}, boundary=ALL)} == {"public", "pii"}
    after = {record.id for record in whole.records(boundary=ALL)}
    assert before - after == {*receipt.ids, *receipt.copies, *receipt.summaries} and before - after
    cells = {record.id: record.boundary_class for record in whole.records(boundary=ALL)}
    assert {cells[id] for id in receipt.untouched} == {"internal", "secret"}
    assert ids["facts"]


def test_a_named_boundary_is_kept_to_and_what_lies_outside_it_is_not_told() -> None:
    memory = byheart.Memory()
    filled(memory)
    mine = {record.id for record in memory.records({"user_id": "ann", "boundary_class": "secret"}, boundary=ALL)}
    classes = {record.id: record.boundary_class for record in memory.records(boundary=ALL)}
    receipt = memory.forget(where={"user_id": "ann"}, boundary={"classes": ["public", "internal", "pii"]})
    assert {record.id for record in memory.records({"user_id": "ann"}, boundary=ALL)} == mine and mine
    assert receipt.untouched and "secret" not in {classes[id] for id in receipt.untouched}
    cell = memory.forget(where={"user_id": "bob"}, cell=("project", "secret"), dry_run=True)
    assert {memory.get(id, boundary=ALL).boundary_class for id in cell.ids} == {"secret"}
    others = {record.id for record in memory.records({"user_id": "bob"}, boundary=ALL)} - set(cell.ids)
    assert others and others <= set(cell.untouched)  # a cell is what is chosen; the boundary holds them all


def test_what_is_not_about_users_is_looked_for_inside_the_boundary_as_ever() -> None:
    memory = byheart.Memory()
    memory.remember("a secret of ann", id="x", user_id="ann", boundary_class="secret")
    assert memory.forget("x").missing == ("x",)
    assert memory.forget(where={"id": "x"}).ids == ()
    assert memory.forget(where={"id": "x"}, boundary=ALL, dry_run=True).untouched == ()
    assert memory.forget(where={"and": [{"id": "x"}, {"not": {"user_id": "bob"}}]}).ids == ()


def test_the_command_forgets_a_user_everywhere(run: Any, memory_file: Path) -> None:
    with byheart.Memory(memory_file) as memory:
        filled(memory)
    shown = run("forget", "--where", "user_id=ann", "--yes")
    assert "left, though it may speak of them: " in shown
    with byheart.Memory(memory_file) as memory:
        assert memory.count({"user_id": "ann"}, boundary=ALL) == 0


PROGRAM = """
import sys
import byheart
with byheart.Memory(sys.argv[1]) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(40):
        how = {"boundary_class": ("secret", "internal")[number % 2]}
        said = {"session_id": "s", "now": number, **how}
        done = memory.ingest_turn(f"I prefer seat {number}", user_id="ann", **said)
        memory.remember(f"ann prefers {number}", user_id="ann", provenance={"source_id": done.id}, **how)
        memory.ingest_turn(f"bob prefers {number}", user_id="bob", **said)
    print("done", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
def test_what_another_process_adds_meanwhile_goes_too(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with byheart.Memory(path) as memory:
        filled(memory)
        other = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        timer = threading.Timer(WATCHDOG_SECONDS, other.kill)
        timer.start()
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        other.stdin.write("go\n")
        other.stdin.flush()
        forgotten = sum(len(memory.forget(where={"user_id": "ann"}).ids) for _ in range(5))
        assert other.stdout.readline() == "done\n"
        forgotten += len(memory.forget(where={"user_id": "ann"}).ids)
        assert forgotten >= 80
        assert memory.count({"user_id": "ann"}, boundary=ALL) == 0
        assert len(memory.records({"user_id": "bob", "kind": "turn"}, boundary=ALL)) == 44
        other.stdin.write("stop\n")
        other.stdin.flush()
        assert other.wait() == 0
        timer.cancel()
        assert memory.check() == []
    with byheart.Memory(path) as again:
        assert again.count({"user_id": "ann"}, boundary=ALL) == 0


def test_of_a_user_with_more_records_than_a_filter_has_values_all_go() -> None:
    memory = byheart.Memory(noise=None)
    memory.remember_many(
        [{"id": f"a{n}", "text": f"note {n}", "user_id": "ann", "session_id": f"s{n}"} for n in range(10_050)]
    )
    memory.remember("a note of a note", id="made", derived_from_unit_ids=["a10049"])
    memory.remember("nobody's", id="beside", session_id="s10049")
    gone = memory.forget(where={"user_id": "ann"})
    assert len(gone.ids) == 10_050 and gone.copies == ("made",) and gone.untouched == ("beside",)
    assert memory.count() == 1


@pytest.mark.parametrize(
    ("where", "reaches"),
    [
        ({"user_id": "ann"}, True),
        ({"user_id": ["ann", "bob"]}, True),
        ({"user_id": "ann", "topic": "x"}, True),
        ({"or": [{"user_id": "ann"}, {"user_id": "bob", "topic": "x"}]}, True),
        ({"topic": "x"}, False),
        ({"user_id": None}, False),
        ({"user_id": {"exists": False}}, False),
        ({"user_id": {"!=": "bob"}}, False),
        ({"not": {"user_id": "bob"}}, False),
        ({"or": [{"topic": "x"}, {"user_id": "ann"}]}, False),
    ],
)
def test_only_a_filter_that_names_users_reaches_their_secrets(where: dict[str, Any], reaches: bool) -> None:
    with byheart.Memory() as memory:
        for user in ("ann", None):
            name = user or "nobody"
            memory.remember(f"plain {name}", id=f"plain {name}", user_id=user, topic="x")
            memory.remember(f"secret {name}", id=f"secret {name}", user_id=user, topic="x", boundary_class="secret")
        gone = memory.forget(where=where, dry_run=True).ids
        assert any(id.startswith("secret") for id in gone) == reaches
        assert "secret nobody" not in gone
        assert reaches or set(gone) == {record.id for record in memory.records(where)}
