"""A reranker's server that stalls, drips, lies or dies: a typed failure, on time, in which no key can be found.

Bounds on time here are no assertions of speed: what is bounded would go on for ever.
"""

from __future__ import annotations

import gzip
import logging
import os
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import pytest

from byheart.errors import RerankFailed
from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import join
from byheart.ranking.rerank.stage import Rerank
from byheart.records import Record

from . import http_server as other

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("httpx2", reason="the extra rerank is not installed")

from byheart.ranking.rerank.protocol import Scored

from .reranking import FOR_EVER, GOOD, KEY, TEXTS, Open, failure

pytestmark = pytest.mark.usefixtures("no_proxy")

# ---- answers


def test_a_request_and_its_answer(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        assert opened(server).scores("tea?", TEXTS) == [Scored(1, 0.9), Scored(0, 0.1)]
    (request,) = server.requests
    assert request.path == "/rerank"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.body == {"model": "m", "query": "tea?", "documents": TEXTS, "top_n": 3}


def test_any_language_arrives(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        opened(server).scores("茶は？", ["☕", 'a "quote"\n', "é"])
    assert server.requests[0].body["documents"] == ["☕", 'a "quote"\n', "é"]


def test_a_connection_is_kept(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        reranker = opened(server)
        for _ in range(5):
            reranker.scores("tea?", TEXTS)
        assert (server.connections, len(server.requests)) == (1, 5)


def test_nothing_is_asked_about_nothing(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        assert opened(server).scores("tea?", []) == []
    assert not server.requests


def test_threads_get_their_own_answers(opened: Open) -> None:
    def echo(connection: Any, server: other.Server, request: other.Request) -> None:
        score = float(request.body["query"])
        other.answer({"results": [{"index": 0, "relevance_score": score}]})(connection, server, request)

    with other.serving(echo) as server, ThreadPoolExecutor(8) as pool:
        reranker = opened(server)
        answers = pool.map(lambda number: reranker.scores(str(number), ["text"]), range(40))
        assert [answer[0].score for answer in answers] == [float(number) for number in range(40)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_asks_for_itself(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        reranker = opened(server)
        expected = reranker.scores("tea?", TEXTS)
        child = os.fork()
        if child == 0:
            right = False
            try:
                right = reranker.scores("tea?", TEXTS) == expected
            finally:
                os._exit(0 if right else 1)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert reranker.scores("tea?", TEXTS) == expected
        assert server.connections == 2


@pytest.mark.parametrize("content_type", ["text/plain", "application/problem+json", "nonsense"])
def test_the_content_type_does_not_matter_where_the_content_is_right(opened: Open, content_type: str) -> None:
    with other.serving(other.answer(GOOD, headers=f"Content-Type: {content_type}\r\n")) as server:
        assert len(opened(server).scores("tea?", TEXTS)) == 2


def test_lies_about_indices_and_scores_come_through_as_they_are(opened: Open) -> None:
    """What they do to scores is for `apply` to say."""
    body = (
        b'{"results": [{"index": 9, "relevance_score": 1}, {"index": -1, "relevance_score": 1},'
        b' {"index": 0, "relevance_score": NaN}, {"index": 0, "relevance_score": 1e999}, {"index": 1.0,'
        b' "relevance_score": 0.5}, {"index": true, "relevance_score": 1}, {"relevance_score": 1}, 7]}'
    )
    with other.serving(other.answer(body)) as server:
        found = opened(server).scores("tea?", TEXTS)
    assert [each.index for each in found] == [9, -1, 0, 0, 1]
    assert str([each.score for each in found]) == "[1.0, 1.0, nan, inf, 0.5]"


# ---- failures

FAILURES: dict[str, tuple[other.Behaviour, str]] = {
    "stalls": (other.stall, "timeout"),
    "drips its headers": (other.drip(b"HTTP/1.1 200 OK\r\nX: "), "timeout"),
    "drips its body": (other.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), "timeout"),
    "drips without a length": (other.drip(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), "timeout"),
    "never ends": (other.flood, "invalid shape: more than 1000000 bytes"),
    "closes in the middle": (other.cut, "network error (RemoteProtocolError)"),
    "speaks no HTTP": (other.drip(b"SSH-2.0-OpenSSH\r\n\r\n"), "network error (RemoteProtocolError)"),
    "refuses the key": (other.answer({"detail": KEY}, status=f"401 {KEY}"), "HTTP 401"),
    "has had enough": (other.answer(b"slow down", status="429 Too Many Requests"), "HTTP 429"),
    "is broken": (other.answer(b"<html>", status="500 Internal Server Error"), "HTTP 500"),
    "is away": (other.answer(b"", status="503 Service Unavailable"), "HTTP 503"),
    "has another success": (other.answer(GOOD, status="202 Accepted"), "HTTP 202"),
    "answers in HTML": (other.answer(b"<html>", headers="Content-Type: text/html\r\n"), "invalid shape: no JSON"),
    "answers in no JSON": (other.answer(KEY.encode() + b"\xff"), "invalid shape: no JSON"),
    "answers nothing": (other.answer(b""), "invalid shape: no JSON"),
    "nests without end": (other.answer(b"[" * 500_000), "invalid shape: no JSON"),
    "answers as another does": (other.answer({"data": []}), "invalid shape: not what jina answers"),
    "answers an object": (other.answer({"results": {"index": 0}}), "invalid shape: not what jina answers"),
    "gives no index": (other.answer({"results": [{"relevance_score": 1}]}), "invalid shape: not what jina answers"),
    "compresses": (
        other.answer(gzip.compress(b" " * 10_000_000), headers="Content-Encoding: gzip\r\n"),
        "invalid shape: a compressed body, which was not asked for",
    ),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_is_typed_and_on_time_and_holds_no_key(
    opened: Open, case: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    behaviour, reason = FAILURES[case]
    caplog.set_level(logging.DEBUG)
    with other.serving(behaviour) as server:
        reranker = opened(server, timeout=0.3 if reason == "timeout" else 20.0, max_response_bytes=1_000_000)
        before = time.monotonic()
        error = failure(reranker)
        assert time.monotonic() - before < (FOR_EVER if reason == "timeout" else 20.0)
        assert error.reason == str(error) == reason
        assert len(server.requests) == 1, "the request did not arrive; what followed proves nothing"
        told = [repr(reranker), str(reranker), reranker.name, caplog.text, *capfd.readouterr(), *whole(error)]
    assert not [text for text in told if KEY in text]
    assert len(told) > 8, "there was too little to look at"


def whole(error: BaseException | None) -> Iterator[str]:
    """Give everything that a report of an error could show: it, what it came from, and the frames with their locals."""
    while error is not None:
        yield from (str(error), repr(error), repr(vars(error)), *traceback.format_exception(error))
        yield from map(repr, error.args)
        yield from locals_of(error.__traceback__)
        error = error.__cause__ or error.__context__


def locals_of(at: TracebackType | None) -> Iterator[str]:
    while at is not None:
        if "byheart" in at.tb_frame.f_globals["__name__"]:
            for name, value in at.tb_frame.f_locals.items():
                yield f"{name} = {value!r}"
        at = at.tb_next


def test_the_looking_for_keys_finds_them() -> None:
    key = KEY

    def leak() -> None:
        raise RerankFailed(f"of {key}")

    with pytest.raises(RerankFailed) as caught:
        leak()
    assert [text for text in whole(caught.value) if KEY in text]


def test_the_clients_log_is_silent_about_us_alone(opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    import httpx2

    caplog.set_level(logging.DEBUG)
    with other.serving(other.answer(GOOD)) as server:
        opened(server).scores("tea?", TEXTS)
        httpx2.post(server.endpoint, json={})
    assert [record.name for record in caplog.records].count("httpx2") == 1


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_is_not_followed(opened: Open, status: str) -> None:
    with other.serving(other.answer(GOOD)) as thief:
        headers = f"Location: {thief.endpoint}\r\n"
        with other.serving(other.answer(b"", status=status, headers=headers)) as server:
            assert failure(opened(server)).reason == f"HTTP {status[:3]}: a redirect, which is not followed"
    assert not thief.connections


def test_nobody_there(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        pass
    assert failure(opened(server)).reason == "network error (ConnectError)"


def test_it_recovers(opened: Open) -> None:
    with other.serving(other.stall) as server:
        reranker = opened(server, timeout=0.2)
        assert failure(reranker).reason == "timeout"
        server.behaviour = other.answer(GOOD)
        reranker._timeout = 20.0  # not to depend on how busy the machine is
        assert len(reranker.scores("tea?", TEXTS)) == 2


# ---- deadlines


def test_a_caller_with_a_deadline_gets_its_time_for_the_fallback(opened: Open) -> None:
    with other.serving(other.stall) as server:
        reranker = opened(server, timeout=60.0, reserve=0.2)
        before = time.monotonic()
        assert failure(reranker, deadline=before + 0.5).reason == "timeout"
        assert time.monotonic() - before < FOR_EVER


def test_the_reserve_is_kept_free(opened: Open) -> None:
    with other.serving(other.answer(GOOD)) as server:
        reranker = opened(server, reserve=100.0)
        assert failure(reranker, deadline=time.monotonic() + 99.0).reason == "timeout: no time was left to rerank in"
    assert not server.connections


def test_a_deadline_does_not_make_the_timeout_longer(opened: Open) -> None:
    with other.serving(other.stall) as server:
        before = time.monotonic()
        assert failure(opened(server, timeout=0.2), deadline=before + 60.0).reason == "timeout"
        assert time.monotonic() - before < FOR_EVER


def test_a_recall_goes_on_with_cosines(opened: Open) -> None:
    records = {text: Record(text=text) for text in TEXTS}
    table = join({"lexical": [(text, 1.0) for text in TEXTS]}).scored("words", "add", [0.9, 0.7, 0.5])
    before = time.monotonic()
    about = StageContext(
        now=0.0, k=3, records=records, query_vector=[1.0], vector_of=lambda id: [1.0], deadline=before + 0.5
    )
    with other.serving(other.stall) as server:
        after = Rerank(opened(server, timeout=60.0))(table, about)
    assert time.monotonic() - before < FOR_EVER
    assert after.degraded == ("rerank by jina:m failed (timeout): cosine instead",)
    assert after.ids == tuple(TEXTS)
    assert after.columns["score"] == (0.7 * 0.9 + 0.3, 0.7 * 0.7 + 0.3, 0.7 * 0.5 + 0.3)
