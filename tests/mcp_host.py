"""A host that calls the tools of a server in its own process, and looks at the form of every failure."""

import json
from typing import Any

import byheart
from byheart.mcp.dispatch import Dispatch, Outcome
from byheart.mcp.failures import STATUS
from byheart.mcp.registry import Registry
from byheart.mcp.tool import Service
from byheart.mcp.tools import TOOLS

HEX = set("0123456789abcdef")


class Host:
    """Calls tools, and says at once if a call that should do well did not."""

    def __init__(self, memory: byheart.Memory, tools: str = "all", **service: Any) -> None:
        self.memory = memory
        self.dispatch = Dispatch(Service(memory, **service), Registry.of(TOOLS, tools))

    def outcome(self, name: str, **arguments: Any) -> Outcome:
        return self.dispatch(name, arguments)

    def __call__(self, name: str, **arguments: Any) -> Any:
        outcome = self.outcome(name, **arguments)
        assert not outcome.is_error, outcome.text
        json.dumps(outcome.data, allow_nan=False)
        return outcome.data

    def error(self, name: str, **arguments: Any) -> str:
        """Return the code of a failure, which has to be in form."""
        outcome = self.outcome(name, **arguments)
        assert outcome.is_error, outcome.data
        assert set(outcome.data) == {"error", "policy_version", "request_id", "trace_id"}
        error = outcome.data["error"]
        assert set(error) == {"code", "message", "details"} and error["code"] in STATUS
        assert outcome.text == f"{error['code']}: {error['message']}"
        assert len(outcome.data["request_id"]) == len(outcome.data["trace_id"]) == 32
        assert set(outcome.data["request_id"] + outcome.data["trace_id"]) <= HEX
        return str(error["code"])
