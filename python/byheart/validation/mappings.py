"""Mappings from callers: of plain JSON, and of a configuration's names to values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields
from math import isfinite
from typing import Any

from ..errors import InvalidArgument, LimitExceeded, UnknownField
from .limits import MAX_METADATA_BYTES, MAX_METADATA_DEPTH
from .messages import nearest
from .texts import plain_text

_FEW, _SHORT = 64, 1_000  # names and characters: of so little nothing is too much


def json_mapping(what: str, value: Any) -> dict[str, Any]:
    """Return a copy of a mapping of plain JSON values, at most 1 MB and 32 levels, its keys in order.

    So a record is the same to the last byte whether it was just made or read from a file.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    if not value:
        return {}
    if len(value) <= _FEW and _is_plain(value):
        return dict(sorted(value.items()))  # what writing and reading it would give
    import json

    if _depth(value) > MAX_METADATA_DEPTH:
        raise LimitExceeded(f"{what} depth: is over the limit of {MAX_METADATA_DEPTH}")
    for key in _keys(value):
        if not isinstance(key, str):  # Python would write it as text, and of two that are then the same keep one
            raise InvalidArgument(f"{what}: is not plain JSON: key {key!r:.60} is no text; write it as one")
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False, default=_scalar).encode()
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{what}: is not plain JSON{_where_not_plain(value)} ({error})") from None
    if len(written) > MAX_METADATA_BYTES:
        raise LimitExceeded(f"{what} size in bytes: {len(written)} is over the limit of {MAX_METADATA_BYTES}")
    return dict(json.loads(written, object_pairs_hook=_in_order))


def _is_plain(value: Mapping[Any, Any]) -> bool:
    """Return whether all names and values are such that JSON surely has them, and short."""
    for name, each in value.items():
        if type(name) is not str or len(name) > _SHORT or not name.isascii():
            return False
        kind = type(each)
        if kind is str:
            if len(each) > _SHORT or not each.isascii():
                return False
        elif kind is float:
            if not isfinite(each):
                return False
        elif not (each is None or kind is bool or (kind is int and abs(each) < 1 << 63)):
            return False
    return True


def _scalar(value: Any) -> Any:
    """Return the number or flag that NumPy holds in a type of its own."""
    if getattr(value, "shape", None) == () and isinstance(plain := value.item(), (bool, int, float, str)):
        return plain
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _where_not_plain(value: Mapping[Any, Any]) -> str:
    """Return under which key of a mapping stands what JSON cannot hold; nothing if it is none of them alone."""
    import json

    for key, each in value.items():
        try:
            json.dumps({key: each}, allow_nan=False, default=_scalar)
        except (TypeError, ValueError):
            return f" at {key!r}"
    return ""


def _in_order(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(sorted(pairs, key=lambda pair: pair[0]))


def _keys(value: Any) -> Iterator[Any]:
    """Give the keys of nested mappings of plain JSON, whose depth was looked at."""
    if isinstance(value, Mapping):
        yield from value
        value = value.values()
    for each in value:
        if isinstance(each, (Mapping, list, tuple)):
            yield from _keys(each)


def _depth(value: Any) -> int:
    """Return how deep containers are nested, walking with a list of our own so that depth cannot exhaust the stack."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        deepest = max(deepest, depth)
        if deepest > MAX_METADATA_DEPTH:
            break
        children = item.values() if isinstance(item, Mapping) else item if isinstance(item, (list, tuple)) else ()
        waiting.extend((child, depth + 1) for child in children if isinstance(child, (Mapping, list, tuple)))
    return deepest


def plain_tree(value: Any, depth: int) -> Any:
    """Return mappings and lists in each other with all texts plain, down to so many levels.

    >>> plain_tree({"scopes": ["a", 1]}, 2)
    {'scopes': ['a', 1]}
    """
    if isinstance(value, Mapping) and depth:
        return {plain_text(name): plain_tree(each, depth - 1) for name, each in value.items()}
    if isinstance(value, (list, tuple)) and depth:
        return [plain_tree(each, depth - 1) for each in value]
    return plain_text(value)


def as_mapping(what: str, value: Any) -> dict[str, Any]:
    """Return a mapping as a dictionary of its own."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping of names to values, not {type(value).__name__}")
    return {plain_text(name): each for name, each in value.items()}


def check_names(
    what: str, given: Mapping[str, Any], kind: type, called: str = "name", *, besides: Collection[str] = ()
) -> None:
    """Refuse names that a dataclass does not have, and the lack of one that it needs; `besides` are given elsewhere."""
    known = {spec.name: spec for spec in fields(kind)}
    for name in given:
        if name not in known:
            raise UnknownField(f"{what}: unknown {called} {name!r}{nearest(str(name), known)}")
    for name, spec in known.items():
        needed = spec.init and spec.default is MISSING and spec.default_factory is MISSING
        if needed and name not in given and name not in besides:
            raise InvalidArgument(f"{what}: lacks {name!r}")
