"""Settings: a memory, the defaults of its recalls and profiles of one's own, in one file that people write.

    memory = "me.db"                 # beside this file, unless the path says otherwise
    embedder = "wordllama"           # hashing, wordllama, or a folder with a model
    preset = "conversation"          # or another argument of `Memory` that is a word, a number or a list of words
    single_valued = ["lives_in"]

    [recall]                         # k, profile, adaptive, and the options of a recall
    profile = "mine"
    k = 5

    [profiles.mine]                  # see `byheart.profiles.files`
    base = "auto"
    set = { "stages.Strength.floor" = 0.1 }

The command line reads `byheart.toml` in its folder; programs name the file: `Settings.read(file).open()`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import Any, Final

from .. import profiles
from ..errors import InvalidArgument, UnknownField, UnknownProfile
from ..light.classes import dataclass
from ..profiles import Profile
from ..profiles.files import of_tables, read_toml
from ..storage import at_home, is_in_process
from ..storage.delay import check_durability
from ..validation import nearest
from .memory import Memory

FILE: Final = "byheart.toml"

_TEXT, _WHOLE, _NUMBER, _WORDS, _FLAG, _TABLE = (str,), (int,), (int, float), (list,), (bool,), (dict,)
_NAMES: Final = {str: "text", int: "a whole number", float: "a number", list: "a list of texts", bool: "true or false",
                 dict: "a table"}  # fmt: skip
OPENING: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(
        ("memory", "tenant", "scope", "preset", "hypervectors", "noise", "noise_profile", "embedder", "model_profile",
         "vectors", "durability"),
        _TEXT,
    ),
    **dict.fromkeys(("relations", "single_valued"), _WORDS),
    "context_budget": _NUMBER,
    "read_only": _FLAG,
}  # fmt: skip
"""What a memory is opened with, and what each takes."""
_TIMES: Final = ("since", "until", "as_of")
RECALL: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("profile", "act", "mode", "session_id", "user_id", "category"), _TEXT),
    **dict.fromkeys(("deadline", "min_strength"), _NUMBER),
    "k": _WHOLE,
    **dict.fromkeys(("needed_roles", "exclude"), _WORDS),
    **dict.fromkeys(_TIMES, (*_TEXT, *_NUMBER)),
    **dict.fromkeys(("where", "boundary"), _TABLE),
    **dict.fromkeys(("operators", "include_superseded"), _FLAG),
    "adaptive": (*_FLAG, *_TEXT),
}
"""What a recall is told, and what each takes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file of settings says.

    Attributes:
        opening: arguments of `Memory`, and `memory`, its path; `embedder` and `model_profile` by name.
        recall: the defaults of a recall, `profile` by name.
        profiles: profiles of one's own, by name.

    """

    opening: Mapping[str, Any] = field(default_factory=dict)
    recall: Mapping[str, Any] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)

    @classmethod
    def read(cls, file: str | Path = FILE) -> Settings:
        r"""Return the settings of a file.

        Raises:
            UnknownField: a name that there is not; the message gives the nearest one.
            InvalidArgument: the file cannot be read, or a value is of another kind.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "byheart.toml"
        ...     _ = file.write_text('[recall]\nprofile = "few"\n[profiles.few]\nbase = "auto"\nmax_results = 3\n')
        ...     settings = Settings.read(file)
        >>> settings.recall["profile"], settings.profile().max_results
        ('few', 3)

        """
        file = Path(at_home(file))
        told = read_toml(file)
        recall, own = told.pop("recall", {}), told.pop("profiles", {})
        for name, table in (("recall", recall), ("profiles", own)):
            if not isinstance(table, dict):
                raise InvalidArgument(f"{file}: {name}: is no table; write [{name}], and what it holds below it")
        opening = _checked(f"{file}", told, OPENING, ("recall", "profiles"))
        _check_durability(f"{file}", opening)
        named = {each.name: each for each in of_tables(f"{file}: profiles", own)}
        taken = sorted(named.keys() & set(profiles.NAMES))
        if taken:
            raise InvalidArgument(f"{file}: [profiles.{taken[0]}]: is a profile of byheart; give yours another name")
        found = cls(_located(opening, file.parent), _checked(f"{file}: [recall]", recall, RECALL), named)
        try:
            found.profile()  # a name that nobody has is said now
        except UnknownProfile as error:
            raise UnknownProfile(f"{file}: [recall]: {error}") from None
        return found

    def profile(self, name: str | None = None) -> Profile:
        """Return the profile of a name, one's own or byheart's; without a name that of the recalls.

        Raises:
            UnknownProfile: there is none.

        """
        wanted = name if name is not None else self.recall.get("profile", "auto")
        return self.profiles.get(wanted) or profiles.get(wanted, tuple(self.profiles))

    def open(self, **more: Any) -> Memory:
        """Open the memory; arguments of `Memory` stand above the file's."""
        given = dict(self.opening)
        path, embedder, model_profile = (given.pop(name, None) for name in ("memory", "embedder", "model_profile"))
        if embedder is not None and "embedder" not in more:
            from ..embedding.named import named

            given["embedder"] = named(embedder, model_profile)
        return Memory(more.pop("path", path), **{**given, **more})

    def options(self) -> dict[str, Any]:
        """Return what `Memory.recall` is told beside the question: `memory.recall(query, **settings.options())`."""
        return {**self.recall, "profile": self.profile()}


def _checked(
    place: str, given: Mapping[str, Any], known: Mapping[str, tuple[type, ...]], more: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return what was given, if each name is known and each value of a kind that it takes; dates as ISO text."""
    given = {name: _as_text(value) if name in _TIMES else value for name, value in given.items()}
    for name, value in given.items():
        if name not in known:
            raise UnknownField(f"{place}: there is no {name!r}{nearest(name, (*known, *more))}")
        kinds = known[name]
        texts = not isinstance(value, list) or all(isinstance(each, str) for each in value)
        if not (isinstance(value, kinds) and isinstance(value, bool) <= (bool in kinds) and texts):
            wanted = " or ".join(dict.fromkeys(_NAMES[kind] for kind in kinds if kind is not int or float not in kinds))
            raise InvalidArgument(f"{place}: {name}: is {json.dumps(value, default=str)}; give {wanted}")
    return dict(given)


def _as_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _check_durability(place: str, opening: Mapping[str, Any]) -> None:
    """Refuse a word of the file that is none of the two, also where what reads it writes nothing."""
    try:
        check_durability(opening.get("durability", "full"))
    except InvalidArgument as error:
        raise InvalidArgument(f"{place}: {error}") from None


def _located(opening: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what a memory is opened with, paths taken from the folder of the file."""
    from ..embedding.named import NAMES

    path, embedder = opening.get("memory"), opening.get("embedder")
    if path is not None and not is_in_process(path):
        opening["memory"] = str(folder / at_home(path))
    if embedder is not None and embedder not in NAMES:
        opening["embedder"] = str(folder / at_home(embedder))
    return opening
