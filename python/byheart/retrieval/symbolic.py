"""The symbolic retriever: closure over the facts that records state."""
# docs/sources.md: B1.39 to B1.41.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from .. import knowledge
from .._core import Closure, Proposal, SymbolicIndex, SymbolicProof, extract_fact, symbol_key, symbol_tokens
from ..boundary import id_of
from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.explanation import Explanation, Part, Step
from ..records import Record
from ..rules import SHIPPED, Rule
from ..validation import check_between, check_name, check_whole, nearest
from .protocol import Found, LegQuery, Settings
from .selection import Selection
from .together import CoreRetriever

Fact = tuple[str, str, str, float]

NAME = "symbolic"

# Proofs whose conclusion has one of these come first (B1.41).
PREFERRED: tuple[str, ...] = ("relevant_for", "has_capability", "depends_on", "causes")

DISTANCE_PENALTY = 0.25
GOAL_BONUS = 1.15
SEED_BONUS = 1.10
BOUNDS: Mapping[str, Any] = {
    "max_depth": 3, "max_derived": 64, "max_proofs": 32, "max_seeds": 8, "max_focused": 12,
    "max_attempts": 200_000, "min_confidence": 0.15, "derived_first": True, "distance_penalty": DISTANCE_PENALTY,
    "goal_bonus": GOAL_BONUS, "seed_bonus": SEED_BONUS,
}  # fmt: skip
"""The bounds of a closure and the weights of its proofs: the settings of a leg, whose pool bounds
the candidates. The core has the same."""
_MOST: Mapping[str, int] = {
    "max_depth": 8, "max_derived": 4_096, "max_proofs": 4_096, "max_seeds": 4_096, "max_focused": 4_096,
    "max_attempts": 100_000_000,
}  # fmt: skip
_MAX_SYMBOL_BYTES = 512


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The relations that facts may name, those of them that have one value at a time, and the rules over them."""

    relations: tuple[str, ...] = knowledge.RELATIONS
    rules: tuple[Rule, ...] = SHIPPED
    single_valued: tuple[str, ...] = ()

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
            raise InvalidArgument(
                f"relation: {record.relation!r} is unknown; there are {known}; others are declared by "
                "Memory(relations=[...]), or single_valued=[...] for those with one value at a time"
                f"{nearest(record.relation, self.relations)}"
            )

    def check_anew(self, record: Record, old: Record) -> None:
        """Refuse a changed record whose fact names such a relation, unless it did before: what is stored is taken."""
        if record.relation != old.relation:
            self.check(record)


def declared(relations: Sequence[str], single_valued: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return all relations of a memory, and those with one value, by their keys: "lives in" is "lives_in".

    >>> declared((), ["lives in", "Uses"])[1]
    ('lives_in', 'uses')

    Raises:
        InvalidArgument: one is blank, or holds what the relation of a fact cannot.
        LimitExceeded: one is too long for it.

    """
    for what, names in (("relations", relations), ("single_valued", single_valued)):
        for name in names:
            check_name(what, name.strip())
    known = (*knowledge.RELATIONS, *relations)
    ones = tuple(dict.fromkeys(_key(name, known) for name in single_valued))
    return (*known, *(name for name in ones if name not in known)), ones


def _key(name: str, known: Sequence[str]) -> str:
    if name in known:
        return name
    plain = "_".join(name.replace("-", " ").replace("_", " ").split()).lower()
    return next((each for each in known if each.lower() == plain), plain)


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


HIDDEN = "its best proof rests on a record that the call leaves out"


