"""The vectors of a memory's records: made when they are remembered, missing ones made later, old ones replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from ..boundary.reach import Reach
from ..errors import DimensionMismatch, FingerprintMismatch, InvalidArgument
from ..records import Record
from ..storage import Key, Problem, Vectors, VectorStore, by_id, key_of, salvage
from .indexes import Indexes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder
    from .receipts import EmbedReceipt

VECTORS: Final = "vectors"
"""Where a problem lies that is of a vector alone."""
_AT_ONCE: Final = 256  # rows that are looked at together


def open_model(store: VectorStore, embedder: Embedder, *, reembed: bool, read_only: bool = False) -> str | None:
    """Return whose vectors are searched: none until all are made anew, if they are another embedder's.

    The first embedder of a store is taken as its own, unless the store is only read; one of which no vector was kept
    gives way to the next, so that a slip, or a look, binds nobody.

    Raises:
        FingerprintMismatch: the store has vectors of another embedder, which are not to be made anew.
        TypeError: what was given is no embedder.
        ModelError: it is of another width than its fingerprint says.

    """
    from ..embedding import Fingerprint, check_fingerprint

    check_embedder(embedder)
    stored, own = store.model(), embedder.fingerprint
    if stored is None:
        if not read_only:
            store.adopt(str(own))
    elif stored != str(own):
        if reembed:
            return None
        adopt_unless_kept = getattr(store, "adopt_unless_kept", None)  # a store of others may have none
        if read_only or adopt_unless_kept is None or not adopt_unless_kept(str(own)):
            check_fingerprint(Fingerprint.parse(stored), own)
    return str(own)


def replaced(store: VectorStore, embedder: Embedder) -> FingerprintMismatch:
    """Return the error of a memory whose embedder was the store's, until others gave the store another one."""
    return FingerprintMismatch(
        f"embedding model: the records have vectors of another model since this memory was opened; open it anew with "
        f"that one, or give an embedder, as in embed(embedder), to make all vectors anew. Stored: {store.model()}. "
        f"Of this memory: {embedder.fingerprint}"
    )


def check_embedder(embedder: Embedder) -> None:
    """Refuse what is no embedder.

    Raises:
        TypeError: it is something else, or the class of one.
        ModelError: it is of another width than its fingerprint says.

    """
    from ..embedding import Embedder, Fingerprint
    from ..embedding.fingerprint import check_width

    if isinstance(embedder, type):
        raise TypeError(f"embedder is the class {embedder.__name__}; give an instance: {embedder.__name__}()")
    if not isinstance(embedder, Embedder):
        raise TypeError(
            "embedder must be one of `byheart.embedding`, such as HashingEmbedder(), or work like one, not "
            f"{type(embedder).__name__}"
        )
    if not isinstance(embedder.fingerprint, Fingerprint):
        raise TypeError(
            f"fingerprint of the embedder must be a `byheart.embedding.Fingerprint`, not "
            f"{type(embedder.fingerprint).__name__}"
        )
    check_width(embedder)


