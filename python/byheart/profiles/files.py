"""Profiles as tables of TOML: one that exists, changed by name.

A file has a table for each profile, by its name:

    [mine]
    base = "hybrid"                     # the profile that it changes
    settings = { vectorWeight = 0.2 }   # of its configuration, which all but auto and activation have
    max_results = 5                     # or fields of `Profile`, legs and stages too, as `Profile.to_dict` has them
    set = { "legs.0.pool" = 50 }        # or single numbers inside these: a leg by its place, a stage by its name too
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..errors import ByheartError, InvalidArgument, UnknownField
from ..light.expressions import expression
from ..retrieval.protocol import settings_of
from ..validation import as_mapping, bytes_of, nearest, shortly
from . import get
from .escalating import CONFIGS, EscalatingConfig
from .naming import settings as named
from .profile import CONDITION_FIELDS, Profile

MAX_TOML: Final = 256 * 1024  # bytes
_SECTOR: Final = 512  # bytes: a database is of whole pages
_MAX_PARTS: Final = 100
"""Parts of a name with dots; the parser takes memory with the square of them."""
_COMMENT: Final = expression(r"^[ \t]*#.*", re.MULTILINE)
_KINDS: tuple[Any, ...] = (bool, int, (float, int), str, list, dict)  # a whole number stays one
_WANTED: Final[dict[Any, str]] = {
    bool: "true or false", int: "a whole number", (float, int): "a number", str: "a text", list: "a list",
    dict: "a table",
}  # fmt: skip


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a file of TOML says.

    Raises:
        InvalidArgument: it cannot be read, is no regular file, longer than 256 KiB, or no TOML.

    """
    if _may_be_database(path):
        raise InvalidArgument(f"{path}: is a memory, or another database; name a file of TOML")
    try:
        text = bytes_of(path, MAX_TOML).replace(b"\r\n", b"\n").decode()
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"{path}: {error}") from None
    if any(part.count(".") >= _MAX_PARTS for part in re.split("[,=\n]", _COMMENT.sub("", text))):
        raise InvalidArgument(f"{path}: a name has more than {_MAX_PARTS} parts; write fewer dots in a row")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InvalidArgument(f"{path}: lists or tables lie too deep in each other; write them flatter") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(f"{path}: {error}") from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise InvalidArgument(f"{path}: a number has too many digits") from None


def _may_be_database(path: Path) -> bool:
    """Return whether SQLite takes a file for its own, which to open and close would take this process's locks along."""
    try:
        size = path.stat().st_size if path.is_file() else 0
    except OSError:
        return False
    if size == 0 or size % _SECTOR:
        return False
    from ..storage.connection import application_of  # on use: a file of TOML seldom has such a length

    return application_of(path.resolve()) is not None


def of_toml(path: Path) -> list[Profile]:
    """Return the profiles of a file."""
    return of_tables(str(path), read_toml(path))


def of_tables(place: str, tables: Mapping[str, Any]) -> list[Profile]:
    """Return a profile for each table; `place` says where they stand."""
    return [_made(f"{place}: [{name}]", name, table) for name, table in tables.items()]


def changed(profile: Profile, changes: Mapping[str, Any]) -> Profile:
    """Return a profile with other values at some places of what `Profile.to_dict` gives.

    A place is written with dots: a leg or a stage by its number, or by the name of its retriever or stage.

    Raises:
        UnknownField: there is no such place; the message gives the nearest one.
        InvalidArgument: the value cannot stand there.

    >>> mine = changed(get("auto"), {"max_results": 3, "legs.dense.pool": 50, "stages.Neighbours.after": 0})
    >>> mine.max_results, mine.legs[1].pool, mine.stages[1].after
    (3, 50, 0)

    """
    told, changes = profile.to_dict(), as_mapping("changes", changes)
    for place in changes:
        if not isinstance(place, str):
            raise TypeError(f"changes must name places by str, not {type(place).__name__}")
    for leg in told["legs"]:
        leg["settings"] = {**settings_of(leg["retriever"]), **leg["settings"]}
    for place, value in changes.items():
        _put(told, place, value)
    for leg, before in zip(told["legs"], profile.legs, strict=False):
        usual = settings_of(leg["retriever"])  # what was not set is not written down
        own = {name: leg["settings"][name] for name in leg["settings"] if name in before.settings}
        leg["settings"] = {
            name: value for name, value in leg["settings"].items() if name in own or value != usual.get(name, ...)
        }
    try:
        return Profile.from_dict(told)
    except (ByheartError, TypeError) as error:
        kind = type(error) if isinstance(error, ByheartError) else InvalidArgument
        places = f"{', '.join(changes)}: "
        raise kind(f"{places}{str(error).removeprefix(places)}") from None


