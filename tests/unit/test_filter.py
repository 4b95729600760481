"""Filters as users write them: what each form matches, what is refused, and how the refusal reads."""

import enum
import json
import pickle
from datetime import UTC, datetime

import pytest

from byheart import Filter, field
from byheart.errors import InvalidArgument, LimitExceeded, UnknownField
from byheart.records import Record
from byheart.reference import filters
from byheart.retrieval.filter import KINDS, OPERATORS, fields_of

MADE = 1_767_225_600.0  # 2026-01-01T00:00:00Z

KETTLE = Record(
    text="Descale the kettle.",
    id="kettle",
    tenant="home",
    scope="project",
    boundary_class="internal",
    topic="kitchen",
    user_id="ann",
    importance=0.5,
    created_at=MADE,
    links=("vinegar", "tap"),
    provenance={"source_name": "notes.md"},
    metadata={"room": "kitchen", "seats": 4, "open": True, "none": None, "size": {"m2": 12.5}, "floors": [1, 9], "": 1},
)


def matches(where, record=KETTLE):
    """Return the answer of the package, after the definition and a trip through JSON have given the same."""
    made = Filter.parse(where)
    defined = filters.matches(made.canonical, fields_of(record))
    again = Filter.parse(json.loads(json.dumps(made.to_dict())))

    assert again == made and hash(again) == hash(made)
    assert made.matches(record) is defined
    return defined


TRUE = {
    "a value": {"topic": "kitchen"},
    "one of a list": {"topic": ["hall", "kitchen"]},
    "a set of values": {"topic": {"hall", "kitchen"}},
    "no value": {"session_id": None},
    "one of a list, or no value": {"session_id": ["s1", None]},
    "several keys": {"topic": "kitchen", "user_id": "ann"},
    "==": {"topic": {"==": "kitchen"}},
    "!=": {"topic": {"!=": "hall"}},
    "!= None": {"topic": {"!=": None}},
    "in": {"topic": {"in": ["kitchen"]}},
    "not in": {"topic": {"not in": ["hall"]}},
    "not in matches a missing value": {"session_id": {"not in": ["s1"]}},
    "!= matches a missing value": {"session_id": {"!=": "s1"}},
    "not matches a missing value": {"not": {"session_id": "s1"}},
    "a not inside a field": {"topic": {"not": {"in": ["hall"]}}},
    "a not of a value inside a field": {"topic": {"not": "hall"}},
    "exists": {"topic": {"exists": True}},
    "exists not": {"session_id": {"exists": False}},
    "a range": {"importance": {">=": 0.5, "<": 0.6}},
    "a range of text, by code points": {"topic": {">": "hall", "<=": "kitchen"}},
    "or": {"or": [{"topic": "hall"}, {"user_id": "ann"}]},
    "and": {"and": [{"topic": "kitchen"}, {"user_id": "ann"}]},
    "nothing asked": {},
    "one of a record's list": {"links": "tap"},
    "any of a record's list": {"links": ["tap", "oven"]},
    "metadata": {"metadata.room": "kitchen"},
    "metadata as a whole number and as a float": {"metadata.seats": 4.0},
    "a flag of metadata": {"metadata.open": True},
    "metadata in metadata": {"metadata.size.m2": {">": 12}},
    "one of metadata's list": {"metadata.floors": 9},
    "None in metadata is no value": {"metadata.none": None},
    "source": {"source": "notes.md"},
    "archived": {"archived": False},
    "what asks nothing": {"asks": False},
    "a time as a number": {"created_at": MADE},
    "a time as ISO text": {"created_at": {">=": "2026-01-01T01:00:00+01:00"}},
    "a time as a datetime": {"created_at": {"<=": datetime(2026, 1, 1, tzinfo=UTC)}},
    "$eq": {"topic": {"$eq": "kitchen"}},
    "$ne": {"topic": {"$ne": "hall"}},
    "$in": {"topic": {"$in": ["kitchen"]}},
    "$nin": {"topic": {"$nin": ["hall"]}},
    "$gt and $lt": {"importance": {"$gt": 0.4, "$lt": 0.6}},
    "$gte and $lte": {"importance": {"$gte": 0.5, "$lte": 0.5}},
    "$exists": {"topic": {"$exists": True}},
    "$or of $and": {"$or": [{"$and": [{"topic": "kitchen"}, {"user_id": "ann"}]}, {"topic": "x"}]},
    "$not outside and inside": {"$not": {"topic": {"$not": {"$gt": "h"}}}},
}
FALSE = {
    "another value": {"topic": "hall"},
    "an empty list": {"topic": []},
    "one key of several": {"topic": "kitchen", "user_id": "bob"},
    "a value where there is none": {"session_id": "s1"},
    "a range where there is no value": {"confidence": {">=": 0}},
    "a bound that does not count": {"importance": {">": 0.5}},
    "a range that is empty": {"importance": {">": 0.6, "<": 0.4}},
    "not of everything": {"not": {}},
    "a key of metadata that was never seen": {"metadata.colour": "red"},
    "a range over metadata that was never seen": {"metadata.colour": {">": ""}},
    "a number for a text of metadata": {"metadata.room": 4},
    "a range of numbers over a text": {"metadata.room": {">": 0}},
    "a text for a number of metadata": {"metadata.seats": "4"},
    "True is not 1": {"metadata.open": 1},
    "4 is not a flag": {"metadata.seats": True},
    "a mapping in metadata has no value of its own": {"metadata.size": {"exists": True}},
    "no single value of the list lies between": {"metadata.floors": {">": 1, "<": 9}},
    "!= speaks of all values of a list": {"links": {"!=": "tap"}},
}


