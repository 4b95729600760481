"""What public verbs give back is plain JSON and back again: every class of it, to the last bit of every float.

The classes are found by walking from what the verbs say that they return, so that a new one is asked without a word
here; each is filled by the annotations of its parts.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import json
import os
import pickle
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import byheart
from byheart import frozen
from byheart.boundary.policy import Policy, Retrieval, read_policy
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError, InvalidArgument, LimitExceeded, UnknownField, UnsupportedFormat
from byheart.frozen import SCHEMA_VERSION, Document
from byheart.memory.upkeep import Stats
from byheart.patterns import GateSignals
from byheart.profiles import NAMES, Profile, get
from byheart.ranking.explanation import Step
from byheart.recall.answer_table import AnswerTable, account_of
from byheart.recall.answers import Recall
from byheart.recall.receipt import Receipt
from byheart.recall.trace import Trace
from byheart.records import Record

from ..counts import examples
from .verbs import VERBS

COUNT = 300 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 20  # for each of some forty classes
POLICY = {"version": "1.0.0", "boundary_classes": {"public": {"allow": ["*"]}}, "name": "kitchen"}


def names_in(module: types.ModuleType) -> dict[str, Any]:
    """Return what annotations in a module may name: its own names, and what it imports for type checkers alone."""
    names = dict(vars(module))
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for each in node.body:
                if isinstance(each, ast.ImportFrom):
                    package = module.__package__ if each.level == 1 else (module.__package__ or "").rpartition(".")[0]
                    source = f"{package}.{each.module}" if each.level else each.module or ""
                    held = importlib.import_module(source)
                    names.update((one.asname or one.name, getattr(held, one.name)) for one in each.names)
    return names


def returned(function: Any) -> set[type]:
    """Return the classes that a function says it returns."""
    function = inspect.unwrap(function)
    module = sys.modules[function.__globals__["__name__"]]
    return parts_of(eval(function.__annotations__["return"], names_in(module)))


def parts_of(hint: Any) -> set[type]:
    """Return the classes that an annotation speaks of."""
    inner = typing.get_args(hint)
    found = {each for one in inner for each in parts_of(one)}
    return found | ({hint} if isinstance(hint, type) and not inner else set())


def documents() -> dict[str, type]:
    """Return all classes of the package that come back from a public verb, or stand in one that does, by name."""
    public = [value for name, value in vars(byheart.Memory).items() if not name.startswith("_")]
    verbs = [verb.fget if isinstance(verb, property) else verb for verb in public]
    assert len(verbs) > 80, "the scan found nothing to check"
    waiting = [kind for verb in verbs for kind in returned(verb)]
    found: dict[str, type] = {}
    while waiting:
        kind = waiting.pop()
        if not kind.__module__.startswith("byheart") or kind is byheart.Memory or kind in found.values():
            continue
        found[f"{kind.__module__.removeprefix('byheart.')}.{kind.__qualname__}"] = kind
        waiting += [each for name, (hint, _) in hints_of(kind).items() for each in parts_of(hint)]
        properties = [value.fget for value in vars(kind).values() if isinstance(value, property)]
        waiting += [each for get in properties if issubclass(kind, Document) for each in returned(get)]
    return found


def hints_of(kind: type) -> Mapping[str, tuple[Any, Any]]:
    return frozen._parts_of(kind) if issubclass(kind, Document) and kind not in (Recall, Record) else {}


FOUND = documents()
DOCUMENTS = {name: kind for name, kind in FOUND.items() if issubclass(kind, Document)}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(["<b>", "\x1f", "é", "version"])
floats = st.floats(allow_nan=False, allow_infinity=False)
jsons = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | floats | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
records = st.builds(
    Record, text=texts.map("x{}".format), id=st.none() | texts.map("i{}".format),
    created_at=st.none() | st.floats(0, 1e9), tags=st.lists(st.sampled_from(["a", "b"]), unique=True),
    importance=st.none() | st.floats(0, 1), metadata=st.dictionaries(texts, jsons, max_size=2),
)  # fmt: skip
MADE: dict[type, st.SearchStrategy[Any]] = {  # what is not filled by its annotations
    Record: records,
    Profile: st.sampled_from(NAMES).map(get),
    Policy: st.just(read_policy(POLICY)),
    Retrieval: st.builds(Retrieval, alpha=st.floats(0.3, 0.9), half_life_days=st.none() | st.floats(1, 90)),
    Stats: st.sampled_from([None, HashingEmbedder(8)]).map(lambda embedder: byheart.Memory(embedder=embedder).stats()),
    GateSignals: st.builds(
        GateSignals.of, st.lists(floats, min_size=5, max_size=5), st.integers(0, 9), st.just([("code", 2)])
    ),
}


def filled(hint: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """Return values that an annotation allows; documents inside documents end after a few."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([filled(each, depth) for each in inner])
    if hint is Any:
        return jsons
    if origin is typing.Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return st.lists(filled(inner[0], depth - 1), max_size=2).map(tuple) if depth > 0 else st.just(())
        return st.tuples(*(filled(each, depth) for each in inner))
    if origin is not None:
        assert issubclass(origin, Mapping), hint
        return st.dictionaries(texts, filled(inner[1], depth), max_size=2)
    plain = {str: texts, int: st.integers(0, 2**53), float: floats, bool: st.booleans(), type(None): st.none()}
    return plain[hint] if hint in plain else objects(hint, depth)


