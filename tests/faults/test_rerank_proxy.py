"""A reranker and proxies: no key and no text goes through one that nobody asked for."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from byheart.errors import InvalidArgument, RerankFailed

from . import http_server as other

pytest.importorskip("httpx2", reason="the extra rerank is not installed")

from byheart.ranking.rerank.client import HttpReranker, _may_be_proxied
from byheart.ranking.rerank.protocol import Scored

KEY = "sk-canary-0123456789"
GOOD = {"results": [{"index": 0, "relevance_score": 0.9}]}
SCORED = [Scored(0, 0.9)]
VARIABLES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


class Listener:
    """A proxy that notes what it is sent, and answers nothing of use."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(0.3)
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def heard(self) -> bytes:
        """Return the beginning of what was sent; nothing if nobody came.

        The environment is that of the whole process: what a library of another test reports somewhere does not count.
        """
        said = b"CONNECT mobile.events.data.microsoft.com"
        while said.startswith(b"CONNECT mobile.events.data.microsoft.com"):
            try:
                connection, _ = self.socket.accept()
            except TimeoutError:
                return b""
            with connection:
                said = connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        return said


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Have the environment name a proxy for everything."""
    made = Listener()
    for name in VARIABLES:
        monkeypatch.setenv(name, made.address)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with made.socket:
        yield made


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("allow_http", [False, True])
def test_this_machine_is_asked_directly(proxy: Listener, host: str, allow_http: bool) -> None:
    with other.serving(other.answer(GOOD)) as server:
        endpoint = server.endpoint.replace("127.0.0.1", host)
        with HttpReranker(api_key=KEY, endpoint=endpoint, allow_http=allow_http) as reranker:
            assert reranker.scores("tea?", ["the private text"]) == SCORED
    assert proxy.heard() == b""


@pytest.mark.parametrize(
    "endpoint",
    ["http://10.0.0.1:9/", "https://192.168.1.9:9/", "https://[fd00::1]:9/", "http://example.com:9/",
     "https://gpu:9/", "https://rerank.internal:9/", "https://box.local:9/", "https://169.254.1.1:9/"],
)  # fmt: skip
def test_near_and_unencrypted_addresses_take_no_proxy_of_the_environment(proxy: Listener, endpoint: str) -> None:
    assert not _may_be_proxied(endpoint)
    with HttpReranker(api_key=KEY, endpoint=endpoint, allow_http=True, timeout=0.2) as reranker:
        reranker._opened()  # making a client takes time of its own
        with pytest.raises(RerankFailed):
            reranker.scores("tea?", ["the private text"])
    assert proxy.heard() == b""


def test_the_internet_may_be_reached_through_the_proxy_of_the_environment(proxy: Listener) -> None:
    with HttpReranker(api_key=KEY, endpoint="https://rerank.example.com/v1", timeout=0.2) as reranker:
        reranker._opened()  # making a client takes time of its own
        with pytest.raises(RerankFailed):
            reranker.scores("tea?", ["the private text"])
    said = proxy.heard()
    assert said.startswith(b"CONNECT rerank.example.com:443 ")
    assert KEY.encode() not in said
    assert b"private" not in said


def test_a_proxy_that_was_asked_for_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    with other.serving(other.answer(GOOD)) as server:
        through = server.endpoint.removesuffix("/rerank").replace("//", "//ada:pass-canary@")
        with HttpReranker("tei", endpoint="http://10.255.255.1/rerank", proxy=through) as reranker:
            assert "canary" not in repr(reranker)
            assert "canary" not in repr(vars(reranker))
            with pytest.raises(RerankFailed, match="invalid shape"):  # it came, and tei answers in another form
                reranker.scores("tea?", ["text"])
    assert server.requests[0].path == "http://10.255.255.1/rerank"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.1", "example.com"])
def test_a_key_goes_through_no_proxy_unencrypted(host: str) -> None:
    with pytest.raises(InvalidArgument, match="http:// would send the key unencrypted"):
        HttpReranker(api_key=KEY, endpoint=f"http://{host}:9/", proxy="http://127.0.0.1:9")
    HttpReranker(api_key=KEY, endpoint=f"http://{host}:9/", proxy="http://127.0.0.1:9", allow_http=True).close()
    HttpReranker(api_key=KEY, endpoint=f"https://{host}:9/", proxy="http://127.0.0.1:9").close()


@pytest.mark.parametrize("wrong", ["", "proxy:3128", "ftp://proxy", "http://", "http://[", "http://a:b@c:port-canary"])
def test_what_is_no_proxy_is_refused_and_not_shown(wrong: str) -> None:
    with pytest.raises(InvalidArgument, match="proxy: is no address") as caught:
        HttpReranker(api_key=KEY, proxy=wrong)
    assert "canary" not in str(caught.value)
    with pytest.raises(TypeError, match="proxy must be str"):
        HttpReranker(api_key=KEY, proxy=3)  # type: ignore[arg-type]
