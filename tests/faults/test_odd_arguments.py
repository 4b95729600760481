"""Arguments of odd types and sizes, given to every verb: each is taken, or refused by one error of ours.

The error is `ByheartError`, or `TypeError` for a wrong type, and its message is short. Afterwards the memory answers.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart import Memory, Record
from byheart.conversation.gate import GateSettings
from byheart.errors import ByheartError
from byheart.memory.options import RecallOptions
from byheart.profiles.discovery import DiscoveryConfig
from byheart.profiles.escalating import EscalatingConfig
from byheart.profiles.hybrid import HybridConfig
from byheart.profiles.router import RouterConfig
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.registry import stage_class, stage_from_dict, stage_names
from byheart.rules import Rule
from byheart.validation import CLASSES


class Colour(enum.Enum):
    RED = "red"


class Mute:
    """A value that cannot say what it is, nor whether it is true."""

    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise ValueError("neither")


def nested(kind: type) -> Any:
    """Return a container 3,000 deep: to write it down exhausts Python's stack."""
    value: Any = kind()
    for _ in range(3_000):
        value = {"a": value} if kind is dict else [value]
    return value


def midway() -> Iterator[str]:
    yield "a"
    raise KeyError("midway")


ODD: dict[str, Any] = {
    "array": np.array([1.0, 2.0]), "texts": np.array(["a", "b"]), "no axes": np.array(3.0), "none": np.array([]),
    "int64": np.int64(3), "float32": np.float32(0.5), "bool_": np.bool_(True), "str_": np.str_("abc"),
    "arrays": [np.array([1, 2])], "of arrays": {"a": np.array([1, 2])}, "bytes": b"abc", "bytearray": bytearray(b"x"),
    "view": memoryview(b"ab"), "decimal": decimal.Decimal("1.5"), "fraction": fractions.Fraction(1, 3),
    "enum": Colour.RED, "deep": nested(dict), "deep list": nested(list), "deep inside": {"a": nested(dict)},
    "nan": float("nan"), "inf": float("inf"), "-inf": -float("inf"), "huge": 2**70, "-huge": -(2**70),
    "digits": 10**5_000, "-digits": -(10**5_000), "great fraction": fractions.Fraction(10**400),
    "surrogate": "a\ud800b", "nul": "a\0b", "": "", "None": None, "True": True, "day": datetime.date(2020, 1, 1),
    "long ago": datetime.datetime(1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=14))),
    "list": ["a"], "tuple": ("a", 1), "set": {"a"}, "dict": {"a": 1}, "numbered": {1: "a"}, "of None": {"a": None},
    "[None]": [None], "object": object(), "mute": Mute(), "1.5": 1.5, "-1": -1, "0": 0, "long": "x" * 300_000,
    "complex": 1j, "function": midway, "class": str, "range": range(3), "record": Record(text="hi"),
}  # fmt: skip
USUAL: dict[str, Any] = {
    "text_or_record": "hello world tea", "text": "tea is hot", "query": "tea", "records": [{"text": "a b c"}],
    "queries": ["tea"], "where": {"kind": "note"}, "budget": 100, "message": "hello there my friend", "role": "user",
}  # fmt: skip
OF_VERB: dict[str, dict[str, Any]] = {
    "context": {"budget": 100}, "forget": {"ids": "x1"}, "delete": {"ids": "x1"}, "update": {"topic": "kitchen"},
    "feedback": {"signal": "helpful"}, "observe": {"source_type": "chat"}, "replace_sources": {"sources": {}},
    "upsert": {"provenance": {"from": "me", "at": 1}, "boundary_class": "internal"},
    "export_to": {"path": "new.jsonl"}, "backup": {"target": "new.db"},
}  # fmt: skip
"""What these verbs need besides, so that they do what they do."""
REFUSED = {"active_context", "apply_policy", "embed", "expand", "import_from", "observation"}
"""Verbs for which there is nothing here: no policy, embedder, summary or file."""
OPTIONS = dict.fromkeys([*inspect.signature(Record).parameters, *RecallOptions.__annotations__, "vector", "target"])
"""What verbs take as keywords: fields of records, how a recall is asked, and what there is besides."""
VERBS = {
    name: verb
    for name, verb in inspect.getmembers(Memory, inspect.isfunction)
    if not (name.startswith("_") or name == "close" or inspect.iscoroutinefunction(verb))
}
FILES = ("path", "target")


def test_all_verbs_are_asked() -> None:
    assert len(VERBS) > 35 and {"remember", "recall", "forget", "ingest_turn", "compact", "backup"} <= VERBS.keys()


def usual(name: str) -> tuple[Memory, list[inspect.Parameter], dict[str, Any]]:
    """Return a memory, the named arguments of a verb, and what it is usually given."""
    memory = Memory()
    memory.remember("tea is hot and green", id="x1")
    memory.ingest_turn("I live in Rome with my cat", session_id="s", user_id="u")
    known = [each for each in inspect.signature(VERBS[name]).parameters.values() if each.name != "self"]
    plain = [each for each in known if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)]
    needed = {each.name: USUAL.get(each.name, "x1") for each in plain if each.default is each.empty}
    return memory, plain, needed | OF_VERB.get(name, {})


