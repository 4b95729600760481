"""Frozen dataclasses: a maker of their objects that takes a third of the time, and their form as plain JSON.

The constructor of a frozen dataclass with slots sets each field by a call of `object.__setattr__`. A recall makes an
object for each hit, so that this is most of what it does beside the search. A maker fills an open object of the same
slots, and closes it.

What a public verb gives back is a `Document`: `to_dict` writes it as plain JSON, `from_dict` makes an equal object of
that. Both follow the annotations of the class, so that no class writes them by hand. A field that does not count where
objects are compared (`compare=False`), such as timings, is no part of the form.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Final, Literal, Self, TypeVar, Union, get_args, get_origin

from ..errors import InvalidArgument, LimitExceeded, UnknownField, UnsupportedFormat
from ..validation import nearest, shortly

T = TypeVar("T")

SCHEMA_VERSION: Final = 1
"""Of the forms that `to_dict` gives; raised where one of them changes so that a reader has to know."""

_VERSION: Final = "schema_version"
_LARGEST: Final = sys.float_info.max


def maker(kind: type[T]) -> type[T]:
    """Return what is called as a frozen dataclass with slots is, and gives the same objects.

    A class that checks or changes its fields when an object is made (`__post_init__`) has no maker, nor has one with
    fields of its own beside inherited slots.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Pair:
    ...     one: int
    ...     other: int = 2
    >>> make = maker(Pair)
    >>> make(1), make(1) == Pair(1), type(make(1)) is Pair
    (Pair(one=1, other=2), True, True)
    """
    if hasattr(kind, "__post_init__") or set(kind.__slots__) != {spec.name for spec in fields(kind)}:  # type: ignore[attr-defined, arg-type]
        raise TypeError(f"{kind.__name__} cannot be made by filling its slots")
    known: dict[str, Any] = {"_kind": kind}
    takes, does = [], []
    for spec in fields(kind):  # type: ignore[arg-type]
        known[f"_default_{spec.name}"] = spec.default
        if spec.default_factory is not MISSING:
            known[f"_new_{spec.name}"] = spec.default_factory
            value = f"_new_{spec.name}() if {spec.name} is _default_{spec.name} else {spec.name}"
        else:
            value = spec.name
        optional = spec.default is not MISSING or spec.default_factory is not MISSING
        takes.append(f"{spec.name}=_default_{spec.name}" if optional else spec.name)
        does.append(f"    self.{spec.name} = {value}")
    text = f"def __init__(self, {', '.join(takes)}):\n" + "\n".join(does) + "\n    self.__class__ = _kind"
    exec(compile(text, f"<maker of {kind.__name__}>", "exec"), known)  # the names are those of fields
    init: Callable[..., None] = known["__init__"]
    own = {"__slots__": kind.__slots__, "__init__": init, "__module__": kind.__module__}  # type: ignore[attr-defined]
    opened = type(kind.__name__, kind.__bases__, own)
    return opened


class Document:
    """What can be written as plain JSON and read again: the result of a public verb, or a part of one.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Pair(Document):
    ...     one: int
    ...     others: tuple[str, ...] = ()
    >>> Pair(1, ("a",)).to_dict()
    {'schema_version': 1, 'one': 1, 'others': ['a']}
    >>> Pair.from_dict({"one": 1, "others": ["a"]}) == Pair(1, ("a",))
    True
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the whole as a mapping of plain JSON values, with the version of its form.

        Floats keep every bit in JSON as Python writes it, and equal objects give equal mappings.
        """
        return {_VERSION: SCHEMA_VERSION, **self._form()}

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Self:
        """Return the object that `to_dict` described; without a version, the mapping is taken to be of this one.

        Raises:
            UnsupportedFormat: another version of byheart wrote it.
            UnknownField: a key that there is not; the message gives the nearest one.
            InvalidArgument: a key is missing, or a value is none of its field; the message says where.
            LimitExceeded: it is nested deeper than Python can follow.
            TypeError: it is no mapping.

        """
        try:
            return cls._read(without_version(cls.__name__, mapping), cls.__name__)
        except RecursionError:
            raise LimitExceeded(f"{cls.__name__}: is nested too deep to be read") from None

    def _form(self) -> dict[str, Any]:
        """Return the form without a version: what stands in a larger one."""
        return {name: plain(getattr(self, name)) for name in _parts_of(type(self))}

    @classmethod
    def _read(cls, given: Mapping[str, Any], where: str) -> Self:
        """Return the object of a form without a version."""
        parts = _parts_of(cls)
        check_keys(where, given, parts)
        values = {}
        for name, (hint, default) in parts.items():
            if name in given:
                values[name] = of_plain(hint, given[name], f"{where}.{name}")
            elif default is MISSING:
                raise InvalidArgument(f"{where}: lacks {name!r}; give what `to_dict` returned")
        return cls(**values)

    @classmethod
    def _hints(cls) -> Mapping[str, tuple[str, Any]]:
        """Return the annotation and the default of each part, by name; those of a dataclass are its fields'."""
        specs = (spec for spec in fields(cls) if spec.compare)  # type: ignore[arg-type]
        return {
            spec.name: (spec.type, spec.default if spec.default_factory is MISSING else None)  # type: ignore[misc]
            for spec in specs
        }


