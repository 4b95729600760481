"""Bounded closure: what follows, within a few steps, from the facts near a query.

Facts are counted anew at each query, over the units that are given: that is the definition. Where the source
leaves an order open it is settled here, so that no answer depends on the order in which units came: seeds by
score then key, the neighbourhood by hop then key, premises in that order, derived facts in the order of their birth.
"""
# docs/sources.md: B1.41.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from .rules import SHIPPED, Rule
from .symbols import Statement, canonical, symbol_key, symbol_tokens

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """The bounds and weights of a closure; their defaults are those of the shipped profiles.

    `derived_first`: among the best `max_proofs`, derived facts come before stated ones, which are always surer and
    would crowd them out of a large neighbourhood; False is the original's letter.
    `max_attempts`: how many facts may be held against a premise (its relation and bound sides already fitting).
    """

    max_depth: int = 3
    max_derived: int = 64
    max_proofs: int = 32
    max_seeds: int = 8
    max_focused: int = 12
    max_candidates: int = 32
    min_confidence: float = 0.15
    distance_penalty: float = 0.25
    goal_bonus: float = 1.15
    seed_bonus: float = 1.10
    preferred: tuple[str, ...] = ("relevant_for", "has_capability", "depends_on", "causes")
    derived_first: bool = True
    max_attempts: int = 200_000
    mode: str = "unicode"


@dataclass(frozen=True)
class Fact:
    """Two things and their relation, in canonical form, with what they are compared by."""

    subject: str
    relation: str
    object: str
    mode: str = "unicode"

    @property
    def key(self) -> str:
        """How the fact is named, and ordered."""
        return f"{self.subject}|{self.relation}|{self.object}"

    @property
    def order(self) -> tuple[str, str, str]:
        """The order by key; parts decide where a `|` in a symbol makes two keys one."""
        return (self.key, self.subject, self.relation)

    @cached_property
    def sides(self) -> tuple[str, str]:
        """The keys of both symbols."""
        return symbol_key(self.subject, self.mode), symbol_key(self.object, self.mode)

    @cached_property
    def tokens(self) -> tuple[list[str], list[str]]:
        """The tokens of both symbols."""
        return symbol_tokens(self.subject, self.mode), symbol_tokens(self.object, self.mode)


@dataclass(frozen=True)
class Proof:
    """A fact and why it holds. A stated fact has no rule; its proof is one step."""

    fact: Fact
    raw: float
    steps: tuple[str, ...]
    base: tuple[Fact, ...]
    rules: tuple[str, ...] = ()

    @property
    def derived(self) -> bool:
        """Whether a rule was needed."""
        return bool(self.rules)


@dataclass(frozen=True)
class Candidate:
    """A unit that states a part of a proof, scored by its best one."""

    id: str
    raw: float
    normalised: float
    proof: Proof


