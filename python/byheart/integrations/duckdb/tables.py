"""The tables of a memory in DuckDB: claims, their entities and vectors, filled from records in order.

    claims         a row a record; `place` is its place in the order of ids and cells, by which ties are broken
    claim_vectors  the vectors of one model; `claim_id` is the claim's id
    claims_utc     a view of the claims with times as timestamps, for people

Times are epoch seconds, as records have them, so that no rounding to microseconds changes an order or a score. They
live in the process only: what a memory forgets must not lie on in a file that it does not know.
"""
# docs/sources.md: B1.17, B1.22.

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ... import knowledge
from ...records import Record
from .reading import Held

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COLUMNS: tuple[tuple[str, str], ...] = (
    ("place", "BIGINT"),
    ("key", "VARCHAR"),
    ("id", "VARCHAR"),
    ("text", "VARCHAR"),
    ("normalized_text", "VARCHAR"),
    ("kind", "VARCHAR"),
    ("tenant", "VARCHAR"),
    ("scope", "VARCHAR"),
    ("boundary_class", "VARCHAR"),
    ("quality", "DOUBLE"),
    ("confidence", "DOUBLE"),
    ("utility", "DOUBLE"),
    ("created_at", "DOUBLE"),
    ("updated_at", "DOUBLE"),
    ("recency_anchor", "DOUBLE"),
    ("expires_at", "DOUBLE"),
    ("content_hash", "VARCHAR"),
    ("text_mark", "DOUBLE"),
    ("entities", "VARCHAR[]"),
)
_TIMES = ("created_at", "updated_at", "recency_anchor", "expires_at")
_BATCH = 2_048


def fill(connection: DuckDBPyConnection, held: Held) -> None:
    """Make the tables anew, all of them or, if that fails, none."""
    connection.execute("BEGIN")
    try:
        _create(connection)
        _fill_claims(connection, held)
        _fill_vectors(connection, held)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def row_of(place: int, key: str, record: Record) -> dict[str, Any]:
    """Return the claim that a complete record is; what it does not say of its worth is what a recall takes.

    >>> row = row_of(0, "a", Record(id="a", text="The  Kettle"))
    >>> row["normalized_text"], row["confidence"], row["utility"]
    ('the kettle', 0.5, 0.0)
    """
    text = record.gist()
    return {
        "place": place,
        "key": key,
        "id": record.id,
        "text": text,
        "normalized_text": knowledge.lowered("\n".join(record.indexed().values())),
        "kind": record.kind,
        "tenant": record.tenant,
        "scope": record.scope,
        "boundary_class": record.boundary_class,
        "quality": 0.5 if record.quality is None else record.quality,
        "confidence": 0.5 if record.confidence is None else record.confidence,
        "utility": record.utility or 0.0,
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "recency_anchor": record.recency_anchor,
        "expires_at": record.expires_at,
        "content_hash": knowledge.text_hash(text),
        "text_mark": knowledge.text_mark(text) if text else None,
        "entities": list(record.entities),
    }


def _create(connection: DuckDBPyConnection) -> None:
    columns = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS)
    connection.execute("DROP VIEW IF EXISTS claims_utc")
    connection.execute(f"CREATE OR REPLACE TABLE claims ({columns})")
    connection.execute(
        "CREATE OR REPLACE TABLE claim_vectors"
        " (place BIGINT, claim_id VARCHAR, model_version VARCHAR, dim INTEGER, embedding DOUBLE[])"
    )
    others = ", ".join(name for name, _ in _COLUMNS if name not in _TIMES)
    times = ", ".join(f"make_timestamp(({name} * 1e6)::BIGINT) AS {name}" for name in _TIMES)
    connection.execute(f"CREATE VIEW claims_utc AS SELECT {others}, {times} FROM claims")


def _fill_claims(connection: DuckDBPyConnection, held: Held) -> None:
    """Bring the claims in as JSON, which every version of DuckDB reads quickly."""
    shape = json.dumps([{name: ["VARCHAR"] if kind == "VARCHAR[]" else kind for name, kind in _COLUMNS}])
    names = ", ".join(f"claim.{name}" for name, _ in _COLUMNS)
    for places in _batches(len(held.records)):
        rows = [row_of(place, held.keys[place], held.records[place]) for place in places]
        connection.execute(
            f"INSERT INTO claims SELECT {names} FROM (SELECT unnest(from_json($rows::JSON, '{shape}')) AS claim)",
            {"rows": json.dumps(rows)},
        )


def _fill_vectors(connection: DuckDBPyConnection, held: Held) -> None:
    """Bring the vectors in column by column: lists of Python take minutes in some versions of DuckDB."""
    import numpy as np

    there = [place for place, vector in enumerate(held.vectors) if vector is not None]
    if held.dimensions is None or not there:
        return
    names = [f"x{number}" for number in range(held.dimensions)]
    for batch in _batches(len(there)):
        places = [there[at] for at in batch]
        numbers = np.array([held.vectors[place] for place in places], dtype=np.float64).T
        columns = {"place": np.array(places, dtype=np.int64)}
        columns |= {name: np.ascontiguousarray(numbers[at]) for at, name in enumerate(names)}
        connection.register("byheart_vectors", columns)
        try:
            connection.execute(
                f"INSERT INTO claim_vectors SELECT v.place, c.id, $model, $dim, list_value({', '.join(names)})"
                " FROM byheart_vectors v JOIN claims c ON c.place = v.place",
                {"model": held.model, "dim": held.dimensions},
            )
        finally:
            connection.unregister("byheart_vectors")


def _batches(count: int) -> Iterator[range]:
    return (range(start, min(start + _BATCH, count)) for start in range(0, count, _BATCH))
