"""A reranker behind HTTP: one request a recall, within a time limit that holds for all of it.

The law: it answers or fails before its caller's deadline, and its key is in the request's header and nowhere
else. Not for: retrying, or asking in turn; whoever needs scores at any price asks again.
"""
# docs/sources.md: A2.3.9.

from __future__ import annotations

import json
import math
import os
import ssl
import threading
import time
import weakref
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final, NoReturn, Self
from urllib.parse import urlsplit

from ...embedding.extras import import_extra
from ...embedding.protocol import check_texts
from ...errors import InvalidArgument, LimitExceeded, RerankFailed
from ...validation import MAX_QUERY_BYTES, check_number, check_text, shortly
from . import providers
from .channel import Channel
from .protocol import RESERVE, Scored, time_left
from .secret import Secret

KEY_VARIABLE: Final = "BYHEART_RERANK_API_KEY"
MAX_DOCUMENTS: Final = 1_000
MAX_RESPONSE_BYTES: Final = 8_000_000

_NEAR: Final = (".localhost", ".local", ".internal", ".lan", ".home.arpa")  # names that the internet does not have

_LEFT_BEHIND: list[Channel] = []
# After a fork the parent's channels are kept here, untouched: to tidy one up would reach into what both share.


class HttpReranker:
    """Asks a provider; a `Reranker`. Threads may share it; a forked child opens connections of its own.

    Args:
        provider: a name out of `providers.names()`.
        api_key: the key; without it, that of the environment variable BYHEART_RERANK_API_KEY. Without either every
            call fails with the reason "no API key", unless the provider needs none.
        model: the provider's name of a model; by default jina-reranker-v3, where the provider is jina.
        endpoint: where to ask; by default Jina's, where the provider is jina. Other providers have none.
        timeout: seconds that a call may take in all, from looking up the host to the last byte of the answer.
        reserve: seconds to leave before a caller's deadline.
        max_response_bytes: the longest answer that is read.
        allow_http: send a key unencrypted to another machine; without it only to this one, and through no proxy.
        verify: how certificates are checked: an `ssl.SSLContext` for a certificate authority of one's own.
        proxy: the address of a proxy that requests go through. Without it, one that the environment names (such as
            HTTPS_PROXY) is used for https:// on the internet alone: never for this machine, for private addresses and
            names, or for anything that is not encrypted.

    Raises:
        UnknownProvider: there is no provider of this name.
        InvalidArgument: a setting is outside its range; never shows the key.
        MissingExtra: httpx2 is not installed.

    >>> with HttpReranker(api_key="sk-123") as reranker:
    ...     reranker
    HttpReranker('jina', model='jina-reranker-v3', endpoint='https://api.jina.ai/v1/rerank', timeout=5.0)

    """

    def __init__(
        self,
        provider: str = "jina",
        *,
        api_key: str | None = None,
        model: str | None = None,
        endpoint: str | None = None,
        timeout: float = 5.0,
        reserve: float = RESERVE,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        allow_http: bool = False,
        verify: ssl.SSLContext | None = None,
        proxy: str | None = None,
    ) -> None:
        self._provider = providers.provider(provider)
        key = os.environ.get(KEY_VARIABLE) if api_key is None else api_key
        self._key = Secret(key) if key else None
        self._model = _given("model", model, self._provider.model, provider)
        self._endpoint = _given("endpoint", endpoint, self._provider.endpoint, provider)
        self._proxy = None if proxy is None else Secret(_checked_proxy(proxy))  # it may hold a password
        _check_endpoint(
            self._endpoint, encrypted=self._key is not None and not allow_http, proxied=self._proxy is not None
        )
        self._timeout, self._reserve = _positive("timeout", timeout), _positive("reserve", reserve)
        self._most_bytes = int(_positive("max_response_bytes", max_response_bytes))
        self._verify: ssl.SSLContext | bool = True if verify is None else verify
        self._httpx = import_extra("httpx2", "rerank")
        self._lock, self._process = threading.Lock(), os.getpid()
        self._channel: Channel | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """Return provider and model, as replies and receipts show them."""
        return f"{self._provider.name}:{self._model}"

    def __repr__(self) -> str:
        shown = urlsplit(self._endpoint)._replace(query="", fragment="").geturl()
        return (
            f"HttpReranker({self._provider.name!r}, model={self._model!r}, endpoint={shown!r}, timeout={self._timeout})"
        )

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> list[Scored]:
        """Return the provider's scores, in its order; documents that it left out are not among them.

        Args:
            query: at most 1 MB.
            documents: at most 1,000 texts.
            deadline: the caller's, on `time.monotonic()`; the call ends at least `reserve` seconds before it.

        Raises:
            RerankFailed: "timeout", "HTTP 503", "network error (...)", "invalid shape: ...", "no API key", or that it
                was closed.
            TypeError, InvalidArgument, LimitExceeded: a text is no str, holds a lone surrogate, or there is too much.

        """
        until = time.monotonic() + self._timeout
        check_text("query", query, MAX_QUERY_BYTES)
        texts = check_texts(documents)
        if len(texts) > MAX_DOCUMENTS:
            raise LimitExceeded(f"documents: {len(texts)} are over the limit of {MAX_DOCUMENTS}")
        if not texts:
            return []
        if self._key is None and self._provider.key_required:
            raise RerankFailed("no API key")
        if deadline is not None:
            until = min(until, time.monotonic() + time_left(deadline, reserve=self._reserve))
        channel = self._opened()
        found = self._asked(channel, providers.Request(self._model, query, texts, len(texts)), until)
        if isinstance(found, str):
            raise RerankFailed(found)
        return found

    def _asked(self, channel: Channel, request: providers.Request, until: float) -> list[Scored] | str:
        """Return scores, or why there are none: frames that knew the key, or an answer, are in no traceback."""
        headers, body = self._provider.build(request, self._key.reveal() if self._key else None)
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        answer = channel.post(self._endpoint, headers, content, until)
        if isinstance(answer, str):
            return answer
        try:
            data: Any = json.loads(answer)
        except (ValueError, RecursionError):
            return "invalid shape: no JSON"
        try:
            found = self._provider.parse(data)
        except Exception as error:  # a registered provider's own code
            return f"invalid shape: the parser raised {type(error).__name__}"
        return f"invalid shape: not what {self._provider.name} answers" if found is None else found

    def _opened(self) -> Channel:
        """Return the channel of this process."""
        if self._process != os.getpid():  # a fork: the lock may be held by a thread that is not here
            self._lock, self._process = threading.Lock(), os.getpid()
        with self._lock:
            if self._closed:
                raise RerankFailed("the reranker was closed")
            if self._channel is not None and not self._channel.usable:
                _LEFT_BEHIND.append(self._channel)
                self._channel = None
            if self._channel is None:
                self._channel = Channel(
                    self._httpx,
                    self._most_bytes,
                    self._verify,
                    None if self._proxy is None else self._proxy.reveal(),
                    environment=_may_be_proxied(self._endpoint),
                )
                weakref.finalize(self, self._channel.close)  # whoever forgets to close leaves no thread behind
            return self._channel

    def close(self) -> None:
        """End requests under way and close connections; a closed reranker fails."""
        if self._process != os.getpid():
            self._lock, self._process = threading.Lock(), os.getpid()
        with self._lock:
            self._closed = True
            if self._channel is not None:
                self._channel.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a reranker is not pickled or copied: it holds a key and connections; open another")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _given(what: str, value: str | None, default: str, provider: str) -> str:
    chosen = default if value is None else value
    if not isinstance(chosen, str):
        raise TypeError(f"{what} must be str, not {type(chosen).__name__}")
    if not chosen:
        raise InvalidArgument(f"{what}: the provider {provider} has no default; say which")
    return chosen


