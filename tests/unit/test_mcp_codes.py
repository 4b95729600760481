"""How the tools of the server fail: every code, what comes too early, and how often a process answers."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart
from byheart.boundary.policy import DEFAULT
from byheart.errors import BoundaryViolation, InvalidPolicy, StoreBusy, StoreReplaced
from byheart.mcp.cursors import Cursor, question_of
from byheart.mcp.failures import STATUS
from byheart.mcp.rates import Limiter, Rate
from byheart.mcp.serving import Settings
from byheart.storage.in_process import InProcessStore

from ..mcp_claims import AT, RIGHT, STRICTER, TEAS, Host, with_teas


@pytest.fixture
def host() -> Host:
    return with_teas()


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
    "STORE_REPLACED": lambda host: broken(host, "search", StoreReplaced("x"), "pce.memory.search", query="tea"),
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
