"""Filters: the written form goes there and back, the two tests agree, logic is logic, and nothing crashes."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Filter
from byheart.errors import InvalidArgument, LimitExceeded, UnknownField
from byheart.records import Record
from byheart.reference.filters import matches
from byheart.retrieval.filter import EVERYTHING, KINDS, fields_of

from ..counts import examples

NUMBERS = st.sampled_from([0, 1, 1.0, -0.0, 0.5, 2, 2**53])
WORDS = st.sampled_from(["", "a", "b", "1", "東京", "tea"])
FLAGS = st.booleans()
TIMES = st.sampled_from([0, 1.5, 10, "1970-01-01T00:00:01.5Z", "1970-01-01T01:00:10+01:00"])
ANY = NUMBERS | WORDS | FLAGS
FIELDS = {
    "topic": WORDS,
    "links": WORDS,
    "importance": NUMBERS,
    "created_at": TIMES,
    "archived": FLAGS,
    "source": WORDS,
    "metadata.x": ANY,
    "metadata.x.y": ANY,
}
EQUALITY = ["==", "$eq", "!=", "$ne"]
MEMBERSHIP = ["in", "$in", "not in", "$nin"]
BOUNDS = [">", "$gt", ">=", "$gte", "<", "$lt", "<=", "$lte"]


@st.composite
def conditions(draw: Any, field: str) -> Any:
    """Return what a mapping may say of one field."""
    values = FIELDS[field]
    maybe = values | st.none()
    ordered = {"metadata.x": draw(st.sampled_from([NUMBERS, WORDS])), "metadata.x.y": NUMBERS}.get(field, values)
    operators: dict[str, Any] = {
        **dict.fromkeys(EQUALITY, maybe),
        **dict.fromkeys(MEMBERSHIP, st.lists(maybe, max_size=3)),
        **({} if field == "archived" else dict.fromkeys(BOUNDS, ordered)),
        "exists": FLAGS,
        "$exists": FLAGS,
        "not": maybe | st.lists(maybe, max_size=2),
    }
    if draw(st.booleans()):
        return draw(maybe | st.lists(maybe, max_size=3))
    chosen = draw(st.lists(st.sampled_from(sorted(operators)), min_size=1, max_size=3, unique=True))
    return {operator: draw(operators[operator]) for operator in chosen}


@st.composite
def leaves(draw: Any) -> dict[str, Any]:
    """Return a filter over some fields."""
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True))
    return {field: draw(conditions(field)) for field in chosen}


def joins(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return filters made of filters."""
    word = st.sampled_from(["and", "$and", "or", "$or"])
    several = st.tuples(word, st.lists(inner, min_size=1, max_size=3)).map(lambda pair: {pair[0]: pair[1]})
    return several | st.tuples(st.sampled_from(["not", "$not"]), inner).map(lambda pair: {pair[0]: pair[1]})


wheres = st.recursive(leaves(), joins, max_leaves=6)
held = ANY | st.none() | st.lists(ANY | st.none(), max_size=3)
records = st.builds(
    Record,
    text=st.just("-"),
    topic=st.none() | WORDS,
    links=st.lists(WORDS, max_size=2),
    importance=st.none() | st.sampled_from([0, 0.5, 1]),
    created_at=st.none() | st.sampled_from([0, 1.5, 10]),
    archived_by=st.sampled_from([None, "summary"]),
    provenance=st.sampled_from([{}, {"source_name": "a"}]),
    metadata=st.fixed_dictionaries({}, optional={"x": held | st.fixed_dictionaries({"y": held}), "x.y": held}),
)


@settings(max_examples=examples(400))
@given(wheres, records)
def test_the_written_form_goes_there_and_back_and_both_tests_agree(where: Any, record: Record) -> None:
    made = Filter.parse(where)
    again = Filter.parse(json.loads(json.dumps(made.to_dict())))

    assert again == made and repr(again.canonical) == repr(made.canonical)
    assert made.matches(record) is matches(made.canonical, fields_of(record))


