"""The rule language of invariants: true or false of named values, and nothing else.

    rule    = either ; either = both {"||" both} ; both = test {"&&" test}
    test    = value [("==" | "!=" | ">" | ">=" | "<" | "<=" | "in" | "notin") value]
    value   = "!" value | "(" rule {"," rule} ")" | "[" [rule {"," rule}] "]" | number | text | "true" | "false" | name

A name that has no value is false. Two values that are there are compared only if they are of one type, and `in` asks
whether one value, or each of a list, is in a list (`notin`: none of them). What cannot be read, compared, or is not
true or false in the end raises; who decides by it denies. There are no calls, no arithmetic and no loops: a rule
ends.
"""
# docs/sources.md: B1.15.5.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import InvalidArgument, InvalidPolicy
from ...light.classes import dataclass
from ...light.expressions import expression

MAX_RULE = 10_000
"""Characters of a rule."""
MAX_DEPTH = 32
"""Levels of brackets and of `!`."""

_TOKEN = expression(
    r"""\s*(?:(?P<number>-?[0-9]+(?:\.[0-9]+)?)|(?P<text>"[^"]*"|'[^']*')"""
    r"""|(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)|(?P<sign>==|!=|>=|<=|&&|\|\||[<>!()\[\],]))"""
)
_TESTS = ("==", "!=", ">=", "<=", ">", "<", "in", "notin")
_CLOSING = {"(": ")", "[": "]"}

Tree = tuple[Any, ...]
"""An operator and its operands: ("||", a, b), ("name", "x"), ("value", 3), ("list", a, b)..."""


