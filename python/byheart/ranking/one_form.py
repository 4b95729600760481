"""Statements of one form: which rows begin alike and hold as much of the question; the newest of them goes first.

"I weigh 82.4 kg today" of every week, "My rent is 1,020 euros" of every month: few of very many are linked, and all
hold the same words of "how much do I weigh?". They differ in what nobody asks for by name, and the latest is meant.
Who names one of them ("when did I weigh 79?") gets that: it holds a word more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from .candidates import Candidates, RowKey
from .features import FORM

SHARE: Final = "word_share"
"""The column of the share of the question's words that rows say themselves."""

Groups = list[list[RowKey]]


class Forms(NamedTuple):
    """The forms of rows, and the groups of two and more among them, each in the order of the table.

    Attributes:
        of: how each row begins that is a short statement.
        ties: those of one score that hold as much of the question, however they begin.
        alike: those that begin alike and hold as much of the question.

    """

    of: Mapping[RowKey, float]
    ties: Groups
    alike: Groups

    def together(self, one: RowKey, other: RowKey) -> bool:
        """Return whether two rows are of one group."""
        return any(one in group and other in group for group in (*self.ties, *self.alike))


def forms_of(table: Candidates) -> Forms:
    """Return the forms of the rows of a table.

    Equal is equal to the last bit: one that says more, or less, of the question belongs to no group of another one.

    >>> rows = {FORM: (1.0, 2.0, 1.0, None), SHARE: (0.5, 0.5, 0.5, 0.5), "score": (0.7, 0.6, 0.6, 0.6)}
    >>> forms_of(Candidates(("a", "b", "c", "d"), rows))[1:]
    ([['b', 'c']], [['a', 'c']])

    """
    none = (None,) * len(table.keys)
    forms, shares = (table.columns.get(name, none) for name in (FORM, SHARE))
    of: dict[RowKey, float] = {}
    ties: dict[tuple[float, float], list[RowKey]] = {}
    alike: dict[tuple[float, float], list[RowKey]] = {}
    for key, form, share, score in zip(table.keys, forms, shares, table.scores(), strict=True):
        if form is None or share is None:
            continue
        of[key] = form
        ties.setdefault((score, share), []).append(key)
        alike.setdefault((form, share), []).append(key)
    return Forms(of, *([group for group in groups.values() if len(group) > 1] for groups in (ties, alike)))
