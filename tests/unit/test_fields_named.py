"""Errors name the argument as the caller gave it, say what was given, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, errors
from byheart.profiles import Leg, Profile


@pytest.mark.parametrize("given", [3, "me.db", object(), type("Half", (), {"load": list})()])
def test_what_is_no_store_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^store must be one of `byheart\.storage`.*or work like one, not "):
        Memory(store=given)


def test_a_path_as_a_store_is_told_where_it_goes() -> None:
    given: Any = "me.db"
    with pytest.raises(TypeError, match=r"not str; a path is given by path="):
        Memory(store=given)


@pytest.mark.parametrize("given", ["unicode", 3, Memory])
def test_what_is_no_analyzer_is_refused(given: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"^analyzer must be an Analyzer, such as Analyzer\(\)"):
        Memory(tmp_path / "me.db", analyzer=given)
    assert not list(tmp_path.iterdir())


ID = TypeError, "^id must be str, not NoneType"
CALLS: dict[str, tuple[Callable[[Memory, Any], object], tuple[type[Exception], str]]] = {
    "update": (lambda memory, none: memory.update(none, text="x"), ID),
    "history": (lambda memory, none: memory.history(none), ID),
    "explain": (lambda memory, none: memory.explain("kettle", none), ID),
    "expand": (lambda memory, none: memory.expand(none), ID),
    "if_version": (
        lambda memory, _: memory.update("kettle", text="x", if_version=3),  # type: ignore[arg-type]
        (TypeError, "^if_version must be str, not int"),
    ),
    "adaptive": (
        lambda memory, _: memory.recall("x", adaptive="nope"),  # type: ignore[call-overload, arg-type]
        (errors.InvalidArgument, '^adaptive: "nope" is no profile of adaptive retrieval; use one of byheart, '),
    ),
    "adaptive of a context": (
        lambda memory, _: memory.context("x", 9, adaptive="nope"),  # type: ignore[arg-type]
        (errors.InvalidArgument, '^adaptive: "nope" is no profile'),
    ),
    "noise_profile": (
        lambda _, nope: Memory(noise_profile="nope"),  # type: ignore[arg-type]
        (errors.InvalidArgument, '^noise_profile: "nope" is no profile of noise; use one of byheart, '),
    ),
    "noise_profile of another kind": (
        lambda _, nope: Memory(noise_profile=3),  # type: ignore[arg-type]
        (TypeError, "^noise_profile must be str, not int"),
    ),
    "context_budget": (
        lambda _, nope: Memory(context_budget=-1),
        (errors.InvalidArgument, "^context_budget: is -1; give a number"),
    ),
    "context_budget of another kind": (
        lambda _, nope: Memory(context_budget="9"),  # type: ignore[arg-type]
        (TypeError, "^context_budget must be a number, not str"),
    ),
    "max_results": (
        lambda _, nope: Profile("mine", legs=(Leg("lexical"),), stages=(), max_results=-1),
        (errors.InvalidArgument, "^max_results: is -1; it must lie between 1 and 100000"),
    ),
    "pool": (
        lambda _, nope: Profile("mine", legs=(Leg("lexical"),), stages=(), pool=0),
        (errors.InvalidArgument, "^pool: is 0; it must lie between 1 and 100000"),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_error_names_the_argument(name: str) -> None:
    call, (error, message) = CALLS[name]
    memory = Memory()
    memory.remember("The kettle is descaled every spring.", id="kettle")
    with pytest.raises(error, match=message):
        call(memory, None)
    assert memory.get("kettle").text == "The kettle is descaled every spring."