class RuleError(InvalidArgument):
    """A rule met values that it cannot compare, or did not come out as true or false."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that was read; `holds` says whether it is true of values.

    >>> rule = Rule.read('api.breaking_change == false && "prod" notin(network.egress)')
    >>> rule.holds({"network.egress": ["dev"]}), rule.holds({"network.egress": ["prod"]})
    (True, False)
    """

    text: str
    tree: Tree

    @classmethod
    def read(cls, text: str) -> Rule:
        """Return the rule of a text.

        Raises:
            InvalidPolicy: the text is no rule; the message says where it ceases to be one.

        """
        if not isinstance(text, str) or len(text) > MAX_RULE:
            raise InvalidPolicy(f"rule: must be a text of at most {MAX_RULE} characters")
        return cls(text, _Reader(text).whole())

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Return whether the rule is true of these values, by dotted names or as nested mappings.

        Raises:
            RuleError: it compares what cannot be compared, or is neither true nor false.

        """
        found = _value(self.tree, values)
        if not isinstance(found, bool):
            raise RuleError(f"rule {self.text!r}: comes out as {type(found).__name__}, and not as true or false")
        return found


def decide(text: str, values: Mapping[str, Any]) -> str:
    """Return "allow" if a rule is true of values, and "deny" if it is false or fails in any way.

    >>> decide("count > 3", {"count": 5}), decide("count > ", {"count": 5}), decide("count", {"count": 5})
    ('allow', 'deny', 'deny')
    """
    try:
        return "allow" if Rule.read(text).holds(values) else "deny"
    except (InvalidArgument, RecursionError):  # values may be nested without end
        return "deny"


class _Reader:
    """The reader of one rule: descends through it, one method a level of precedence."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._cut())
        self._at = 0
        self._depth = 0

    def _cut(self) -> Iterator[tuple[str, str, int]]:
        at, end = 0, len(self._text.rstrip())
        while at < end:
            found = _TOKEN.match(self._text, at)
            if found is None:
                raise self._fault("holds what is no part of a rule", at)
            kind = found.lastgroup or ""
            yield kind, found[kind], found.start(kind)
            at = found.end()

    def _fault(self, what: str, at: int | None = None) -> InvalidPolicy:
        if at is None:
            at = self._tokens[self._at][2] if self._at < len(self._tokens) else len(self._text)
        return InvalidPolicy(f"rule {self._text[:200]!r}: {what} at character {at}")

    def _sees(self, *words: str) -> str | None:
        if self._at < len(self._tokens):
            kind, word, _ = self._tokens[self._at]
            if word in words and kind != "text":
                return word
        return None

    def _take(self, *words: str) -> str | None:
        found = self._sees(*words)
        self._at += found is not None
        return found

    def whole(self) -> Tree:
        tree = self._either()
        if self._at < len(self._tokens):
            raise self._fault("goes on after its end")
        return tree

    def _either(self) -> Tree:
        parts = [self._both()]
        while self._take("||"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else ("||", *parts)

    def _both(self) -> Tree:
        parts = [self._test()]
        while self._take("&&"):
            parts.append(self._test())
        return parts[0] if len(parts) == 1 else ("&&", *parts)

    def _test(self) -> Tree:
        tree = self._operand()
        sign = self._take(*_TESTS)
        return tree if sign is None else (sign, tree, self._operand())

    def _operand(self) -> Tree:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fault(f"is nested deeper than {MAX_DEPTH}")
        try:
            if self._take("!"):
                return "!", self._operand()
            if opening := self._take("(", "["):
                return self._bracket(opening)
            return self._single()
        finally:
            self._depth -= 1

    def _bracket(self, opening: str) -> Tree:
        items = []
        if not self._sees(_CLOSING[opening]):
            items.append(self._either())
            while self._take(","):
                items.append(self._either())
        if not self._take(_CLOSING[opening]):
            raise self._fault(f"lacks {_CLOSING[opening]!r}")
        if opening == "(" and len(items) == 1:
            return items[0]
        return "list", *items

    def _single(self) -> Tree:
        if self._at >= len(self._tokens):
            raise self._fault("ends where a value is missing")
        kind, word, _ = self._tokens[self._at]
        if kind == "sign" or (kind == "name" and word in ("in", "notin")):
            raise self._fault(f"has {word!r} where a value is missing")
        self._at += 1
        if kind == "number":
            return "value", float(word) if "." in word else int(word)
        if kind == "text":
            return "value", word[1:-1]
        return ("value", word == "true") if word in ("true", "false") else ("name", word)


_ABSENT = object()


def _looked_up(name: str, values: Mapping[str, Any]) -> Any:
    if name in values:
        return values[name]
    found: Any = values
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return _ABSENT
        found = found[part]
    return found


def _value(tree: Tree, values: Mapping[str, Any]) -> Any:
    """Return the value of a tree; `||` and `&&` ask no further operand once they are settled."""
    kind = tree[0]
    if kind == "value":
        return tree[1]
    if kind == "name":
        found = _looked_up(tree[1], values)
        return False if found is _ABSENT else found
    if kind == "list":
        return [_value(item, values) for item in tree[1:]]
    if kind == "!":
        return not _truth(_value(tree[1], values))
    if kind in ("||", "&&"):
        settles = kind == "||"
        return settles if any(_truth(_value(part, values)) == settles for part in tree[1:]) else not settles
    absent = any(part[0] == "name" and _looked_up(part[1], values) is _ABSENT for part in tree[1:])
    return _tested(kind, _value(tree[1], values), _value(tree[2], values), absent)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise RuleError(f"rule: {value!r} stands where true or false is needed")
    return value


def _type(value: Any) -> str:
    for name, kinds in (
        ("bool", bool),
        ("number", (int, float)),
        ("text", str),
        ("list", (list, tuple, set, frozenset)),
    ):
        if isinstance(value, kinds):
            return name
    raise RuleError(f"rule: a value is {type(value).__name__}; it can be true, false, a number, a text or a list")


def _tested(sign: str, left: Any, right: Any, absent: bool) -> bool:
    kinds = _type(left), _type(right)
    if sign in ("in", "notin"):
        if kinds[1] != "list":
            raise RuleError(f"rule: {sign} asks about a {kinds[1]}; it needs a list")
        asked = list(left) if kinds[0] == "list" else [left]
        inside = [any(_same(item, other) for other in right) for item in asked]
        return all(inside) if sign == "in" else not any(inside)
    if sign in ("==", "!="):
        if kinds[0] != kinds[1] and not absent:
            raise RuleError(f"rule: compares a {kinds[0]} with a {kinds[1]}")
        return _same(left, right) == (sign == "==")
    if kinds[0] != kinds[1] or kinds[0] not in ("number", "text"):
        raise RuleError(f"rule: {sign} orders a {kinds[0]} and a {kinds[1]}; it needs two numbers or two texts")
    return bool({">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[sign])


def _same(left: Any, right: Any) -> bool:
    if _type(left) != _type(right):
        return False
    if _type(left) == "list":
        left, right = list(left), list(right)
        return len(left) == len(right) and all(_same(*pair) for pair in zip(left, right, strict=True))
    return bool(left == right)
