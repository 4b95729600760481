"""The replay of a recall from its receipt: asked again of a memory, the same ids and scores come out, or why not."""
# docs/sources.md: A3.5.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from ..frozen import without_version
from ..profiles import Profile
from ..recall.question import checked_vector
from ..recall.receipt import Receipt
from ..validation import shortly

if TYPE_CHECKING:
    from ..memory import Memory

_NEEDED = ("query", "settings", "k", "boundary", "hits")
_OPTIONS = ("act", "needed_roles", "now", "session_id", "user_id", "category", "exclude", "as_of",
            "include_superseded", "deadline", "adaptive")  # fmt: skip
_AROUND = ("version", "analyzer", "preset", "hypervectors", "embedder", "mode", "records", "routing")


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of asking again.

    Attributes:
        same: the same ids with the same scores, bit for bit, in the same order.
        changed: what is different, a line each: records that changed, even if that moved no score, and where the hits
            are others, what lies around them too.
        receipt: of the recall that was made now.

    """

    same: bool
    changed: tuple[str, ...]
    receipt: Receipt


def replay(memory: Memory, receipt: Mapping[str, Any], *, vector: Any = None) -> Replayed:
    """Return what a memory answers now to what a receipt says was asked.

    Args:
        memory: an open one; what it was opened for is not widened by a receipt.
        receipt: as `Receipt.to_dict` gives it.
        vector: the question's embedding, if the caller gave one then: a receipt holds its digest alone.

    Raises:
        InvalidArgument: it is no receipt of a recall, its profile held an object, or it needs a vector.
        UnsupportedFormat: another version of byheart wrote it.
        BoundaryViolation: it asked for more than the memory was opened for.

    >>> import json
    >>> from byheart import Memory
    >>> memory = Memory()
    >>> memory.remember("The kettle is descaled every spring.", id="kettle", created_at=0)
    'kettle'
    >>> receipt = json.loads(json.dumps(memory.recall("kettle").receipt.to_dict()))
    >>> replay(memory, receipt).same
    True
    >>> memory.remember("The kettle is descaled every autumn.", id="kettle", created_at=0)
    'kettle'
    >>> replay(memory, receipt).changed
    ("record 'kettle' changed",)

    """
    if not isinstance(receipt, Mapping):
        raise InvalidArgument(f"receipt: is {shortly(receipt)}; give what a recall's receipt.to_dict() returned")
    receipt = without_version("receipt", receipt)
    missing = [name for name in _NEEDED if receipt.get(name) is None]
    if missing:
        raise InvalidArgument(f"receipt: has no {', '.join(missing)}; give what a recall's receipt.to_dict() returned")
    _check_hits(receipt)
    if len(receipt.get("digests") or ()) > len(receipt["hits"]):
        raise InvalidArgument("receipt: has more digests than hits; give what a recall's receipt.to_dict() returned")
    if receipt.get("vector") is not None and vector is None:
        raise InvalidArgument("receipt: the question came with a vector of its own; give it again")
    options = {name: receipt[name] for name in _OPTIONS if receipt.get(name)}
    if vector is not None:
        vector = checked_vector(vector)  # a wrong one is the caller's, not the receipt's
    try:
        now = memory.recall(
            receipt["query"],
            k=receipt["k"],
            profile=Profile.from_dict(receipt["settings"]),
            boundary=receipt["boundary"],
            where=receipt.get("filter"),
            vector=vector,
            operators=receipt.get("operators") is not None,
            min_strength=receipt.get("min_strength"),
            **options,
        ).receipt
    except TypeError as error:  # a value of another kind than a receipt holds
        raise InvalidArgument(f"receipt: {error}") from None
    found = now.to_dict()
    same = found["hits"] == [list(hit) for hit in receipt["hits"]]
    return Replayed(same, tuple(_changes(receipt, found, same)), now)


def _check_hits(receipt: Mapping[str, Any]) -> None:
    """Refuse hits that are no pairs of an id and a score, and digests that are none."""
    hits, digests = receipt["hits"], receipt.get("digests") or []
    for name, values, fits in (("hits", hits, _is_hit), ("digests", digests, _is_digest)):
        if not isinstance(values, (list, tuple)) or not all(map(fits, values)):
            raise InvalidArgument(f"receipt: {name} are not as a recall's receipt.to_dict() returns them")


def _is_hit(value: Any) -> bool:
    """Return whether a value is an id and a score as `float.hex` writes it."""
    if not isinstance(value, (list, tuple)) or [type(part) for part in value] != [str, str]:
        return False
    try:
        float.fromhex(value[1])
    except (ValueError, OverflowError):
        return False
    return True


def _is_digest(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _changes(before: Mapping[str, Any], now: Mapping[str, Any], same: bool) -> Iterator[str]:
    """Say what is different: records by their digests, and where the hits are others, what lies around too."""
    then, there = _held(before), _held(now)
    told = False
    for id in dict.fromkeys((*then, *there)):
        old, new = then.get(id), there.get(id)
        if new is None:
            line = f"record {id!r} is no hit any more"
        elif old is None:
            line = f"record {id!r} is a hit now"
        elif old[1] != new[1]:
            line = f"record {id!r} changed"
        elif old[0] != new[0]:
            line = f"record {id!r} scores {float.fromhex(new[0]):.6f}, and scored {float.fromhex(old[0]):.6f}"
        else:
            continue
        told = True
        yield line
    if same:
        return
    for name in _AROUND:
        if before.get(name) != now.get(name):
            told = True
            yield f"{name}: was {before.get(name)!r}, is {now.get(name)!r}"
    if not told:
        yield "the order of the hits"


def _held(receipt: Mapping[str, Any]) -> dict[str, tuple[str, str | None]]:
    """Return score and digest of each hit, by id; hits of several cells with one id are told apart by their number."""
    digests = list(receipt.get("digests") or ())
    digests += [None] * (len(receipt["hits"]) - len(digests))
    held: dict[str, tuple[str, str | None]] = {}
    for (id, score), digest in zip(receipt["hits"], digests, strict=True):
        key, number = id, 2
        while key in held:
            key, number = f"{id} ({number})", number + 1
        held[key] = (score, digest)
    return held
