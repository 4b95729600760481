"""The other stores, each as its own guide has it, with its defaults where there are any.

Analysis of English (lower case, stems, stop words) is switched on wherever a store has it. A library is imported where
its store is made, so that each process loads one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapter import Answer, Byheart, Store
from chroma_store import Chroma
from data import TOP, WIDTH, Item
from sqlite_store import SqliteVec

POOL, RANK = 50, 60  # of each list in a hybrid question, and the constant of reciprocal ranks


class QdrantEdge(Store):
    """A shard: a dense vector, a text index that ranks by BM25, an index of the group."""

    name = "qdrant-edge"
    packages, imports = ("qdrant-edge-py",), ("qdrant_edge",)
    promise = "synced, by `flush` after each `update` (alone, `update` syncs nothing)"
    vectors = "HNSW, made by `optimize` above 10 MB"

    def create(self) -> None:
        import qdrant_edge as q

        self.q = q
        size = q.EdgeVectorParams(size=WIDTH, distance=q.Distance.Dot)
        self.shard = q.EdgeShard.create(str(self.folder / "shard"), q.EdgeConfig(vectors={"vector": size}))
        stemmer = q.SnowballParams(language=q.SnowballLanguage.English)
        words = q.TextIndexParams(scoring=True, lowercase=True, stemmer=stemmer, stopwords=q.Language.English)
        self.shard.update(q.UpdateOperation.create_field_index("text", words))
        self.shard.update(q.UpdateOperation.create_field_index("group", q.PayloadSchemaType.Keyword))

    def open(self) -> None:
        import qdrant_edge as q

        self.q, self.shard = q, q.EdgeShard.load(str(self.folder / "shard"))

    def add(self, items: Sequence[Item]) -> None:
        points = [
            self.q.Point(item.number, {"vector": item.vector.tolist()}, {"text": item.text, "group": item.group})
            for item in items
        ]
        self.shard.update(self.q.UpdateOperation.upsert_points(points))

    def sync(self) -> None:
        self.shard.flush()

    def settle(self) -> None:
        self.shard.optimize()

    def _found(self, query: Any, **more: Any) -> Answer:
        points = self.shard.query(self.q.QueryRequest(TOP, query=query, with_payload=["text"], **more))
        return [(point.id, point.payload["text"]) for point in points]

    def text(self, words: str) -> Answer:
        return self._found(self.q.TextQuery("text", words))

    def vector(self, vector: Any) -> Answer:
        return self._found(self.q.Query.Nearest(vector.tolist(), using="vector"))

    def hybrid(self, words: str, vector: Any) -> Answer:
        nearest = self.q.Query.Nearest(vector.tolist(), using="vector")
        lists = [self.q.Prefetch(POOL, query=query) for query in (self.q.TextQuery("text", words), nearest)]
        return self._found(self.q.Fusion.Rrf(k=RANK), prefetches=lists)

    def filtered(self, vector: Any, group: str) -> Answer:
        only = self.q.Filter(must=[self.q.FieldCondition("group", match=self.q.MatchValue(group))])
        return self._found(self.q.Query.Nearest(vector.tolist(), using="vector"), filter=only)

    def close(self) -> None:
        self.shard.close()


class Zvec(Store):
    """A collection with a full-text index, an inverted index of the group, and a vector."""

    name = "zvec"
    packages, imports = ("zvec",), ("zvec",)
    promise = "synced, by `flush` after each `insert` (alone, `insert` syncs nothing)"
    vectors = "flat, the default of a schema"

    def _import(self) -> str:
        import zvec

        zvec.init(log_level=zvec.LogLevel.ERROR)
        self.zvec = zvec
        return str(self.folder / "collection")

    def create(self) -> None:
        path, z = self._import(), self.zvec
        words = z.FtsIndexParam(filters=["lowercase", "stemmer"])
        fields = [
            z.FieldSchema("text", z.DataType.STRING, nullable=False, index_param=words),
            z.FieldSchema("group", z.DataType.STRING, nullable=False, index_param=z.InvertIndexParam()),
        ]
        dense = z.VectorSchema("vector", z.DataType.VECTOR_FP32, dimension=WIDTH)
        self.collection = z.create_and_open(path, z.CollectionSchema(name="records", fields=fields, vectors=[dense]))

    def open(self) -> None:
        path = self._import()
        self.collection = self.zvec.open(path)

    def add(self, items: Sequence[Item]) -> None:
        self.collection.insert([
            self.zvec.Doc(
                id=str(item.number), vectors={"vector": item.vector}, fields={"text": item.text, "group": item.group}
            )
            for item in items
        ])  # fmt: skip

    def sync(self) -> None:
        self.collection.flush()

    def settle(self) -> None:
        self.collection.optimize()

    def _found(self, queries: Any, **more: Any) -> Answer:
        found = self.collection.query(queries, topk=TOP, output_fields=["text"], **more)
        return [(int(each.id), each.field("text")) for each in found]

    def _words(self, words: str) -> Any:
        return self.zvec.Query("text", fts=self.zvec.Fts(match_string=words))

    def text(self, words: str) -> Answer:
        return self._found(self._words(words))

    def vector(self, vector: Any) -> Answer:
        return self._found(self.zvec.Query("vector", vector=vector))

    def hybrid(self, words: str, vector: Any) -> Answer:
        queries = [self._words(words), self.zvec.Query("vector", vector=vector)]
        return self._found(queries, reranker=self.zvec.RrfReRanker(rank_constant=RANK))

    def filtered(self, vector: Any, group: str) -> Answer:
        return self._found(self.zvec.Query("vector", vector=vector), filter=f"group = '{group}'")

    def close(self) -> None:
        self.collection.close()


class LanceDb(Store):
    """A table with a full-text index and a bitmap of the group; without a vector index, its default."""

    name = "LanceDB"
    packages, imports = ("lancedb",), ("lancedb",)
    promise = "written, not synced: a power cut can take it"
    vectors = "flat, without an index"

    def create(self) -> None:
        import lancedb
        import pyarrow as pa

        dense = pa.list_(pa.float32(), WIDTH)
        self.schema = pa.schema({"number": pa.int64(), "text": pa.string(), "group": pa.string(), "vector": dense})
        self.table = lancedb.connect(self.folder / "lance").create_table("records", schema=self.schema)

    def open(self) -> None:
        import lancedb

        self.table = lancedb.connect(self.folder / "lance").open_table("records")

    def add(self, items: Sequence[Item]) -> None:
        import numpy as np
        import pyarrow as pa

        flat = pa.array(np.concatenate([item.vector for item in items]))
        columns = [
            pa.array([item.number for item in items]),
            pa.array([item.text for item in items]),
            pa.array([item.group for item in items]),
            pa.FixedSizeListArray.from_arrays(flat, WIDTH),
        ]
        self.table.add(pa.table(columns, schema=self.schema))

    def settle(self) -> None:
        from lancedb.index import FTS, Bitmap

        if not self.table.list_indices():
            self.table.create_index("text", config=FTS())
            self.table.create_index("group", config=Bitmap())
        self.table.optimize()

    @staticmethod
    def _found(query: Any, score: str) -> Answer:
        rows = query.select(["number", "text", score]).limit(TOP).to_arrow()
        return list(zip(rows["number"].to_pylist(), rows["text"].to_pylist(), strict=True))

    def text(self, words: str) -> Answer:
        return self._found(self.table.search(words, query_type="fts"), "_score")

    def _near(self, vector: Any) -> Any:
        return self.table.search(vector, vector_column_name="vector").distance_type("dot")

    def vector(self, vector: Any) -> Answer:
        return self._found(self._near(vector), "_distance")

    def hybrid(self, words: str, vector: Any) -> Answer:
        query = self.table.search(query_type="hybrid", vector_column_name="vector").vector(vector).text(words)
        rows = query.distance_type("dot").limit(TOP).to_arrow()
        return list(zip(rows["number"].to_pylist(), rows["text"].to_pylist(), strict=True))

    def filtered(self, vector: Any, group: str) -> Answer:
        return self._found(self._near(vector).where(f"`group` = '{group}'", prefilter=True), "_distance")


def stores() -> dict[str, type[Store]]:
    """Return every store by its name, byheart first."""
    return {kind.name: kind for kind in (Byheart, QdrantEdge, Zvec, LanceDb, SqliteVec, Chroma)}
