"""Dataclasses of which the class is made in a third of the time: `import byheart` makes more than a hundred.

The one of the standard library writes the text of six methods of each class and compiles each by itself. Here the
constructor alone is compiled; the others follow a list of the fields. What a class and its objects do is the same: the
standard library finds the fields, and `fields`, `replace`, `asdict` and pickles know no difference. A type checker sees
the standard library's decorator. Not here: `InitVar`, `order` and `unsafe_hash`, which no class has.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final

_Kind = type[Any]


class _Default:
    """What stands for an argument that was not given, where its value is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"  # in signatures, as the standard library has it


_DEFAULT: Final = _Default()

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind=None, /, *, frozen=False, slots=False, kw_only=False, eq=True, repr=True):
        """Return a class with the methods of a dataclass; the arguments are those of the standard library.

        >>> @dataclass(frozen=True, slots=True)
        ... class Pair:
        ...     one: int
        ...     other: int = 2
        >>> Pair(1), Pair(1) == Pair(1, 2), hash(Pair(1)) == hash(Pair(1, 2))
        (Pair(one=1, other=2), True, True)
        """

        def made(given: _Kind) -> _Kind:
            return _made(given, frozen=frozen, slots=slots, kw_only=kw_only, eq=eq, repr=repr)

        return made if kind is None else made(kind)


def _made(given: _Kind, *, frozen: bool, slots: bool, kw_only: bool, eq: bool, repr: bool) -> _Kind:
    own = set(vars(given))
    has_hash = "__hash__" in own and not (vars(given)["__hash__"] is None and "__eq__" in own)
    if not given.__doc__:
        given.__doc__ = given.__name__  # where there is none the standard library reads a signature, at some cost
    below = any(each.__dataclass_params__.frozen for each in given.__mro__[1:] if hasattr(each, "__dataclass_params__"))
    if below and not frozen:
        raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
    kind = dataclasses.dataclass(init=False, repr=False, eq=False, frozen=below, slots=slots, kw_only=kw_only)(given)
    params: Any = kind.__dataclass_params__
    params.init, params.repr, params.eq, params.frozen = True, repr, eq, frozen
    specs = fields(kind)

    def add(method: Callable[..., Any], *, always: bool = False) -> None:
        if always or method.__name__ not in own:
            method.__qualname__ = f"{kind.__qualname__}.{method.__name__}"
            setattr(kind, method.__name__, method)

    add(_init(kind, specs, frozen=frozen, slots=slots))
    if repr:
        add(_repr([spec.name for spec in specs if spec.repr]))
    if eq:
        add(_eq([spec.name for spec in specs if spec.compare]))
    if eq and not has_hash:
        if frozen:
            hashed = [spec.name for spec in specs if (spec.compare if spec.hash is None else spec.hash)]
            add(_hash(hashed), always=True)
        else:
            kind.__hash__ = None  # type: ignore[assignment]  # of what can change
    if frozen:
        for method in _guards(kind, frozenset(spec.name for spec in specs)):
            add(method, always=True)
        pickling: tuple[Callable[..., Any], ...] = (__getstate__, __setstate__) if slots else ()
        for method in pickling:
            if method.__name__ not in own:
                setattr(kind, method.__name__, method)
    return kind


def _init(kind: _Kind, specs: Sequence[Field[Any]], *, frozen: bool, slots: bool) -> Callable[..., None]:
    """Return the constructor, compiled of a text as the standard library has it."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_default": _DEFAULT}
    does = []
    for spec in specs:
        value = spec.name
        if spec.default_factory is not MISSING:
            known[f"_new_{spec.name}"] = spec.default_factory
            anew = f"_new_{spec.name}()"
            value = f"{anew} if {spec.name} is _default else {spec.name}" if spec.init else anew
        elif spec.default is not MISSING:
            known[f"_default_{spec.name}"] = spec.default
            value = spec.name if spec.init else f"_default_{spec.name}"
        if spec.init or spec.default_factory is not MISSING or (slots and spec.default is not MISSING):
            does.append(f"  _set(self, {spec.name!r}, {value})" if frozen else f"  self.{spec.name} = {value}")
    if hasattr(kind, "__post_init__"):
        does.append("  self.__post_init__()")
    placed, named = ([spec for spec in specs if spec.init and spec.kw_only == by_name] for by_name in (False, True))
    takes = ", ".join(["self", *map(_taken, placed), *(["*", *map(_taken, named)] if named else [])])
    head = f"def __make__({', '.join(known)}):\n def __init__({takes}):\n"
    text = head + "\n".join(does or ["  pass"]) + "\n return __init__"
    found: dict[str, Any] = {}
    exec(text, vars(sys.modules[kind.__module__]), found)  # the names are those of fields
    init: Callable[..., None] = found["__make__"](**known)
    init.__annotations__ = {spec.name: spec.type for spec in (*placed, *named)} | {"return": None}
    return init


def _taken(spec: Field[Any]) -> str:
    """Return an argument as the text of a constructor has it."""
    if spec.default_factory is not MISSING:
        return f"{spec.name}=_default"
    return spec.name if spec.default is MISSING else f"{spec.name}=_default_{spec.name}"


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads attributes of an object as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda given: tuple(getattr(given, name) for name in names)


def _repr(names: Sequence[str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return recursive_repr()(__repr__)


def _eq(names: Sequence[str]) -> Callable[[Any, object], bool]:
    values = _values(names)

    def __eq__(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(names: Sequence[str]) -> Callable[[Any], int]:
    values = _values(names)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _guards(kind: _Kind, names: frozenset[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return what refuses that an object is changed."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return __setattr__, __delattr__


def __getstate__(self: Any) -> list[Any]:
    return [getattr(self, spec.name) for spec in fields(self)]


def __setstate__(self: Any, state: Sequence[Any]) -> None:
    for spec, value in zip(fields(self), state, strict=False):  # a pickle of an older version may have fewer
        object.__setattr__(self, spec.name, value)
