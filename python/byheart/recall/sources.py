"""The sources of a run: what it reads from, on one version of the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from ..index.partition import Partition
from ..light.classes import dataclass
from ..records import Record
from .question_vector import QuestionVector
from .routing import Latencies

Reader = Callable[[Sequence[str]], Sequence[Record | None]]


@dataclass(slots=True)
class Sources:
    """What a run reads from, on one version of the store.

    Attributes:
        partition: the indexes of the tenant.
        read: gives records by id, None for those that are not there.
        clock: tells the time, if it is needed.
        vector: the question's.
        embeddings: gives vectors by id, as they are stored.
        trained: whether the embedder's model was trained for vectors that can be cut (Matryoshka), where it matters.
        invariants: the records that stand in every context, inside the boundary; they are not stored.
        latencies: what gated legs took before.

    """

    partition: Partition
    read: Reader
    clock: Callable[[], float]
    vector: QuestionVector
    embeddings: Callable[[Sequence[str]], Mapping[str, bytes]] = lambda ids: {}
    trained: bool = False
    invariants: Sequence[Record] = ()
    latencies: Latencies = field(default_factory=Latencies)
