"""Noise is refused where that is asked for: which verbs look, which records are judged, how to keep a text."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, NoiseRefused

NOISE = {
    "Hello again!": "boilerplate: greeting",
    "HEARTBEAT 12:00": "boilerplate: heartbeat",
    "I don't have any information about the boat.": "denial: has no information",
    "Do you remember the boat?": "meta: do you remember",
    "tea": "length: below 5",
    "ok thanks": "backchannel",
}
SENTENCE = "The boat leaves at nine."


@pytest.mark.parametrize(("text", "rule"), NOISE.items())
def test_remember_refuses_noise_and_stores_nothing(text: str, rule: str) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(16), noise="refuse")
    for given in (text, {"text": text, "topic": "boats"}, byheart.Record(text=text, role="Narrative")):
        with pytest.raises(NoiseRefused) as caught:
            memory.remember(given)
        for part in (repr(text[:20])[:-1], "'byheart'", f"({rule})", "noise=None", "--refuse-noise"):
            assert part in str(caught.value)
    with pytest.raises(NoiseRefused):
        asyncio.run(memory.aremember(text))
    assert memory.records() == []


def test_a_long_text_is_named_by_its_beginning() -> None:
    with pytest.raises(InvalidArgument, match=r"text 'Hello hello .*…': is noise") as caught:
        byheart.Memory(noise="refuse").remember("Hello " + "hello " * 1_000)
    assert len(str(caught.value)) < 250


def test_the_profile_can_be_another_or_none() -> None:
    name = "His name is Bob"
    assert byheart.Memory(noise="refuse").remember(name, id="bob") == "bob"
    with pytest.raises(NoiseRefused, match=r"'1\.0\.11' \(boilerplate: greeting\)"):
        byheart.Memory(noise="refuse", noise_profile="1.0.11").remember(name)
    for text in NOISE:
        for kept in (byheart.Memory(noise=None), byheart.Memory()):
            assert kept.remember(text, id="x") == "x"
    with pytest.raises(InvalidArgument, match="nope"):
        byheart.Memory(noise_profile="nope")
    with pytest.raises(TypeError):
        byheart.Memory(noise=True)


def test_facts_claims_and_procedures_are_not_judged() -> None:
    memory = byheart.Memory(noise="refuse")
    memory.remember("A-B", id="fact", subject="A", relation="uses", object="B")
    memory.remember({"claim": "tea", "id": "claim"})
    memory.remember("tea", claim="Do you remember means a question", id="both")
    memory.remember({"procedure": "stir", "id": "procedure"})
    assert len(memory.records()) == 4
    for fields in ({"topic": "tea"}, {"role": "Definition"}, {"kind": "note"}, {"utility_note": "what to drink"}):
        with pytest.raises(NoiseRefused):
            memory.remember("tea", **fields)


def test_an_update_is_judged_where_its_text_changes() -> None:
    memory = byheart.Memory(noise="refuse")
    memory.remember_many([{"id": "short", "text": "tea"}, {"id": "long", "text": SENTENCE}])
    assert memory.update("short", topic="drinks") == "short"
    assert memory.update("short", text="tea", importance=0.5) == "short", "the text is what it was"
    before = memory.records()
    for id in ("short", "long"):
        with pytest.raises(NoiseRefused, match="greeting"):
            memory.update(id, text="good morning")
    assert memory.records() == before
    memory.update("long", text="tea", claim="Tea is drunk at four.")
    assert byheart.Memory(noise=None).remember("tea", id="x") == "x"


def test_what_comes_in_as_a_whole_is_not_judged(tmp_path: Path) -> None:
    memory = byheart.Memory(noise="refuse")
    memory.remember_many([{"id": str(number), "text": text} for number, text in enumerate(NOISE)])
    source = byheart.Record(id="s", text="hello", provenance={"source_name": "a.md"})
    memory.replace_sources({"a.md": [source]})
    memory.export_to(tmp_path / "memory.jsonl")
    assert byheart.Memory(noise="refuse").import_from(tmp_path / "memory.jsonl") == len(NOISE) + 1


@pytest.mark.parametrize("text", ["thanks!", "ok thanks", "Got it, thank you!", "good day everyone", "?!?!?!", "  "])
def test_what_is_archived_since_it_says_nothing_is_not_kept_where_noise_is_refused(text: str) -> None:
    marks, refuses = byheart.Memory(), byheart.Memory(noise="refuse")
    marked = marks.ingest_turn(text, session_id="s", user_id="ann")
    assert marked.archived and marked.durable_id is None
    refused = refuses.ingest_turn(text, session_id="s", user_id="ann")
    assert (refused.id, refused.durable_id, refused.refused) == (None, None, marked.refused)
    assert refuses.records() == []
