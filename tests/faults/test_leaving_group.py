"""Ctrl-C as a write leaves the group that shares a commit: nobody waits for it, whoever writes next."""

from __future__ import annotations

import sys
import threading
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import byheart
from byheart.writing.group import Group, Ticket

from .test_interrupts import after_calls

PATIENCE = 10.0  # seconds


def interrupted(memory: byheart.Memory, stop_at: int) -> bool:
    """Remember something, with an interrupt at one step of leaving where Python looks for one; return whether it came.

    That is at its beginning, and after each call.
    """
    steps = count()
    came = []

    def at_step(frame: FrameType, event: str, argument: Any) -> Any:
        here = event == "call" or (event == "opcode" and frame.f_lasti in after_calls(frame.f_code))
        if here and not came and next(steps) == stop_at:
            came.append(event)
            raise KeyboardInterrupt
        return at_step

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code is not Group._leave.__code__:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return at_step(frame, event, argument)

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        memory.remember(f"tea {stop_at}")
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return bool(came)


def works(memory: byheart.Memory, what: str) -> bool:
    """Return whether another thread and this one can write."""
    other = threading.Thread(target=memory.remember, args=(what,), daemon=True)
    other.start()
    other.join(PATIENCE)
    return not other.is_alive()


@pytest.mark.parametrize("name", ["memory.db", "memory.jsonl"])
@pytest.mark.parametrize("durability", ["full", "normal"])
def test_wherever_it_is_broken_off_the_next_write_is_not_kept_waiting(
    tmp_path: Path, name: str, durability: Any
) -> None:
    with byheart.Memory(tmp_path / name, durability=durability) as memory:
        memory.remember("first")
        stops = 0
        while interrupted(memory, stops):
            assert works(memory, f"coffee {stops}"), f"the next write waits for ever, after step {stops}"
            stops += 1
        assert stops >= 2, "its beginning, and the calls in it"
        assert memory.check() == []


def test_leaving_twice_wakes_whoever_is_next_once() -> None:
    group = Group(lambda writes: [True for _ in writes], threading.RLock)
    first, second = (Ticket(byheart.storage.Write(), joins=True, shares=True) for _ in range(2))
    group._leader, first.told = first, True
    group._waiting.append(second)
    for _ in range(2):
        group._leave(first)
        assert group._leader is second and second.told and not second.woken.locked()
    second.told = False  # as if it had been broken off between the two
    group._leave(first)
    assert second.told and not second.woken.locked()
