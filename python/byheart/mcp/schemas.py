"""Schemas of arguments and results: how they are written, and how arguments are held to them.

Every object is closed: what it does not name is refused. What a check says never repeats a value, which may be long, or
meant for nobody's eyes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..embedding.extras import import_extra
from ..errors import InvalidArgument, LimitExceeded
from ..validation import nearest
from .failures import Refused
from .tool import Tool

Check = Callable[[Mapping[str, Any]], dict[str, Any]]


def closed(properties: Mapping[str, Any], required: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    """Return the schema of an object that has these properties and no others.

    >>> closed({"id": text(8)}, ["id"])["additionalProperties"]
    False
    """
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {}) | more


def text(longest: int | None = None, description: str = "", **more: Any) -> dict[str, Any]:
    """Return the schema of a text of at least one character, unless `minLength` says otherwise."""
    schema: dict[str, Any] = {"type": "string", "minLength": 1}
    return _told(schema | ({} if longest is None else {"maxLength": longest}) | more, description)


def whole(least: int, most: int, description: str = "", **more: Any) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return _told({"type": "integer", "minimum": least, "maximum": most, **more}, description)


def number(least: float, most: float, description: str = "") -> dict[str, Any]:
    """Return the schema of a number."""
    return _told({"type": "number", "minimum": least, "maximum": most}, description)


def several(items: Mapping[str, Any], most: int | None = None, description: str = "") -> dict[str, Any]:
    """Return the schema of a list."""
    schema: dict[str, Any] = {"type": "array", "items": dict(items)}
    return _told(schema | ({} if most is None else {"maxItems": most}), description)


def or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be missing: null.

    >>> or_null({"type": "string"})
    {'type': ['string', 'null']}
    """
    return {**schema, "type": [schema["type"], "null"]}


def _told(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return schema | ({"description": description} if description else {})


def checker(tool: Tool) -> Check:
    """Return what holds arguments to the limits and the schema of a tool, and returns them.

    Raises:
        MissingExtra: the extra `mcp` is not installed.

    """
    schema = json.loads(json.dumps(tool.arguments))
    validator = import_extra("jsonschema", "mcp").Draft202012Validator(schema)

    def check(arguments: Mapping[str, Any]) -> dict[str, Any]:
        size = _size(arguments)
        if size > tool.max_bytes:
            raise LimitExceeded(f"arguments: {size} bytes are over the limit of {tool.max_bytes}")
        wrong = min(validator.iter_errors(arguments), key=lambda error: len(error.absolute_path), default=None)
        if wrong is not None:
            code = tool.misfits.get(str(next(iter(wrong.absolute_path), "")))
            raise Refused(code, _said(wrong)) if code and wrong.validator == "enum" else InvalidArgument(_said(wrong))
        return dict(_with_wholes(arguments, schema))

    return check


def _with_wholes(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema with 1.0 as 1 where that asks for whole numbers, at any depth."""
    if isinstance(value, float):
        return int(value) if "integer" in str(schema.get("type")) else value
    if isinstance(value, list) and "items" in schema:
        return [_with_wholes(each, schema["items"]) for each in value]
    if isinstance(value, Mapping) and "properties" in schema:
        return {name: _with_wholes(each, schema["properties"].get(name, {})) for name, each in value.items()}
    return value


def _size(arguments: Mapping[str, Any]) -> int:
    """Return the bytes of arguments as JSON; refuse what is none: NaN, lone surrogates, endless nesting."""
    try:
        return len(json.dumps(arguments, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
    except (ValueError, RecursionError):  # a lone surrogate is a ValueError too
        raise InvalidArgument(
            "arguments: are not JSON in UTF-8; leave out NaN, infinity, lone surrogates and deep nesting"
        ) from None


_LONG = 1e15  # a number of so many digits, or of thousands, is not said
_WORDS: Mapping[str, str] = {
    "type": "must be of type {0}",
    "minLength": "is too short; give at least {0} characters",
    "maxLength": "is too long; give at most {0} characters",
    "maxItems": "has too many items; give at most {0}",
    "minItems": "has too few items; give at least {0}",
    "pattern": "does not match {0}",
}


def _said(error: Any) -> str:
    """Return what is wrong, where and what to do; without the value, unless it is a number."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    where = f"arguments{path}"[:120]
    rule, wanted = error.validator, error.validator_value
    if rule == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        name = next(name for name in error.instance if name not in known)
        said = f"there is no {str(name)[:60]!r}{nearest(name, known)}"
        return f"{where}: {said}; there are: {', '.join(known) or 'none'}"
    if rule == "required":
        missing = [name for name in wanted if name not in error.instance]
        return f"{where}: lacks {', '.join(missing)}"
    if rule == "enum":
        return f"{where}: is none of {', '.join(map(str, wanted))}"
    if rule in ("minimum", "maximum"):
        given = f"{error.instance:g}" if -_LONG < error.instance < _LONG else "out of range"
        return f"{where}: is {given}; give at {'least' if rule == 'minimum' else 'most'} {wanted}"
    if rule in _WORDS:
        return f"{where}: {_WORDS[rule].format(' or '.join(wanted) if isinstance(wanted, list) else wanted)}"
    return f"{where}: does not fit its schema ({rule})"
