"""The form of a question, and the share of vectors that it asks for.

One or two tokens, code, quotations and addresses are looked for as they stand, so that words weigh more; a long
sentence is meant, and vectors weigh more.
"""
# docs/sources.md: B1.6.

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from ...light.expressions import expression

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f々〆ー"
_TOKEN = expression(rf"(?P<run>[{_CJK}]+)|[^\W{_CJK}]+")
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("url", expression(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://|\bwww\.", re.ASCII)),
    (
        "quotation",
        expression(r"\"[^\"]{1,1000}\"|“[^”]{1,1000}”|「[^」]{1,1000}」|『[^』]{1,1000}』|(?<!\w)'[^']{1,1000}'(?!\w)"),
    ),
    (
        "code",
        expression(
            r"`|::|->|=>|\(\)|\b[A-Za-z0-9]+_[A-Za-z0-9_]+|\b[a-z]{1,64}[A-Z][A-Za-z]|\b[A-Z][a-z]{1,64}[A-Z][a-z]"
            r"|\b[A-Za-z_]\w{0,64}\.[A-Za-z_]\w|[\\]|(?:^|[\s.~\w])/\w|\b(?=[0-9a-f]{0,64}[0-9])(?=[0-9a-f]{0,64}[a-f])[0-9a-f]{7,64}\b",
            re.ASCII,
        ),
    ),
)


def token_count(question: str) -> int:
    """Return how many words a question has; two characters of Chinese, Japanese or Korean count as one.

    >>> token_count("cancel the api"), token_count("解約APIの命名規約"), token_count("")
    (3, 5, 0)
    """
    return sum(1 for _ in token_spans(question))


def token_spans(question: str) -> Iterator[tuple[int, int]]:
    """Give where each word begins and ends; two characters of Chinese, Japanese or Korean are one.

    >>> list(token_spans("the API")), list(token_spans("解約API"))
    ([(0, 3), (4, 7)], [(0, 2), (2, 5)])
    """
    for found in _TOKEN.finditer(question):
        begin, end = found.span()
        width = 2 if found["run"] else end - begin
        for at in range(begin, end, width):
            yield at, min(at + width, end)


def form(question: str, long_from: int = 12) -> str:
    """Return "url", "quotation", "code", "short", "long" or "plain", the first that a question is.

    >>> [form(text) for text in ("see https://example.org", "where is `open()`", "tea", "what does ann drink at noon")]
    ['url', 'code', 'short', 'plain']
    """
    for name, pattern in _FORMS:
        if pattern.search(question):
            return name
    count = token_count(question)
    return "short" if count <= 2 else "long" if count >= long_from else "plain"


class _Alphas(Protocol):
    """The shares of vectors that there are to choose from, as `Retrieval` and the stage of fusion have them."""

    @property
    def alpha(self) -> float:
        """The usual one."""

    @property
    def dynamic_alpha(self) -> bool:
        """Whether the question's form chooses."""

    @property
    def alpha_short(self) -> float:
        """Of short questions, code, quotations and addresses."""

    @property
    def alpha_long(self) -> float:
        """Of long ones."""

    @property
    def long_query_tokens(self) -> int:
        """How many tokens make a question long."""


def alpha_for(question: str, settings: _Alphas) -> float:
    """Return the share of vectors for a question: the policy's, unless it lets the question's form choose.

    >>> from byheart.boundary.policy import Retrieval
    >>> alpha_for("tea", Retrieval()), alpha_for("tea", Retrieval(dynamic_alpha=True))
    (0.65, 0.4)
    """
    if not settings.dynamic_alpha:
        return settings.alpha
    found = form(question, settings.long_query_tokens)
    return settings.alpha if found == "plain" else settings.alpha_long if found == "long" else settings.alpha_short
