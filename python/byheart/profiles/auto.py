"""The profile `auto`, the default: words and vectors on one absolute scale, and what conversations say around a turn.

Each number stands beside what it was measured to earn in `benches/quality`.
"""
# docs/sources.md: ANSWERS.

from __future__ import annotations

from ..ranking.absolute import AbsoluteFusion, ByScore
from ..ranking.agreement import DropDuplicates
from ..ranking.told import Neighbours, SpeakerNamed, WholeSession
from .profile import Leg, Profile

NAME = "auto"


def auto() -> Profile:
    """Return the profile `auto`.

    >>> [leg.retriever for leg in auto().legs]
    ['words', 'dense']
    """
    stages = (AbsoluteFusion(), Neighbours(), WholeSession(), SpeakerNamed(), ByScore(), DropDuplicates())
    return Profile(NAME, (Leg("words"), Leg("dense")), stages)
