"""The profile of a recall, as data: legs that propose, stages that score, drop and order, and their constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from ..errors import CannotHonour, InvalidArgument
from ..light.classes import dataclass
from ..ranking.algebra import Stage, worst_case
from ..ranking.features import OWNERS
from ..retrieval.protocol import get as retriever
from ..validation import (
    MAX_K,
    as_mapping,
    check_finite,
    check_flag,
    check_names,
    check_one_of,
    check_share,
    check_whole,
    listed,
    strings,
)
from ..words import Owner, Packing, RetrieverName, UserRule, VectorMode, words_of
from .gated import IfGate

MODES: tuple[str, ...] = words_of(VectorMode)
"""How vectors are searched. "by_model": with early exits where the model was trained for them, exactly elsewhere."""

USERS: tuple[str, ...] = words_of(UserRule)
"""What a recall that names a user finds: that user's records and those of no user; what each leg says by `within`, be
it another user's turn in the same session; or nothing, since such a recall is refused."""
PACKINGS: tuple[str, ...] = words_of(Packing)
"""How a context is packed; see `Memory.context`."""

POOL = 100


@dataclass(frozen=True, slots=True)
class Always:
    """The leg is asked in every recall."""

    def holds(self, found: int) -> bool:
        """Return True."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a mapping."""
        return {"when": "always"}


@dataclass(frozen=True, slots=True)
class IfFewer:
    """The leg is asked if the legs before it found fewer than so many records within their pools.

    What a filter lets through does not matter: whether a leg is asked depends on all that lies inside the boundary.
    """

    than: int

    def __post_init__(self) -> None:
        """Check the range."""
        check_whole("than", self.than, 0)

    def holds(self, found: int) -> bool:
        """Return whether the leg is asked after so many records were found."""
        return found < self.than

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a mapping."""
        return {"when": "if_fewer", "than": self.than}


@dataclass(frozen=True, slots=True)
class IfUnsure:
    """The leg is asked if the legs before it found fewer than so many records, or what was found first is not sure.

    It is not if its best record scores below the bar, if the second scores nearly as much, or if nothing at all holds
    what the question says must be there (a phrase, a word with +). As with `IfFewer`, a filter does not matter.

    Attributes:
        than: so many are enough, if they are sure.
        score: the bar of the best raw score; raw scores above 1 count as 1, as `Normalise` takes them.
        gap: the share of the best score by which the second has to lie below it; 0 turns it off.

    """

    than: int = 5
    score: float = 0.1
    gap: float = 0.1

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_whole("than", self.than, 0)
        for name in ("score", "gap"):
            check_share(name, getattr(self, name))

    def holds(self, found: int, best: Sequence[float] = (), *, lacking: bool = False) -> bool:
        """Return whether the leg is asked after so many records, with these best scores.

        >>> when = IfUnsure(than=1, score=0.1, gap=0.1)
        >>> when.holds(5, [3.0, 1.0]), when.holds(5, [3.0, 2.9]), when.holds(5, [0.05]), when.holds(0)
        (False, True, True, True)
        """
        if lacking or found < self.than or not best or min(best[0], 1.0) < self.score:
            return True
        return len(best) > 1 and best[0] - best[1] < self.gap * best[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a mapping."""
        return {"when": "if_unsure", "than": self.than, "score": self.score, "gap": self.gap}


When = Always | IfFewer | IfUnsure | IfGate


_CONDITIONS: Mapping[str, type[Always] | type[IfFewer] | type[IfUnsure] | type[IfGate]] = {
    "always": Always,
    "if_fewer": IfFewer,
    "if_unsure": IfUnsure,
    "if_gate": IfGate,
}


