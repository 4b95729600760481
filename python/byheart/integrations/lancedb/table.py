"""The table: ids, cells, texts and vectors of records, in a LanceDB that lives in this process and reaches no disk."""
# docs/sources.md: A3.1.1.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...boundary import cell_key
from ...embedding.extras import import_extra
from ..duckdb.reading import Held

_NAME, _WITH_VECTORS = "records", "records_with_vectors"


class Table(NamedTuple):
    """A filled table: LanceDB's own, the numbers of its cells, and how wide its vectors are.

    Attributes:
        records: with texts, and those with vectors; each None where there are none.
        vectors: likewise.
        cells: the number of each cell.
        dimensions: of the vectors; None without any.

    """

    records: Any | None
    vectors: Any | None
    cells: Mapping[str, int]
    dimensions: int | None


def connect() -> Any:
    """Return a LanceDB of one's own, in memory.

    Raises:
        MissingExtra: there is no LanceDB.

    """
    return import_extra("lancedb", "lancedb").connect("memory://")


def fill(connection: Any, held: Held) -> Table:
    """Return a table of these records in the place of the one that was there."""
    for name in (_NAME, _WITH_VECTORS):
        connection.drop_table(name, ignore_missing=True)
    arrow = import_extra("pyarrow", "lancedb")
    keys = [cell_key(record.scope or "", record.boundary_class or "") for record in held.records]
    cells = {key: number for number, key in enumerate(sorted(set(keys)))}
    rows = [
        {"id": record.id, "cell": cells[key], "text": "\n".join(record.indexed().values())}
        for key, record in zip(keys, held.records, strict=True)
    ]
    fields = [("id", arrow.string()), ("cell", arrow.int32()), ("text", arrow.string())]
    records = None
    if rows:
        records = connection.create_table(_NAME, arrow.Table.from_pylist(rows, schema=arrow.schema(fields)))
        records.create_index("text", config=import_extra("lancedb.index", "lancedb").FTS())
    with_vectors = [
        {**row, "vector": vector} for row, vector in zip(rows, held.vectors, strict=True) if vector is not None
    ]
    vectors = None
    if with_vectors:
        wide = arrow.schema([*fields, ("vector", arrow.list_(arrow.float32(), held.dimensions))])
        vectors = connection.create_table(_WITH_VECTORS, arrow.Table.from_pylist(with_vectors, schema=wide))
    return Table(records, vectors, cells, held.dimensions)


def nearest(table: Table, vector: Any, cells: Sequence[str], limit: int) -> list[tuple[str, float]]:
    """Return the records of some cells nearest to a vector, with their cosines: 1 - LanceDB's cosine distance."""
    inside = _inside(table, cells)
    if table.vectors is None or not inside:
        return []
    found = table.vectors.search(vector).distance_type("cosine").where(inside, prefilter=True).limit(limit)
    return [(row["id"], 1.0 - row["_distance"]) for row in found.select(["id", "_distance"]).to_list()]


def holding(table: Table, query: str, cells: Sequence[str], limit: int) -> list[tuple[str, float]]:
    """Return the records of some cells that LanceDB's full-text search finds, with its scores."""
    inside = _inside(table, cells)
    if table.records is None or not inside or not query.strip():
        return []
    found = table.records.search(query, query_type="fts").where(inside, prefilter=True).limit(limit)
    return [(row["id"], row["_score"]) for row in found.select(["id", "_score"]).to_list()]


def _inside(table: Table, cells: Sequence[str]) -> str:
    """Return the condition that a record lies in one of these cells; "" if there is no such record."""
    numbers = sorted(table.cells[key] for key in cells if key in table.cells)
    return f"cell IN ({', '.join(map(str, numbers))})" if numbers else ""
