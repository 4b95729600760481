"""A memory under a policy: what comes in, what is seen, who may change it, and what other handles make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary.policy import DEFAULT
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    BoundaryViolation,
    InvalidArgument,
    InvalidPolicy,
    PolicyConflict,
    PolicyMissing,
    RecordNotFound,
)
from byheart.memory.governed import PolicyOptions

KEY = "sk-abcdefghijklmnop"
CONTACT = PolicyOptions(allow=("answer:task", "tool:contact-lookup"))


def policy(version: str = "0.2.0", **changes: Any) -> dict[str, Any]:
    return {**DEFAULT, "version": version, **changes}


def opened(allow: Mapping[str, list[str]], version: str = "1.0.0") -> dict[str, Any]:
    return policy(version, boundary_classes={name: {"allow": tags} for name, tags in allow.items()})


# ---- writing


@pytest.mark.parametrize("path", [None, "memory.db", "memory.jsonl"])
def test_texts_are_hidden_before_they_are_stored(path: str | None, tmp_path: Path) -> None:
    where = None if path is None else tmp_path / path
    memory = Memory(where, policy="default", embedder=HashingEmbedder(16) if path != "memory.jsonl" else None)
    fields = {
        "text": "Ask ann@example.com.", "topic": "bob@example.com", "entities": ["c@example.com", "Ann"],
        "metadata": {"from": "d@example.com", "list": [{"e@example.com": 1}]}, "provenance": {"by": "f@example.com"},
    }  # fmt: skip
    id = memory.remember(fields)
    memory.remember_many([{"id": "many", "text": "g@example.com is here"}])
    memory.update("many", text="h@example.com has moved")
    turn = memory.ingest_turn("I am i@example.com, and prefer the window seat.", session_id="s", user_id="u")
    assert turn.id is not None
    record = memory.get(id)
    assert (record.text, record.topic, record.entities) == ("Ask [email].", "[email]", ("[email]", "Ann"))
    assert record.metadata == {"from": "[email]", "list": [{"[email]": 1}]}
    memory.close()
    if where is not None:
        left = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
        assert b"example.com" not in left and b"[email]" in left


@pytest.mark.parametrize(
    "fields",
    [{"text": f"The key is {KEY}."}, {"text": "tea is hot", "metadata": {"password": "swordfish"}},
     {"text": "tea is hot", "provenance": {"note": KEY}}],
)  # fmt: skip
def test_what_holds_a_secret_is_refused_by_every_verb_that_writes(fields: dict[str, Any], tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", policy="default")
    memory.remember("A kettle.", id="a")
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        memory.remember(fields)
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        memory.remember_many([{"id": "b", "text": "x"}, fields])
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        memory.update("a", **fields)
    if "KEY" in fields["text"]:
        with pytest.raises(BoundaryViolation, match="holds a secret"):
            memory.upsert(fields["text"], provenance={"at": 0}, boundary_class="internal")
    with pytest.raises(BoundaryViolation):
        memory.ingest_turn(f"my key: {KEY}", session_id="s")
    assert [record.id for record in memory.records()] == ["a"] and memory.get("a").text == "A kettle."


@pytest.mark.parametrize("verb", ["remember", "upsert", "ingest_turn"])
def test_a_secret_class_is_refused(verb: str) -> None:
    memory = Memory(policy="default", policy_options=CONTACT)
    given: dict[str, dict[str, Any]] = {"upsert": {"provenance": {"at": 0}}, "ingest_turn": {"session_id": "s"}}
    with pytest.raises(BoundaryViolation):
        getattr(memory, verb)("the code of the safe", boundary_class="secret", **given.get(verb, {}))
    assert memory.records() == []


def test_a_secret_class_is_refused_by_a_policy_that_opens_it_too() -> None:
    memory = Memory(policy=opened({"secret": ["*"], "internal": ["*"]}))
    memory.remember("the kettle leaks", id="a")
    refused = "boundary_class: 'secret' is not remembered under a policy; nothing was"
    for id in ("a", "b"):
        with pytest.raises(BoundaryViolation, match=refused):
            memory.remember("the code of the safe", id=id, boundary_class="secret")
    with pytest.raises(BoundaryViolation, match=refused):
        memory.update("a", boundary_class="secret")
    assert [(record.id, record.boundary_class, record.text) for record in memory.records()] == [
        ("a", "internal", "the kettle leaks")
    ]


def test_a_scope_says_how_long_its_records_live() -> None:
    memory = Memory(policy="default", noise=None)
    ids = [memory.remember(f"in {scope}", scope=scope, created_at=0) for scope in ("session", "project", "principle")]
    assert [memory.get(id).expires_at for id in ids] == [7 * 86_400.0, 120 * 86_400.0, None]
    own = memory.remember("with an end of its own", expires_at=5, created_at=0)
    assert memory.get(own).expires_at == 5
    with pytest.raises(BoundaryViolation):
        memory.remember("elsewhere", scope="attic")


# ---- reading


def test_records_from_before_the_policy_are_seen_through_it(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with Memory(file, embedder=HashingEmbedder(16)) as before:
        before.remember("The kettle is ann@example.com's.", id="old", metadata={"token": "swordfish"})
        before.remember("The boat is nobody's.", id="plain")
    embedded: list[str] = []

    class Watching(HashingEmbedder):
        def embed_documents(self, texts: Any) -> Any:
            embedded.extend(texts)
            return super().embed_documents(texts)

    with Memory(file, policy="default", embedder=Watching(16)) as memory:
        assert memory.get("old").text == "The kettle is [email]'s." and memory.get("old").metadata == {
            "token": "[secret]"
        }
        assert memory.recall("kettle").hits[0].text == "The kettle is [email]'s."
        assert not memory.recall("example.com", profile="kb-fast").hits
        assert "[email]" in memory.context("the kettle", 100).text
        assert memory.export_to(tmp_path / "out.jsonl") == 2
        assert b"example.com" not in (tmp_path / "out.jsonl").read_bytes()
        assert memory.stats()["vectors"] == 1  # the other one was made of what is hidden
        memory.embed()
        assert embedded[-1] == "The kettle is [email]'s." and "example.com" not in str(embedded)
        assert memory.stats()["vectors"] == 2
        memory.update("old", topic="kitchen")
        assert memory.check() == []
    with Memory(file) as whole:
        assert whole.get("old").text == "The kettle is [email]'s.", "what is written again is written as it was seen"


def test_a_policy_narrows_what_is_seen_and_a_call_can_only_narrow_it_further() -> None:
    memory = Memory(policy="default", policy_options=CONTACT, noise=None, embedder=HashingEmbedder(64))
    memory.remember_many([
        {"id": name, "text": "the boat leaves at nine", "boundary_class": name}
        for name in ("public", "internal", "pii")
    ])  # fmt: skip
    ids = {record.id for record in memory.records()}
    assert ids == {"public", "internal", "pii"} and memory.tenants() == ["default"]

    def found(**options: Any) -> set[str]:
        return {item.claim_id for item in memory.search("boat leaves", **options)} | {
            item.claim_id for item in memory.activate("boat leaves", **options)
        }

    assert found() == {"internal"}, "they say the same, so that one stays"
    assert found(allow=["anything"]) == {"public"} and found(allow=[]) == set()
    assert found(allow=["*"]) == {"public"}, "a wildcard counts in a policy alone"
    memory.forget("internal")
    assert found(allow=["tool:contact-lookup"]) == {"pii"} and found(allow=["answer:task"]) == {"public"}
    memory.remember("the boat leaves at nine", id="internal")
    assert found(scope=["session"]) == set() and found(scope=["project", "session"]) == {"internal"}
    with pytest.raises(InvalidArgument, match="attic"):
        memory.search("boat", scope=["attic"])
    with pytest.raises(BoundaryViolation):
        memory.search("boat", boundary={"classes": ["secret"]})
    with pytest.raises(BoundaryViolation):
        memory.recall("boat", boundary={"tenant": "bob"})
    usual = Memory(store=memory._engine.store._store, policy="stored")  # type: ignore[attr-defined]
    assert {record.id for record in usual.records()} == {"internal", "public"}
    with pytest.raises(RecordNotFound):
        usual.get("pii")


def test_an_invariant_that_does_not_hold_closes_its_scopes() -> None:
    rules = [{"name": "inside", "applies_to": ["project"], "rule": "network.egress == 'none'"}]
    for egress, seen in (("none", 1), ("all", 0)):
        options = PolicyOptions(values={"network.egress": egress})
        memory = Memory(
            policy=policy(invariants=rules), policy_options=options, noise=None, embedder=HashingEmbedder(64)
        )
        if seen:
            memory.remember("tea is hot")
        assert len(memory.search("tea")) == seen and len(memory.records()) == seen
    with pytest.raises(BoundaryViolation):
        memory.remember("tea is hot")


def test_owner_verbs_are_bounded_by_the_policy(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with Memory(file) as whole:
        whole.remember_many([
            {"id": "mine", "text": "tea", "expires_at": 5},
            {"id": "pii", "text": "tea", "boundary_class": "pii", "expires_at": 5},
            {"id": "bob", "text": "tea", "tenant": "bob", "expires_at": 5},
        ])  # fmt: skip
    with Memory(file, policy="default") as memory:
        assert memory.tenants() == ["default"] and memory.purge(now=10).ids == ("mine",)
        assert memory.export_to(tmp_path / "out.jsonl") == 0
    with Memory(file) as whole:
        assert {record.id for record in whole.records(boundary={"classes": ["pii", "internal"]})} == {"pii"}
        assert whole.tenants() == ["bob", "default"]


# ---- one policy after another


def test_the_policy_of_the_store_is_followed_by_every_handle(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    one = Memory(file, policy=opened({"internal": ["answer:task"]}), noise=None)
    other = Memory(file, policy="stored", noise=None)
    other.remember("Call 555-123-4567 for tea.", id="a")
    assert one.get("a").text == "Call [phone] for tea."
    narrower = policy("2.0.0", boundary_classes={"internal": {"allow": ["tool:*"]}})
    done = one.apply_policy(narrower, expected_version="1.0.0", approver="ada")
    assert done.in_force and done.previous == "1.0.0"
    assert other.policy is not None and str(other.policy.version) == "2.0.0"
    assert other.records() == [] and not other.recall("tea").hits and not other.search("tea").items
    with pytest.raises(BoundaryViolation):
        other.remember("more tea")
    assert [event.payload["version"] for event in other.events("policy")] == ["2.0.0"]
    one.apply_policy(opened({"internal": ["answer:task"]}, "3.0.0"))
    assert [record.id for record in other.records()] == ["a"]


def test_a_policy_that_hides_more_is_in_every_index_at_once(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    rules = {"default": {"rules": [{"name": "phone"}]}}
    memory = Memory(file, policy=policy("1.0.0", redact_policies=rules), noise=None)
    memory.remember("Mail ann@example.com or call 555-123-4567.", id="a")
    assert memory.recall("ann@example.com", profile="kb-fast").hits
    memory.apply_policy(policy("1.1.0", redact_policies={"default": {"rules": [{"name": "phone"}, {"name": "email"}]}}))
    left = b"".join(bytes(payload) for _, payload in memory._engine.indexes["default"].sections())
    assert b"example.com" not in left and b"email" in left
    assert memory.recall("ann@example.com", profile="kb-fast").receipt.query == "[email]"
    assert memory.get("a").text == "Mail [email] or call [phone]." and memory.check() == []


@pytest.mark.parametrize("open_already", [False, True])
def test_indexes_that_were_saved_without_the_policy_do_not_stay(
    open_already: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byheart.index.saving.MIN_CHANGES", 1)
    place, folder = tmp_path / "memory.db", tmp_path / "memory.db.byheart-indexes"

    def saved() -> bytes:
        return b"".join(path.read_bytes() for path in folder.glob("*.bhgen"))

    with Memory(place, policy="stored" if open_already else None) as memory:
        memory.remember_many([f"Ask ann{number}@orchard.example about it." for number in range(5)])
    assert b"orchard" in saved()
    if open_already:
        with Memory(place, policy="stored") as memory, Memory(place, policy="stored") as other:
            other.apply_policy(policy("1.0.0"))
            assert "orchard" not in memory.records()[0].text and b"orchard" not in saved()
    with Memory(place, policy="default" if not open_already else "stored") as memory:
        assert b"orchard" not in saved()
        memory.remember("One more.")
    files = list(folder.glob("*.bhgen"))
    assert len(files) == 1 and b"orchard" not in saved()
    with Memory(place, policy="stored", embedder=HashingEmbedder(16)):
        assert files[0].exists(), "of another embedder, and the same policy"


def test_versions_are_kept_to(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    memory = Memory(file, policy=opened({"internal": ["answer:task"]}))
    with pytest.raises(PolicyConflict, match=r"expected version 0\.9\.0"):
        memory.apply_policy(policy("2.0.0"), expected_version="0.9.0")
    with pytest.raises(InvalidPolicy, match="higher major version"):
        memory.apply_policy(opened({"internal": ["*"]}, "1.1.0"))
    for how in ({"dry_run": True}, {"validate_only": True}):
        assert not memory.apply_policy(policy("2.0.0"), **how).in_force
    assert memory.policy is not None and str(memory.policy.version) == "1.0.0" and not memory.events("policy")
    with pytest.raises(InvalidPolicy, match=r"below 1\.0\.0"):
        Memory(file, policy=policy("0.9.0"))
    with pytest.raises(PolicyConflict, match="another content"):
        Memory(file, policy=opened({"internal": ["tool:*"]}))
    assert Memory(file, policy=opened({"internal": ["answer:task"]})).policy == memory.policy


def test_a_policy_that_comes_amid_a_write_stops_it(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    memory = Memory(file, policy=opened({"internal": ["answer:task"]}), noise=None)

    class Interrupting(HashingEmbedder):
        def embed_documents(self, texts: Any) -> Any:
            with Memory(file, policy="stored") as other:
                other.apply_policy(policy("2.0.0", boundary_classes={"public": {"allow": ["*"]}}))
            return super().embed_documents(texts)

    memory.close()
    memory = Memory(file, policy="stored", embedder=Interrupting(16), noise=None)
    with pytest.raises(PolicyConflict, match="call again"):
        memory.remember("tea")
    with pytest.raises(BoundaryViolation):
        memory.remember("tea")
    with Memory(file) as whole:
        assert whole.records() == []


def test_signatures_are_checked_at_every_opening(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    right = PolicyOptions(verify=lambda digest, signature, approver: signature == f"{approver}:{digest[:8]}")
    with pytest.raises(InvalidPolicy, match="signature"):
        Memory(file, policy="default", policy_options=right)
    with Memory(file, policy="default"):
        pass
    with pytest.raises(InvalidPolicy, match="signature"):
        Memory(file, policy="stored", policy_options=right)


# ---- without one, and others


def test_without_a_policy_nothing_is_hidden_and_every_text_is_denied() -> None:
    memory = Memory()
    assert memory.policy is None and not memory.validate("tea").allowed
    assert memory.get(memory.remember("ann@example.com has tea")).text == "ann@example.com has tea"
    with pytest.raises(PolicyMissing):
        memory.search("tea", allow=["answer:task"])
    with pytest.raises(PolicyMissing):
        memory.apply_policy("default")
    waiting = Memory(policy="stored")
    with pytest.raises(PolicyMissing):
        waiting.search("tea")
    waiting.apply_policy("default")
    assert waiting.search("tea").policy_version == "0.1.0"


def test_a_memory_that_is_only_read_goes_by_the_policy_and_writes_none(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with Memory(file, embedder=HashingEmbedder(64)) as whole:
        whole.remember("Ann makes tea for ann@example.com.", id="a")
        whole.remember("The boat leaves at nine.", id="b")
    with Memory(file, read_only=True, policy="default", embedder=HashingEmbedder(64)) as memory:
        assert memory.get("a").text == "Ann makes tea for [email]."
        found = memory.search("who makes tea?")
        assert "a" in found.below and found.degraded[0].startswith("dense: 1 of 2 records have no vector")
        assert not memory.events()
    with Memory(file, policy="stored") as memory:
        assert memory.policy is None


def test_a_policy_is_one_tenants_own(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with Memory(file, policy="default", tenant="ann"), Memory(file, policy="stored", tenant="bob") as bob:
        assert bob.policy is None


def test_nobody_names_the_tenant_of_the_journal() -> None:
    with pytest.raises(InvalidArgument, match="byheart:journal"):
        Memory(tenant="byheart:journal")
    memory = Memory(policy="default")
    memory.search("tea")
    with pytest.raises(InvalidArgument):
        Memory().remember("tea", tenant="byheart:journal")
    with pytest.raises(InvalidArgument):
        Memory(store=memory._engine.store._store).records(boundary={"tenant": "byheart:journal"})  # type: ignore[attr-defined]
    assert Memory(store=memory._engine.store._store).tenants() == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "given", ["{}", "version: [", {"version": "1"}, {"version": "1.0.0", "boundary_classes": {"x": {}}}]
)
def test_a_policy_that_is_none_is_refused_at_opening_and_leaves_nothing(given: Any, tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with pytest.raises((InvalidPolicy, InvalidArgument)):
        Memory(file, policy=given)
    with Memory(file) as whole:
        assert list(whole._engine.store.load()) == []


@pytest.mark.parametrize(("word", "told"), [("defualt", "did you mean 'default'"), ("policy.yaml", "pathlib.Path")])
def test_a_word_that_is_no_policy_is_told_as_that(word: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match=told):
        Memory(policy=word)
    file = tmp_path / "policy.json"
    file.write_text(json.dumps(policy()), encoding="utf-8")
    assert str(Memory(policy=file).policy) == str(Memory(policy=policy()).policy)
    with pytest.raises(InvalidPolicy, match="cannot be read"):
        Memory(policy=tmp_path / "missing.json")


def test_a_detector_that_there_is_none_of_is_told_at_opening() -> None:
    wanted = policy(boundary_classes={"internal": {"allow": ["*"], "redact": ["shoe_size"]}})
    with pytest.raises(InvalidPolicy, match="shoe_size"):
        Memory(policy=wanted)
    own = PolicyOptions(
        detectors={"shoe_size": lambda text: [(i, i + 2) for i in range(len(text)) if text[i : i + 2] == "44"]}
    )
    memory = Memory(policy=wanted, policy_options=own)
    assert memory.get(memory.remember("Ann wears 44.")).text == "Ann wears [shoe_size]."


def test_a_term_that_is_hidden_whole_is_not_asked_for() -> None:
    governed = Memory(policy="default")._engine.governed
    assert governed.asked(["ann@example.com", "tea", ""]) == ["tea", ""], "what was empty is refused where it is read"
    assert governed.asked("mail ann@example.com") == "mail"


def test_a_search_goes_by_the_numbers_of_the_policy_that_came_last() -> None:
    def held(alpha: float, version: str) -> dict[str, Any]:
        return policy(version, retrieval={"hybrid": {"alpha": alpha}})

    def scores(memory: Memory) -> list[float]:
        return [item.score for item in memory.search("green tea", now=9)]

    told = [{"id": str(n), "text": f"Green tea number {n} is for Ann.", "created_at": 1} for n in range(6)]
    found: dict[str, list[float]] = {}
    for name, alphas in (("both", (0.3, 0.9)), ("old", (0.3,)), ("new", (0.9,))):
        memory = Memory(embedder=HashingEmbedder(64), policy=held(alphas[0], "1.0.0"))
        memory.remember_many(told)
        for number, alpha in enumerate(alphas, 1):
            memory.apply_policy(held(alpha, f"{number}.0.0"))
            found[name] = scores(memory)
    assert found["both"] == found["new"] != found["old"]
