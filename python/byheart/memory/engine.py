"""The engine of a memory: store, indexes, writer, recaller and embedder, opened together and closed together.

It holds what the verbs work on, and decides nothing that a caller may ask: that is the verbs' (`Memory`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .. import boundary as boundaries
from .._core import __version__
from ..boundary import Boundary
from ..boundary.reach import Reach
from ..conversation import invariants as invariable
from ..errors import InvalidArgument, PolicyConflict
from ..index import saving, whose
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes
from ..index.partition import Partition
from ..light.once import once
from ..recall.question import BoundaryLike
from ..recall.recaller import Recaller
from ..records import Record
from ..retrieval.filter.canonical import Canonical
from ..retrieval.protocol import Settings
from ..storage import OBSERVATIONS, FileStore, Key, VectorStore, key_of
from ..storage.attempts import attempts
from ..storage.redacting import RedactingStore
from ..validation import CLASSES
from ..writing.committer import Committer
from ..writing.completion import Completion
from ..writing.eraser import Eraser
from ..writing.noise_policy import NoisePolicy
from ..writing.writer import Writer
from .governed import Governed

if TYPE_CHECKING:
    from ..activation.journal import Journal, Row
    from ..embedding import Embedder
    from ..index.receipts import EmbedReceipt
    from ..retrieval.filter import Filter
    from .timing import Timed

T = TypeVar("T")


class Engine:
    """The parts of an open memory.

    Args:
        store: where the records live; it is closed with the engine.
        settings: what the indexes are made with; the width of the vectors is the embedder's.
        completion: what records get that name nothing, and what they must lie in.
        embedder: makes vectors of texts; None without one.
        noise: what becomes of texts that are noise.
        invariants: what stands in every context.
        context_budget: tokens of a context that names no budget; the invariants have to fit.
        reembed: make the vectors anew if another embedder made them.
        read_only: refuse every write.
        governed: the policy, and what goes with it.

    Attributes:
        store, indexes, saved, saver, writer, recaller: the parts; `saved` is None where no indexes are saved.
        reach: what calls may see at most.
        default: what calls see that name no boundary.
        embedder, settings: of today; `embed` changes them.
        invariants: the records that stand in every context, completed.
        governed: the policy in force.
        closed: whether the memory was closed.

    Raises:
        FingerprintMismatch: the store's vectors were made by another embedder.
        InvariantBudgetError: the invariants of a tenant cost more than the budget.

    """

    def __init__(
        self,
        store: VectorStore,
        settings: Settings,
        completion: Completion,
        *,
        embedder: Embedder | None,
        noise: NoisePolicy,
        invariants: Iterable[invariable.Given],
        context_budget: float | None,
        reembed: bool,
        read_only: bool,
        governed: Governed,
    ) -> None:
        """Open the model and the indexes of a store; whoever opened the store closes it if this fails."""
        if governed.given:
            store = RedactingStore(store, governed.clean())
        self.store, self.embedder, self.noise, self.context_budget = store, embedder, noise, context_budget
        self.governed, self._told_absent = governed, set[str]()
        self._timed: Timed | None = None
        self.kept = 0  # requests of which something was kept
        self.closed = False
        self.reach = completion.reach
        self.default = completion.reach.ceiling or Boundary(completion.tenant)
        model = None
        if embedder is not None:
            model = embeddings.open_model(store, embedder, reembed=reembed, read_only=read_only)
        self.settings = replace(settings, dimensions=None if embedder is None else embedder.dimensions)
        self._kept_read_only = kept_read_only = isinstance(store, FileStore) and store.read_only
        self.saved = None if read_only and not kept_read_only else saving.of(store, self._identity())
        if self.saved is not None and self.saved.has_unlike():
            with self.saved.alone():
                self.saved.erase_unlike()
        self.indexes = Indexes(store, self.new_partition, model, self.saved)
        self.saver = saving.Saver(self.indexes, self.saved)
        self.invariants: tuple[Record, ...] = invariable.completed(
            invariants, completion, lambda tenant, id: self.indexes.sees(self.reach, tenant, id)
        )
        if context_budget is not None:
            invariable.check_budget(self.invariants, context_budget)
        completion = replace(completion, reserved=invariable.names(self.invariants), rules=governed.enforcer)
        self._completion = completion
        commits = Committer(store, self.indexes, self.saver, self.reach, read_only=read_only)
        self.writer = Writer(store, self.indexes, self.saver, completion, settings.vocabulary, embedder, commits)
        self.eraser = Eraser(store, self.indexes, self.saver, self.reach, commits, settings.vocabulary)
        self.eraser.following, self.eraser.observed = self._following, self._observed
        self.eraser.observes = self._observes
        commits.speaks = lambda row, gone: self.journal.speaks(row, gone)
        if governed.given:
            commits.before = self.follow
        self.recaller = Recaller(
            store, self.indexes, settings.analyzer, settings.preset, settings.encoder, embedder, self.invariants,
            lambda: self.reach,
        )  # fmt: skip
        if reembed:
            self.embed()

    def inside(self, boundary: BoundaryLike | None) -> Boundary:
        """Return the boundary that a call names, or the default; never more than the memory was opened for.

        Raises:
            BoundaryViolation, InvalidArgument, TypeError: see `byheart.boundary.resolve`.

        """
        self.writer.commits.tell()
        if self.governed.given:
            self.follow()
        return boundaries.resolve(boundary, self.default, self.reach.ceiling)

    def reached(self, boundary: BoundaryLike | None) -> Boundary:
        """Return what `inside` does, with every class that the memory was opened for unless the call names some."""
        self.writer.commits.tell()
        if self.governed.given:
            self.follow()
        ceiling = self.reach.ceiling
        if boundary is None:
            return self.reach.of(self.default.tenant)
        if isinstance(boundary, Mapping) and "classes" not in boundary:
            boundary = {**boundary, "classes": CLASSES if ceiling is None else ceiling.classes}
        return boundaries.resolve(boundary, self.default, ceiling)

    @once
    def journal(self) -> Journal:
        """Return the rows that are no records."""
        from ..activation.journal import Journal

        return Journal(self.indexes, lambda: self.reach)

    def _following(
        self, gone: Sequence[Key], records: Sequence[Record], observed: Sequence[Record]
    ) -> tuple[list[Record], list[Record], list[Key]]:
        """Return what else speaks of records that go (see `Journal.forgetting`)."""
        return self.journal.forgetting(gone, records, observed) if self.indexes.contents.journal else ([], [], [])

    def _observed(self, inside: Boundary, ids: Sequence[str] | None, where: Filter | None) -> list[Record]:
        """Return the observations inside a boundary of some ids, or that a filter lets through, as they are stored."""
        if not self.indexes.contents.journal:
            return []
        from ..activation.journal import let_through

        def chosen(row: Row) -> bool:
            return row.is_inside(inside) and (where is None or let_through(where, row))

        return self.journal.observations(inside.tenant, ids, chosen)

    @staticmethod
    def _observes(inside: Boundary, where: Filter, stored: Record) -> bool:
        """Return whether a row, as it is stored, is an observation inside a boundary that a filter lets through."""
        from ..activation.journal import Row, let_through

        row = Row.of_record(stored)
        mine = row.kind == OBSERVATIONS and row.within.tenant == inside.tenant
        return mine and row.is_inside(inside) and let_through(where, row)

    @property
    def writable(self) -> bool:
        """Whether something can be written."""
        return self.writer.commits.writable and not self._kept_read_only

    @property
    def lexical_model(self) -> str:
        """What the scores of words depend on beside the records."""
        return f"{self.settings.analyzer.name}/{self.settings.preset}"

    def readable(self, inside: Boundary, ids: Sequence[str]) -> dict[str, Record]:
        """Return the records of ids inside a boundary that are there, each of one id."""

        def read() -> dict[str, Record]:
            rows = self.indexes[inside.tenant].rows_in(inside, whose.one_of(ids))
            found = {record.id: record for record in self.indexes.stored(inside.tenant, rows) if record is not None}
            return {id: found[id] for id in ids if id in found}

        return selecting.at_once(self.indexes, read) if ids else {}

    def nearest(self, inside: Boundary, vector: Any, within: Canonical, k: int = 16) -> dict[str, float]:
        """Return the rows inside a boundary and a filter nearest to a vector, with their cosines; the lock is held."""
        partition = self.indexes[inside.tenant]
        if partition.settings.dimensions is None or not vector.any():
            return {}
        legs = [{"retriever": "dense", "k": k, "within": within}]
        return dict(partition.core.propose(legs, partition.cells_in(inside), vector=vector).hits(0))

    def prune(self, now: float) -> int:
        """Remove the contexts and observations that may be seen and whose time is over, and return how many."""
        self.writer.commits.check_writable()
        for _ in attempts("remove what is over"):
            with self.writer.commits.planning(alone=True):
                over = self.journal.over(now) if self.indexes.contents.journal else []
                if not over or self.writer.commits.exchange(over, [], list(map(key_of, over)), None):
                    return len(over)
        raise AssertionError("attempts end with an error")

    def in_time(self, make: Callable[[], T], seconds: float) -> T:
        """Return what is made, if it is made in time; else the thread goes on, and its result is dropped.

        Raises:
            TimeoutError: it takes longer.

        """
        from .timing import Timed

        if self._timed is None:
            self._timed = Timed()
        return self._timed.run(make, seconds)

    def first_absence(self, absent: Sequence[str]) -> tuple[str, ...]:
        """Return those of what is lacking that nobody was told of yet since the memory was opened."""
        new = tuple(name for name in absent if name not in self._told_absent)
        self._told_absent.update(new)
        return new

    def untold(self, absent: Sequence[str]) -> None:
        """Have it told again what is lacking: it was not written after all."""
        self._told_absent.difference_update(absent)

    def follow(self) -> None:
        """Go by the policy that is in force now, if somebody has applied another one.

        Raises:
            PolicyConflict: that happened in the middle of a write, of which nothing is done.

        """
        if self.governed.changed():
            self.obey()

    def obey(self) -> None:
        """Go by the policy that is in force from now on: what is seen and written, and what the indexes are made of."""
        if self.indexes.lock._is_owned():  # type: ignore[attr-defined]  # what was planned was planned under another
            raise PolicyConflict("policy: another one came into force during this call, which did nothing; call again")
        governed, before = self.governed, self.governed.enforcer
        governed.look()
        after = governed.enforcer
        if after is before or after is None:
            return  # a policy is followed by another one, and never by none
        with self.saver.alone(), self.indexes.lock:
            self.writer.commits.settle()  # what was planned under the other policy
            self.reach = Reach(governed.ceiling())
            self.default = self.reach.ceiling or self.default
            self._completion = replace(self._completion, reach=self.reach, rules=after)
            self.writer.obey(self._completion)
            self.writer.commits.reach = self.eraser.reach = self.reach
            if isinstance(self.store, RedactingStore):
                self.store.clean = after.clean
            if before is None or before.identity != after.identity:
                if self.saved is not None:
                    self.saved.of(self._identity())
                    if self.saved.has_unlike():
                        self.saved.erase_unlike()
                self.indexes.rebuild()

    def new_partition(self) -> Partition:
        """Return the empty indexes of a tenant."""
        made = self.settings
        return Partition(made.analyzer, made.preset, made.encoder, made.vocabulary, made.dimensions)

    def embed(self, embedder: Embedder | None = None, *, batch: int = 256) -> EmbedReceipt:
        """Make the vectors that are missing, or all of them with another embedder; `Memory.embed` says more.

        Raises:
            BoundaryViolation: another model would void vectors that the memory cannot see.
            FingerprintMismatch: others have given the store vectors of another model since the memory was opened.
            InvalidArgument: there is no embedder, or vectors are made elsewhere.
            TypeError: it is none.
            ReadOnlyStore: the memory is only read.

        """
        self.writer.commits.check_writable()
        new = embedder if embedder is not None else self.embedder
        if new is None:
            raise InvalidArgument("embed: the memory has no embedder; give one")
        embeddings.check_embedder(new)
        if not embeddings.makes_vectors(new):
            family = new.fingerprint.family
            raise InvalidArgument(
                f"embed: the memory makes no vectors of the model {family!r}, which was declared alone; remember the "
                "records again under their ids, with vector="
            )
        model = str(new.fingerprint)
        if self.store.model() not in (None, model):
            if embedder is None and self.indexes.model == model:  # it was the store's, until somebody else changed that
                raise embeddings.replaced(self.store, new)
            self.reach.check_whole("embed: another model would void the vectors of all records of the store")
        made = embeddings.embed_missing(
            self.store, self.indexes, new, batch, self.reach, self.writer.commits.keep_vectors,
            lambda: self.writer.commits.planning(alone=True),
        )  # fmt: skip
        if new is self.embedder and self.indexes.model == model:
            return made  # what was kept is indexed already
        with self.saver.alone(), self.indexes.lock:
            self.writer.commits.settle()  # what was planned with the other embedder
            self.embedder = self.writer.embedder = self.recaller.embedder = new
            self.settings = replace(self.settings, dimensions=new.dimensions)
            if self.saved is not None:
                self.saved.of(self._identity())
            self.indexes.reset(self.new_partition, model)
        return made

    def rebuild(self) -> None:
        """Throw the indexes away, those that are saved too, and make them anew of the records."""
        with self.saver.alone():
            self.saver.erase()
        self.indexes.rebuild()
        self.saver.nudge()

    def close(self) -> None:
        """Save the indexes of a durable store, if enough has changed, and let go of the store."""
        self.writer.commits.amid.check()
        self.closed = True
        self.saver.finish()
        self.store.close()

    def _identity(self) -> dict[str, object]:
        """Return what saved indexes depend on beside the records."""
        return {
            "analyzer": self.settings.analyzer.name,
            "preset": self.settings.preset,
            "hypervectors": self.settings.encoder,
            "model": None if self.embedder is None else str(self.embedder.fingerprint),
            "version": __version__,
            "texts": "beside claims",  # what the lexical index holds of a record that has both
            **({} if self.governed.enforcer is None else {"redaction": self.governed.enforcer.identity}),
            "made_when_asked": "hypervectors",
            "kept_by_the_store": "vectors",
            "directory": "marks to the letter, plain facts, shares of asking or owning up, changes, observations",
            "parts": "words, numbers, underscores, ports, elisions, units, signs, scripts, bases, stems, light, names, "
            "lists, emphasis, dotless, kinds, unseen, stamps, roots, states, humps, measures",
            "names": "of users and sessions composed",
            "single_valued": sorted(getattr(self.settings.vocabulary, "single_valued", ())),
        }


class Handle(Protocol):
    """The first argument of every verb: an object that has an engine, which `Memory` is."""

    _engine: Engine
