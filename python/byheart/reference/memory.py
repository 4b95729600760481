"""The whole recall of `kb-fast`, `kb-balanced` and `kb-thinkingdb`, over a list of plain records.

A record is a dict with an `id` and, as it has them, text, role, topic, claim, procedure, condition,
utility_acts, utility_note, subject, relation, object, confidence, tenant, scope and boundary_class. Nothing is kept
between calls, and every number is counted over the records inside the boundary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from . import hypervector, knowledge, lexical, nearest, symbolic
from .fusion import bm25_normalise, fused_score
from .hypervector import HyperVector
from .profiles import PROFILES, Profile
from .symbols import LONGEST_SYMBOL, Statement, extract_fact, symbol_key, symbol_tokens
from .text import terms

Record = Mapping[str, object]
Cell = tuple[str, str, str]
Analyse = Callable[[str], list[str]]

LEXICAL_WEIGHTS: Mapping[str, float] = {
    "role": 0.5,
    "topic": 1.5,
    "claim": 1.0,
    "condition": 0.6,
    "procedure": 1.0,
    "utility_acts": 0.8,
    "utility_note": 0.6,
}
HYPERVECTOR_WEIGHTS: Mapping[str, float] = {"topic": 0.35, "claim": 0.35, "role": 0.20, "acts": 0.10}
SECOND_WEIGHTS: Mapping[str, float] = {"hypervector": 0.7, "symbolic": 0.85}
ROLE_BOOST = 1.3
HYPERVECTOR_FLOOR = 0.05
POOL = 100
TINY = 32
"""With fewer records than this inside the boundary, idf means too little for a minimum score."""


@dataclass(frozen=True)
class Hit:
    """A recalled record: the fused score, and what it was made of (None: not found by that retriever)."""

    id: str
    score: float
    bm25: float | None
    bm25_normalised: float | None
    hdc: float | None
    symbolic: float | None = None


@dataclass(frozen=True)
class Recall:
    """The hits, best first; every dropped candidate with its reason; and what was decided on the way.

    Reasons are "below minimum", "duplicate of ID", "gap" and "beyond k", in the order of these stages and,
    inside one, score down and id up.
    """

    hits: tuple[Hit, ...]
    dropped: tuple[tuple[str, str], ...]
    escalated: bool
    minimum_waived: bool


def recall(
    records: Sequence[Record],
    query: str | Sequence[str],
    *,
    profile: Profile = PROFILES["kb-balanced"],
    k: int | None = None,
    act: str | None = None,
    needed_roles: Sequence[str] = (),
    cells: Collection[Cell] | None = None,
    literal: bool = False,
    analyse: Analyse = terms,
    encode: str = "ngrams",
    pool: int = POOL,
) -> Recall:
    """Return what a memory of these records recalls.

    Args:
        records: what is remembered, each id once.
        query: a text, or the terms that it would give.
        profile: see `profiles`.
        k: at most so many hits; None means the profile's number. It changes nothing else.
        act: one of `knowledge.ACTS`; its preferred roles are boosted.
        needed_roles: the roles that hypervectors look for; none means the act's preferred roles.
        cells: the boundary, as (tenant, scope, boundary class); None means all cells of these records.
        literal: keep the minimum score on a tiny boundary too.
        analyse: text to terms.
        encode: one of `hypervector.ENCODERS`.
        pool: so many records from each retriever, and hits at most.

    Raises:
        KeyError: an unknown act or encoder.

    >>> recall([{"id": "a", "text": "the red fox"}, {"id": "b", "text": "a brown owl"}], "foxes").hits[0].id
    'a'

    """
    inside = {str(record["id"]): record for record in records if cells is None or cell_of(record) in cells}
    query_terms = analyse(query) if isinstance(query, str) else list(query)
    preferred = knowledge.ACT_ROLES[act] if act is not None else ()
    k = profile.max_results if k is None else k
    bm25 = _lexical(inside, query_terms, preferred, pool, analyse)
    escalated = profile.runs_secondary(len(bm25))
    second, found = profile.strategies[-1], list[tuple[str, float]]()
    if escalated and second == "symbolic":
        found = _symbolic(inside, query, pool)
    elif escalated:
        vectors = query_vectors(query_terms, act, needed_roles or preferred, encode)
        found = _hypervector(inside, vectors, pool, analyse, encode)
    waived = len(inside) < TINY and not literal
    minimum = None if waived else profile.min_score
    hits, dropped = _select(_joined(bm25, found, second), inside, minimum, profile.gap, min(k, pool))
    return Recall(tuple(hits), tuple(dropped), escalated, waived)


def cell_of(record: Record) -> Cell:
    """Return where a record lives: its tenant, scope and boundary class, or their defaults."""
    return (
        _text(record, "tenant") or "default",
        _text(record, "scope") or "project",
        _text(record, "boundary_class") or "internal",
    )


def claim_of(record: Record) -> str:
    """Return what a record claims: its claim, and its text where claim and procedure do not say the same."""
    claim, procedure, text = (_text(record, name) for name in ("claim", "procedure", "text"))
    unstated = "" if text in (claim, procedure) else text
    return "\n".join(part for part in (claim, unstated) if part)


def statement_of(record: Record) -> str:
    """Return what a record states first: its claim, else its procedure, else its text."""
    return _text(record, "claim") or _text(record, "procedure") or _text(record, "text")


def acts_of(record: Record) -> Sequence[str]:
    """Return the acts a record is good for: as given, else those of its role."""
    given = record.get("utility_acts")
    if isinstance(given, Sequence) and given:
        return [str(act) for act in given]
    return knowledge.ROLE_DEFAULT_ACTS.get(_text(record, "role"), ())


def document_of(record: Record, analyse: Analyse = terms) -> lexical.Document:
    """Return the record as the lexical index knows it: seven fields of terms, and its role as the label."""
    texts = {name: _text(record, name) for name in LEXICAL_WEIGHTS}
    texts["claim"] = claim_of(record)
    texts["utility_acts"] = " ".join(acts_of(record))
    return lexical.Document({name: analyse(text) for name, text in texts.items()}, label=_text(record, "role") or None)


def query_vectors(
    query_terms: Sequence[str], act: str | None, roles: Sequence[str], encode: str = "ngrams"
) -> dict[str, HyperVector]:
    """Return the query's vectors by field; a field that it says nothing about is the zero vector or missing."""
    meaning = hypervector.ENCODERS[encode](query_terms)
    vectors = {"topic": meaning, "claim": meaning, "role": hypervector.encode_tokens(roles)}
    if act is not None:
        vectors["acts"] = hypervector.random(act)
    return vectors


