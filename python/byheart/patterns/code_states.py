"""States of tickets, orders and invoices: "Ticket 5120 was closed", told after "Ticket 5120: ... Status: open"."""

from __future__ import annotations

import re
from typing import Final

from ..light.expressions import expression
from .codes_asked import codes_in
from .rather import MOST_SAID, Rather

_STATE: Final = r"""(?:open(?:ed)?|reopened|closed|resolved|solved|fixed|done|finished|completed|merged|reverted
    |released|shipped|sent|delivered|received|cancell?ed|rejected|approved|accepted|paid|overdue|settled|pending|blocked
    |on\ hold|escalated|assigned|refunded|returned|signed|declined|erledigt|geschlossen|gelöst|behoben|bezahlt
    |überfällig|offen|storniert|verschickt|geliefert|genehmigt|abgelehnt)"""
_SAYS: Final = expression(rf"\b{_STATE}\b", re.VERBOSE | re.IGNORECASE)
_ASKS: Final = expression(
    rf"\b(?:status|state|stand|progress)\b|^\W*(?:is|was|are|were|has|have|did|do|does|ist|sind|wurde|hat)\b.*\b{_STATE}\b"
    r"|\b(?:what\ happened|what\ became|was\ wurde)\b|\bpay\b",
    re.VERBOSE | re.IGNORECASE,
)
_OF_THEN: Final = expression(
    r"\b(?:first|originally|before|back then|used to|when|why|who|zuerst|vorher|wann|warum|wer)\b"
)


def may_decide(text: str) -> bool:
    """Return whether a text may say what became of something that has a code."""
    return any(map(str.isdigit, text))


def answers_rather(question: str) -> Rather[frozenset[str], frozenset[str]] | None:
    """Return what tells whether a later text says what became of that of which an older one speaks; None if none asks.

    >>> rather = answers_rather("What is the status of ticket 5120?")
    >>> rather("Ticket 5120 (Zenit) was closed on Friday.", "Ticket 5120 (Zenit): printer offline. Status: open.")
    True
    >>> rather("Ticket 5121 was closed on Friday.", "Ticket 5120 (Zenit): printer offline. Status: open.")
    False
    >>> answers_rather("What does ticket 5120 say?") is None
    True
    """
    if not may_decide(question) or _ASKS.search(question) is None or _OF_THEN.search(question.lower()) is not None:
        return None

    def front(text: str) -> frozenset[str] | None:
        return _codes(text) if len(text) <= MOST_SAID and _SAYS.search(text) is not None else None

    return Rather(front, _codes, lambda newer, older: not newer.isdisjoint(older))


def _codes(text: str) -> frozenset[str] | None:
    return frozenset(code for kind, code in codes_in(text) if kind != "version") or None
