"""Configuration of a command: options as typed, then the environment, then `byheart.toml`, then the defaults."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import InvalidArgument, UnknownProfile
from ..storage import at_home
from .fields import as_json
from .usage import parsed

if TYPE_CHECKING:
    from ..memory.settings import Settings
    from ..profiles import Profile

MEMORY_VARIABLE: Final = "BYHEART_MEMORY"
SETTINGS_VARIABLE: Final = "BYHEART_SETTINGS"
_UNTYPED: Final = ("hypervectors", "noise", "noise_profile", "context_budget", "read_only", "durability")
"""What a memory is opened with that no option says."""
_WHOSE: Final = ("memory", "tenant")
"""What a server takes from a file of settings that was named, and not from one that lies where a host started it."""


def configured(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, environ: Mapping[str, str] = os.environ
) -> argparse.Namespace:
    """Return what a command line says, filled up from the environment and the file of settings.

    Raises:
        SystemExit: wrong usage (2), `--help` or `--version` (0); argparse has printed why.
        InvalidArgument: the file of settings cannot be used.

    """
    args = parsed(parser, argv)
    if getattr(args, "needs_memory", None) is None:
        return args
    file, settings = _read(args.settings, environ)
    values = dict(_values(settings, args)) if settings is not None else {}
    if "serves" in args and not (args.settings or environ.get(SETTINGS_VARIABLE)):
        values = {name: value for name, value in values.items() if name not in _WHOSE}
    if environ.get(MEMORY_VARIABLE):
        values["memory"] = environ[MEMORY_VARIABLE]
    args = _filled(parser, argv, args, values)
    args.configuration = settings
    args.said_in = {} if settings is None else _places(file, settings, given=args, values=values)
    args.opening = {} if settings is None else {n: v for n, v in settings.opening.items() if n in _UNTYPED}
    if args.memory is not None:
        args.memory = at_home(args.memory)
    elif args.needs_memory:
        args.parser.error(f"no memory is named: give --memory FILE, or set {MEMORY_VARIABLE}")
    return args


def _read(named: str | None, environ: Mapping[str, str]) -> tuple[str, Settings | None]:
    """Return the file that is named, or the one that lies here, and its settings; None if there is none."""
    from ..memory.settings import FILE, Settings

    named = named or environ.get(SETTINGS_VARIABLE) or None
    file = named or FILE
    is_there = named is not None or os.path.lexists(FILE)  # what is no file, or leads nowhere, is said
    return file, Settings.read(file) if is_there else None


def _places(file: str, settings: Settings, *, given: argparse.Namespace, values: Mapping[str, Any]) -> dict[str, str]:
    """Return where in the file of settings each value stands that no option and no variable took the place of."""
    places = {name: file for name in settings.opening} | {name: f"{file}: [recall]" for name in settings.recall}
    told = {**settings.opening, **settings.recall}
    return {
        name: place
        for name, place in places.items()
        if getattr(given, name, told[name]) is values.get(name, told[name])
    }


def blamed(args: argparse.Namespace | None, message: str) -> str:
    """Return what is wrong with a value, and in which file of settings, if it is one of those.

    >>> blamed(argparse.Namespace(said_in={"preset": "byheart.toml"}), "preset: 'x' is unknown")
    "byheart.toml: preset: 'x' is unknown"
    >>> blamed(argparse.Namespace(said_in={}), "k: is 0"), blamed(None, "k: is 0")
    ('k: is 0', 'k: is 0')
    """
    place = getattr(args, "said_in", {}).get(message.partition(":")[0])
    return message if place is None else f"{place}: {message}"


def _values(settings: Settings, args: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Yield the values of the settings by the names of the options that they stand in for."""
    yield from settings.opening.items()
    if "asks" not in args:
        return
    for name, value in settings.recall.items():
        if name == "where":
            yield name, [json.dumps(value)]
        elif name == "boundary":
            yield from value.items()
        else:
            yield name, value


def _filled(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, args: argparse.Namespace, values: Mapping[str, Any]
) -> argparse.Namespace:
    """Return the arguments with these values where no option was given."""
    own = {name: value for name, value in values.items() if name in args}
    defaults = {action: action.default for action in args.parser._actions if action.dest in own}
    for action in defaults:
        action.default = argparse.SUPPRESS  # so that only what was typed is there
    try:
        given = parsed(parser, argv) if own else args
    finally:  # the parser may read other command lines
        for action, default in defaults.items():
            action.default = default
    for name, value in own.items():
        if name not in given:
            setattr(given, name, value)
    return given


def profile_of(args: argparse.Namespace) -> Profile:
    """Return the profile that `--profile` names, with what `--set` changes in it.

    Raises:
        UnknownProfile: there is none of this name: not of byheart, of the settings, or in the file.
        InvalidArgument, UnknownField: a value that cannot be set.

    """
    from .. import profiles
    from ..profiles.files import changed, of_toml

    name: str = args.profile
    if name.endswith(".toml"):
        several = of_toml(Path(at_home(name)))
        if len(several) != 1:
            raise UnknownProfile(f"profile: {name} holds {len(several)} of them; a recall is of one")
        chosen = several[0]
    else:
        chosen = profiles.get(name) if args.configuration is None else args.configuration.profile(name)
    changes = {}
    for each in args.set:
        place, equals, typed = each.partition("=")
        if not equals:
            raise InvalidArgument(f"--set: {each!r} is no PLACE=VALUE, such as legs.dense.pool=50")
        value = as_json(typed)
        changes[place] = typed if value is None and typed != "null" else value
    return changed(chosen, changes) if changes else chosen
