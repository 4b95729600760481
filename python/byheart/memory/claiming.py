"""The verbs that take in claims and observations: upsert, observe. Bound to `Memory`; both say where it comes from."""
# docs/sources.md: B1.15.12, B1.17.2, B1.18.7, B1.20.2.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

from ..boundary import Boundary
from ..errors import BoundaryViolation, InvalidArgument, RecordNotFound
from ..frozen import plain
from ..index import vectors as embeddings
from ..index import whose
from ..index.indexes import Moved
from ..knowledge import text_hash, text_mark
from ..recall.question import BoundaryLike
from ..records import Record
from ..retrieval import sameness
from ..storage import OBSERVATIONS, key_of
from ..storage.attempts import attempts
from ..validation import (
    MAX_ITEMS,
    as_mapping,
    call_time,
    check_class,
    check_labels,
    check_text,
    counted,
    epoch_seconds,
    json_mapping,
    nearest,
    plain_text,
    short_words,
    shortly,
    strings,
)
from ..words import BoundaryClass, ClaimKind, ObservationMode, ObservationSource, Time, words_of
from ..writing.completion import first_free
from ..writing.counterparts import counterparts_of, is_counterpart, later
from ..writing.draft import either
from ..writing.standing import Stood
from . import kinds
from .engine import Engine, Handle

KINDS: tuple[str, ...] = words_of(ClaimKind)
LIKENESS = 0.85
"""A claim at a higher cosine says nearly the same, and is named."""


def upsert(
    self: Handle,
    text: str,
    *,
    provenance: Mapping[str, Any],
    boundary_class: BoundaryClass,
    kind: ClaimKind | None = None,
    scope: str | None = None,
    entities: Iterable[str | Mapping[str, Any]] = (),
    relations: Sequence[Mapping[str, Any]] = (),
    content_hash: str | None = None,
    observation_id: str | None = None,
    now: Time | None = None,
    request_id: str | None = None,
    trace_id: str | None = None,
) -> kinds.UpsertReceipt:
    """Take in a claim, once: the same text in the same cell is the claim that is there.

    Texts are the same whose content hash is: but for white space at the ends and how much of it there is within. A
    claim is no user's and no session's: what is theirs is none, nor is a turn's copy, what a file says, or what holds
    for a time alone. What a policy hides is hidden first. Claim and event are written at once.

    Beside what is there a new claim stands as `remember` would have it: a fact in a relation of one value
    (`single_valued` of `Memory`) supersedes nobody's earlier ones of its subject, and the receipt names these.

    Args:
        text: what is claimed.
        provenance: where it comes from: "at" (when, ISO text or epoch seconds) and whatever else tells.
        boundary_class: its class; a secret is refused.
        kind: "fact", "preference", "task" or "policy_hint": how fast it ages.
        scope: where it lies; without it the memory's own.
        entities: what it is about: names, or mappings with "name" or "canonical_key", such as `{"id": "e1", "type":
            "Actor", "name": "Ann"}`, which are kept whole in the metadata.
        relations: what it relates, kept in the metadata.
        content_hash: as the caller has it, `sha256:` and 64 digits; it has to be that of the text.
        observation_id: what it was made of; forgetting the claim forgets that, too.
        now: the time of the call; without it the clock's.
        request_id, trace_id: kept with the event.

    Raises:
        BoundaryViolation: the class is secret, or closed; or the text holds a secret.
        InvalidArgument: no provenance, an unknown kind or class, or another hash than the text has.
        NoiseRefused: the text says nothing worth keeping; claims are held to that unless the memory has noise=None.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> first = memory.upsert("Ann drinks green tea.", provenance={"at": 0}, boundary_class="internal", kind="fact")
    >>> again = memory.upsert(" Ann drinks  green tea.", provenance={"at": 9}, boundary_class="internal")
    >>> first.new, again.new, first.id == again.id
    (True, False, True)

    """
    text, boundary_class = check_text("text", text), check_class(boundary_class)
    kind, request_id, trace_id, observation_id = check_labels(
        kind=kind, request_id=request_id, trace_id=trace_id, observation_id=observation_id
    )
    if kind is not None and kind not in KINDS:
        raise InvalidArgument(f"kind: {kind!r} is none of a claim's{nearest(kind, KINDS)}")
    if boundary_class == "secret":
        raise BoundaryViolation("boundary_class: 'secret' is not taken in; nothing was")
    engine = self._engine
    engine.writer.commits.check_writable()
    [content_hash] = check_labels(content_hash=content_hash)
    if content_hash is not None and content_hash != text_hash(text):
        raise InvalidArgument("content_hash: is not that of the text; leave it out, or hash the text as it is given")
    moment = call_time(now)
    from ..index.whose import ORIGIN

    known, listed = _provenance(provenance), _listed(entities)
    listed = tuple(as_mapping("entities", each) if isinstance(each, Mapping) else each for each in listed)
    names = [_entity_name(each) if isinstance(each, Mapping) else each for each in listed]
    typed = [each for each in listed if isinstance(each, Mapping)]
    whole = {"entities": typed, "relations": _mappings(relations)}
    told = {name: values for name, values in whole.items() if values}
    if observation_id is not None:
        known[ORIGIN] = observation_id
    record = Record(
        text=text, kind=kind, scope=scope, boundary_class=boundary_class, entities=strings("entities", names),
        provenance=known, created_at=moment, metadata=told,
    )  # fmt: skip
    engine.noise.check(record, always=True)
    admitted = engine.writer.admitted(record)
    claim = _Claim(engine, admitted, _hidden(engine, text, boundary_class), (request_id, trace_id), moment)
    for attempt in attempts("take in a claim"):
        vector = claim.embedded()
        with (
            suppress(Moved),
            engine.saver.alone() if claim.removes else nullcontext(),
            engine.writer.commits.planning(alone=claim.removes or attempt > 0),
        ):
            receipt = claim.done(vector)
            if receipt is not None:
                return receipt
    raise AssertionError("attempts end with an error")


