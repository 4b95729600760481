"""A recall with every argument checked and the boundary resolved to cells. Arguments are checked here and only here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from .. import knowledge, profiles
from .._core import Analyzer
from ..boundary import Boundary
from ..errors import InvalidArgument
from ..patterns import should_skip_retrieval
from ..profiles import Profile
from ..validation import MAX_IDS, MAX_QUERY_BYTES, check_deadline, check_k, check_text, epoch_seconds, strings

if TYPE_CHECKING:
    from ..profiles.staged import StagedProfile

BoundaryLike = Boundary | Mapping[str, Any]
Query = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller asked, checked.

    Attributes:
        query: the text, or the terms analysed before.
        k: hits at most.
        profile: how the recall runs; an argument that names a mode of the dense search is part of it.
        inside: whose records, and which, may be looked at.
        act, needed_roles: what the answer is for, and the roles that it needs.
        now: epoch seconds that expiry is measured against; None: the clock's, if it matters.
        deadline: seconds that a closure over facts, or a reranker, may take.
        session_id, user_id: for whom the recall is, for profiles that tell sessions and users apart.
        category: the only category to look at.
        exclude: records that are not to be found.

    """

    query: Query
    k: int
    profile: Profile | StagedProfile
    inside: Boundary
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None
    deadline: float | None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: frozenset[str] = frozenset()

    def terms(self, analyzer: Analyzer) -> Sequence[str]:
        """Return the terms of the query."""
        return analyzer.terms(self.query) if isinstance(self.query, str) else self.query

    def session(self) -> str:
        """Return the session that the call is about.

        Raises:
            InvalidArgument: it names none.

        """
        if self.session_id is None:
            raise InvalidArgument("session_id: is missing; say whose turns are meant")
        return self.session_id

    def text(self) -> str:
        """Return the query as one text."""
        return self.query if isinstance(self.query, str) else " ".join(self.query)


def check(
    query: Query,
    *,
    default: Boundary,
    ceiling: Boundary | None,
    k: int | None,
    profile: str | Profile | StagedProfile,
    boundary: BoundaryLike | None,
    now: Any,
    act: str | None,
    needed_roles: Sequence[str],
    deadline: float | None,
    mode: str | None,
    session_id: str | None,
    user_id: str | None,
    category: str | None,
    exclude: Sequence[str],
) -> Asked:
    """Return what was asked, or raise the one error that says what is wrong with it."""
    chosen = profiles.get(profile)
    inside = boundaries.resolve(boundary, default, ceiling)
    if act is not None and act not in knowledge.ACT_ROLES:
        raise InvalidArgument(f"act: {act!r} does not exist; there are {', '.join(knowledge.ACTS)}")
    roles = strings("needed_roles", needed_roles) or knowledge.ACT_ROLES.get(act or "", ())
    _check_query(query)
    for name, value in (("session_id", session_id), ("user_id", user_id), ("category", category)):
        if value is not None:
            check_text(name, value)
    return Asked(
        query=query,
        k=chosen.max_results if k is None else check_k(k),
        profile=chosen if mode is None else chosen.in_mode(mode),
        inside=inside,
        act=act,
        needed_roles=roles,
        now=epoch_seconds("now", now),
        deadline=check_deadline(deadline),
        session_id=session_id,
        user_id=user_id,
        category=category,
        exclude=frozenset(strings("exclude", exclude, MAX_IDS)),
    )


def needless(asked: Asked, adaptive: bool | str) -> str | None:
    """Return why a question needs no memory, by the rules of a pattern profile; None if it needs one (A2.7).

    Args:
        asked: the question.
        adaptive: the name of the profile; True for "byheart"; False: every question is taken to need one.

    Raises:
        InvalidArgument: there is no such profile.

    """
    if not isinstance(adaptive, (bool, str)):
        raise TypeError(f"adaptive must be bool or the name of a profile, not {type(adaptive).__name__}")
    if adaptive is False:
        return None
    decision = should_skip_retrieval(asked.text(), *([] if adaptive is True else [adaptive]))
    return decision.reason if decision.skip else None


def _check_query(query: Query) -> None:
    if isinstance(query, str):
        check_text("query", query, MAX_QUERY_BYTES)
        return
    if not isinstance(query, (list, tuple)):
        raise TypeError(f"query must be str or a list of terms, not {type(query).__name__}")
    for term in query:
        if not isinstance(term, str):
            raise TypeError(f"query terms must be str, not {type(term).__name__}")
