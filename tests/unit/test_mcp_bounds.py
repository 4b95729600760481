"""What a call of the tools `pce.*` cannot widen: cells, tenant, policy; and which policy a process goes by."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart
from byheart.boundary.policy import DEFAULT
from byheart.errors import InvalidPolicy
from byheart.mcp.serving import Settings

from ..mcp_claims import AT, RIGHT, STRICTER, TEAS, Host, cells_in, found, with_teas


@pytest.fixture
def host() -> Host:
    return with_teas()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return cells_in(tmp_path / "memory.db")


def policies_told(path: Path) -> list[tuple[str, str | None]]:
    """Return the versions that were applied by a call, with its id, as an owner of the file reads them in the log."""
    with byheart.Memory(path) as owner:
        return [(event.payload["version"], event.request_id) for event in owner.events("policy")]


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


def test_no_field_of_the_short_tools_keeps_a_secret_or_an_address(tmp_path: Path) -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    with Settings(memory=tmp_path / "memory.db", tools="all", policy="default").open() as memory:
        host = Host(memory)
        for field in ("id", "kind", "topic"):
            assert host.code("remember", text="The kettle leaks.", **{field: token}) == "BOUNDARY_DENIED", field
            assert token not in str(host.error("remember", text="The kettle leaks.", **{field: token})), field
        assert host.code("remember", text="The kettle leaks.", tags=[token]) == "BOUNDARY_DENIED"
        given = {"kind": "ann@example.com", "topic": "ann@example.com", "tags": ["ann@example.com"]}
        id = host("remember", text="The kettle leaks.", **given)["id"]
        record = host("get", id=id)
        assert "example.com" not in str(record) and "[email]" in str(record)
        path = {"command": "create", "path": f"/memories/{token}.md", "file_text": "The kettle leaks."}
        assert host.outcome("memory", **path).is_error
        assert [each.id for each in memory.records()] == [id]


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
        assert "0.2.0" in error["message"] and "0.1.0" in error["message"], "which is in force, and which was expected"
        assert host.code("pce.policy.apply", yaml=json.dumps(DEFAULT)) == "INVALID_POLICY", "an older one"
        for wrong in ("default", "stored", "x: [", "version: 1", str(path), "version: 0.4.0\nadmin: true\n"):
            assert host.code("pce.policy.apply", yaml=wrong) == "INVALID_POLICY", wrong
        assert host.code("pce.policy.apply", yaml=last, signature="abc") == "INVALID_POLICY"
        assert str(memory.policy.version) == "0.2.0"


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