@settings(max_examples=examples(200))
@given(wheres, wheres, records)
def test_logic_is_logic(one: Any, other: Any, record: Record) -> None:
    """De Morgan, both ways; double negation; "and" and "or" do not mind order, doubles or brackets."""
    a, b = Filter.parse(one), Filter.parse(other)
    seen = fields_of(record)

    assert matches((a & b).canonical, seen) == (a.matches(record) and b.matches(record))
    assert matches((a | b).canonical, seen) == (a.matches(record) or b.matches(record))
    assert matches((~a).canonical, seen) != matches(a.canonical, seen)
    assert matches((~(a & b)).canonical, seen) == matches((~a | ~b).canonical, seen)
    assert matches((~(a | b)).canonical, seen) == matches((~a & ~b).canonical, seen)
    assert ~~a == a and a & b == b & a and a & (a & b) == a & b and a | b == b | a and a | (b | a) == a | b
    assert (a & Filter()) == a and Filter().canonical == EVERYTHING


def obvious(where: Any, record: Record) -> bool:
    """Say what a written filter means, straight from the table in the documentation; no canonical form."""
    for key, value in where.items():
        word = key.removeprefix("$")
        if word in ("and", "or"):
            answer = (all if word == "and" else any)(obvious(part, record) for part in value)
        elif word == "not":
            answer = not obvious(value, record)
        else:
            answer = condition(key, value, fields_of(record).get(key, ()))
        if not answer:
            return False
    return True


def condition(field: str, asked: Any, values: tuple[Any, ...]) -> bool:
    if not isinstance(asked, dict):
        return one_of(field, asked if isinstance(asked, list) else [asked], values)
    names = {"eq": "==", "ne": "!=", "nin": "not in", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
    bounds = []
    for operator, given_value in asked.items():
        word = operator.removeprefix("$")
        word = names.get(word, word)
        if word in (">", ">=", "<", "<="):
            bounds.append((word, bare(field, given_value)))
        elif word == "exists":
            if bool(values) is not given_value:
                return False
        elif word == "not":
            if condition(field, given_value, values):
                return False
        else:
            listed = given_value if word in ("in", "not in") else [given_value]
            if one_of(field, listed, values) is (word in ("!=", "not in")):
                return False
    lows = [bound for bound in bounds if bound[0][0] == ">"]
    highs = [bound for bound in bounds if bound[0][0] == "<"]
    pairs = [[*lows[place : place + 1], *highs[place : place + 1]] for place in range(max(len(lows), len(highs)))]
    return all(any(all(within(value, *bound) for bound in pair) for value in values) for pair in pairs)


def bare(field: str, value: Any) -> Any:
    known = {"1970-01-01T00:00:01.5Z": 1.5, "1970-01-01T01:00:10+01:00": 10}
    return known.get(value, value) if field == "created_at" and isinstance(value, str) else value


def tagged(value: Any) -> tuple[str, Any]:
    return ("flag" if isinstance(value, bool) else "text" if isinstance(value, str) else "number", value)


def one_of(field: str, asked: list[Any], values: tuple[Any, ...]) -> bool:
    wanted = [tagged(bare(field, value)) for value in asked if value is not None]
    return any(tagged(value) in wanted for value in values) or (None in asked and not values)


def within(value: Any, sign: str, bound: Any) -> bool:
    if tagged(value)[0] != tagged(bound)[0]:
        return False
    return {">": value > bound, ">=": value >= bound, "<": value < bound, "<=": value <= bound}[sign]


@settings(max_examples=examples(400))
@given(wheres, records)
def test_it_means_what_the_documentation_says(where: Any, record: Record) -> None:
    assert Filter.parse(where).matches(record) is obvious(where, record)


names = st.sampled_from(
    [*KINDS, *BOUNDS, *EQUALITY, *MEMBERSHIP, "and", "$or", "not", "exists", "metadata.x", "text", "metadata"]
)
keys = names | st.text(max_size=4) | st.integers()
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=2)
anything = st.recursive(
    scalars | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=examples(400))
@given(anything | st.dictionaries(names, anything, max_size=3))
def test_whatever_comes_in_a_filter_or_one_typed_error_comes_out(where: Any) -> None:
    try:
        made = Filter.parse(where)
    except (UnknownField, InvalidArgument, LimitExceeded) as error:
        assert str(error).startswith("where: ") and len(str(error)) < 500
    except TypeError as error:
        assert not isinstance(where, dict) and str(error).startswith("where must be a mapping")
    else:
        assert Filter.parse(json.loads(json.dumps(made.to_dict(), allow_nan=False))) == made