def call(name: str, memory: Memory, plain: list[inspect.Parameter], given: dict[str, Any]) -> None:
    first = [given.pop(each.name) for each in plain if each.kind is each.POSITIONAL_ONLY]
    VERBS[name](memory, *first, **given)


@pytest.mark.parametrize("name", sorted(VERBS.keys() - REFUSED))
def test_what_is_usually_given_is_taken(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call(name, *usual(name))


@pytest.mark.parametrize("name", VERBS)
def test_an_odd_argument_is_taken_or_refused_by_one_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memory, plain, needed = usual(name)
    more = (
        OPTIONS
        if any(each.kind is each.VAR_KEYWORD for each in inspect.signature(VERBS[name]).parameters.values())
        else ()
    )
    asked, wrong = 0, list[str]()
    for argument in dict.fromkeys([*(each.name for each in plain), *more]):
        for what, value in [*ODD.items(), ("breaks off", midway())]:
            if argument in FILES and isinstance(value, str) and value.isalpha():
                continue  # a file of that name would be made
            asked += 1
            try:
                call(name, memory, plain, {**needed, argument: value})
            except (ByheartError, TypeError) as error:
                wrong += [f"{argument} = {what}: a long message"] if len(str(error)) > 20_000 else []
            except Exception as error:
                if what != "breaks off" or error.args != ("midway",):
                    wrong.append(f"{argument} = {what}: {type(error).__name__}")
    assert asked >= len(plain) * (len(ODD) - 10) and not wrong
    memory.remember("a green bicycle", id="x2")
    assert [hit.id for hit in memory.recall("bicycle")] == ["x2"] and memory.check() == []
    kept = memory.records(boundary={"classes": CLASSES})  # what was taken can be read again
    assert memory.get([str(record.id) for record in kept if record.boundary_class == "internal"]) is not None
    assert [Record.from_dict(record.to_dict()) for record in kept] == list(kept)


@pytest.mark.parametrize(("made", "needed"), [(Memory, {}), (Record, {"text": ""}), (Record, {"text": "tea"})])
def test_an_odd_setting_is_taken_or_refused_by_one_error(
    made: Any, needed: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = list(inspect.signature(made).parameters)
    assert len(names) > 20
    for argument in names:
        for what, value in ODD.items():
            if argument in FILES and isinstance(value, str) and value.isalpha():
                continue
            try:
                made(**{**needed, argument: value})
            except (ByheartError, TypeError) as error:
                assert len(str(error)) <= 20_000, f"{argument} = {what}"
            except Exception as error:
                pytest.fail(f"{argument} = {what}: {type(error).__name__}")


CONFIGURATIONS: list[tuple[Any, dict[str, Any]]] = [
    (GateSettings, {}), (HybridConfig, {}), (DiscoveryConfig, {}), (RouterConfig, {}), (ScopedConfig, {}),
    (EscalatingConfig, {"name": "mine"}), (Rule, {"id": "r", "when": [("?x", "a", "?y")], "then": ("?x", "b", "?y")}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("made", "needed"), CONFIGURATIONS)
def test_an_odd_configuration_is_taken_or_refused_by_one_error(made: Any, needed: dict[str, Any]) -> None:
    usual = made(**needed)
    asked = 0
    for argument in inspect.signature(made).parameters:
        for what, value in ODD.items():
            asked += 1
            try:
                taken = made(**{**needed, argument: value})
            except (ByheartError, TypeError) as error:
                assert len(str(error)) <= 20_000, f"{argument} = {what}"
            except Exception as error:
                pytest.fail(f"{argument} = {what}: {type(error).__name__}")
            else:
                assert not isinstance(getattr(taken, argument), (np.number, np.ndarray)), f"{argument} = {what}"
    assert asked > 200 and usual == made(**needed)


@pytest.mark.parametrize("name", stage_names())
def test_an_odd_setting_of_a_stage_is_taken_or_refused_by_one_error(name: str) -> None:
    own = ("not supported", "unsupported", "has no", "required positional", "truth value", "cannot unpack")
    for argument in [spec.name for spec in fields(stage_class(name))]:
        for what, value in ODD.items():
            try:
                stage_from_dict({"stage": name, argument: value})
            except (ByheartError, TypeError) as error:
                assert len(str(error)) <= 20_000, f"{argument} = {what}"
                assert not any(words in str(error) for words in own), f"{argument} = {what}: {error}"
            except Exception as error:
                pytest.fail(f"{argument} = {what}: {type(error).__name__}")


ENDLESS: dict[str, Callable[[Memory], object]] = {
    "a question under a policy": lambda memory: memory.recall(repeat("a")),  # type: ignore[arg-type]
    "a question of a context": lambda memory: memory.context(repeat("a"), 100),  # type: ignore[arg-type]
    "vectors": lambda memory: memory.recall_many(["x"], vectors=repeat([1.0])),  # type: ignore[arg-type]
    "relations": lambda memory: memory.upsert(
        "Ann drinks tea.", provenance={"from": "me", "at": 1}, boundary_class="internal", relations=repeat({"id": "r"})
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
@pytest.mark.parametrize("policy", [None, "default"])
def test_what_has_no_end_is_refused(what: str, policy: str | None) -> None:
    with pytest.raises((ByheartError, TypeError)):
        ENDLESS[what](Memory(policy=policy))
