"""The tools `pce.*`: what they take and give, what a call cannot widen, and how each of them fails."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import jsonschema

import byheart
from byheart.boundary.policy import DEFAULT
from byheart.errors import BoundaryViolation, InvalidPolicy, StoreBusy
from byheart.mcp.cursors import Cursor, question_of
from byheart.mcp.dispatch import Dispatch, Outcome
from byheart.mcp.failures import STATUS
from byheart.mcp.rates import Limiter, Rate
from byheart.mcp.registry import Registry
from byheart.mcp.serving import Settings
from byheart.mcp.tool import PCE, Service
from byheart.mcp.tools import TOOLS
from byheart.memory.governed import PolicyOptions
from byheart.storage.in_process import InProcessStore

AT = {"at": "2026-01-01T00:00:00+00:00", "actor": "ann", "git": {"commit": "abcdef1", "files": ["tea.md"]}}
TEAS = [f"Ann drinks green tea from cup {number}." + " Tea again." * number for number in range(6)]
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
STRICTER = {**DEFAULT, "version": "0.2.0", "retrieval": {"hybrid": {"k_final": 5}}}
"""A policy that may follow the usual one."""


class Host:
    """Calls tools of a memory, and says at once if a call that should do well did not."""

    def __init__(self, memory: byheart.Memory, limiter: Limiter | None = None, **service: Any) -> None:
        self.memory = memory
        self.dispatch = Dispatch(Service(memory, **service), Registry.of(TOOLS, "all"), limiter)

    def outcome(self, name: str, **arguments: Any) -> Outcome:
        return self.dispatch(name, arguments, trace=TRACE)

    def __call__(self, name: str, **arguments: Any) -> Any:
        outcome = self.outcome(name, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.data["data"] if "trace_id" in outcome.data else outcome.data

    def error(self, name: str, **arguments: Any) -> Any:
        outcome = self.outcome(name, **arguments)
        assert outcome.is_error, outcome.data
        assert set(outcome.data) == {"error", "policy_version", "request_id", "trace_id"}
        assert set(outcome.data["error"]) == {"code", "message", "details"}
        assert outcome.data["trace_id"] == TRACE[3:35] and len(outcome.data["request_id"]) == 32
        return outcome.data["error"]

    def code(self, name: str, **arguments: Any) -> str:
        return str(self.error(name, **arguments)["code"])

    def upsert(self, text: str, **more: Any) -> str:
        return str(self("pce.memory.upsert", text=text, provenance=AT, **more)["id"])


@pytest.fixture
def host() -> Host:
    """A memory under the usual policy, with six claims."""
    made = Host(byheart.Memory(policy="default"))
    for text in TEAS:
        made.upsert(text, kind="fact")
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a claim in each of several cells, all of them about tea."""
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as owner:
        for scope in ("session", "project"):
            for boundary_class in ("public", "internal", "pii", "secret"):
                for number in range(3):
                    owner.remember(
                        f"Tea of {scope} and {boundary_class}, cup {number}." + " Tea." * number,
                        id=f"{scope}-{boundary_class}-{number}", scope=scope, boundary_class=boundary_class,
                    )  # fmt: skip
    return path


def found(host: Host, **arguments: Any) -> set[str]:
    """Return which cells the answers to a question come from; both tools have to agree."""
    items = host("pce.memory.search", query="tea", top_k=50, **arguments)["items"]
    claims = host("pce.memory.activate", q="tea", top_k=50, **arguments)["claims"]
    assert [item["id"] for item in items] == [item["id"] for item in claims]
    return {item["id"].rsplit("-", 1)[0] for item in items}


def policies_told(path: Path) -> list[tuple[str, str | None]]:
    """Return the versions that were applied by a call, with its id, as an owner of the file reads them in the log."""
    with byheart.Memory(path) as owner:
        return [(event.payload["version"], event.request_id) for event in owner.events("policy")]


# ---- what they take and give


TABLE: dict[str, tuple[str, str, float, int]] = {
    "pce.memory.activate": ("q", "scope allow top_k cursor include_meta", 15.0, 16),
    "pce.memory.search": ("query", "top_k scope allow cursor include_meta", 10.0, 32),
    "pce.memory.upsert": (
        "text provenance", "kind scope boundary_class entities relations content_hash", 10.0, 64,
    ),
    "pce.memory.feedback": ("claim_id signal", "score", 3.0, 4),
    "pce.boundary.validate": ("payload", "allow scope", 5.0, 32),
    "pce.policy.apply": ("yaml", "dry_run validate_only expected_version signature approver", 10.0, 128),
}  # fmt: skip


