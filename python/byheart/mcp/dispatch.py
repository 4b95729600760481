"""The dispatch of one call: arguments held to the schema, the tool run, its answer or its failure put into form.

Whatever happens, something comes back, and nothing that was said gets into the log: of an error that nobody foresaw the
log has the class and the lines of code, not the message.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .failures import Failure, failure_of
from .rates import Limiter
from .registry import Registry
from .schemas import Check, checker
from .tool import Call, Service, Tool

_LOG = logging.getLogger("byheart.mcp")
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What goes back to the host: data for programs, a text for the model, and whether it is a failure."""

    data: Mapping[str, Any]
    text: str
    is_error: bool = False


class Dispatch:
    """Runs the calls of a process.

    Args:
        service: what is served.
        registry: the tools that may be called.
        limiter: how many calls are answered in a time; None: any number.

    Raises:
        MissingExtra: the extra `mcp` is not installed.

    """

    def __init__(self, service: Service, registry: Registry, limiter: Limiter | None = None) -> None:
        self.service, self.registry, self._limiter = service, registry, limiter
        self._checks: dict[str, Check] = {tool.name: checker(tool) for tool in registry.listed.values()}

    def __call__(self, name: str, arguments: Mapping[str, Any] | None, *, trace: str | None = None) -> Outcome:
        """Return what comes of a call.

        Args:
            name: of a tool that is there (see `Registry.called`).
            arguments: as they came.
            trace: the caller's `traceparent`, whose trace goes on.

        Raises:
            KeyError: there is no such tool.

        """
        tool = self.registry.called[name]
        call = Call(self.service, secrets.token_hex(16), trace_of(trace))
        own: Mapping[type[BaseException], str] = {}  # what does not fit a schema has one code for all tools
        try:
            if self._limiter is not None:
                self._limiter.take()
            checked = self._checks[tool.name](arguments or {})
            own = tool.codes
            answer = tool.handler(call, checked)
            data = answer.data if not tool.envelope else {"data": answer.data, **self._ids(call)}
            return Outcome(data, answer.text if answer.text is not None else as_json(data))
        except Exception as error:  # a server goes on
            failure = failure_of(error, own)
            if failure.code == "INTERNAL":
                log(call, tool, error)
            return self.failed(call, failure)

    def failed(self, call: Call, failure: Failure) -> Outcome:
        """Return a failure in form."""
        error = {"code": failure.code, "message": failure.message, "details": dict(failure.details)}
        try:
            ids = self._ids(call)
        except Exception:  # what went wrong may be what says the version
            ids = {"policy_version": None, "request_id": call.request_id, "trace_id": call.trace_id}
        return Outcome({"error": error, **ids}, f"{failure.code}: {failure.message}", is_error=True)

    def late(self, tool: Tool, *, trace: str | None = None) -> Outcome:
        """Return what comes of a call that took too long; the tool may still be at work."""
        words = "; it may still be done, so look before you try again" if tool.changes else ""
        call = Call(self.service, secrets.token_hex(16), trace_of(trace))
        return self.failed(call, Failure("TIMEOUT", f"no answer within {tool.seconds:g} seconds{words}"))

    def _ids(self, call: Call) -> dict[str, Any]:
        version = self.service.version()
        return {"policy_version": version, "request_id": call.request_id, "trace_id": call.trace_id}


def trace_of(traceparent: Any) -> str:
    """Return the trace that a call belongs to: the caller's, or a new one.

    >>> trace_of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    '4bf92f3577b34da6a3ce929d0e0e4736'
    """
    found = _TRACE.fullmatch(traceparent) if isinstance(traceparent, str) else None
    return found[1] if found else secrets.token_hex(16)


def as_json(data: Any) -> str:
    """Return data as a text that a model reads."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def log(call: Call, tool: Tool, error: BaseException) -> None:
    """Note an error that nobody foresaw: where it came from, not what it says."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    _LOG.error("%s (request %s): %s\n%s", tool.name, call.request_id, type(error).__name__, frames)
