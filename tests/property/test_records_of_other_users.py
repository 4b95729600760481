"""Recalls for one user: nothing of another user's records is in an answer, its explanation, its trace, its receipt."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary import Boundary
from byheart.embedding import HashingEmbedder
from byheart.profiles import NAMES
from byheart.storage.in_process import InProcessStore

RELATIONS = ("uses", "provides", "depends_on", "part_of", "has_capability", "instance_of", "causes")
SHARED = ("Loom", "Quark", "Sandbox", "Kettle", "Ledger", "Harbour")


def filled(chance: random.Random) -> Memory:
    """Return a memory of facts of two users and of nobody; ids, words and names of bob's own begin with "bob"."""
    memory = Memory(noise=None, embedder=chance.choice((None, HashingEmbedder(16))))
    for number in range(chance.randrange(6, 40)):
        user = chance.choice(("ann", "bob", None))
        names = (*SHARED, *(f"{user or 'all'}{each}" for each in range(3)))
        one, other = chance.sample(names, 2)
        relation = chance.choice(RELATIONS)
        fact: dict[str, Any] = {"subject": one, "relation": relation, "object": other}
        more = fact if chance.random() < 0.8 else {}
        name = f"{user or 'all'}-{number}"
        said = f"{one} {relation} {other} {name}word."
        memory.remember(said, id=name, user_id=user, confidence=chance.choice((1.0, 0.9, 0.7)), **more)
    return memory


@pytest.mark.parametrize("profile", NAMES)
def test_no_answer_for_one_user_holds_anything_of_anothers_records(profile: str) -> None:
    looked = 0
    for seed in range(25):
        chance = random.Random(seed)
        memory = filled(chance)
        query = " ".join(chance.sample((*SHARED, *RELATIONS, "bob0", "bob1"), 4))
        answer = memory.recall(query, profile=profile, user_id="ann", explain=True, k=chance.choice((1, 5, 20)))
        told = [json.dumps(answer.to_dict()), str(answer), str(answer.table), repr(answer), repr(answer.trace)]
        told += [str(hit.explanation) for hit in answer.hits]
        explained = memory.records(where={"user_id": "ann"})[:3]
        told += [str(memory.explain(query, each.id or "", profile=profile, user_id="ann")) for each in explained]
        for each in told:
            assert "bob" not in each.replace(query, "")
        looked += len(answer.hits)
    assert looked, "something was found"


def test_a_proof_that_rests_on_what_the_call_leaves_out_is_not_told() -> None:
    memory = Memory(noise=None)
    memory.remember("Quark uses Loom.", id="ann-1", subject="Quark", relation="uses", object="Loom", user_id="ann")
    memory.remember(
        "Loom provides secrets.", id="bob-1", subject="Loom", relation="provides", object="secrets", user_id="bob"
    )
    asked: dict[str, Any] = {"profile": "kb-thinkingdb", "explain": True}
    whole = memory.recall("Quark", **asked)
    assert "Quark has_capability secrets" in str(whole.to_dict())
    for filter in ({"user_id": "ann"}, {"where": {"user_id": "ann"}}, {"exclude": ["bob-1"]}):
        answer = memory.recall("Quark", **asked, **filter)
        assert [hit.id for hit in answer.hits] == ["ann-1"]
        assert {hit.id: hit.score for hit in whole.hits}["ann-1"] == answer.hits[0].score
        assert answer.trace is not None
        told = str(answer.trace) + str(answer.hits[0].explanation)
        assert "secrets" not in told
        assert "bob-1" not in told
        assert "rests on a record that the call leaves out" in told


def test_of_those_who_state_a_fact_only_what_may_be_found_is_named() -> None:
    memory = Memory(noise=None)
    for name, user in (("ann-1", "ann"), ("bob-1", "bob"), ("bob-2", "bob"), ("all-1", None)):
        memory.remember(
            f"Quark uses Loom, says {name}.", id=name, subject="Quark", relation="uses", object="Loom", user_id=user
        )
    answer = memory.recall("Quark Loom", profile="kb-thinkingdb", user_id="ann", explain=True)
    assert answer.trace is not None
    assert [step.text for step in answer.trace.proofs] == ["Quark uses Loom   stated by all-1, ann-1"]


def test_a_record_of_the_same_id_elsewhere_is_another_one() -> None:
    store = InProcessStore()
    for kept, user, thing in (("secret", "bob", "Secrets"), ("internal", "ann", "Loom")):
        handle = Memory(store=store, boundary=Boundary(classes=[kept]), noise=None)
        handle.remember(
            f"Quark uses {thing}.", id="x", boundary_class=kept, user_id=user,
            subject="Quark", relation="uses", object=thing,
        )  # fmt: skip
    memory = Memory(store=store, boundary=Boundary(classes=["internal", "secret"]), noise=None)
    whole = memory.recall("Quark", profile="kb-thinkingdb", explain=True)
    answer = memory.recall("Quark", profile="kb-thinkingdb", user_id="ann", explain=True)
    assert whole.trace is not None
    assert answer.trace is not None
    assert {step.text for step in whole.trace.proofs} == {
        "Quark uses Loom   stated by x", "Quark uses Secrets   stated by x"
    }  # fmt: skip
    assert [step.text for step in answer.trace.proofs] == ["Quark uses Loom   stated by x"]
