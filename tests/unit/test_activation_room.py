"""The memory of activations: contexts that expire, a log without texts, feedback once a minute, duplicates, decay."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Record
from byheart.activation import (
    ActiveContext,
    Anchored,
    Event,
    EventLog,
    Feedback,
    Standing,
    after,
    merged,
    observed,
    representative,
)
from byheart.activation.contexts import made
from byheart.activation.events import checked, of_activation
from byheart.activation.ids import id_digest, named_in, renamed
from byheart.boundary.policy import Retrieval
from byheart.boundary.redaction import Redactor
from byheart.errors import InvalidArgument, LimitExceeded
from byheart.ranking.activation import Candidate, rank
from byheart.records import SUMMARY
from byheart.reference import activation as oracle
from byheart.validation import CLASSES

DAY = 86_400.0
NOW = 1_000 * DAY
CELL = ("default", "project", "internal")
CANDIDATES = [
    Candidate(id="a", similarity=0.9, confidence=1.0, created_at=NOW),
    Candidate(id="b", similarity=0.8, confidence=1.0, created_at=NOW),
    Candidate(id="c", similarity=-1.0),
]


def ranked():
    return rank(CANDIDATES, Retrieval(), now=NOW)


def context(**options):
    given = {"now": NOW, "scopes": ["project"], "policy_version": "1.0.0"} | options
    return made("what about tea?", ranked(), **given)


def test_a_context_holds_no_text_and_comes_back_as_it_was() -> None:
    one = context(actor="ann")
    assert [(item.claim_id, item.rank) for item in one.items] == [("a", 1), ("b", 2)]
    assert one.items[0].score == ranked().items[0].score and one.items[0].breakdown["S"] == ranked().items[0].s
    written = json.dumps(one.to_dict())
    assert "tea" not in written and ActiveContext.from_dict(json.loads(written)) == one


def test_the_same_question_is_the_same_context_and_another_actors_another() -> None:
    assert context(actor="ann") == context(actor="ann")
    others = [
        context(actor="bob"),
        context(),
        context(actor="ann", policy_version="1.1.0"),
        context(actor="ann", now=0.0),
    ]
    ids = {each.id for each in [context(actor="ann"), *others]}
    assert len(ids) == 5 and all(id.startswith("ac_") and id[3:].isalnum() for id in ids)


def test_a_context_lives_for_the_time_that_was_said() -> None:
    assert context(lifetime=60.0).expires_at == NOW + 60.0 and context().expires_at == NOW + 3_600.0
    for never in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(InvalidArgument, match="lifetime"):
            context(lifetime=never)


def test_an_activation_without_results_is_a_context_too() -> None:
    empty = made("tea", rank([], Retrieval(), now=NOW), now=NOW, scopes=[], policy_version=None)
    assert empty.items == () and empty.expires_at > NOW


def test_what_is_forgotten_is_a_digest_in_a_payload() -> None:
    payload = of_activation(ranked(), Retrieval(), policy_version="1.0.0", candidates=(48, 96))
    said = checked("activate", payload)
    assert said["below"] == {"ids": ["c"], "reason": "below_threshold"} and set(named_in(said)) == {"c"}
    digest = id_digest("c", CELL)
    assert renamed(said, {"c": digest})["below"]["ids"] == [digest]
    assert renamed({"ids": ["a", "c"], "word": "c"}, {"c": digest}) == {"ids": ["a", digest], "word": "c"}
    assert renamed(said, {"a": digest}) == said, "the context's items name it, the payload does not"
    assert digest != id_digest("c", ("default", "project", "public"))


def test_the_figures_are_those_of_all_candidates() -> None:
    payload = of_activation(ranked(), Retrieval(), policy_version="1.0.0", candidates=(48, 96))
    assert (payload["alpha"], payload["k_txt"], payload["k_vec"], payload["k_final"]) == (0.65, 48, 96, 12)
    values = [0.95, 0.9, 0.0]
    assert payload["figures"]["s_vec"]["avg"] == pytest.approx(sum(values) / 3)
    assert payload["figures"]["s_vec"]["p50"] == 0.9
    assert set(payload["figures"]) == {"s_text", "s_vec", "S", "g", "score_final"}


def test_an_event_holds_no_text() -> None:
    for payload in ({"text": "tea"}, {"a": {"query": "tea"}}, {"note": "x" * 300}):
        with pytest.raises(InvalidArgument, match="event search"):
            checked("search", payload)
    with pytest.raises(InvalidArgument, match="did you mean 'search'"):
        checked("serch", {})
    said = checked("policy", {"approver": "ann@example.com", "id": "1700000000"})
    assert said == {"approver": "[email]", "id": "1700000000"}


def test_fallbacks_are_counted_against_searches() -> None:
    assert EventLog().fallback_share() == 0.0
    topics = ["search", "search", "search", "search_fallback", "search"]
    log = EventLog(Event(number, NOW, topic) for number, topic in enumerate(topics, 1))
    assert log.fallback_share() == 0.25 and len(log) == 5 and log.events == tuple(log)


@given(st.floats(-5.0, 5.0), st.floats(0.0, 1.0), st.lists(st.sampled_from(list(oracle.SIGNALS)), max_size=30))
def test_signals_add_up_as_the_table_says(utility, confidence, signals):
    standing = Standing(utility, confidence)
    for signal in signals:
        standing = after(standing, signal)
    assert (standing.utility, standing.confidence) == oracle.after(utility, confidence, signals)
    assert 0.0 <= standing.confidence <= 1.0


def test_the_same_signal_within_a_minute_is_one() -> None:
    first = Feedback.given("a", "helpful", at=120.0, score=0.5, active_context_id="ac_1")
    assert first.id.startswith("fb_") and Feedback.given("a", "helpful", at=179.9).id == first.id
    others = [("a", "harmful", 130.0), ("b", "helpful", 130.0), ("a", "helpful", 180.0)]
    assert len({first.id, *(Feedback.given(id, signal, at=at).id for id, signal, at in others)}) == 4
    for bad in ({"score": 1.5}, {"score": True}, {"signal": "great"}):
        with pytest.raises(InvalidArgument):
            Feedback.given("a", **{"signal": "helpful", "at": 0.0, **bad})


def record(id: str, text: str = "tea", **fields) -> Record:
    return Record(text=text, id=id, **{"tenant": "t", "scope": "project", "boundary_class": "internal", **fields})


def test_who_is_repeated() -> None:
    one = record("a", "Tea  is\nready", created_at=5.0)
    same, older = record("b", "Tea is ready"), record("c", " Tea is ready", created_at=1.0)
    other, elsewhere = record("d", "rice"), record("e", "Tea is ready", scope="session")
    assert representative(one, [one, same, older, elsewhere], now=9) == older, "the same text, the oldest"
    assert representative(one, [other], duplicate_of="d", now=9) == other
    assert representative(one, [other], similarities={"d": 0.95}, now=9) == other
    assert representative(one, [other], similarities={"d": 0.949}, now=9) is None
    assert representative(one, [replace(other, boundary_class="pii")], similarities={"d": 1.0}, now=9) is None
    assert representative(one, [replace(same, superseded_by="x")], now=9) is None, "superseded"
    states = [{"user_id": "u"}, {"session_id": "s"}, {"kind": "turn"}, {"kind": SUMMARY}, {"archived_by": "x"},
              {"expires_at": 9}, {"valid_to": 9}, {"valid_from": 9.5}]  # fmt: skip
    for state in states:
        assert representative(one, [replace(same, **state)], now=9) is None, state
        assert representative(one, [replace(other, **state)], similarities={"d": 1.0}, now=9) is None, state
        if not state.keys() & {"session_id", "kind"}:  # these somebody may name
            with pytest.raises(InvalidArgument, match="its user"):
                representative(one, [replace(other, **state)], duplicate_of="d", now=9)
    with pytest.raises(InvalidArgument, match="scope"):
        representative(one, [elsewhere], duplicate_of="e", now=9)


@given(st.sampled_from(CLASSES), st.sampled_from(CLASSES), st.floats(-3.0, 3.0))
def test_a_merging_loses_nothing_and_relaxes_no_class(one, other, utility):
    duplicate = record("a", boundary_class=one, entities=("e", "f"), links=("x",), source_ids=("s",), utility=utility,
                       provenance={"evidence": ["1"]})  # fmt: skip
    into = record("b", boundary_class=other, entities=("f", "g"), provenance={"evidence": ["2"], "at": "now"})
    both = merged(duplicate, into)
    for before in (duplicate, into):
        assert CLASSES.index(both.kept.boundary_class) >= CLASSES.index(before.boundary_class)
        assert set(before.entities) <= set(both.kept.entities)
    assert both.kept.links == ("x",) and both.kept.source_ids == ("s",)
    assert both.kept.provenance == {"at": "now", "evidence": ["2", "1"]}
    assert (both.superseded.superseded_by, both.superseded.utility) == ("b", utility / 2.0)
    assert both.superseded.boundary_class == both.kept.boundary_class and both.kept.text == into.text


def test_nothing_is_merged_across_scopes_or_users() -> None:
    for into in (record("b", scope="principle"), record("b", tenant="u"), record("a"), record("b", user_id="ann")):
        with pytest.raises(InvalidArgument, match="one tenant and scope"):
            merged(record("a"), into)


SUM_OF_EXPONENTS = 1e-12
"""Relative: a time that is cut in two is two exponentials, whose product differs in the last bits."""


@given(st.floats(-5.0, 5.0), st.floats(0.0, 1.0), st.lists(st.floats(0.0, 400.0), max_size=6))
def test_many_runs_of_the_critic_are_one(utility, quality, days):
    anchor = start = Anchored(utility, quality, 0.0)
    for day in sorted(days):
        anchor = anchor.run(day * DAY)
        assert anchor.run(anchor.decayed_at) == anchor, "the same run again"
    end = 500.0 * DAY
    assert anchor.utility_at(end) == pytest.approx(start.utility_at(end), rel=SUM_OF_EXPONENTS, abs=1e-300)
    assert anchor.quality_at(end) == pytest.approx(start.quality_at(end), rel=SUM_OF_EXPONENTS, abs=1e-300)


def test_utility_has_no_bounds_in_a_record() -> None:
    assert Record(text="tea", utility=-2.5).utility == -2.5 and Record(text="tea", utility=7).utility == 7
    with pytest.raises(InvalidArgument, match="finite"):
        Record(text="tea", utility=float("nan"))
    with pytest.raises(InvalidArgument, match="confidence"):
        Record(text="tea", confidence=1.5)


def test_an_observation_is_hidden_unless_told_otherwise_and_a_secret_always() -> None:
    redactor = Redactor()
    kept = observed("tool", "mail x@example.com", now=NOW, redactor=redactor, tags=["t"], ttl_days=90)
    assert kept.content == "mail [email]" and kept.expires_at == NOW + 90 * DAY and kept.id.startswith("obs_")
    assert observed("tool", "x@example.com", now=NOW, redactor=redactor, mode="raw").content == "x@example.com"
    assert observed("tool", "x", now=NOW, redactor=redactor, mode="digest_only").content is None
    for mode in ("raw", "redact", "digest_only"):
        secret = observed(
            "tool", "AKIAABCDEFGHIJKLMNOP", now=NOW, redactor=redactor, mode=mode, boundary_class="public"
        )
        assert secret.content is None and secret.boundary_class == "secret" and secret.content_length == 20
    for bad in ({"ttl_days": 91}, {"ttl_days": 0}, {"mode": "all"}, {"boundary_class": "top"}):
        with pytest.raises(InvalidArgument):
            observed("tool", "x", now=NOW, redactor=redactor, **bad)
    with pytest.raises(LimitExceeded):
        observed("tool", "é" * 32_769, now=NOW, redactor=redactor)


def test_a_log_shows_how_many_events_it_has_and_of_what() -> None:
    log = EventLog(Event(number, NOW, topic) for number, topic in enumerate(("search", "activate", "search"), 1))
    assert repr(log) == "EventLog(3 events: activate, search)" and repr(EventLog()) == "EventLog(0 events)"


def test_a_duplicate_changes_no_worth_by_itself() -> None:
    assert after(Standing(0.25, 0.5), "duplicate") == Standing(0.25, 0.5)


def test_an_event_names_the_parameters_that_the_form_of_a_question_chose() -> None:
    how: dict[str, Any] = {"policy_version": None, "candidates": (48, 96)}
    assert of_activation(ranked(), Retrieval(), chosen=("alpha", "k_txt"), **how)["chosen"] == ["alpha", "k_txt"]
    assert "chosen" not in of_activation(ranked(), Retrieval(), **how)