def of_texts(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of texts as they are stored, made in one batch."""
    from ..embedding.checked import embed_checked

    return as_stored(list(embed_checked(embedder, texts, "document")))


def of_records(embedder: Embedder, records: Sequence[Record]) -> Vectors:
    """Return the vectors of complete records, made in one batch; none where the embedder makes none."""
    if not makes_vectors(embedder):
        return Vectors(str(embedder.fingerprint), {})
    rows = of_texts(embedder, [record.embedded() for record in records])
    return Vectors(str(embedder.fingerprint), dict(zip(map(key_of, records), rows, strict=True)))


def given(embedder: Embedder | None, vector: Any) -> NDArray[np.float32]:
    """Return a vector that a caller brought, checked against the memory's model, of unit length or all zero.

    One of unit length is taken as it is, so that the model's own vector is what the model would have given.

    Raises:
        InvalidArgument: the memory has no model; or the vector is none, or not finite.
        DimensionMismatch: it is not as wide as the model's.

    """
    import numpy as np

    from ..embedding.checked import UNIT_TOLERANCE
    from ..embedding.protocol import unit_rows

    if embedder is None:
        raise InvalidArgument("vector: the memory has no model; open it with an embedder, or with vectors='NAME:WIDTH'")
    try:
        if isinstance(vector, (str, bytes)):
            raise TypeError("it is a text")
        if isinstance(vector, (list, tuple)) and bool in set(map(type, vector)):
            raise TypeError("it holds flags")
        if np.iscomplexobj(vector):  # half of each number would be thrown away
            raise TypeError("its numbers are complex")
        if np.asarray(vector).dtype.kind not in "fiu":
            raise TypeError("it holds something else than numbers")
        row = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"vector: is no list of numbers ({error})") from None
    if row.shape != (embedder.dimensions,):
        raise DimensionMismatch(
            f"vector: has the shape {row.shape}; the model's vectors have {embedder.dimensions} numbers"
        )
    if not np.isfinite(row).all():
        raise InvalidArgument("vector: holds NaN or an infinity")
    with np.errstate(over="ignore"):
        length = float(np.sqrt(np.add.reduce(row * row)))
    if abs(length - 1.0) <= UNIT_TOLERANCE:
        return row.astype(np.float32)
    unit: NDArray[np.float32] = unit_rows(row)[0]
    return unit


def brought(embedder: Embedder | None, vector: Any) -> NDArray[np.float32]:
    """Return the one vector that a caller brings, as it is stored; errors as in `given`."""
    import numpy as np

    return np.frombuffer(as_stored([given(embedder, vector)])[0], "<f4")


class Brought:
    """Vectors that a caller brings with records, by the number of each: checked as they come, kept as they are stored.

    >>> from byheart.embedding.given import GivenVectors
    >>> brought = Brought(GivenVectors("ours", 2))
    >>> brought.add(7, [3.0, 4.0])
    >>> {number: len(row) for number, row in brought.rows().items()}
    {7: 8}

    """

    def __init__(self, embedder: Embedder | None) -> None:
        """Start without any, for a memory with this model."""
        self._embedder = embedder
        self._rows: dict[int, bytes] = {}
        self._waiting: dict[int, NDArray[np.float32]] = {}  # few: an array for each of many would be a second copy

    def add(self, number: int, vector: Any) -> None:
        """Take the vector of a record; errors as in `given`."""
        self._waiting[number] = given(self._embedder, vector)
        if len(self._waiting) >= _AT_ONCE:
            self._settle()

    def rows(self) -> dict[int, bytes]:
        """Return all of them."""
        self._settle()
        return self._rows

    def _settle(self) -> None:
        if self._waiting:
            self._rows.update(zip(self._waiting, as_stored(list(self._waiting.values())), strict=True))
            self._waiting.clear()


def as_stored(rows: Sequence[NDArray[np.float32]]) -> list[bytes]:
    """Return vectors as stores keep them: of unit length to the last bit, as an index has it: one copy serves both.

    Some are looked at together; the bytes of one do not depend on the others.
    """
    import numpy as np

    from ..embedding.protocol import unit_rows

    found: list[bytes] = []
    for start in range(0, len(rows), _AT_ONCE):
        units = unit_rows(np.stack(rows[start : start + _AT_ONCE]))
        found += [unit.tobytes() for unit in units.astype("<f4", copy=False)]
    return found


def makes_vectors(embedder: Embedder) -> bool:
    """Return whether an embedder makes vectors; one that is only declared does not (`GivenVectors`)."""
    return bool(getattr(embedder, "makes_vectors", True))


def kept(store: VectorStore, keys: Sequence[Key], embedder: Embedder | None = None) -> Vectors | None:
    """Return the vectors that records have of an embedder, or of the active model, to be written again with them."""
    model = store.model() if embedder is None else str(embedder.fingerprint)
    rows = {} if model is None else salvage.vectors(store, model, keys, [])
    return Vectors(model, rows) if model is not None and rows else None


def fits(vector: bytes, embedder: Embedder) -> bool:
    """Return whether a vector, as it is stored, can be an embedder's: of its width, and finite."""
    import numpy as np

    return len(vector) == 4 * embedder.dimensions and bool(np.isfinite(np.frombuffer(vector, "<f4")).all())


def unfit(store: VectorStore, embedder: Embedder | None) -> list[Problem]:
    """Return what is stored as an embedder's vectors and cannot be; the records are as sound as those without any."""
    if embedder is None:
        return []
    stored = salvage.vectors(store, str(embedder.fingerprint), None, [])
    wrong = sorted((key for key, vector in stored.items() if not fits(vector, embedder)), key=by_id)
    told = "cannot be one of the memory's model, and is not searched; Memory.embed makes it anew"
    return [Problem(VECTORS, f"the vector of record {key.id!r} of tenant {key.tenant!r} {told}", key) for key in wrong]


def of_text(embedder: Embedder, text: str) -> NDArray[np.float32]:
    """Return the vector of a text that may be stored."""
    from ..embedding.checked import embed_checked

    vector: NDArray[np.float32] = embed_checked(embedder, [text], "document")[0]
    return vector


def of_query(embedder: Embedder, text: str) -> NDArray[np.float32]:
    """Return the vector of a query."""
    from ..embedding.checked import embed_checked

    vector: NDArray[np.float32] = embed_checked(embedder, [text], "query")[0]
    return vector


def of_queries(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the vectors of queries, a row each, made in one batch."""
    from ..embedding.checked import embed_checked

    return embed_checked(embedder, texts, "query")


def is_matryoshka(embedder: Embedder) -> bool:
    """Return whether the embedder's model was trained so that the beginnings of its vectors are vectors too.

    Its fingerprint names the model. An embedder of your own says so by an attribute `matryoshka`.
    """
    from ..embedding.profiles import MATRYOSHKA_TABLES, PROFILES

    family = embedder.fingerprint.family
    known = PROFILES.get(family)
    if known is not None:
        return bool(known.widths)
    return family in MATRYOSHKA_TABLES or bool(getattr(embedder, "matryoshka", False))


def stored(
    store: VectorStore, indexes: Indexes, embedder: Embedder | None, tenant: str, rows: Sequence[str]
) -> dict[str, bytes]:
    """Return the vectors of records as they are stored, by what the indexes know the records by."""
    if embedder is None:
        return {}
    names = dict(zip(indexes.keys(tenant, rows), rows, strict=True))
    found = salvage.vectors(store, str(embedder.fingerprint), list(names), [])
    return {names[key]: vector for key, vector in found.items()}


Alone = Callable[[], AbstractContextManager[None]]  # holds the lock of the indexes, once what was planned is written
Keep = Callable[[Sequence[Record], Vectors], bool]  # stores vectors of records if these still stand


def embed_missing(
    store: VectorStore, indexes: Indexes, embedder: Embedder, batch: int, reach: Reach, keep: Keep, alone: Alone
) -> EmbedReceipt:
    """Make the vectors that records inside a reach lack of this model, batch by batch, and make it the active one.

    Each batch is durable before the next is made. Records may be remembered between batches: they are looked for
    until none is left, and the change of models happens while nobody can write.
    """
    from .receipts import EmbedReceipt

    model, previous = str(embedder.fingerprint), store.model()
    made, kept = 0, None
    while True:
        with alone():
            inside = _keys(indexes, reach)
            there = salvage.vectors(store, model, None if reach.sees_all else inside, [])
            missing = [key for key in inside if key not in there or not fits(there[key], embedder)]
            kept = len(inside) - len(missing) if kept is None else kept
            if not missing:
                if previous is None or reach.sees_all:
                    store.adopt(model)
                return EmbedReceipt(model, previous, made, kept)
        for start in range(0, len(missing), batch):
            made += _embed_batch(indexes, embedder, missing[start : start + batch], keep)


def _keys(indexes: Indexes, reach: Reach) -> list[Key]:
    """Return the keys of all records inside a reach; the indexes are up to date."""
    return [
        key
        for boundary in reach.boundaries(indexes.tenants())
        for key in indexes.keys(boundary.tenant, indexes[boundary.tenant].rows_in(boundary))
    ]


def _embed_batch(indexes: Indexes, embedder: Embedder, keys: Sequence[Key], keep: Keep) -> int:
    """Embed without a lock, and store what is still true; of what has changed meanwhile nothing is stored."""
    records = [record for record in indexes.get(keys) if record is not None]  # what is damaged is missing no more
    made = of_records(embedder, records)
    if keep(records, made):
        return len(records)
    return sum(keep([record], Vectors(made.model, {key: made.rows[key]})) for key, record in _keyed(records))


def _keyed(records: Sequence[Record]) -> Iterator[tuple[Key, Record]]:
    return ((key_of(record), record) for record in records)