def plain(value: Any) -> Any:
    """Return a value as plain JSON holds it: documents and mappings as mappings, all that is in order as lists.

    >>> plain({"a": (1, 2.5)})
    {'a': [1, 2.5]}
    """
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Document):
        return value._form()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(inner) for inner in value]
    carried = _CARRIED.get(type(value))
    return value.to_dict() if carried is None else carried[0](value)


def without_version(what: str, mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a form without its version, which is this one or not there.

    Raises:
        UnsupportedFormat: it is another one.
        TypeError: the form is no mapping.

    """
    if not isinstance(mapping, Mapping):
        raise TypeError(f"{what}: must be read from a mapping, not {type(mapping).__name__}")
    if _VERSION not in mapping:
        return mapping
    version = mapping[_VERSION]
    if type(version) is not int or version != SCHEMA_VERSION:
        raise UnsupportedFormat(
            f"{what}: {_VERSION} is {shortly(version)}; this version of byheart reads {SCHEMA_VERSION}"
        )
    return {key: value for key, value in mapping.items() if key != _VERSION}


def check_keys(where: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Refuse keys that there are not.

    Raises:
        UnknownField: the message gives the nearest one.

    """
    for key in given:
        if key not in known:
            raise UnknownField(f"{where}: unknown key {str(key)[:60]!r}{nearest(str(key), known)}")


_CARRIED: dict[Any, tuple[Callable[[Any], dict[str, Any]], Callable[[Mapping[str, Any], str], Any]]] = {}


def carried(kind: type[T], write: Callable[[T], dict[str, Any]], read: Callable[[Mapping[str, Any], str], T]) -> None:
    """Have documents hold objects of a class that is none, such as one of the core: how these are written and read."""
    _CARRIED[kind] = (write, read)


_known_parts: dict[type, dict[str, tuple[Any, Any]]] = {}


def _parts_of(kind: type[Document]) -> dict[str, tuple[Any, Any]]:
    """Return what a class is made of: by name what it holds, and its default."""
    parts = _known_parts.get(kind)
    if parts is None:
        parts = {}
        for name, (written, default) in kind._hints().items():
            parts[name] = (_hint(kind, name, written), default)
        _known_parts[kind] = parts
    return parts


def _hint(kind: type, name: str, written: Any) -> Any:
    """Return what an annotation means in the module of the class that has it."""
    written = getattr(written, "__forward_arg__", written)  # as a named tuple has it
    if not isinstance(written, str):
        return written
    owner = next((each for each in kind.__mro__ if name in vars(each).get("__annotations__", {})), kind)
    return eval(written, {**vars(sys.modules[owner.__module__])})  # an annotation of our own


def of_plain(hint: Any, given: Any, where: str) -> Any:
    """Return a value of a form as a field with this annotation holds it; `where` says which field that is.

    Raises:
        InvalidArgument: it is none of the field.

    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(inner, given, where)
    if hint is Any:
        return _json(given, where)
    if origin is Literal:
        if type(given) is str and given in inner:
            return given
        raise InvalidArgument(
            f"{where}: is {str(given)[:60]!r}; use one of {', '.join(inner)}{nearest(str(given), inner)}"
        )
    if origin is tuple or hint is tuple:
        return _tuple(inner, given, where)
    if origin is not None and issubclass(origin, Mapping):
        if isinstance(given, Mapping):
            return {key: of_plain(inner[1], value, f"{where}.{key}") for key, value in given.items()}
        raise _wrong(where, "a mapping", given)
    if origin is not None and issubclass(origin, Sequence):
        return list(_tuple((inner[0], ...), given, where))
    if issubclass(hint, tuple) and hasattr(hint, "_fields"):
        named = hint.__annotations__
        return hint(*_tuple(tuple(_hint(hint, name, named[name]) for name in hint._fields), given, where))
    return _single(hint, given, where)


def _json(given: Any, where: str) -> Any:
    """Return a value of plain JSON as it is."""
    if isinstance(given, Mapping):
        for key, value in given.items():
            _json(value, f"{where}.{key}")
    elif isinstance(given, (list, tuple)):
        for place, value in enumerate(given):
            _json(value, f"{where}[{place}]")
    elif isinstance(given, float):
        _number(given, where)
    elif given is not None and not isinstance(given, (str, int)):
        raise _wrong(where, "a value of JSON", given)
    return given


def _number(given: float, where: str) -> float:
    """Return a number that a float can hold; an infinite one may be of a stage of one's own."""
    if given != given or (isinstance(given, int) and not -_LARGEST <= given <= _LARGEST):
        raise InvalidArgument(f"{where}: must be a number that a float can hold, not {shortly(given)}")
    return given


def _single(kind: type, given: Any, where: str) -> Any:
    if kind is float and type(given) in (int, float):
        return _number(given, where)  # a whole number stays one: it equals the float, and is written as it was
    if kind in (str, int, bool, float, type(None)):
        if type(given) is kind:
            return given
        raise _wrong(where, "None" if kind is type(None) else f"a {kind.__name__}", given)
    if not isinstance(given, Mapping):
        raise _wrong(where, "a mapping", given)
    try:
        if issubclass(kind, Document):
            return kind._read(given, where)
        if kind in _CARRIED:
            return _CARRIED[kind][1](given, where)
        return kind.from_dict(given)  # type: ignore[attr-defined]  # what has a form of its own: a profile, say
    except (TypeError, OverflowError) as error:  # a check of the object's own
        raise InvalidArgument(f"{where}: {error}") from error


def _tuple(inner: tuple[Any, ...], given: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(given, (list, tuple)):
        raise _wrong(where, "a list", given)
    if not inner or inner[-1] is Ellipsis:
        each = inner[0] if inner else Any
        return tuple([of_plain(each, value, f"{where}[{place}]") for place, value in enumerate(given)])
    if len(given) != len(inner):
        raise InvalidArgument(f"{where}: has {len(given)} items; it has {len(inner)}")
    return tuple([of_plain(hint, given[place], f"{where}[{place}]") for place, hint in enumerate(inner)])


def _one_of(hints: tuple[Any, ...], given: Any, where: str) -> Any:
    """Return a value that is one of several kinds: of the first that takes it."""
    if given is None and type(None) in hints:
        return None
    left = [hint for hint in hints if hint is not type(None)]
    for hint in left[:-1]:
        try:
            return of_plain(hint, given, where)
        except InvalidArgument:
            continue
    return of_plain(left[-1], given, where)


def _wrong(where: str, wanted: str, given: Any) -> InvalidArgument:
    return InvalidArgument(f"{where}: must be {wanted}, not {type(given).__name__}")


def copier(kind: type[T]) -> Callable[[T, Mapping[str, Any]], T]:
    """Return what copies an object of a frozen dataclass with slots, with some fields changed, and checks nothing.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Pair:
    ...     one: int
    ...     other: int = 2
    >>> copy = copier(Pair)
    >>> copy(Pair(1), {"other": 3}), type(copy(Pair(1), {})) is Pair
    (Pair(one=1, other=3), True)
    """
    names: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]
    opened = type(kind.__name__, kind.__bases__, {"__slots__": names, "__module__": kind.__module__})
    known: dict[str, Any] = {"_kind": kind, "_opened": opened}
    does = [f"    self.{name} = other.{name}" for name in names]
    text = "def copy(other, values):\n    self = _opened()\n" + "\n".join(does)
    text += "\n    for name in values:\n        setattr(self, name, values[name])\n"
    text += "    self.__class__ = _kind\n    return self"
    exec(compile(text, f"<copier of {kind.__name__}>", "exec"), known)  # the names are those of fields
    made: Callable[[T, Mapping[str, Any]], T] = known["copy"]
    return made


def teller(
    defaults: Mapping[str, Any], always: str = "", *, same: bool = False
) -> Callable[[Any], list[tuple[str, Any]]]:
    """Return what lists the fields of an object that say something else than by default, with their values, in order.

    It looks at the fields one by one without a loop over them: of many that say nothing, a quarter of the time is left.

    Args:
        defaults: of the fields, by name.
        always: a field that is listed whatever it says.
        same: whether what is left out is the default itself; else what equals it is, too.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Cup:
    ...     of: str = ""
    ...     size: float | None = None
    ...     notes: tuple[str, ...] = ()
    >>> tell = teller({"of": "", "size": None, "notes": ()}, always="of")
    >>> tell(Cup()), tell(Cup("tea", notes=("hot",)))
    ([('of', '')], [('of', 'tea'), ('notes', ('hot',))])

    """
    known: dict[str, Any] = {f"_default_{name}": default for name, default in defaults.items()}
    does = []
    for name, default in defaults.items():
        add = f"add(({name!r}, value))"
        if name == always:
            does.append(f"    add(({name!r}, of.{name}))")
        elif default is None or same:
            does.append(f"    if (value := of.{name}) is not _default_{name}: {add}")
        else:
            does.append(f"    if (value := of.{name}) is not _default_{name} and value != _default_{name}: {add}")
    text = "def tell(of):\n    told = []\n    add = told.append\n" + "\n".join(does) + "\n    return told"
    exec(compile(text, "<teller of fields>", "exec"), known)  # the names are those of fields
    made: Callable[[Any], list[tuple[str, Any]]] = known["tell"]
    return made