def _positive(what: str, value: float) -> float:
    number = check_number(what, value)
    if not 0.0 < number < math.inf:
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must be above 0 and finite")
    return number


def _check_endpoint(endpoint: str, *, encrypted: bool, proxied: bool) -> None:
    """Refuse what is no HTTP address, or would show a key to whoever listens."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https"):
        raise InvalidArgument("endpoint: is no address that begins with https://")
    if parts.username is not None or parts.password is not None:
        raise InvalidArgument("endpoint: holds a user name or password; give a key as api_key")
    if encrypted and parts.scheme == "http" and (proxied or not _is_this_machine(host)):
        raise InvalidArgument("endpoint: http:// would send the key unencrypted; use https://, or allow_http=True")


def _checked_proxy(proxy: str) -> str:
    """Return the address of a proxy; a message never shows it, since it may hold a password."""
    if not isinstance(proxy, str):
        raise TypeError(f"proxy must be str, not {type(proxy).__name__}")
    try:
        parts = urlsplit(proxy)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https", "socks5", "socks5h"):
        raise InvalidArgument("proxy: is no address that begins with http://, https:// or socks5://")
    return proxy


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _may_be_proxied(endpoint: str) -> bool:
    """Return whether a proxy that the environment names may be used: for what is encrypted, and not near by."""
    parts = urlsplit(endpoint)
    host = (parts.hostname or "").rstrip(".")
    try:
        near = not ip_address(host).is_global
    except ValueError:
        near = "." not in host or host.endswith(_NEAR)
    return parts.scheme == "https" and not near
