"""Checks of texts: names, ids, labels, and words of closed lists."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, get_args

from ..errors import InvalidArgument, LimitExceeded
from ..words import BoundaryClass
from .limits import MAX_ID_BYTES, MAX_LABEL_BYTES, MAX_NAME, MAX_TEXT_BYTES
from .messages import shortly

CLASSES: tuple[BoundaryClass, ...] = get_args(BoundaryClass)


def check_text(what: str, value: str | None, limit: int = MAX_TEXT_BYTES) -> None:
    """Refuse what is no str, holds lone surrogates or is longer than `limit` UTF-8 bytes."""
    if value is None:
        return
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__}")
    if len(value) > limit:
        raise LimitExceeded(f"{what} length in bytes: {len(value)} or more is over the limit of {limit}")
    if value.isascii():
        return
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{what}: holds a lone surrogate at character {error.start}; replace it first") from None
    if size > limit:
        raise LimitExceeded(f"{what} length in bytes: {size} is over the limit of {limit}")


def check_name(what: str, name: str) -> None:
    """Refuse a tenant or scope that is no string of 1 to 64 printable characters."""
    if not isinstance(name, str):
        raise TypeError(f"{what} must be str, not {type(name).__name__}")
    if not name:
        raise InvalidArgument(f"{what}: is empty; give 1 to {MAX_NAME} characters")
    if len(name) > MAX_NAME:
        raise LimitExceeded(f"{what} length in characters: {len(name)} is over the limit of {MAX_NAME}")
    if name.isascii() and name.isprintable():  # as nearly all are
        return
    if any(ord(character) < 0x20 or 0xD800 <= ord(character) < 0xE000 for character in name):
        raise InvalidArgument(f"{what}: {name!r} holds a control character or a lone surrogate")


def check_named(what: str, name: str | None) -> None:
    """Refuse a name of somebody or something that is blank: who leaves it out by mistake would mean everybody.

    >>> check_named("user_id", "")
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: user_id: is blank; give a name, or None for nobody's
    """
    if name is not None and (name == "" or name.isspace()):
        raise InvalidArgument(f"{what}: is blank; give a name, or None for nobody's")


def check_id(value: str) -> None:
    """Refuse an id that is no text of 1 to 512 UTF-8 bytes."""
    if not isinstance(value, str):
        raise TypeError(f"id must be str, not {type(value).__name__}")
    if not value:
        raise InvalidArgument("id: is empty; an id has 1 to 512 bytes")
    check_text("id", value)
    size = len(value.encode())
    if size > MAX_ID_BYTES:
        raise LimitExceeded(f"id length in bytes: {size} is over the limit of {MAX_ID_BYTES}")


def check_labels(**labels: Any) -> None:
    """Refuse what is kept as it is given beside a request, such as its id, and is no text of at most 4,096 UTF-8 bytes.

    >>> check_labels(request_id="req_1", trace_id=None)
    >>> check_labels(request_id=7)
    Traceback (most recent call last):
        ...
    TypeError: request_id must be str, not int
    """
    for what, value in labels.items():
        check_text(what, value, MAX_LABEL_BYTES)


def check_one_of(what: str, word: Any, known: Collection[str]) -> None:
    """Refuse what is none of some words.

    >>> check_one_of("mode", "fast", ("exact", "approx"))
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: mode: 'fast' is unknown; use one of exact, approx
    """
    if not isinstance(word, str) or word not in known:
        raise InvalidArgument(f"{what}: {shortly(word)} is unknown; use one of {', '.join(known)}")


def check_class(name: str) -> None:
    """Refuse a boundary class that does not exist."""
    check_one_of("boundary class", name, CLASSES)
