"""Configurations from mappings: names in camelCase, as the sources write them, and in snake_case are both read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidArgument, UnknownField
from ..validation import as_mapping, nearest


def settings(
    what: str, given: Mapping[str, Any], known: Mapping[str, Any], aliases: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what a mapping says, by our names.

    Args:
        what: how errors call the configuration.
        given: by name, in either spelling.
        known: names that exist; what they stand for is not looked at.
        aliases: further names, in snake_case, and what they mean.

    Raises:
        UnknownField: a name that does not exist; the message gives the nearest one that does.
        InvalidArgument: one setting under two names.

    >>> settings("config", {"topK": 8, "delta": 0.5}, {"top_k": 1, "delta": 1})
    {'top_k': 8, 'delta': 0.5}

    """
    found: dict[str, Any] = {}
    for key, value in as_mapping(what, given).items():
        if not isinstance(key, str):
            raise TypeError(f"{what}: names are str, not {type(key).__name__}")
        name = "".join("_" + letter.lower() if letter.isupper() else letter for letter in key)
        name = (aliases or {}).get(name, name)
        if name not in known:
            raise UnknownField(f"{what}: unknown name {key!r}{nearest(name, known)}")
        if name in found:
            raise InvalidArgument(f"{what}: {name} is given twice, the second time as {key!r}")
        found[name] = value
    return found
