"""A reranker to ask and what it is asked: what the tests of its server share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from byheart.errors import RerankFailed

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("httpx2", reason="the extra rerank is not installed")

from byheart.ranking.rerank.client import HttpReranker

KEY = "sk-canary-0123456789"
FOR_EVER = 3.0  # seconds; the limits below are a tenth of it
TEXTS = ["hot tea", "a cat", "the mat"]
GOOD = {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}

Open = Callable[..., HttpReranker]


def failure(reranker: HttpReranker, **options: Any) -> RerankFailed:
    with pytest.raises(RerankFailed) as caught:
        reranker.scores("tea?", TEXTS, **options)
    return caught.value