@dataclass(frozen=True)
class Closure:
    """What came out. `derived` is ordered by key, `proofs` by focus, `candidates` by score then id."""

    seeds: tuple[Fact, ...] = ()
    derived: tuple[Proof, ...] = ()
    proofs: tuple[Proof, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    attempts: int = 0
    exhausted: bool = False


def closure(
    units: Mapping[str, Statement],
    terms: Sequence[str],
    text: str | None = None,
    rules: Sequence[Rule] = SHIPPED,
    options: Options | None = None,
) -> Closure:
    """Return what follows from the facts of these units, as far as a query asks for it.

    >>> units = {"a": Statement("Ada", "uses", "Loom"), "b": Statement("Loom", "provides", "patterns")}
    >>> found = closure(units, ["ada"])
    >>> [proof.fact.key for proof in found.derived], [hit.id for hit in found.candidates]
    (['Ada|has_capability|patterns'], ['a', 'b'])
    """
    options = options or Options()
    query = Query.of(terms, text, options.mode)
    stated = facts_of(units, options.mode)
    seeds = best_seeds(stated, query)[: options.max_seeds] if query.terms else []
    if not seeds:
        return Closure()
    local = neighbourhood(list(stated), seeds, options.max_depth)
    run = _Fixpoint({fact: _stated(fact, stated[fact][0]) for fact in local}, rules, options)
    run.saturate()
    known = list(run.known.values())
    derived = sorted((proof for proof in known if proof.derived), key=lambda proof: proof.fact.order)
    best = sorted(known, key=lambda proof: (options.derived_first and not proof.derived, -proof.raw))
    proofs = focused(best[: options.max_proofs], query, set(seeds), options)
    candidates = scored_units(proofs, stated, query, set(seeds), options)
    return Closure(tuple(seeds), tuple(derived), tuple(proofs), tuple(candidates), run.attempts, run.exhausted)


@dataclass(frozen=True)
class Query:
    """The terms, lower-cased, each once; and the text, as a symbol key."""

    terms: tuple[str, ...]
    text: str

    @staticmethod
    def of(terms: Sequence[str], text: str | None, mode: str) -> Query:
        """Return the query of these terms; without a text it is the terms, joined."""
        unique = tuple(dict.fromkeys(term.lower() for term in terms if term))
        return Query(unique, symbol_key(text or " ".join(unique), mode))


def facts_of(units: Mapping[str, Statement], mode: str = "unicode") -> dict[Fact, tuple[float, list[str]]]:
    """Return each fact that is stated: its greatest confidence, and who states it, by id."""
    stated: dict[Fact, tuple[float, list[str]]] = {}
    for id in sorted(units):
        unit = units[id]
        fact = Fact(canonical(unit.subject), unit.relation, canonical(unit.object), mode)
        confidence, ids = stated.get(fact, (unit.confidence, []))
        stated[fact] = (max(confidence, unit.confidence), [*ids, id])
    return stated


def _matches(fact: Fact, query: Query) -> tuple[int, int, bool, bool]:
    """Return how many tokens of subject and object are asked for, and whether either side stands in the text."""
    subject, object = (sum(token in query.terms for token in tokens) for tokens in fact.tokens)
    in_text = [bool(side) and side in query.text for side in fact.sides]
    return subject, object, in_text[0], in_text[1]


def seed_score(fact: Fact, query: Query) -> int:
    """Return how much of a query a fact touches by itself."""
    # docs/sources.md: B1.41.2.
    subject, object, exact_subject, exact_object = _matches(fact, query)
    score = 2 * subject + 2 * object + 4 * exact_subject + 4 * exact_object
    if fact.relation == "relevant_for" and object > 0:
        score += 2
    if (subject > 0 and object > 0) or (exact_subject and exact_object):
        score += 2
    return score


def best_seeds(facts: Mapping[Fact, object], query: Query) -> list[Fact]:
    """Return the facts that touch the query: score down, then key up."""
    scored = [(seed_score(fact, query), fact) for fact in facts]
    return [fact for score, fact in sorted(scored, key=lambda pair: (-pair[0], pair[1].order)) if score > 0]


def neighbourhood(facts: Sequence[Fact], seeds: Sequence[Fact], hops: int) -> list[Fact]:
    """Return the facts given, then hop by hop the facts that share a symbol with what was reached before."""
    # docs/sources.md: B1.41.3.
    local = dict.fromkeys(seeds)
    seen = {side for fact in seeds for side in fact.sides}
    frontier = set(seen)
    for _ in range(hops):
        near = [fact for fact in facts if fact not in local and not frontier.isdisjoint(fact.sides)]
        local |= dict.fromkeys(sorted(near, key=lambda fact: fact.order))
        frontier = {side for fact in near for side in fact.sides} - seen
        seen |= frontier
    return list(local)


def _stated(fact: Fact, confidence: float) -> Proof:
    return Proof(fact, confidence, (f"fact:{fact.key}",), (fact,))


def derived_raw(premises: Sequence[float], weight: float) -> float:
    """Return how sure a conclusion is: the premises multiplied in order from 1.0, times the rule's weight.

    >>> derived_raw([1.0, 0.95], 0.95)
    0.9025
    """
    raw = 1.0
    for premise in premises:
        raw *= premise
    return raw * weight


class _OutOfBudget(Exception):
    """The attempts are used up; what was found so far stands."""


class _Fixpoint:
    """Rounds of rules over all known facts, in the plain order of nested loops."""

    # docs/sources.md: B1.41.4.

    def __init__(self, known: dict[Fact, Proof], rules: Sequence[Rule], options: Options) -> None:
        self.known, self.rules, self.options = known, rules, options
        self.attempts, self.derived, self.exhausted = 0, 0, False

    def saturate(self) -> None:
        """Run round after round until nothing is new or better, or a bound is met."""
        try:
            for depth in range(1, self.options.max_depth + 1):
                if not self._round(depth) or self.derived >= self.options.max_derived:
                    return
        except _OutOfBudget:
            self.exhausted = True

    def _round(self, depth: int) -> bool:
        """Apply every rule to what is known as the round begins; say whether anything is new or better."""
        snapshot, changed = list(self.known.values()), False
        for rule in self.rules:
            if rule.max_depth is not None and depth > rule.max_depth:
                continue
            for binding, premises in self._matching(rule, snapshot, {}, []):
                changed |= self._conclude(rule, binding, premises)
                if self.derived >= self.options.max_derived:
                    return changed
        return changed

    def _matching(
        self, rule: Rule, facts: list[Proof], binding: dict[str, str], premises: list[Proof]
    ) -> Iterator[tuple[dict[str, str], list[Proof]]]:
        if len(premises) == len(rule.when):
            yield binding, premises
            return
        subject, relation, object = rule.when[len(premises)]
        for proof in facts:
            fact = proof.fact
            if fact.relation != relation or not (
                self._fits(subject, fact.sides[0], binding) and self._fits(object, fact.sides[1], binding)
            ):
                continue
            if self.attempts == self.options.max_attempts:
                raise _OutOfBudget
            self.attempts += 1
            same_variable = subject == object and subject.startswith("?")
            if (same_variable and fact.sides[0] != fact.sides[1]) or any(proof is used for used in premises):
                continue
            yield from self._matching(
                rule, facts, {**binding, subject: fact.subject, object: fact.object}, [*premises, proof]
            )

    def _fits(self, term: str, side: str, binding: Mapping[str, str]) -> bool:
        """Say whether a constant, or a variable bound by an earlier premise, is this symbol."""
        bound = binding.get(term) if term.startswith("?") else term
        return bound is None or symbol_key(bound, self.options.mode) == side

    def _conclude(self, rule: Rule, binding: Mapping[str, str], premises: Sequence[Proof]) -> bool:
        """Take in a conclusion if it is new or better; say whether it was."""
        subject, object = (canonical(binding[t] if t.startswith("?") else t) for t in (rule.then[0], rule.then[2]))
        fact = Fact(subject, rule.then[1], object, self.options.mode)
        raw = derived_raw([proof.raw for proof in premises], rule.weight)
        old = self.known.get(fact)
        if old is not None and (not old.derived or raw <= old.raw):
            return False
        self.derived += old is None
        self.known[fact] = Proof(
            fact,
            raw,
            (*_each_once(proof.steps for proof in premises), f"rule:{rule.id}"),
            _each_once(proof.base for proof in premises),
            (*_each_once(proof.rules for proof in premises), rule.id),
        )
        return True


def _each_once(lists: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))


