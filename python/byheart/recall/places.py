"""The places where legs look: a session, the user's other records, records without a user; or everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..index import whose
from ..profiles.profile import Leg, Profile
from ..retrieval.question import Question

if TYPE_CHECKING:
    from ..retrieval.filter.canonical import Canonical


def to_ask(profile: Profile, question: Question) -> list[tuple[Leg, int]]:
    """Return the legs to ask, and how many records each may propose.

    A recall that names no session, or no user, has nothing to look for there: each place takes the share of the one
    before it instead.
    """
    absent = {"session": question.session_id is None, "user": question.user_id is None}
    shares = iter([leg.pool for leg in profile.legs if leg.within is not None])
    asked = []
    for leg in profile.legs:
        if leg.within is None:
            asked.append((leg, leg.pool))
        elif not absent.get(leg.within, False):
            asked.append((leg, next(shares)))
    return asked


def records_within(question: Question, place: str | None) -> Canonical | None:
    """Return which records a leg may find: those of a session, of a user elsewhere, of nobody; None for all."""
    session, user = question.session_id, question.user_id
    if place == "session" and session is not None:
        return whose.of_session(session)
    if place == "user" and user is not None:
        return whose.of_user_elsewhere(user, session)
    if place == "global" and not (session is None and user is None):
        return whose.of_nobody()
    return None  # a recall that does not say for whom it is knows of no owners