CONDITION_FIELDS: tuple[str, ...] = tuple(
    dict.fromkeys(name for kind in _CONDITIONS.values() for name in kind.__dataclass_fields__)
)
"""The numbers of all conditions, as mappings of legs hold them."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One search of a profile.

    Attributes:
        retriever: who is asked; its raw scores become the column of this name.
        pool: how many records it proposes, whatever a recall asks for.
        when: `Always()`, `IfFewer(n)`, `IfUnsure(...)`, or `IfGate(...)`, which has a budget of time too; one leg
            at most has a gate.
        within: look only at the records of the recall's "session", of its "user" elsewhere, or at those of nobody
            ("global"; of a recall that names neither session nor user: at all); None for all.
        floor: the lowest raw score that it proposes; None for none.
        stand_in: the retriever that finds what this one cannot look at: every record where there is no embedder or it
            fails, and those without a vector. Its scores are divided by its best one, or by 1; beside scores of this
            retriever they count half, since the scales are not the same. The answer says `degraded`.
        settings: what the retriever is told; `byheart.retrieval.protocol.settings_of` lists what each takes.
        optional: leave the search out, and say nothing of it, where the memory has no embedder.

    """

    retriever: RetrieverName | str
    pool: int = POOL
    when: When = field(default_factory=Always)
    within: Owner | None = None
    floor: float | None = None
    stand_in: RetrieverName | str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    optional: bool = False

    def __post_init__(self) -> None:
        """Check the names and ranges."""
        if not isinstance(self.settings, Mapping):
            raise TypeError(f"settings must be a mapping of names to values, not {type(self.settings).__name__}")
        object.__setattr__(self, "settings", retriever(self.retriever).checked(self.settings))
        if self.stand_in is not None:
            retriever(self.stand_in)
        if self.within is not None:
            check_one_of("within", self.within, OWNERS)
        check_finite("floor", self.floor)
        check_whole("pool", self.pool, 1, MAX_K)
        check_flag("optional", self.optional)
        if not isinstance(self.when, (Always, IfFewer, IfUnsure, IfGate)):
            raise TypeError(
                f"when must be Always(), IfFewer(n), IfUnsure(...) or IfGate(...), not {type(self.when).__name__}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the leg as a JSON-able mapping."""
        return {
            "retriever": self.retriever,
            "pool": self.pool,
            **self.when.to_dict(),
            "within": self.within,
            "floor": self.floor,
            "stand_in": self.stand_in,
            "settings": dict(self.settings),
            "optional": self.optional,
        }

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Leg:
        """Return the leg that `to_dict` described.

        >>> leg = Leg("hypervector", when=IfFewer(4))
        >>> Leg.from_dict(leg.to_dict()) == leg
        True
        """
        given = as_mapping("leg", mapping)
        when = given.pop("when", "always")
        check_one_of("when", when, _CONDITIONS)
        kind = _CONDITIONS[when]
        told = {name: given.pop(name) for name in kind.__dataclass_fields__ if name in given}
        given.pop("than", None)
        check_names("leg", given, cls, besides=("when",))
        check_names(f"leg: when {when!r}", told, kind)
        return cls(**given, when=kind(**told))


@dataclass(frozen=True, slots=True)
class Profile:
    """How a recall runs: its legs propose, its stages make an answer of them, and k cuts it.

    How many hits are asked for changes no score: the hits for a smaller k are the first of those for a larger one, up
    to the pool. Change a profile with `dataclasses.replace`, or make one of your own.

    Attributes:
        name: what explanations and receipts call it.
        legs: the searches, in order: rows stand in the order in which they are found first.
        stages: in order.
        pool: the most hits that it gives; a recall that asks for more says so.
        max_results: hits, where a recall does not say how many.
        mode: how vectors are searched: "exact", "early_exit", "approx", or "by_model".
        notes: what every answer says.
        users: what a recall that names a user finds: "own_and_shared", "scoped" or "refused" (see `USERS`). Without it,
            "scoped" where each leg looks `within` a place, and "own_and_shared" elsewhere.
        packing: how a context of its hits is packed, where the call does not say: see `Memory.context`.

    >>> from byheart.ranking.agreement import AgreementFusion
    >>> words = Profile("words", legs=(Leg("lexical"),), stages=(AgreementFusion(),))
    >>> Profile.from_dict(words.to_dict()) == words
    True

    """

    name: str
    legs: tuple[Leg, ...]
    stages: tuple[Stage, ...]
    pool: int = POOL
    max_results: int = 10
    mode: VectorMode = "exact"
    notes: tuple[str, ...] = ()
    users: UserRule | None = None
    packing: Packing = "prefix"

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not isinstance(self.name, str):
            raise TypeError(f"name must be str, not {type(self.name).__name__}")
        object.__setattr__(self, "notes", strings("notes", self.notes))
        for name, kind in (("legs", Leg), ("stages", Stage)):
            object.__setattr__(self, name, listed(name, getattr(self, name)))
            for one in getattr(self, name):
                if not isinstance(one, kind):
                    raise TypeError(f"{name} must be {kind.__name__} objects, not {type(one).__name__}")
        if sum(isinstance(leg.when, IfGate) for leg in self.legs) > 1:
            raise InvalidArgument("legs: several have a gate; one at most may")
        if not self.legs:
            raise InvalidArgument("legs: are none; a profile needs a search at least")
        check_one_of("mode", self.mode, MODES)
        check_one_of("packing", self.packing, PACKINGS)
        for name, number in (("max_results", self.max_results), ("pool", self.pool)):
            check_whole(name, number, 1, MAX_K)
        if self.users is not None:
            check_one_of("users", self.users, USERS)
        if self.users == "scoped" and all(leg.within is None for leg in self.legs):
            raise InvalidArgument("users: is 'scoped', and no leg says within what it looks; use 'own_and_shared'")

    @property
    def keeps_to(self) -> UserRule:
        """What a recall that names a user finds, one of `USERS`."""
        if self.users is not None:
            return self.users
        return "own_and_shared" if any(leg.within is None for leg in self.legs) else "scoped"

    @property
    def tells_sessions(self) -> bool:
        """Whether it makes something of the session that a recall is for: a leg or a stage looks at it."""
        return any(leg.within is not None for leg in self.legs) or any(stage.tells_sessions for stage in self.stages)

    @property
    def tells_strength(self) -> bool:
        """Whether its answers have a strength."""
        return any(stage.name == "strength" for stage in self.stages)

    def check_honours(self, session_id: str | None, user_id: str | None, min_strength: float | None = None) -> None:
        """Refuse a session, a user or a bound of which nothing would be made.

        Raises:
            CannotHonour: the message says what can be done instead.

        >>> Profile("words", legs=(Leg("lexical"),), stages=()).check_honours(None, "ann")

        """
        if user_id is not None and self.keeps_to == "refused":
            raise CannotHonour(
                f"user_id: profile {self.name!r} knows no users; leave it out, or use where={{'user_id': ...}}"
            )
        if session_id is not None and not self.tells_sessions:
            raise CannotHonour(
                f"session_id: profile {self.name!r} ranks no session higher; use a profile that does, such as "
                "'scoped', or a stage ThisSession, or where={'session_id': ...} for that session alone"
            )
        if min_strength and not self.tells_strength:
            raise CannotHonour(
                f"min_strength: answers of profile {self.name!r} have no strength; leave it out, or use profile "
                "'auto', or a profile with the stage Strength"
            )

    def asks(self, name: str) -> bool:
        """Return whether the profile ever asks a retriever."""
        return any(name in (leg.retriever, leg.stand_in) for leg in self.legs)

    @property
    def retrievers(self) -> tuple[str, ...]:
        """The retrievers that it may ask, those that stand in too, each once."""
        named = (name for leg in self.legs for name in (leg.retriever, leg.stand_in) if name is not None)
        return tuple(dict.fromkeys(named))

    def runs_secondary(self, found: int) -> bool:
        """Return whether a retriever beyond the first is asked after the first leg found so many records."""
        first = self.legs[0].retriever
        return any(leg.retriever != first and leg.when.holds(found) for leg in self.legs[1:])

    def in_mode(self, mode: VectorMode) -> Profile:
        """Return the profile with another way of searching vectors."""
        return replace(self, mode=mode)

    def literally(self) -> Profile:
        """Return the profile with its source's rules to the letter: a minimum score holds on tiny boundaries too."""
        from ..ranking.agreement import ScoreFloor

        stages = tuple(replace(one, literal=True) if isinstance(one, ScoreFloor) else one for one in self.stages)
        return replace(self, stages=stages)

    def deepened(self, times: int) -> Profile:
        """Return the profile with words that propose so many times as many records, and room for as many more hits.

        >>> from byheart import profiles
        >>> deep = profiles.get("auto").deepened(3)
        >>> deep.pool, [leg.pool for leg in deep.legs]
        (300, [300, 100, 100])
        """
        if times == 1 or all(leg.retriever != "words" for leg in self.legs):
            return self

        def more(pool: int) -> int:
            return min(times * pool, MAX_K)

        legs = tuple(replace(leg, pool=more(leg.pool)) if leg.retriever == "words" else leg for leg in self.legs)
        return replace(self, legs=legs, pool=more(self.pool))

    def worst_case(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Return how far time, importance and the like can turn a ranking; see `byheart.ranking.algebra.worst_case`."""
        return worst_case(self.stages)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole profile as a JSON-able mapping: what receipts hold."""
        return {
            "name": self.name,
            "legs": [leg.to_dict() for leg in self.legs],
            "stages": [stage.to_dict() for stage in self.stages],
            "pool": self.pool,
            "max_results": self.max_results,
            "mode": self.mode,
            "notes": list(self.notes),
            **({} if self.users is None else {"users": self.users}),
            "packing": self.packing,
        }

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Profile:
        """Return the profile that `to_dict` described.

        Raises:
            UnknownField: a name that does not exist: of a field, a stage, or a setting of one.
            InvalidArgument: a value is outside its range, or was an object, such as a reranker.

        """
        from ..ranking.registry import stage_from_dict

        given = as_mapping("profile", mapping)
        check_names("profile", given, cls, besides=("legs", "stages"))
        legs = tuple(Leg.from_dict(each) for each in listed("legs", given.pop("legs", ())))
        stages = tuple(stage_from_dict(each) for each in listed("stages", given.pop("stages", ())))
        return cls(legs=legs, stages=stages, **given)
