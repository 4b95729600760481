"""Work does not grow with what has gone, with what lies outside, or with what is not asked for.

What is counted is work, not time: bytecodes of Python, steps of SQLite's machine, questions to the indexes, records
that are read. Each law is looked at on two sizes, of which the greater would show what went wrong before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.index.indexes import Indexes
from byheart.storage import InProcessStore
from byheart.writing import elsewhere

SAME = 1.25
"""As much work, as far as a list that is a little longer or a tree that is one level deeper may cost more."""


@contextmanager
def counted(memory: byheart.Memory) -> Iterator[list[int]]:
    """Count bytecodes, and every step of SQLite's machine, in the place of `[0]`."""
    steps = [0]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        frame.f_trace_opcodes = True
        steps[0] += event == "opcode"
        return trace

    def step() -> None:
        steps[0] += 1

    session: Any = getattr(memory._engine.store, "_session", None)
    pair = None if session is None else session.pair
    connections = [] if pair is None else [one for one in (pair.reader, pair.writer) if one is not None]
    for connection in connections:
        connection.set_progress_handler(step, 1)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)
        for connection in connections:
            connection.set_progress_handler(None, 0)


def rests(memory: byheart.Memory) -> None:
    """Have nothing saved in the background, whose steps would be counted with those of a verb, or not."""
    memory._engine.saver.nudge = lambda: None  # type: ignore[method-assign]


def work(memory: byheart.Memory, act: Callable[[], object]) -> int:
    act()  # what is done once is done
    with counted(memory) as steps:
        act()
    assert steps[0] > 100, "nothing was counted"
    return steps[0]


def test_a_write_costs_the_same_after_many_removals(tmp_path: Path) -> None:
    def cost(removed: int) -> list[int]:
        with byheart.Memory(tmp_path / f"{removed}.db", noise=None) as memory:
            rests(memory)
            memory.remember_many([{"id": f"k{number}", "text": f"note {number}"} for number in range(50)])
            memory.remember_many([{"id": f"b{number}", "text": "x y"} for number in range(removed)])
            if removed:
                memory.forget([f"b{number}" for number in range(removed)])
            count = iter(range(100))
            return [
                work(memory, lambda: memory.remember("tea is good", id=f"p{next(count)}")),
                work(memory, lambda: memory.forget(f"p{next(count) - 2}")),
                work(memory, lambda: memory.update("k1", category=f"c{next(count)}")),
            ]

    few, many = cost(10), cost(3_000)
    for verb, before, after in zip(("remember", "forget", "update"), few, many, strict=True):
        assert after <= SAME * before, f"{verb}: {before} steps after 10 removals, {after} after 3,000"


@pytest.mark.long
@pytest.mark.parametrize("name", ["in process", "memory.jsonl", "memory.db"])
def test_a_hundred_thousand_removals_leave_nothing_to_be_looked_through(tmp_path: Path, name: str) -> None:
    """They are more than a follower remembers: what a call costs is what it cost after the first few hundred."""
    store, at_once = InProcessStore(), 500

    def opened() -> byheart.Memory:
        where: dict[str, Any] = {"store": store} if name == "in process" else {"path": tmp_path / name}
        memory = byheart.Memory(**where, noise=None)
        rests(memory)
        return memory

    memory, other = opened(), opened()
    memory.remember_many([{"id": f"k{number}", "text": f"note {number}"} for number in range(50)])
    count = iter(range(1_000))

    def costs() -> dict[str, int]:
        memory.remember_many([{"id": id, "text": "gone tea"} for id in ("q0", "q1")])
        gone = iter(["q0", "q1"])

        def follow() -> None:
            memory.remember("better tea", id="k2")
            other.count()

        return {
            "remember": work(memory, lambda: memory.remember("good tea", id=f"p{next(count)}")),
            "update": work(memory, lambda: memory.update("k1", category=f"c{next(count)}")),
            "forget": work(memory, lambda: memory.forget(next(gone))),
            "recall": work(memory, lambda: memory.recall("tea", now=1.0)),
            "follow": work(other, follow),
        }

    removed, before = 0, dict[str, int]()
    while removed < 110_000:
        ids = [f"b{removed}-{number}" for number in range(at_once)]
        memory.remember_many([{"id": id, "text": "x y"} for id in ids])
        removed += len(memory.forget(ids).ids)
        other.count()
        if removed == 2 * at_once:
            before = costs()
    after = costs()
    for verb, steps in before.items():
        assert after[verb] <= SAME * steps, f"{verb}: {steps} steps after 1,000 removals, {after[verb]} after 100,000"
    assert [record.id for record in other.records()] == [record.id for record in memory.records()]
    assert memory.check() == other.check() == []
    if name != "in process":
        with opened() as fresh:
            assert fresh.records() == memory.records()
        assert (tmp_path / name).stat().st_size < 20_000_000, "the room of what has gone is not given back"


