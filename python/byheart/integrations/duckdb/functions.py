"""The formulas of activation as functions of SQLite, each tried when it is registered.

    connection.execute("SELECT id, norm_cos(cos_sim(vector, ?)) FROM ...", [vector_bytes])

The same names and figures as the macros of DuckDB (`macros`). SQLite knows no lists: a vector is the bytes of its
numbers as little-endian floats of 32 bits, as a store of byheart keeps it, or a text with a JSON list.
"""
# docs/sources.md: B1.17.1.

from __future__ import annotations

import json
import math
import sqlite3
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import InvalidArgument
from ...ranking.activation import formulas
from ...ranking.normalisation import similarity_score
from .macros import check


def register(connection: sqlite3.Connection) -> None:
    """Register cos_sim, norm_cos, recency_decay, sigmoid, g_rerank and hybrid_score, and try each of them.

    SQLite reports what a function refuses, such as vectors of two widths, as `sqlite3.OperationalError`.

    Raises:
        SqlFunctionError: one gives another figure than it must.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> register(connection)
    >>> connection.execute("SELECT norm_cos(cos_sim('[1, 0]', '[0.6, 0.8]'))").fetchone()
    (0.8,)

    """
    for name, arguments, function in FUNCTIONS:
        fixed = (name, arguments) != ("recency_decay", 2)  # which reads the clock
        connection.create_function(name, arguments, function, deterministic=fixed)

    def call(name: str, arguments: Sequence[Any]) -> Any:
        places = ", ".join("?" * len(arguments))
        said = [json.dumps(each) if isinstance(each, list) else each for each in arguments]
        return connection.execute(f"SELECT {name}({places})", said).fetchone()[0]

    check(call, sqlite3.OperationalError)


def _cos_sim(a: Any, b: Any) -> float | None:
    one, other = _numbers(a), _numbers(b)
    if one is None or other is None:
        return None
    dot = math.fsum(x * y for x, y in zip(one, other, strict=True))  # of two widths: refused
    lengths = math.sqrt(math.fsum(x * x for x in one)) * math.sqrt(math.fsum(x * x for x in other))
    return dot / lengths if lengths > 0.0 else None


def _numbers(given: Any) -> Sequence[float] | None:
    if given is None:
        return None
    if isinstance(given, bytes) and len(given) % 4 == 0:
        found = array("f", given)
        if array("H", [1]).tobytes()[0] == 0:  # a machine that writes the greatest byte first
            found.byteswap()
        return found
    if isinstance(given, str):
        read = json.loads(given)
        if isinstance(read, list) and all(isinstance(each, (int, float)) for each in read):
            return [float(each) for each in read]
    raise InvalidArgument("vector: is neither the bytes of 32-bit floats nor a JSON list of numbers")


def _norm_cos(similarity: float | None) -> float | None:
    return None if similarity is None else similarity_score(similarity)


def _recency_decay(ts: float | None, half_life_days: float, moment: float) -> float:
    return formulas.recency(formulas.age_days(ts, None, moment), half_life_days)


def _recency_now(ts: float | None, half_life_days: float) -> float:
    return _recency_decay(ts, half_life_days, time.time())


def _g(utility_z: float, confidence: float, recency: float, quality: float | None = None) -> float:
    return formulas.worth(utility_z, confidence, recency, quality).g


FUNCTIONS: tuple[tuple[str, int, Callable[..., Any]], ...] = (
    ("cos_sim", 2, _cos_sim),
    ("norm_cos", 1, _norm_cos),
    ("recency_decay", 2, _recency_now),
    ("recency_decay", 3, _recency_decay),
    ("sigmoid", 1, formulas.sigmoid),
    ("g_rerank", 3, _g),
    ("g_rerank", 4, _g),
    ("hybrid_score", 3, formulas.fuse),
)
"""Each function: its name, how many arguments it takes, and what computes it."""