def test_arguments_times_and_sizes_are_those_of_the_table() -> None:
    tools = {tool.name: tool for tool in TOOLS if tool.group == PCE}
    assert set(tools) == {*TABLE, "pce.memory.observe"}
    for name, (required, optional, seconds, kilobytes) in TABLE.items():
        schema = tools[name].arguments
        assert schema["required"] == required.split(), name
        assert set(schema["properties"]) == {*required.split(), *optional.split()}, name
        assert (tools[name].seconds, tools[name].max_bytes, tools[name].envelope) == (seconds, kilobytes * 1_024, True)
    observe = tools["pce.memory.observe"].arguments
    assert observe["required"] == ["source_type", "content"]
    assert set(observe["properties"]) == {
        "source_type", "content", "source_id", "boundary_class", "actor", "tags", "provenance", "ttl_days",
    }  # fmt: skip
    top_k = tools["pce.memory.activate"].arguments["properties"]["top_k"]
    assert (top_k["minimum"], top_k["maximum"]) == (1, 50)
    provenance = tools["pce.memory.upsert"].arguments["properties"]["provenance"]
    assert provenance["required"] == ["at"]
    assert set(provenance["properties"]) == {"at", "actor", "git", "url", "note", "signed"}
    assert set(provenance["properties"]["git"]["properties"]) == {"commit", "repo", "url", "files"}
    assert provenance["properties"]["git"]["properties"]["commit"]["pattern"] == "^[0-9a-f]{7,40}$"


RIGHT: dict[str, dict[str, Any]] = {
    "pce.memory.activate": {"q": "green tea", "top_k": 2, "include_meta": True},
    "pce.memory.search": {"query": "green tea", "top_k": 2, "include_meta": True},
    "pce.memory.upsert": {"text": "Ben drinks black tea at noon.", "provenance": AT},
    "pce.memory.feedback": {"claim_id": "", "signal": "helpful", "score": -1},
    "pce.memory.observe": {"source_type": "chat", "content": "mail x@example.com", "provenance": AT, "tags": ["a"]},
    "pce.boundary.validate": {"payload": "mail x@example.com", "allow": ["tool:mail"], "scope": "project"},
    "pce.policy.apply": {"yaml": json.dumps(STRICTER), "approver": "ben"},
}


@pytest.mark.parametrize("name", RIGHT)
def test_an_answer_in_its_envelope(name: str, host: Host) -> None:
    tool = host.dispatch.registry.called[name]
    arguments = {**RIGHT[name]}
    if "claim_id" in arguments:
        arguments["claim_id"] = host.memory.search("tea").items[0].claim_id
    for spelling in tool.names:
        outcome = host.outcome(spelling, **arguments)
        assert not outcome.is_error, outcome.text
        assert set(outcome.data) == {"data", "policy_version", "request_id", "trace_id"}
        assert outcome.data["policy_version"] == outcome.data["data"]["policy_version"] == "0.1.0"
        assert len(outcome.data["request_id"]) == 32 and outcome.data["trace_id"] == TRACE[3:35]
        jsonschema.Draft202012Validator(dict(tool.result)).validate(outcome.data["data"])
        assert set(outcome.data["data"]) == set(tool.result["properties"]), "all that is listed is given"
    assert name in tool.names and name.replace(".", "_") in tool.names


def test_activate_says_what_the_memory_says(host: Host) -> None:
    outcome = host.outcome("pce.memory.activate", q="green tea", top_k=4, scope=["project"], allow=["answer:task"])
    data = outcome.data["data"]
    same = host.memory.search("green tea", 4, scope=["project"])
    assert data["claims_count"] == len(data["claims"]) == 4
    assert data["scoring_params"] == same.parameters()
    assert set(data["scoring_params"]) == {"alpha", "k_txt", "k_vec", "k_final", "rerank"}
    for claim, item, record in zip(data["claims"], same.items, same.records, strict=True):
        assert (claim["id"], claim["text"], claim["rank"]) == (item.claim_id, record.text, item.rank)
        assert abs(claim["score_final"] - item.score) < 1e-6, "moments lie between the two"
        assert claim["score"] == claim["score_final"] == pytest.approx(claim["features"]["S"] * claim["scores"]["g"])
        features, scores = claim["features"], claim["scores"]
        assert (scores["text"], scores["vector"], scores["combined"]) == (
            features["s_text"], features["s_vec"], features["S"],
        )  # fmt: skip
        assert set(features["g"]) == {"util", "conf", "rec"}
        assert claim["g_breakdown"] == {**features["g"], "g": scores["g"]}
        assert claim["reason"].startswith(f"FTS=rank:{item.rank}; recent=0d; util=0.50; conf=0.50")
        assert set(claim["claim"]) == {
            "id", "text", "kind", "scope", "boundary_class", "created_at", "updated_at",
        }  # fmt: skip
        assert (claim["claim"]["kind"], claim["claim"]["boundary_class"]) == ("fact", "internal")
    assert data["provenance"] == [{"claim_id": claim["id"], **AT} for claim in data["claims"]]
    context = host.memory.active_context(data["active_context_id"])
    assert [item.claim_id for item in context] == [claim["id"] for claim in data["claims"]]
    [event] = host.memory.events("activate")
    assert (event.request_id, event.trace_id) == (outcome.data["request_id"], outcome.data["trace_id"])
    assert outcome.text.startswith("<memories>") and data["active_context_id"] in outcome.text
    assert "meta" not in data


