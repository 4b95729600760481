"""Records of another time that have words of the time asked for: "I met Paul last week", told ten months ago.

Who asks whom they met last week asks for what lies there. Such words mean another week where a record lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..light.expressions import expression
from ..patterns.saying import SMALL, stems
from ..patterns.word_forms import BASE_OF
from ..records import Record
from .dates import Period, may_name, periods, without_times
from .named_time import DAY, closeness

_RELATIVE: Final = expression(r"\b(?:ago|last|this|yesterday|today|tonight|past|previous|back|earlier)\b")
_SLACK: Final = 3 * DAY
_FAR: Final = 0.5
"""Less near than this a record lies elsewhere: as far from the time as that is long."""
_WORD: Final = expression(r"\w+")


class TimeApart:
    """Tells which records lie in the time that a question names by its distance, and which only have words of it.

    Args:
        question: the text.
        now: when it is asked, in epoch seconds.

    """

    def __init__(self, question: str, now: float) -> None:
        named = periods(question, now) if may_name(question) else ()
        self._named: Sequence[Period] = named if all(_RELATIVE.search(each.words) for each in named) else ()
        self._words = _content(" ".join(each.words for each in self._named))
        self._rest = _content(without_times(question, now)) if self._named else frozenset()

    def lies_in_it(self, record: Record) -> bool:
        """Return whether a record is of the time."""
        return bool(self._named) and self._nearness(record) == 1.0

    def says_it_elsewhere(self, record: Record) -> bool:
        """Return whether a record is of quite another time, and has words of this one."""
        if not self._named or self._words.isdisjoint(_content(record.text)):
            return False
        return 0.0 < self._nearness(record) < _FAR

    def says_as_much(self, one: Record, other: Record) -> bool:
        """Return whether the first says as many of the words beside the time as the second, and some."""
        own, others = (len(self._rest & _content(record.text)) for record in (one, other))
        return own >= max(others, 1)

    def _nearness(self, record: Record) -> float:
        moment = record.created_at if record.valid_from is None else record.valid_from
        return 0.0 if moment is None else closeness(moment, self._named, _SLACK)


def _content(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say something, of irregular forms those of their bases."""
    words = (word for word in _WORD.findall(text.lower()) if word not in SMALL)
    return stems(" ".join(BASE_OF.get(word, word) for word in words))
