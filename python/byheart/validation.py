"""Checks at the door: each refuses what it cannot take, naming the field, before anything is allocated."""

from __future__ import annotations

import reprlib
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from dataclasses import MISSING, fields
from itertools import islice
from math import isfinite, nextafter
from numbers import Integral, Real
from typing import Any, TypeVar, get_args

from .errors import InvalidArgument, LimitExceeded, UnknownField
from .words import BoundaryClass

T = TypeVar("T")

CLASSES: tuple[BoundaryClass, ...] = get_args(BoundaryClass)
MAX_NAME = 64
MAX_TEXT_BYTES = 10_000_000
MAX_QUERY_BYTES = 1_000_000
MAX_ID_BYTES = 512
MAX_METADATA_BYTES = 1_000_000
MAX_METADATA_DEPTH = 32
MAX_ITEMS = 4_096
MAX_TAGS = 64
MAX_IDS = 1_000_000
MAX_RECORDS = 1_000_000  # of one call
MAX_QUERIES = 100_000  # of one `recall_many`
MAX_SCOPES = 100_000  # of one boundary
MAX_RULES = 256
MAX_LABEL_BYTES = 4_096
MAX_PREMISES = 3
MAX_K = 100_000
_YEAR_10000 = 253_402_300_800.0
_LAST = nextafter(_YEAR_10000, 0.0)  # calendars end with the year 9999
_FEW, _SHORT = 64, 1_000  # names and characters: of so little nothing is too much


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


def check_class(name: str) -> None:
    """Refuse a boundary class that does not exist."""
    check_one_of("boundary class", name, CLASSES)


def shortly(value: Any) -> str:
    """Return how a value looks, in few characters: of anything, however deep or long, or unable to say it.

    >>> shortly({"a": list(range(100))}), shortly(10**5_000)
    ("{'a': [0, 1, 2, 3, 4, 5, ...]}", 'some int')
    """
    try:
        return reprlib.repr(value)
    except Exception:  # an int of more digits than Python writes, or what somebody's own type raises
        return f"some {type(value).__name__}"


def check_one_of(what: str, word: Any, known: Collection[str]) -> None:
    """Refuse what is none of some words.

    >>> check_one_of("mode", "fast", ("exact", "approx"))
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: mode: 'fast' is unknown; use one of exact, approx
    """
    if not isinstance(word, str) or word not in known:
        raise InvalidArgument(f"{what}: {shortly(word)} is unknown; use one of {', '.join(known)}")


def check_flag(what: str, value: Any) -> None:
    """Refuse what is neither True nor False.

    >>> check_flag("receipt", 1)
    Traceback (most recent call last):
        ...
    TypeError: receipt must be bool, not int
    """
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be bool, not {type(value).__name__}")


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


def check_named(what: str, name: str | None) -> None:
    """Refuse a name of somebody or something that is blank: who leaves it out by mistake would mean everybody.

    >>> check_named("user_id", "")
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: user_id: is blank; give a name, or None for nobody's
    """
    if name is not None and (name == "" or name.isspace()):
        raise InvalidArgument(f"{what}: is blank; give a name, or None for nobody's")


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


def check_text(what: str, value: str | None, limit: int = MAX_TEXT_BYTES) -> None:
    """Refuse what is no str, holds lone surrogates or is longer than `limit` UTF-8 bytes."""
    if value is None:
        return
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__}")
    if len(value) > limit:
        raise LimitExceeded(f"{what} length in characters: {len(value)} is over the limit of {limit} bytes")
    if value.isascii():
        return
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{what}: holds a lone surrogate at character {error.start}; replace it first") from None
    if size > limit:
        raise LimitExceeded(f"{what} length in bytes: {size} is over the limit of {limit}")


def epoch_seconds(what: str, value: Any) -> float | None:
    """Return a time as epoch seconds: from a datetime, a date, ISO text, or a finite number of seconds.

    What names no time zone is in UTC, on every machine, and a date alone is its first moment. The last moment of the
    year 9999, which seconds would round up, stays in that year.

    >>> from datetime import datetime, timezone
    >>> epoch_seconds("created_at", datetime(2026, 1, 1, tzinfo=timezone.utc))
    1767225600.0
    >>> epoch_seconds("now", "2026-01-01T01:00:00+01:00"), epoch_seconds("now", "2026-01-01")
    (1767225600.0, 1767225600.0)
    """
    if value is None:
        return None
    if isinstance(value, str):
        value = _of_iso(what, value)
    if hasattr(value, "toordinal"):
        try:
            return _of_date(value)
        except (ValueError, TypeError, OverflowError):  # as pandas' NaT, which is no time
            raise InvalidArgument(f"{what}: {value} names no time") from None
    seconds = plain_number(value)
    if seconds is None:
        raise TypeError(f"{what} must be a datetime, ISO text or epoch seconds, not {type(value).__name__}")
    if not abs(seconds) < 1e12:  # NaN fails here too; the range is some 30,000 years
        hint = "; if it counts milliseconds, divide it by 1,000" if 1e12 <= abs(seconds) < 1e15 else ""
        raise InvalidArgument(f"{what}: {shortly(value)} is no usable number of seconds{hint}")
    return float(seconds)


