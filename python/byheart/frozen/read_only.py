"""Mappings and lists of plain JSON that cannot be changed: what a record holds besides its fields.

Records that were read are kept and handed out again. Who changed the metadata of a hit would change what the memory
says from then on, and the next write would put it on disk. These are a `dict` and a `list` for all who read, for
`json`, and for pickles; a copy (`dict(record.metadata)`, `copy.deepcopy`, `Record.to_dict`) may be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

_WHY = "what a record holds cannot be changed in place; change a copy, and keep it with Memory.update(id, metadata=...)"


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError(_WHY)


class ReadOnlyDict(dict[str, Any]):
    """A `dict` that cannot be changed.

    >>> held = ReadOnlyDict(room="kitchen")
    >>> held["room"], {**held, "floor": 2}, held == {"room": "kitchen"}
    ('kitchen', {'room': 'kitchen', 'floor': 2}, True)
    >>> held["room"] = "bath"
    Traceback (most recent call last):
        ...
    TypeError: what a record holds cannot be changed in place; change a copy, and keep it with Memory.update(...)
    """

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def copy(self) -> dict[str, Any]:
        """Return a `dict` that may be changed, as `dict(...)` does."""
        return dict(self)

    def __deepcopy__(self, memo: object) -> dict[str, Any]:
        """Return a copy of all of it that may be changed."""
        return {name: changeable(value) for name, value in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how a pickle makes it again, without changing it."""
        return ReadOnlyDict, (dict(self),)


class ReadOnlyList(list[Any]):
    """A `list` that cannot be changed.

    >>> ReadOnlyList([1, 2]) == [1, 2], [*ReadOnlyList([1]), 2]
    (True, [1, 2])
    """

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def copy(self) -> list[Any]:
        """Return a `list` that may be changed, as `list(...)` does."""
        return list(self)

    def __deepcopy__(self, memo: object) -> list[Any]:
        """Return a copy of all of it that may be changed."""
        return [changeable(value) for value in self]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how a pickle makes it again, without changing it."""
        return ReadOnlyList, (list(self),)


NOTHING = ReadOnlyDict()


def read_only(mapping: Mapping[str, Any]) -> ReadOnlyDict:
    """Return a mapping of plain JSON values as one that cannot be changed, nor can what is in it.

    >>> read_only({"a": [1, {"b": 2}]})["a"][1]["b"]
    2
    """
    if type(mapping) is ReadOnlyDict:
        return mapping
    if not mapping:
        return NOTHING
    for value in mapping.values():
        if type(value) is dict or type(value) is list:  # as few hold
            return ReadOnlyDict({name: _closed(value) for name, value in mapping.items()})
    return ReadOnlyDict(mapping)


def _closed(value: Any) -> Any:
    if type(value) is dict:
        return ReadOnlyDict({name: _closed(inner) for name, inner in value.items()})
    return ReadOnlyList(map(_closed, value)) if type(value) is list else value


def changeable(value: Any) -> Any:
    """Return a copy of what `read_only` made that may be changed."""
    if isinstance(value, dict):
        return {name: changeable(inner) for name, inner in value.items()}
    return [changeable(inner) for inner in value] if isinstance(value, list) else value
