"""Profiles by name or from a file of one's own: a table of TOML, or what a Python file defines.

A file in TOML has a table for each profile, by its name:

    [mine]
    base = "hybrid"                     # the profile that it changes
    settings = { vectorWeight = 0.2 }   # of its configuration: hybrid, scoped and discovery have one
    max_results = 5                     # or fields of `Profile`, legs and stages too, as `Profile.to_dict` has them

A file in Python defines `PROFILES`, a list of profiles; without it, every `Profile` that has a name there counts, those
of byheart apart. It is run as any program is, so name only files that you trust.
"""

from __future__ import annotations

import runpy
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import profiles
from ..errors import ByheartError, InvalidArgument
from ..profiles import Profile
from ..validation import nearest

SUFFIXES = (".toml", ".py")


def profiles_of(names: Iterable[str | Profile]) -> list[Profile]:
    """Return the profiles that names, files and profiles stand for, in their order.

    Raises:
        UnknownProfile: a name that is neither a profile's nor a file's.
        InvalidArgument: a file that cannot be read, a profile in it that is none, or one name twice; the message says
            where.

    >>> [profile.name for profile in profiles_of(["kb-fast", "dense"])]
    ['kb-fast', 'dense']

    """
    found: list[Profile] = []
    for name in names:
        is_file = isinstance(name, str) and name.endswith(SUFFIXES)
        found += of_file(str(name)) if is_file else [profiles.get(name)]
    named = [profile.name for profile in found]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise InvalidArgument(f"profiles: {', '.join(map(repr, twice))} is given twice; give each a name of its own")
    return found


def of_file(path: str | Path) -> list[Profile]:
    """Return the profiles of a file. Raises as `profiles_of` does."""
    path = Path(path)
    found = _of_toml(path) if path.suffix == ".toml" else _of_python(path)
    if not found:
        raise InvalidArgument(f"{path}: holds no profile")
    return found


def _of_toml(path: Path) -> list[Profile]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # of TOML, and of UTF-8
        raise InvalidArgument(f"{path}: {error}") from None
    return [_made(f"{path}: [{name}]", name, table) for name, table in tables.items()]


def _made(place: str, name: str, table: Any) -> Profile:
    """Return the profile of one table."""
    if not isinstance(table, dict):
        raise InvalidArgument(f"{place}: is no table; write [NAME], and what the profile is below it")
    changes = dict(table)
    base, settings = changes.pop("base", None), changes.pop("settings", None)
    try:
        if base is None:
            if settings is not None:
                raise InvalidArgument("settings: are of a base; say which one")
            return Profile.from_dict({"name": name, **changes})
        begun = profiles.get(base) if settings is None else _configured(base, settings)
        if not changes:
            return replace(begun, name=name)
        return Profile.from_dict({**begun.to_dict(), "name": name, **changes})
    except (ByheartError, TypeError) as error:
        raise InvalidArgument(f"{place}: {error}") from None


def _configured(base: str, settings: Mapping[str, Any]) -> Profile:
    """Return a profile with other settings of its configuration."""
    if base == "hybrid":
        from ..profiles.hybrid import HybridConfig

        return HybridConfig(rerank="lightweight").merged(settings).profile()  # the rest as the name "hybrid" has it
    if base == "scoped":
        from ..profiles.scoped import ScopedConfig

        return ScopedConfig.from_dict(settings).profile()
    if base == "discovery":
        from ..profiles.discovery import DiscoveryConfig

        return DiscoveryConfig.from_dict(settings).profile()
    known = ("hybrid", "scoped", "discovery")
    raise InvalidArgument(f"settings: {base!r} has none; {', '.join(known)} have{nearest(str(base), known)}")


def _of_python(path: Path) -> list[Profile]:
    if not path.is_file():
        raise InvalidArgument(f"{path}: there is no such file")
    try:
        defined = runpy.run_path(str(path))
    except Exception as error:
        raise InvalidArgument(f"{path}: {type(error).__name__}: {error}") from error
    if "PROFILES" not in defined:
        ours = [profiles.get(name) for name in profiles.NAMES]
        public = [value for name, value in defined.items() if not name.startswith("_")]
        return [value for value in public if isinstance(value, Profile) and value not in ours]
    listed = list(defined["PROFILES"])
    for each in listed:
        if not isinstance(each, Profile):
            raise InvalidArgument(f"{path}: PROFILES holds a {type(each).__name__}; it must hold profiles")
    return listed
