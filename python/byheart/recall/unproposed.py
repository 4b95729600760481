"""Questions for which the legs of a profile propose nothing, whatever may be found: their marks alone answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..profiles.gated import IfGate
from ..retrieval import protocol
from ..retrieval.together import CoreRetriever
from .legs import Legs
from .places import to_ask

if TYPE_CHECKING:
    from ..profiles.profile import Leg
    from .queries import Queries


def proposes_nothing(queries: Queries) -> bool:
    """Return whether a question has marks and no word to search for, and the legs propose nothing.

    Among the records that its marks let through they propose nothing then either, so that nobody asks which these are:
    the first hits, or that there is none, need far fewer texts than all that hold a word such as "the".

    Args:
        queries: what the legs ask, its selection without the marks.

    """
    question, profile = queries.question, queries.profile
    if question.operators is None or question.terms:
        return False
    if not all(_may_be_asked_twice(queries, leg) for leg in profile.legs):
        return False
    legs = Legs(queries)
    legs.ask(to_ask(profile, question))
    return not (legs.count or legs.tops or any(legs.lists.values()))


def _may_be_asked_twice(queries: Queries, leg: Leg) -> bool:
    """Return whether a leg is of the core, costs little where it has no word, and keeps no account of being asked.

    Vectors are near to any question: a search of them has something to propose.
    """
    names = [name for name in (leg.retriever, leg.stand_in) if name is not None]
    near = "dense" in names and queries.sources.partition.settings.dimensions is not None
    ours = all(isinstance(protocol.get(name), CoreRetriever) for name in names)
    return ours and not near and not isinstance(leg.when, IfGate)
