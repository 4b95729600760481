"""The telling of what was done: events and other rows of the journal, in one write with the records they tell of."""
# docs/sources.md: B1.10.6, B1.13.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..activation.events import checked
from ..activation.journal import EVENTS, Row, row_id
from ..boundary import Boundary
from ..boundary.policy import strictest
from ..light.classes import dataclass
from ..records import Record
from ..storage import Key, Vectors, key_of
from ..storage.attempts import attempts
from ..validation import CLASSES
from ..writing.change import Seen
from .engine import Engine

Told = Sequence[tuple[str, Mapping[str, Any]]]
"""Events: topic and payload of each."""


@dataclass(frozen=True, slots=True)
class Who:
    """Whose request it is: what it could see, when it was made, and by which ids it is known."""

    within: Boundary
    now: float
    request_id: str | None = None
    trace_id: str | None = None


def write(engine: Engine, who: Who, told: Told, rows: Sequence[Row] = ()) -> None:
    """Write events, and other rows that are not there yet, in one write.

    Raises:
        StoreBusy: others wrote at the same moment, each of several times.

    """
    for attempt in attempts("keep what was done"):
        with engine.writer.commits.planning(alone=attempt > 0):
            if put(engine, who, told, rows):
                return


def put(
    engine: Engine,
    who: Who,
    told: Told,
    rows: Sequence[Row] = (),
    *,
    expected: Sequence[Record] = (),
    records: Sequence[Record] = (),
    remove: Sequence[Key] = (),
    vectors: Vectors | None = None,
    absent: Sequence[Key] = (),
    seen: Seen | None = None,
) -> bool:
    """Write rows with records, if what was read still stands, and return whether that was done; the lock is held.

    Args:
        engine: of the memory.
        who: whose request it is.
        told: the events.
        rows: others; one that is there already is passed over.
        expected: what was read, as it is stored: records and rows.
        records: what is put: records, and rows that take another's place.
        remove: what goes.
        vectors: of the records.
        absent: where nothing is stored.
        seen: tells a record that was looked for (see `byheart.writing.change.Change`).

    """
    made = [row.to_record() for row in rows]
    new = [record for record in made if not engine.journal.holds(record)]
    new += [event_row(engine, topic, payload, who).to_record() for topic, payload in told]
    places = [*absent, *map(key_of, new)]
    return engine.writer.commits.exchange(expected, [*records, *new], remove, vectors, places, seen=seen)


def event_row(engine: Engine, topic: str, payload: Mapping[str, Any], who: Who) -> Row:
    """Return the row of an event, under an id that is free; the lock is held.

    Raises:
        InvalidArgument: there is no such topic, or the payload holds a text.
        BoundaryViolation: an id of the request is a secret, and would be kept as it is.

    """
    engine.governed.check_names(
        strictest(who.within.classes or CLASSES[:1]), request_id=who.request_id, trace_id=who.trace_id
    )
    content = {
        "topic": topic, "payload": checked(topic, payload), "request_id": who.request_id, "trace_id": who.trace_id,
    }  # fmt: skip
    id = f"{who.now:020.6f}-{topic}-{row_id(who.request_id, who.trace_id)[:12]}"
    return Row(EVENTS, engine.journal.free(EVENTS, id, who.within), who.now, who.within, content)
