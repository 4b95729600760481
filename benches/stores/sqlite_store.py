"""sqlite-vec beside FTS5, in one file and one transaction, as one would set it up by hand.

It is loaded by APSW, which brings an SQLite of its own: not every Python is built to load extensions. WAL with
synchronous=FULL is the fastest journal that keeps what was committed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapter import Answer, Store
from data import TOP, WIDTH, Item

TABLES = f"""
CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT, groups TEXT);
CREATE VIRTUAL TABLE words USING fts5(text, content = 'records', content_rowid = 'number', tokenize = 'porter');
CREATE VIRTUAL TABLE vectors USING vec0(number INTEGER PRIMARY KEY, groups TEXT, vector FLOAT[{WIDTH}]);
"""
BY_WORDS = "SELECT rowid, text FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
NEAREST = """
WITH near AS (SELECT number, distance FROM vectors WHERE vector MATCH ? AND k = ?{})
SELECT records.number, records.text FROM near JOIN records USING (number) ORDER BY near.distance
"""
HYBRID = """
WITH near AS (
         SELECT number, row_number() OVER (ORDER BY distance) AS place FROM vectors WHERE vector MATCH ? AND k = 50
     ),
     best AS (SELECT rowid AS number, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50),
     said AS (SELECT number, row_number() OVER (ORDER BY rank) AS place FROM best)
SELECT number, records.text
FROM near FULL OUTER JOIN said USING (number) JOIN records USING (number)
ORDER BY coalesce(1.0 / (60 + near.place), 0) + coalesce(1.0 / (60 + said.place), 0) DESC LIMIT ?
"""


class SqliteVec(Store):
    """Three tables: texts, words, vectors."""

    name = "sqlite-vec"
    packages, imports = ("sqlite-vec", "apsw"), ("apsw", "sqlite_vec")
    promise = "synced, in one commit of SQLite (WAL, FULL)"
    vectors = "exact scan"

    def open(self) -> None:
        import apsw
        import sqlite_vec

        self.connection = apsw.Connection(str(self.folder / "records.db"))
        self.connection.enable_load_extension(True)
        self.connection.load_extension(sqlite_vec.loadable_path())
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")

    def create(self) -> None:
        self.open()
        self.connection.execute(TABLES)

    def add(self, items: Sequence[Item]) -> None:
        run = self.connection.executemany
        with self.connection:
            run("INSERT INTO records VALUES (?, ?, ?)", ((item.number, item.text, item.group) for item in items))
            run("INSERT INTO words(rowid, text) VALUES (?, ?)", ((item.number, item.text) for item in items))
            rows = ((item.number, item.group, item.vector.tobytes()) for item in items)
            run("INSERT INTO vectors VALUES (?, ?, ?)", rows)

    def _found(self, statement: str, *values: Any) -> Answer:
        return list(self.connection.execute(statement, values))

    @staticmethod
    def _any(words: str) -> str:
        return " OR ".join(f'"{word}"' for word in words.split())

    def text(self, words: str) -> Answer:
        return self._found(BY_WORDS, self._any(words), TOP)

    def vector(self, vector: Any) -> Answer:
        return self._found(NEAREST.format(""), vector.tobytes(), TOP)

    def hybrid(self, words: str, vector: Any) -> Answer:
        return self._found(HYBRID, vector.tobytes(), self._any(words), TOP)

    def filtered(self, vector: Any, group: str) -> Answer:
        return self._found(NEAREST.format(" AND groups = ?"), vector.tobytes(), TOP, group)

    def close(self) -> None:
        self.connection.close()
