"""The lexical engines, each behind the same four calls, each in its fastest honest form.

Same k1 = 1.2 and b = 0.75. In the Zipf corpus every engine only splits at blanks; in English each uses its own stop
words and Porter or Snowball stemmer. Rivals answer with document numbers, byheart with the caller's ids; nobody fetches
texts. tantivy keeps frequencies but no positions, as byheart does. SQLite's table holds no text.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from baseline.build import load

import byheart

K = 10


class Engine(ABC):
    """What a case asks of an engine: build, prepare a query, search, give the ids of an answer."""

    search: Callable[[Any], Any]  # there once the engine is built

    name = ""
    largest = 10**9  # records it is asked to hold; beyond that it would take most of the time and win nothing
    knows_english = True  # has stop words and stems of its own

    def __init__(self, english: bool) -> None:
        self.english = english

    @abstractmethod
    def build(self, documents: list[str]) -> None:
        """Index the documents under their numbers."""

    def prepare(self, query: str) -> Any:
        """Return the query in the form in which `search` takes it; not timed."""
        return query

    def search_many(self, queries: list[Any]) -> Any:
        return [self.search(query) for query in queries]

    @abstractmethod
    def ids(self, answer: Any) -> list[int]:
        """Return the document numbers of an answer."""


class Byheart(Engine):
    name = "byheart"

    def build(self, documents: list[str]) -> None:
        analyzer = byheart.Analyzer() if self.english else byheart.Analyzer(stem=False, stop_words=None)
        self.index = byheart.LexicalIndex(analyzer=analyzer)
        self.index.add([f"{number:x}" for number in range(len(documents))], documents)
        self.search = self.index.search

    def search_many(self, queries: list[str]) -> Any:
        return self.index.search_many(queries, threads=1)

    def ids(self, answer: Any) -> list[int]:
        return [int(id, 16) for id in answer.ids]


class Tantivy(Engine):
    name = f"tantivy {version('tantivy')}"

    def build(self, documents: list[str]) -> None:
        import tantivy

        self.tantivy = tantivy
        words = tantivy.TextAnalyzerBuilder(
            tantivy.Tokenizer.simple() if self.english else tantivy.Tokenizer.whitespace()
        )
        if self.english:
            words = words.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.stopword("english"))
            words = words.filter(tantivy.Filter.stemmer("english"))
        self.analyzer = words.build()
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("body", tokenizer_name="words", index_option="freq")
        schema.add_integer_field("number", fast=True)
        self.schema = schema.build()
        index = tantivy.Index(self.schema)
        index.register_tokenizer("words", self.analyzer)
        writer = index.writer(heap_size=512_000_000, num_threads=1)
        for number, document in enumerate(documents):
            writer.add_document(tantivy.Document(body=document, number=number))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.searcher = index.searcher()

    def search(self, query: str) -> Any:
        terms = [
            (self.tantivy.Occur.Should, self.tantivy.Query.term_query(self.schema, "body", term, "freq"))
            for term in (self.analyzer.analyze(query) if self.english else query.split())
        ]
        return self.searcher.search(self.tantivy.Query.boolean_query(terms), K, count=False)

    def ids(self, answer: Any) -> list[int]:
        return self.searcher.fast_field_values("number", [address for _, address in answer.hits])


class Bm25s(Engine):
    """With its own tokenizer, as its documentation shows."""

    name = f"bm25s {version('bm25s')} numba"

    def build(self, documents: list[str]) -> None:
        import bm25s

        if self.english:
            from Stemmer import Stemmer

            self.tokenizer = bm25s.tokenization.Tokenizer(stopwords="english", stemmer=Stemmer("english"))
        else:
            self.tokenizer = bm25s.tokenization.Tokenizer(lower=False, splitter=str.split, stopwords=None)
        tokens = self.tokenizer.tokenize(documents, return_as="tuple", show_progress=False)
        self.index = bm25s.BM25(k1=1.2, b=0.75, backend="numba")
        self.index.index(tokens, show_progress=False)
        self.k = min(K, len(documents))

    def tokens(self, queries: list[str]) -> list[list[int]]:
        return self.tokenizer.tokenize(queries, update_vocab=False, return_as="ids", show_progress=False)

    def search(self, query: str) -> Any:
        return self.search_many([query])

    def search_many(self, queries: list[str]) -> Any:
        return self.retrieve(self.tokens(queries))

    def retrieve(self, tokens: list[list[int]]) -> Any:
        return self.index.retrieve(tokens, k=self.k, n_threads=1, show_progress=False)

    def ids(self, answer: Any) -> list[int]:
        return [int(id) for id, score in zip(answer.documents[0], answer.scores[0], strict=True) if score > 0]


class Bm25sIds(Bm25s):
    """Given token numbers that were looked up before: what its inner loop alone costs. Shares the other's index."""

    name = f"bm25s {version('bm25s')} numba, token ids given"

    def __init__(self, engine: Bm25s) -> None:
        super().__init__(engine.english)
        self.tokenizer, self.index, self.k = engine.tokenizer, engine.index, engine.k

    def prepare(self, query: str) -> list[int]:
        return self.tokens([query])[0]

    def search(self, query: list[int]) -> Any:
        return self.retrieve([query])

    def search_many(self, queries: list[Any]) -> Any:
        return self.retrieve(queries)


