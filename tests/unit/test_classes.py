"""Dataclasses made quickly are those of the standard library: the same signatures, values, refusals and pickles."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, get_type_hints

import pytest

from byheart.light import classes

WAYS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True, "slots": True, "repr": False},
    {"slots": True, "eq": False},
]
VALUES = [("a",), ("a", 1), ("a", 2, [3]), ("b", 1, [])]


def both(**how: bool) -> tuple[Any, Any]:
    """Return one class, made by the standard library and made here."""

    def of(dataclass: Any) -> Any:
        @dataclass(**how)
        class Some:
            """Some."""

            kept: ClassVar[int] = 7
            name: str
            count: int = 1
            parts: list[int] = field(default_factory=list)
            aside: str = field(default="x", compare=False, repr=False)
            made: dict[str, int] = field(default_factory=dict, init=False, compare=False, repr=False)

            def twice(self) -> int:
                return self.count * 2

        return Some

    return of(dataclasses.dataclass), of(classes.dataclass)


def made(kind: Any, values: tuple[Any, ...], how: dict[str, bool]) -> Any:
    given = dict(zip(("name", "count", "parts"), copy.deepcopy(values), strict=False))
    return kind(**given) if how.get("kw_only") else kind(*given.values())


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_the_class_is_the_same(how: dict[str, bool]) -> None:
    theirs, ours = both(**how)

    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert get_type_hints(ours.__init__) == get_type_hints(theirs.__init__)
    assert ours.__match_args__ == theirs.__match_args__
    assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert [str(each) for each in dataclasses.fields(ours)] == [str(each) for each in dataclasses.fields(theirs)]
    assert str(ours.__dataclass_params__) == str(theirs.__dataclass_params__)
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    assert ours.__init__.__qualname__ == theirs.__init__.__qualname__
    assert ours.__doc__ == theirs.__doc__


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_the_objects_are_the_same(how: dict[str, bool]) -> None:
    theirs, ours = both(**how)
    by_them, by_us = ([made(kind, values, how) for values in VALUES] for kind in (theirs, ours))

    for one, other in zip(by_them, by_us, strict=True):
        assert dataclasses.asdict(one) == dataclasses.asdict(other)
        assert (repr(one) == repr(other)) == how.get("repr", True)
        assert dataclasses.asdict(dataclasses.replace(other, count=9)) == dataclasses.asdict(
            dataclasses.replace(one, count=9)
        )
        assert other != one and other.twice() == one.twice() and other.made == {}
        assert dataclasses.asdict(copy.deepcopy(other)) == dataclasses.asdict(one)
    equal = [[a == b for a in those for b in those] for those in (by_them, by_us)]
    again = [[made(kind, v, how) == made(kind, v, how) for v in VALUES] for kind in (theirs, ours)]
    assert equal[0] == equal[1] and again[0] == again[1] == [how.get("eq", True)] * len(VALUES)


def test_hashes_are_those_of_the_values() -> None:
    for dataclass in (dataclasses.dataclass, classes.dataclass):

        @dataclass(frozen=True, slots=True)
        class Pair:
            one: int
            other: str = "x"

        @dataclass(frozen=True)
        class Single:
            one: int

        @dataclass(frozen=True)
        class Empty:
            pass

        assert hash(Pair(1, "b")) == hash((1, "b"))
        assert hash(Single(1)) == hash((1,)) and Single(1) == Single(1) != Single(2)
        assert hash(Empty()) == hash(()) and Empty() == Empty() and repr(Empty()).endswith("Empty()")


@pytest.mark.parametrize("slots", [False, True])
def test_frozen_ones_change_for_nobody(slots: bool) -> None:
    for kind in both(frozen=True, slots=slots):
        some = kind("a")
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
            some.name = "b"
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'count'"):
            del some.count
        assert some.name == "a"
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'other'"):
        both(frozen=True, slots=slots)[1]("a").other = 1


@classes.dataclass(frozen=True, slots=True)
class Kept:
    """At the top of a module, so that a pickle finds it."""

    one: int
    others: tuple[int, ...] = ()


@classes.dataclass(frozen=True, slots=True)
class Longer(Kept):
    """One with a field more, and a check."""

    last: int = 0

    def __post_init__(self) -> None:
        """Check."""
        if self.last < 0:
            raise ValueError("last")


def test_pickles_and_inheritance() -> None:
    for some in (Kept(1, (2,)), Longer(1, (2,), 3)):
        assert pickle.loads(pickle.dumps(some)) == some
    assert Longer(1, (), 2) != Kept(1, ()) and repr(Longer(1)) == "Longer(one=1, others=(), last=0)"
    with pytest.raises(ValueError, match="last"):
        Longer(1, last=-1)
    with pytest.raises(FrozenInstanceError):
        Longer(1).last = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):
        classes.dataclass(type("Open", (Kept,), {}))

    @dataclasses.dataclass(frozen=True)
    class Theirs(Kept):
        """One of somebody else's."""

        more: int = 5

    assert Theirs(1) == Theirs(1) and Theirs(1).more == 5


def test_what_a_class_has_of_its_own_stays() -> None:
    @classes.dataclass(frozen=True, slots=True)
    class Own:
        """One with methods of its own."""

        one: int

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    assert hash(Own(1)) == 7 and repr(Own(1)) == "own" and Own(1) == Own(1)
