"""Leavings: a statement that somebody left, and who is there instead: "Helen left, so I report to Marcus now".

It changes what says that one's manager is Helen, in which no word but her name is the same. A guess, in English.
"""

from __future__ import annotations

from typing import Final

from ..light.expressions import expression
from .places import people
from .saying import said, statement

_NAME: Final = r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z\u00c0-\u00de]\w+"
_LEFT: Final = expression(
    rf"^(?P<who>{_NAME}(?: {_NAME})?)(?:['\u2019]s \w+)? (?:has |is |was |got |went )?"
    r"(?:just )?(?:left|quit|gone|fired|retired|resigned|stepped down|emigrated"
    r"|moved (?:on|away|abroad|to (?:the )?[A-Z]\w+)|closed(?: down)?|bust"
    r"|bankrupt|out of business)(?:[,;]| (?:and|so|but)\b)(?P<then>.+)"
)
_NOW: Final = expression(
    r"\b(?:now|new|instead|took over|(?:I|we) (?:go to|see|use|call|report to|buy from) (?=(?:[Tt]he )?[A-Z]))"
)
"""Says who is there by now: "I go to Dr. Ivers"."""
OF_A_ROLE: Final = frozenset({"boss", "chef", "landlord", "landlady", "vermieter"})
"""People whom others succeed: kin and friends have none."""


def may_leave(text: str) -> bool:
    """Return whether a text says that somebody left, and who is there instead.

    >>> may_leave("Helen left, so I report to Marcus now."), may_leave("Helen left for Rome.")
    (True, False)
    """
    return _read(text) is not None


def takes_over(newer: str, older: str) -> bool:
    """Return whether a text says that somebody left whom an older one names, and gives another name.

    >>> takes_over("Helen left, so I report to Marcus now.", "My manager is Helen.")
    True
    >>> takes_over("Helen left, so I report to Marcus now.", "My sister is Helen.")
    False
    """
    found = _read(newer)
    if found is None or people(older) - OF_A_ROLE:
        return False
    who, instead = found
    names = said(older).names
    return bool(names) and names <= who and bool(instead - who)


def _read(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems of the name of whom a text says that they left, and the names behind that."""
    if _NOW.search(text) is None:  # as in most texts
        return None
    found = _LEFT.match(statement(text))
    if found is None or _NOW.search(found["then"]) is None:
        return None
    names = said(f"so {found['then']}").names
    return (frozenset(said(f"of {found['who']}").about), names) if names else None
