"""Answers to lines that are no message of the protocol: the SDK passes them over, and a host would wait for ever.

What is no JSON, or has something else than a whole number or a text for its id, is answered without one; a request that
holds what no text can hold (half of a surrogate pair) or lacks a part, with its own. A notification gets no answer,
whatever is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_NO_JSON: Final = "the line is no JSON; send one JSON object a line"
_NO_TEXT: Final = "the request holds half of a surrogate pair, which is no character; leave it out"
_NO_REQUEST: Final = "the line is no request of JSON-RPC 2.0; give jsonrpc, id, method and params"


def refusal(line: object) -> tuple[Any, int, str] | None:
    r"""Return id, code and sentence for an unreadable line or object; None if it is to get no answer.

    >>> refusal("no json")
    (None, -32700, 'the line is no JSON; send one JSON object a line')
    >>> refusal('{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"query": "\\ud800"}}')[:2]
    (2, -32602)
    >>> refusal('{"jsonrpc": "2.0", "method": 7}') is None and refusal("  ") is None
    True
    """
    if isinstance(line, (str, bytes)):
        if not line.strip():
            return None
        try:
            line = json.loads(line)
        except (ValueError, RecursionError):
            return None, PARSE_ERROR, _NO_JSON
    if not isinstance(line, Mapping):
        return None, INVALID_REQUEST, _NO_REQUEST
    id = line.get("id")
    if "id" not in line or "result" in line or "error" in line:
        return None
    if not is_id(id) or not _is_text(id):
        return None, INVALID_REQUEST, _NO_REQUEST
    return (id, INVALID_REQUEST, _NO_REQUEST) if _is_text(line) else (id, INVALID_PARAMS, _NO_TEXT)


def read(line: str) -> object:
    """Return what a line says; None of one that is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def readable(line: str, said: object) -> str:
    """Return a line as the SDK is to see it: it takes a request whose id is none for a notification, and is silent.

    >>> readable('{"id": 1, "method": "ping"}', {"id": 1, "method": "ping"})
    '{"id": 1, "method": "ping"}'
    >>> readable('{"id": null, "method": "ping"}', {"id": None, "method": "ping"})
    '{"id": null}'
    """
    if not isinstance(said, Mapping) or "method" not in said or "id" not in said or is_id(said["id"]):
        return line
    return _NO_ID


_NO_ID: Final = '{"id": null}'


def is_id(id: object) -> bool:
    """Return whether something may be the id of a request.

    >>> is_id(1), is_id("a"), is_id(True), is_id(None)
    (True, True, False, False)
    """
    return isinstance(id, (int, str)) and not isinstance(id, bool)


def _line_of(error: Exception) -> object:
    """Return the unreadable line, or its object where that lacks a part of a message."""
    from pydantic import ValidationError

    told = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    whole = (each["input"] for each in told if each["type"] in ("json_invalid", "missing"))
    return next((each for each in whole if isinstance(each, (str, bytes)) or "id" in each or "method" in each), None)


def _is_text(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


class Answered:
    """A stream of messages, of which those that could not be read are answered and passed over.

    Args:
        inner: the SDK's stream of what a host sends.
        write: the stream of what is sent to it.

    """

    def __init__(self, inner: Any, write: Any) -> None:
        self._inner, self._write = inner, write

    @property
    def last_context(self) -> Any:
        """The context in which the last message came."""
        return self._inner.last_context

    async def __aenter__(self) -> Answered:
        """Enter the stream."""
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> Any:
        """Leave it."""
        return await self._inner.__aexit__(*failure)

    async def aclose(self) -> None:
        """Close it."""
        await self._inner.aclose()

    def __aiter__(self) -> Answered:
        """Give messages one after the other."""
        return self

    async def __anext__(self) -> Any:
        """Return the next message that could be read."""
        return await self._first(self._inner.__anext__)

    async def receive(self) -> Any:
        """Return the next message that could be read, or raise at the end of the stream."""
        return await self._first(self._inner.receive)

    async def _first(self, read: Any) -> Any:
        while isinstance(item := await read(), Exception):
            await self._answer(item)
        return item

    async def _answer(self, error: Exception) -> None:
        from mcp import types
        from mcp.shared.message import SessionMessage

        if (said := refusal(_line_of(error))) is not None:
            id, code, sentence = said
            told = types.ErrorData(code=code, message=sentence)
            await self._write.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=id, error=told)))