def test_what_stands_for_a_claim_and_what_was_left_out(host: Host) -> None:
    host.memory.remember(
        "Green tea is green, and tea is tea.", id="told", boundary_class="public",
        provenance={"at": 0, "note": "n" * 9_000, "evidence": [{"method": "rule", "note": "seen"}, "told", 7]},
    )  # fmt: skip
    data = host("pce.memory.search", query="green tea", include_meta=True)
    [told] = [item for item in data["items"] if item["id"] == "told"]
    assert told["evidences"] == [{"method": "rule", "note": "seen"}, {"note": "told"}]
    [known] = [row for row in data["provenance"] if row["claim_id"] == "told"]
    assert known == {"claim_id": "told", "at": "1970-01-01T00:00:00+00:00", "note": "n" * 9_000}
    same = host.memory.search("green tea")
    assert data["meta"] == {
        "alpha": 0.0, "fallbacks": [], "degraded": list(same.degraded), "below_threshold": list(same.below),
    }  # fmt: skip
    assert same.below


def test_nothing_found_is_no_failure(host: Host) -> None:
    outcome = host.outcome("pce.memory.activate", q="zebra")
    data = outcome.data["data"]
    assert (data["claims"], data["claims_count"], data["has_more"], data["next_cursor"]) == ([], 0, False, None)
    assert host.memory.active_context(data["active_context_id"]).items == ()
    assert outcome.text.startswith("nothing was found")


# ---- pages


@pytest.mark.parametrize(("name", "asked", "held"), [("activate", "q", "claims"), ("search", "query", "items")])
def test_pages_follow_one_another(name: str, asked: str, held: str, host: Host) -> None:
    question = {asked: "green tea", "scope": ["project"], "allow": ["answer:task"]}
    tool = f"pce.memory.{name}"
    whole = [item["id"] for item in host(tool, **question, top_k=50)[held]]
    assert len(whole) == 5, "the worst of all is below the threshold"
    pages, cursor = [], {}
    for size in (2, 1, 50):
        page = host(tool, **question, top_k=size, **cursor)
        pages.append([(item["id"], item["rank"]) for item in page[held]])
        cursor = {"cursor": page["next_cursor"]}
        assert page["has_more"] == (page["next_cursor"] is not None)
    assert pages == [[(whole[0], 1), (whole[1], 2)], [(whole[2], 3)], [(whole[3], 4), (whole[4], 5)]]
    assert cursor == {"cursor": None}


def test_a_cursor_is_of_one_question(host: Host) -> None:
    cursor = host("pce.memory.search", query="green tea", top_k=2)["next_cursor"]
    for other in (
        {"query": "black tea"},
        {"query": "green tea", "scope": ["project"]},
        {"query": "green tea", "allow": []},
    ):
        assert host.code("pce.memory.search", **other, cursor=cursor) == "VALIDATION_ERROR"
    assert host.code("pce.memory.activate", q="green tea", cursor=cursor) == "VALIDATION_ERROR"
    wrong = ["x", "e30=", "bnVsbA==", "W10=", "é", "[1]", str(Cursor(0, "x")), str(Cursor(10_001, "x"))]
    wrong += [str(Cursor(True, "x")), str(Cursor(1, "x", 7)), cursor[:-4], cursor + "!"]  # type: ignore[arg-type]
    for each in wrong:
        assert host.code("pce.memory.search", query="green tea", cursor=each) == "VALIDATION_ERROR", each
    assert host("pce.memory.search", query="green tea", top_k=50, cursor=cursor)["items"][0]["rank"] == 3


def test_a_cursor_ends_with_its_context_and_with_its_policy(host: Host) -> None:
    def cursor(context: str | None, version: str = "0.1.0") -> str:
        return str(Cursor(2, question_of("activate", {"q": "green tea"}), version, context))

    old = host.memory.activate("green tea", now=0)
    live = host("pce.memory.activate", q="green tea", top_k=2)
    assert Cursor.of(live["next_cursor"]).context == live["active_context_id"]
    assert host("pce.memory.activate", q="green tea", cursor=live["next_cursor"])["claims"][0]["rank"] == 3
    for ended in (cursor(old.id), cursor("ac_none"), cursor(live["active_context_id"], "0.0.9")):
        error = host.error("pce.memory.activate", q="green tea", cursor=ended)
        assert error["code"] == "EXPIRED" and STATUS["EXPIRED"] == 410
    found = host("pce.memory.search", query="green tea", top_k=2)
    host.memory.apply_policy(STRICTER)
    assert host.code("pce.memory.activate", q="green tea", cursor=live["next_cursor"]) == "EXPIRED"
    assert host.code("pce.memory.search", query="green tea", cursor=found["next_cursor"]) == "EXPIRED"


# ---- what a call cannot widen


