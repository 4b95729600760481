"""BM25 over weighted fields, and the table that explains one score.

An index here is a dict: record id to `Document`, whose fields already are lists of terms. Everything is
counted anew at each search, over the records of the chosen cells and no others: that is the definition. The
order of every multiplication and addition is part of it, so that the core can be held to the same bits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from .mathematics import ln


@dataclass(frozen=True)
class Document:
    """One record as the index knows it.

    `fields` maps a field's name to its terms; a field it does not have counts as empty. `cell` is where the
    record lives, `label` what boosts speak of (a memory's label is the role).
    """

    fields: Mapping[str, Sequence[str]]
    cell: str = ""
    label: str | None = None


@dataclass(frozen=True)
class Part:
    """What one query term adds in one field, and the numbers it is made of."""

    field: str
    term: str
    tf: int
    dl: int
    avgdl: float
    idf: float
    score: float


@dataclass(frozen=True)
class Explanation:
    """`score` is the sum of the parts in their order, from 0.0, times `boost` (None: no factor)."""

    parts: tuple[Part, ...]
    sum: float
    boost: float | None
    score: float


@dataclass(frozen=True)
class Beside:
    """Texts beside the records: how many, and how many hold each term.

    How rare a term is that some hold is taken down as much as they would take it down if they were records.
    """

    texts: float
    holding: Mapping[str, float]


NOTHING = Beside(0.0, {})


def idf(records: float, document_frequency: float) -> float:
    """Return ln((N - df + 0.5) / (df + 0.5) + 1.0), which is above 0 for 0 <= df <= N.

    >>> idf(2, 1)
    0.6931471805599453
    """
    return ln((records - document_frequency + 0.5) / (document_frequency + 0.5) + 1.0)


def term_score(
    tf: int, dl: float, avgdl: float, idf: float, k1: float = 1.2, b: float = 0.75, weight: float = 1.0
) -> float:
    """Return what a term adds that occurs tf times in a field of dl terms, where fields have avgdl on average.

    >>> term_score(tf=1, dl=10, avgdl=10, idf=1.0)
    1.0
    """
    base = weight * idf * (k1 + 1.0)
    norm = k1 * ((1.0 - b) + (b / avgdl) * dl)
    return base * tf / (tf + norm)


def search(
    index: Mapping[str, Document],
    query: Sequence[str],
    weights: Mapping[str, float],
    *,
    cells: Collection[str] | None = None,
    k: int | None = None,
    boosts: Mapping[str, float] | None = None,
    k1: float = 1.2,
    b: float = 0.75,
    among: Collection[str] | None = None,
    beside: Beside = NOTHING,
) -> list[tuple[str, float]]:
    """Return the k best records and their scores: score down, then id up; a score of 0 or less is left out.

    Args:
        index: the records.
        query: its terms; a term given twice counts twice.
        weights: the fields in declared order, each with its weight, at least 0.
        cells: the cells to look in; None means all.
        k: how many at most; None means all.
        boosts: factor for the records of a label.
        k1: how fast repeated occurrences saturate.
        b: how much a field's length counts.
        among: ids of the only records to look for; the statistics stay those of the cells. None means all.
        beside: texts that count beside the records.

    >>> index = {"a": Document({"text": ["red", "fox"]}), "b": Document({"text": ["red", "red"]})}
    >>> search(index, ["fox", "red"], {"text": 1.0})
    [('a', 0.8754687373538999), ('b', 0.2506921405916876)]

    """
    inside = _inside(index, cells)
    statistics = _statistics(inside, query, weights, beside)
    found = []
    for name, document in inside.items():
        score = _explained(document, query, weights, statistics, boosts, k1, b).score
        if score > 0.0 and (among is None or name in among):
            found.append((name, score))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]


def explain(
    index: Mapping[str, Document],
    query: Sequence[str],
    name: str,
    weights: Mapping[str, float],
    *,
    cells: Collection[str] | None = None,
    boosts: Mapping[str, float] | None = None,
    k1: float = 1.2,
    b: float = 0.75,
) -> Explanation:
    """Return the parts of one record's score; the arguments are those of `search`.

    Raises:
        KeyError: no such record in these cells.

    >>> explain({"a": Document({"text": ["red", "fox"]})}, ["fox", "owl"], "a", {"text": 2.0}).score
    0.5753641449035617

    """
    inside = _inside(index, cells)
    return _explained(inside[name], query, weights, _statistics(inside, query, weights), boosts, k1, b)


def idfs(
    index: Mapping[str, Document],
    query: Sequence[str],
    weights: Mapping[str, float],
    *,
    cells: Collection[str] | None = None,
    beside: Beside = NOTHING,
) -> Mapping[str, float]:
    """Return the idf of each term of a query in these cells; the arguments are those of `search`.

    >>> index = {"a": Document({"text": ["red", "fox"]}), "b": Document({"text": ["red", "red"]})}
    >>> found = idfs(index, ["fox"], {"text": 1.0}, beside=Beside(10.0, {"fox": 2.0}))
    >>> found == {"fox": idf(2, 1) * (idf(12, 3) / idf(12, 1))}
    True
    """
    return _statistics(_inside(index, cells), query, weights, beside).idf


def idf_sum(
    index: Mapping[str, Document],
    query: Sequence[str],
    weights: Mapping[str, float],
    *,
    cells: Collection[str] | None = None,
) -> float:
    """Return what the terms of a query weigh together: their idf in these cells, added up in order from 0.0.

    A term that no record holds counts too, and a term given twice counts twice.

    >>> index = {"a": Document({"text": ["red", "fox"]}), "b": Document({"text": ["red", "red"]})}
    >>> idf_sum(index, ["fox", "owl"], {"text": 1.0}) == idf(2, 1) + idf(2, 0)
    True
    """
    rarity = idfs(index, query, weights, cells=cells)
    total = 0.0
    for term in query:
        total += rarity[term]
    return total


@dataclass(frozen=True)
class _Statistics:
    """What is counted over all records inside: the mean length of each field, the idf of each query term."""

    avgdl: Mapping[str, float]
    idf: Mapping[str, float]


def _inside(index: Mapping[str, Document], cells: Collection[str] | None) -> dict[str, Document]:
    return {name: document for name, document in index.items() if cells is None or document.cell in cells}


def _statistics(
    inside: Mapping[str, Document], query: Sequence[str], fields: Collection[str], beside: Beside = NOTHING
) -> _Statistics:
    """Count; a record without a field has it with no terms, and a mean length of 0 becomes 1.0."""
    documents = inside.values()
    avgdl = {}
    for field in fields:
        length = sum(len(document.fields.get(field, ())) for document in documents)
        avgdl[field] = length / len(inside) if length else 1.0
    rarity = {}
    all_texts = len(inside) + beside.texts
    for term in query:
        with_term = sum(any(term in document.fields.get(field, ()) for field in fields) for document in documents)
        rarity[term] = idf(len(inside), with_term)
        if (held := beside.holding.get(term, 0.0)) > 0.0:
            rarity[term] *= idf(all_texts, with_term + held) / idf(all_texts, with_term)
    return _Statistics(avgdl, rarity)


def _explained(
    document: Document,
    query: Sequence[str],
    weights: Mapping[str, float],
    statistics: _Statistics,
    boosts: Mapping[str, float] | None,
    k1: float,
    b: float,
) -> Explanation:
    parts = []
    total = 0.0
    for field, weight in weights.items():
        terms = document.fields.get(field, ())
        avgdl = statistics.avgdl[field]
        for term in query:
            tf = terms.count(term)
            if tf > 0:
                rarity = statistics.idf[term]
                score = term_score(tf, len(terms), avgdl, rarity, k1, b, weight)
                parts.append(Part(field, term, tf, len(terms), avgdl, rarity, score))
                total += score
    boost = boosts.get(document.label) if boosts and document.label is not None else None
    return Explanation(tuple(parts), total, boost, total if boost is None else total * boost)
