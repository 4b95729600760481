"""Opening a memory: its store, its model, its indexes; and closing it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from .. import boundary as boundaries
from .. import knowledge
from .._core import Analyzer, __version__
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
from ..retrieval.hypervector import check_encoder
from ..retrieval.symbolic import Vocabulary
from ..rules import SHIPPED, Rule
from ..storage import Store, open_store
from ..validation import check_name, strings
from ..writing.completion import Completion
from ..writing.noise_policy import Door
from ..writing.writer import Writer

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..index.receipts import EmbedReceipt
    from ..storage.tiers import Backfill


class Opened:
    """What every verb of a memory works on. `Memory` says what the arguments are."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tenant: str = boundaries.DEFAULT_TENANT,
        scope: str = boundaries.DEFAULT_SCOPE,
        boundary: BoundaryLike | None = None,
        store: Store | None = None,
        embedder: Embedder | None = None,
        reembed: bool = False,
        analyzer: Analyzer | None = None,
        preset: str = "default",
        hypervectors: str = "subwords",
        relations: Sequence[str] = (),
        rules: Sequence[Rule] = SHIPPED,
        invariants: Iterable[invariable.Given] = (),
        context_budget: float | None = None,
        noise: str | None = "byheart",
    ) -> None:
        """Open the memory and index what the store holds."""
        check_name("tenant", tenant)
        check_name("scope", scope)
        check_encoder(hypervectors, has_embedder=embedder is not None)
        self._door = Door(noise)
        own = Boundary(tenant)
        self._ceiling = None if boundary is None else boundaries.resolve(boundary, own, None)
        self._default = self._ceiling or own
        completion = Completion(tenant, scope, self._ceiling)
        self._analyzer = analyzer if analyzer is not None else Analyzer()
        self._preset, self._encoder = preset, hypervectors
        self._vocabulary = Vocabulary((*knowledge.RELATIONS, *strings("relations", relations)), tuple(rules))
        self._store = open_store(path, store)
        self._embedder = embedder
        try:
            model = None if embedder is None else embeddings.open_model(self._store, embedder, reembed=reembed)
            self._saved = saving.of(self._store, self._settings())
            self._indexes = Indexes(self._store, self._new_partition, model, self._saved)
            self._invariants = invariable.completed(
                invariants, completion, lambda tenant, id: id in self._indexes[tenant]
            )
            self._context_budget = context_budget
            if context_budget is not None:
                invariable.check_budget(self._invariants, context_budget)
            completion = replace(completion, reserved=invariable.keys(self._invariants))
            self._backfill: Backfill | None = None
            self._saver = saving.Saver(self._indexes, self._saved)
            self._writer = Writer(self._store, self._indexes, self._saver, completion, self._vocabulary, embedder)
            self._recaller = Recaller(self._store, self._indexes, self._analyzer, preset, hypervectors, embedder)
            if embedder is not None:
                self._backfill = embeddings.backfill(self._store, self._indexes, embedder.dimensions)
            if reembed:
                self.embed()
        except BaseException:
            if path is not None:
                self._store.close()
            raise

    def embed(self, embedder: Embedder | None = None, *, batch: int = 256) -> EmbedReceipt:
        """Make the vectors that are missing; with another embedder make all of them anew, and use it from then on.

        Each batch is stored as it is made: a call that was broken off goes on where it stopped. Until all are
        there the old vectors are the ones that are searched; old and new are never mixed.

        Raises:
            InvalidArgument: there is no embedder, or `batch` is below 1.

        """
        if batch < 1:
            raise InvalidArgument(f"batch: is {batch}; give at least 1")
        new = embedder if embedder is not None else self._embedder
        if new is None:
            raise InvalidArgument("embed: the memory has no embedder; give one")
        made = embeddings.embed_missing(self._store, self._indexes, new, batch)
        with self._saver.alone(), self._indexes.lock:
            self._embedder = self._writer.embedder = self._recaller.embedder = new
            if self._saved is not None:
                self._saved.of(self._settings())
            self._indexes.reset(self._new_partition, str(new.fingerprint))
        return made

    @property
    def invariants(self) -> tuple[Record, ...]:
        """The records that stand in every context, as they were given at opening, completed."""
        return self._invariants

    def close(self) -> None:
        """Save the indexes of a durable store, if enough has changed, and let go of the store."""
        self._saver.finish()
        self._store.close()

    def __enter__(self) -> Self:
        """Return the memory; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def __reduce__(self) -> str:
        """Refuse to be pickled: an index is a cache, and the store is the truth."""
        raise TypeError(f"{type(self).__name__} cannot be pickled; open its store again instead")

    def _settings(self) -> dict[str, object]:
        """Return what the indexes depend on beside the records."""
        model = None if self._embedder is None else str(self._embedder.fingerprint)
        return {
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "model": model,
            "version": __version__,
            "texts": "beside claims",  # what the lexical index holds of a record that has both
        }

    def _new_partition(self) -> Partition:
        dimensions = None if self._embedder is None else self._embedder.dimensions
        return Partition(self._analyzer, self._preset, self._encoder, self._vocabulary, dimensions)