@pytest.mark.parametrize("where", TRUE.values(), ids=TRUE)
def test_it_matches(where) -> None:
    assert matches(where)


@pytest.mark.parametrize("where", FALSE.values(), ids=FALSE)
def test_it_does_not_match(where) -> None:
    assert not matches(where)


def test_two_bounds_are_of_one_value_and_two_filters_of_any() -> None:
    """A record of floors 1 and 9 has none between 2 and 8, and yet one above 2 and one below 8."""
    assert not matches({"metadata.floors": {">": 2, "<": 8}})
    assert matches({"and": [{"metadata.floors": {">": 2}}, {"metadata.floors": {"<": 8}}]})
    assert matches({"metadata.floors": {">": 2, "$gt": 8, "<=": 9}})
    assert not matches({"metadata.floors": {">": 2, "$gt": 9}})


def test_a_key_with_dots_and_a_key_in_a_key_are_one_field() -> None:
    both = Record(text="-", metadata={"a.b": 1, "a": {"b": [2, True], "c": {"d": "e"}}, "f": [[3], {"g": 4}, "h"]})

    assert fields_of(both)["metadata.a.b"] == (True, 1.0, 2.0)
    assert fields_of(both)["metadata.a.c.d"] == ("e",)
    assert fields_of(both)["metadata.f"] == ("h",)
    assert "metadata.f.g" not in fields_of(both) and "metadata.a" not in fields_of(both)


def test_every_field_has_its_values() -> None:
    seen = fields_of(KETTLE)

    assert {name: values for name, values in seen.items() if not name.startswith("metadata.")} == {
        "id": ("kettle",),
        "tenant": ("home",),
        "scope": ("project",),
        "boundary_class": ("internal",),
        "topic": ("kitchen",),
        "user_id": ("ann",),
        "created_at": (MADE,),
        "importance": (0.5,),
        "access_count": (0.0,),
        "seen_count": (1.0,),
        "links": ("tap", "vinegar"),
        "source": ("notes.md",),
        "archived": (False,),
        "invariant": (False,),
        "asks": (False,),
    }
    assert fields_of(Record(text="-", archived_by="s"))["archived"] == (True,)
    assert set(seen) - {name for name in seen if name.startswith("metadata.")} <= set(KINDS)


