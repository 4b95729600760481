"""Rules: what follows from facts. The shipped ones, rules of your own, and how to read them.

A rule is a positive Horn clause: if all of one to three premises hold, its conclusion holds, as surely as the
premises do together times the rule's weight. Anything else is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

from ._core import check_rule
from .errors import InvalidArgument
from .light.classes import dataclass
from .validation import MAX_PREMISES, bytes_of, check_finite, counted, keep_plain, shortly

Atom = tuple[str, str, str]
"""Subject, relation, object. A subject or object that starts with "?" is a variable."""

Row = tuple[str, tuple[Atom, ...], Atom, float, int | None]
DEFAULT_WEIGHT = 0.9
_MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows (`then`) from what (`when`). Checked when made.

    Attributes:
        id: what explanations call it.
        when: one to three premises.
        then: the conclusion; its variables occur in the premises.
        weight: above 0, at most 1.
        max_depth: the last round of a closure in which the rule is used; None: every round.

    >>> Rule("sibling", (("?x", "part_of", "?z"), ("?y", "part_of", "?z")), ("?x", "about", "?y"), weight=0.5).id
    'sibling'

    """

    id: str
    when: tuple[Atom, ...]
    then: Atom
    weight: float = DEFAULT_WEIGHT
    max_depth: int | None = None

    def __post_init__(self) -> None:
        """Check the rule; lists become tuples."""
        keep_plain(self)
        object.__setattr__(
            self, "when", tuple(_atom(self.id, atom) for atom in counted("premises", self.when, MAX_PREMISES))
        )
        object.__setattr__(self, "then", _atom(self.id, self.then))
        if isinstance(self.max_depth, int) and not 0 <= self.max_depth < 2**32:
            raise InvalidArgument(
                f"rule {self.id!r}: max_depth is {shortly(self.max_depth)}; give at least 1, or leave it out"
            )
        check_finite(f"rule {self.id!r}: weight", self.weight)
        check_rule(self.row())

    def row(self) -> Row:
        """Return the rule as the core takes it."""
        return self.id, self.when, self.then, self.weight, self.max_depth


def load_toml(path: str | PathLike[str]) -> tuple[Rule, ...]:
    """Return the rules of a TOML file.

    Each rule is a table `[[rules]]` with `id`, `when` (a list of [subject, relation, object]), `then` and, if wanted,
    `weight` and `max_depth`:

        [[rules]]
        id = "supplier"
        when = [["?x", "uses", "?y"], ["?y", "part_of", "?z"]]
        then = ["?x", "depends_on", "?z"]
        weight = 0.8

    Raises:
        InvalidArgument: the file is no TOML, or a rule is none; the message says which and why.
        OSError: the file cannot be read.

    """
    from pathlib import Path

    file = Path(path)
    given = bytes_of(file, _MAX_FILE_BYTES)
    try:
        return parse_toml(given.decode())
    except (InvalidArgument, UnicodeDecodeError) as error:
        raise InvalidArgument(f"{file}: {error}") from None


def parse_toml(text: str) -> tuple[Rule, ...]:
    """Return the rules of a TOML text; see `load_toml`.

    >>> parse_toml('rules = [{id = "turn", when = [["?x", "about", "?y"]], then = ["?y", "mentions", "?x"]}]')[0].weight
    0.9
    """
    import tomllib  # only for those who have rules of their own

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(f"rules: this is no TOML ({error})") from None
    rules = tables.pop("rules", None)
    if tables or not isinstance(rules, list):
        raise InvalidArgument("rules: give a list of tables [[rules]] and nothing else")
    return tuple(_from_table(number, table) for number, table in enumerate(rules, 1))


def _from_table(number: int, table: Mapping[str, Any]) -> Rule:
    if not isinstance(table, Mapping):
        raise InvalidArgument(f"rule {number}: is no table")
    known = {"id", "when", "then", "weight", "max_depth"}
    if unknown := sorted(set(table) - known):
        raise InvalidArgument(f"rule {number}: unknown key {unknown[0]!r}; it has {', '.join(sorted(known))}")
    if lacking := sorted({"id", "when", "then"} - set(table)):
        raise InvalidArgument(f"rule {number}: lacks {', '.join(lacking)}")
    if not isinstance(table["when"], list):
        raise InvalidArgument(f"rule {number}: when is no list of premises")
    try:
        return Rule(**{**table, "when": tuple(table["when"])})
    except TypeError as error:
        raise InvalidArgument(f"rule {number}: {error}") from None


def _atom(id: str, value: Any) -> Atom:
    if isinstance(value, str) or len(value) != 3 or not all(isinstance(part, str) for part in value):
        raise InvalidArgument(f"rule {id!r}: {shortly(value)} is not (subject, relation, object)")
    subject, relation, object = value
    return subject, relation, object


def _chain(id: str, first: str, second: str, then: str, weight: float) -> Rule:
    """Return the rule: x `first` y and y `second` z give x `then` z."""
    return Rule(id, (("?x", first, "?y"), ("?y", second, "?z")), ("?x", then, "?z"), weight)


# In the order in which they are tried (B1.40.3).
SHIPPED: tuple[Rule, ...] = (
    _chain("tool_to_capability", "uses", "provides", "has_capability", 0.95),
    _chain("capability_to_relevance", "has_capability", "relevant_for", "relevant_for", 0.9),
    _chain("provider_to_relevance", "provides", "relevant_for", "relevant_for", 0.88),
    _chain("dependency_transitive", "depends_on", "depends_on", "depends_on", 0.92),
    _chain("dependency_capability", "depends_on", "has_capability", "has_capability", 0.9),
    _chain("dependency_relevance", "depends_on", "relevant_for", "relevant_for", 0.85),
    _chain("support_to_relevance", "supports", "relevant_for", "relevant_for", 0.88),
    _chain("causal_chain", "causes", "causes", "causes", 0.9),
)
