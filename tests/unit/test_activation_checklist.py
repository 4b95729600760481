"""The checklist of activation: one test each, by what it asks for."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary.policy import DEFAULT
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreBusy
from byheart.memory.governed import PolicyOptions
from byheart.ranking.activation import Calibration, Population

NOW = 1_800_000_000.0
TEXTS = {
    "tea": "Ann drinks green tea in the morning.",
    "boat": "The boat to the island leaves at nine.",
    "shed": "Green paint is kept in the shed.",
    "kettle": "The kettle is descaled every spring.",
}


class Failing(HashingEmbedder):
    """An embedder that answers documents, and no questions."""

    def embed_queries(self, texts: Any) -> Any:
        raise ConnectionError("ann@example.com is not there")


def filled(**options: Any) -> Memory:
    memory = Memory(**{"policy": "default", "embedder": HashingEmbedder(64), **options})
    memory.remember_many([{"id": id, "text": text, "created_at": NOW - 60.0} for id, text in TEXTS.items()])
    return memory


def policy(version: str = "0.2.0", **changes: Any) -> dict[str, Any]:
    return {**DEFAULT, "version": version, **changes}


def test_1_functions_of_sql_are_there_when_it_is_opened() -> None:
    """The macros are loaded and tested where SQL is used: see also the form for DuckDB."""
    from byheart.integrations.duckdb import register

    with sqlite3.connect(":memory:") as connection:
        register(connection)
        [row] = connection.execute("SELECT norm_cos(0.5), recency_decay(0.0, 30.0, 2592000.0)").fetchall()
    assert row[0] == 0.75 and row[1] == pytest.approx(0.5, abs=1e-12)


def test_2_parameters_come_from_the_policy_then_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYHEART_RETRIEVAL_ALPHA", "0.4")
    monkeypatch.setenv("BYHEART_RETRIEVAL_K_FINAL", "3")
    monkeypatch.setenv("BYHEART_RETRIEVAL_SEARCH_MS", "7000")
    own = {"hybrid": {"alpha": 0.5, "k_txt": 7, "recency_half_life_days": 9}, "timeout_ms": {"activate": 8000}}
    found = filled(policy=policy(retrieval=own)).search("green", now=NOW)
    settings = found.settings
    assert (found.alpha, settings.candidates, settings.k_final) == (0.5, (7, 24), 3)
    assert (settings.half_life_days, settings.activate_ms, settings.search_ms) == (9, 8000, 7000)


def test_3_each_side_is_asked_where_it_is_there() -> None:
    both, words = filled().search("green tea", now=NOW), filled(embedder=None).search("green tea", now=NOW)
    assert {item.breakdown["s_vec"] is None for item in both} == {False} and both.alpha == 0.65
    assert {item.breakdown["s_vec"] for item in words} == {None} and words.alpha == 0.0
    given = Memory(policy="default", vectors="own:2")
    given.remember("Ann drinks green tea.", id="a", vector=[1.0, 0.0])
    assert given.search("nothing of that", vector=[1.0, 0.0]).items[0].breakdown["s_text"] is None


def test_4_boundary_and_redaction_come_before_everything() -> None:
    seen: list[str] = []

    class Watching(HashingEmbedder):
        def embed_documents(self, texts: Any) -> Any:
            seen.extend(texts)
            return super().embed_documents(texts)

        def embed_queries(self, texts: Any) -> Any:
            seen.extend(texts)
            return super().embed_queries(texts)

    memory = filled(embedder=Watching(64), policy_options=PolicyOptions(allow=("answer:task", "tool:contact-lookup")))
    memory.remember("Ann's address is ann@example.com.", id="mail", created_at=NOW)
    memory.remember("Call 090-1234-5678 for the boat.", id="pii", boundary_class="pii", created_at=NOW)
    context = memory.activate("whose address is ann@example.com, and who has 090-1234-5678?", now=NOW)
    assert not [text for text in seen if "@example" in text or "1234" in text]
    stored = " ".join(record.canonical() for record in memory._engine.store.load())
    assert "@example" not in stored and "1234-5678" not in stored
    assert {item.claim_id for item in context} >= {"mail"}
    narrow = memory.search("the boat", allow=["answer:task"], now=NOW)
    assert "pii" in {item.claim_id for item in memory.search("the boat", now=NOW)}
    assert "pii" not in {item.claim_id for item in narrow}


def test_5_events_hold_their_fields() -> None:
    memory = filled()
    context = memory.activate("green tea", now=NOW, request_id="req_1", trace_id="trace_1")
    [event] = memory.events("activate")
    assert (event.request_id, event.trace_id, event.at) == ("req_1", "trace_1", NOW)
    payload = event.payload
    assert payload["context"] == context.id and payload["policy_version"] == "0.1.0"
    assert [payload[name] for name in ("alpha", "k_txt", "k_vec", "k_final")] == [0.65, 48, 96, 12]
    assert set(payload["figures"]) == {"s_text", "s_vec", "S", "g", "score_final"}
    assert all(set(each) == {"avg", "p50", "p90"} for each in payload["figures"].values())
    assert [each.topic for each in memory.events() if each.topic == "search"] == ["search"]


def test_5_an_event_says_that_the_form_of_the_question_chose_alpha() -> None:
    memory = filled(policy=policy(retrieval={"hybrid": {"dynamic_alpha": True}}))
    memory.activate("green tea", now=NOW)
    [event] = memory.events("activate")
    assert event.payload["chosen"] == ["alpha"]


def test_6_the_score_of_an_item_is_the_final_one() -> None:
    memory = filled()
    context = memory.activate("green tea", now=NOW)
    parts = [(item.score, item.breakdown["S"] * item.breakdown["g"]["value"]) for item in context]
    assert parts and all(score == whole for score, whole in parts)
    [kept] = [each for each in memory._engine.journal.rows("active_contexts", "default")]
    assert [item["score"] for item in kept.content["items"]] == [item.score for item in context]


@pytest.mark.parametrize("leg", ["text", "vec"])
def test_7_coefficients_of_something_else_are_not_used_and_that_is_told(leg: str) -> None:
    fitted = Calibration.fit(leg, "quantile", [0.1, 0.9], model_version="another", policy_version="0.2.0").to_dict()
    memory, plain = filled(policy=policy(calibration={leg: fitted})), filled(policy=policy())
    found, without = memory.search("green tea", now=NOW), plain.search("green tea", now=NOW)
    assert [item.score for item in found] == [item.score for item in without]
    used_instead = {"text": "min-max", "vec": "(cosine + 1) / 2"}[leg]
    assert [(each.leg, each.why, each.used) for each in found.fallbacks] == [(leg, "calibration_missing", used_instead)]
    [event] = memory.events("search_fallback")
    assert event.payload["why"] == "calibration_missing" and not plain.events("search_fallback")

    model = str(HashingEmbedder(64).fingerprint) if leg == "vec" else memory._engine.lexical_model
    right = Calibration.fit(leg, "quantile", [0.1, 0.9], model_version=model, policy_version="0.2.0").to_dict()
    used = filled(policy=policy(calibration={leg: right})).search("green tea", now=NOW)
    assert not used.fallbacks and [item.score for item in used] != [item.score for item in without]


def test_coefficients_that_name_no_queries_are_told_without_any() -> None:
    fitted = Calibration.fit("text", "quantile", [0.1, 0.9], model_version="1", policy_version="0.2.0")
    bare = {name: value for name, value in fitted.to_dict().items() if name not in ("query_set_hash", "fitted_at")}
    assert Calibration.of_dict(bare) == fitted and (fitted.query_set_hash, fitted.fitted_at) == ("", 0.0)


def test_no_utilities_leave_a_utility_as_it_is() -> None:
    assert Population.of([]) == (0.0, 1.0) and Population.of([]).z(1.5) == 1.5


def test_8_what_says_the_same_is_there_once_and_few_are_about_one_thing() -> None:
    memory = filled(policy=policy(retrieval={"diversity": {"entity_cap": 1}}))
    memory.remember("ann drinks  GREEN tea in the morning.", id="again", created_at=NOW - 30.0)
    memory.remember("Green boats are rare.", id="e1", entities=["boats"], created_at=NOW - 20.0)
    memory.remember("Green boats are dear.", id="e2", entities=["boats"], created_at=NOW - 20.0)
    ids = {item.claim_id for item in memory.search("green", now=NOW)}
    assert len(ids & {"tea", "again"}) == 1 and len(ids & {"e1", "e2"}) == 1


def test_9_what_scores_too_low_is_no_item_and_is_told_without_its_text() -> None:
    memory = filled(policy=policy(retrieval={"min_score": 0.45}))
    context = memory.activate("green tea", now=NOW)
    assert context.found is not None and context.found.below
    assert all(item.score >= 0.45 for item in context)
    [event] = memory.events("activate")
    assert event.payload["below"] == {"ids": list(context.found.below), "reason": "below_threshold"}
    assert not any(text in str(event.payload) for text in TEXTS.values())


def test_a_side_that_fails_gives_its_weight_away_and_is_told() -> None:
    memory = filled(embedder=Failing(64))
    found = memory.search("green tea", now=NOW)
    assert found.alpha == 0.0 and found.items[0].claim_id == "tea"
    [event] = memory.events("search_fallback")
    assert event.payload == {"leg": "vec", "used": "text", "why": "the embedder failed (ConnectionError)"}
    assert memory.events().fallback_share() == 1.0


def test_a_side_that_is_not_configured_is_told_once_and_is_no_failure() -> None:
    memory = filled(embedder=None)
    for _ in range(3):
        memory.search("green tea", now=NOW)
    assert len(memory.events("search")) == 3 and not memory.events("search_fallback")
    [event] = memory.events("schema")
    assert event.payload == {"absent": ["embedder"]}


def test_an_embedder_that_hangs_is_not_waited_for() -> None:
    go = threading.Event()

    class Hanging(HashingEmbedder):
        def embed_queries(self, texts: Any) -> Any:
            go.wait(30.0)
            return super().embed_queries(texts)

    memory = filled(embedder=Hanging(64), policy=policy(retrieval={"timeout_ms": {"search": 2_000}}))
    try:
        found = memory.search("green tea", now=NOW)
    finally:
        go.set()
    assert found.items[0].claim_id == "tea"
    assert [each.why for each in found.fallbacks] == ["the embedder took more than 1.6 s"]


def test_an_answer_that_takes_too_long_as_a_whole_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, hours = filled(), itertools.count(0.0, 3_600.0)
    monkeypatch.setattr("byheart.memory.searching.time", SimpleNamespace(monotonic=lambda: next(hours)))
    with pytest.raises(StoreBusy, match="took longer than 15 s"):
        memory.activate("green tea", now=NOW)
    assert not memory.events() and not memory._engine.journal.rows("active_contexts", "default")


def test_contexts_that_are_over_are_looked_for_once_in_many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by a search, which makes none; and not each time, since all that are kept are looked at."""
    monkeypatch.setattr("byheart.memory.searching._PRUNED", 4)
    memory = filled()
    later = NOW + 1_000_000.0

    def kept() -> int:
        return len(memory._engine.journal.rows("active_contexts", "default"))

    memory.activate("green tea", now=NOW)
    memory.activate("boat", now=later)
    memory.search("paint", now=later)
    memory.search("paint", now=later)
    assert kept() == 2, "the fourth request is a search"
    for number in range(3):
        memory.activate(f"kettle {number}", now=later)
    assert kept() == 5
    memory.activate("spring", now=later)
    assert kept() == 5, "the eighth takes the first away, and is kept itself"
