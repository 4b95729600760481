"""Lists from callers: counted while they are collected, so that none is read without end."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from itertools import islice
from typing import Any, TypeVar

from ..errors import LimitExceeded
from .limits import MAX_ITEMS, MAX_TAGS
from .texts import check_name, check_text, plain_text

T = TypeVar("T")


def counted(what: str, values: Iterable[T], most: int) -> tuple[T, ...]:
    """Return values as a tuple, counted while they are collected: one that has no end takes no more than the limit.

    >>> from itertools import repeat
    >>> counted("ids", repeat("a"), 3)
    Traceback (most recent call last):
        ...
    byheart.errors.LimitExceeded: number of ids: is over the limit of 3
    """
    if not isinstance(values, Iterable):
        raise TypeError(f"{what} must be a list or another iterable, not {type(values).__name__}")
    if isinstance(values, Sized) and len(values) > most:
        raise LimitExceeded(f"number of {what}: {len(values)} is over the limit of {most}")
    items = tuple(islice(values, most + 1))
    if len(items) > most:
        raise LimitExceeded(f"number of {what}: is over the limit of {most}")
    return items


def listed(what: str, value: Any) -> tuple[Any, ...]:
    """Return what a list or tuple holds."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{what} must be a list or tuple, not {type(value).__name__}")
    return tuple(value)


def strings(what: str, values: Any, most: int = MAX_ITEMS) -> tuple[str, ...]:
    """Return a list of texts as a tuple; a single text is refused, since it would be taken letter by letter."""
    if isinstance(values, (str, bytes, bytearray)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} must be a list of str, not {type(values).__name__}")
    if type(values) is tuple and not values:  # as most are
        return ()
    items = counted(what, values, most)
    plain = True
    for item in items:
        if item is None:
            raise TypeError(f"{what} must be a list of str, not of None")
        plain = check_text(what, item) is item and plain
    return items if plain else tuple(map(plain_text, items))


def short_words(what: str, values: Any) -> tuple[str, ...]:
    """Return up to 64 words of 1 to 64 characters as a tuple; the same word twice counts once.

    >>> short_words("tags", ["tea", "tea", "green"])
    ('tea', 'green')
    """
    words = tuple(dict.fromkeys(strings(what, values, MAX_TAGS)))
    for word in words:
        check_name(what, word)
    return words
