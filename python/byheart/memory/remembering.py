"""The verbs that change records: remember, update, forget. Bound to `Memory` in its class body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from ..boundary import CellLike
from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..recall.question import BoundaryLike
from ..records import Record
from ..retrieval.filter.canonical import names
from ..validation import MAX_IDS, MAX_RECORDS, check_id, counted, strings
from ..writing.completion import as_record
from .engine import Handle

if TYPE_CHECKING:
    from ..retrieval.filter import Filter, Where
    from ..writing.receipts import ForgetReceipt


def remember(
    self: Handle, text_or_record: str | Record | Mapping[str, Any], *, vector: Any = None, **fields: Any
) -> str:
    """Remember one text or record and return its id; a record with the same id is replaced, as `update` would.

    Keyword arguments are fields of `Record`. Without an id one is made of the content. A `vector` takes the place
    of the one that the embedder would make: a list or an array of numbers, as wide as the model's.

    Raises:
        DimensionMismatch: the vector is of another width.
        NoiseRefused: the memory refuses noise (see `noise` of `Memory`), the text is noise, and the record no fact,
            claim or procedure.
        InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.
        ModelError: the embedder's answer cannot be used; nothing is remembered then.

    >>> from byheart import Memory
    >>> Memory().remember("tea", id="tea")
    'tea'

    """
    record = as_record(text_or_record, fields)
    self._engine.noise.check(record)
    given = {} if vector is None else {0: embeddings.as_stored(embeddings.given(self._engine.embedder, vector))}
    return self._engine.writer.remember([record], given=given)[0]


def remember_many(self: Handle, records: Iterable[str | Record | Mapping[str, Any]]) -> list[str]:
    """Remember several texts or records, all or none, and return their ids in order.

    They come in as they are: none is looked at for noise. A mapping may bring a "vector" beside its fields.

    Raises:
        DuplicateId: one id occurs twice in the call.
        LimitExceeded: there are more than 1,000,000.
        DimensionMismatch: a vector is of another width than the model's.

    """
    if isinstance(records, (str, Mapping)):
        raise TypeError("records must be a list of texts or records, not one of them")
    made: list[Record] = []
    given: dict[int, bytes] = {}
    for number, record in enumerate(counted("records", records, MAX_RECORDS)):
        fields = record
        if isinstance(record, Mapping) and record.get("vector") is not None:
            given[number] = embeddings.as_stored(embeddings.given(self._engine.embedder, record["vector"]))
        if isinstance(record, Mapping):
            fields = {name: value for name, value in record.items() if name != "vector"}
        made.append(as_record(fields, {}))
    return self._engine.writer.remember(made, given=given)


def replace_sources(self: Handle, sources: Mapping[str, Iterable[Record]]) -> list[str]:
    """Remember the records of sources and forget what these said before, in one write.

    A record belongs to the source that its provenance calls `source_name`; each must say the name it is given
    under. What a source said before is looked for in the tenants of its new records, or in this memory's own; of two
    that replace a source at once, the later one stands.
    Records come in as they are: none is looked at for noise.
    """
    return self._engine.writer.replace_sources(
        {name: list(counted("records", records, MAX_RECORDS)) for name, records in sources.items()}
    )


def update(
    self: Handle,
    id: str,
    *,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    if_version: str | None = None,
    **changes: Any,
) -> str:
    """Change fields of a stored record and return its id; fields that are not named keep their values.

    `created_at` stays and `updated_at` becomes now, or what is given. The vector is made anew only if the text
    has changed. A text that stood for the record's claim follows it; a turn's durable copy changes with the turn,
    and summaries that say the old text go (what else they stood for is found again). With another scope or class
    the record moves there, and its durable copy with it; summaries that were made of it go too, since they would tell
    of it where it was. Of two processes that update one record at the same moment, the later one starts from
    what the earlier one has made of it.

    Args:
        id: of the record.
        boundary: what may be changed.
        cell: scope and class of the record, where records of several cells bear the id.
        if_version: change it only if it is stored in this version (`Record.version`, `Memory.version`).
        changes: fields of `Record`, and their new values.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: records of several cells bear the id, and no cell was named.
        VersionMismatch: the record is stored in another version than `if_version`.
        InvalidArgument: nothing is to change; or tenant or created_at are, or what a summary is of.
        NoiseRefused: the memory refuses noise, and the text changes to what is noise.
        UnknownField, LimitExceeded, BoundaryViolation, TypeError: a field that cannot be taken. Nothing is changed.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("The kettle is descaled every spring.", topic="kitchen")
    >>> memory.update(id, text="The kettle is descaled every autumn.") == id
    True
    >>> hit = memory.recall("when is the kettle descaled?").hits[0]
    >>> hit.text, hit.record.topic
    ('The kettle is descaled every autumn.', 'kitchen')

    """
    check_id(id)
    inside = self._engine.inside(boundary)
    self._engine.writer.update(
        id, inside, changes, self._engine.noise, cell=boundaries.check_cell(cell), if_version=if_version
    )
    return id


def forget(
    self: Handle,
    ids: str | Sequence[str] | None = None,
    *,
    where: Where | Filter | None = None,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    dry_run: bool = False,
    sources: str = "release",
) -> ForgetReceipt:
    """Remove records by id, or all inside the boundary that a filter lets through.

    A filter by `user_id` reaches each class of the tenant that the memory was opened for, unless the call names
    classes: whose data are to go, their secrets go too. With them goes all that says it was made of them and is no
    other user's, and the receipt names in `untouched` what stays though it may speak of them. Everything else is
    looked for inside the boundary, as everywhere.

    With `dry_run` nothing is removed: the receipt says what would be. Where records of several cells bear an id,
    all of them go, and the receipt says so in `several`.

    A summary goes with any of the turns that it was made of, though these were deleted when it was made: what is
    forgotten is said by no other record. So does a turn's durable copy. What a summary stood for beside them is
    found again. The receipt names all three. A filter removes all that it lets through at the moment of removal, what
    other processes have added until then included.

    Args:
        ids: one id, or several.
        where: a filter (see `byheart.retrieval.filter`), in place of ids, such as `{"user_id": "ada"}`.
        boundary: what may be removed.
        cell: scope and class of the only cell that is looked at.
        dry_run: only say what would be.
        sources: what becomes of the turns behind a summary that is asked for: "release" finds them again, "forget"
            removes them too.

    Raises:
        UnknownField: `where` names a field that records do not have.
        InvalidArgument: neither ids nor where, or both; or `sources` is another word.
        StoreBusy: others changed the records during each of several attempts.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> for number in (1, 2):
    ...     id = memory.remember(f"We meet at {number}.", id=f"t{number}", session_id="s", created_at=number)
    >>> [summary] = memory.compact("s", force=True).summaries
    >>> memory.forget("t1").summaries == (summary,), [record.id for record in memory.records()]
    (True, ['t2'])

    """
    if (ids is None) == (where is None):
        raise InvalidArgument("forget: give either ids or where")
    if sources not in ("release", "forget"):
        raise InvalidArgument(f'sources: is {sources!r}; use "release" or "forget"')
    wanted = None if ids is None else strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
    filter = None if where is None else selecting.asked_for(where)
    of_users = filter is not None and names(filter.canonical, "user_id")
    inside = self._engine.reached(boundary) if of_users else self._engine.inside(boundary)
    return self._engine.eraser.forget(
        inside, wanted, filter, dry_run=dry_run, with_sources=sources == "forget", cell=boundaries.check_cell(cell),
        of_users=of_users,
    )  # fmt: skip
