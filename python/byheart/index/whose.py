"""Filters for the records of a session, of a user or of nobody; of turns, durable copies and summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..knowledge import text_mark
from ..patterns.asking import share_asking
from ..records import SUMMARY, Record
from ..retrieval.filter.canonical import Canonical, Value, all_of, any_of, membership, negated
from ..retrieval.filter.canonical import over as over
from ..retrieval.filter.fields import fields_of
from . import standing

TURN = "turn"
SPOKEN = (TURN, SUMMARY)
"""The kinds of what was said in a session, be it summarised by now."""
"""The kind of a record that is a turn of a conversation: found through its session alone."""

DURABLE = "memory"
"""The kind of a turn's durable copy, whose provenance names the turn as `source_id`."""

USER_ROLE = "user"
"""The `role` in a turn's metadata that says that the user said it; a turn without one counts as the user's."""

LENGTH = "length"
"""The field of the directory that says how long a text is, in code points; no filter of a user can name it."""

TEXT_MARK = "text_mark"
"""The field that texts have in common which say the same (`byheart.knowledge.text_mark`); no filter can name it."""

SOURCE_ID = "source id"
"""The field of the directory that says which turn a record was promoted from; no filter of a user can name it."""

ASKING = "asking"
"""The field of the directory that says which share of a turn asks, if it ends in a question; no filter can name it."""

ZERO_VECTOR = "zero vector"
"""The field of the directory that says that a record's vector is all zero; no filter of a user can name it."""

ORIGIN = "origin_observation_id"
"""In the provenance of a claim: the observation that it was made of."""

OBSERVATION_ID = "observation id"
"""The field of the directory that says which observation that is; no filter of a user can name it."""

MADE_OF = ("derived_from_unit_ids",)
"""The fields by which a record says what it was made of, beside `SOURCE_ID`."""

NAMING = ("links", "parent_unit_ids", "child_unit_ids", "superseded_by")
"""The fields by which a record names others."""

_ARCHIVED: Canonical = ("in", "archived", (True,))
OF_ZEROS: Canonical = ("in", ZERO_VECTOR, (True,))
_SUMMARIES: Canonical = ("in", "kind", (SUMMARY,))
_NOBODYS: Canonical = all_of([("exists", "user_id", False), negated(membership("kind", (TURN,)))])
ACTIVE = negated(_ARCHIVED)


def directory_fields(record: Record) -> Mapping[str, tuple[Value, ...]]:
    """Return what the directory keeps of a record: what filters see, its length, how much of it asks, and the like."""
    seen = fields_of(record)
    seen.pop("id", None)  # which the directory knows
    seen[LENGTH] = (float(len(record.text)),)
    seen[TEXT_MARK] = (text_mark(record.gist()),)
    if asking := share_asking(record):
        seen[ASKING] = (asking,)
    if (since := standing.said_since(record)) is not None:
        seen[standing.SAID_SINCE] = (since + 0.0,)
    if isinstance(turn := record.provenance.get("source_id"), str):
        seen[SOURCE_ID] = (turn,)
    if isinstance(observation := record.provenance.get(ORIGIN), str):
        seen[OBSERVATION_ID] = (observation,)
    return seen


def of_owner(field: str, id: str) -> Canonical:
    """Return the filter for the records of one session or user, by the field that names it."""
    return membership(field, (id,))


@lru_cache(maxsize=1_024)
def of_session(session_id: str) -> Canonical:
    """Return the filter for the records of a session."""
    return membership("session_id", (session_id,))


def of_category(category: str) -> Canonical:
    """Return the filter for the records of a category."""
    return membership("category", (category,))


@lru_cache(maxsize=1_024)
def of_user_elsewhere(user_id: str, session_id: str | None) -> Canonical:
    """Return the filter for what is known of a user outside a session: turns are found through their session alone."""
    own = [_of_user(user_id), negated(membership("kind", (TURN,)))]
    return all_of(own if session_id is None else [*own, negated(of_session(session_id))])


@lru_cache(maxsize=1_024)
def of_user_or_none(user_id: str) -> Canonical:
    """Return the filter for a user's records and those of no user, in all sessions: never another user's."""
    return any_of([_of_user(user_id), ("exists", "user_id", False)])


@lru_cache(maxsize=1)
def of_nobody() -> Canonical:
    """Return the filter for the records of no session and no user."""
    return all_of([("exists", "session_id", False), ("exists", "user_id", False)])


@lru_cache(maxsize=1_024)
def said_by(user_id: str) -> Canonical:
    """Return the filter for the turns that a user said, in any session."""
    role = any_of([("exists", "metadata.role", False), membership("metadata.role", (USER_ROLE,))])
    return all_of([_of_user(user_id), membership("kind", (TURN,)), role])


def known_of(user_id: str) -> Canonical:
    """Return the filter for the records of a user that are no turns."""
    return of_user_elsewhere(user_id, None)


def kept_of(user_id: str | None) -> Canonical:
    """Return the filter for the records of a user, or of nobody, that are no turns."""
    return _NOBODYS if user_id is None else known_of(user_id)


def copies_of(turn: str) -> Canonical:
    """Return the filter for the durable copies of a turn, which need not be there any more."""
    return _durable((turn,))


def summaries_of(source: str) -> Canonical:
    """Return the filter for the summaries that were made of a record, which need not be there any more."""
    # As `all_of` has it, in its order: this is asked for every turn that is said.
    return ("and", (_SUMMARIES, membership("source_ids", (source,))))


def made_of(sources: Iterable[str]) -> Canonical:
    """Return the filter for what says that it was made of one of some records, and is no summary."""
    named = tuple(sources)
    fields = (SOURCE_ID, *MADE_OF)
    return all_of([any_of([membership(each, named) for each in fields]), negated(membership("kind", (SUMMARY,)))])


def made_of_observations(ids: Iterable[str]) -> Canonical:
    """Return the filter for the claims that were made of one of some observations."""
    return membership(OBSERVATION_ID, tuple(ids))


def speaking_of(sources: Iterable[str]) -> Canonical:
    """Return the filter for what names one of some records, be it made of it or not."""
    named = tuple(sources)
    return any_of([membership(each, named) for each in (SOURCE_ID, *MADE_OF, *NAMING)])


def nobodys_in(sessions: Iterable[str]) -> Canonical:
    """Return the filter for what is of some sessions, and of no user."""
    return all_of([membership("session_id", tuple(sessions)), ("exists", "user_id", False)])


@lru_cache(maxsize=1_024)
def owned_in(session_id: str) -> Canonical:
    """Return the filter for the turns of a session that have a user, and for the summaries of such turns."""
    return all_of([of_session(session_id), membership("kind", SPOKEN), ("exists", "user_id", True)])


def none_of(ids: Iterable[str]) -> Canonical:
    """Return the filter that leaves out records and their durable copies."""
    named = tuple(sorted(ids))
    return negated(any_of([membership("id", named), _durable(named)]))


def one_of(ids: Iterable[str]) -> Canonical:
    """Return the filter for the records with some ids."""
    return membership("id", tuple(ids))


def _durable(turns: tuple[str, ...]) -> Canonical:
    return all_of([membership("kind", (DURABLE,)), membership(SOURCE_ID, turns)])


def _of_user(user_id: str) -> Canonical:
    return membership("user_id", (user_id,))
