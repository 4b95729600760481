"""The sayings of one call: which record each of its records says again, be that stored or of the call itself.

What is said again adds to the metadata of the record that is there. So each record is compared with that one as those
before it in the call leave it: else two that contradict each other would both be taken for one that contradicts
neither, and the first would be lost.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..index import whose
from ..records import SUMMARY, Record
from ..retrieval import sameness
from ..storage import Key, key_of
from .draft import MOST_ALIKE
from .standing import Standing

Said = tuple[Record | None, Record]
"""A record that was said before, complete, and the one that it says again; of a new one None, and itself."""

_TOLD = (whose.TURN, SUMMARY)  # each of them is one of its own


class Sayings:
    """What was said before, as one call hears it; the caller holds the lock.

    Args:
        standing: of the call, in which nothing is planned yet.
        now: the time.
        named: tenant and id of records of the call, whose places these take: nothing is said again of what was there.
        stored: whether what is stored counts, or what the call says alone.
        several: whether the call is of several records.

    """

    def __init__(
        self,
        standing: Standing,
        now: float,
        named: Collection[tuple[str | None, str]],
        *,
        stored: bool,
        several: bool,
    ) -> None:
        self._standing, self._now, self._named = standing, now, named
        self._stored, self._several = stored, several
        self._latest: dict[Key, Record] = {}  # as the call leaves them
        self._alike: dict[tuple[object, ...], list[Key]] = {}  # of the call, by what they say
        self._whole: dict[
            tuple[object, ...], Key
        ] = {}  # by their metadata, too: of many alike these alone are looked at

    def told_apart(self, records: Sequence[Record], complete: Sequence[Record]) -> tuple[list[Said], list[Record]]:
        """Return of each record the one that it says again; and those that are new.

        Args:
            records: of the call, as they came: one with an id says nothing again.
            complete: the same, complete.

        """
        said: list[Said] = []
        fresh: list[Record] = []
        for record, whole in zip(records, complete, strict=True):
            before = self._before(whole) if record.id is None and whole.kind not in _TOLD else None
            if before is None:
                said.append((None, whole))
                fresh.append(whole)
                if whole.kind not in _TOLD:
                    self._note(whole)
            else:
                said.append((whole, before))
        return said, fresh

    def _note(self, record: Record) -> None:
        """Note a record of the call that says nothing again."""
        if not self._several:
            return
        key = key_of(record)
        self._latest[key] = record
        for name in sameness.names(record):
            self._alike.setdefault(name, []).append(key)
            self._whole.setdefault((*name, record.canonical_data()), key)

    def _before(self, record: Record) -> Record | None:
        """Return the record that a complete one says again, as the call leaves it so far; None for none."""
        found = self._of_call(record) if self._several else None
        if found is None and self._stored:
            found = self._there(self._standing.said_in_words(record, self._now), record) or self._there(
                self._standing.said_as_fact(record, self._now), record
            )
        if found is not None and self._several:
            self._latest[key_of(found)] = found.completed(metadata={**found.metadata, **record.metadata})
        return found

    def _of_call(self, record: Record) -> Record | None:
        for name in sameness.names(record):
            whole = self._whole.get((*name, record.canonical_data()))
            keys = self._alike.get(name, [])
            near = [] if whole is None else [whole]
            near += keys if len(keys) <= MOST_ALIKE else []
            found = sameness.the_one(record, [self._latest[key] for key in near])
            if found is not None:
                return found
        return None

    def _there(self, stored: Sequence[Record], record: Record) -> Record | None:
        """Return of some stored records the one that is said again."""
        latest = [self._latest.get(key_of(each), each) for each in stored]
        return sameness.the_one(record, [each for each in latest if (each.tenant, each.id or "") not in self._named])
