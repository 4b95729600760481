"""Parts of a collection to tune on and to report on, drawn by a digest of each id.

An id is in the same part whatever else the collection holds and on every machine, so nothing that was tuned on comes
back in what is reported when the collection grows.
"""
# docs/sources.md: B1.21.1.

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..errors import InvalidArgument
from .datasets import Collection

TWO_WAY: Final[Mapping[str, int]] = {"dev": 1, "test": 1}
EIGHT_ONE_ONE: Final[Mapping[str, int]] = {"train": 8, "valid": 1, "test": 1}
RATIOS: Final[Mapping[str, Mapping[str, int]]] = {"1:1": TWO_WAY, "8:1:1": EIGHT_ONE_ONE}
PARTS: Final = ("dev", "test", "train", "valid")


def part_of(id: str, ratio: Mapping[str, int] = EIGHT_ONE_ONE) -> str:
    """Return the name of the part that an id lies in.

    Args:
        id: of a record or a query.
        ratio: the parts in their order, and how large each is beside the others.

    Raises:
        InvalidArgument: there is no part, or one is smaller than nothing.

    >>> part_of("ada"), part_of("ada", TWO_WAY)
    ('test', 'test')

    """
    if min(ratio.values(), default=-1) < 0 or not sum(ratio.values()):
        raise InvalidArgument(f"ratio: {dict(ratio)!r} divides nothing; give parts and their sizes, such as 8, 1 and 1")
    place = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8]) * sum(ratio.values()) >> 64
    for name, size in ratio.items():
        if place < size:
            return name
        place -= size
    raise AssertionError("a place below the sum lies in a part")


def split(collection: Collection, part: str, ratio: Mapping[str, int] = TWO_WAY) -> Collection:
    """Return the collection with the queries of one part; all documents can still be found.

    Raises:
        InvalidArgument: there is no such part.

    >>> from byheart.evaluation.datasets import Query
    >>> whole = Collection("c", (), tuple(Query(str(number), "?") for number in range(100)), {})
    >>> len(split(whole, "dev").queries) + len(split(whole, "test").queries)
    100

    """
    if part not in ratio:
        raise InvalidArgument(f"split: there is no part {part!r}; there are {', '.join(ratio)}")
    queries = tuple(query for query in collection.queries if part_of(query.id, ratio) == part)
    kept = {query.id for query in queries}
    grades = {id: grades for id, grades in collection.grades.items() if id in kept}
    return replace(collection, name=f"{collection.name}, {part}", queries=queries, grades=grades)