def test_every_field_that_can_be_asked_for_is_one_of_a_record() -> None:
    strangers = set(KINDS) - set(Record.__dataclass_fields__) - {"source", "archived", "asks"}

    assert strangers <= {"speaker", "superseded_by", "tags", "valid_from", "valid_to"}, "known before records are"


def test_the_speaker_is_whoever_the_record_says_it_is() -> None:
    class Said(Record):
        def said_by(self) -> str:
            return "Ann"

    assert fields_of(Said(text="Ann: the tea is ready"))["speaker"] == ("Ann",)


def test_numbers_are_floats_of_any_size() -> None:
    large = Record(text="-", metadata={"n": 10**400, "m": -(10**400), "z": -0.0, "id": 2**53 + 1})

    assert fields_of(large)["metadata.n"] == (1.7976931348623157e308,)
    assert fields_of(large)["metadata.m"] == (-1.7976931348623157e308,)
    assert str(fields_of(large)["metadata.z"][0]) == "0.0"
    assert Filter.parse({"metadata.id": {">": 2**53 - 1}}).matches(large)


def test_what_says_the_same_is_equal() -> None:
    one = Filter.parse({"topic": ["a", "b", "a"], "user_id": "ann"})

    assert one == Filter.parse({"and": [{"user_id": "ann"}, {"and": [{"topic": {"$in": ["b", "a"]}}]}]})
    assert Filter.parse({"not": {"not": {"topic": "a"}}}) == Filter.parse({"topic": "a"})
    assert Filter.parse({"topic": {"!=": None}}) == Filter.parse({"topic": {"exists": True}})
    assert Filter.parse({"metadata.n": 1}) == Filter.parse({"metadata.n": 1.0})
    assert Filter.parse({"metadata.n": 1}) != Filter.parse({"metadata.n": True})
    assert len({one, Filter.parse({"metadata.n": 1}), Filter.parse({"metadata.n": True}), Filter.parse(one)}) == 3
    assert one != {"topic": "a"}
    assert pickle.loads(pickle.dumps(one)) == one
    assert eval(repr(one), {"Filter": Filter}) == one


def test_values_stand_in_an_order_of_their_own() -> None:
    words = [f"w{n:02}" for n in range(40)]

    assert Filter.parse({"metadata.x": [*reversed(words), 2, True, -1.5, False]}).canonical == (
        "in",
        "metadata.x",
        (False, True, -1.5, 2.0, *words),
    )


def test_the_builder_says_the_same() -> None:
    assert (field("topic") == "tea") == Filter.parse({"topic": "tea"})
    assert (field("topic") == None) == Filter.parse({"topic": None})  # noqa: E711
    assert (field("topic") != "tea") == Filter.parse({"topic": {"!=": "tea"}})
    assert (field("importance") > 0.5) == Filter.parse({"importance": {">": 0.5}})
    assert (field("importance") < 0.5) == Filter.parse({"importance": {"<": 0.5}})
    assert (field("importance") <= 0.5) == Filter.parse({"importance": {"<=": 0.5}})
    assert field("topic").is_in(word for word in ("a", "b")) == Filter.parse({"topic": ["a", "b"]})
    assert field("topic").not_in({"a"}) == Filter.parse({"topic": {"not in": ["a"]}})
    assert field("topic").missing() == ~field("topic").exists() == Filter.parse({"topic": None})
    assert repr(field("topic")) == "field('topic')"
    made = (field("created_at") >= MADE) & ~field("user_id").is_in(["ann", "bob"]) | (field("topic") == "tea")
    assert made == Filter.parse(
        {"or": [{"created_at": {">=": MADE}, "user_id": {"not in": ["ann", "bob"]}}, {"topic": "tea"}]}
    )


