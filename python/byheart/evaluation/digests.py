"""Digests of what was measured and how: equal for equal collections and settings, whatever files they came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from .datasets import Collection


def canonical(value: Any) -> str:
    """Return a value as JSON in its one form. Objects that are no data, such as a reranker, are named by their class.

    >>> canonical({"b": 1, "a": (0.5, None)})
    '{"a":[0.5,null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_class_of)


def digest(values: Iterable[Any]) -> str:
    """Return the SHA-256 of values, one after the other, each in its canonical form.

    >>> digest([{"k": 10}]) == digest(iter([{"k": 10}])) != digest([{"k": 11}])
    True
    """
    state = hashlib.sha256()
    for value in values:
        state.update(canonical(value).encode() + b"\n")
    return f"sha256:{state.hexdigest()}"


def of_collection(collection: Collection) -> str:
    """Return the digest of documents, queries and judgements; the collection's name is no part of it."""
    return digest(_parts(collection))


def _parts(collection: Collection) -> Iterator[Any]:
    yield from (["document", asdict(document)] for document in collection.documents)
    yield from (["query", asdict(query)] for query in collection.queries)
    yield from (["grades", query, dict(grades)] for query, grades in sorted(collection.grades.items()))


def _class_of(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
