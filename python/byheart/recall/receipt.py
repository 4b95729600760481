"""The receipt of an answer: what was asked, of what, and what came out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .._core import __version__
from ..frozen import Document, plain
from ..light.classes import dataclass
from ..profiles.profile import Profile
from ..records import Record
from ..retrieval.hypervector import EMBEDDING
from ..retrieval.question import Question
from .hits import Hit

if TYPE_CHECKING:
    from ..embedding import Embedder

_USES = ("access_count", "accessed_at", "seen_count", "seen_at")  # change where it is used, or said again


@dataclass(frozen=True, slots=True)
class Receipt(Document):
    """What was asked, of what, and what came out: enough to ask again and compare.

    `profile` is its name, and `settings` the whole of it: two profiles of one name are told apart. `mode` is how
    vectors were searched; None if they were not. `vector` is a digest of the vector that the caller gave. `routing` is
    what the gate of the profile decided, None of a profile without one. `digests` are of the records of the hits, by
    which a replay tells which of them changed. `operators` are the phrases and words of the question that records had
    to hold, or must not: "phrase", "must" and "must_not"; None where none were read. `adaptive` is the pattern profile
    by which nothing was searched for; None where something was.
    """

    version: str
    query: str | tuple[str, ...]
    profile: str
    k: int
    boundary: Mapping[str, Any]
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None
    analyzer: str
    preset: str
    hypervectors: str
    records: int
    escalated: bool
    hits: tuple[tuple[str, str], ...]
    embedder: str | None = None
    mode: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: tuple[str, ...] = ()
    filter: Mapping[str, Any] | None = None
    vector: str | None = None
    settings: Profile | None = None
    routing: Mapping[str, Any] | None = None
    digests: tuple[str, ...] = ()
    min_strength: float | None = None
    operators: Mapping[str, Any] | None = None
    as_of: float | None = None
    include_superseded: bool = False
    deadline: float | None = None
    adaptive: str | None = None


class Asked(NamedTuple):
    """What a receipt is made of, beside the hits."""

    question: Question
    profile: Profile
    records: int
    now: float | None
    escalated: bool
    mode: str | None
    analyzer: str
    preset: str
    encoder: str
    embedder: Embedder | None
    routing: Mapping[str, Any] | None = None


def receipt_of(asked: Asked, hits: tuple[Hit, ...]) -> Receipt:
    """Return the receipt of an answer with these hits."""
    question, profile, embedder = asked.question, asked.profile, asked.embedder
    uses_vectors = profile.asks("dense") or asked.encoder == EMBEDDING
    return Receipt(
        version=__version__,
        query=written if isinstance(written := question.written, str) else tuple(written),
        profile=profile.name,
        k=question.k,
        boundary=question.boundary.to_dict(),
        act=question.act,
        needed_roles=question.needed_roles,
        now=asked.now,
        analyzer=asked.analyzer,
        preset=asked.preset,
        hypervectors=asked.encoder,
        records=asked.records,
        escalated=asked.escalated,
        hits=tuple([(hit.id, hit.score.hex()) for hit in hits]),
        embedder=str(embedder.fingerprint) if uses_vectors and embedder is not None else None,
        mode=asked.mode,
        session_id=question.session_id,
        user_id=question.user_id,
        category=question.category,
        exclude=tuple(sorted(question.exclude)),
        filter=None if question.filter is None else question.filter.to_dict(),
        vector=None if question.vector is None else _sha256(question.vector.tobytes()),
        settings=profile,
        routing=asked.routing,
        digests=tuple([_digest(hit.record) for hit in hits]),
        min_strength=question.min_strength,
        operators=None if question.operators is None else question.operators.to_dict(),
        as_of=question.as_of,
        include_superseded=question.include_superseded,
        deadline=question.deadline,
    )


def _digest(record: Record) -> str:
    """Return what tells two states of a record apart; uses are counted without changing it."""
    fields = {name: value for name, value in plain(record).items() if name not in _USES}
    return _sha256(json.dumps(fields, sort_keys=True).encode())[:32]


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # on use: an answer whose receipt nobody reads has no need of it

    return sha256(data).hexdigest()
