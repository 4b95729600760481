"""A prompt under a token budget: the invariants, whole and first; then what discovery found, best first.

Pure: documents with their numbers in, ids out. The same stages run as in a recall.
"""
# docs/sources.md: A1.7.7 to A1.7.10.

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from ...errors import DuplicateId, InvalidArgument, InvariantBudgetError, RecordNotFound
from ...light.classes import dataclass
from ...records import Record
from ...validation import check_share
from ..algebra import StageContext, run
from ..budget import ACCEPTED, OVER_BUDGET, fit, total
from ..candidates import Candidates
from .formulas import FLOOR, HOP_DECAY, HOP_FLOOR, KAPPA, TOP_K
from .hops import Hops
from .stages import CoarseFloor, KeywordBoost, SecondPass, Similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document of one query, with the numbers that do not depend on other documents.

    Attributes:
        id: of the document.
        tokens: what it costs, 0 or more.
        similarity: cosine of query and document.
        authority_weight: omega, 0 to 1.
        coverage: M, 0 to 1.
        hops: ids of the documents that it links to.
        invariant: given with every query, whatever its numbers.

    """

    id: str
    tokens: float
    similarity: float = 0.0
    authority_weight: float = 1.0
    coverage: float = 0.0
    hops: tuple[str, ...] = ()
    invariant: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not 0.0 <= self.tokens < math.inf:
            raise InvalidArgument(f"tokens of {self.id}: are {self.tokens}; they must be finite and at least 0")
        if not math.isfinite(self.similarity):
            raise InvalidArgument(f"similarity of {self.id}: is {self.similarity}; it must be finite")
        check_share(f"authority_weight of {self.id}", self.authority_weight)
        check_share(f"coverage of {self.id}", self.coverage)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a document, stage by stage. It gets in by `invariant or second_pass or hop`.

    Attributes:
        id: of the document.
        invariant: it is given with every query.
        first_pass, second_pass, hop: it is in C1, in C2, in C_hop*; the budget is not asked yet.
        injected: it is in the context.
        score: sigma, where it is in C2 or C_hop*.
        reason: which step let it in or kept it out, with the numbers.

    """

    id: str
    invariant: bool
    first_pass: bool
    second_pass: bool
    hop: bool
    injected: bool
    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """The context of a query, and how it came about.

    Attributes:
        injected: ids in order: the invariants as they were given, then the others best first.
        scores: sigma of C2 and C_hop*, by id, best first; injected or not.
        first_pass, second_pass, hops: C1, C2 and C_hop*, best first.
        tokens: what the injected documents cost together.
        budget: what they may cost.
        notes: links that lead nowhere, or to invariants.
        fates: what became of every document, by id.

    """

    injected: tuple[str, ...]
    scores: Mapping[str, float]
    first_pass: tuple[str, ...]
    second_pass: tuple[str, ...]
    hops: tuple[str, ...]
    tokens: float
    budget: float
    notes: tuple[str, ...]
    fates: Mapping[str, Fate] = field(repr=False)

    def explain(self, id: str) -> Fate:
        """Return what became of a document, and which step kept or rejected it.

        Raises:
            RecordNotFound: it was none of the documents.

        """
        if id not in self.fates:
            raise RecordNotFound(f"{id!r} is none of the documents")
        return self.fates[id]


