"""The leaning of a context: in which order turns are worth their place, beside what a recall scored them.

A recall orders for the first ten; a block holds up to a hundred turns, most of which have few words of the question.
There more depends on what else speaks for a turn:

near      what was told around it, among the candidates, has words of the question
kin       it shares rare words with the best turns
speaker   the question names who said it
asking    it ends in a question: what it asks is said elsewhere
rich      it has rarer words for its length than others

Turns change places among themselves: what is no turn stays where it stands, and no score changes. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from .._core import Analyzer, Handful
from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.told import names
from ..validation import check_share
from .candidates import Candidate, session_of, told

_FADING: Final = (1.0, 0.7, 0.49, 0.343)  # what the next turns count, each step further less
_MARKS: Final = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True, slots=True)
class Leaning:
    """What else speaks for a turn, each as a share of what the best turn is worth; 0 turns one off.

    Chosen by the gold turns in blocks of 500, 1,000 and 2,000 tokens; see `benches/quality`.

    Attributes:
        near: for most told around it that has words of the question, for others less.
        kin: for most words shared with the best turns.
        speaker: for being said by whom the question names.
        asking: what a turn that ends in a question loses, as a share of its own worth.
        rich: for twice as rare words for its length as is usual; as much is taken from one without any.

    """

    near: float = 0.2
    kin: float = 0.15
    speaker: float = 0.15
    asking: float = 0.1
    rich: float = 0.05

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in self.__slots__:
            check_share(name, getattr(self, name))
        if self.asking == 1.0:
            raise InvalidArgument("asking: is 1.0; a turn that asks is worth something")


def leaned(candidates: Sequence[Candidate], question: str, how: Leaning, analyzer: Analyzer) -> list[Candidate]:
    """Return candidates with turns among them in order of what they are worth, and what that is.

    Args:
        candidates: in order of worth.
        question: what was asked.
        how: what speaks for a turn.
        analyzer: of their words.

    """
    places = [place for place, each in enumerate(candidates) if each.is_turn()]
    turns = [candidates[place] for place in places]
    best = max((turn.worth for turn in turns), default=0.0)
    if not best:
        return list(candidates)
    said = [turn.record.gist() for turn in turns]
    texts, query = Handful(analyzer, said), analyzer.terms(question)
    near = _highest(_near(turns, texts.shares(query)))
    kin = _highest(texts.kin([turn.worth for turn in turns], query))
    is_named, rich = cache(names(question)), texts.rich()
    worth = []
    for at, turn in enumerate(turns):
        by_speaker = how.speaker if is_named(turn.record.said_by() or "") else 0.0
        more = how.near * near[at] + how.kin * kin[at] + how.rich * rich[at] + by_speaker
        asks = said[at].rstrip().endswith(_MARKS)
        worth.append((turn.worth + best * more) * (1.0 - how.asking if asks else 1.0))
    found = list(candidates)
    order = sorted(range(len(turns)), key=lambda at: (-worth[at], at))
    for place, at in zip(places, order, strict=True):
        found[place] = turns[at].at(worth[at])
    return found


def _near(turns: Sequence[Candidate], shares: Sequence[float]) -> list[float]:
    """Return what is said around each turn, by those turns of its session that are here."""
    sessions: dict[object, list[int]] = {}
    for at, turn in enumerate(turns):
        sessions.setdefault(session_of(turn.record), []).append(at)
    found = [0.0] * len(turns)
    for own in sessions.values():
        own.sort(key=lambda at: told(turns[at]))
        for step, fading in enumerate(_FADING, 1):
            for one, other in zip(own, own[step:], strict=False):
                found[one] += fading * shares[other]
                found[other] += fading * shares[one]
    return found


def _highest(values: Sequence[float]) -> list[float]:
    """Return values as shares of the highest."""
    most = max(values)
    return [value / most if most else 0.0 for value in values]
