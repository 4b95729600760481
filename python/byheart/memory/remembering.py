"""The verbs that change records: remember, update, forget. Bound to `Memory` in its class body."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from .. import boundary as boundaries
from ..boundary import Boundary, CellLike
from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..recall.question import BoundaryLike
from ..records import Record
from ..retrieval.filter.canonical import names
from ..validation import (
    MAX_IDS,
    MAX_RECORDS,
    as_mapping,
    check_flag,
    check_id,
    check_one_of,
    check_text,
    counted,
    strings,
)
from ..words import SourcesFate, words_of
from ..writing.completion import as_record
from . import kinds
from .engine import Handle
from .fields import RecordChanges, RecordFields

if TYPE_CHECKING:
    from ..writing.following import Followed
    from ..writing.standing import Stood

Given = str | Record | Mapping[str, Any]
"""What can be remembered."""


@overload
def remember(
    self: Handle,
    text_or_record: Given,
    *,
    vector: kinds.VectorLike | None = None,
    receipt: Literal[False] = False,
    **fields: Unpack[RecordFields],
) -> str: ...


@overload
def remember(
    self: Handle,
    text_or_record: Given,
    *,
    vector: kinds.VectorLike | None = None,
    receipt: Literal[True],
    **fields: Unpack[RecordFields],
) -> kinds.RememberReceipt: ...


def remember(
    self: Handle,
    text_or_record: Given,
    *,
    vector: kinds.VectorLike | None = None,
    receipt: bool = False,
    **fields: Unpack[RecordFields],
) -> str | kinds.RememberReceipt:
    """Remember one text or record and return its id; under a known id, it takes the place of the one that is there.

    That is another record in its place: fields that are not given anew (topic, tags, metadata, importance, times) are
    gone, and `created_at` is now; `update` changes some fields and keeps the others. What the old one was named to
    supersede stays superseded.

    Keyword arguments are the record's fields. Without an id one is made. A `vector` takes the place of the one that the
    embedder would make: a list or an array of numbers, as wide as the model's.

    The same text of the same owner (user and session, scope and class), without an id, is the same record, to the
    letter but for white space at its ends, unless a key of its metadata has another value now: it counts how often it
    was said (`seen_count`) and when last (`seen_at`), and takes over what else is said of it now. So does the same
    fact, given as subject, relation and object. Turns of a conversation are kept each.

    `supersedes` names records in whose place this one stands: they are kept, and left out of answers. They are of the
    same owner, scope and class. So does a fact in a relation of one value (`single_valued` of `Memory`), given or said
    in a plain sentence of the present whose object is a name, supersede the earlier ones of its owner and subject with
    another object, for the times at which it holds. A turn and its durable copy are superseded together, and summaries
    that were made of what is superseded go, as they would say it as if it held. Short statements of one owner that
    differ in one value alone are near-duplicates of each other: that is a guess, and hides nothing.

    Args:
        text_or_record: a text, a record, or a mapping of its fields.
        vector: its embedding, if you have made it.
        receipt: return what was done (`byheart.writing.receipts.RememberReceipt`), in place of the id.
        fields: of the record: `byheart.RecordFields` lists them (id, topic, kind, tags, metadata, importance,
            user_id, session_id, created_at, expires_at, valid_from, supersedes ...).

    Raises:
        RecordNotFound: `supersedes` or `superseded_by` names a record that is not there.
        DimensionMismatch: the vector is of another width.
        NoiseRefused: the memory refuses noise (see `noise` of `Memory`), the text is noise, and the record no fact,
            claim or procedure.
        InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.
        ModelError: the embedder's answer cannot be used; nothing is remembered then.

    >>> from byheart import Memory
    >>> memory = Memory(single_valued=["lives_in"])
    >>> memory.remember("I live in Rome.", id="rome", user_id="ann", created_at=1)
    'rome'
    >>> memory.remember(" I live in Rome. ", user_id="ann", created_at=2, receipt=True).status
    'same'
    >>> memory.remember("I live in Paris.", id="paris", user_id="ann", created_at=3, receipt=True).superseded
    ('rome',)
    >>> [hit.id for hit in memory.recall("where do I live?")], [
    ...     hit.id for hit in memory.recall("where do I live?", as_of=2)
    ... ]
    (['paris'], ['rome'])

    """
    check_flag("receipt", receipt)
    record = as_record(text_or_record, fields)
    self._engine.noise.check(record)
    brought = embeddings.Brought(self._engine.embedder)
    if vector is not None:
        brought.add(0, vector)
    [stood] = self._engine.writer.remember([record], given=brought.rows())
    return _told(stood) if receipt else stood.record.id or ""


def _told(stood: Stood) -> kinds.RememberReceipt:
    """Return the receipt of one record."""
    from ..writing.receipts import RememberReceipt

    record = stood.record
    return RememberReceipt(
        record.id or "", stood.status, record.seen_count, stood.superseded, record.superseded_by,
        record.near_duplicates,
    )  # fmt: skip


@overload
def remember_many(self: Handle, records: Iterable[Given], *, receipt: Literal[False] = False) -> list[str]: ...


@overload
def remember_many(self: Handle, records: Iterable[Given], *, receipt: Literal[True]) -> list[kinds.RememberReceipt]: ...


def remember_many(
    self: Handle, records: Iterable[Given], *, receipt: bool = False
) -> list[str] | list[kinds.RememberReceipt]:
    """Remember several texts or records, all or none, and return their ids in order, or what was done with each.

    None is looked at for noise; else each comes in as `remember` would have it, one after the other. A mapping may
    bring a "vector" beside its fields.

    Raises:
        DuplicateId: one id occurs twice in the call.
        LimitExceeded: there are more than 1,000,000.
        DimensionMismatch: a vector is of another width than the model's.

    """
    if isinstance(records, (str, Mapping)):
        raise TypeError("records must be a list of texts or records, not one of them")
    if hasattr(records, "to_dict") and hasattr(records, "columns"):  # whose columns would be taken for texts
        raise TypeError('records is a data frame; give its rows, as in frame.to_dict("records")')
    check_flag("receipt", receipt)
    made: list[Record] = []
    brought = embeddings.Brought(self._engine.embedder)
    for number, record in enumerate(counted("records", records, MAX_RECORDS)):
        fields = record
        if isinstance(record, Mapping) and record.get("vector") is not None:
            brought.add(number, record["vector"])
        if isinstance(record, Mapping):
            fields = {name: value for name, value in record.items() if name != "vector"}
        made.append(as_record(fields, {}))
    stood = self._engine.writer.remember(made, given=brought.rows())
    return list(map(_told, stood)) if receipt else [each.record.id or "" for each in stood]


def replace_sources(self: Handle, sources: Mapping[str, Iterable[Record]]) -> list[str]:
    """Remember the records of sources and forget what these said before, in one write; return their ids in order.

    A record belongs to the source that its provenance calls `source_name`; each must say the name it is given
    under. Sources are of this memory's tenant. An id that one source lets go another may take in the same call; of two
    calls that replace a source at once, the later one stands.
    Records come in as they are: none is looked at for noise.

    Args:
        sources: the records of each, by its name; none of one that is gone.

    Raises:
        BoundaryViolation: a record names another tenant than the memory was opened for, or lies outside its boundary.
        DuplicateId: an id is that of a record that was remembered by hand, or that another source said.
        InvalidArgument: a record's provenance names another source.

    """
    if not isinstance(sources, Mapping):
        raise TypeError(f"sources must be a mapping of names to records, not {type(sources).__name__}")
    given = as_mapping("sources", sources)
    said = {name: list(counted("records", records, MAX_RECORDS)) for name, records in given.items()}
    for record in chain.from_iterable(said.values()):
        if not isinstance(record, Record):
            raise TypeError(f"records must be Record, not {type(record).__name__}")
    engine = self._engine
    from ..writing import sources as sourcing  # on use, as below
    from ..writing.sourced import Sourced

    return sourcing.replace(engine.indexes, engine.writer, Sourced(engine.writer.tenant, said))


def whole(self: Handle) -> Boundary:
    """Return all that a memory may see of its tenant: what `follow_sources` compares with."""
    return self._engine.reached(None)


def follow_sources(
    self: Handle,
    sources: Mapping[str, Sequence[Record]],
    cell: tuple[str, str],
    *,
    left: Collection[str] = (),
    beside: Collection[str] = (),
    lenient: bool = False,
) -> Followed:
    """Replace what a memory holds of files by what they say now; unchanged records and other cells stay.

    No verb of `Memory`: `byheart import` is the one that calls it. Only what an import wrote was said by a file
    (`byheart.knowledge.is_imported`).

    Args:
        sources: what each file says now, by its name; nothing of one that is gone.
        cell: scope and class of what is imported.
        left: files that are gone, whose records others of these files may take over under their ids.
        beside: files that are left as they are: what these files say of theirs in other cells is not said anew.
        lenient: leave a file as it was that says something new beside what lies in another cell, in place of raising.

    Raises:
        BoundaryViolation, DuplicateId, InvalidArgument: as in `replace_sources`; and see `lenient`.

    """
    engine = self._engine
    from ..writing import sources as sourcing
    from ..writing.sourced import Sourced

    sourced = Sourced(engine.default.tenant, sources, True, cell, left, beside)
    return sourcing.follow(engine.indexes, engine.writer, sourced, lenient=lenient)


def update(
    self: Handle,
    id: str,
    *,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    if_version: str | None = None,
    vector: kinds.VectorLike | None = None,
    **changes: Unpack[RecordChanges],
) -> str:
    """Change fields of a stored record and return its id; fields that are not named keep their values.

    A field is replaced as a whole: `metadata={"room": "hall"}` leaves no other name in it; give
    `metadata={**memory.get(id).metadata, "room": "hall"}` to keep the others.

    `created_at` stays and `updated_at` becomes now, or what is given. The vector is made anew only if the text
    has changed, unless you bring it. A text that stood for the record's claim follows it, and summaries that say the
    old text go (what else they stood for is found again). A fact that was taken from the text follows it, a stated one
    stays; what it supersedes, and its near-duplicates, are as if it were said now as it is, at the time at which it was
    made. With another user it supersedes nothing of the old one's. With another scope or class the record moves
    there. Summaries that were made of it go then too, since they would tell of it where, or whose, it was.

    A turn's durable copy changes with the turn, in all that it took of it: text, user, scope and class, title, tags,
    metadata, category, speaker, entities, links, fact and times. What the copy was given by itself stays: a value that
    was another one than the turn's, a tag, a key of metadata. It never ends after the turn. Session, provenance,
    importance and the like, and uses are each one's own. A turn changes with its copy in the text alone, if both say
    the same and the copy stays where it is: else what is wrong would go on standing beside what is right.

    Of two processes that update one record at the same moment, the later one starts from what the earlier one has made
    of it.

    Args:
        id: of the record.
        boundary: what may be changed.
        cell: scope and class of the record, where records of several cells bear the id.
        if_version: change it only if it is stored in this version (`Record.version`, `Memory.version`).
        vector: the embedding of what it says now, if you have made it.
        changes: fields of the record, and their new values: `byheart.memory.fields.RecordChanges` lists them.

    Raises:
        DimensionMismatch: the vector is of another width than the memory's model.
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
    >>> for room in ("hall", "kitchen"):
    ...     _ = memory.update(id, metadata={**memory.get(id).metadata, room: True})
    >>> dict(memory.get(id).metadata)
    {'hall': True, 'kitchen': True}

    """
    id, if_version = check_id(id), check_text("if_version", if_version)
    inside, engine = self._engine.inside(boundary), self._engine
    brought = None if vector is None else embeddings.brought(engine.embedder, vector).tobytes()
    engine.writer.update(
        id, inside, changes, engine.noise, cell=boundaries.check_cell(cell), if_version=if_version, brought=brought
    )
    return id


def forget(
    self: Handle,
    ids: str | Sequence[str] | None = None,
    *,
    where: kinds.Where | kinds.Filter | None = None,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    dry_run: bool = False,
    sources: SourcesFate = "release",
) -> kinds.ForgetReceipt:
    """Remove records by id, or all inside the boundary that a filter lets through.

    A filter that names users (`{"user_id": "ada"}`, a list of them, or that beside other conditions) reaches each class
    of the tenant that the memory was opened for, unless the call names classes: whose data are to go, their secrets go
    too. With them goes all that says it was made of them and is no other user's, and the receipt names in `untouched`
    what stays there though it may speak of them. One by what a user is not, or by users among other things, reaches no
    further than any other filter. A boundary that the call names is kept to: nothing outside it goes or is told.
    Everything else is looked for inside the boundary, as everywhere. Observations of which such a user is the `actor`
    go too.

    With `dry_run` nothing is removed: the receipt says what would be. Where records of several cells bear an id,
    all of them go, and the receipt says so in `several`.

    A summary goes with any of the turns that it was made of, though these were deleted when it was made: what is
    forgotten is said by no other record. So does a turn's durable copy; and where a copy is named by its id, the turn
    that it was made of, if that still says the same. What a summary stood for beside them is found again. The receipt
    names all three. What is damaged no filter can look at: the receipt names it in `damaged`, and its id removes it. A
    filter removes all that it lets through at the moment of removal, what other processes have added until then
    included.

    Args:
        ids: one id, or several; that of an observation too.
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
    sources = check_one_of("sources", sources, words_of(SourcesFate))
    check_flag("dry_run", dry_run)
    wanted = None if ids is None else strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
    filter = None if where is None else selecting.asked_for(where)
    of_users = filter is not None and names(filter.canonical, "user_id")
    inside = self._engine.reached(boundary) if of_users else self._engine.inside(boundary)
    return self._engine.eraser.forget(
        inside, wanted, filter, dry_run=dry_run, with_sources=sources == "forget", cell=boundaries.check_cell(cell),
        of_users=of_users,
    )  # fmt: skip
