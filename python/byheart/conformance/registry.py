"""The features that can be checked: a name, an adapter, and the input keys it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Adapter = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Feature:
    """One rule under test. An input must have the required keys, may have the optional ones, and no others."""

    name: str
    adapter: Adapter
    required: frozenset[str]
    optional: frozenset[str]

    def answer(self, given: Mapping[str, Any]) -> Any:
        """Return what the code under test says to an input.

        Raises:
            KeyError: a key is missing, or is not known.

        """
        if missing := self.required - given.keys():
            raise KeyError(f"the input lacks {', '.join(sorted(missing))}")
        if unknown := given.keys() - self.required - self.optional:
            raise KeyError(f"{self.name} knows no input {', '.join(sorted(unknown))}")
        return self.adapter(given)


FEATURES: dict[str, Feature] = {}
"""Every feature by name; filled by `@feature` when the adapter modules are imported."""


def feature(name: str, *required: str, optional: tuple[str, ...] = ()) -> Callable[[Adapter], Adapter]:
    """Register the decorated function as the adapter of a feature.

    Raises:
        ValueError: the feature has one already.

    """

    def register(adapter: Adapter) -> Adapter:
        if name in FEATURES:
            raise ValueError(f"{name} has two adapters")
        FEATURES[name] = Feature(name, adapter, frozenset(required), frozenset(optional))
        return adapter

    return register
