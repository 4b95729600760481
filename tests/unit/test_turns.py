"""`ingest_turn`: what is kept, what is promoted, what the gate sees and what not, and what happens when it fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import byheart
from byheart.conversation.gate import GateSettings
from byheart.conversation.receipts import TurnReceipt
from byheart.conversation.turn_names import durable_id
from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.errors import BoundaryViolation, DuplicateId, InvalidArgument, LimitExceeded
from byheart.index import whose

NOW = 1_767_225_600
FIRST = f"s:{NOW * 1000}"
PREFERENCE = "I prefer the window seat."
PLAIN = "The window was open."


class Angles:
    """Gives each text the vector that has a certain cosine with every text that is not listed."""

    dimensions = 2

    def __init__(self, cosines: Mapping[str, float] | None = None) -> None:
        self.cosines = dict(cosines or {})
        self.seen: list[list[str]] = []
        self.failure: Exception | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint("angles", 2, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.append(list(texts))
        if self.failure is not None:
            raise self.failure
        cosines = [self.cosines.get(text, 1.0) for text in texts]
        return np.array([[c, (1 - c * c) ** 0.5] for c in cosines], dtype=np.float32)

    embed_queries = embed_documents


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[byheart.Memory]:
    path = None if request.param == "in process" else tmp_path / request.param
    with byheart.Memory(path, embedder=Angles()) as opened:
        yield opened


def ingest(memory: byheart.Memory, text: str = PREFERENCE, **fields: object) -> TurnReceipt:
    return memory.ingest_turn(text, **{"session_id": "s", "user_id": "ada", "now": NOW, **fields})


def stored(memory: byheart.Memory) -> dict[str, byheart.Record]:
    return {record.id: record for record in memory.records()}


# ---- what is kept


def test_a_turn_and_its_copy(memory: byheart.Memory) -> None:
    done = ingest(memory, metadata={"channel": 7})
    assert (done.id, done.durable_id, done.refused, done.degraded) == (FIRST, durable_id(FIRST), None, ())
    turn, copy = stored(memory)[FIRST], stored(memory)[durable_id(FIRST)]
    numbers = done.gate.to_metadata()
    assert turn.metadata == copy.metadata == {"channel": 7, "role": "user", **numbers}
    assert numbers["gating_score"] == done.gate.score >= 0.35 > done.gate.threshold
    assert (turn.kind, turn.session_id, turn.user_id, turn.created_at) == ("turn", "s", "ada", NOW)
    assert (copy.kind, copy.session_id, copy.user_id, copy.created_at) == ("memory", None, "ada", NOW)
    assert copy.provenance == {"source_id": FIRST, "session_id": "s"}
    assert (copy.text, copy.scope, copy.boundary_class) == (turn.text, turn.scope, turn.boundary_class)
    assert memory._engine.embedder.seen == [[PREFERENCE]], "one call, one text"
    assert memory.stats()["vectors"] == 2


def test_what_falls_short_is_a_turn_alone(memory: byheart.Memory) -> None:
    ingest(memory)
    done = ingest(memory, PLAIN)
    assert not done.gate.promoted and done.durable_id is None
    assert stored(memory)[done.id].metadata["gating_score"] == done.gate.score
    assert len(stored(memory)) == 3


def test_only_what_a_known_user_says_is_gated(memory: byheart.Memory) -> None:
    for fields in ({"role": "assistant"}, {"role": "system"}, {"user_id": None}, {"durable": "none"}):
        for durable in ("gate", "all"):
            session = f"s{len(memory)}"  # in that of a user it is theirs
            done = ingest(memory, **{"durable": durable, "session_id": session, **fields})
            assert (done.gate, done.durable_id, done.degraded) == (None, None, ())
            assert stored(memory)[done.id].metadata == {"role": fields.get("role", "user")}
    assert all(record.kind == "turn" for record in memory.records())


def test_a_copy_of_everything_on_demand(memory: byheart.Memory) -> None:
    ingest(memory)
    done = ingest(memory, PLAIN, durable="all")
    assert not done.gate.promoted
    assert stored(memory)[done.durable_id].metadata["gating_score"] == done.gate.score


def test_what_is_no_turn_is_refused_without_an_error_where_noise_is_refused() -> None:
    memory = byheart.Memory(embedder=Angles(), noise="refuse")
    wanted = {
        "hello": "noise: boilerplate: greeting",
        "HEARTBEAT 12:00": "noise: boilerplate: heartbeat",
        "ok": "noise: length: below 5",
        "I don't recall the name.": "noise: denial: does not recall",
        "": "empty: it says nothing",
        " \n": "empty: it says nothing",
    }
    for text, refused in wanted.items():
        assert ingest(memory, text) == TurnReceipt(refused=refused)
    assert memory.records() == [] and memory._engine.embedder.seen == []


def test_heartbeats_and_empty_messages_are_marked_and_archived() -> None:
    memory = byheart.Memory()
    for text, reason in (("HEARTBEAT", "noise: boilerplate: heartbeat"), (" ", "empty: it says nothing")):
        done = ingest(memory, text)
        assert (done.refused, done.archived) == (reason, True)
    unjudged = byheart.Memory(noise=None)
    said = ("HEARTBEAT", " ", "hello", "ok", "I don't recall it")
    assert [ingest(unjudged, text).refused for text in said] == [None] * 5


def test_by_coroutine_and_by_every_profile_of_recall() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    done = asyncio.run(memory.aingest_turn(PREFERENCE, session_id="s", user_id="ada", now=NOW))
    assert memory.recall("window seat", profile="scoped", session_id="s", user_id="ada", now=NOW).hits[0].id == done.id
    elsewhere = memory.recall("window seat", profile="scoped", session_id="t", user_id="ada", now=NOW)
    assert [hit.id for hit in elsewhere] == [done.durable_id], "a turn is found in its session alone"


# ---- names


def test_messages_of_one_millisecond_have_names_of_their_own(memory: byheart.Memory) -> None:
    names = [ingest(memory, f"{PLAIN} {number}").id for number in range(20)]
    assert names == [f"s:{NOW * 1000 + number}" for number in range(20)]
    assert ingest(memory, session_id="t").id == f"t:{NOW * 1000}"
    assert ingest(memory, created_at=NOW + 0.005).id == f"s:{NOW * 1000 + 20}", "the next that is free"
    assert ingest(memory, created_at=-1).id == "s:0000000000000"


def test_a_long_session_name_fits_into_an_id() -> None:
    memory = byheart.Memory()
    names = [ingest(memory, session_id=mark * 300).id for mark in ("é", "è", "é")]
    assert len(set(names)) == 3 and all(len(name.encode()) <= 512 for name in names)
    assert names[0].partition(":")[0] == names[2].partition(":")[0]


def test_a_name_is_not_used_again_while_something_stands_for_it() -> None:
    memory = byheart.Memory()
    first = ingest(memory)
    memory.update(first.id, expires_at=1e9)
    memory.update(first.durable_id, expires_at=None)
    memory.purge(now=2e9)
    assert ingest(memory).id != first.id, "its copy is still there"
    for number in range(3):
        ingest(memory, f"{PLAIN} {number}", session_id="c", durable="none")
    done = memory.compact("c", force=True, sources="delete", now=NOW)
    assert ingest(memory, session_id="c").id == f"c:{NOW * 1000 + 3}"
    assert len(memory.expand(done.summaries[0])) == 0


def test_the_same_id_again_replaces_turn_and_copy(memory: byheart.Memory) -> None:
    ingest(memory, id="mine")
    again = ingest(memory, "I prefer the aisle seat.", id="mine")
    assert again.gate.novelty == 1.0 and again.gate.frequency == 0.0, "neither finds what it replaces"
    assert {id: record.text for id, record in stored(memory).items()} == {
        "mine": "I prefer the aisle seat.", durable_id("mine"): "I prefer the aisle seat.",
    }  # fmt: skip
    assert ingest(memory, PREFERENCE, id="mine", durable="none").durable_id is None
    assert list(stored(memory)) == ["mine"], "no copy of what was replaced is left"


@pytest.mark.parametrize(
    ("again", "whose"), [({"session_id": "another"}, "another session"), ({"user_id": "ben"}, "another user")]
)
def test_the_id_of_a_turn_of_another_session_or_user_takes_nothing_away(
    memory: byheart.Memory, again: dict[str, str], whose: str
) -> None:
    said = {"session_id": "s", "user_id": "ada", "id": "msg-1", "durable": "all"}
    memory.ingest_turn("I am allergic to penicillin.", **said)
    before = stored(memory)
    with pytest.raises(DuplicateId, match=rf"id 'msg-1': is that of {whose}'s turn; name this one otherwise"):
        memory.ingest_turn("My favourite colour is orange.", **{**said, **again})
    assert stored(memory) == before
    assert memory.ingest_turn("I am allergic to nuts.", **{**said, "user_id": None}).user_id == "ada"


def test_a_copy_does_not_take_the_place_of_another_record(memory: byheart.Memory) -> None:
    memory.remember(PLAIN, id=durable_id("mine"))
    for durable in ("gate", "none"):
        with pytest.raises(DuplicateId, match="name the turn otherwise"):
            ingest(memory, id="mine", durable=durable)
    assert list(stored(memory)) == [durable_id("mine")]


# ---- what the gate sees


def test_a_message_does_not_find_itself() -> None:
    assert ingest(byheart.Memory(embedder=Angles(), noise=None), "hello").gate.score == 0.35
    done = ingest(byheart.Memory(embedder=HashingEmbedder(64)), PREFERENCE)
    assert (done.gate.frequency, done.gate.novelty) == (0.0, 1.0)


def test_the_gate_counts_turns_of_the_user_and_durable_records() -> None:
    memory = byheart.Memory(embedder=Angles())
    for _ in range(3):
        ingest(memory, PLAIN, role="assistant")  # said to the user, not by the user
    assert ingest(memory, PLAIN).gate.frequency == 0.0
    again = ingest(memory, PLAIN)
    assert (again.gate.frequency, again.gate.saturation) == (0.2, 1 / 3)
    assert ingest(memory, PLAIN).gate.frequency == 0.4
    memory.remember(PLAIN, user_id="ada", id="own")
    assert ingest(memory, PLAIN).gate.saturation == 2 / 3


def test_others_do_not_count() -> None:
    memory = byheart.Memory(embedder=Angles())
    other_cells = ({"scope": "session"}, {"boundary_class": "public"}, {"boundary_class": "secret"})
    for fields in ({"user_id": "ben"}, *other_cells):
        ingest(memory, **fields)
        memory.remember(PLAIN, **{"user_id": "ada", **fields})
    memory.remember(PLAIN)
    memory.remember(PLAIN, user_id="ada", expires_at=NOW)
    with_tenant = byheart.Memory(store=memory._engine.store, embedder=Angles(), tenant="other")
    ingest(with_tenant)
    done = ingest(memory)
    assert (done.gate.novelty, done.gate.frequency, done.gate.saturation, done.degraded) == (1.0, 0.0, 0.0, ())
    for fields in other_cells:
        assert ingest(memory, **fields).gate.frequency > 0


def test_whose_records_are_whose_is_saved_with_the_indexes() -> None:
    memory = byheart.Memory(embedder=Angles())
    for number, role in enumerate(("user", "assistant", "user")):
        ingest(memory, f"{PLAIN} {number}", role=role)
    memory.forget(f"s:{NOW * 1000 + 2}")
    old, new = memory._engine.indexes["default"], memory._engine.new_partition()
    new.restore(dict(old.sections()))
    for partition in (old, new):
        assert partition.rows(whose.said_by("ada")) == [FIRST]
        assert partition.rows(whose.known_of("ada")) == [durable_id(FIRST)]
        assert partition.rows(whose.of_session("s")) == [FIRST, f"s:{NOW * 1000 + 1}"]
        assert not partition.rows(whose.said_by("ben")) and not partition.rows(whose.known_of("ben"))


def test_archived_turns_do_not_count() -> None:
    memory = byheart.Memory(embedder=Angles())
    for number in range(4):
        ingest(memory, f"{PLAIN} {number}", durable="none")
    memory.compact("s", force=True, now=NOW)
    done = ingest(memory, PLAIN)
    assert done.gate.frequency == 0.0
    assert done.gate.saturation == 1 / 3, "the summary is what is known now"


def test_published_values_come_out_of_a_memory(shared: Path) -> None:
    cases = json.loads((shared / "vectors" / "gate.json").read_text(encoding="utf-8"))
    compared = 0
    for case in (case for case in cases if case["feature"] == "gate.signals"):
        given = case["input"]
        if not given["text"].strip():
            continue
        turns, durable = given.get("turn_hits", []), given.get("mem_hits", [])
        texts = {f"turn {n}": c for n, c in enumerate(turns)} | {f"durable {n}": c for n, c in enumerate(durable)}
        memory = byheart.Memory(embedder=Angles(texts), noise=None)
        memory.remember_many(
            {"text": text, "user_id": "ada", "kind": "turn" if text.startswith("turn") else None} for text in texts
        )
        original = GateSettings(profile="1.3.5", clamp_negative=given.get("clamp_negative", True))
        found = ingest(memory, given["text"], gate=original).gate
        expected = case["expected"]
        assert found.score == pytest.approx(expected["g"], abs=1e-6), case["id"]
        assert found.novelty == pytest.approx(expected["h"], abs=1e-6)
        assert (found.frequency, found.saturation) == (expected["inputFreq"], expected["memSaturation"])
        compared += 1
    assert compared >= 20


def test_many_records_of_one_user_are_searched_like_few() -> None:
    """The searches over many records take another way than those over few, and find the same."""
    texts = {f"turn {n}": (n % 97) / 97 for n in range(1_200)} | {f"fact {n}": (n % 89) / 89 for n in range(1_200)}
    few = {text: cosine for text, cosine in texts.items() if cosine > 0.8}

    def weighed(texts: Mapping[str, float]) -> dict[str, float]:
        memory = byheart.Memory(embedder=Angles(texts))
        memory.remember_many(
            {"text": text, "user_id": "ada", "kind": "turn" if text.startswith("turn") else None} for text in texts
        )
        return ingest(memory).gate.to_metadata()

    assert weighed(texts) == weighed(few)


def test_a_question_asked_again_does_not_come_before_the_fact_that_answers_it() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    kept = [
        memory.ingest_turn(text, session_id=session, user_id="bob", now=now).durable_id
        for now, (session, text) in enumerate([
            ("mon", "My locker code at work is 4711."), ("tue", "What's the code of my locker at work?"),
            ("wed", "remind me of the code of my locker"), ("wed", "\u306f\u3044"),
        ])
    ]  # fmt: skip
    assert kept[0] is not None and kept[1:] == [None, None, None]
    assert (
        memory.ingest_turn("What is it?", session_id="wed", user_id="bob", durable="all", now=9).durable_id is not None
    )


# ---- duplicates


def test_a_copy_that_says_nearly_the_same_is_refused_on_demand() -> None:
    memory = byheart.Memory(embedder=Angles({"near": 0.96, "far": 0.94}))
    memory.remember_many([{"id": "far", "text": "far", "user_id": "ada"}])
    loud = GateSettings(threshold=0)
    assert ingest(memory, gate=loud, durable_duplicates="refuse", id="a").durable_id is not None
    memory.forget([durable_id("a"), "a"])
    memory.remember_many([{"id": "near", "text": "near", "user_id": "ada"}])
    for durable in ("gate", "all"):
        done = ingest(memory, gate=loud, durable_duplicates="refuse", durable=durable)
        assert (done.durable_id, done.duplicate_of) == (None, "near")
        assert done.id in stored(memory)
    kept = ingest(memory, gate=loud)
    assert (kept.durable_id is not None, kept.duplicate_of) == (True, None)


# ---- what fails


def test_without_an_embedder_nothing_said_before_is_known() -> None:
    memory = byheart.Memory()
    done = ingest(memory)
    assert done.durable_id is not None and done.gate.novelty == 1.0
    assert done.degraded == ("gate: the memory has no embedder; nothing that was said before is known to it",)
    assert ingest(memory, durable="none").degraded == ()


def test_an_embedder_that_fails_costs_the_promotion_and_not_the_turn(memory: byheart.Memory) -> None:
    memory._engine.embedder.failure = ConnectionError("the model server went away")
    done = ingest(memory)
    assert (done.id, done.durable_id, done.gate) == (FIRST, None, None)
    assert len(done.degraded) == 2 and all("the model server went away" in note for note in done.degraded)
    assert done.degraded[0].startswith("vector:") and done.degraded[1].startswith("gate:")
    assert ingest(memory, PLAIN, durable="all").durable_id is not None, "what is kept anyway needs no gate"
    memory._engine.embedder.failure = None
    assert memory.stats()["vectors"] == 0
    after = ingest(memory, PLAIN)
    assert after.degraded == ("gate: 3 of the user's records have no vector and were not compared",)
    memory.embed()
    assert ingest(memory, PLAIN).degraded == ()


def test_a_gate_that_fails_costs_the_promotion_and_not_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory(embedder=Angles())

    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("no patterns")

    monkeypatch.setattr("byheart.conversation.weighing.gate", broken)
    done = ingest(memory)
    assert (done.id, done.durable_id, done.gate) == (FIRST, None, None)
    assert done.degraded == ("gate: it failed (RuntimeError: no patterns)",)
    assert stored(memory)[FIRST].metadata == {"role": "user"}


def test_a_write_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory(embedder=Angles())

    def broken(*args: object, **kwargs: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(memory._engine.store, "write_if", broken)
        with pytest.raises(OSError, match="no room"):
            ingest(memory)
    assert memory.records() == [] and memory.check() == []
    assert ingest(memory).id == FIRST


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"session_id": " "}, InvalidArgument),
        ({"session_id": None}, TypeError),
        ({"user_id": ""}, InvalidArgument),
        ({"user_id": 7}, TypeError),
        ({"role": ""}, InvalidArgument),
        ({"text": 7}, TypeError),
        ({"text": "a\ud800b c d e"}, InvalidArgument),
        ({"text": "word " * 2_000_001}, LimitExceeded),
        ({"id": ""}, InvalidArgument),
        ({"id": "x" * 513}, LimitExceeded),
        ({"durable": "maybe"}, InvalidArgument),
        ({"durable_duplicates": True}, InvalidArgument),
        ({"gate": 0.35}, TypeError),
        ({"now": float("nan")}, InvalidArgument),
        ({"created_at": "today"}, InvalidArgument),
        ({"created_at": [1]}, TypeError),
        ({"scope": "s" * 65}, LimitExceeded),
        ({"boundary_class": "hidden"}, InvalidArgument),
        ({"metadata": {"a": object()}}, InvalidArgument),
        ({"metadata": {"a": "x" * 999_900}}, LimitExceeded),
        ({"metadata": [1]}, TypeError),
        ({"boundary_class": "secret"}, BoundaryViolation),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else value.__name__,
)
def test_arguments_that_cannot_be_taken(fields: dict[str, object], kind: type[Exception]) -> None:
    memory = byheart.Memory(embedder=Angles(), boundary={"classes": ["internal"]})
    with pytest.raises(kind):
        ingest(memory, **{"text": PREFERENCE, **fields})
    assert memory.records() == []


def test_what_the_prompt_holds_is_not_found_by_its_copy(memory: byheart.Memory) -> None:
    done = ingest(memory)
    for profile in ("scoped", "hybrid", "discovery", "kb-balanced"):
        found = memory.recall(PREFERENCE, profile=profile, user_id="ada", exclude=[done.id])
        assert done.durable_id not in [hit.id for hit in found]
    context = memory.context(PREFERENCE, 100, profile="scoped", session_id="s", user_id="ada", recent=True)
    assert [entry.id for entry in context.entries] == [done.id]


def test_a_turn_belongs_to_the_tenant_that_is_named() -> None:
    with byheart.Memory(tenant="home") as memory:
        for tenant in (None, "a", "b"):
            done = memory.ingest_turn(f"I prefer the seat of {tenant}.", session_id="s", user_id="u", tenant=tenant)
            assert done.durable_id is not None, "the gate of each tenant sees its own records alone"
        found = {name: {hit.text for hit in memory.recall("seat", boundary={"tenant": name})} for name in "ab"}
        assert found == {name: {f"I prefer the seat of {name}."} for name in "ab"}
        assert {hit.text for hit in memory.recall("seat")} == {"I prefer the seat of None."}
    with (
        byheart.Memory(boundary={"tenant": "a"}) as bounded,
        pytest.raises(BoundaryViolation, match="tenant 'b'"),
    ):
        bounded.ingest_turn("I prefer tea.", session_id="s", tenant="b")
