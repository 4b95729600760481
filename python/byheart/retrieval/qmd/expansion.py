"""The expansion of questions into further wordings: an interface for somebody's model, and what is done without it.

byheart ships no model for it. An expander is asked at temperature 0.7 for at most 600 tokens, where it has such
settings, and only if words alone are not sure of their best hit.
"""
# docs/sources.md: A3.7.4.

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from ...ranking.qmd.syntax import KINDS, Line

TEMPERATURE: Final = 0.7
MAX_TOKENS: Final = 600


class Variant(NamedTuple):
    """A further wording: "lex" for words, "vec" for meaning, "hyde" for an answer that was imagined; and its text."""

    kind: str
    text: str


class Expander(Protocol):
    """Whoever words a question anew."""

    def expand(self, query: str, intent: str | None, *, temperature: float, max_tokens: int) -> Iterable[Variant]:
        """Return further wordings; it may raise anything."""


def fallback(query: str) -> tuple[Variant, ...]:
    """Return the wordings of a question where no model gave any.

    >>> fallback("kettle")[0]
    Variant(kind='hyde', text='Information about kettle')
    """
    return (Variant("hyde", f"Information about {query}"), Variant("lex", query), Variant("vec", query))


def expanded(expander: Expander, query: str, intent: str | None) -> tuple[tuple[Line, ...], str | None]:
    """Return further searches, each wording once, and what failed; None if nothing did.

    What has no kind that is known, or no text, is passed over.
    """
    failed = None
    try:
        given = tuple(expander.expand(query, intent, temperature=TEMPERATURE, max_tokens=MAX_TOKENS))
        usable = [each for each in given if each[0] in KINDS and each[1].strip()]
        if not usable:
            failed = "the expander gave no wording"
    except Exception as error:  # somebody's model: whatever it raises, there is a fallback
        usable, failed = [], f"the expander failed ({type(error).__name__})"
    variants = usable or fallback(query)
    return tuple(Line(kind, text) for kind, text in dict.fromkeys((kind, text) for kind, text in variants)), failed
