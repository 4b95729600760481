"""What one is told who gives something wrong: arguments of verbs, records, settings and stages, in `refusals.txt`.

A row says by which error and in which words they are refused, and which values of which arguments are; of what is
taken there is none. Options that several verbs take are looked at in one verb of each kind.

What is changed on purpose is written anew: `python -m tests.unit.test_refusals_told > tests/unit/refusals.txt`.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.boundary.policy.retrieval import Retrieval
from byheart.conversation import gate
from byheart.conversation.filling import Filling
from byheart.conversation.leaning import Leaning
from byheart.conversation.packing import Recent
from byheart.errors import ByheartError
from byheart.memory.governed import PolicyOptions
from byheart.profiles.gated import IfGate
from byheart.profiles.profile import IfFewer, IfUnsure, Leg, Profile
from byheart.ranking import agreement, curves, registry, scoped
from byheart.ranking.activation import formulas as activation
from byheart.ranking.discovery import formulas as discovery
from byheart.ranking.registry import stage_class, stage_from_dict, stage_names
from byheart.ranking.tokens import GateTokens, HostTokens
from byheart.retrieval import protocol
from byheart.writing.noise_policy import NoisePolicy

from ..faults.test_odd_arguments import CONFIGURATIONS, OPTIONS, VERBS, call, usual

TABLE = Path(__file__).with_name("refusals.txt")


class Thing:
    """A value of a type that nothing takes."""

    def __repr__(self) -> str:
        return "<a thing>"


WRONG: dict[str, Any] = {
    "thing": Thing(), "none": None, "true": True, "-1": -1, "2.5": 2.5, "nan": float("nan"), "empty": "", "word": "x?",
    "nul": "a\0b", "half": "a\ud800b", "long": "x" * 300_000, "list": ["x?"], "nothings": [None],
    "mapping": {"x?": 1}, "numbered": {1: "a"},
}  # fmt: skip
LONGEST = 300
"""Characters of what is told in a row."""
WITH_OPTIONS = ("remember", "recall", "ingest_turn")


def refused(make: Callable[[Any], object], given: str) -> str | None:
    """Return what is told of one wrong value, with a mark where it is told itself; None if it is taken."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make(WRONG[given])
    except (ByheartError, TypeError) as error:
        told = f"{type(error).__name__}: {error}".encode(errors="backslashreplace").decode()
        told = re.sub(
            rf"\bnot {type(WRONG[given]).__name__}\b", "not <its type>", told.replace(str(Path.cwd()), "HERE")
        )
        told = re.sub(r"'x{9,}(\.\.\.x+)?'?", "<its value>", told.replace(repr(WRONG[given]), "<its value>"))
        return " ".join(re.sub(r"\b[0-9a-f]{32}\b", "<version>", told).split())[:LONGEST]
    return None


def rows(arguments: Iterable[str], make: Callable[[str, Any], object]) -> list[str]:
    """Return what is told of each argument, with all arguments and values of which it is told in one row."""
    told: dict[str, dict[str, list[str]]] = {}
    for argument in arguments:
        for given in WRONG:
            said = refused(partial(make, argument), given)
            if said is not None:
                said = re.sub(rf"(?<!\w){argument}(?!\w)", "<it>", said)
                told.setdefault(said, {}).setdefault(argument, []).append(given)
    found = []
    for said, names in told.items():
        alike: dict[str, list[str]] = {}
        for argument, values in names.items():
            alike.setdefault(", ".join(values), []).append(argument)
        found.append(said + "".join(f" | {', '.join(of)}: {values}" for values, of in alike.items()))
    return found


def of_verb(name: str) -> list[str]:
    """Return the rows of a verb, whose memory is made anew for each argument."""
    verb = VERBS[name]
    plain = [each.name for each in inspect.signature(verb).parameters.values() if each.kind is not each.VAR_KEYWORD]

    @lru_cache(maxsize=1)
    def given(argument: str) -> tuple[Memory, list[inspect.Parameter], dict[str, Any]]:
        return usual(name)

    def make(argument: str, value: Any) -> None:
        memory, known, needed = given(argument)
        call(name, memory, known, {**needed, argument: value})

    return rows(dict.fromkeys([*plain[1:], *(OPTIONS if name in WITH_OPTIONS else ())]), make)


