"""The records that share words with one, of its user and its cell: what a statement of change may update.

"The flight was moved to 9:15" begins otherwise than "My flight to Oslo leaves at 7:40", and no mark of the directory
brings the two together. So a statement that says plainly that something changed, and it alone, is searched for by its
words, among the records that are stored and among those before it in its call.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from ..boundary import cell_key
from ..index import whose
from ..index.indexes import Indexes
from ..index.partition import Partition
from ..patterns.exchanging import may_exchange
from ..patterns.roots import of_one_root, words_of_one_root
from ..patterns.saying import said, statement
from ..patterns.states import change_in, states_in, words_beside
from ..patterns.updating import MOST_CHARACTERS, states_change, updates
from ..records import SUMMARY, Record
from ..retrieval import sameness
from ..retrieval.filter.canonical import Canonical
from ..storage import Key, key_of
from .change import Change
from .draft import Draft, either

MOST_READ: Final = 8
"""So many of the records that share words with one are read: those that share most, by their weight."""
_MOST_OF_A_WORD: Final = 16  # records of the call, the last ones
_STATE: Final = "state:"  # no word has a colon within
_EXCHANGE: Final = f"{_STATE}given up"  # whatever is given up may be named by any record
_TOLD: Final = (whose.TURN, whose.DURABLE, SUMMARY)  # what conversations make is compared as it is taken in


def sharing_words(
    partition: Partition, record: Record, within: Canonical, now: float, others: Canonical | None = None
) -> list[str]:
    """Return the rows in a record's cell that share most words with it, of those within a filter.

    Where it changes a state, as "I moved to Uppsala" does, those that share most of the state's words are among them.

    Args:
        partition: of its tenant.
        record: complete.
        within: whose records are looked at.
        now: what is over by then is not found.
        others: a second filter.

    """
    legs = [{"retriever": "lexical", "k": MOST_READ, "within": within}]
    rows: dict[str, None] = {}
    for text in (record.text, _beside(record.text)):
        if terms := partition.settings.analyzer.terms(text):
            found = partition.core.propose(legs, [cell_key(*key_of(record).cell)], terms=terms, filter=others, now=now)
            rows |= dict.fromkeys(row for row, _ in found.hits(0))
    return list(rows)


class Updated:
    """What the statements of one call update, be it stored or of the call itself; the caller holds the lock.

    Args:
        indexes: of the store, up to date.
        draft: of the call.
        several: whether the call is of several records.

    """

    def __init__(self, indexes: Indexes, draft: Draft, *, several: bool) -> None:
        self._indexes, self._draft, self._several = indexes, draft, several
        self._waiting: list[Key] = []  # records of the call that no statement has been compared with yet
        self._holding: dict[tuple[object, ...], dict[str, deque[Key]]] = {}  # those that hold a word, by owner
        self._sought: dict[tuple[object, ...], list[Record]] = {}  # what says a change, by owner and word

    def note(self, record: Record) -> None:
        """Note a record of the call, for those behind it."""
        if self._several and len(record.text) <= MOST_CHARACTERS and record.kind not in _TOLD:
            self._waiting.append(key_of(record))

    def by(self, record: Record, now: float) -> list[Record]:
        """Return what a record updates: nothing if it does not say plainly that something changed.

        What was said later than it is not among them, nor what another speaks of under another topic.
        """
        if not _may_update(record):
            return []
        about = said(statement(record.text)).about
        for stem in (*about, *sorted(of_one_root(about)), *_changed_in(record.text)):
            self._sought.setdefault((*_owner(record), stem), []).append(record)
        partition = self._indexes[record.tenant or ""]
        rows = sharing_words(partition, record, whose.kept_of(record.user_id), now)
        found = [*self._draft.stored(record, rows), *self._of_the_call(record)]
        return [each for each in dict(zip(map(key_of, found), found, strict=True)).values() if _updates(record, each)]

    def add_to(self, change: Change) -> None:
        """Have a write depend on that nobody remembers meanwhile what one of its records would have updated."""
        if self._sought:
            change.seen = either(change.seen, self._is_updated)

    def _is_updated(self, record: Record) -> bool:
        """Return whether a record of the call may update another one: surely, unless very many speak of the same."""
        if len(record.text) > MOST_CHARACTERS:
            return False
        states = (f"{_STATE}{state.name}" for state in states_in(record.text))
        stems = dict.fromkeys((*said(statement(record.text)).about, *states, _EXCHANGE))
        held = [self._sought.get((*_owner(record), stem), ()) for stem in stems]
        return any(len(own) > _MOST_OF_A_WORD or any(_updates(each, record) for each in own) for own in held)

    def _of_the_call(self, record: Record) -> list[Record]:
        """Return the records before one in its call that share most words with it, the later ones first."""
        analyzer = self._indexes[record.tenant or ""].settings.analyzer
        for key in self._waiting:
            if (each := self._draft.planned(key)) is None:
                continue
            holding = self._holding.setdefault(_owner(each), {})
            for term in set(analyzer.terms(each.text)):
                if (held := holding.get(term)) is None:
                    held = holding[term] = deque(maxlen=_MOST_OF_A_WORD)
                held.append(key)
        self._waiting.clear()
        shared: Counter[Key] = Counter()
        holding = self._holding.get(_owner(record), {})
        for term in sorted(set(analyzer.terms(f"{record.text} {_beside(record.text)}"))):
            shared.update(reversed(holding.get(term, ())))
        nearest = (self._draft.planned(key) for key, _ in shared.most_common(MOST_READ))
        return [each for each in nearest if each is not None]


def _changed_in(text: str) -> tuple[str, ...]:
    """Return the state that a text changes, and whether it gives up something, as what it seeks; mostly nothing."""
    state = change_in(text)
    return (*([] if state is None else [f"{_STATE}{state.name}"]), *([_EXCHANGE] if may_exchange(text) else []))


def _beside(text: str) -> str:
    """Return words by which what a text changes is found, beside its own; "" if there is none."""
    return f"{words_beside(text)} {words_of_one_root(text)}".strip()


def _may_update(record: Record) -> bool:
    """Return whether a record is a statement of change: what stands in a file was told to nobody."""
    if record.kind in _TOLD or not sameness.may_state(record) or record.provenance.get("source_name") is not None:
        return False
    return states_change(record.text)


def _updates(newer: Record, older: Record) -> bool:
    """Return whether a statement of change updates what another record of its owner says."""
    if older.kind in (whose.TURN, SUMMARY) or _owner(newer) != _owner(older) or key_of(newer) == key_of(older):
        return False
    if (older.created_at or 0.0) > (newer.created_at or 0.0) or (newer.topic or older.topic) != (
        older.topic or newer.topic
    ):
        return False
    return updates(newer.text, older.text)


def _owner(record: Record) -> tuple[object, ...]:
    return (record.tenant, key_of(record).cell, record.user_id)