@cache
def objects(kind: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """Return objects of a class: as `MADE` has them, or filled by the annotations of their parts."""
    if kind in MADE:
        return MADE[kind]
    if kind is Recall:
        return st.builds(recall_of, objects(AnswerTable, 2), objects(Receipt, 0), st.none() | objects(Trace, 1))
    if issubclass(kind, tuple):
        hints = {name: frozen._hint(kind, name, written) for name, written in kind.__annotations__.items()}
        return st.builds(kind, **{name: filled(hint, depth) for name, hint in hints.items()})
    parts = {}
    for name, (hint, _) in frozen._parts_of(kind).items():
        optional = type(None) in typing.get_args(hint)
        parts[name] = st.none() if optional and depth < 1 else filled(hint, depth - 1)
    return st.builds(kind, **parts)


def recall_of(table: AnswerTable, receipt: Receipt, trace: Trace | None) -> Recall:
    """Return an answer of which these are the parts."""
    figures = {name: value for name, value in table.figures.items() if name != "strength"}
    table = replace(table, receipt=receipt, figures=figures)
    own = account_of(table, receipt)
    return Recall(table.hits, table.degraded, own, {"search": 1.0}, trace, table.skipped, receipt.routing)


def test_every_class_that_comes_back_is_a_document_or_has_a_form_of_its_own() -> None:
    assert len(DOCUMENTS) >= 30, "the scan found nothing to check"
    for name, kind in FOUND.items():
        whole = callable(getattr(kind, "to_dict", None)) and callable(getattr(kind, "from_dict", None))
        held = kind in frozen._CARRIED or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
        assert whole or held, f"{name} comes back from a public verb, and cannot be written as JSON"


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=COUNT, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_comes_back_is_json_and_back_again(name: str, data: st.DataObject) -> None:
    made = data.draw(objects(DOCUMENTS[name]))
    written = made.to_dict()
    line = json.dumps(written, allow_nan=False)
    again = DOCUMENTS[name].from_dict(json.loads(line))
    assert type(again) is type(made) and again == made
    assert again.to_dict() == written and json.dumps(again.to_dict(), allow_nan=False) == line
    assert written["schema_version"] == SCHEMA_VERSION and list(written).count("schema_version") == 1
    assert '"schema_version"' not in json.dumps({**written, "schema_version": 0})[22:]  # once, at the beginning


@pytest.mark.parametrize("name", FOUND)
@settings(max_examples=3, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_comes_back_is_pickled_and_copied(name: str, data: st.DataObject) -> None:
    made = data.draw(objects(FOUND[name]))
    for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert type(again) is type(made) and again == made


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_an_unknown_version_or_key_is_one_clear_error(name: str, data: st.DataObject) -> None:
    kind, written = DOCUMENTS[name], data.draw(objects(DOCUMENTS[name])).to_dict()
    for version in (0, SCHEMA_VERSION + 1, "1", None, True, 1.0):
        with pytest.raises(UnsupportedFormat, match="schema_version is"):
            kind.from_dict({**written, "schema_version": version})
    with pytest.raises(UnknownField, match="'nonsense'"):
        kind.from_dict({**written, "nonsense": 1})
    with pytest.raises((TypeError, AttributeError)):
        kind.from_dict([])
    assert kind.from_dict({key: value for key, value in written.items() if key != "schema_version"}) is not None


@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=COUNT, suppress_health_check=list(HealthCheck))
@given(st.data(), jsons)
def test_a_changed_value_gives_a_typed_error_or_an_object(name: str, data: st.DataObject, value: Any) -> None:
    kind, written = DOCUMENTS[name], data.draw(objects(DOCUMENTS[name])).to_dict()
    key = data.draw(st.sampled_from(sorted(written)))
    try:
        assert isinstance(kind.from_dict({**written, key: value}), kind)
    except ByheartError:
        pass
    except TypeError as error:
        assert kind is Record, error  # as a record itself says it


VERB_ANSWERS = ("recall", "recall_explained", "context", "records", "stats", "forget", "ingest_turn", "compact",
                "activate", "search", "upsert", "feedback", "decay", "observe", "purge", "embed", "check", "sessions",
                "users", "validate", "apply_policy")  # fmt: skip


@settings(max_examples=examples(250), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_answers_of_verbs_are_equal_after_the_trip(data: st.DataObject) -> None:
    with byheart.Memory(
        embedder=HashingEmbedder(8), scope="s", invariants=[{"id": "rule", "text": "Be kind."}]
    ) as memory:
        memory.remember_many(data.draw(VERBS["remember_many"].arguments("inside"))["records"])
        for name in data.draw(st.lists(st.sampled_from(VERB_ANSWERS), min_size=4, max_size=8)):
            try:
                answer = VERBS[name].run(memory, **data.draw(VERBS[name].arguments("inside")))
            except (ByheartError, TypeError):
                continue
            for each in answer if isinstance(answer, (tuple, list)) and not isinstance(answer, Document) else [answer]:
                kind = type(each)
                assert kind in FOUND.values(), f"{kind} comes back, and the walk has not found it"
                again = kind.from_dict(json.loads(json.dumps(each.to_dict(), allow_nan=False)))
                assert again == each and again.to_dict() == each.to_dict()
        log = memory.events()
        assert type(log).from_dict(json.loads(json.dumps(log.to_dict()))) == log


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hits": [{"id": "a"}]}, InvalidArgument, "Recall.hits[0]: lacks 'score'"),
        ({"hits": 5}, InvalidArgument, "Recall.hits: must be a list, not int"),
        ({"columns": {"score": ["x"]}}, InvalidArgument, "Recall.columns.score[0]: must be a float, not str"),
        ({"dropped": [["a"]]}, InvalidArgument, "Recall.dropped[0]: has 1 items; it has 2"),
        ({"degradd": []}, UnknownField, "Recall: unknown key 'degradd'; did you mean 'degraded'?"),
        ({"receipt": None}, InvalidArgument, "Recall: lacks 'receipt'"),
        ({"trace": {"purpose": 3}}, InvalidArgument, "Recall.trace.purpose: must be a str, not int"),
        ({"figures": {"strength": 3}}, InvalidArgument, "Recall.figures.strength: must be a mapping with the numbers"),
        ({"figures": {"strength": {"best": 0.5}}}, InvalidArgument, "Recall.figures.strength: must be a mapping"),
        ({"figures": {"strength": {"best": "a", "floor": 0.2}}}, InvalidArgument, "Recall.figures.strength: must"),
    ],
)
def test_errors_say_where_and_what_is_allowed(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with byheart.Memory() as memory:
        memory.remember("tea", id="a")
        with pytest.raises(error) as caught:
            Recall.from_dict({**memory.recall("tea").to_dict(), **changes})
    assert message in str(caught.value)


def test_what_is_nested_too_deep_is_refused() -> None:
    deep: dict[str, Any] = {"text": "x", "value": 1.0}
    for _ in range(100_000):
        deep = {"text": "x", "value": 1.0, "premises": [deep]}
    with pytest.raises(LimitExceeded, match="nested too deep"):
        Step.from_dict(deep)


def test_a_vector_or_clock_is_no_part_of_it() -> None:
    with byheart.Memory() as memory:
        memory.remember("tea", id="a", created_at=0)
        assert memory.recall("tea").timings and "timings" not in json.dumps(memory.recall("tea").to_dict())
        assert memory.recall("tea").to_dict() == memory.recall("tea").to_dict()


def test_an_answer_does_not_tell_that_an_id_lies_elsewhere_too() -> None:
    with byheart.Memory() as memory:
        elsewhere = byheart.Memory(store=memory._engine.store, boundary={"classes": ["secret"]})
        memory.remember("tea", id="a", boundary_class="public", created_at=0)
        inside = {"classes": ["public"]}
        before = json.dumps([memory.recall("tea", boundary=inside, explain=each).to_dict() for each in (True, False)])
        elsewhere.remember("payroll", id="a", boundary_class="secret", created_at=0)
        after = json.dumps([memory.recall("tea", boundary=inside, explain=each).to_dict() for each in (True, False)])
        assert after == before and "\\u001f" not in after
        both = memory.recall("tea payroll", profile="kb-fast", boundary={"classes": ["public", "secret"]})
        assert len(set(both.table.keys)) == 2 == len(both) and Recall.from_dict(both.to_dict()) == both