def test_a_filter_is_neither_true_nor_false() -> None:
    tea = field("topic") == "tea"
    for misuse in (lambda: tea and tea, lambda: not tea, lambda: 0 < field("importance") < 1):
        with pytest.raises(TypeError, match=r"join filters by & \| ~"):
            misuse()
    with pytest.raises(TypeError):
        tea & {"topic": "tea"}  # type: ignore[operator]
    with pytest.raises(TypeError, match="unhashable"):
        hash(field("topic"))


def test_since_and_until() -> None:
    assert Filter.between(MADE, None).matches(KETTLE)
    assert not Filter.between(None, MADE).matches(KETTLE)
    assert Filter.between().wide and Filter.asked() is None and Filter.asked({}) is None
    assert Filter.asked({"topic": "tea"}, since=MADE) == Filter.parse({"topic": "tea", "created_at": {">=": MADE}})
    assert Filter.asked(field("topic") == "tea") == Filter.parse({"topic": "tea"})
    with pytest.raises(InvalidArgument, match="since: 2 is after until, 1"):
        Filter.between(2, 1)


REFUSED = {
    "no mapping": (7, TypeError, "where must be a mapping"),
    "a list": ([], TypeError, "not list"),
    "an unknown field": ({"catgory": "tea"}, UnknownField, "did you mean 'category'"),
    "a key of metadata without its name": ({"room": "hall"}, UnknownField, "'metadata.room'"),
    "an empty field": ({"": 1}, UnknownField, "unknown field"),
    "metadata without a key": ({"metadata.": 1}, UnknownField, "unknown field"),
    "metadata as a whole": ({"metadata": {"room": "hall"}}, InvalidArgument, "metadata.room"),
    "provenance": ({"provenance": "x"}, InvalidArgument, "'source'"),
    "a field that is no text": ({7: "tea"}, InvalidArgument, "not int"),
    "text": ({"text": "kettle"}, InvalidArgument, "searched, not filtered"),
    "claim": ({"claim": "kettle"}, InvalidArgument, "searched, not filtered"),
    "a lone surrogate in a field": ({"metadata.\ud800": 1}, InvalidArgument, "lone surrogate"),
    "a lone surrogate in a value": ({"topic": "\ud800"}, InvalidArgument, "lone surrogate"),
    "a field of 2 kB": ({"metadata." + "x" * 2000: 1}, LimitExceeded, "1024"),
    "an unknown operator": ({"topic": {"exist": True}}, InvalidArgument, "did you mean 'exists'"),
    "an operator that is no text": ({"topic": {7: True}}, InvalidArgument, "there are =="),
    "no operator": ({"topic": {}}, InvalidArgument, "names no operator"),
    "a join inside a field": ({"topic": {"$or": ["a"]}}, InvalidArgument, "unknown operator '$or'"),
    "a number for a text": ({"user_id": 7}, InvalidArgument, "user_id takes text, not 7 (int)"),
    "a flag for a number": ({"importance": True}, InvalidArgument, "takes numbers, not True (bool)"),
    "a text for a number": ({"importance": "0.5"}, InvalidArgument, "takes numbers"),
    "a number for a flag": ({"archived": 1}, InvalidArgument, "takes True or False"),
    "bytes": ({"metadata.room": b"hall"}, InvalidArgument, "bytes"),
    "a datetime for metadata": ({"metadata.day": datetime(2026, 1, 1, tzinfo=UTC)}, InvalidArgument, "datetime"),
    "NaN": ({"importance": {">": float("nan")}}, InvalidArgument, "nan"),
    "infinity": ({"importance": {"<": float("inf")}}, InvalidArgument, "leave an open bound out"),
    "a number that has neighbours": ({"metadata.n": 2**53 + 1}, InvalidArgument, "keep such ids as text"),
    "a day that no calendar has": ({"created_at": "2026-01-32"}, InvalidArgument, "is no ISO time"),
    "no time": ({"created_at": {">": "spring"}}, InvalidArgument, "'spring' is no ISO time"),
    "a flag for a time": ({"created_at": True}, InvalidArgument, "takes a datetime"),
    "a class that does not exist": ({"boundary_class": "intern"}, InvalidArgument, "use one of public, internal"),
    "a unit type that does not exist": ({"ku_type": ["x"]}, InvalidArgument, "atomic"),
    "an order of flags": ({"archived": {">": False}}, InvalidArgument, "flags have no order"),
    "None as a bound": ({"importance": {">": None}}, InvalidArgument, "None"),
    "bounds of two kinds": ({"metadata.n": {">": 1, "<": "b"}}, InvalidArgument, "no value lies between"),
    "a list for ==": ({"topic": {"==": ["a"]}}, InvalidArgument, "take a list"),
    "a value for in": ({"topic": {"in": "tea"}}, InvalidArgument, "takes a list"),
    "a number for exists": ({"topic": {"exists": 1}}, InvalidArgument, "takes True or False"),
    "a mapping for or": ({"or": {"topic": "a"}}, InvalidArgument, "takes a list of filters"),
    "an empty or": ({"or": []}, InvalidArgument, "'or' is empty"),
    "an empty and": ({"and": []}, InvalidArgument, "'and' is empty"),
    "a value for not": ({"not": "tea"}, InvalidArgument, "a filter is a mapping"),
    "a list for not": ({"not": [{"topic": "a"}]}, InvalidArgument, "a filter is a mapping"),
    "10,001 values": ({"topic": ["x"] * 10_001}, LimitExceeded, "10000"),
    "10,001 filters": ({"or": [{"topic": str(n)} for n in range(10_001)]}, LimitExceeded, "10000"),
}


