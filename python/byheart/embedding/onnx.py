"""Embeddings by an ONNX model in a local folder: token ids in, pooled vectors out, with onnxruntime on the processor.

The law: a text's vector depends on the text. Texts are sorted by length into batches and padded to the longest of each;
padding is masked and left out of the mean, and results come back in the order of the texts. The neighbours in a batch
may change the order in which the runtime adds, so a vector by rounding at most; `batch_size=1` rules out even that. A
graph that has no mask, or quantises while it runs, over the batch as a whole, is always run a text at a time.

Not for: making models (`bert`, `assemble`), or cross-encoders.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument, ModelError
from ..validation import check_at_least_one
from .fingerprint import Fingerprint, check_dimensions
from .profiles import PLAIN, ModelProfile, Pooling, model_profile
from .protocol import Vectors, check_texts, refuse_non_finite, unit_rows
from .session import Session, digest, find_model, open_tokenizer
from .windows import Window, Windows

LAYER_NORM_EPSILON: Final = 1e-5
# How pooled windows become a vector; part of the fingerprint, to be raised when that changes.
METHOD: Final = 1


class OnnxEmbedder:
    """Text to vectors with the model in a folder; an `Embedder`.

    The folder holds `model.onnx` (or one ONNX file of another name) and `tokenizer.json`. A text of more than
    `max_tokens` tokens is cut into windows; its vector is the mean of the windows' vectors, each weighted by its number
    of tokens (before normalisation). So no part of a text is left out, and a text of 1 MB takes some thousand windows.
    Texts without a token, such as "" or white space, get a row of zeros.

    Args:
        folder: where the model lies.
        profile: the name of a model in `PROFILES`, or a `ModelProfile`; what follows stands above it.
        pooling: "mean" over the tokens (default), or "cls", the first token's vector.
        normalise: scale rows to unit length (default True).
        document_prefix, query_prefix: what stands before each text (default: nothing).
        max_tokens: tokens of a window, special ones included (default 256).
        stride: tokens from one window's beginning to the next (default: half a window).
        dimensions: cut vectors to a Matryoshka width, 1 to the graph's own (default).
        batch_size: windows run at once, at least 1. One thread is fastest at about 8: larger batches leave the cache.
        threads: threads that the model may use; with 1 equal calls give equal bytes.

    Raises:
        InvalidArgument: a setting is outside its range.
        UnknownProfile: there is no profile of this name.
        MissingExtra: onnxruntime or tokenizers is not installed.
        ModelError: a file is missing or damaged, or does not fit the profile; says which and why.

    >>> import json, pathlib, tempfile, numpy as np
    >>> from byheart.embedding.onnx_file import Graph
    >>> graph = Graph("letters")
    >>> graph.input("input_ids", "int64", ("batch", "sequence"))
    >>> table = graph.constant("table", np.eye(3, dtype=np.float32))
    >>> graph.output(graph.node("Gather", table, "input_ids"), "float32", ("batch", "sequence", 3))
    >>> words = {"model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "b": 2}, "unk_token": "?"}}
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     _ = (folder / "model.onnx").write_bytes(graph.to_bytes())
    ...     _ = (folder / "tokenizer.json").write_text(json.dumps(words | {"pre_tokenizer": {"type": "Whitespace"}}))
    ...     embedder = OnnxEmbedder(folder)
    >>> embedder.embed_documents(["a a a a b b b", ""]).tolist()
    [[0.0, 0.800000011920929, 0.6000000238418579], [0.0, 0.0, 0.0]]

    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        profile: str | ModelProfile | None = None,
        *,
        pooling: Pooling | None = None,
        normalise: bool | None = None,
        layer_norm: bool | None = None,
        document_prefix: str | None = None,
        query_prefix: str | None = None,
        max_tokens: int | None = None,
        stride: int | None = None,
        dimensions: int | None = None,
        batch_size: int = 8,
        threads: int = 1,
    ) -> None:
        known = PLAIN if profile is None else model_profile(profile) if isinstance(profile, str) else profile
        if max_tokens is not None and stride is None:
            stride = max(1, max_tokens // 2)
        given: dict[str, Any] = {
            "pooling": pooling,
            "normalise": normalise,
            "layer_norm": layer_norm,
            "document_prefix": document_prefix,
            "query_prefix": query_prefix,
            "max_tokens": max_tokens,
            "stride": stride,
        }
        self.profile = replace(known, **{name: value for name, value in given.items() if value is not None})
        self.batch_size = check_at_least_one("batch_size", batch_size)
        _check_settings(self.profile)
        path = Path(folder)
        model, tokens = find_model(path), path / "tokenizer.json"
        tokenizer = open_tokenizer(tokens)
        self._session = Session(model, threads=check_at_least_one("threads", threads), padding=_padding(tokenizer))
        if pooling is not None and self._session.ready:
            raise InvalidArgument(f"pooling: {model} gives a vector a text, pooled already; leave the argument out")
        size, step = self.profile.max_tokens, self.profile.stride
        self._documents = Windows(tokenizer, size, step, self.profile.document_prefix)
        self._queries = Windows(tokenizer, size, step, self.profile.query_prefix)
        self._width = self._tried_width(model)
        self._dimensions = self._checked_dimensions(dimensions)
        self._fingerprint = self._made_by(digest(model, tokens))

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""
        return self._dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what made the vectors: files and settings; batches and threads are no part of it."""
        return self._fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is remembered, shape (n, dimensions).

        Raises:
            TypeError, InvalidArgument, LimitExceeded: a text is no str, holds a lone surrogate, or is over 10 MB.
            ModelError: the model failed, or gave NaN or infinity; names the text.

        """
        return self._embed(texts, self._documents)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text that is asked, shape (n, dimensions); raises as `embed_documents` does."""
        return self._embed(texts, self._queries)

    def _embed(self, texts: Sequence[str], windows: Windows) -> Vectors:
        rows = check_texts(texts)
        pieces = [(row, window) for row, text in enumerate(rows) for window in windows.of(text)]
        sums, totals = np.zeros((len(rows), self._width)), [0] * len(rows)
        for row, window in pieces:
            totals[row] += window.weight
        for batch in self._batches(pieces):
            vectors = self._session.vectors([window.ids for _, window in batch], self.profile.pooling)
            for (row, window), vector in zip(batch, vectors, strict=True):
                sums[row] += vector * (window.weight / totals[row])
        return self._finished(sums)

    def _batches(self, pieces: list[tuple[int, Window]]) -> Iterator[list[tuple[int, Window]]]:
        """Give the windows in batches of about equal length; ties, and so a text's own windows, stay in order."""
        size = 1 if self._session.alone else self.batch_size
        ordered = sorted(pieces, key=lambda piece: len(piece[1].ids))
        for start in range(0, len(ordered), size):
            yield ordered[start : start + size]

    def _finished(self, rows: NDArray[np.float64]) -> Vectors:
        """Return pooled rows as vectors: layer normalisation, then the width, then unit length."""
        refuse_non_finite(rows)
        if self.profile.layer_norm:
            centred = rows - rows.mean(axis=1, keepdims=True)
            rows = centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + LAYER_NORM_EPSILON)
        rows = rows[:, : self._dimensions]
        return unit_rows(rows) if self.profile.normalise else rows.astype(np.float32, order="C")

    def _tried_width(self, model: Path) -> int:
        """Run the graph once and return how many components it gives; they must be those of the profile."""
        for text in ("a", "1", "."):
            windows = self._documents.of(text)
            if windows:
                break
        else:
            file = model.parent / "tokenizer.json"
            raise ModelError(f"{file}: has no token for 'a', '1' or '.'; it is another model's")
        (vector,) = self._session.vectors([windows[0].ids], self.profile.pooling)
        name, wanted = self.profile.family, self.profile.dimensions
        if wanted is not None and len(vector) != wanted:
            raise ModelError(
                f"{model}: gives vectors of {len(vector)} components, but the profile {name} has {wanted}; another"
                " model lies there"
            )
        return len(vector)

    def _checked_dimensions(self, dimensions: int | None) -> int:
        if dimensions is None:
            check_dimensions(self._width)
            return self._width
        check_dimensions(dimensions)
        if dimensions > self._width:
            raise InvalidArgument(f"dimensions: is {dimensions}, but the model gives {self._width}")
        return dimensions

    def _made_by(self, files: str) -> Fingerprint:
        changing = asdict(self.profile) | {"files": files, "method": METHOD, "width": self._width}
        for no_matter in ("context", "dimensions", "family", "widths"):
            del changing[no_matter]
        return Fingerprint(
            family=self.profile.family,
            dimensions=self._dimensions,
            normalised=self.profile.normalise,
            document_prefix=self.profile.document_prefix,
            query_prefix=self.profile.query_prefix,
            version=hashlib.sha256(json.dumps(changing, sort_keys=True).encode()).hexdigest()[:32],
        )


def _check_settings(profile: ModelProfile) -> None:
    """Refuse settings that mean nothing."""
    if profile.pooling not in ("mean", "cls"):
        raise InvalidArgument(f'pooling: {profile.pooling!r} does not exist; there are "mean" and "cls"')
    for name in ("max_tokens", "stride"):
        check_at_least_one(name, getattr(profile, name))
    for name in ("document_prefix", "query_prefix"):
        check_texts([getattr(profile, name)])
    if profile.context is not None and profile.max_tokens > profile.context:
        raise InvalidArgument(
            f"max_tokens: is {profile.max_tokens}, but {profile.family} takes {profile.context} at once"
        )
    if profile.stride > profile.max_tokens:
        raise InvalidArgument(
            f"stride: is {profile.stride}, more than the {profile.max_tokens} tokens of a window; none may be left out"
        )


def _padding(tokenizer: Any) -> int:
    """Return the id of the padding token; where there is none, 0, which every vocabulary has."""
    found = tokenizer.token_to_id("[PAD]")
    return 0 if found is None else int(found)
