"""The profile `auto`, the default: words and vectors on one absolute scale, and what conversations say around a turn.

Each number stands beside what it was measured to earn in `benches/quality`.
"""

from __future__ import annotations

from ..ranking.absolute import AbsoluteFusion, ByScore
from ..ranking.agreement import DropDuplicates
from ..ranking.asked_first import AskedFirst
from ..ranking.named_time import NamedTime
from ..ranking.near_duplicates import NearDuplicatesBeside
from ..ranking.session_stages import MarkedNoise, ThisSession
from ..ranking.strength import Strength
from ..ranking.told import Asking, Neighbours, SpeakerNamed, WholeSession
from .profile import IfFewer, Leg, Profile

NAME = "auto"


def auto() -> Profile:
    """Return the profile `auto`.

    >>> [leg.retriever for leg in auto().legs]
    ['words', 'dense', 'hypervector']
    """
    legs = (Leg("words"), Leg("dense", optional=True), Leg("hypervector", when=IfFewer(4)))
    named = NamedTime(0.2, slack_days=3.0)
    around = (Neighbours(), WholeSession(), SpeakerNamed(), Asking(), named, ThisSession(), MarkedNoise())
    told = (Strength(), DropDuplicates(latest=True), NearDuplicatesBeside(), AskedFirst())
    return Profile(NAME, legs, (AbsoluteFusion(), *around, ByScore(), *told), packing="fill")