def of_call(made: Any, needed: dict[str, Any]) -> list[str]:
    """Return the rows of something that is made."""
    return rows(inspect.signature(made).parameters, lambda argument, value: made(**{**needed, argument: value}))


def of_stage(name: str) -> list[str]:
    """Return the rows of a stage as one writes it down."""
    names = [spec.name for spec in fields(stage_class(name))]
    return rows(names, lambda argument, value: stage_from_dict({"stage": name, argument: value}))


SAMPLES: dict[str, Any] = {"str": "x", "int": 1, "float": 0.5, "bool": True, "Sequence[float]": [0.5]}
ALONE: list[tuple[Any, dict[str, Any]]] = [
    (Filling, {}), (Leaning, {}), (Recent, {}), (IfFewer, {}), (IfUnsure, {}),
    (IfGate, {}), (Leg, {"retriever": "words"}), (Profile, {"name": "mine"}), (PolicyOptions, {}), (NoisePolicy, {}),
    (Retrieval, {}), (GateTokens, {}), (HostTokens, {}),
]  # fmt: skip
"""What is made by itself, or called: what of it has to be given."""


def of_own(made: Any, needed: dict[str, Any]) -> list[str]:
    """Return the rows of what is made of plain values; each argument that must be given has one."""
    told = inspect.signature(made).parameters.values()
    given = {each.name: SAMPLES.get(str(each.annotation)) for each in told if each.default is each.empty}
    return of_call(made, {**given, **needed})


NUMBERS = {"float", "int", "bool", "float | None", "int | None", "Sequence[float]", "Smoothing", "str"}


def formulas() -> Iterator[tuple[str, Any]]:
    """Yield the functions of numbers alone that modules offer, by name."""
    for module in (activation, discovery, scoped, curves, agreement, gate):
        for name, made in sorted(vars(module).items()):
            if inspect.isfunction(made) and made.__module__ == module.__name__ and not name.startswith("_"):
                kinds = [str(each.annotation) for each in inspect.signature(made).parameters.values()]
                if kinds and all(kind in NUMBERS for kind in kinds):
                    yield f"{module.__name__}.{name}", made


PARTS: dict[str, Callable[[], list[str]]] = {
    **{name: partial(of_verb, name) for name in sorted(VERBS)},
    **{
        made.__name__: partial(of_call, made, needed)
        for made, needed in [(Record, {"text": "tea"}), (Memory, {}), *CONFIGURATIONS]
    },
    **{made.__name__: partial(of_own, made, needed) for made, needed in ALONE},
    **{name: partial(of_own, made, {}) for name, made in formulas()},
    **{
        f"stage {name}": partial(of_stage, name)
        for name in stage_names()
        if stage_class(name).__module__.startswith("byheart.")
    },
}


def kept() -> dict[str, list[str]]:
    """Return the rows of the table by part."""
    parts: dict[str, list[str]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            now = parts.setdefault(line[2:], [])
        else:
            now.append(line)
    return parts


def test_the_table_has_all_parts() -> None:
    there = kept()
    assert list(there) == list(PARTS)
    assert sum(map(len, there.values())) > 500


@pytest.mark.parametrize("part", PARTS)
def test_what_is_refused_is_told_in_the_words_of_the_table(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known = {name: each for name, each in protocol._KNOWN.items() if name in protocol._SHIPPED}
    monkeypatch.setattr(protocol, "_KNOWN", known)  # others were registered by other tests
    monkeypatch.setattr(registry, "_REGISTERED", {})
    assert PARTS[part]() == kept()[part]


if __name__ == "__main__":
    for part, of in PARTS.items():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            print(f"# {part}", *of(), sep="\n")
