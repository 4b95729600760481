"""The engine of a memory: store, indexes, writer, recaller and embedder, opened together and closed together.

It holds what the verbs work on, and decides nothing that a caller may ask: that is the verbs' (`Memory`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from .. import boundary as boundaries
from .._core import __version__
from ..boundary import Boundary
from ..conversation import invariants as invariable
from ..errors import InvalidArgument
from ..index import saving
from ..index import vectors as embeddings
from ..index.indexes import Indexes
from ..index.partition import Partition
from ..recall.question import BoundaryLike
from ..recall.recaller import Recaller
from ..records import Record
from ..retrieval.protocol import Settings
from ..storage import FileStore, VectorStore
from ..writing.committer import Committer
from ..writing.completion import Completion
from ..writing.eraser import Eraser
from ..writing.noise_policy import NoisePolicy
from ..writing.writer import Writer

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..index.receipts import EmbedReceipt


class Engine:
    """The parts of an open memory.

    Args:
        store: where the records live; it is closed with the engine.
        settings: what the indexes are made with; the width of the vectors is the embedder's.
        completion: what records get that name nothing, and what they must lie in.
        embedder: makes vectors of texts; None without one.
        noise: which texts are refused.
        invariants: what stands in every context.
        context_budget: tokens of a context that names no budget; the invariants have to fit.
        reembed: make the vectors anew if another embedder made them.
        read_only: refuse every write.

    Attributes:
        store, indexes, saved, saver, writer, recaller: the parts; `saved` is None where no indexes are saved.
        reach: what calls may see at most.
        default: what calls see that name no boundary.
        embedder, settings: of today; `embed` changes them.
        invariants: the records that stand in every context, completed.

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
    ) -> None:
        """Open the model and the indexes of a store; whoever opened the store closes it if this fails."""
        self.store, self.embedder, self.noise, self.context_budget = store, embedder, noise, context_budget
        self.reach = completion.reach
        self.default = completion.reach.ceiling or Boundary(completion.tenant)
        model = None
        if embedder is not None:
            model = embeddings.open_model(store, embedder, reembed=reembed, read_only=read_only)
        self.settings = replace(settings, dimensions=None if embedder is None else embedder.dimensions)
        kept_read_only = isinstance(store, FileStore) and store.read_only
        self.saved = None if read_only and not kept_read_only else saving.of(store, self._identity())
        self.indexes = Indexes(store, self.new_partition, model, self.saved)
        self.saver = saving.Saver(self.indexes, self.saved)
        self.invariants: tuple[Record, ...] = invariable.completed(
            invariants, completion, lambda tenant, id: self.indexes.sees(self.reach, tenant, id)
        )
        if context_budget is not None:
            invariable.check_budget(self.invariants, context_budget)
        completion = replace(completion, reserved=invariable.names(self.invariants))
        commits = Committer(store, self.indexes, self.saver, self.reach, read_only=read_only)
        self.writer = Writer(store, self.indexes, self.saver, completion, settings.vocabulary, embedder, commits)
        self.eraser = Eraser(store, self.indexes, self.saver, self.reach, commits)
        self.recaller = Recaller(
            store, self.indexes, settings.analyzer, settings.preset, settings.encoder, embedder, self.invariants
        )  # fmt: skip
        if reembed:
            self.embed()

    def inside(self, boundary: BoundaryLike | None) -> Boundary:
        """Return the boundary that a call names, or the default; never more than the memory was opened for.

        Raises:
            BoundaryViolation, InvalidArgument, TypeError: see `byheart.boundary.resolve`.

        """
        return boundaries.resolve(boundary, self.default, self.reach.ceiling)

    def new_partition(self) -> Partition:
        """Return the empty indexes of a tenant."""
        made = self.settings
        return Partition(made.analyzer, made.preset, made.encoder, made.vocabulary, made.dimensions)

    def embed(self, embedder: Embedder | None = None, *, batch: int = 256) -> EmbedReceipt:
        """Make the vectors that are missing, or all of them with another embedder; `Memory.embed` says more.

        Raises:
            BoundaryViolation: another model would void vectors that the memory cannot see.
            InvalidArgument: there is no embedder.
            ReadOnlyStore: the memory is only read.

        """
        self.writer.commits.check_writable()
        new = embedder if embedder is not None else self.embedder
        if new is None or not embeddings.makes_vectors(new):
            raise InvalidArgument("embed: the memory has no embedder; give one")
        model = str(new.fingerprint)
        if self.store.model() not in (None, model):
            self.reach.check_whole("embed: another model would void the vectors of all records of the store")
        made = embeddings.embed_missing(
            self.store, self.indexes, new, batch, self.reach, self.writer.commits.keep_vectors
        )
        if new is self.embedder and self.indexes.model == model:
            return made  # what was kept is indexed already
        with self.saver.alone(), self.indexes.lock:
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
            "directory": "source ids",  # whatever says which turn it was promoted from, not durable copies alone
        }


class Handle(Protocol):
    """The first argument of every verb: an object that has an engine, which `Memory` is."""

    _engine: Engine