def _listed(entities: Iterable[str | Mapping[str, Any]]) -> tuple[str | Mapping[str, Any], ...]:
    """Return entities, counted while they are collected; one name would be taken letter by letter."""
    if isinstance(entities, (str, Mapping)):
        raise TypeError(f"entities must be a list of names or mappings, not {type(entities).__name__}")
    return counted("entities", entities, MAX_ITEMS)


def _mappings(relations: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return relations, counted while they are collected."""
    if isinstance(relations, (str, Mapping)):
        raise TypeError(f"relations must be a list of mappings, not {type(relations).__name__}")
    found = counted("relations", relations, MAX_ITEMS)
    for each in found:
        if not isinstance(each, Mapping):
            raise TypeError(f"relations must be mappings, not {type(each).__name__}")
    return list(map(dict, found))


def _entity_name(given: Mapping[str, Any]) -> str:
    """Return the name by which claims about an entity are told to be about the same one.

    Raises:
        InvalidArgument: it has none.

    """
    name = plain_text(given.get("canonical_key", given.get("name")))
    if not isinstance(name, str) or not name:
        raise InvalidArgument(f'entities: {shortly(dict(given))} has no "name"; give one, or a "canonical_key"')
    return name


def _provenance(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a claim comes from, with its time in seconds.

    Raises:
        InvalidArgument: it does not say when.

    """
    known = json_mapping("provenance", given)
    if known.get("at") is None:
        raise InvalidArgument('provenance: does not say when; give "at", ISO text or epoch seconds')
    epoch_seconds("provenance.at", known["at"])
    return known


def _hidden(engine: Engine, text: str, boundary_class: str) -> int:
    enforcer = engine.governed.enforcer
    return 0 if enforcer is None else enforcer.validator.redact(text, boundary_class).count


class _Claim:
    """A claim that is being taken in.

    Attributes:
        removes: whether something goes with it: the saver's turn is taken before the lock then.

    """

    def __init__(
        self, engine: Engine, record: Record, hidden: int, ids: tuple[str | None, str | None], now: float
    ) -> None:
        self._engine, self._record, self._hidden, self._ids, self._now = engine, record, hidden, ids, now
        self._hash = text_hash(record.text)
        self._made: tuple[Any, bytes] | None = None
        self.removes = False

    def embedded(self) -> bytes | None:
        """Return the vector of the claim, made without a lock; None without an embedder."""
        embedder = self._engine.embedder
        if embedder is None or not embeddings.makes_vectors(embedder):
            return None
        if self._made is None or self._made[0] is not embedder:
            self._made = embedder, embeddings.of_texts(embedder, [self._record.embedded()])[0]
        return self._made[1]

    def done(self, vector: bytes | None) -> kinds.UpsertReceipt | None:
        """Return what was done; None if what was read no longer stands. The caller holds the lock."""
        from . import telling

        engine = self._engine
        [complete] = engine.writer.completed([self._record.completed(id="clm_0")], self._now)
        key = key_of(complete)
        cell = Boundary.of_cell(key.tenant, *key.cell)
        same = self._same(complete, cell)
        near = self._near(complete, cell, vector)
        if same is not None:
            return self._receipt(same, near) if self._kept_longer(same, complete) else None
        made = complete.completed(id=self._free(complete))
        change, stood = engine.writer.entering(made)
        if change.removed and not self.removes:
            self.removes = True
            return None
        who = telling.Who(cell, self._now, *self._ids)
        event = ("ingest", {"claim_id": made.id, "redacted": self._hidden, "class": made.boundary_class})
        done = telling.put(
            engine, who, [event], expected=list(change.expected.values()), records=list(change.put.values()),
            remove=sorted(change.removed), absent=change.absent,
            vectors=engine.writer.kept_vectors(change, {} if vector is None else {key_of(made): vector}),
            seen=either(change.seen, lambda other: key_of(other).cell == key.cell and self._is_there(other, made)),
        )  # fmt: skip
        return self._receipt(stood.record, near, stood) if done else None

    def _same(self, record: Record, cell: Boundary) -> Record | None:
        """Return the oldest claim of this text that lies in the cell, as nobody's, and holds as long as a new one."""
        mark = text_mark(record.gist())
        partition = self._engine.indexes[cell.tenant]
        rows = partition.rows_in(cell, ("range", whose.TEXT_MARK, mark, True, mark, True))
        stored = [each for each in self._engine.indexes.stored(cell.tenant, rows) if each is not None]
        found = [each for each in stored if self._is_there(each, record)]
        return min(found, key=lambda each: (each.created_at or 0.0, each.id or "")) if found else None

    def _is_there(self, other: Record, record: Record) -> bool:
        """Return whether a record is the claim, taken in before: it goes with nothing else, and is not bounded."""
        unbound = other.valid_from is None and other.valid_to is None and sameness.goes_with(other) is None
        return unbound and text_hash(other.gist()) == self._hash and is_counterpart(other, record, self._now)

    def _kept_longer(self, same: Record, record: Record) -> bool:
        """Have a claim end no sooner than a new one would, as what is said again; return whether that is so now."""
        end = later(same.expires_at, record.expires_at)
        if end == same.expires_at:
            return True
        writer = self._engine.writer
        change = writer.changed_together([(same.completed(expires_at=end), same)], writer.reach(same.tenant or ""))
        return writer.commits.commit(change, writer.kept_vectors(change))

    def _free(self, record: Record) -> str:
        """Return an id made of cell and content that nothing bears."""
        from ..activation.journal import row_id

        def named(number: int) -> str:
            return f"clm_{row_id(*key_of(record).cell, self._hash, number)}"

        return named(first_free(lambda number: self._engine.writer.is_taken(record.tenant or "", named(number))))

    def _near(self, record: Record, cell: Boundary, vector: bytes | None) -> tuple[tuple[str, float], ...]:
        """Return what says nearly the same in the cell, holds now and is no user's or session's, the likest first."""
        if vector is None:
            return ()
        import numpy as np

        found = self._engine.nearest(cell, np.frombuffer(vector, dtype="<f4"), counterparts_of(record, self._now))
        ids = self._engine.indexes.keys(cell.tenant, found)
        pairs = [(key.id, cosine) for key, cosine in zip(ids, found.values(), strict=True) if cosine > LIKENESS]
        return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def _receipt(
        self, record: Record, near: tuple[tuple[str, float], ...], stood: Stood | None = None
    ) -> kinds.UpsertReceipt:
        from ..activation.receipts import UpsertReceipt

        return UpsertReceipt(
            id=record.id or "", new=stood is not None, content_hash=self._hash,
            boundary_class=record.boundary_class or "", redacted=self._hidden,
            similar_existing=tuple(pair for pair in near if pair[0] != record.id),
            policy_version=self._engine.governed.version,
            superseded=() if stood is None else stood.superseded, superseded_by=record.superseded_by,
        )  # fmt: skip


def observe(
    self: Handle,
    source_type: ObservationSource,
    content: str,
    *,
    source_id: str | None = None,
    boundary_class: BoundaryClass | None = None,
    actor: str | None = None,
    tags: Iterable[str] = (),
    provenance: Mapping[str, Any] | None = None,
    ttl_days: int = 30,
    mode: ObservationMode = "redact",
    scope: str | None = None,
    now: Time | None = None,
    request_id: str | None = None,
    trace_id: str | None = None,
) -> kinds.Observation:
    """Keep something that was seen or heard, before anybody makes a claim of it; return what was kept.

    What must be hidden is hidden first; of what holds a secret, and in mode "digest_only", a digest alone is kept. An
    observation is in no recall. It is gone after `ttl_days`, with the next `purge`; before that by `forget`, with its
    id or with its actor as a user.

    Args:
        source_type: "chat", "tool", "file", "http" or "system".
        content: at most 65,536 bytes.
        source_id: where it comes from.
        boundary_class: of it; that of new records if nobody says.
        actor: who said or did it.
        tags: words of your own.
        provenance: how it came here.
        ttl_days: how long it is kept, 1 to 90.
        mode: "redact", "raw" (without a policy alone), or "digest_only".
        scope: where it lies; without it the memory's own.
        now: the time of the call; without it the clock's.
        request_id, trace_id: kept with the event.

    Raises:
        InvalidArgument: there is no such source, mode or class; or it says nothing.
        LimitExceeded: it is too long.
        BoundaryViolation: it lies outside what the memory was opened for; or `source_id` or `actor` holds a secret.

    >>> from byheart import Memory
    >>> kept = Memory().observe("chat", "mail x@example.com", now=0)
    >>> kept.content, kept.id[:4], kept.expires_at
    ('mail [email]', 'obs_', 2592000.0)

    """
    from ..activation.journal import Row
    from ..activation.observing import observed
    from ..boundary.redaction import Redactor
    from . import telling

    source_id, actor, request_id, trace_id = check_labels(
        source_id=source_id, actor=actor, request_id=request_id, trace_id=trace_id
    )
    source_type, content, mode = plain_text(source_type), plain_text(content), plain_text(mode)
    engine = self._engine
    engine.writer.commits.check_writable()
    moment = call_time(now)
    enforcer = engine.governed.enforcer
    if isinstance(content, str) and not content:
        raise InvalidArgument("content: is empty; give what was seen or heard")
    if enforcer is not None and mode == "raw":
        raise InvalidArgument('mode: "raw" keeps what a policy hides; use "redact" or "digest_only"')
    beside = Record(
        text="-", scope=scope, boundary_class=boundary_class, tags=short_words("tags", tags),
        provenance={} if provenance is None else provenance,
    )  # fmt: skip
    tenant, place, asked = engine.writer.place(beside)
    engine.governed.check_names(asked, source_id=source_id, actor=actor)
    if enforcer is not None:
        beside = enforcer.clean(beside.completed(boundary_class=asked))
    made = observed(
        source_type, content, now=moment, mode=mode, boundary_class=asked, source_id=source_id, actor=actor,
        redactor=Redactor() if enforcer is None else enforcer.validator.redactor(asked),
        tags=beside.tags, provenance=beside.provenance, ttl_days=ttl_days,
    )  # fmt: skip
    within = Boundary.of_cell(tenant, place, made.boundary_class)
    row = Row(OBSERVATIONS, made.id, moment, within, plain(made), made.expires_at)
    event = ("ingest", {"id": made.id, "redacted": made.account.get("count", 0), "class": made.boundary_class})
    telling.write(engine, telling.Who(within, moment, request_id, trace_id), [event], [row])
    return made


def observation(
    self: Handle, id: str, *, boundary: BoundaryLike | None = None, now: Time | None = None
) -> kinds.Observation:
    """Return an observation that was kept, and whose time is not over; a policy hides of it what it hides of records.

    Raises:
        RecordNotFound: there is none by this id that may be seen.

    """
    from ..activation.observing import Observation

    id = check_text("id", id)
    engine, inside = self._engine, self._engine.inside(boundary)
    at, held = call_time(now), engine.journal.get(OBSERVATIONS, id, inside.tenant)
    if held is None or at >= (held[0].expires_at or 0.0) or not held[0].is_inside(inside):
        raise RecordNotFound(f"observation {id!r}: there is none inside the boundary, or its time is over")
    kept = Observation.from_dict(held[0].content)
    if engine.governed.enforcer is None:
        return kept
    beside = Record(
        text=kept.content or "-", boundary_class=kept.boundary_class, tags=kept.tags, provenance=kept.provenance
    )
    seen = engine.governed.clean()(beside)
    content = seen.text if kept.content else kept.content
    return replace(kept, content=content, tags=seen.tags, provenance=seen.provenance)
