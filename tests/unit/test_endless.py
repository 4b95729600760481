"""Iterables that have no end, wherever a call takes one: LimitExceeded, and not all of the machine's memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from byheart import Boundary, Memory, Record, field, validation
from byheart.errors import LimitExceeded
from byheart.rules import Rule

MOST = 2_000_000  # what one of them gives before it says that nobody has counted


class NotCounted(BaseException):
    """Somebody went on collecting."""


def endless(make: Callable[[int], Any]) -> Iterator[Any]:
    for number in count():
        if number > MOST:
            raise NotCounted
        yield make(number)


def words() -> Iterator[str]:
    return endless(lambda number: "tea")


CALLS: dict[str, Callable[[Memory], object]] = {
    "remember_many": lambda memory: memory.remember_many(words()),
    "replace_sources": lambda memory: memory.replace_sources({"a": words()}),  # type: ignore[dict-item]
    "forget": lambda memory: memory.forget(words()),  # type: ignore[arg-type]
    "get": lambda memory: memory.get(words()),  # type: ignore[call-overload]
    "touch": lambda memory: memory.touch(words()),  # type: ignore[arg-type]
    "recall exclude": lambda memory: memory.recall("tea", exclude=words()),  # type: ignore[arg-type]
    "recall needed_roles": lambda memory: memory.recall("tea", needed_roles=words()),  # type: ignore[arg-type]
    "links": lambda memory: memory.remember("tea", links=words()),
    "tags": lambda memory: memory.remember("tea", tags=words()),
    "entities": lambda memory: Record(text="tea", entities=words()),  # type: ignore[arg-type]
    "scopes": lambda memory: Boundary(scopes=words()),  # type: ignore[arg-type]
    "classes": lambda memory: memory.recall("tea", boundary={"classes": words()}),
    "relations": lambda memory: Memory(relations=words()),  # type: ignore[arg-type]
    "rules": lambda memory: Memory(rules=words()),  # type: ignore[arg-type]
    "premises": lambda memory: Rule("r", endless(lambda _: ("?x", "is_a", "?y")), ("?x", "about", "?y")),  # type: ignore[arg-type]
    "is_in": lambda memory: field("user_id").is_in(words()),
    "invariants": lambda memory: Memory(invariants=words()),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_has_no_end_is_refused_while_it_is_collected(call: str) -> None:
    with Memory(noise=None) as memory, pytest.raises(LimitExceeded, match="is over the limit of"):
        CALLS[call](memory)


def test_exactly_the_limit_is_taken_and_one_more_is_not() -> None:
    assert len(validation.counted("ids", iter(range(5)), 5)) == 5
    assert len(validation.counted("ids", range(5), 5)) == 5
    for values in (iter(range(6)), range(6)):
        with pytest.raises(LimitExceeded, match="number of ids: "):
            validation.counted("ids", values, 5)


def test_what_knows_its_length_is_not_collected_at_all() -> None:
    class Long(list[str]):
        def __len__(self) -> int:
            return 10**9

        def __iter__(self) -> Iterator[str]:
            raise NotCounted

    with Memory() as memory, pytest.raises(LimitExceeded, match="1000000000 is over the limit of 1000000"):
        memory.remember_many(Long())
