"""A cross-encoder in this process: a model in a local folder that reads query and text together.

The law: a pair's score depends on the pair; batches are of about equal length, padding is masked, and results come in
the order of the texts. A pair that is too long is truncated, the longer of the two first, as such models are trained:
what lies behind is not read. Forty texts take a tenth of a second with the smallest models, and a minute with large
ones: give a deadline. Not for: making or fetching models.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..._core import exp
from ...embedding.protocol import check_texts
from ...embedding.session import LOGITS, Session, digest, find_model, open_tokenizer
from ...embedding.windows import Ids
from ...errors import InvalidArgument, ModelError, RerankFailed
from ...light.classes import dataclass
from ...validation import MAX_QUERY_BYTES, check_at_least_one, check_text
from .protocol import RESERVE, Scored, time_left

MAX_TOKENS: Final = 512
"""Tokens of a pair, where the model's files do not say."""

CHARACTERS_A_TOKEN: Final = 64
"""Of a text no more characters than this times the tokens of a pair are looked at, so that work is bounded."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    row: int
    ids: Ids
    segments: Ids


class OnnxCrossEncoder:
    """Scores pairs of query and text with the model in a folder; a `Reranker`. Threads may share it.

    The folder holds `model.onnx` (or one ONNX file of another name) and `tokenizer.json`; `tokenizer_config.json`, if
    it is there, says how many tokens a pair may have. The graph gives one logit a pair, whose sigmoid is the score.

    Args:
        folder: where the model lies.
        max_tokens: tokens of a pair, special ones included (default: the model's own, else 512).
        batch_size: pairs run at once, at least 1.
        threads: threads that the model may use.
        reserve: seconds to leave before a caller's deadline.

    Raises:
        InvalidArgument: a setting is outside its range.
        MissingExtra: onnxruntime or tokenizers is not installed.
        ModelError: a file is missing or damaged, or the graph is no cross-encoder's.

    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        max_tokens: int | None = None,
        batch_size: int = 8,
        threads: int = 1,
        reserve: float = RESERVE,
    ) -> None:
        path = Path(folder)
        model, tokens = find_model(path), path / "tokenizer.json"
        self._batch_size, self._reserve = check_at_least_one("batch_size", batch_size), reserve
        self._tokenizer = open_tokenizer(tokens)
        self._max_tokens = _said_by(path) if max_tokens is None else check_at_least_one("max_tokens", max_tokens)
        special = len(self._pair(0, "", "").ids)
        if self._max_tokens < special + 2:
            raise InvalidArgument(f"max_tokens: {self._max_tokens} leaves no room beside {special} special tokens")
        self._tokenizer.enable_truncation(self._max_tokens, strategy="longest_first")
        padding = self._tokenizer.token_to_id("[PAD]") or self._tokenizer.token_to_id("<pad>") or 0
        self._session = Session(model, threads=check_at_least_one("threads", threads), padding=padding, outputs=LOGITS)
        width = len(self._logits([self._pair(0, "a", "a")])[0])
        if width != 1:
            raise ModelError(f"{model}: gives {width} numbers a pair; a cross-encoder gives one")
        self._name, self.version = f"onnx:{path.resolve().name}", digest(model, tokens)[:32]

    @property
    def name(self) -> str:
        """Return "onnx:" and the folder's own name, as replies show it."""
        return self._name

    def __repr__(self) -> str:
        return f"OnnxCrossEncoder({self._name!r}, version={self.version!r}, max_tokens={self._max_tokens})"

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> list[Scored]:
        """Return a score for each document, 0 to 1, in order; NaN where the model gave that.

        Between batches it looks at the time: if one more batch like the slowest would end too late, it fails at once.

        Args:
            query: at most 1 MB.
            documents: texts of at most 10 MB.
            deadline: the caller's, on `time.monotonic()`.

        Raises:
            RerankFailed: there is too little time, or the model failed.
            TypeError, InvalidArgument, LimitExceeded: a text is no str, holds a lone surrogate, or is too long.

        """
        check_text("query", query, MAX_QUERY_BYTES)
        texts = check_texts(documents)
        until = math.inf if deadline is None else time.monotonic() + time_left(deadline, reserve=self._reserve)
        logits = [0.0] * len(texts)
        slowest = 0.0
        try:
            for batch in self._batches([self._pair(row, query, text) for row, text in enumerate(texts)]):
                began = _in_time(until, slowest)
                for pair, (logit,) in zip(batch, self._logits(batch), strict=True):
                    logits[pair.row] = float(logit)
                slowest = max(slowest, time.monotonic() - began)
        except ModelError as error:
            raise RerankFailed("the model failed") from error
        return [Scored(row, sigmoid(logit)) for row, logit in enumerate(logits)]

    def _pair(self, row: int, query: str, text: str) -> _Pair:
        most = self._max_tokens * CHARACTERS_A_TOKEN
        try:
            encoding = self._tokenizer.encode(query[:most], text[:most])
        except Exception as error:  # the package raises Exception itself
            raise ModelError(f"tokenizer.json: cannot take a pair ({error})") from error
        return _Pair(row, np.array(encoding.ids, np.int64), np.array(encoding.type_ids, np.int64))

    def _batches(self, pairs: list[_Pair]) -> Iterator[list[_Pair]]:
        """Give the pairs in batches of about equal length, the longest first: the first tells most about the time."""
        size = 1 if self._session.alone else self._batch_size
        ordered = sorted(pairs, key=lambda pair: -len(pair.ids))
        for start in range(0, len(ordered), size):
            yield ordered[start : start + size]

    def _logits(self, pairs: Sequence[_Pair]) -> Any:
        return self._session.vectors([pair.ids for pair in pairs], "mean", [pair.segments for pair in pairs])


def sigmoid(logit: float) -> float:
    """Return 1 / (1 + e^-logit), without overflow.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if logit >= 0.0:
        return 1.0 / (1.0 + exp(-logit))
    raised = exp(logit)
    return raised / (1.0 + raised)


def _in_time(until: float, needed: float) -> float:
    """Return the time, if there is as much left as is needed."""
    now = time.monotonic()
    if now + needed > until:
        raise RerankFailed("timeout")
    return now


def _said_by(folder: Path) -> int:
    """Return how many tokens the model's tokenizer_config.json allows; 512 if it does not say.

    Raises:
        ModelError: the file is damaged.

    """
    file = folder / "tokenizer_config.json"
    if not file.is_file():
        return MAX_TOKENS
    try:
        said = json.loads(file.read_bytes()).get("model_max_length")
    except (ValueError, AttributeError, RecursionError) as error:
        raise ModelError(f"{file}: is no JSON object; get the file anew") from error
    # A tokenizer without a limit is published with one of 10^30.
    known = isinstance(said, (int, float)) and not isinstance(said, bool) and 1 <= said <= 1_000_000
    return int(said) if known else MAX_TOKENS
