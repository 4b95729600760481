"""Checks of texts: names, ids, labels, and words of closed lists.

Each returns what it was given as a plain `str`: a subclass, such as a member of a `(str, Enum)` or NumPy's, has a hash,
an order and a form of its own, and what is kept and compared has none but those of its letters.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar, cast, get_args, overload
from unicodedata import normalize

from ..errors import InvalidArgument, LimitExceeded
from ..words import BoundaryClass
from .limits import MAX_ID_BYTES, MAX_LABEL_BYTES, MAX_NAME, MAX_TEXT_BYTES
from .messages import shortly

CLASSES: tuple[BoundaryClass, ...] = get_args(BoundaryClass)
T = TypeVar("T")


def plain_text(value: T) -> T:
    """Return a text as `str` itself, without asking a subclass of it anything; what is no text, as it is.

    >>> from enum import Enum
    >>> Scope = Enum("Scope", {"TEAM": "team"}, type=str)
    >>> plain_text(Scope.TEAM), plain_text("team"), plain_text(7)
    ('team', 'team', 7)
    """
    if type(value) is str or not isinstance(value, str):
        return value
    return cast("T", str.__str__(value))


@overload
def check_text(what: str, value: None, limit: int = ...) -> None: ...


@overload
def check_text(what: str, value: str, limit: int = ...) -> str: ...


@overload
def check_text(what: str, value: str | None, limit: int = ...) -> str | None: ...


def check_text(what: str, value: str | None, limit: int = MAX_TEXT_BYTES) -> str | None:
    """Return a text; refuse what is no str, holds lone surrogates or is longer than `limit` UTF-8 bytes."""
    if value is None:
        return None
    if type(value) is not str:
        value = _plain(what, value)
    if len(value) > limit:
        raise LimitExceeded(f"{what} length in bytes: {len(value)} or more is over the limit of {limit}")
    if value.isascii():
        return value
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{what}: holds a lone surrogate at character {error.start}; replace it first") from None
    if size > limit:
        raise LimitExceeded(f"{what} length in bytes: {size} is over the limit of {limit}")
    return value


def _plain(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__}")
    return plain_text(value)


def check_name(what: str, name: str) -> str:
    """Return a tenant or scope; refuse what is no string of 1 to 64 printable characters."""
    if type(name) is not str:
        name = _plain(what, name)
    if not name:
        raise InvalidArgument(f"{what}: is empty; give 1 to {MAX_NAME} characters")
    if len(name) > MAX_NAME:
        raise LimitExceeded(f"{what} length in characters: {len(name)} is over the limit of {MAX_NAME}")
    if name.isascii() and name.isprintable():  # as nearly all are
        return name
    if any(ord(character) < 0x20 or 0xD800 <= ord(character) < 0xE000 for character in name):
        raise InvalidArgument(f"{what}: {name!r} holds a control character or a lone surrogate")
    return name


@overload
def check_named(what: str, name: None) -> None: ...


@overload
def check_named(what: str, name: str) -> str: ...


@overload
def check_named(what: str, name: str | None) -> str | None: ...


def check_named(what: str, name: str | None) -> str | None:
    """Return the name of a user or a session as `one_form` has it.

    Refuse one that is blank: who leaves it out by mistake would mean everybody.

    >>> check_named("user_id", "")
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: user_id: is blank; give a name, or None for nobody's
    """
    if name is not None and (name == "" or name.isspace()):
        raise InvalidArgument(f"{what}: is blank; give a name, or None for nobody's")
    return name if name is None else one_form(name)


def one_form(name: str) -> str:
    r"""Return the name of a user or a session in the form in which all are kept and compared: composed (NFC).

    Two computers may write one name in two forms, and it is one user's all the same.

    >>> one_form("Zoe\u0308") == one_form("Zo\u00eb") == "Zo\u00eb"
    True
    """
    return name if name.isascii() else normalize("NFC", name)


def check_id(value: str) -> str:
    """Return an id; refuse what is no text of 1 to 512 UTF-8 bytes."""
    if type(value) is not str:
        value = _plain("id", value)
    if not value:
        raise InvalidArgument("id: is empty; an id has 1 to 512 bytes")
    check_text("id", value)
    size = len(value.encode())
    if size > MAX_ID_BYTES:
        raise LimitExceeded(f"id length in bytes: {size} is over the limit of {MAX_ID_BYTES}")
    return value


def normal_forms(text: str) -> tuple[str, ...]:
    r"""Return a text and how else its characters are written: composed, or as letters with marks behind them.

    >>> normal_forms("caf\u00e9") == ("caf\u00e9", "cafe\u0301"), normal_forms("tea")
    (True, ('tea',))
    """
    if text.isascii():
        return (text,)
    return tuple(dict.fromkeys((text, normalize("NFC", text), normalize("NFD", text))))


def check_labels(**labels: Any) -> tuple[Any, ...]:
    """Return what is kept as it is given beside a request, such as its id: texts of at most 4,096 UTF-8 bytes, or None.

    >>> check_labels(request_id="req_1", trace_id=None)
    ('req_1', None)
    >>> check_labels(request_id=7)
    Traceback (most recent call last):
        ...
    TypeError: request_id must be str, not int
    """
    return tuple(check_text(what, value, MAX_LABEL_BYTES) for what, value in labels.items())


def check_one_of(what: str, word: T, known: Collection[str]) -> T:
    """Return a word; refuse what is none of some.

    >>> check_one_of("mode", "fast", ("exact", "approx"))
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: mode: 'fast' is unknown; use one of exact, approx
    """
    word = plain_text(word)
    if not isinstance(word, str) or word not in known:
        raise InvalidArgument(f"{what}: {shortly(word)} is unknown; use one of {', '.join(known)}")
    return word


def check_class(name: T) -> T:
    """Return a boundary class; refuse one that does not exist."""
    return check_one_of("boundary class", name, CLASSES)
