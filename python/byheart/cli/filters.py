"""Filters as they are typed: `--where`, `--since` and `--until` of a command, made into one filter."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any, Final

from ..retrieval.filter import KINDS, Filter

_YEAR: Final = re.compile(r"[0-9]{4}")
_DAY: Final = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")

HELP = (
    "FIELD=VALUE, such as topic=kitchen: another field narrows it, the same field again widens it. Or JSON, such as "
    '\'{"metadata.room": "kitchen", "importance": {">=": 0.5}}\': each narrows it'
)


def add_filter(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options of a filter; `what` says what they choose."""
    group = parser.add_argument_group(f"filter: {what}")
    group.add_argument("--where", action="append", default=[], metavar="FILTER", help=HELP)
    group.add_argument("--since", metavar="TIME", type=time_of, help="made at this time or later: ISO text, or seconds")
    group.add_argument("--until", metavar="TIME", type=time_of, help="made before this time")


def filter_of(args: argparse.Namespace, parser: argparse.ArgumentParser) -> Filter | None:
    """Return what was asked for; None without any of the options.

    Raises:
        UnknownField, InvalidArgument, LimitExceeded: see the message.

    """
    if not is_asked(args):
        return None
    pairs, filters = [], []
    for typed in args.where:
        if typed.lstrip().startswith("{"):
            filters.append(Filter.parse(_from_json(typed, parser)))
        else:
            pairs.append(typed)
    given = Filter.parse(_from_pairs(pairs, parser))
    return Filter.all_of(given, *filters, Filter.between(args.since, args.until))


def is_asked(args: argparse.Namespace) -> bool:
    """Return whether any of the options was given."""
    return bool(args.where) or args.since is not None or args.until is not None


def time_of(typed: str) -> str | float:
    """Return a time as it was typed, or as the number that it is.

    Raises:
        ArgumentTypeError: it is a year, which would be some minutes of 1970 in seconds.

    >>> time_of("86400"), time_of("1970-01-02T00:00:00Z"), time_of("20300101")
    (86400.0, '1970-01-02T00:00:00Z', '20300101')

    """
    if _DAY.fullmatch(typed.strip()):
        return typed  # as ISO writes one, too; in seconds it would be a day of 1970
    if _YEAR.fullmatch(year := typed.strip()):
        raise argparse.ArgumentTypeError(f"{year!r} is a year, not seconds; write {year}-01-01")
    try:
        return float(typed)
    except ValueError:
        return typed


def _from_json(typed: str, parser: argparse.ArgumentParser) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, value in pairs:
            if key in read:
                parser.error(f'--where: the key {key!r} stands twice; join the two by "and" or "or"')
            read[key] = value
        return read

    def refuse(constant: str) -> None:
        parser.error(f"--where: {constant} is no JSON")

    try:
        read: dict[str, Any] = json.loads(typed, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        parser.error(f"--where: is no JSON ({error})")
    return read


def _from_pairs(pairs: list[str], parser: argparse.ArgumentParser) -> dict[str, list[Any]]:
    """Return the values asked for, by field: text as typed, or a number or truth value where the field takes one.

    Metadata takes either, so both are looked for.
    """
    wanted: dict[str, list[Any]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            parser.error(f"--where: {pair!r} is neither FIELD=VALUE nor a filter in JSON")
        kind = KINDS.get(name, "any")
        if kind == "time":
            _check_time(pair, value, parser)
        meant = None if kind == "text" else _number_or_flag(value)
        if meant is not None:
            wanted.setdefault(name, []).append(meant)
        if meant is None or kind == "any":
            wanted.setdefault(name, []).append(value)
    return wanted


def _check_time(pair: str, value: str, parser: argparse.ArgumentParser) -> None:
    try:
        time_of(value)
    except argparse.ArgumentTypeError as error:
        parser.error(f"--where: {pair}: {error}")


def _number_or_flag(value: str) -> bool | int | float | None:
    try:
        meant = json.loads(value)
    except ValueError:
        return None
    return meant if isinstance(meant, (bool, int, float)) else None