class Bm25Turbo(Engine):
    name = f"bm25-turbo {version('bm25-turbo')}"

    def build(self, documents: list[str]) -> None:
        from bm25_turbo_python import BM25

        self.index = BM25(method="lucene", k1=1.2, b=0.75)
        self.index.index(documents)

    def search(self, query: str) -> Any:
        return self.index.search(query, K)

    def ids(self, answer: Any) -> list[int]:
        return list(answer[0])


class RankBm25(Engine):
    name = f"rank-bm25 {version('rank-bm25')}"
    knows_english = False
    largest = 1_000

    def build(self, documents: list[str]) -> None:
        from rank_bm25 import BM25Okapi

        self.index = BM25Okapi([document.split() for document in documents], k1=1.2, b=0.75)

    def search(self, query: str) -> Any:
        scores = self.index.get_scores(query.split())
        return scores.argsort()[::-1][:K]

    def ids(self, answer: Any) -> list[int]:
        return [int(id) for id in answer]


class Fts5(Engine):
    name = f"SQLite FTS5 {sqlite3.sqlite_version}"
    largest = 10_000

    def build(self, documents: list[str]) -> None:
        tokenizer = "porter unicode61" if self.english else "unicode61"
        self.database = sqlite3.connect(":memory:")
        self.database.execute(f"CREATE VIRTUAL TABLE t USING fts5(body, content='', tokenize='{tokenizer}')")
        self.database.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", enumerate(documents))
        self.database.commit()

    def prepare(self, query: str) -> str:
        kept = [word for word in query.split() if not self.english or word.lower() not in byheart.STOP_WORDS]
        return " OR ".join('"' + word.replace('"', "") + '"' for word in kept) or '""'

    def search(self, query: str) -> Any:
        wanted = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
        return self.database.execute(wanted, (query,)).fetchall()

    def ids(self, answer: Any) -> list[int]:
        return [id for (id,) in answer]


class Baseline(Engine):
    """The obvious loops in C++; no rival, but a measure of them."""

    name = "C++ baseline"
    largest = 100_000
    knows_english = False

    def build(self, documents: list[str]) -> None:
        self.index = load().Bm25(documents, 1.2, 0.75)

    def search(self, query: str) -> Any:
        return self.index.search(query, K)

    def ids(self, answer: Any) -> list[int]:
        return [number for number, _ in answer]


ENGINES: tuple[type[Engine], ...] = (Byheart, Tantivy, Bm25s, Bm25Turbo, RankBm25, Fts5, Baseline)
