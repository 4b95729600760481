"""Whose records are whose: session, user, category; which are archived, what summaries are of, how often each was used.

Kept beside the indexes, so that a search can be narrowed to the records of a session before it runs, and nothing has to
be read for it. Only records that say something of the kind are in here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from typing import Any

from ..records import SUMMARY, Record

TURN = "turn"
"""The kind of a record that is a turn of a conversation: found through its session alone."""

DURABLE = "memory"
"""The kind of a turn's durable copy, whose provenance names the turn as `source_id`."""

USER_ROLE = "user"
"""The `role` in a turn's metadata that says that the user said it; a turn without one counts as the user's."""


class Membership:
    """Sets of ids by what their records say."""

    def __init__(self) -> None:
        self.sessions: dict[str, set[str]] = {}
        self.users: dict[str, set[str]] = {}
        self.categories: dict[str, set[str]] = {}
        self.turns: set[str] = set()
        self.replies: set[str] = set()  # turns that somebody else than the user said
        self.owned: set[str] = set()  # of a session or a user
        self._said_by: dict[str, set[str]] = {}  # by user: the turns that are the user's own
        self._known_of: dict[str, set[str]] = {}  # by user: what is no turn
        self.archived: set[str] = set()
        self.uses: dict[str, int] = {}  # access counts above 0
        self._commons: set[str] | None = None  # of nobody; known from when it was first asked for
        self.sources: dict[str, tuple[str, ...]] = {}  # by summary: what it was made of, there still or not
        self._summaries: dict[str, set[str]] = {}  # by source
        self._turn_of: dict[str, str] = {}  # by durable copy
        self._copies: dict[str, set[str]] = {}  # by turn
        self._said: dict[str, tuple[str | None, str | None, str | None]] = {}

    def put(self, id: str, record: Record) -> None:
        """Take a record in; it must not be in here."""
        said = (record.session_id, record.user_id, record.category)
        if any(name is not None for name in said):
            self._said[id] = said
            for groups, name in zip(self._groups(), said, strict=True):
                if name is not None:
                    groups.setdefault(name, set()).add(id)
        if record.session_id is not None or record.user_id is not None:
            self.owned.add(id)
        elif self._commons is not None:
            self._commons.add(id)
        if record.kind == TURN:
            self.turns.add(id)
            if record.metadata.get("role", USER_ROLE) != USER_ROLE:
                self.replies.add(id)
        if record.user_id is not None:
            self._note_user(id, record.user_id)
        if record.archived_by is not None:
            self.archived.add(id)
        if record.access_count:
            self.uses[id] = record.access_count
        if record.kind == SUMMARY and record.source_ids:
            self._add_summary(id, record.source_ids)
        if record.kind == DURABLE and isinstance(turn := record.provenance.get("source_id"), str):
            self._add_copy(id, turn)

    def leave(self, id: str) -> None:
        """Take a record out; an unknown one is ignored."""
        said = self._said.pop(id, (None, None, None))
        for groups, name in zip(self._groups(), said, strict=True):
            if name is not None:
                _take(groups, name, id)
        for groups in (self._said_by, self._known_of):
            _take(groups, said[1] or "", id)
        for held in (self.turns, self.replies, self.owned, self.archived, self._commons or set()):
            held.discard(id)
        self.uses.pop(id, None)
        for source in self.sources.pop(id, ()):
            _take(self._summaries, source, id)
        _take(self._copies, self._turn_of.pop(id, ""), id)

    def copies_of(self, turn: str) -> Set[str]:
        """Return the durable copies of a turn, which need not be there any more."""
        return self._copies.get(turn, frozenset())

    def _add_copy(self, id: str, turn: str) -> None:
        self._turn_of[id] = turn
        self._copies.setdefault(turn, set()).add(id)

    def summaries_of(self, source: str) -> Set[str]:
        """Return the summaries that were made of a record, which need not be there any more."""
        return self._summaries.get(source, frozenset())

    def _add_summary(self, id: str, sources: Iterable[str]) -> None:
        self.sources[id] = tuple(sources)
        for source in self.sources[id]:
            self._summaries.setdefault(source, set()).add(id)

    def within(self, place: str, session_id: str | None, user_id: str | None) -> Set[str]:
        """Return the records of a "session"; or those of a "user" that are no turns and of other sessions."""
        own = self.sessions.get(session_id, set()) if session_id is not None else set()
        if place == "session":
            return own
        return self.users.get(user_id, set()) - own - self.turns if user_id is not None else set()

    def commons(self, known: Collection[str]) -> Set[str]:
        """Return the records of no session and no user, of all that are known."""
        if self._commons is None:
            self._commons = set(known) - self.owned
        return self._commons

    def said_by(self, user_id: str) -> Set[str]:
        """Return the turns that a user said, in any session."""
        return self._said_by.get(user_id, frozenset())

    def known_of(self, user_id: str) -> Set[str]:
        """Return the records of a user that are no turns."""
        return self._known_of.get(user_id, frozenset())

    def of_category(self, category: str) -> Set[str]:
        """Return the records of a category."""
        return self.categories.get(category, set())

    def table(self) -> dict[str, Any]:
        """Return what `restore` makes the same of, as JSON can say it."""
        groups = [{name: sorted(ids) for name, ids in each.items()} for each in self._groups()]
        sets = [sorted(held) for held in (self.turns, self.replies, self.archived)]
        return {
            "groups": groups,
            "sets": sets,
            "uses": self.uses,
            "sources": self.sources,
            "copies": self._turn_of,
        }

    def restore(self, table: Mapping[str, Any], known: Collection[str]) -> None:
        """Become what gave this table; raise what Python raises if it is none, or names records that are not known."""
        for name, (groups, stored) in enumerate(zip(self._groups(), table["groups"], strict=True)):
            for key, ids in stored.items():
                groups[key] = set(ids)
                for id in ids:
                    said = list(self._said.get(id, (None, None, None)))
                    said[name] = key
                    self._said[id] = (said[0], said[1], said[2])
        self.turns, self.replies, self.archived = (set(ids) for ids in table["sets"])
        self.uses = {id: int(count) for id, count in table["uses"].items()}
        for user, ids in self.users.items():
            for id in ids:
                self._note_user(id, user)
        for id, sources in table["sources"].items():
            self._add_summary(id, map(str, sources))
        for id, turn in table["copies"].items():
            self._add_copy(id, str(turn))
        self.owned = {id for id, (session, user, _) in self._said.items() if session is not None or user is not None}
        named: Iterable[Collection[str]] = (
            self._said,
            self.turns,
            self.replies,
            self.archived,
            self.uses,
            self.sources,
            self._turn_of,
        )
        if not all(set(ids) <= set(known) for ids in named):
            raise ValueError("the table names records that are not there")

    def _note_user(self, id: str, user_id: str) -> None:
        """Note what a user said, and what is known of the user; somebody else's turns are neither."""
        if id not in self.turns:
            self._known_of.setdefault(user_id, set()).add(id)
        elif id not in self.replies:
            self._said_by.setdefault(user_id, set()).add(id)

    def _groups(self) -> tuple[dict[str, set[str]], dict[str, set[str]], dict[str, set[str]]]:
        return self.sessions, self.users, self.categories


def _take(groups: dict[str, set[str]], name: str, id: str) -> None:
    """Take an id out of a group, and the group away with its last one."""
    group = groups.get(name)
    if group is not None:
        group.discard(id)
        if not group:
            del groups[name]