def record_vectors(record: Record, analyse: Analyse = terms, encode: str = "ngrams") -> dict[str, HyperVector]:
    """Return a record's vectors by field; a field that it says nothing in is the zero vector or missing."""
    encoder = hypervector.ENCODERS[encode]
    vectors = {
        "topic": encoder(analyse(_text(record, "topic"))),
        "claim": encoder(analyse(_said(record))),
        "acts": hypervector.encode_tokens(acts_of(record)),
    }
    if role := _text(record, "role"):
        vectors["role"] = hypervector.random(role)
    return vectors


def _said(record: Record) -> str:
    if _text(record, "claim"):
        return claim_of(record)
    return "\n".join(part for part in (_text(record, "procedure"), claim_of(record)) if part)


def _text(record: Record, name: str) -> str:
    return str(record.get(name) or "")


def _lexical(
    inside: Mapping[str, Record], query: Sequence[str], preferred: Sequence[str], k: int, analyse: Analyse
) -> list[tuple[str, float]]:
    index = {name: document_of(record, analyse) for name, record in inside.items()}
    return lexical.search(index, query, LEXICAL_WEIGHTS, k=k, boosts={role: ROLE_BOOST for role in preferred})


def _hypervector(
    inside: Mapping[str, Record], query: Mapping[str, HyperVector], k: int, analyse: Analyse, encode: str
) -> list[tuple[str, float]]:
    index = {name: nearest.Entry(record_vectors(record, analyse, encode)) for name, record in inside.items()}
    return nearest.search(index, query, HYPERVECTOR_WEIGHTS, combine="adaptive", floor=HYPERVECTOR_FLOOR, k=k)


def fact_of(record: Record) -> Statement | None:
    """Return the fact that a record states: its triple, else what its claim, procedure or topic says."""
    # docs/sources.md: B1.39.2.
    subject, relation, object = (_text(record, name) for name in ("subject", "relation", "object"))
    if subject and relation and object:
        given = record.get("confidence")
        return Statement(subject, relation, object, float(given) if isinstance(given, (int, float)) else 1.0)
    if _text(record, "ku_type") in ("composite", "aggregate"):
        return None
    fact = extract_fact(statement_of(record) or _text(record, "topic"))
    symbols = (fact.subject, fact.object) if fact else ("",)
    usable = all(symbol_key(symbol) and len(symbol.encode()) <= LONGEST_SYMBOL for symbol in symbols)
    return fact if usable else None


def _symbolic(inside: Mapping[str, Record], query: str | Sequence[str], k: int) -> list[tuple[str, float]]:
    units = {name: fact for name, record in inside.items() if (fact := fact_of(record)) is not None}
    options = symbolic.Options(max_candidates=k)
    if isinstance(query, str):
        found = symbolic.closure(units, symbol_tokens(query), query, options=options)
    else:
        found = symbolic.closure(units, query, options=options)
    return [(hit.id, hit.normalised) for hit in found.candidates]


def _joined(bm25: Sequence[tuple[str, float]], found: Sequence[tuple[str, float]], second: str) -> list[Hit]:
    """Return one row for each record that either found: score down, then id up."""
    raw, similar = dict(bm25), dict(found)
    normalised = dict(zip(raw, bm25_normalise(list(raw.values())), strict=True))
    rows = [
        Hit(
            id=name,
            score=fused_score(normalised.get(name), similar.get(name), hdc_weight=SECOND_WEIGHTS.get(second, 0.0)),
            bm25=raw.get(name),
            bm25_normalised=normalised.get(name),
            hdc=similar.get(name) if second == "hypervector" else None,
            symbolic=similar.get(name) if second == "symbolic" else None,
        )
        for name in raw.keys() | similar.keys()
    ]
    return sorted(rows, key=lambda row: (-row.score, row.id))


def _select(
    rows: Sequence[Hit], inside: Mapping[str, Record], minimum: float | None, gap: float, k: int
) -> tuple[list[Hit], list[tuple[str, str]]]:
    """Apply the minimum, the duplicates, the gap and k, in this order, to rows that are sorted."""
    strong = [row for row in rows if minimum is None or row.score >= minimum]
    dropped = [(row.id, "below minimum") for row in rows[len(strong) :]]
    first: dict[str, Hit] = {}
    for row in strong:
        same = first.setdefault(content_of(inside[row.id]), row)
        if same is not row:
            dropped.append((row.id, f"duplicate of {same.id}"))
    unique = list(first.values())
    near = [row for row in unique if gap == 0.0 or row.score >= unique[0].score * gap]
    dropped += [(row.id, "gap") for row in unique[len(near) :]]
    dropped += [(row.id, "beyond k") for row in near[k:]]
    return near[:k], dropped


def content_of(record: Record) -> str:
    """Return the content hash of a record, whose claim may be its text."""
    return knowledge.content_hash({**record, "claim": claim_of(record)})
