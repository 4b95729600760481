"""The requests of a host that have no answer yet: when it says no more, these are answered before the server ends.

The SDK gives up what is under way at the end of the input: a write that was made was answered as failed.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import Any, Final

from .unreadable import is_id, read, readable

PATIENCE: Final = 60.0
"""Seconds that answers may take when the input has ended; a tool has less."""


class Pending:
    """The ids of requests that were read, and not answered."""

    def __init__(self) -> None:
        self._ids: set[int | str] = set()

    async def lines_of(self, host: AsyncIterable[str]) -> AsyncIterator[str]:
        """Give the lines of a host, each as the SDK is to see it, and end when all that they ask is answered."""
        import anyio

        async for line in host:
            said = read(line)
            self._note(said)
            yield readable(line, said)
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                await anyio.sleep(0.005)

    def _note(self, said: object) -> None:
        if not isinstance(said, Mapping) or "method" not in said or "result" in said or "error" in said:
            return  # none of these is answered
        if said["method"] == "notifications/cancelled":  # it may get no answer
            params = said.get("params")
            self._forget(params.get("requestId") if isinstance(params, Mapping) else None)
        elif is_id(said.get("id")):
            self._ids.add(said["id"])

    def answered(self, message: Any) -> None:
        """Take note of a message that was sent to the host."""
        if not hasattr(message, "method"):
            self._forget(getattr(message, "id", None))

    def _forget(self, id: object) -> None:
        if isinstance(id, (int, str)):
            self._ids.discard(id)


class Noted:
    """A stream of messages to a host, of which those that answer are noted.

    Args:
        inner: the SDK's stream.
        pending: what has no answer yet.

    """

    def __init__(self, inner: Any, pending: Pending) -> None:
        self._inner, self._pending = inner, pending

    def __getattr__(self, name: str) -> Any:
        """Return what else the stream has."""
        return getattr(self._inner, name)

    async def __aenter__(self) -> Noted:
        """Enter the stream."""
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> Any:
        """Leave it."""
        return await self._inner.__aexit__(*failure)

    async def send(self, item: Any) -> None:
        """Send a message."""
        await self._inner.send(item)
        self._pending.answered(item.message)
