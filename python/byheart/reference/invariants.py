"""The rule language of invariants, by its definition: cut at what binds least, outside brackets, and ask the parts."""
# docs/sources.md: B1.15.5.

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

NOT_THERE = object()
SIGNS = ("==", "!=", ">=", "<=", ">", "<", "notin", "in")


class Wrong(Exception):
    """The text is no rule, or its values do not go together."""


def cut(text: str, sign: str) -> list[str]:
    """Return the parts of a text between a sign, where it stands outside brackets and quotes.

    >>> cut("a && (b && c)", "&&")
    ['a ', ' (b && c)']
    """
    parts, depth, quote, at, start = [], 0, "", 0, 0
    while at < len(text):
        letter = text[at]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif depth == 0 and text.startswith(sign, at) and is_sign(text, at, sign):
            parts.append(text[start:at])
            at += len(sign)
            start = at
            continue
        at += 1
    return [*parts, text[start:]]


def is_sign(text: str, at: int, sign: str) -> bool:
    """Return whether a sign stands here by itself: `in` is no part of a word, and `>` none of `>=`."""
    before, after = text[at - 1 : at], text[at + len(sign) : at + len(sign) + 1]
    if sign in ("in", "notin"):
        return not re.match(r"[\w.-]", before, re.ASCII) and not re.match(r"[\w.-]", after, re.ASCII)
    return not (sign in "<>" and after == "=")


def check(text: str) -> None:
    """Refuse what is no rule in any part, also in one that nobody would ask about.

    >>> check("true || (a == b)")
    """
    text = text.strip()
    for sign in ("||", "&&"):
        parts = cut(text, sign)
        if len(parts) > 1:
            for part in parts:
                check(part)
            return
    for sign in SIGNS:
        parts = cut(text, sign)
        if len(parts) > 1:
            if len(parts) > 2 or any(len(cut(part, other)) > 1 for part in parts for other in SIGNS):
                raise Wrong(text)
            for part in parts:
                check(part)
            return
    if text.startswith("!"):
        check(text[1:])
    elif text[:1] in ("(", "[") and text[-1:] == {"(": ")", "[": "]"}[text[0]]:
        for part in cut(text[1:-1], ",") if text[1:-1].strip() else []:
            check(part)
    else:
        single(text, {})


def value(text: str, values: Mapping[str, Any]) -> Any:
    """Return what a text comes out as.

    Raises:
        Wrong: it is no rule, or its values do not go together.

    """
    text = text.strip()
    for sign, settles in (("||", True), ("&&", False)):
        parts = cut(text, sign)
        if len(parts) > 1:
            for part in parts:
                if truth(value(part, values)) == settles:
                    return settles
            return not settles
    for sign in SIGNS:
        parts = cut(text, sign)
        if len(parts) == 2:
            left, right = value(parts[0], values), value(parts[1], values)
            absent = any(looked_up(part.strip(" ()"), values) is NOT_THERE for part in parts)
            return compared(sign, left, right, absent)
    return single(text, values)


def single(text: str, values: Mapping[str, Any]) -> Any:
    """Return the value of a text without signs outside brackets."""
    if text.startswith("!"):
        return not truth(value(text[1:], values))
    if text[:1] in ("(", "[") and text[-1:] == {"(": ")", "[": "]"}[text[0]]:
        items = [value(part, values) for part in cut(text[1:-1], ",")] if text[1:-1].strip() else []
        return items[0] if text[0] == "(" and len(items) == 1 else items
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return float(text)
    if re.fullmatch(r"'[^']*'|\"[^\"]*\"", text):
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    found = looked_up(text, values)
    if found is None:
        raise Wrong(text)
    return False if found is NOT_THERE else found


def looked_up(text: str, values: Mapping[str, Any]) -> Any:
    """Return the value of a name, `NOT_THERE` for a name without one, and None for what is no name."""
    if not re.fullmatch(r"[A-Za-z_][\w.-]*", text, re.ASCII) or text in ("true", "false", "in", "notin"):
        return None
    return values.get(text, NOT_THERE)


def truth(found: Any) -> bool:
    """Return a value that is true or false."""
    if found is True or found is False:
        return bool(found)
    raise Wrong(found)


def kind(found: Any) -> str:
    """Return what a value is."""
    if isinstance(found, bool):
        return "bool"
    return "number" if isinstance(found, (int, float)) else "text" if isinstance(found, str) else "list"


def compared(sign: str, left: Any, right: Any, absent: bool) -> bool:
    """Return whether two values stand to each other as a sign says."""
    if sign in ("in", "notin"):
        if kind(right) != "list":
            raise Wrong(right)
        asked = left if kind(left) == "list" else [left]
        inside = [any(kind(one) == kind(other) and one == other for other in right) for one in asked]
        return all(inside) if sign == "in" else not any(inside)
    if kind(left) != kind(right):
        if absent and sign in ("==", "!="):
            return sign == "!="
        raise Wrong(sign)
    if sign in ("==", "!="):
        return bool(left == right) == (sign == "==")
    if kind(left) not in ("number", "text"):
        raise Wrong(sign)
    return bool({">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[sign])


def decide(text: str, values: Mapping[str, Any]) -> str:
    """Return "allow" where a rule is true of values, else "deny".

    >>> decide("a == false && 'x' notin(b)", {"b": ["y"]}), decide("a >", {})
    ('allow', 'deny')
    """
    try:
        check(text)
        return "allow" if truth(value(text, values)) else "deny"
    except Wrong:
        return "deny"
