"""Turns, whatever is said: names are unique and in order, the store holds what the receipts say, oracle in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import byheart
from byheart.conversation.gate import gate
from byheart.conversation.turn_names import durable_id
from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.embedding.checked import embed_checked
from byheart.errors import DuplicateId
from byheart.reference import noise as oracle

from ..counts import examples

SAID = [
    "hello", "HEARTBEAT", "ok", "tea at four", "I prefer tea", "I prefer tea!", "my name is Ada",
    "we decided to use tea", "do you remember tea?", "deploy fixed in src/app/main.py", "お茶", "it rains",
]  # fmt: skip
NOTHING = {"hello", "HEARTBEAT", "ok"}
EMBEDDER = HashingEmbedder(32)

messages = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(SAID),
            "session_id": st.sampled_from(["s", "t"]),
            "user_id": st.sampled_from([None, "ada", "ben"]),
            "role": st.sampled_from(["user", "user", "user", "assistant"]),
            "created_at": st.sampled_from([0, 0.001, 0.002, 0.003]),
            "id": st.sampled_from([None, None, None, "one", "two"]),
            "boundary_class": st.sampled_from([None, None, "public", "secret"]),
            "durable": st.sampled_from(["gate", "gate", "all", "none"]),
        }
    ),
    max_size=12,
)
EVERYTHING = {"classes": ["public", "internal", "secret"]}


@settings(max_examples=examples(400))
@given(messages)
def test_the_store_holds_what_the_receipts_say(said):
    memory = byheart.Memory(embedder=EMBEDDER)
    expected: dict[str, tuple[str, str, str | None]] = {}
    for message in said:
        before = memory.records(boundary=EVERYTHING)
        user = _user_of(message, before)
        if _is_of_others(message, user, before):
            with pytest.raises(DuplicateId, match="is that of another"):
                memory.ingest_turn(now=1, **message)
            continue
        done = memory.ingest_turn(now=1, **message)
        assert done.user_id == user == memory.get(done.id, boundary=EVERYTHING).user_id
        refused = oracle.is_noise(message["text"])
        assert done.refused == (None if refused is None else f"noise: {refused}")
        assert done.archived == (message["text"] in NOTHING)
        assert (done.id == message["id"]) if message["id"] else done.id.startswith(message["session_id"] + ":0")
        asked = message["role"] == "user" and user is not None and message["durable"] != "none"
        asked = asked and refused is None
        assert (done.gate is not None) == asked
        promoted = asked and (message["durable"] == "all" or done.gate.promoted)
        assert done.durable_id == (durable_id(done.id) if promoted else None)
        expected.pop(durable_id(done.id), None)
        expected[done.id] = (message["text"], "turn", message["session_id"])
        if promoted:
            expected[done.durable_id] = (message["text"], "memory", None)
    kept = {record.id: (record.text, record.kind, record.session_id) for record in memory.records(boundary=EVERYTHING)}
    assert kept == expected
    assert memory.check() == []


@settings(max_examples=examples(200))
@given(messages)
def test_the_gate_sees_the_records_of_its_user_and_its_cell(said):
    """Each number is that of the gate's formula over the cosines with a plain list of what was kept before."""
    memory = byheart.Memory(embedder=EMBEDDER)
    for message in said:
        before = memory.records(boundary=EVERYTHING)
        if _is_of_others(message, _user_of(message, before), before):
            continue
        done = memory.ingest_turn(now=1, **message)
        if done.gate is None:
            continue
        own = {message["id"], durable_id(message["id"])} if message["id"] else set()
        mine = [
            record
            for record in before
            if record.user_id == done.user_id
            and record.boundary_class == (message["boundary_class"] or "internal")
            and record.id not in own
        ]
        turns = [
            one.text
            for one in mine
            if one.kind == "turn" and one.metadata["role"] == "user" and one.archived_by is None
        ]
        durable = [one.text for one in mine if one.kind != "turn"]
        expected = gate(message["text"], _cosines(message["text"], turns, 10), _cosines(message["text"], durable, 5))
        for name, value in expected.to_metadata().items():
            assert abs(done.gate.to_metadata()[name] - value) <= 1e-6, name