def _put(told: Any, place: str, value: Any) -> None:
    """Put a value in its place."""
    *way, last = place.split(".")
    for step in way:
        told = told[_step(told, step, place)]
    step = _step(told, last, place)
    before = told[step] if isinstance(told, list) else told.get(step)
    kinds = next((kinds for kinds in _KINDS if isinstance(before, kinds)), None)
    if isinstance(before, list) and before and isinstance(value, list):
        inner = next(kinds for kinds in _KINDS if isinstance(before[0], kinds))
        inner = (float, int) if inner is int else inner
        wrong = [each for each in value if not isinstance(each, inner) or isinstance(each, bool) != (inner is bool)]
        if wrong:
            raise InvalidArgument(f"{place}: is a list such as {before!r}, and cannot hold {wrong[0]!r}")
    if kinds is not None and (not isinstance(value, kinds) or isinstance(value, bool) != (kinds is bool)):
        told = "a list" if isinstance(before, list) else "a table" if isinstance(before, dict) else repr(before)
        raise InvalidArgument(f"{place}: is {told}, and cannot become {value!r}; give {_WANTED[kinds]}")
    if last == "when" and isinstance(told, dict):  # the numbers of the condition that stood there go with it
        for name in CONDITION_FIELDS:
            told.pop(name, None)
    told[step] = value


def _step(told: Any, step: str, place: str) -> Any:
    """Return the key or number of one step."""
    if isinstance(told, dict):
        known = {**told, **(Profile.__dataclass_fields__ if "legs" in told else {})}
        if step in known or not known:
            return step
    elif isinstance(told, list):
        named = [str(each.get("retriever", each.get("stage"))) if isinstance(each, dict) else "" for each in told]
        if step.isdecimal() and int(step) < len(told):
            return int(step)
        if named.count(step) == 1:
            return named.index(step)
        known = dict.fromkeys((*map(str, range(len(told))), *named))
    else:
        known = {}
    raise UnknownField(f"{place}: there is no {step!r}; there are {', '.join(known) or 'none'}{nearest(step, known)}")


def _made(place: str, name: str, table: Any) -> Profile:
    """Return the profile of one table."""
    if not isinstance(table, dict):
        raise InvalidArgument(f"{place}: is no table; write [NAME], and what the profile is below it")
    changes = dict(table)
    for key, kind in (("base", str), ("settings", dict), ("set", dict)):
        if not isinstance(changes.get(key, kind()), kind):
            raise InvalidArgument(f"{place}: {key}: is {shortly(changes[key])}; give {_WANTED[kind]}")
    base, settings, single = changes.pop("base", None), changes.pop("settings", None), changes.pop("set", {})
    try:
        if base is None:
            if settings is not None:
                raise InvalidArgument("settings: are of a base; say which one")
            return changed(Profile.from_dict({"name": name, **changes}), single)
        begun = get(base) if settings is None else _configured(base, settings)
        begun = replace(begun, name=name)
        begun = Profile.from_dict({**begun.to_dict(), **changes}) if changes else begun
        return changed(begun, single) if single else begun
    except (ByheartError, TypeError) as error:
        raise InvalidArgument(f"{place}: {error}") from None


def _configured(base: str, settings: Mapping[str, Any]) -> Profile:
    """Return a profile with other settings of its configuration."""
    if base == "hybrid":
        from .hybrid import HybridConfig

        return HybridConfig(rerank="lightweight").merged(settings).profile()  # the rest as the name "hybrid" has it
    if base == "scoped":
        from .scoped import ScopedConfig

        return ScopedConfig.from_dict(settings).profile()
    if base == "discovery":
        from .discovery import DiscoveryConfig

        return DiscoveryConfig.from_dict(settings).profile()
    if base == "router":
        from .router import RouterConfig

        return RouterConfig.from_dict(settings).profile()
    if base in CONFIGS:
        given = named(f"profile {base}", settings, EscalatingConfig.__dataclass_fields__)
        return replace(CONFIGS[base], **given).profile()
    known = ("hybrid", "scoped", "discovery", "router", *CONFIGS)
    raise InvalidArgument(f"settings: {base!r} has none; {', '.join(known)} have{nearest(str(base), known)}")