def test_scopes_and_tags_only_narrow(path: Path) -> None:
    settings = Settings(memory=path, tools="all", policy="default", scopes=("project",))
    with settings.open() as memory:
        host = Host(memory)
        everything = {"project-public", "project-internal"}
        assert found(host) == everything
        assert found(host, scope=["session"]) == found(host, scope=[]) == found(host, allow=[]) == set()
        assert found(host, scope=["session", "project"]) == everything
        for tags in (["*"], ["tool:contact-lookup*"], ["tool:*"], ["answer:task", "tool:contact-lookup", "*"]):
            assert found(host, allow=tags) <= everything, tags
        assert found(host, allow=["*"]) == {"project-public"}, "a call's wildcard is a word as any other"
    settings = Settings(
        memory=path, tools="all", policy="default", classes=("public", "pii", "secret"), allow=("tool:contact-lookup",)
    )
    with settings.open() as memory:
        host = Host(memory)
        assert found(host) == {"session-public", "project-public", "session-pii", "project-pii"}
        assert found(host, allow=["answer:task"]) == {"session-public", "project-public"}
        assert found(host, allow=["tool:contact-lookup"], scope=["session"]) == {"session-public", "session-pii"}


def test_tenants_are_the_processes(path: Path) -> None:
    with byheart.Memory(path) as owner:
        for number in range(3):
            owner.remember(f"Tea of another tenant {number}." + " Tea." * number, id=f"other-{number}", tenant="other")
    with Settings(memory=path, tools="all", policy="default", tenant="other").open() as memory:
        assert found(Host(memory)) == {"other"}
        for extra in ({"tenant": "default"}, {"boundary": {"tenant": "default"}}, {"classes": ["secret"]}):
            for name, arguments in RIGHT.items():
                assert Host(memory).code(name, **{**arguments, **extra}) == "VALIDATION_ERROR", (name, extra)


def test_a_claim_lies_where_the_process_may_write(host: Host, path: Path) -> None:
    key = "The key is sk-abcdefghijklmnopqrst for the kettle."
    assert host.code("pce.memory.upsert", text=key, provenance=AT) == "BOUNDARY_DENIED"
    assert host.code("pce.memory.upsert", text=TEAS[0], provenance=AT, boundary_class="secret") == "BOUNDARY_DENIED"
    assert host.code("pce.memory.upsert", text=TEAS[0], provenance=AT, boundary_class="pii") == "BOUNDARY_DENIED"
    with Settings(memory=path, tools="all", policy="default", scopes=("project",)).open() as memory:
        bounded, before = Host(memory), memory.count()
        assert bounded.code("pce.memory.upsert", text=TEAS[0], provenance=AT, scope="session") == "BOUNDARY_DENIED"
        assert bounded.code("pce.memory.feedback", claim_id="session-public-0", signal="harmful") == "UNKNOWN_CLAIM"
        assert bounded.code("pce.memory.feedback", claim_id="project-secret-0", signal="harmful") == "UNKNOWN_CLAIM"
        assert memory.count() == before


def test_a_policy_is_only_looked_at(path: Path) -> None:
    wide = {"version": "9.0.0", "boundary_classes": {"secret": {"allow": ["*"]}}, "scopes": {"project": {}}}
    with Settings(memory=path, tools="all", policy="default").open() as memory:
        host = Host(memory)
        for more in ({}, {"validate_only": False}, {"dry_run": False, "approver": "root"}):
            outcome = host.outcome("pce.policy.apply", yaml=json.dumps(wide), **more)
            data = outcome.data["data"]
            assert (data["version"], data["applied"], data["validate_only"]) == ("9.0.0", False, True)
            assert data["breaking"] and data["changes"] and "was not applied" in outcome.text
        assert str(memory.policy.version) == "0.1.0"
        with Settings(memory=path, policy="stored").open() as beside:
            assert str(beside.policy.version) == "0.1.0"
    assert policies_told(path) == []


def test_an_administrator_applies_a_policy(path: Path) -> None:
    later, last = json.dumps(STRICTER), json.dumps({**STRICTER, "version": "0.3.0"})
    with (
        Settings(memory=path, tools="all", policy="default").open() as memory,
        Settings(memory=path, policy="stored").open() as beside,
    ):
        host = Host(memory, admin=True)
        assert host.code("pce.policy.apply", yaml="default") == "INVALID_POLICY", "a name is no policy"
        tried = host("pce.policy.apply", yaml=later, dry_run=True)
        assert (tried["applied"], tried["validate_only"], str(beside.policy.version)) == (False, False, "0.1.0")
        assert host("pce.policy.apply", yaml=later, validate_only=True)["applied"] is False
        outcome = host.outcome("pce.policy.apply", yaml=later, expected_version="0.1.0", approver="ben")
        assert outcome.data["data"]["applied"] is True and outcome.data["data"]["previous"] == "0.1.0"
        assert outcome.data["policy_version"] == str(beside.policy.version) == "0.2.0"
        assert policies_told(path) == [("0.2.0", outcome.data["request_id"])]
        error = host.error("pce.policy.apply", yaml=last, expected_version="0.1.0")
        assert error["code"] == "STATE_ERROR" and error["details"] == {"policy_version": "0.2.0"}
        assert host.code("pce.policy.apply", yaml=json.dumps(DEFAULT)) == "INVALID_POLICY", "an older one"
        for wrong in ("default", "stored", "x: [", "version: 1", str(path), "version: 0.4.0\nadmin: true\n"):
            assert host.code("pce.policy.apply", yaml=wrong) == "INVALID_POLICY", wrong
        assert host.code("pce.policy.apply", yaml=last, signature="abc") == "INVALID_POLICY"
        assert str(memory.policy.version) == "0.2.0"


