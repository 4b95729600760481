"""What the tests of a reranker's server share: rerankers that ask this machine and are closed after the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from . import http_server as other
    from .reranking import HttpReranker, Open


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask this machine directly, whatever the environment says of proxies; and take no key from it."""
    from byheart.ranking.rerank.client import KEY_VARIABLE  # here: only some of the tests need the extra

    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


@pytest.fixture
def opened(no_proxy: None) -> Iterator[Open]:
    """Open rerankers that are closed after the test; short of time."""
    from .reranking import KEY, HttpReranker

    made: list[HttpReranker] = []

    def make(server: other.Server, provider: str = "jina", **settings: Any) -> HttpReranker:
        defaults = {"api_key": KEY, "model": "m", "endpoint": server.endpoint, "timeout": 20.0}
        made.append(HttpReranker(provider, **{**defaults, **settings}))
        return made[-1]

    yield make
    for reranker in made:
        reranker.close()