@pytest.mark.parametrize(("where", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused(where, error, message) -> None:
    with pytest.raises(error) as caught:
        Filter.parse(where)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def deep(levels: int):
    where = {"topic": "tea"}
    for _ in range(levels - 1):
        where = {"or": [where]}
    return where


def test_levels_are_counted() -> None:
    assert Filter.parse(deep(32)).canonical == ("in", "topic", ("tea",))
    with pytest.raises(LimitExceeded, match="32 levels"):
        Filter.parse(deep(33))
    with pytest.raises(LimitExceeded):
        Filter.parse(deep(100_000))
    endless: dict = {}
    endless["not"] = endless
    with pytest.raises(LimitExceeded):
        Filter.parse(endless)
    inside: dict = {}
    inside["not"] = inside
    with pytest.raises(LimitExceeded):
        Filter.parse({"topic": inside})
    made = field("topic") == "tea"
    with pytest.raises(LimitExceeded):
        for number in range(40):
            made = ~(made & (field("topic") == str(number)))
    assert len(OPERATORS) == 10


def test_texts_of_an_enumeration_are_texts() -> None:
    class Word(str, enum.Enum):  # noqa: UP042 - whose str() is not its text
        TOPIC = "topic"
        TEA = "tea"

    made = Filter.parse({Word.TOPIC: Word.TEA})
    assert made == Filter.parse({"topic": "tea"})
    assert type(made.canonical[1]) is str and type(made.canonical[2][0]) is str


@pytest.mark.parametrize("words", [("==", "=", "$eq"), ("!=", "$ne")])
def test_the_spellings_of_a_comparison_mean_one_thing(words: tuple[str, ...]) -> None:
    asked = {Filter.parse({"topic": {word: "tea"}}).canonical for word in words}
    assert len(asked) == 1


def test_a_bound_may_be_what_nothing_is_equal_to():
    assert not matches({"access_count": {">": 2**53 + 1}}) and matches({"access_count": {"<": 2**53 + 1}})
    assert matches({"boundary_class": {">": "a", "<": "z"}})
    for where in ({"access_count": 2**53 + 1}, {"boundary_class": "a"}):
        with pytest.raises(InvalidArgument, match=r"beyond 2\*\*53|is never 'a'"):
            Filter.parse(where)
