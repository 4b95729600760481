"""The retriever of columns: BM25 over path, title and text of a document, with QMD's weights.

A record's path is the file it was imported from, its title is its topic, and its body is all else that is searched. A
word of the title counts as if it stood in the text four times, and the text is that much longer: counts of all columns
are added up before they saturate (Robertson, Zaragoza and Taylor, 2004, "Simple BM25 extension to multiple weighted
fields"), as in full texts with weights of columns. A sum of scores, one a column, would let titles decide alone.

The index is made when it is first asked for: memories that never ask QMD pay nothing for it.
"""
# docs/sources.md: A3.7.1.

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .._core import LexicalIndex
from ..light.expressions import expression
from ..ranking.explanation import Explanation, Part
from ..records import Record
from ..validation import MAX_TEXT_BYTES
from .lexical import PRESETS
from .protocol import NO_SETTINGS, Batch, Found, IndexedRetriever, LegQuery, Settings

WEIGHTS: Final[Mapping[str, float]] = {"path": 1.5, "title": 4.0, "body": 1.0}
_HALVES: Final = 2  # counts are of whole words: twice the weight, and k1 twice as large
_BETWEEN: Final = expression(r"[/\\.]+")  # the names that a path is made of


def columns_of(record: Record) -> dict[str, str]:
    """Return the texts of a record by column; absent ones are left out.

    >>> columns_of(Record(text="Descale it in spring.", topic="Kettle", provenance={"source_name": "notes/home.md"}))
    {'path': 'notes home md', 'title': 'Kettle', 'body': 'Descale it in spring.'}
    """
    said = record.indexed()
    title = said.pop("topic", "")
    source = record.provenance.get("source_name")
    path = _BETWEEN.sub(" ", source).strip() if isinstance(source, str) else ""
    found = {"path": path, "title": title, "body": "\n".join(said.values())}
    return {name: text for name, text in found.items() if text}


def repeated(record: Record) -> str:
    """Return a record's columns as one text, each as often as twice its weight says.

    Of more than a record's text may have, the end is left out: of a very long one, words count less.

    >>> repeated(Record(text="Tea.", topic="Pot")).split()
    ['Pot', 'Pot', 'Pot', 'Pot', 'Pot', 'Pot', 'Pot', 'Pot', 'Tea.', 'Tea.']
    """
    said = columns_of(record)
    whole = "\n".join(text for name, text in said.items() for _ in range(int(_HALVES * WEIGHTS[name])))
    if len(whole) * 4 <= MAX_TEXT_BYTES:  # characters of UTF-8 have four bytes at most
        return whole
    return whole.encode()[:MAX_TEXT_BYTES].decode(errors="ignore")


class Columns(IndexedRetriever):
    """Words by column: the best by BM25 over path, title and body."""

    name = section = "columns"
    takes = NO_SETTINGS
    lazy = True

    def new_index(self, settings: Settings) -> LexicalIndex:
        """Return an empty index, with k1 and b of the memory's preset; its weight makes up for the counts."""
        k1, b = PRESETS[settings.preset]
        weight = (k1 + 1.0) / (_HALVES * k1 + 1.0)
        return LexicalIndex({self.name: weight}, k1=_HALVES * k1, b=b, analyzer=settings.analyzer)

    def put(self, index: LexicalIndex, batch: Batch, settings: Settings) -> None:
        """Take records in."""
        index.add(batch.ids, [{self.name: repeated(record)} for record in batch.records], cells=batch.cells)

    def search(self, asked: LegQuery) -> Found:
        """Return the best that may be found; scores are those of all records in the cells, whatever may be found."""
        index, terms = asked.index, list(asked.question.terms)
        if index is None or not terms:
            return Found(())
        cells = list(asked.cells)
        whole = list(index.search(terms, asked.pool, cells=cells))
        kept = asked.passing(whole)
        if len(kept) < len(whole) == asked.pool:  # more may pass behind them
            kept = list(index.search(terms, asked.pool, cells=cells, among=asked.selection.rows(asked.core, cells)))
        ends = (whole[0][1], whole[-1][1]) if whole else (None, None)
        return Found(kept, ends[0], len(whole), ends[1])

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return the raw score taken apart by term."""
        if score is None or asked.index is None:
            return None
        told = asked.index.explain(list(asked.question.terms), id, cells=list(asked.cells))
        parts = tuple(
            Part(
                part.term,
                part.value,
                f"idf {part.idf:.4f} (in {part.document_frequency} of {told.records}), counts "
                f"{part.term_frequency / _HALVES:g} (path 1.5, title 4, body 1 each time) in {part.length / _HALVES:g} "
                f"(average {part.average_length / _HALVES:.1f})",
            )
            for part in told.parts
        )
        return Explanation(id, told.score, parts, told.sum)