def test_equal_texts_ask_for_a_free_name_a_few_times_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]
    sees = Indexes.sees

    def counting(*arguments: Any) -> bool:
        asked[0] += 1
        return sees(*arguments)

    monkeypatch.setattr(Indexes, "sees", counting)
    memory = byheart.Memory()
    turn = {"text": "tea is good", "kind": "turn"}  # of which each is one of its own
    ids = memory.remember_many([turn] * 1_000)
    assert len(set(ids)) == 1_000 and ids[:2] == [ids[0], f"{ids[0]}-2"] and ids[-1] == f"{ids[0]}-1000"
    assert 1_000 <= asked[0] <= 1_000 * 25
    asked[0] = 0
    assert memory.remember(turn) == f"{ids[0]}-1001"
    assert 1 <= asked[0] <= 25


def test_cells_outside_cost_a_recall_nothing() -> None:
    def cost(outside: int) -> list[int]:
        memory = byheart.Memory(noise=None)
        memory.remember_many(
            [
                {"id": f"x{number}", "text": "hidden", "scope": f"s{number}", "boundary_class": "secret"}
                for number in range(outside)
            ]
        )
        memory.remember("tea is good", scope="fresh", id="k")
        return [
            work(memory, lambda: memory.recall("tea", now=1.0)),
            work(memory, lambda: memory.remember("tea is better", scope="fresh", id="k")),
            work(memory, lambda: memory.records()),
            work(memory, lambda: memory.count()),
        ]

    few, many = cost(10), cost(2_000)
    for verb, before, after in zip(("recall", "remember", "records", "count"), few, many, strict=True):
        assert after <= SAME * before, f"{verb}: {before} steps beside 10 scopes, {after} beside 2,000"