def focus_score(proof: Proof, query: Query, seeds: set[Fact], preferred: Sequence[str]) -> int:
    """Return how much a proof has to do with the query."""
    # docs/sources.md: B1.41.6.
    subject, object, exact_subject, exact_object = _matches(proof.fact, query)
    score = 2 * subject + 2 * object + 4 * exact_subject + 4 * exact_object
    score += 3 * (subject > 0 and object > 0) + 2 * (proof.fact.relation in preferred)
    return score + 3 * proof.derived + any(fact in seeds for fact in proof.base)


def focused(proofs: Sequence[Proof], query: Query, seeds: set[Fact], options: Options) -> list[Proof]:
    """Return the proofs that matter: derived ones if there are any; focus down, raw down, key up."""
    scored = [(focus_score(proof, query, seeds, options.preferred), proof) for proof in proofs]
    scored = [pair for pair in scored if pair[0] > 0]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].raw, pair[1].fact.order))
    chosen = [pair for pair in scored if pair[1].derived] or scored
    return [proof for _, proof in chosen[: options.max_focused]] or list(proofs[: options.max_focused])


def path_score(raw: float, steps: int, touches_goal: bool, from_seed: bool, options: Options | None = None) -> float:
    """Return what a proof is worth: sure, short, on the subject, and resting on a seed.

    >>> path_score(0.9, 1, touches_goal=True, from_seed=True)
    0.9108
    """
    # docs/sources.md: B1.41.7.
    options = options or Options()
    score = raw / (1.0 + max(1, steps) * options.distance_penalty)
    score = score * options.goal_bonus if touches_goal else score
    return score * options.seed_bonus if from_seed else score


def scored_units(
    proofs: Sequence[Proof],
    stated: Mapping[Fact, tuple[float, list[str]]],
    query: Query,
    seeds: set[Fact],
    options: Options,
) -> list[Candidate]:
    """Return the units whose facts the proofs rest on, each with its best path score."""
    # docs/sources.md: B1.41.8.
    best: dict[str, tuple[float, Proof]] = {}
    for proof in proofs:
        tokens = [token for side in proof.fact.tokens for token in side]
        touches = any(term in tokens for term in query.terms)
        score = path_score(proof.raw, len(proof.steps), touches, any(f in seeds for f in proof.base), options)
        for id in (id for fact in proof.base for id in stated[fact][1] if score >= options.min_confidence):
            if id not in best or score > best[id][0]:
                best[id] = (score, proof)
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[: options.max_candidates]
    top = max([1.0, *(score for _, (score, _) in ranked)])
    return [Candidate(id, score, score / top, proof) for id, (score, proof) in ranked]
