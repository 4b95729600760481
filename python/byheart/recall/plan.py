"""The plan of a profile: what a recall asks of it again and again, worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..light.classes import dataclass
from ..profiles.gated import IfGate
from ..profiles.profile import Always, IfFewer, IfUnsure, Profile
from ..ranking import features
from ..retrieval import protocol
from ..retrieval.protocol import IndexedRetriever
from .absolute import Fusing, fusing
from .depth import Shallow, shallow

if TYPE_CHECKING:
    from ..ranking.scoring.at_once import Scoring

_KEPT = 64  # profiles that are remembered
_known: dict[int, tuple[Profile, Plan]] = {}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a profile comes to.

    Attributes:
        shallow: how it is answered from the first rows of one search, if it can be.
        retrievers: those that it may ask, and those whose indexes they borrow.
        readers: those of them that have a language of their own.
        bare: whether every stage looks at columns and hashes alone.
        times: whether a stage looks at the time where the question has a word of a time in it.
        features: what its stages read of records.
        columns: the numbers of the directory that these are made of.
        words: its words and flags that these are made of, or that stages ask for.
        counted: whether a leg waits for how many the others find.
        told: whether its stages read what was told around records.
        content: whether the words of a question that only ask are left out.
        reads_records: whether a feature is made of what the directory does not have.
        reads: for each stage, whether it looks at records themselves.
        ranks: the columns of ranks that its stages read.
        scoring: what its first stages come to over two searches, if one pass can do them.
        fusing: how it is answered by two calls of the core, if it can be.

    """

    shallow: Shallow | None
    retrievers: tuple[str, ...]
    readers: tuple[IndexedRetriever, ...]
    bare: bool
    times: bool
    features: tuple[str, ...]
    columns: tuple[str, ...]
    words: tuple[str, ...]
    counted: bool
    told: bool
    content: bool
    reads_records: bool
    reads: tuple[bool, ...]
    ranks: frozenset[str]
    scoring: Scoring | None
    fusing: Fusing | None


def plan_of(profile: Profile) -> Plan:
    """Return the plan of a profile; profiles do not change."""
    held = _known.get(id(profile))
    if held is None or held[0] is not profile:
        if len(_known) >= _KEPT:
            _known.clear()
        held = _known[id(profile)] = (profile, _plan(profile))
    return held[1]


def _reads(retriever: IndexedRetriever) -> bool:
    return type(retriever).reads is not IndexedRetriever.reads


def _with_lender(name: str) -> tuple[str, ...]:
    """Return a retriever and the one whose index it borrows."""
    lender = protocol.get(name).borrows
    return (name, lender) if lender else (name,)


def _plan(profile: Profile) -> Plan:
    stages = profile.stages
    wanted = features.wanted(stages)
    fields = dict.fromkeys(field for name in wanted for field in features.FEATURES[name].reads)
    words = dict.fromkeys(name for stage in stages for name in stage.words)
    words.update(dict.fromkeys(field for field in fields if field in features.WORDS))
    return Plan(
        shallow=shallow(profile),
        retrievers=tuple(dict.fromkeys(name for each in profile.retrievers for name in _with_lender(each))),
        readers=tuple(each for each in map(protocol.get, profile.retrievers) if _reads(each)),
        bare=all(stage.bare for stage in stages),
        times=any(stage.reads_times for stage in stages),
        features=wanted,
        columns=tuple(field for field in fields if field in features.NUMBERS),
        words=tuple(words),
        counted=any(isinstance(leg.when, (IfFewer, IfUnsure, IfGate)) for leg in profile.legs),
        told=any(name in features.TOLD for name in wanted),
        content="words" in profile.retrievers,
        reads_records=not (features.NUMBERS | features.WORDS | features.TOLD).issuperset(fields),
        reads=tuple(stage.reads_records for stage in stages),
        ranks=frozenset(
            [name for stage in stages for name in stage.inputs if name.endswith("_rank")]
            + [f"{name}_rank" for stage in stages for name in stage.ranked]
        ),
        scoring=_scoring(profile),
        fusing=fusing(profile),
    )


def _scoring(profile: Profile) -> Scoring | None:
    """Return what the first stages come to, if vectors and words are searched, in this order, always and everywhere."""
    searches = tuple(leg.retriever for leg in profile.legs) == ("dense", "lexical")
    plain = all(isinstance(leg.when, Always) and leg.within is None and leg.stand_in is None for leg in profile.legs)
    if not searches or not plain or profile.legs[1].floor is not None:
        return None
    from ..ranking.scoring.at_once import scoring  # on use: `import byheart` stays light

    return scoring(profile.stages)
