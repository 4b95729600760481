"""Rules: what follows from what. Positive Horn clauses of one to three premises, with a weight."""
# docs/sources.md: B1.40.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Atom = tuple[str, str, str]
"""Subject, relation, object; a subject or object that starts with `?` is a variable."""


@dataclass(frozen=True)
class Rule:
    """If all of `when` holds, `then` holds, as surely as the premises together times `weight`.

    `max_depth` is the last round of a closure in which the rule is used; None means every round.
    """

    id: str
    when: tuple[Atom, ...]
    then: Atom
    weight: float = 0.9
    max_depth: int | None = None


def _chain(id: str, first: str, second: str, then: str, weight: float) -> Rule:
    """Return the rule: x `first` y and y `second` z give x `then` z."""
    return Rule(id, (("?x", first, "?y"), ("?y", second, "?z")), ("?x", then, "?z"), weight)


SHIPPED = (
    _chain("tool_to_capability", "uses", "provides", "has_capability", 0.95),
    _chain("capability_to_relevance", "has_capability", "relevant_for", "relevant_for", 0.9),
    _chain("provider_to_relevance", "provides", "relevant_for", "relevant_for", 0.88),
    _chain("dependency_transitive", "depends_on", "depends_on", "depends_on", 0.92),
    _chain("dependency_capability", "depends_on", "has_capability", "has_capability", 0.9),
    _chain("dependency_relevance", "depends_on", "relevant_for", "relevant_for", 0.85),
    _chain("support_to_relevance", "supports", "relevant_for", "relevant_for", 0.88),
    _chain("causal_chain", "causes", "causes", "causes", 0.9),
)
"""The rules that every memory starts with."""
# docs/sources.md: B1.40.3.


def fault_of(rule: Rule, relations: Mapping[str, object] | tuple[str, ...]) -> str | None:
    """Return what is wrong with a rule, or None.

    >>> fault_of(Rule("r", (("?x", "uses", "?y"),), ("?x", "uses", "?z")), ("uses",))
    'the variable ?z of the conclusion occurs in no premise'
    """
    if not rule.id:
        return "the id is empty"
    if not 1 <= len(rule.when) <= 3:
        return f"{len(rule.when)} premises; one to three are allowed"
    if not 0.0 < rule.weight <= 1.0:
        return f"the weight {rule.weight} does not lie in (0, 1]"
    if rule.max_depth is not None and rule.max_depth < 1:
        return "max_depth is below 1"
    for atom in (*rule.when, rule.then):
        if atom[1] not in relations:
            return f"the relation {atom[1]} is unknown"
    bound = {term for atom in rule.when for term in (atom[0], atom[2]) if term.startswith("?")}
    for term in (rule.then[0], rule.then[2]):
        if term.startswith("?") and term not in bound:
            return f"the variable {term} of the conclusion occurs in no premise"
    return None
