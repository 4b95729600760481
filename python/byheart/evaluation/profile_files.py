"""Profiles by name or from a file of one's own: a table of TOML, or what a Python file defines.

A file in TOML has a table for each profile, by its name (`byheart.profiles.files`).

A file in Python defines `PROFILES`, a list of profiles; without it, every `Profile` that has a name there counts, those
of byheart apart. It is run as any program is, so name only files that you trust.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterable
from pathlib import Path

from .. import profiles
from ..errors import InvalidArgument
from ..profiles import Profile
from ..profiles.files import of_toml

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
    found = of_toml(path) if path.suffix == ".toml" else _of_python(path)
    if not found:
        raise InvalidArgument(f"{path}: holds no profile")
    return found


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
