"""Allow tags: what a class is open for, and which classes a call's tags open.

A tag of a call is taken as it is written: a wildcard counts in a policy only, so that no call opens more than its tags
name. A policy's pattern is a tag, `*` for every tag, or a beginning with `*` behind it.
"""
# docs/sources.md: B1.15.3, B2.1.10.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...errors import InvalidPolicy
from ...validation import CLASSES, check_class, strings

DECISIONS: tuple[str, ...] = ("allow", "redact", "deny")
"""From the weakest to the strongest."""
MAX_TAG = 256


def check_pattern(pattern: str) -> None:
    """Refuse a pattern with a wildcard anywhere but at its end."""
    if not isinstance(pattern, str) or not 0 < len(pattern) <= MAX_TAG:
        raise InvalidPolicy(f"allow: {str(pattern)[:60]!r} is no tag of 1 to {MAX_TAG} characters")
    if "*" in pattern[:-1]:
        raise InvalidPolicy(f"allow: {pattern!r} has a '*' before its end; write '*' or a beginning such as 'tool:*'")


def matches(pattern: str, tag: str) -> bool:
    """Return whether a policy's pattern covers a tag of a call.

    >>> matches("tool:*", "tool:search"), matches("tool:*", "answer:task"), matches("answer:task", "answer:tasks")
    (True, False, False)
    """
    return tag.startswith(pattern[:-1]) if pattern.endswith("*") else tag == pattern


def allowed_classes(rules: Mapping[str, Sequence[str]], tags: Iterable[str]) -> tuple[str, ...]:
    """Return the classes that a call's tags open, from the mildest: those of which a pattern covers a tag.

    Args:
        rules: the patterns of each class.
        tags: those of the call; none opens nothing.

    >>> rules = {"public": ["*"], "internal": ["answer:task", "tool:*"], "pii": ["tool:contact-lookup"], "secret": []}
    >>> allowed_classes(rules, ["tool:search"]), allowed_classes(rules, ["*"]), allowed_classes(rules, [])
    (('public', 'internal'), ('public',), ())

    """
    asked = strings("allow", tags)
    return tuple(
        name for name in CLASSES if any(matches(pattern, tag) for pattern in rules.get(name, ()) for tag in asked)
    )


def common(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return the patterns that cover what both cover.

    >>> common(["tool:*", "answer:task"], ["tool:search", "answer:*"])
    ('tool:search', 'answer:task')
    """
    both = (_narrower(a, b) for a in one for b in other)
    return tuple(dict.fromkeys(pattern for pattern in both if pattern is not None))


def _narrower(one: str, other: str) -> str | None:
    for narrow, wide in ((one, other), (other, one)):
        if not narrow.endswith("*") and matches(wide, narrow):
            return narrow
        if narrow.endswith("*") and wide.endswith("*") and narrow.startswith(wide[:-1]):
            return narrow
    return None


def strongest(decisions: Iterable[str]) -> str:
    """Return the decision that wins: deny before redact before allow; where nobody decided, deny.

    Raises:
        InvalidPolicy: there is no such decision.

    >>> strongest(["redact", "allow"]), strongest([])
    ('redact', 'deny')

    """
    taken = list(decisions)
    for decision in taken:
        if decision not in DECISIONS:
            raise InvalidPolicy(f"decision: {decision!r} does not exist; there are {', '.join(DECISIONS)}")
    return max(taken, key=DECISIONS.index) if taken else "deny"


def strictest(classes: Iterable[str]) -> str:
    """Return the class that wins: secret before pii before internal before public; of none, secret.

    >>> strictest(["internal", "pii"]), strictest([])
    ('pii', 'secret')
    """
    taken = list(map(check_class, classes))
    return max(taken, key=CLASSES.index) if taken else CLASSES[-1]