# ---- what is kept


def test_a_claim_is_kept_once_and_knows_what_it_is_about(host: Host) -> None:
    entities = [
        {"id": "ent_1", "type": "Actor", "name": "Ann"},
        {"id": "ent_2", "type": "Artifact", "name": "the kettle", "canonical_key": "kettle"},
    ]
    relations = [{"id": "rel_1", "src_id": "ent_1", "dst_id": "ent_2", "type": "owns", "evidence_claim_id": "c"}]
    text = "Ann owns the kettle, ask ann@example.com about it."
    first = host(
        "pce.memory.upsert", text=text, provenance=AT, kind="fact", entities=entities, relations=relations,
        boundary_class="public", scope="principle",
    )  # fmt: skip
    record = host.memory.get(first["id"])
    assert record.text == "Ann owns the kettle, ask [email] about it." and first["redacted"] == 1
    assert (record.kind, record.scope, record.boundary_class) == ("fact", "principle", "public")
    assert record.entities == ("Ann", "kettle") and record.provenance["git"] == AT["git"]
    assert record.metadata["relations"] == [{**relations[0], "src_id": "Ann", "dst_id": "kettle"}]
    again = host("pce.memory.upsert", text=f" {text} ", provenance=AT, boundary_class="public", scope="principle")
    assert (again["id"], again["new"], again["content_hash"]) == (first["id"], False, first["content_hash"])
    plain = host.memory.get(host.upsert("Tea is hot in the morning."))
    assert (plain.scope, plain.boundary_class) == ("project", "internal"), "of the process"
    internal = Host(host.memory, boundary_class="public")
    assert host.memory.get(internal.upsert("Tea is cold in the evening.")).boundary_class == "public"


def test_noise_and_what_does_not_fit_is_refused(host: Host) -> None:
    before = host.memory.count()
    assert host.code("pce.memory.upsert", text="hello there", provenance=AT) == "NOISE_REFUSED"
    assert host.code("memory_store", text="hello there") == "NOISE_REFUSED"
    wrong_hash = {"content_hash": "sha256:" + "0" * 64}
    assert host.code("pce.memory.upsert", text=TEAS[0], provenance=AT, **wrong_hash) == "UPSERT_FAILED"
    for provenance in (
        {}, {"actor": "ann"}, {**AT, "by": "x"}, {**AT, "git": {"commit": "ABCDEF1"}}, {**AT, "git": {"branch": "x"}},
        {**AT, "signed": "yes"}, "today", {"at": 0},
    ):  # fmt: skip
        assert host.code("pce.memory.upsert", text=TEAS[0], provenance=provenance) == "VALIDATION_ERROR", provenance
    assert host.code("pce.memory.upsert", text=TEAS[0], provenance={"at": "yesterday"}) == "UPSERT_FAILED"
    assert host.code("pce.memory.upsert", text="x" * 66_000, provenance=AT) == "LIMIT_EXCEEDED"
    assert host.code("pce.memory.feedback", claim_id="x" * 5_000, signal="helpful") == "LIMIT_EXCEEDED"
    for name in ("activate", "search"):
        question = {"q" if name == "activate" else "query": "tea"}
        for more in ({"top_k": 0}, {"top_k": 51}, {"allow": "answer:task"}, {"scope": "project"}, {"include_meta": 1}):
            assert host.code(f"pce.memory.{name}", **question, **more) == "VALIDATION_ERROR", more
    assert host.memory.count() == before


