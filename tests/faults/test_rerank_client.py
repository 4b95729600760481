"""The client of a reranker's server: its key, its settings, its end, and whose certificate it believes."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import InvalidArgument, LimitExceeded, UnknownProvider

from . import http_server as other

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("httpx2", reason="the extra rerank is not installed")

from byheart.ranking.rerank.client import KEY_VARIABLE, HttpReranker
from byheart.ranking.rerank.protocol import Scored

from .reranking import GOOD, KEY, TEXTS, Open, failure

pytestmark = pytest.mark.usefixtures("no_proxy")

# ---- the key


def test_the_environment_may_hold_the_key(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "from-the-environment")
    with other.serving(other.answer(GOOD)) as server:
        opened(server, api_key=None).scores("tea?", TEXTS)
        opened(server).scores("tea?", TEXTS)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == ["Bearer from-the-environment", f"Bearer {KEY}"]


@pytest.mark.parametrize("key", [None, ""])
def test_without_a_key_nothing_is_sent(opened: Open, key: str | None) -> None:
    with other.serving(other.answer(GOOD)) as server:
        assert failure(opened(server, api_key=key)).reason == "no API key"
    assert not server.connections


def test_a_server_of_ones_own_needs_no_key(opened: Open) -> None:
    with other.serving(other.answer([{"index": 2, "score": 0.5}])) as server:
        assert opened(server, "tei", api_key=None).scores("tea?", TEXTS) == [Scored(2, 0.5)]
    assert "authorization" not in server.requests[0].headers
    assert server.requests[0].body == {"query": "tea?", "texts": TEXTS}


@pytest.mark.parametrize("key", ["sk canary", "sk-canary\n", "sk-canary\r\nX-Other: 1", "sk-canäry", "sk-canary\0"])
def test_a_key_that_no_header_can_carry_is_refused_unshown(key: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        HttpReranker(api_key=key)
    assert "canary" not in str(caught.value) and "canäry" not in str(caught.value)


def test_a_key_is_neither_shown_nor_pickled() -> None:
    import copy
    import pickle

    with HttpReranker(api_key=KEY) as reranker:
        assert KEY not in repr(vars(reranker))
        for attempt in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match="reranker") as caught:
                attempt(reranker)
            assert KEY not in str(caught.value)


def test_an_endpoints_query_is_not_shown() -> None:
    with HttpReranker(api_key=KEY, endpoint=f"https://example.org/rerank?key={KEY}#{KEY}") as reranker:
        assert KEY not in repr(reranker)
        assert "example.org/rerank" in repr(reranker)


# ---- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"endpoint": "http://example.org/rerank", "api_key": KEY}, "would send the key unencrypted"),
        ({"endpoint": "http://127.0.0.1.example.org/rerank", "api_key": KEY}, "would send the key unencrypted"),
        ({"endpoint": f"https://user:{KEY}@example.org/"}, "holds a user name or password"),
        ({"endpoint": "ftp://example.org/"}, "no address"),
        ({"endpoint": "https:///rerank"}, "no address"),
        ({"endpoint": "https://example.org:99999/"}, "no address"),
        ({"endpoint": "https://[::1/"}, "no address"),
        ({"provider": "voyage", "model": "rerank-2"}, "endpoint: the provider voyage has no default"),
        ({"provider": "voyage", "endpoint": "https://example.org"}, "model: the provider voyage has no default"),
        ({"timeout": 0.0}, "timeout: is 0.0"),
        ({"timeout": float("nan")}, "timeout: is nan"),
        ({"timeout": float("inf")}, "timeout: is inf"),
        ({"reserve": -1.0}, "reserve: is -1.0"),
        ({"max_response_bytes": 0}, "max_response_bytes: is 0"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        HttpReranker(**settings)
    assert KEY not in str(caught.value)


def test_an_unknown_provider_is_told_which_there_are() -> None:
    with pytest.raises(UnknownProvider, match="'cohere' is not registered; there are jina, siliconflow, pinecone"):
        HttpReranker("cohere")


@pytest.mark.parametrize("endpoint", ["http://localhost:1/", "http://[::1]:1/", "http://127.0.0.1:1/"])
def test_this_machine_may_be_asked_unencrypted(endpoint: str) -> None:
    HttpReranker(api_key=KEY, endpoint=endpoint).close()


def test_another_may_be_if_one_says_so() -> None:
    HttpReranker(api_key=KEY, endpoint="http://rerank.internal/", allow_http=True).close()
    HttpReranker("tei", endpoint="http://rerank.internal/").close()


def test_texts_are_checked_before_anything_is_sent(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        reranker = opened(server)
        for wrong, error in ((["a\ud800"], InvalidArgument), ("text", TypeError), ([1], TypeError)):
            with pytest.raises(error):
                reranker.scores("tea?", wrong)
        with pytest.raises(LimitExceeded):
            reranker.scores("tea?", ["a"] * 1_001)
        with pytest.raises(LimitExceeded):
            reranker.scores("a" * 1_000_001, ["a"])
    assert not server.connections


# ---- the end


def test_a_closed_reranker_fails(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        with opened(server) as reranker:
            reranker.scores("tea?", TEXTS)
        reranker.close()
        assert failure(reranker).reason == "the reranker was closed"


def test_closing_ends_what_is_under_way(opened: Open) -> None:
    asked = threading.Event()

    def behave(connection: Any, server: other.Server, request: other.Request) -> None:
        asked.set()
        server.released.wait()

    with other.serving(behave) as server, ThreadPoolExecutor(1) as pool:
        reranker = opened(server, timeout=60.0)
        waiting = pool.submit(failure, reranker)
        assert asked.wait(20.0)
        before = time.monotonic()
        reranker.close()
        assert waiting.result(20.0).reason == "the reranker was closed"
        assert time.monotonic() - before < 20.0


def test_no_thread_is_left_behind(opened: Open) -> None:
    def threads() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name == "byheart-rerank"]

    with other.serving(other.answer(GOOD)) as server:
        closed = HttpReranker(api_key=KEY, endpoint=server.endpoint, timeout=20.0)
        forgotten = HttpReranker(api_key=KEY, endpoint=server.endpoint, timeout=20.0)
        for reranker in (closed, forgotten):
            reranker.scores("tea?", TEXTS)
        assert len(threads()) == 2
        closed.close()
        del forgotten, reranker
        assert not threads()


# ---- certificates


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a certificate for 127.0.0.1 that nobody trusts, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the command openssl, to make a certificate")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


def test_certificates_are_checked(opened: Open, certificate: Path) -> None:
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(certificate)
    with other.serving(other.answer(GOOD), tls=theirs) as server:
        endpoint = server.endpoint.replace("http:", "https:")
        assert failure(opened(server, endpoint=endpoint)).reason == "network error (ConnectError)"
        assert not server.requests
        ours = ssl.create_default_context(cafile=f"{certificate}.crt")
        assert len(opened(server, endpoint=endpoint, verify=ours).scores("tea?", TEXTS)) == 2