def _is_of_others(message: Mapping[str, Any], user: str | None, before: Sequence[byheart.Record]) -> bool:
    """Return whether the id of a message is that of a turn of another session, or of another user."""
    named = [one for one in before if one.kind == "turn" and one.id == message["id"]]
    return any(
        one.session_id != message["session_id"] or (None not in (one.user_id, user) and one.user_id != user)
        for one in named
    )


def _user_of(message: Mapping[str, Any], before: Sequence[byheart.Record]) -> str | None:
    """Return whose a message is: whom it names, else the one user of the turns of its session in its cell."""
    place = (message["session_id"], message["boundary_class"] or "internal")
    told = [one for one in before if one.kind == "turn" and (one.session_id, one.boundary_class) == place]
    users = {one.user_id for one in told if one.user_id is not None}
    return message["user_id"] or (users.pop() if len(users) == 1 else None)


def _cosines(text: str, others: Sequence[str], best: int) -> list[float]:
    if not others:
        return []
    rows = embed_checked(EMBEDDER, [text, *others], "document").astype(np.float64)
    return sorted((rows[1:] @ rows[0]).round(9).tolist(), reverse=True)[:best]


@settings(max_examples=examples(200))
@given(st.lists(st.sampled_from([0.0, 0.001, 0.002, 0.005, 3.0]), max_size=40))
def test_names_are_unique_and_in_order_under_equal_clocks(times):
    memory = byheart.Memory()
    given_at: dict[float, list[str]] = {}
    for number, at in enumerate(times):
        id = memory.ingest_turn(f"message {number}", session_id="s", created_at=at, now=at).id
        assert int(id.partition(":")[2]) >= round(at * 1000)
        given_at.setdefault(at, []).append(id)
    names = [id for ids in given_at.values() for id in ids]
    assert len(set(names)) == len(names) == len(memory.records())
    assert all(ids == sorted(ids) for ids in given_at.values())
    told = [record.text for record in byheart_order(memory)]
    assert told == [f"message {number}" for number, _ in sorted(enumerate(times), key=lambda each: each[1])]


anything = st.text(max_size=40) | st.sampled_from(
    [
        *SAID,
        "",
        " ",
        "\n",
        "...",
        "thanks!",
        "hello!",
        "Hi Anna, my flight is on Tuesday",
        "noted.",
        "👍",
        "はい",
        "\x00",
    ]
)


@settings(max_examples=examples(300))
@given(st.lists(anything, max_size=12), st.booleans(), st.sampled_from(["s", "t"]))
def test_every_turn_is_kept_as_it_was_said(texts, embedded, session):
    memory = byheart.Memory(embedder=EMBEDDER if embedded else None)
    done = [memory.ingest_turn(text, session_id=session, user_id="ada", now=1) for text in texts]
    kept = {turn.id: turn for turn in memory.records(where={"kind": "turn"})}
    assert [kept[each.id].text for each in done] == texts and len(kept) == len(texts)
    for text, each in zip(texts, done, strict=True):
        turn = kept[each.id]
        assert turn.metadata.get("noise") == each.refused
        assert (turn.archived_by is not None) == each.archived
        assert not each.archived or (each.refused and each.durable_id is None)
        assert each.archived or text.strip(), "what is empty says nothing"
    assert memory.check() == []


def byheart_order(memory: byheart.Memory) -> list[byheart.Record]:
    """Return the turns as a conversation tells them: by time, then by name."""
    return sorted(memory.records(), key=lambda record: (record.created_at, record.id))


class Nothing:
    """Has no words for anything: every vector is zero."""

    dimensions = 3
    fingerprint = Fingerprint("nothing", 3, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.zeros((len(texts), 3), np.float32)

    embed_queries = embed_documents


def test_a_text_without_a_vector_is_near_nothing():
    memory = byheart.Memory(embedder=Nothing())
    for _ in range(2):
        done = memory.ingest_turn("we had tea at four", session_id="s", user_id="ada", now=1)
        assert (done.gate.novelty, done.gate.frequency) == (1.0, 0.0)
