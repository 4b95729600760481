"""The tools `pce.*`: what they take and give, page by page, and what they keep."""

import json
from types import SimpleNamespace

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import jsonschema

import byheart
from byheart.boundary.policy import Retrieval
from byheart.mcp.cursors import Cursor, question_of
from byheart.mcp.failures import STATUS
from byheart.mcp.tool import PCE
from byheart.mcp.tools import TOOLS
from byheart.memory.governed import PolicyOptions

from ..mcp_claims import AT, RIGHT, STRICTER, TEAS, TRACE, Host, with_teas


@pytest.fixture
def host() -> Host:
    return with_teas()


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
    usual = Retrieval()  # a tool waits as long as what it asks may take
    assert usual.activate_ms == 1_000 * tools["pce.memory.activate"].seconds
    assert usual.search_ms == 1_000 * tools["pce.memory.search"].seconds
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
    assert record.metadata["entities"] == entities, "with their types"
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
    monkeypatch.setattr("byheart.validation.times.time", SimpleNamespace(time=lambda: 6_000.0))
    id = host.upsert("Kettles are descaled in spring.")
    told = [host("pce_memory_feedback", claim_id=id, signal="helpful", score=0.5) for _ in range(2)]
    assert [each["new"] for each in told] == [True, False] and all(each["ok"] for each in told)
    assert told[0]["utility"] == 0.1 and told[0]["confidence"] == 0.55 and told[0]["id"].startswith("fb_")
    assert host.memory.get(id).utility == 0.1
    [kept] = host.memory._engine.journal.rows("feedbacks", "default")
    assert kept.content["score"] == 0.5
    assert host.code("pce.memory.feedback", claim_id=id, signal="duplicate") == "FEEDBACK_FAILED"
    assert host.code("pce.memory.feedback", claim_id=id, signal="liked") == "VALIDATION_ERROR"
    for score in (-1.1, 1.1, "much"):
        assert host.code("pce.memory.feedback", claim_id=id, signal="helpful", score=score) == "VALIDATION_ERROR"
    for signal, score in (("helpful", 1), ("harmful", -1)):
        assert host("pce.memory.feedback", claim_id=host.upsert(f"Tea is {signal}."), signal=signal, score=score)["ok"]
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
    again = host("remember", text=said)
    assert again == {"id": first["id"], "version": host("get", id=first["id"])["version"], "new": False}
    assert host("remember", text=said, id=first["id"])["version"] is not None
    assert host.code("remember", text="My key is sk-abcdefghijklmnopqrst.") == "BOUNDARY_DENIED"
    assert host.code("memory_store", text="My key is sk-abcdefghijklmnopqrst.", id="key") == "BOUNDARY_DENIED"
    outcome = host.outcome("recall", query="which address for letters?")
    assert "[email]" in outcome.text and "ann@example.com" not in json.dumps(outcome.data) + outcome.text