class Evidence(NamedTuple):
    """What came out of a closure, and which records the call may find.

    Facts of others count for a score, which no selection changes; nothing is told of them, nor of what follows from
    them.

    Attributes:
        closure: what came out.
        selection: of the call.

    """

    closure: Closure
    selection: Selection

    def proofs(self) -> tuple[Step, ...]:
        """Return the proofs that matter to the query and may be told, the most telling first."""
        told = (self._step(proof) for proof in self.closure.proofs)
        return tuple(step for step in told if step is not None)

    def explain(self, id: str, weights: Mapping[str, Any] = BOUNDS) -> Explanation | None:
        """Return the score of a candidate taken apart, with its best proof; None for a record that is no candidate."""
        proof = self.closure.proof_of(id)
        if proof is None:
            return None
        penalty = float(weights["distance_penalty"])
        divisor = 1.0 + max(1, proof.length) * penalty
        base = proof.raw / divisor
        detail = f"sure to {proof.raw:.6f} / (1 + {penalty:g} x {proof.length} steps)"
        inner = Explanation(id, base, (Part("product of the proof", proof.raw),), proof.raw, divisor=divisor)
        factors: Mapping[str, float] = {
            **({"a query term is in the conclusion": weights["goal_bonus"]} if proof.touches_goal else {}),
            **({"rests on a fact near the question": weights["seed_bonus"]} if proof.rests_on_seed else {}),
        }
        step = self._step(proof)
        parts, notes = (Part("proof", base, detail, inner),), () if step is not None else (HIDDEN,)
        return Explanation(id, proof.score, parts, base, tuple(factors.items()), notes=notes, proof=step)

    def notes(self, id: str) -> tuple[str, ...]:
        """Return what a candidate's proof is called in a trace."""
        # docs/sources.md: B1.41.9.
        proof = self.closure.proof_of(id)
        if proof is None:
            return (NAME,)
        if self._step(proof) is None:
            return "thinkingdb", HIDDEN
        said = " ".join(proof.fact)
        if proof.rule is None:
            return "thinkingdb", f"stated: {said}"
        return "thinkingdb", f"derived: {said}", f"via: {' -> '.join(proof.rules)}"

    def _step(self, proof: SymbolicProof) -> Step | None:
        """Return a proof as a tree: each derived fact, its rule, its premises, and the records that state them.

        None for one that rests on a fact of which no record is known that the call may find.
        """
        said = " ".join(proof.fact)
        if proof.rule is not None:
            premises = tuple(step for each in proof.premises if (step := self._step(each)) is not None)
            text = f"derived: {said} via {proof.rule} ({proof.weight:g})"
            return Step(text, proof.raw, premises) if len(premises) == len(proof.premises) else None
        by = [id_of(row) for row in proof.stated_by if self.selection.holds(row)]
        if not by:
            return None
        more = proof.statements - len(by) if self.selection.everything else 0  # else it is not known whose they are
        return Step(f"{said}   stated by {', '.join(by)}{f' and {more} more' if more else ''}", proof.raw)


class Symbolic(CoreRetriever):
    """Facts: what follows near a question, each record by the best proof that it bears.

    It follows from all facts inside the boundary that hold; a selection says which records may be found.
    """

    name = NAME
    open_ended = True
    takes = BOUNDS

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse what the core would: bounds are counts, weights lie between 0 and 1,000,000."""
        for name, value in settings.items():
            if name == "derived_first":
                if not isinstance(value, bool):
                    raise TypeError(f"derived_first must be bool, not {type(value).__name__}")
            elif name in _MOST:
                check_whole(name, value, 1, _MOST[name])
            else:
                check_between(name, value, 0, 1_000_000)

    def form(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return unstemmed terms, and the text in which whole symbols are looked for."""
        put = goal(asked.question.query)
        return {"symbols": (put.terms, put.text)}

    def leg(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return the bounds of the closure, the weights of proofs, and how long they may be looked for."""
        options = {name: float(value) for name, value in {**BOUNDS, **asked.options}.items()}
        return {"options": options, "deadline": asked.question.deadline}

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return the candidates, with the proofs behind them."""
        closure = proposal.closure
        evidence = None if closure is None else Evidence(closure, asked.selection)
        found = replace(super().found(asked, form, proposal, leg), evidence=evidence)
        if closure is None or not closure.exhausted:
            return found
        attempts = closure.counters["attempts"]
        return replace(found, degraded=(f"symbolic: stopped after {attempts} attempts; what was found by then counts",))

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return the score taken apart, with the best proof."""
        return None if score is None else found.evidence.explain(id, {**BOUNDS, **asked.options})

    def notes(self, found: Found, id: str) -> tuple[str, ...]:
        """Return what the candidate's proof is called."""
        notes: tuple[str, ...] = found.evidence.notes(id)
        return notes

    def proofs(self, found: Found) -> tuple[Step, ...]:
        """Return what was derived, or stated, near the question."""
        proofs: tuple[Step, ...] = found.evidence.proofs()
        return proofs

    def exhausted(self, found: Found) -> bool:
        """Return whether the closure stopped before its end."""
        return bool(found.evidence.closure.exhausted)


def vocabulary_of(settings: Settings) -> Vocabulary:
    """Return the relations and rules of a memory."""
    given = settings.vocabulary
    return given if isinstance(given, Vocabulary) else Vocabulary()