def call_time(now: Any) -> float:
    """Return the time of a call in epoch seconds: what was given as `now`, or the clock's.

    >>> call_time(5), call_time(None) > 1.7e9
    (5.0, True)
    """
    moment = epoch_seconds("now", now)
    return time.time() if moment is None else moment


def _of_iso(what: str, text: str) -> Any:
    from datetime import datetime  # on use: most times are numbers

    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f"{what}: {text[:60]!r} is no ISO time; write '2026-05-03', or '2026-05-03T18:30:00+02:00'"
        ) from None


def _of_date(value: Any) -> float:
    """Return the epoch seconds of a datetime, or of the first moment of a date; in UTC where it names no zone."""
    from datetime import UTC, datetime

    if not hasattr(value, "utcoffset"):
        value = datetime(value.year, value.month, value.day)
    seconds = float((value.replace(tzinfo=UTC) if value.utcoffset() is None else value).timestamp())
    return _LAST if seconds == _YEAR_10000 else seconds


def plain_number(value: Any) -> int | float | None:
    """Return a number as `int` or `float`, from NumPy's too; None for what is no number, such as a flag.

    >>> import numpy as np
    >>> plain_number(np.float32(0.5)), plain_number(np.int64(3)), plain_number(True), plain_number("3")
    (0.5, 3, None, None)
    """
    if type(value) is float or type(value) is int:  # as nearly all are
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return int(value) if isinstance(value, Integral) else float(value)
    except OverflowError:  # as of a fraction without end
        return float("inf") if value == abs(value) else float("-inf")


def renamed(error: InvalidArgument, was: str, name: str) -> InvalidArgument:
    """Return an error of a part under the name that its caller has for the argument.

    >>> renamed(InvalidArgument("profile: 'x' is none"), "profile", "noise_profile")
    InvalidArgument("noise_profile: 'x' is none")
    """
    return InvalidArgument(f"{name}: {str(error).removeprefix(f'{was}: ')}")


def check_share(what: str, value: Any) -> float | None:
    """Return a number between 0 and 1; None without one."""
    if value is None:
        return None
    share = plain_number(value)
    if share is None:
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    if not 0.0 <= share <= 1.0:
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must lie between 0 and 1")
    return share


def check_finite(what: str, value: Any) -> float | None:
    """Return a finite number; None without one."""
    if value is None:
        return None
    number = plain_number(value)
    if number is None:
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    if not abs(number) < 1e300:  # NaN fails here too
        raise InvalidArgument(f"{what}: is {shortly(value)}; give a finite number")
    return number


def strings(what: str, values: Any, most: int = MAX_ITEMS) -> tuple[str, ...]:
    """Return a list of texts as a tuple; a single text is refused, since it would be taken letter by letter."""
    if isinstance(values, (str, bytes, bytearray)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} must be a list of str, not {type(values).__name__}")
    if type(values) is tuple and not values:  # as most are
        return ()
    items = counted(what, values, most)
    for item in items:
        if item is None:
            raise TypeError(f"{what} must be a list of str, not of None")
        check_text(what, item)
    return items


def _where_not_plain(value: Mapping[Any, Any]) -> str:
    """Return under which key of a mapping stands what JSON cannot hold; nothing if it is none of them alone."""
    import json

    for key, each in value.items():
        try:
            json.dumps({key: each}, allow_nan=False, default=_scalar)
        except (TypeError, ValueError):
            return f" at {key!r}"
    return ""


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


def short_words(what: str, values: Any) -> tuple[str, ...]:
    """Return up to 64 words of 1 to 64 characters as a tuple; the same word twice counts once.

    >>> short_words("tags", ["tea", "tea", "green"])
    ('tea', 'green')
    """
    words = tuple(dict.fromkeys(strings(what, values, MAX_TAGS)))
    for word in words:
        check_name(what, word)
    return words


