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

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Final

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.told import names
from ..validation import check_share
from .candidates import Candidate, session_of, told
from .saying import Texts

Terms = Callable[[str], Sequence[str]]

_FADING: Final = (1.0, 0.7, 0.49, 0.343)  # what the next turns count, each step further less
_FIRST, _WORDS = 10, 10  # the best turns, and how many of their words are looked for in others
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


def leaned(candidates: Sequence[Candidate], question: str, how: Leaning, terms: Terms) -> list[Candidate]:
    """Return candidates with turns among them in order of what they are worth, and what that is.

    Args:
        candidates: in order of worth.
        question: what was asked.
        how: what speaks for a turn.
        terms: gives the terms of a text.

    """
    places = [place for place, each in enumerate(candidates) if each.is_turn()]
    turns = [candidates[place] for place in places]
    best = max((turn.worth for turn in turns), default=0.0)
    if not best:
        return list(candidates)
    texts = Texts([terms(turn.record.gist()) for turn in turns])
    query = terms(question)
    near = _highest(_near(turns, texts.shares(query)))
    kin = _highest(texts.scores(_of_the_best(turns, texts, frozenset(query))))
    is_named, rich = names(question), _rich(turns, texts)
    worth = []
    for at, turn in enumerate(turns):
        by_speaker = how.speaker if is_named(turn.record.said_by() or "") else 0.0
        more = how.near * near[at] + how.kin * kin[at] + how.rich * rich[at] + by_speaker
        asks = turn.record.gist().rstrip().endswith(_MARKS)
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


def _of_the_best(turns: Sequence[Candidate], texts: Texts, query: frozenset[str]) -> Mapping[str, float]:
    """Return words of the best turns that others have too, and how much each tells about what these are about."""
    first = sorted(range(len(turns)), key=lambda at: (-turns[at].worth, at))[:_FIRST]
    found: dict[str, float] = {}
    for at in first:
        for term in texts.counts[at]:
            if term not in query and texts.holding[term] > 1:
                said = turns[at].worth * texts.weight(term) / math.sqrt(texts.lengths[at])
                found[term] = found.get(term, 0.0) + said
    return dict(sorted(found.items(), key=lambda one: -one[1])[:_WORDS])


def _rich(turns: Sequence[Candidate], texts: Texts) -> list[float]:
    """Return how much rarer a turn's words are for its length than is usual: -1 to 1."""
    weights = {term: texts.weight(term) for term in texts.holding}
    rare = [
        math.fsum(map(weights.__getitem__, count)) / max(len(turn.record.gist()), 1)
        for turn, count in zip(turns, texts.counts, strict=True)
    ]
    usual = median(rare)
    return [min(each / usual, 2.0) - 1.0 if usual else 0.0 for each in rare]


def _highest(values: Sequence[float]) -> list[float]:
    """Return values as shares of the highest."""
    most = max(values)
    return [value / most if most else 0.0 for value in values]