def test_feedback_moves_what_a_claim_is_worth(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byheart.memory.judging.time", SimpleNamespace(time=lambda: 6_000.0))
    id = host.upsert("Kettles are descaled in spring.")
    told = [host("pce_memory_feedback", claim_id=id, signal="helpful", score=0.5) for _ in range(2)]
    assert [each["new"] for each in told] == [True, False] and all(each["ok"] for each in told)
    assert told[0]["utility"] == 0.1 and told[0]["confidence"] == 0.55 and told[0]["id"].startswith("fb_")
    assert host.memory.get(id).utility == 0.1
    [kept] = host.memory._engine.journal.rows("feedbacks", "default")
    assert kept.content["score"] == 0.5
    assert host.code("pce.memory.feedback", claim_id=id, signal="duplicate") == "FEEDBACK_FAILED"
    assert host.code("pce.memory.feedback", claim_id=id, signal="liked") == "VALIDATION_ERROR"
    assert host.code("pce.memory.feedback", claim_id=id, signal="helpful", score=1.1) == "VALIDATION_ERROR"
    assert host.code("pce.memory.feedback", claim_id="clm_none", signal="helpful") == "UNKNOWN_CLAIM"


def test_observations_are_kept_without_what_is_hidden(host: Host) -> None:
    kept = host("pce.memory.observe", source_type="chat", content="mail x@example.com", ttl_days=90)
    assert kept["content_stored"] and kept["content_redacted"] and kept["effective_boundary_class"] == "internal"
    assert host.memory.observation(kept["observation_id"]).content == "mail [email]"
    about = {"source_id": "s1", "boundary_class": "public", "actor": "ann", "provenance": AT, "ttl_days": 2}
    made = host("pce.memory.observe", source_type="http", content="tea", tags=["a", "b"], **about)
    stored = host.memory.observation(made["observation_id"])
    assert {name: getattr(stored, name) for name in about if name != "ttl_days"} == {
        name: value for name, value in about.items() if name != "ttl_days"
    }
    assert (stored.tags, stored.expires_at - stored.created_at) == (("a", "b"), 2 * 86_400)
    secret = host("pce.memory.observe", source_type="tool", content="the key is sk-abcdefghijklmnopqrst")
    assert (secret["effective_boundary_class"], secret["content_stored"]) == ("secret", False)
    assert host("pce.memory.observe", source_type="file", content="\n" * 65_536)["content_stored"]
    assert host.code("pce.memory.observe", source_type="file", content="\u00e9" * 40_000) == "LIMIT_EXCEEDED"
    for more in (
        {"ttl_days": 91},
        {"ttl_days": 0},
        {"source_type": "mail"},
        {"mode": "raw"},
        {"content": "x" * 65_537},
    ):
        asked = {"source_type": "chat", "content": "tea", **more}
        assert host.code("pce.memory.observe", **asked) == "VALIDATION_ERROR", more


def test_a_text_is_looked_at_before_it_goes_out(host: Host) -> None:
    said = host("pce.boundary.validate", payload="mail x@example.com", scope="project", allow=["answer:task"])
    assert (said["allowed"], said["redacted"], said["decision"]) == (True, "mail [email]", "redact")
    assert host("pce.memory.boundary.validate", payload="green tea")["reason"] == "allowed"
    denied = host("pce.boundary.validate", payload="green tea", allow=[])
    assert (denied["allowed"], denied["redacted"]) == (False, None) and "internal" in denied["reason"]
    assert not host("pce.boundary.validate", payload="green tea", allow=["*"])["allowed"]
    closed = byheart.Memory(policy="default", policy_options=PolicyOptions(allow=("nothing:here",)))
    assert not Host(closed)("pce.boundary.validate", payload="tea", allow=["answer:task"])["allowed"], (
        "tags of a call open nothing that those of the process do not"
    )
    values = PolicyOptions(values={"api.breaking_change": True})
    breaking = Host(byheart.Memory(policy="default", policy_options=values))
    told = breaking("pce.boundary.validate", payload="tea", scope="principle")
    assert (told["allowed"], told["reason"], told["broken"]) == (False, "I(B) violation", ["no_destructive_change"])
    assert breaking("pce.boundary.validate", payload="tea", scope="session")["allowed"]


def test_the_short_tools_are_bounded_by_the_policy_too(host: Host) -> None:
    said = "My address is ann@example.com, for all letters."
    first = host("remember", text=said, tags=["mail"])
    assert host("get", id=first["id"])["text"] == "My address is [email], for all letters."
    assert first["version"] == host("get", id=first["id"])["version"]
    assert host("remember", text=said) == {"id": first["id"], "version": first["version"], "new": False}
    assert host("remember", text=said, id=first["id"])["version"] is not None
    assert host.code("remember", text="My key is sk-abcdefghijklmnopqrst.") == "BOUNDARY_DENIED"
    assert host.code("memory_store", text="My key is sk-abcdefghijklmnopqrst.", id="key") == "BOUNDARY_DENIED"
    outcome = host.outcome("recall", query="which address for letters?")
    assert "[email]" in outcome.text and "ann@example.com" not in json.dumps(outcome.data) + outcome.text


# ---- how they fail


def test_without_a_policy_nothing_is_called_up(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as plain:
        assert Host(plain).code("pce.policy.apply", yaml=json.dumps(DEFAULT)) == "POLICY_MISSING"
    with Settings(memory=path, tools="all").open() as memory:
        host = Host(memory, admin=True)
        for name, arguments in RIGHT.items():
            if name != "pce.policy.apply":
                error = host.error(name, **arguments | ({"claim_id": "x"} if "claim_id" in arguments else {}))
                assert error["code"] == "POLICY_MISSING" and "--policy" in error["message"], name
        assert host("stats")["records"] == 0 and memory.policy is None
        assert host("pce.policy.apply", yaml=json.dumps(DEFAULT))["applied"]
        for name, arguments in RIGHT.items():
            if name not in ("pce.policy.apply", "pce.memory.feedback"):
                host(name, **arguments)
        assert host.code("pce.memory.feedback", claim_id="x", signal="helpful") == "UNKNOWN_CLAIM"


def test_a_scope_that_the_policy_does_not_have() -> None:
    policy = {"version": "1.0.0", "scopes": {"project": {}}, "boundary_classes": {"internal": {"allow": ["*"]}}}
    host = Host(byheart.Memory(policy=policy))
    calls: list[tuple[str, dict[str, Any]]] = [
        ("pce.memory.activate", {"q": "tea", "scope": ["session"]}),
        ("pce.memory.search", {"query": "tea", "scope": ["project", "principle"]}),
        ("pce.memory.search", {"query": "tea", "scope": ["galaxy"]}),
        ("pce.memory.upsert", {"text": TEAS[0], "provenance": AT, "scope": "session"}),
        ("pce.memory.upsert", {"text": TEAS[0], "provenance": AT, "scope": "galaxy"}),
        ("pce.boundary.validate", {"payload": "tea", "scope": "principle"}),
    ]
    for name, arguments in calls:
        assert host.code(name, **arguments) == "INVALID_SCOPE", arguments


def test_calls_above_the_rate_are_told_when_to_come_again() -> None:
    now = [100.0]
    host = Host(byheart.Memory(policy="default"), Limiter(Rate(3, 10), clock=lambda: now[0]))
    for moment in (100.0, 104.0, 105.5):
        now[0] = moment
        host("stats")
    error = host.error("pce.memory.search", query="tea")
    assert error["code"] == "RATE_LIMIT" and STATUS["RATE_LIMIT"] == 429 and "in 5 s" in error["message"]
    assert error["details"] == {
        "Retry-After": 5, "X-RateLimit-Limit": 3, "X-RateLimit-Remaining": 0, "X-RateLimit-Reset": 10,
    }  # fmt: skip
    now[0] = 109.9
    assert host.code("stats") == "RATE_LIMIT", "one that was refused does not count, and helps nobody"
    now[0] = 110.0
    host("stats")
    assert host.code("stats") == "RATE_LIMIT"
    now[0] = 125.0
    for _ in range(3):
        host("stats")
    assert host.code("stats") == "RATE_LIMIT"


def test_rates_are_read_from_the_command_line() -> None:
    assert (Rate.parse("7/3"), Rate.parse("0"), Rate()) == (Rate(7, 3), None, Rate(1_000, 10))
    for wrong in ("", "7", "0/10", "5/0", "-1/2", "1e3/10", "1/2/3", "2000000/1"):
        with pytest.raises(byheart.errors.InvalidArgument, match="rate"):
            Rate.parse(wrong)


def broken(host: Host, verb: str, error: Exception, name: str, **arguments: Any) -> str:
    """Return the code of a call of which the verb fails."""

    def fail(*args: Any, **more: Any) -> Any:
        raise error

    held = SimpleNamespace(policy=host.memory.policy, _engine=host.memory._engine, **{verb: fail})
    return Host(held).code(name, **arguments)  # type: ignore[arg-type]


def ambiguous(host: Host) -> str:
    """Let two who do not see each other's records give one id; who sees both is asked which is meant."""
    store = InProcessStore()
    for boundary_class in ("public", "internal"):
        bounded = byheart.Memory(store=store, boundary={"classes": [boundary_class]})
        bounded.remember("Tea for two.", id="two", boundary_class=boundary_class)
    return Host(byheart.Memory(store=store, policy="default")).code(
        "pce.memory.feedback", claim_id="two", signal="helpful"
    )


def too_many(host: Host) -> str:
    limited = Host(host.memory, Limiter(Rate(1, 60)))
    limited("stats")
    return limited.code("stats")


def outdated(host: Host) -> str:
    id = host.upsert("Tea is served at four.")
    return host.code("remember", text="Tea is served at five.", id=id, if_version="0" * 32)


CODES: dict[str, Callable[[Host], str]] = {
    "VALIDATION_ERROR": lambda host: host.code("pce.memory.search"),
    "INVALID_SCOPE": lambda host: host.code("pce.memory.search", query="tea", scope=["galaxy"]),
    "INVALID_POLICY": lambda host: host.code("pce.policy.apply", yaml="version: x"),
    "POLICY_INVALID": lambda host: broken(host, "search", InvalidPolicy("x"), "pce.memory.search", query="tea"),
    "NOISE_REFUSED": lambda host: host.code("pce.memory.upsert", text="hello there", provenance=AT),
    "UPSERT_FAILED": lambda host: host.code("pce.memory.upsert", text=TEAS[0], provenance={"at": "soon"}),
    "ACTIVATE_FAILED": lambda host: broken(
        host, "activate", byheart.errors.InvalidArgument("x"), "pce.memory.activate", q="tea"
    ),
    "FEEDBACK_FAILED": lambda host: host.code(
        "pce.memory.feedback", claim_id=host.upsert("Nobody says this twice."), signal="duplicate"
    ),
    "LIMIT_EXCEEDED": lambda host: host.code("pce.memory.activate", q="x" * 16_384),
    "BOUNDARY_DENIED": lambda host: host.code(
        "pce.memory.upsert", text=TEAS[0], provenance=AT, boundary_class="secret"
    ),
    "BOUNDARY_ERROR": lambda host: broken(
        host, "validate", BoundaryViolation("x"), "pce.boundary.validate", payload="tea"
    ),
    "READ_ONLY": lambda host: Host(host.memory, read_only=True).code("memory", command="delete", path="/memories/x"),
    "UNKNOWN_CLAIM": lambda host: host.code("pce.memory.feedback", claim_id="x", signal="helpful"),
    "DUPLICATE": lambda host: host.code(
        "remember", text="Tea is served at six.", id=host.upsert("Tea is served at four."), if_version="new"
    ),
    "AMBIGUOUS_ID": ambiguous,
    "VERSION_MISMATCH": outdated,
    "STATE_ERROR": lambda host: Host(host.memory, admin=True).code(
        "pce.policy.apply", yaml=json.dumps(STRICTER), expected_version="7.0.0"
    ),
    "EXPIRED": lambda host: host.code(
        "pce.memory.search", query="tea", cursor=str(Cursor(1, question_of("search", {"query": "tea"}), "0.0.1"))
    ),
    "POLICY_MISSING": lambda host: Host(byheart.Memory()).code("pce.memory.search", query="tea"),
    "RATE_LIMIT": too_many,
    "INTERNAL": lambda host: broken(host, "search", RuntimeError("x"), "pce.memory.search", query="tea"),
    "BUSY": lambda host: broken(host, "activate", StoreBusy("x"), "pce.memory.activate", q="tea"),
    "TIMEOUT": lambda host: str(
        host.dispatch.late(host.dispatch.registry.called["pce.memory.upsert"]).data["error"]["code"]
    ),
}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_reached(code: str, host: Host) -> None:
    assert CODES[code](host) == code


def test_no_code_is_left_out() -> None:
    assert {*CODES, "UNAUTHORIZED"} == set(STATUS), "who bears no token is turned away by the web, before any tool"


def test_a_policy_that_cannot_be_read_is_told_without_its_version(host: Host) -> None:
    def version() -> str | None:
        raise InvalidPolicy("policy: its signature is missing or wrong")

    held = Host(host.memory, policy_version=version)
    outcome = held.outcome("pce.memory.search", query="tea")
    assert outcome.data["error"]["code"] == "POLICY_INVALID" and outcome.data["policy_version"] is None


# ---- what is offered


def test_a_server_that_only_reads_searches_and_validates(path: Path) -> None:
    settings = Settings(memory=path, tools="pce", policy="default", read_only=True, names="dots")
    with settings.open() as memory:
        dispatch = settings.dispatch(memory)
        assert [name for name, _ in dispatch.registry] == ["pce.memory.search", "pce.boundary.validate"]
        items = dispatch("pce.memory.search", {"query": "tea"}).data["data"]["items"]
        assert {item["claim"]["boundary_class"] for item in items} <= {"public", "internal"} and items
        assert dispatch("pce_boundary_validate", {"payload": "x@example.com"}).data["data"]["redacted"] == "[email]"


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Callable[..., Settings]]:
    yield lambda **more: Settings(memory=tmp_path / "memory.db", **more)


def test_which_policy_a_process_goes_by(settings: Callable[..., Settings], tmp_path: Path) -> None:
    assert settings().governing() is None and settings(tools="files,recall").governing() is None
    for tools in ("pce", "all", "recall,pce_memory_search", "pce.policy.apply"):
        assert settings(tools=tools).governing() == "stored", tools
    assert settings(policy="default").governing() == "default", "the short tools may have one, too"
    own = tmp_path / "own.yaml"
    own.write_text("version: 2.0.0\nscopes:\n  project: {ttl: 7d}\nboundary_classes:\n  internal: {allow: ['a:b']}\n")
    with settings(policy=str(own), allow=("a:b",), tools="all").open() as memory:
        assert str(memory.policy.version) == "2.0.0"
        host = Host(memory)
        assert [host.upsert(text) for text in TEAS] and found(host, allow=["answer:task"]) == set()
        assert len(host("pce.memory.search", query="tea")["items"]) == 5
    with settings().open() as memory:
        assert memory.policy is None, "a process that goes by none is not bounded by one"
    with pytest.raises(InvalidPolicy, match="cannot be read"):
        settings(policy=str(tmp_path / "none.yaml")).open()
