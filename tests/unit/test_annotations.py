"""Annotations that can be read while a program runs, as frameworks do that make tools and forms of functions."""

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest

import byheart
from byheart.memory import kinds

CLASSES = [value for name in byheart.__all__ if inspect.isclass(value := getattr(byheart, name))]


def _functions(kind: type) -> Iterator[Any]:
    for name, value in vars(kind).items():
        bare = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if inspect.isfunction(bare) and not name.startswith("_"):
            yield bare


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_types_of_public_methods_are_found(kind: type) -> None:
    for method in _functions(kind):
        hints = get_type_hints(method)
        assert not any(isinstance(hint, str) for hint in hints.values())


def test_every_verb_was_looked_at() -> None:
    assert len(list(_functions(byheart.Memory))) >= 75
    assert get_type_hints(byheart.Memory.context)["return"] is byheart.Context


@pytest.mark.parametrize("options", [byheart.RecallOptions, byheart.RecordFields])
def test_types_of_keywords_are_found(options: type) -> None:
    hints = get_type_hints(options)
    assert len(hints) >= 15
    assert not any(isinstance(hint, str) for hint in hints.values())


def test_kinds_are_found_where_they_are_said_to_be() -> None:
    for home, names in kinds._HOMES.items():
        for name in names:
            found = getattr(kinds, name)
            assert getattr(found, "__module__", "byheart").startswith(("byheart", "typing", "types", "collections"))
            assert vars(kinds)[name] is found, home
    with pytest.raises(AttributeError, match="Nothing"):
        kinds.Nothing  # noqa: B018
