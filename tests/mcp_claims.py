"""What tests of the tools `pce.*` share: a host that calls them, claims to be found, and a right call of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import byheart
from byheart.boundary.policy import DEFAULT

if TYPE_CHECKING:
    from byheart.mcp.dispatch import Outcome
    from byheart.mcp.rates import Limiter

AT = {"at": "2026-01-01T00:00:00+00:00", "actor": "ann", "git": {"commit": "abcdef1", "files": ["tea.md"]}}
TEAS = [f"Ann drinks green tea from cup {number}." + " Tea again." * number for number in range(6)]
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
STRICTER = {**DEFAULT, "version": "0.2.0", "retrieval": {"hybrid": {"k_final": 5}}}
"""A policy that may follow the usual one."""


class Host:
    """Calls tools of a memory, and says at once if a call that should do well did not."""

    def __init__(self, memory: byheart.Memory, limiter: Limiter | None = None, **service: Any) -> None:
        from byheart.mcp.dispatch import Dispatch
        from byheart.mcp.registry import Registry
        from byheart.mcp.tool import Service
        from byheart.mcp.tools import TOOLS

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


def with_teas() -> Host:
    """Return the host of a memory under the usual policy, with six claims."""
    made = Host(byheart.Memory(policy="default"))
    for text in TEAS:
        made.upsert(text, kind="fact")
    return made


def cells_in(path: Path) -> Path:
    """Write a file with three claims in each of several cells, all of them about tea; return its path."""
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


RIGHT: dict[str, dict[str, Any]] = {
    "pce.memory.activate": {"q": "green tea", "top_k": 2, "include_meta": True},
    "pce.memory.search": {"query": "green tea", "top_k": 2, "include_meta": True},
    "pce.memory.upsert": {"text": "Ben drinks black tea at noon.", "provenance": AT},
    "pce.memory.feedback": {"claim_id": "", "signal": "helpful", "score": -1},
    "pce.memory.observe": {"source_type": "chat", "content": "mail x@example.com", "provenance": AT, "tags": ["a"]},
    "pce.boundary.validate": {"payload": "mail x@example.com", "allow": ["tool:mail"], "scope": "project"},
    "pce.policy.apply": {"yaml": json.dumps(STRICTER), "approver": "ben"},
}