@pytest.mark.parametrize("at", ["one after the other", "at one moment"])
def test_a_context_reads_the_end_of_a_conversation(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    read = [0]
    get = InProcessStore.get

    def counting(store: InProcessStore, keys: Any) -> Any:
        read[0] += len(keys)
        return get(store, keys)

    monkeypatch.setattr(InProcessStore, "get", counting)

    def cost(turns: int) -> int:
        memory = byheart.Memory(noise=None)
        spoken = [
            {
                "id": f"t{number:05}",
                "text": f"turn {number} of many",
                "kind": "turn",
                "session_id": "s",
                "created_at": float(number) if at == "one after the other" else 7.0,
            }
            for number in range(turns)
        ]
        memory.remember_many(spoken)
        read[0] = 0
        found = memory.context("tea", 200, session_id="s", recent=True, now=1e9)
        assert found.entries[-1].id == f"t{turns - 1:05}"
        return read[0]

    few, many = cost(300), cost(3_000)
    assert 0 < many <= SAME * few, f"{few} records read of 300 turns, {many} of 3,000"


def test_a_follower_reads_what_changed(tmp_path: Path) -> None:
    """Of a text file the lines that are the same are not parsed again."""
    path = tmp_path / "memory.jsonl"
    one, two = byheart.Memory(path, noise=None), byheart.Memory(path, noise=None)
    one.remember_many([{"id": f"k{number}", "text": f"note {number}"} for number in range(500)])
    two.recall("note")
    parsed = [0]
    with pytest.MonkeyPatch.context() as patch:
        from byheart.storage import lines

        parse = lines.parse
        patch.setattr(lines, "parse", lambda *given: (parsed.__setitem__(0, parsed[0] + 1), parse(*given))[1])
        one.remember("tea is good", id="new")
        assert two.get("new").text == "tea is good"
    assert 1 <= parsed[0] <= 5  # the header, and what is new


def test_many_records_under_a_policy_cost_what_each_costs() -> None:
    def each(records: int) -> float:
        memory = byheart.Memory(policy="default", embedder=HashingEmbedder(16))
        count = iter(range(10))

        def put() -> None:
            turn = next(count)
            memory.remember_many([{"id": f"{turn}/{number}", "text": f"n{turn}x{number}"} for number in range(records)])

        return work(memory, put) / records

    few, many = each(20), each(320)
    assert many <= SAME * few, f"{few:.0f} steps a record of 20, {many:.0f} of 320"


def test_a_record_among_many_takes_few_calls(tmp_path: Path) -> None:
    """Functions and methods that are called, those of C too: what is looked at together is not looked at one by one."""
    batch = [
        {
            "id": f"r{number}",
            "text": f"It is kettle number {number}, and it's well-known.",
            "vector": [number + 1.0] * 64,
        }
        for number in range(300)
    ]
    calls = [0]

    def count(frame: FrameType, event: str, _: Any) -> None:
        calls[0] += event in ("call", "c_call")

    with byheart.Memory(tmp_path / "memory.db", vectors="own:64") as memory:
        memory.remember_many([{**batch[0], "id": "first"}])
        rests(memory)
        sys.setprofile(count)
        try:
            memory.remember_many(batch)
        finally:
            sys.setprofile(None)
    assert 100 < calls[0] / len(batch) < 850, f"{calls[0] / len(batch):.0f} calls a record"


def test_a_long_log_costs_a_search_and_a_forget_nothing() -> None:
    """Events of one moment have names of their own, and a forget reads those that came since the last one."""

    def cost(searches: int) -> list[int]:
        memory = byheart.Memory()
        memory.remember_many([{"id": f"k{number}", "text": f"tea {number}"} for number in range(100)])
        memory.remember_many([{"id": f"b{number}", "text": f"boat {number}"} for number in range(10)])
        for number in range(searches):
            memory.search("tea", now=0, request_id="same" if number % 2 else f"r{number}")
        memory.forget("b0")
        count = iter(range(1, 10))

        def search() -> None:
            memory.search("tea 99", now=0, request_id="same")

        return [work(memory, search), work(memory, lambda: memory.forget(f"b{next(count)}"))]

    few, many = cost(20), cost(600)
    for verb, before, after in zip(("search", "forget"), few, many, strict=True):
        assert after <= SAME * before, f"{verb}: {before} steps after 20 searches, {after} after 600"


def test_a_page_by_time_and_a_count_by_name_read_no_record_beyond_it() -> None:
    """The directory has both; where it has not, records are read."""

    def cost(records: int) -> list[int]:
        memory = byheart.Memory(noise=None)
        memory.remember_many(
            [{"id": f"k{n}", "text": f"n{n}", "user_id": f"u{n % 7}", "created_at": n // 2} for n in range(records)]
        )
        read, costs = [0], list[int]()
        with pytest.MonkeyPatch.context() as patch:
            get = Indexes.get
            patch.setattr(
                Indexes, "get", lambda self, keys: (read.__setitem__(0, read[0] + len(keys)), get(self, keys))[1]
            )
            first = memory.records(order_by="-created_at", limit=10)
            for act in (
                lambda: memory.records(order_by="-created_at", limit=10),
                lambda: memory.records(order_by="-created_at", limit=10, cursor=first.cursor),
                lambda: memory.records({"user_id": "u3"}, order_by="created_at", limit=10),
                lambda: memory.count(by="user_id"),
                lambda: memory.records(order_by="-importance", limit=10),
            ):
                read[0] = 0
                assert act()
                costs.append(read[0])
        return costs

    assert cost(200) == [11, 11, 11, 0, 200] and cost(1_000) == [11, 11, 11, 0, 1_000]


def test_a_new_text_is_held_against_those_of_other_cells_by_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    class Counted(tuple[str, ...]):
        def __getitem__(self, at: Any) -> Any:
            nonlocal looks
            looks += isinstance(at, slice)
            return super().__getitem__(at)

    plain = elsewhere._lines
    there = elsewhere.Elsewhere([byheart.Record(text=f"## Notes\n\nCode {n}.", id=f"r{n}") for n in range(1_000)])
    monkeypatch.setattr(elsewhere, "_lines", lambda text: Counted(plain(text)))
    assert there.held_by("## Notes\n\nSomething new.\n\n## Notes\n\nMore.") is None
    held = there.held_by("Tea.\n\n## Notes\n\nCode 999.\n\nMore.", "Tea.\n\n## Notes\n\nCode 99.")
    assert held is not None and held.id == "r999" and looks <= 6


@pytest.mark.parametrize("order", ["later first", "the middle last"])
def test_a_fact_told_late_looks_at_each_fact_that_came_after_it_once(order: str) -> None:
    """Before, the whole row behind each of them was walked for each."""

    def cost(facts: int) -> int:
        memory = byheart.Memory(single_valued=["lives_in"])
        rests(memory)
        days = list(range(facts, 0, -1))
        if order == "the middle last":
            days = days[: facts // 2] + days[: facts // 2 : -1] + days[facts // 2 : facts // 2 + 1]

        def tell(day: float) -> None:
            memory.remember(
                {"subject": "ada", "relation": "lives_in", "object": f"town {day}", "created_at": day * 86_400.0}
            )

        for day in days:
            tell(day)
        told = iter([days[-1] - 0.25, days[-1] - 0.5])
        return work(memory, lambda: tell(next(told)))

    assert cost(100) < 2 * SAME * cost(50)
