"""Summaries that tell no outdated value alone: what a turn says otherwise later stands in them, too.

Who summarises chooses: of "The wedding is on the 12th" and "The wedding was moved to the 21st" the first may be left,
and would then be told as if it held. So a turn is added that says otherwise what the summary says; to an extract each
that says plainly that something changed, and gives a value: the old one may stand elsewhere. A correction in a few
words ("No, I meant Tuesday.") is of the last turn before it that has such a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..knowledge import lowered
from ..patterns.correcting import corrects
from ..patterns.updating import is_change, updates, values_of
from ..summarising import Summary, Turn
from ..summarising.extractive import METHOD

MOST_ADDED = 4
"""So many turns are added to a summary, the newest."""


def with_updates(summary: Summary, turns: Sequence[Turn]) -> Summary:
    """Return a summary with the turns, in order, that say otherwise what it says.

    >>> turns = [Turn("a", "The wedding is on the 12th of June."), Turn("b", "The wedding was moved to the 21st.")]
    >>> with_updates(Summary(turns[0].text, 0.9, "extractive", ("a",)), turns).source_ids
    ('a', 'b')
    >>> with_updates(Summary("They wed on the 12th.", 0.9, "by hand", ("a", "b")), turns).text
    'They wed on the 12th. The wedding was moved to the 21st.'

    """
    kept = set(summary.source_ids) if summary.method == METHOD else None
    added = [at for at in range(len(turns)) if _is_needed(at, turns, summary.text, kept)]
    added = added[-MOST_ADDED:]
    if not added:
        return summary
    if summary.method == METHOD:
        chosen = [turn for at, turn in enumerate(turns) if turn.id in summary.source_ids or at in added]
        text = " ".join(turn.text.strip() for turn in chosen).strip()
        return replace(summary, text=text, source_ids=tuple(turn.id for turn in chosen))
    text = " ".join([summary.text, *(turns[at].text.strip() for at in added)])
    return replace(summary, text=text)


def _is_needed(at: int, turns: Sequence[Turn], summary: str, kept: set[str] | None) -> bool:
    """Return whether a turn is to be added; `kept` are an extract's turns, None of what is in other words."""
    turn = turns[at]
    corrected = next((before for before in reversed(turns[:at]) if corrects(turn.text, before.text)), None)
    if kept is None:
        return any(
            (before is corrected or updates(turn.text, before.text)) and _tells(summary, before.text, turn.text)
            and not _tells(summary, turn.text, before.text)
            for before in turns[:at]
        )  # fmt: skip
    if turn.id in kept:
        return False
    if is_change(turn.text) and values_of(turn.text):
        return True
    if corrected is not None and corrected.id in kept:
        return True
    return any(before.id in kept and updates(turn.text, before.text) for before in turns[:at])


def _tells(summary: str, one: str, other: str) -> bool:
    """Return whether a summary has a value that one text gives and the other does not, or the very text of that one."""
    own = values_of(one) - values_of(other)
    return bool(own & values_of(summary)) if own else lowered(one) in lowered(summary)
