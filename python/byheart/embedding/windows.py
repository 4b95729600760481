"""Windows of token ids: what a model gets to read of a text at once, with nothing left out.

A text that fits is one window, as the tokenizer gives it. A longer one is cut: each window begins `stride` tokens after
the one before, holds the special tokens and the prefix again, and the last one is the first that reaches the end. So
every token is in some window, and every window is what the model was trained to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument, ModelError
from ..light.classes import dataclass

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Part of a text.

    Attributes:
        ids: token ids, special tokens and prefix included, shape (n,).
        weight: how many of them are tokens of the text itself; at least 1.

    """

    ids: Ids
    weight: int


class Windows:
    """Cuts texts with one tokenizer.

    Args:
        tokenizer: a `tokenizers.Tokenizer` that neither truncates nor pads.
        max_tokens: the most ids of a window.
        stride: ids from the beginning of one window to that of the next; where windows are shorter, windows abut.
        prefix: what stands before every text.

    Raises:
        InvalidArgument: special tokens and prefix alone fill a window.

    """

    def __init__(self, tokenizer: Any, max_tokens: int, stride: int, prefix: str = "") -> None:
        self._tokenizer, self._max_tokens, self._stride, self._prefix = tokenizer, max_tokens, stride, prefix
        self._prefix_ids: list[int] = _encoded(tokenizer, prefix, special=False).ids
        taken = len(_encoded(tokenizer, prefix).ids)
        if taken >= max_tokens:
            raise InvalidArgument(
                f"max_tokens: {max_tokens} leaves no room beside {taken} special tokens and tokens of the prefix"
                f" {prefix!r}"
            )

    def of(self, text: str) -> list[Window]:
        """Return the windows of a text, in order; none for a text that has no token, or is white space alone."""
        if not text.strip():
            return []
        encoding = _encoded(self._tokenizer, self._prefix + text)
        ids: list[int] = encoding.ids
        special: list[int] = encoding.special_tokens_mask
        left = len(list(takewhile(bool, special)))
        right = len(list(takewhile(bool, reversed(special[left:]))))
        content = ids[left : len(ids) - right]
        head = _shared(content, self._prefix_ids)
        body = content[head:]
        if not body:
            return []
        if len(ids) <= self._max_tokens:
            return [Window(np.array(ids, np.int64), len(body))]
        before, after = ids[: left + head], ids[len(ids) - right :]
        return [
            Window(np.array([*before, *part, *after], np.int64), len(part))
            for part in spans(body, self._max_tokens - len(before) - len(after), self._stride)
        ]


def spans(tokens: Sequence[int], size: int, stride: int) -> list[Sequence[int]]:
    """Return parts of at most `size` tokens, each `stride` after the one before, up to the first that reaches the end.

    >>> spans([1, 2, 3, 4, 5, 6], 3, 2)
    [[1, 2, 3], [3, 4, 5], [5, 6]]
    >>> spans([1, 2, 3, 4, 5, 6], 2, 9)
    [[1, 2], [3, 4], [5, 6]]

    """
    step = min(stride, size)
    count = 1 + max(0, -(-(len(tokens) - size) // step))
    return [tokens[start : start + size] for start in range(0, count * step, step)]


def _shared(content: Sequence[int], prefix: Sequence[int]) -> int:
    """Return how many tokens the beginnings share: a tokenizer may join the prefix's last token with the text."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(content, prefix, strict=False))))


def _encoded(tokenizer: Any, text: str, *, special: bool = True) -> Any:
    """Return the tokenizer's encoding; its errors are of no type of their own."""
    try:
        return tokenizer.encode(text, add_special_tokens=special)
    except Exception as error:
        raise ModelError(f"tokenizer.json: cannot take a text of {len(text)} characters ({error})") from error
