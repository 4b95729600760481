"""One kept HTTP client, and calls to it that end on time.

The client runs in an event loop, in a thread of its own; callers wait for their answer as long as they may, then cancel
the request. So the limit is one of wall clock and holds for all of a call: looking the host up, connecting, sending,
waiting, and reading a body however slowly it drips. Time limits of sockets begin anew with every byte that arrives.

Bodies are asked for plain and read as they come, up to a limit: nothing is ever inflated. Redirects are not followed.
What goes wrong comes back as a few words made here, not as an exception: the client's carry the request, and any
traceback the frames that held it, and with it the key. For the same reason the client's log is silent in this thread:
it quotes addresses and answers, and an answer may quote the key.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import ssl
import threading
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

THREAD: Final = "byheart-rerank"
FAREWELL: Final = 1.0
"""Seconds that closing waits for the loop to end."""


_LOGGERS: Final = ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))


class Channel:
    """A client in a loop in a thread, which starts at once.

    Args:
        httpx: the module httpx2.
        most_bytes: the longest body that is read.
        verify: how the other side's certificate is checked; True for the system's own trust.
        proxy: what requests go through; None for nothing, or for what the environment names.
        environment: whether the environment may name a proxy.

    """

    def __init__(
        self,
        httpx: ModuleType,
        most_bytes: int,
        verify: ssl.SSLContext | bool,
        proxy: str | None = None,
        *,
        environment: bool,
    ) -> None:
        self._httpx, self._most_bytes, self._process = httpx, most_bytes, os.getpid()
        trust = (
            httpx.create_ssl_context() if verify is True else verify
        )  # what the environment says of authorities stands
        self._client = httpx.AsyncClient(
            verify=trust, follow_redirects=False, proxy=proxy, trust_env=environment and proxy is None
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=THREAD, daemon=True)
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(_of_others)
        self._thread.start()

    @property
    def usable(self) -> bool:
        """Return whether this is the process that opened it: neither threads nor connections survive a fork."""
        return self._process == os.getpid()

    def post(self, url: str, headers: Mapping[str, str], content: bytes, until: float) -> bytes | str:
        """Return the body of an answer with status 200; or, as a str, why there is none until then. Never raises.

        Args:
            url: where to.
            headers: of the request.
            content: its body.
            until: when to give up, on `time.monotonic()`.

        """
        left = until - time.monotonic()
        if left <= 0.0:
            return "timeout"
        work = self._request(url, {**headers, "Accept-Encoding": "identity"}, content, left)
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            return "the reranker was closed"
        try:
            return future.result(until - time.monotonic())
        except concurrent.futures.TimeoutError:
            return "timeout"
        except concurrent.futures.CancelledError:
            return "the reranker was closed"
        finally:
            future.cancel()

    async def _request(self, url: str, headers: dict[str, str], content: bytes, left: float) -> bytes | str:
        """Return the body, or what went wrong."""
        try:
            async with self._client.stream("POST", url, headers=headers, content=content, timeout=left) as response:
                return await self._body(response)
        except (self._httpx.TimeoutException, TimeoutError):
            return "timeout"
        except Exception as error:  # the class alone: messages may quote headers, and attributes hold them
            return f"network error ({type(error).__name__})"

    async def _body(self, response: Any) -> bytes | str:
        if response.is_redirect:
            return f"HTTP {response.status_code}: a redirect, which is not followed"
        if response.status_code != 200:
            return f"HTTP {response.status_code}"
        if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            return "invalid shape: a compressed body, which was not asked for"
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > self._most_bytes:
                return f"invalid shape: more than {self._most_bytes} bytes"
        return bytes(body)

    def close(self) -> None:
        """End requests under way, close connections, and stop the thread; once closed, nothing happens."""
        if not self.usable or not self._thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._wind_up(), self._loop)
        self._thread.join(FAREWELL)
        if not self._thread.is_alive():
            self._loop.close()

    async def _wind_up(self) -> None:
        try:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.wait_for(asyncio.gather(*others, return_exceptions=True), FAREWELL / 2)
            await asyncio.wait_for(self._client.aclose(), FAREWELL / 2)
        finally:
            self._loop.stop()


def _of_others(record: logging.LogRecord) -> bool:
    """Let pass what other threads log."""
    return threading.current_thread().name != THREAD
