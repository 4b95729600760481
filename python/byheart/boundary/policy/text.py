"""The text of a policy: JSON, or the part of YAML that says the same.

YAML is read without what a policy has no use for: no anchors and aliases, no tags, no second document, no key twice.
What is not quoted is a number, true, false or null only where JSON would have it so; a version such as 0.1, `no` and
a date stay the text that was written. YAML needs the extra "policy"; JSON needs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...errors import InvalidPolicy, LimitExceeded
from ...light.expressions import expression

MAX_BYTES = 128_000
"""Of a policy's text."""
MAX_LEVELS = 32

_NUMBER = expression(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_TEXT_KEYS = frozenset({"version", "model_version", "policy_version"})
"""Keys whose value is a text, even if it looks like a number."""


def read_text(text: str) -> dict[str, Any]:
    """Return the mapping that a text writes.

    Raises:
        InvalidPolicy: it is neither JSON nor YAML, or is no mapping; the message names the line.
        LimitExceeded: it is too long.
        MissingExtra: it is no JSON, and the package that reads YAML is not installed.

    >>> read_text('{"version": "0.1.0"}')
    {'version': '0.1.0'}

    """
    if not isinstance(text, str):
        raise TypeError(f"policy must be a text, not {type(text).__name__}")
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise LimitExceeded(f"policy length in bytes: is over the limit of {MAX_BYTES}")
    found = _of_json(text) if text.lstrip().startswith("{") else None
    found = _of_yaml(text) if found is None else found
    if not isinstance(found, dict):
        raise InvalidPolicy("policy: is no mapping; it starts with version, boundary_classes and so on")
    return found


def _of_json(text: str) -> Any:
    """Return what a JSON text writes; None if it is none, which YAML in braces may be."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidPolicy(f"policy: is nested deeper than {MAX_LEVELS} levels") from None
    except json.JSONDecodeError:
        return None


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InvalidPolicy(f"policy: the key {key!r} stands twice in one mapping")
        found[key] = value
    return found


def _no_constant(name: str) -> Any:
    raise InvalidPolicy(f"policy: {name} is no number")


def _of_yaml(text: str) -> Any:
    from ...embedding.extras import import_extra  # on use: JSON needs no package

    yaml = import_extra("yaml", "policy")
    try:
        return _built(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise InvalidPolicy(f"policy: is no YAML ({str(error)[:300]})") from None


def _built(events: Iterable[Any]) -> Any:
    """Return the value of a stream of YAML's events, with a stack of our own: depth is counted, not suffered."""
    root: list[Any] = []
    stack: list[tuple[Any, list[Any]]] = [(root, [])]  # what is being filled; of a mapping, the key that waits
    for event in events:
        kind = type(event).__name__.removesuffix("Event")
        where = f"policy, line {event.start_mark.line + 1}"
        if kind == "Alias" or getattr(event, "anchor", None):
            raise InvalidPolicy(f"{where}: has an anchor or an alias; write the value where it is meant")
        if getattr(event, "tag", None) not in (None, "!"):
            raise InvalidPolicy(f"{where}: has the tag {event.tag!r}; values have no tags here")
        if kind in ("MappingEnd", "SequenceEnd"):
            stack.pop()
        elif kind in ("MappingStart", "SequenceStart", "Scalar"):
            _put(stack, event, kind, where)
    if len(root) != 1:
        raise InvalidPolicy(f"policy: has {len(root)} documents; it is one")
    return root[0]


def _put(stack: list[tuple[Any, list[Any]]], event: Any, kind: str, where: str) -> None:
    holder, waiting = stack[-1]
    if isinstance(holder, dict) and not waiting:  # a key comes first
        if kind != "Scalar" or event.value in holder:
            raise InvalidPolicy(f"{where}: the key {getattr(event, 'value', kind)!r} is no text, or stands twice")
        waiting.append(event.value)
        return
    key = waiting.pop() if isinstance(holder, dict) else None
    value: Any = {} if kind == "MappingStart" else [] if kind == "SequenceStart" else _scalar(event, key)
    if isinstance(holder, dict):
        holder[key] = value
    else:
        holder.append(value)
    if kind != "Scalar":
        if len(stack) > MAX_LEVELS:
            raise InvalidPolicy(f"{where}: is nested deeper than {MAX_LEVELS} levels")
        stack.append((value, []))


def _scalar(event: Any, key: str | None) -> Any:
    text: str = event.value
    if event.style is not None or key in _TEXT_KEYS:  # quoted, or a text by its key
        return text
    if text in _WORDS:
        return _WORDS[text]
    number = _NUMBER.fullmatch(text)
    if number is None or len(text) > 40:
        return text
    found = float(text) if any(sign in text for sign in ".eE") else int(text)
    return found if abs(found) < float("inf") else text
