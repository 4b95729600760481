"""Coroutines of every verb, the second name of `forget`, and memories in `async with`."""

from __future__ import annotations

import asyncio
import gc
import inspect
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import byheart
from byheart.errors import InvalidArgument, StoreError


def test_every_verb_has_a_coroutine_of_its_arguments() -> None:
    named = {name: value for name, value in vars(byheart.Memory).items() if not name.startswith("_")}
    called = {name: value for name, value in named.items() if inspect.isfunction(value)}
    coroutines = {name for name, value in called.items() if inspect.iscoroutinefunction(value)}
    verbs = called.keys() - coroutines
    assert len(verbs) >= 40, "the scan found nothing to check"
    assert coroutines == {f"a{name}" for name in verbs}
    for name in verbs:
        assert inspect.signature(called[name]) == inspect.signature(called[f"a{name}"]), name


def test_delete_is_forget_under_the_name_that_others_look_for() -> None:
    assert byheart.Memory.delete is byheart.Memory.forget and byheart.Memory.adelete is byheart.Memory.aforget
    assert byheart.Memory.delete.__qualname__ == "Memory.forget"
    with byheart.Memory() as memory:
        memory.remember_many([{"id": "a", "text": "tea"}, {"id": "b", "text": "rice"}])
        assert memory.delete("a").ids == ("a",) and memory.delete(["a", "b"]).missing == ("a",)
        assert memory.count() == 0
        with pytest.raises(InvalidArgument, match="give either ids or where"):
            memory.delete()


def test_async_with_closes_the_memory(tmp_path: Path) -> None:
    async def work() -> byheart.Memory:
        async with byheart.Memory(tmp_path / "memory.db") as memory:
            await memory.aremember("Steep the tea.", id="tea", session_id="s")
            answers = await memory.arecall_many(["tea?", "steep?"])
            assert [[hit.id for hit in answer] for answer in answers] == [["tea"], ["tea"]]
            assert [each.id for each in await memory.asessions()] == ["s"]
            assert (await memory.adelete("tea")).ids == ("tea",)
        return memory

    memory = asyncio.run(work())
    with pytest.raises(StoreError, match="closed"):
        memory.remember("more tea")
    with byheart.Memory(tmp_path / "memory.db") as again:
        assert again.count() == 0


def test_an_error_in_async_with_comes_through_and_closes_the_memory(tmp_path: Path) -> None:
    held: list[byheart.Memory] = []

    async def work() -> None:
        async with byheart.Memory(tmp_path / "memory.db") as memory:
            held.append(memory)
            raise RuntimeError("oh")

    with pytest.raises(RuntimeError, match="oh"):
        asyncio.run(work())
    with pytest.raises(StoreError, match="closed"):
        held[0].count()


def test_the_event_loop_goes_on_while_a_memory_closes(tmp_path: Path) -> None:
    async def work() -> int:
        turns = 0
        memory = byheart.Memory(tmp_path / "memory.db")
        await memory.aremember_many(["tea", "rice"])
        closing = asyncio.create_task(memory.aclose())
        while not closing.done():
            turns += 1
            await asyncio.sleep(0)
        await memory.aclose()  # a second time, nothing happens
        return turns

    assert asyncio.run(work()) > 0


def test_the_error_of_a_call_that_was_cancelled_is_thrown_away_with_its_answer(tmp_path: Path) -> None:
    told: list[str] = []
    begun, closed = threading.Event(), threading.Event()
    memory = byheart.Memory(tmp_path / "m.db")

    def question() -> Iterator[str]:
        begun.set()
        assert closed.wait(10)
        yield "tea?"

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
        task = asyncio.create_task(memory.arecall_many(question()))  # type: ignore[arg-type]
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        memory.close()
        closed.set()
        await asyncio.sleep(0.1)
        del task
        gc.collect()

    asyncio.run(run())
    gc.collect()
    assert told == []


def test_a_write_that_is_cancelled_before_it_began_is_done_too(tmp_path: Path) -> None:
    memory = byheart.Memory(tmp_path / "m.jsonl")

    async def run() -> None:
        tasks = [asyncio.create_task(memory.aremember(f"Note {at}.", id=f"n{at}")) for at in range(150)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    with memory:
        assert memory.count() == 150