def json_mapping(what: str, value: Any) -> dict[str, Any]:
    """Return a copy of a mapping of plain JSON values, at most 1 MB and 32 levels, its keys in order.

    So a record is the same to the last byte whether it was just made or read from a file.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping, not {type(value).__name__}")
    if not value:
        return {}
    if len(value) <= _FEW and _is_plain(value):
        return dict(sorted(value.items()))  # what writing and reading it would give
    import json

    if _depth(value) > MAX_METADATA_DEPTH:
        raise LimitExceeded(f"{what} depth: is over the limit of {MAX_METADATA_DEPTH}")
    for key in _keys(value):
        if not isinstance(key, str):  # Python would write it as text, and of two that are then the same keep one
            raise InvalidArgument(f"{what}: is not plain JSON: key {key!r:.60} is no text; write it as one")
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False, default=_scalar).encode()
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{what}: is not plain JSON{_where_not_plain(value)} ({error})") from None
    if len(written) > MAX_METADATA_BYTES:
        raise LimitExceeded(f"{what} size in bytes: {len(written)} is over the limit of {MAX_METADATA_BYTES}")
    return dict(json.loads(written, object_pairs_hook=_in_order))


def _scalar(value: Any) -> Any:
    """Return the number or flag that NumPy holds in a type of its own."""
    if getattr(value, "shape", None) == () and isinstance(plain := value.item(), (bool, int, float, str)):
        return plain
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _is_plain(value: Mapping[Any, Any]) -> bool:
    """Return whether all names and values are such that JSON surely has them, and short."""
    for name, each in value.items():
        if type(name) is not str or len(name) > _SHORT or not name.isascii():
            return False
        kind = type(each)
        if kind is str:
            if len(each) > _SHORT or not each.isascii():
                return False
        elif kind is float:
            if not isfinite(each):
                return False
        elif not (each is None or kind is bool or (kind is int and abs(each) < 1 << 63)):
            return False
    return True


def _in_order(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(sorted(pairs, key=lambda pair: pair[0]))


def _keys(value: Any) -> Iterator[Any]:
    """Give the keys of nested mappings of plain JSON, whose depth was looked at."""
    if isinstance(value, Mapping):
        yield from value
        value = value.values()
    for each in value:
        if isinstance(each, (Mapping, list, tuple)):
            yield from _keys(each)


def _depth(value: Any) -> int:
    """Return how deep containers are nested, walking with a list of our own so that depth cannot exhaust the stack."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        deepest = max(deepest, depth)
        if deepest > MAX_METADATA_DEPTH:
            break
        children = item.values() if isinstance(item, Mapping) else item if isinstance(item, (list, tuple)) else ()
        waiting.extend((child, depth + 1) for child in children if isinstance(child, (Mapping, list, tuple)))
    return deepest


def as_mapping(what: str, value: Any) -> dict[str, Any]:
    """Return a mapping as a dictionary of its own."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping of names to values, not {type(value).__name__}")
    return dict(value)


def listed(what: str, value: Any) -> tuple[Any, ...]:
    """Return what a list or tuple holds."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{what} must be a list or tuple, not {type(value).__name__}")
    return tuple(value)


def check_names(
    what: str, given: Mapping[str, Any], kind: type, called: str = "name", *, besides: Collection[str] = ()
) -> None:
    """Refuse names that a dataclass does not have, and the lack of one that it needs; `besides` are given elsewhere."""
    known = {spec.name: spec for spec in fields(kind)}
    for name in given:
        if name not in known:
            raise UnknownField(f"{what}: unknown {called} {name!r}{nearest(str(name), known)}")
    for name, spec in known.items():
        needed = spec.init and spec.default is MISSING and spec.default_factory is MISSING
        if needed and name not in given and name not in besides:
            raise InvalidArgument(f"{what}: lacks {name!r}")


def check_whole(what: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse what is no whole number in a range."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be int, not {type(value).__name__}")
    if not least <= value.__index__() <= (value.__index__() if most is None else most):
        wanted = f"be at least {least}" if most is None else f"lie between {least} and {most}"
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must {wanted}")


def check_k(k: Any) -> int:
    """Return a number of results, 1 to 100,000."""
    if isinstance(k, bool) or not hasattr(k, "__index__"):
        raise TypeError(f"k must be int, not {type(k).__name__}")
    number = k.__index__()
    if number < 1:
        raise InvalidArgument(f"k: is {shortly(number)}; ask for at least 1 result")
    if number > MAX_K:
        raise LimitExceeded(f"k: {shortly(number)} is over the limit of {MAX_K}")
    return int(number)


def check_at_least_one(what: str, value: Any) -> int:
    """Return a setting that counts something, such as threads: a whole number from 1 on."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be int, not {type(value).__name__}")
    number = int(value.__index__())
    if number < 1:
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must be at least 1")
    return number


def check_deadline(seconds: Any) -> float | None:
    """Return a number of seconds from now, at least 0; None for no deadline."""
    if seconds is None:
        return None
    number = plain_number(seconds)
    if number is None:
        raise TypeError(f"deadline must be a number of seconds, not {type(seconds).__name__}")
    if not 0.0 <= number < 1e9:
        raise InvalidArgument(f"deadline: is {shortly(seconds)}; give seconds from now, at least 0")
    return float(number)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: "; did you mean ...?", or nothing where nothing is near.

    >>> nearest("sesion_id", ["user_id", "session_id"])
    "; did you mean 'session_id'?"
    """
    import difflib  # on use: only a mistake needs it

    near = difflib.get_close_matches(name[:MAX_NAME], list(known), n=1, cutoff=0.55)
    return f"; did you mean {near[0]!r}?" if near else ""
