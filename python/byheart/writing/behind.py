"""The ways from facts to those behind which they stand, one behind the other: no way may lead back, or none were found.

Of several in its place a record says one, in `superseded_by`. The times of facts alone lead to no ring: only where
somebody said that a fact stands in the place of one that is no earlier, all that stand there are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..records import Record
from .marks import said_last


class Behind:
    """Tells behind which others records stand.

    A way that was walked once is not walked again: of a row of facts each stands behind all that came after it, and the
    looks at the marks grow with the records, and not with their square.

    Args:
        facts: of one subject and relation.
        lookup: finds other records, by one of their cell and their id.
        later: finds those of the facts that stand in the place of one by their times.

    """

    def __init__(
        self,
        facts: Sequence[Record],
        lookup: Callable[[Record, str], Record | None],
        later: Callable[[Record], Sequence[Record]],
    ) -> None:
        self._known, self._lookup, self._later = {each.id: each for each in facts}, lookup, later
        self._standing: dict[str, list[str]] = {}  # in the place of one, as they say themselves
        self._is_tangled = any(self._is_against_time(each) for each in facts)
        for each in facts if self._is_tangled else ():
            for id in each.supersedes:
                self._standing.setdefault(id, []).append(each.id or "")

    def of(self, records: Sequence[Record]) -> set[str]:
        """Return the ids behind which records stand."""
        found, waiting = set[str](), [*records]
        while waiting:
            each = waiting.pop()
            new = [id for id in dict.fromkeys(self._next(each)) if id not in found]
            found.update(new)
            waiting += self._read(each, new)
        return found

    def leading_to(self, id: str, records: Sequence[Record]) -> set[str]:
        """Return the ids of those of some records that stand behind one, which is none of them."""
        behind, free = {id}, set[str]()  # from which a way leads to it, and its own id; from which none does
        for record in records:
            came_from: dict[str, str | None] = {record.id or "": None}
            waiting = [record]
            while waiting:
                each = waiting.pop()
                new = [one for one in dict.fromkeys(self._next(each)) if one not in came_from and one not in free]
                came_from.update((one, each.id) for one in new)
                if met := next((one for one in new if one in behind), None):
                    behind |= _way(met, came_from)
                    break
                waiting += self._read(each, new)
            else:
                free.update(came_from)
        return {record.id or "" for record in records} & behind

    def _is_against_time(self, record: Record) -> bool:
        """Return whether somebody said that a record stands in the place of a fact that is no earlier."""
        if len(record.supersedes) == len(record.contradicts):
            return False
        by_fact = {*record.contradicts}
        named = (self._known.get(id) for id in record.supersedes if id not in by_fact)
        return any(each and said_last(each) >= said_last(record) for each in named)

    def _next(self, record: Record) -> Iterator[str]:
        ids = [record.superseded_by, record.archived_by]
        if self._is_tangled:
            ids += self._standing.get(record.id or "", ())
            ids += (each.id for each in self._later(record)) if record.id in self._known else ()
        for id in ids:
            if id is not None and id != record.id:
                yield id

    def _read(self, beside: Record, ids: Sequence[str]) -> list[Record]:
        found = [self._known.get(id) or self._lookup(beside, id) for id in ids]
        return [each for each in found if each is not None]


def _way(id: str | None, came_from: Mapping[str, str | None]) -> set[str]:
    """Return an id and those from which a walk has come to it."""
    found = set[str]()
    while id is not None:
        found.add(id)
        id = came_from[id]
    return found
