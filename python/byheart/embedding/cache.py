"""The cache of embeddings: vectors that were made lately, so that the same text is not embedded twice."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np

from ..errors import InvalidArgument
from .checked import checked_rows
from .fingerprint import Fingerprint
from .protocol import Embedder, Mode, Vectors, check_texts

_Key = tuple[bytes, Mode, str]  # SHA-256 of the text, what it is embedded as, the model's fingerprint


class CachedEmbedder:
    """An embedder that remembers the vectors used last.

    It keeps the text's SHA-256, never the text; what it is given should be redacted already, as everything that reaches
    an embedder is. Its vectors, and its fingerprint, are those of `inner`. All texts of a call that are not remembered
    go to `inner` in one call, each once; when that fails nothing is remembered. May be used by many threads: two that
    miss the same text at the same time both embed it.

    Args:
        inner: the embedder that does the work.
        capacity: how many vectors are kept, at least 1; the one unused longest goes first. A vector takes 4 bytes a
            dimension and some 300 for itself.
        ttl: seconds after which a vector is made anew, above 0; None for never.
        clock: returns seconds that never go back; read only if there is a `ttl`.

    Raises:
        InvalidArgument: capacity or ttl are outside their range.

    >>> from byheart.embedding import HashingEmbedder
    >>> cached = CachedEmbedder(HashingEmbedder(64))
    >>> rows = cached.embed_queries(["kettle", "kettle", "fox"])
    >>> cached.hits, cached.misses
    (1, 2)

    """

    def __init__(
        self,
        inner: Embedder,
        capacity: int = 10_000,
        ttl: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start empty."""
        if isinstance(capacity, bool) or not isinstance(capacity, int):
            raise TypeError(f"capacity must be int, not {type(capacity).__name__}")
        if capacity < 1:
            raise InvalidArgument(f"capacity: is {capacity}; keep at least 1 vector")
        if ttl is not None and not ttl > 0.0:  # NaN fails here too
            raise InvalidArgument(f"ttl: is {ttl}; give seconds above 0, or None to keep vectors for good")
        self._inner, self._capacity, self._ttl, self._clock = inner, capacity, ttl, clock
        self._lock = Lock()
        self._kept: OrderedDict[_Key, tuple[float, Vectors]] = OrderedDict()
        self._hits = self._misses = 0

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""
        return self._inner.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        """Return the fingerprint of the embedder inside: caching changes no vector."""
        return self._inner.fingerprint

    @property
    def matryoshka(self) -> bool:
        """Return whether the embedder inside says that its model was trained for vectors that can be cut."""
        return bool(getattr(self._inner, "matryoshka", False))

    @property
    def unrelated(self) -> float | None:
        """Return the cosine that unrelated texts reach, as the embedder inside says; None if it does not."""
        said: float | None = getattr(self._inner, "unrelated", None)
        return said

    @property
    def hits(self) -> int:
        """Return how many texts were answered without embedding them, repetitions in a call included."""
        return self._hits

    @property
    def misses(self) -> int:
        """Return how many texts were embedded."""
        return self._misses

    def __len__(self) -> int:
        """Return how many vectors are kept, outdated ones included."""
        return len(self._kept)

    def clear(self) -> None:
        """Forget every vector; the counts of hits and misses go on."""
        with self._lock:
            self._kept.clear()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is remembered, shape (n, dimensions); the array is the caller's own."""
        return self._embed(texts, "document")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is asked, shape (n, dimensions); the array is the caller's own."""
        return self._embed(texts, "query")

    def _embed(self, texts: Sequence[str], mode: Mode) -> Vectors:
        given = check_texts(texts)
        made_by = str(self._inner.fingerprint)
        keys: list[_Key] = [(hashlib.sha256(text.encode()).digest(), mode, made_by) for text in given]
        now = self._clock() if self._ttl is not None else 0.0
        found = self._look_up(keys, now)
        missing = {key: text for key, text in zip(keys, given, strict=True) if key not in found}
        if missing:
            # A copy for each row: a view would keep the whole batch alive.
            made = checked_rows(self._inner, list(missing.values()), mode)
            found.update((key, row.copy()) for key, row in zip(missing, made, strict=True))
        self._keep({key: found[key] for key in missing}, now)
        with self._lock:
            self._misses += len(missing)
            self._hits += len(keys) - len(missing)
        rows = np.zeros((len(keys), self.dimensions), np.float32)
        for row, key in zip(rows, keys, strict=True):
            row[:] = found[key]
        return rows

    def _look_up(self, keys: list[_Key], now: float) -> dict[_Key, Vectors]:
        """Return the vectors that are kept and not outdated; they count as used."""
        found: dict[_Key, Vectors] = {}
        with self._lock:
            for key in keys:
                kept = self._kept.get(key)
                if kept is not None and (self._ttl is None or now - kept[0] < self._ttl):
                    self._kept.move_to_end(key)
                    found[key] = kept[1]
        return found

    def _keep(self, made: dict[_Key, Vectors], now: float) -> None:
        with self._lock:
            for key, row in made.items():
                self._kept[key] = (now, row)
                self._kept.move_to_end(key)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
