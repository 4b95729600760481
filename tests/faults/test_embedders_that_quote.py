"""What an embedder raises is given on without the key and the text that it quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from byheart import Memory
from byheart.embedding import Fingerprint


class Down:
    """An embedder whose service is away, and says with what it was asked."""

    dimensions = 8
    fingerprint = Fingerprint("down", 8, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        raise ConnectionError(f"401 for https://api/v1?key=sk-abcdefghijklmnop1234 input={texts[0]!r}")

    embed_queries = embed_documents


@pytest.mark.parametrize("policy", [None, "default"])
def test_neither_key_nor_address_is_in_what_comes_back(policy: str | None) -> None:
    memory = Memory(policy=policy, embedder=Down())
    told = memory.ingest_turn("Write to ann@example.com about the harbour.", session_id="s", user_id="u")
    asked, block = memory.recall("harbour of ann@example.com"), memory.context("harbour of ann@example.com", 100)
    for said in (told.degraded, asked.degraded, block.degraded, asked.to_dict()["degraded"]):
        text = str(said)
        assert "the embedder failed (ConnectionError: 401" in text
        assert "sk-abcdef" not in text and "ann@example.com" not in text, text