def assemble(
    documents: Sequence[Document],
    budget: float,
    *,
    top_k: int = TOP_K,
    k1: int | None = None,
    k2: int | None = None,
    floor: float = FLOOR,
    kappa: float = KAPPA,
    hop_decay: float = HOP_DECAY,
    hop_floor: float = HOP_FLOOR,
) -> Assembly:
    """Return which documents are injected.

    Args:
        documents: of both kinds, in any order; that of the invariants is kept.
        budget: tokens for all of it, 0 to 2**53; fractions are compared as they are.
        top_k: what k1 and k2 follow from.
        k1: size of the first pass; max(2 * top_k, 8), and never below k2, where not given.
        k2: size of the second, at most k1; top_k, as far as k1 allows, where not given.
        floor: lowest similarity in the first pass.
        kappa: what key terms count.
        hop_decay: of scores over a link.
        hop_floor: lowest score of what is linked to.

    Raises:
        InvariantBudgetError: the invariants alone exceed the budget.
        DuplicateId: two documents have one id; what is an invariant cannot be a variant too.
        InvalidArgument: a number is outside its domain.

    >>> rules = Document(id="rules", tokens=30, invariant=True)
    >>> near, far = Document(id="near", tokens=20, similarity=0.9), Document(id="far", tokens=20, similarity=0.1)
    >>> found = assemble([rules, near, far], budget=60)
    >>> found.injected, found.tokens, found.explain("far").reason
    (('rules', 'near'), 50, 'below the floor (similarity 0.1000 < 0.2)')

    """
    by_id = {document.id: document for document in documents}
    if len(by_id) != len(documents):
        raise DuplicateId("documents: two have the same id; an invariant is no variant, and none is there twice")
    first, second = sizes(top_k, k1, k2)
    records = {each.id: Record(text="-", id=each.id, links=each.hops, invariant=each.invariant) for each in documents}
    context = StageContext(
        now=0.0, k=top_k, records=records, related=lambda ids: {id: records[id] for id in ids if id in records}
    )
    variants = [document for document in documents if not document.invariant]
    coarse = run([CoarseFloor(floor, at_least=first, times=0.0)], _table(variants), context)
    scored = Similarity()(coarse, context).scored(
        "omega", "multiply", [by_id[id].authority_weight for id in coarse.ids]
    )
    best = run([KeywordBoost(kappa), SecondPass(second)], scored, context)
    found = Hops(hop_decay, hop_floor)(best, context)
    injected, tokens, reasons = _injected(by_id, budget, found)
    reasons.update(found.dropped)
    scores = dict(zip(found.ids, found.scores(), strict=True))
    passes = coarse.ids, best.ids, injected
    return Assembly(
        injected=tuple(injected),
        scores=scores,
        first_pass=coarse.ids,
        second_pass=best.ids,
        hops=tuple(id for id in found.ids if id not in best.ids),
        tokens=tokens,
        budget=budget,
        notes=found.notes,
        fates={id: _fate(document, passes, scores.get(id), reasons[id]) for id, document in by_id.items()},
    )


def sizes(top_k: int, k1: int | None = None, k2: int | None = None) -> tuple[int, int]:
    """Return k1 and k2: as they are given, else from the hits asked for.

    >>> sizes(8), sizes(3), sizes(8, k1=4), sizes(8, k2=20)
    ((16, 8), (8, 3), (4, 4), (20, 20))
    """
    # docs/sources.md: A1.7.11.
    first = k1 if k1 is not None else max(2 * top_k, 8, k2 or 0)
    second = k2 if k2 is not None else min(top_k, first)
    if not 1 <= second <= first:
        raise InvalidArgument(f"k1 and k2: are {first} and {second}; k2 must be at least 1, and at most k1")
    return first, second


def _table(documents: Sequence[Document]) -> Candidates:
    columns = {
        "dense": tuple(document.similarity for document in documents),
        "coverage": tuple(document.coverage for document in documents),
    }
    return Candidates(tuple(document.id for document in documents), columns)


def _injected(
    by_id: Mapping[str, Document], budget: float, found: Candidates
) -> tuple[list[str], float, dict[str, str]]:
    """Return the invariants and the longest prefix of what was found that fits beside them, their tokens, reasons."""
    invariants = [id for id, document in by_id.items() if document.invariant]
    order = [*invariants, *found.ids]
    fitted = fit([by_id[id].tokens for id in order], budget)
    if len(fitted.accepted) < len(invariants):
        needed = total(by_id[id].tokens for id in invariants)
        raise InvariantBudgetError(
            f"budget: is {budget:g} tokens and the {len(invariants)} invariants need {needed:g}; "
            "raise the budget, or shorten them: they are never cut"
        )
    reasons = {}
    for id, row in zip(order, fitted.rows, strict=True):
        over = f"over the budget ({row.spent:g} + {row.cost:g} > {budget:g})"
        reasons[id] = {ACCEPTED: "within the budget", OVER_BUDGET: over}.get(row.reason, "after what did not fit")
    reasons.update(dict.fromkeys(invariants, "an invariant"))
    return [order[place] for place in fitted.accepted], fitted.spent, reasons


def _fate(
    document: Document,
    passes: tuple[Collection[str], Collection[str], Collection[str]],
    score: float | None,
    reason: str,
) -> Fate:
    first_pass, second_pass, injected = (document.id in each for each in passes)
    return Fate(
        id=document.id,
        invariant=document.invariant,
        first_pass=first_pass,
        second_pass=second_pass,
        hop=score is not None and not second_pass,
        injected=injected,
        score=score,
        reason=reason,
    )
