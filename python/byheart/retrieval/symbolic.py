"""The symbolic retriever: closure over the facts that records state."""
# docs/sources.md: B1.39 to B1.41.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import knowledge
from .._core import Closure, Proposal, SymbolicIndex, SymbolicProof, extract_fact, symbol_key, symbol_tokens
from ..errors import InvalidArgument
from ..ranking.explanation import Explanation, Part, Step
from ..records import Record
from ..rules import SHIPPED, Rule
from .protocol import CoreRetriever, Found, LegQuery, Settings

Fact = tuple[str, str, str, float]

NAME = "symbolic"

# Proofs whose conclusion has one of these come first (B1.41).
PREFERRED: tuple[str, ...] = ("relevant_for", "has_capability", "depends_on", "causes")

DISTANCE_PENALTY = 0.25
GOAL_BONUS = 1.15
SEED_BONUS = 1.10
_WEIGHTS = {"distance_penalty": DISTANCE_PENALTY, "goal_bonus": GOAL_BONUS, "seed_bonus": SEED_BONUS}
_MAX_SYMBOL_BYTES = 512


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The relations that facts may name, and the rules by which more follows from them."""

    relations: tuple[str, ...] = knowledge.RELATIONS
    rules: tuple[Rule, ...] = SHIPPED

    def __post_init__(self) -> None:
        """Check both, by making an index of them."""
        for rule in self.rules:
            if not isinstance(rule, Rule):
                raise TypeError(f"rules must be a list of Rule, not of {type(rule).__name__}")
        self.new_index()

    def new_index(self) -> SymbolicIndex:
        """Return an empty index."""
        return SymbolicIndex(self.relations, [rule.row() for rule in self.rules], PREFERRED)

    def check(self, record: Record) -> None:
        """Refuse a record whose fact names a relation that does not exist."""
        if record.relation and record.relation not in self.relations:
            known = ", ".join(self.relations)
            raise InvalidArgument(f"relation: {record.relation!r} is unknown; there are {known}")


@dataclass(frozen=True, slots=True)
class Goal:
    """What is asked of the facts: unstemmed terms, and the text in which whole symbols are looked for."""

    terms: Sequence[str]
    text: str | None = None


def goal(query: str | Sequence[str]) -> Goal:
    """Return the goal that a query puts.

    >>> goal("why is the Loom useful?").terms
    ['loom', 'useful']
    """
    return Goal(symbol_tokens(query), query) if isinstance(query, str) else Goal(query)


def fact_of(record: Record) -> Fact | None:
    """Return the fact that a record states: its triple, else what its claim, procedure or topic says.

    >>> fact_of(Record(text="Ploinky provides sandboxing."))
    ('Ploinky', 'provides', 'sandboxing', 0.9)
    """
    # docs/sources.md: B1.39.2.
    if record.subject and record.relation and record.object:
        confidence = 1.0 if record.confidence is None else record.confidence
        return record.subject, record.relation, record.object, confidence
    if record.ku_type not in (None, "atomic"):
        return None
    found = extract_fact(record.claim or record.procedure or record.text or record.topic or "")
    return found if found is not None and _is_symbol(found[0]) and _is_symbol(found[2]) else None


def _is_symbol(text: str) -> bool:
    return len(text.encode()) <= _MAX_SYMBOL_BYTES and symbol_key(text) != ""


def known_fact(record: Record, settings: Settings) -> Fact | None:
    """Return the fact that a record states in a relation of the memory's."""
    fact = fact_of(record)
    return fact if fact is not None and fact[1] in vocabulary_of(settings).relations else None


def new_index(settings: Settings) -> SymbolicIndex:
    """Return an empty index of the memory's relations and rules."""
    return vocabulary_of(settings).new_index()


def explain(closure: Closure, id: str) -> Explanation | None:
    """Return the score of a candidate taken apart, with its best proof; None for a record that is no candidate."""
    proof = closure.proof_of(id)
    if proof is None:
        return None
    divisor = 1.0 + max(1, proof.length) * DISTANCE_PENALTY
    base = proof.raw / divisor
    detail = f"sure to {proof.raw:.6f} / (1 + {DISTANCE_PENALTY:g} x {proof.length} steps)"
    inner = Explanation(id, base, (Part("product of the proof", proof.raw),), proof.raw, divisor=divisor)
    factors: Mapping[str, float] = {
        **({"a query term is in the conclusion": GOAL_BONUS} if proof.touches_goal else {}),
        **({"rests on a fact near the question": SEED_BONUS} if proof.rests_on_seed else {}),
    }
    return Explanation(
        id, proof.score, (Part("proof", base, detail, inner),), base, tuple(factors.items()), proof=step(proof)
    )


def step(proof: SymbolicProof) -> Step:
    """Return a proof as a tree: what is derived, by which rule, from what, and which records state that."""
    said = " ".join(proof.fact)
    if proof.rule is not None:
        text = f"derived: {said} via {proof.rule} ({proof.weight:g})"
        return Step(text, proof.raw, tuple(step(premise) for premise in proof.premises))
    more = proof.statements - len(proof.stated_by)
    return Step(f"{said}   stated by {', '.join(proof.stated_by)}{f' and {more} more' if more else ''}", proof.raw)


def notes(proof: SymbolicProof) -> tuple[str, ...]:
    """Return what a candidate's proof is called in a trace."""
    # docs/sources.md: B1.41.9.
    said = " ".join(proof.fact)
    if proof.rule is None:
        return "thinkingdb", f"stated: {said}"
    return "thinkingdb", f"derived: {said}", f"via: {' -> '.join(proof.rules)}"


class Symbolic(CoreRetriever):
    """Facts: what follows near a question, each record by the best proof that it bears.

    It follows from all facts inside the boundary that hold; a selection says which records may be found.
    """

    name = NAME
    open_ended = True

    def form(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return unstemmed terms, and the text in which whole symbols are looked for."""
        put = goal(asked.question.query)
        return {"symbols": (put.terms, put.text)}

    def leg(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return the weights of proofs, and how long they may be looked for."""
        return {"options": _WEIGHTS, "deadline": asked.question.deadline}

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return the candidates, with the proofs behind them."""
        closure = proposal.closure
        found = replace(super().found(asked, form, proposal, leg), evidence=closure)
        if closure is None or not closure.exhausted:
            return found
        attempts = closure.counters["attempts"]
        return replace(found, degraded=(f"symbolic: stopped after {attempts} attempts; what was found by then counts",))

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return the score taken apart, with the best proof."""
        return None if score is None else explain(found.evidence, id)

    def notes(self, found: Found, id: str) -> tuple[str, ...]:
        """Return what the candidate's proof is called."""
        proof = found.evidence.proof_of(id)
        return (self.name,) if proof is None else notes(proof)

    def proofs(self, found: Found) -> tuple[Step, ...]:
        """Return what was derived, or stated, near the question."""
        return tuple(step(proof) for proof in found.evidence.proofs)

    def exhausted(self, found: Found) -> bool:
        """Return whether the closure stopped before its end."""
        return bool(found.evidence.exhausted)


def vocabulary_of(settings: Settings) -> Vocabulary:
    """Return the relations and rules of a memory."""
    given = settings.vocabulary
    return given if isinstance(given, Vocabulary) else Vocabulary()
