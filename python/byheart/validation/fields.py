"""The fields of a dataclass as it declares them: plain numbers, flags and texts, whatever types they came in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from .limits import MAX_NAME, MAX_TEXT_BYTES
from .lists import listed
from .mappings import as_mapping
from .numbers import check_flag, check_int, check_number
from .texts import check_text


def plain_values(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by the names of a dataclass's fields, each of the type that the field declares.

    NumPy's numbers become Python's. Looked at is what is declared as `int`, `float`, `bool` or `str`, as a tuple of
    numbers, as a mapping from names, or as one of these and `None`. All else stays as it is, and ranges are the class's
    own affair.

    Raises:
        TypeError: a value of another type; the message names the field.
        InvalidArgument: a text with a lone surrogate.

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> @dataclass
    ... class Cut:
    ...     share: float
    ...     most: "int | None" = None
    >>> plain_values(Cut, {"share": np.float32(0.5), "most": None})
    {'share': 0.5, 'most': None}
    >>> plain_values(Cut, {"share": "much"})
    Traceback (most recent call last):
        ...
    TypeError: share must be a number, not str

    """
    values = dict(given)
    for spec in fields(kind):
        declared = spec.type if isinstance(spec.type, str) else getattr(spec.type, "__name__", "")
        kind_of, _, none = declared.partition(" | ")
        take = _floats if kind_of.startswith("tuple[float,") else _PLAIN.get(kind_of)
        if take is None or spec.name not in values or none not in ("", "None"):
            continue
        if values[spec.name] is not None or not none:
            values[spec.name] = take(spec.name, values[spec.name])
    return values


def keep_plain(made: Any) -> None:
    """Give a frozen dataclass its fields as `plain_values` returns them; the first line of its `__post_init__`."""
    given = {spec.name: getattr(made, spec.name) for spec in fields(made)}
    for name, value in plain_values(type(made), given).items():
        object.__setattr__(made, name, value)


def _flag(what: str, value: Any) -> bool:
    check_flag(what, value)
    return bool(value)


def _text(what: str, value: Any) -> str:
    if value is None:
        raise TypeError(f"{what} must be str, not None")
    text: str = check_text(what, value, MAX_TEXT_BYTES)
    return text


def _floats(what: str, values: Any) -> tuple[float, ...]:
    return tuple(check_number(f"{what}: a value", value) for value in listed(what, values))


def _numbers(what: str, value: Any) -> dict[str, float]:
    return {name: check_number(f"{what}.{name}", number) for name, number in _named(what, value).items()}


def _named(what: str, value: Any) -> dict[str, Any]:
    return {check_text(f"{what}: a name", name, MAX_NAME): each for name, each in as_mapping(what, value).items()}


_PLAIN: Mapping[str, Callable[[str, Any], Any]] = {
    "int": check_int, "float": check_number, "bool": _flag, "str": _text,
    "Mapping[str, float]": _numbers, "Mapping[str, Any]": _named,
}  # fmt: skip
