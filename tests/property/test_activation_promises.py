"""The promises of activation, whatever is stored and asked: where its answers lie, what they score, what they say."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory
from byheart.activation import SIGNALS
from byheart.boundary.policy import DEFAULT, DEFAULT_POLICY, Enforcer
from byheart.embedding import HashingEmbedder
from byheart.memory.governed import PolicyOptions
from byheart.records import Record
from byheart.storage import InProcessStore, key_of
from byheart.validation import CLASSES

from ..counts import examples

NOW = 1_000_000_000.0
WORDS = ["tea", "rice", "soup", "kettle", "boat", "green", "the", "Ann"]
SCOPES = ["session", "project", "principle"]
TAGS = ["answer:task", "tool:contact-lookup", "tool:search", "*", "nothing"]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
records = st.lists(
    st.fixed_dictionaries(
        {
            "text": texts, "scope": st.sampled_from(SCOPES), "boundary_class": st.sampled_from(CLASSES),
            "created_at": st.floats(NOW - 4e7, NOW + 1e6), "confidence": st.none() | st.floats(0.0, 1.0),
            "utility": st.none() | st.floats(-5.0, 5.0), "kind": st.sampled_from([None, "fact", "task", "turn"]),
            "entities": st.lists(st.sampled_from(WORDS), max_size=2, unique=True),
        }
    ),
    max_size=24,
)  # fmt: skip
asked = st.fixed_dictionaries(
    {"query": texts},
    optional={"k": st.integers(1, 50), "scope": st.lists(st.sampled_from(SCOPES), unique=True),
              "allow": st.lists(st.sampled_from(TAGS), unique=True)},
)  # fmt: skip


def opened(given: list[dict[str, Any]], allow: list[str], **policy: Any) -> Memory:
    """Return a memory under a policy over records that were stored before it: also secret ones."""
    store = InProcessStore()
    whole = Memory(store=store, embedder=HashingEmbedder(32))
    whole.remember_many([{**each, "id": f"r{number}"} for number, each in enumerate(given)])
    return Memory(
        store=store, embedder=HashingEmbedder(32), policy={**DEFAULT, **policy},
        policy_options=PolicyOptions(allow=tuple(allow)),
    )  # fmt: skip


@settings(max_examples=examples(300))
@given(records, asked, st.lists(st.sampled_from(TAGS), unique=True))
def test_every_answer_lies_inside_scores_enough_and_says_under_which_policy(
    given: list[dict[str, Any]], question: dict[str, Any], own: list[str]
) -> None:
    memory = opened(given, own)
    found, context = memory.search(**question, now=NOW), memory.activate(**question, now=NOW)
    tags = question.get("allow", own)
    classes = {*DEFAULT_POLICY.allowed_classes(tags)} & {*DEFAULT_POLICY.allowed_classes(own)}
    scopes = question.get("scope", SCOPES)
    assert all(record.boundary_class in classes and record.scope in scopes for record in found.records)
    assert "secret" not in classes
    assert all(item.score >= 0.15 for item in found)
    assert found.policy_version == context.policy_version == "0.1.0"
    assert found.items == context.items, "activating and searching are one path"
    assert len({" ".join(record.text.lower().split()) for record in found.records}) == len(found)
    assert len(found) <= question.get("k", 12)


@settings(max_examples=examples(150))
@given(records, texts)
def test_without_diversity_the_order_is_that_of_the_scores(given: list[dict[str, Any]], query: str) -> None:
    plain = {"diversity": {"lambda": 1.0, "entity_cap": 4_096}}
    found = opened(given, ["answer:task"], retrieval=plain).search(query, 50, now=NOW)
    order = [
        (-item.score, -(record.created_at or 0.0), record.id) for item, record in zip(found, found.records, strict=True)
    ]
    assert order == sorted(order)


@settings(max_examples=examples(150))
@given(records, asked)
def test_equal_requests_at_the_same_time_give_the_same_bytes(
    given: list[dict[str, Any]], question: dict[str, Any]
) -> None:
    told = []
    for _ in range(2):
        memory = opened(given, ["answer:task"])
        context = memory.activate(**question, now=NOW)
        rows = sorted(
            row.canonical() for row in memory._engine.store.load() if row.kind in ("events", "active_contexts")
        )
        told.append(json.dumps([context.to_dict(), rows], sort_keys=True))
    assert told[0] == told[1]


@settings(max_examples=examples(150))
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from(SIGNALS), st.integers(0, 600)), max_size=12),
    st.lists(st.sampled_from(CLASSES[:3]), min_size=3, max_size=3),
)
def test_no_feedback_relaxes_a_class_or_leaves_the_bounds(said: list[tuple[str, str, int]], classes: list[str]) -> None:
    memory = Memory(boundary={"classes": list(CLASSES)}, embedder=HashingEmbedder(32))
    for id, name in zip("abc", classes, strict=True):
        memory.remember("Ann has green tea.", id=id, boundary_class=name, created_at=0)
    strictest = dict(zip("abc", map(CLASSES.index, classes), strict=True))
    for id, signal, minute in said:
        try:
            memory.feedback(id, signal, now=60.0 * minute)
        except ValueError:
            assert signal == "duplicate", "nothing is left that it could repeat"
        for record in memory.records():
            place = CLASSES.index(record.boundary_class or "")
            assert place >= strictest[record.id or ""] and 0.0 <= (record.confidence or 0.0) <= 1.0
            strictest[record.id or ""] = place
    assert {record.id for record in memory.records()} == {"a", "b", "c"}


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(texts, st.sampled_from(["", " ", "\n"]), st.sampled_from(CLASSES[:3])), max_size=10))
def test_equal_contents_of_a_cell_are_one_claim(claims: list[tuple[str, str, str]]) -> None:
    memory = Memory(noise=None)
    said = {
        (memory.upsert(gap + text, provenance={"at": 0}, boundary_class=name).id, text, name)
        for text, gap, name in claims
    }
    assert len({id for id, _, _ in said}) == len(said) == len({(text, name) for text, _, name in claims})
    assert memory.count(boundary={"classes": list(CLASSES)}) == len(said)


@settings(max_examples=examples(150))
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["a@b.co", "+81 90-1234-5678", "sk-abcdefghijkl", "tea", " "])).map("".join),
    st.sampled_from(CLASSES[:3]),
)
def test_what_was_cleaned_is_clean(text: str, name: str) -> None:
    enforcer = Enforcer(DEFAULT_POLICY)
    record = Record(text=text or "-", topic=text, metadata={"token": text, "list": [text]}, boundary_class=name,
                    id="a", tenant="t", scope="project")  # fmt: skip
    once = enforcer.clean(record)
    assert enforcer.clean(once) == once and key_of(once) == key_of(record)
