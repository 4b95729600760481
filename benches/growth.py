"""What: calls that must not grow with what has gone, with what lies outside, or with what is not asked for: a write of
a file after many removals, a text remembered once more, a recall beside many scopes outside, a phrase of common words
beside many records, a context with the last turns of a long conversation, a page of a long list. Corpus: made in place.
Compare: the same call where little has grown.

    python benches/growth.py [--removed 40000] [--copies 8000] [--scopes 20000] [--held 10000]
        [--turns 50000] [--listed 40000]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from harness import BYHEART, emit, in_turns, note, pin, repeated, row

import byheart

FEW = "grown by little"
LITTLE, AT_ONCE, SECONDS = 100, 5_000, 0.5

Call = Callable[[], object]


def batches(records: Iterable[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """Give records some thousands at a time."""
    waiting = iter(records)
    while batch := list(itertools.islice(waiting, AT_ONCE)):
        yield batch


def filled(memory: byheart.Memory, records: Iterable[dict[str, Any]]) -> byheart.Memory:
    for batch in batches(records):
        memory.remember_many(batch)
    return memory


def write_after(removed: int) -> Call:
    """Return a write of a file that holds fifty records, and from which so many were removed."""
    folder = tempfile.TemporaryDirectory()
    memory = byheart.Memory(Path(folder.name) / "memory.db", noise=None)
    filled(memory, ({"id": f"k{number}", "text": f"note {number}"} for number in range(50)))
    for batch in batches({"id": f"b{number}", "text": "x y"} for number in range(removed)):
        memory.remember_many(batch)
        memory.forget([record["id"] for record in batch])
    number = itertools.count()

    def call(_: object = folder) -> object:  # the folder lives as long as the call
        return memory.remember(f"tea {next(number)}", id="k0")

    return call


def one_copy_more(copies: int) -> Call:
    memory = filled(byheart.Memory(), ({"text": "tea is good"} for _ in range(copies)))
    return lambda: memory.remember("tea is good")


def recall_beside(scopes: int) -> Call:
    hidden = {"text": "hidden", "boundary_class": "secret"}
    memory = filled(
        byheart.Memory(noise=None), ({"id": f"x{number}", "scope": f"s{number}", **hidden} for number in range(scopes))
    )
    memory.remember("tea is good", scope="fresh")
    return lambda: memory.recall("tea", now=1.0)


def phrase_beside(records: int) -> Call:
    """Return a recall of a phrase whose words no index keeps, and which every third record holds."""
    said = ("it is not in the way", "what I know of that", "the one that is here")
    memory = filled(
        byheart.Memory(noise=None),
        ({"id": f"p{n:06}", "text": f"{said[n % 3]} w{n} x{n % 97}"} for n in range(records)),
    )
    return lambda: memory.recall('"not in"', now=1.0)


def context_of(turns: int) -> Call:
    said = {"kind": "turn", "session_id": "s"}
    memory = filled(
        byheart.Memory(noise=None),
        ({"id": f"t{n}", "text": f"turn {n}", "created_at": 1.7e9 + 60 * n, **said} for n in range(turns)),
    )
    return lambda: memory.context("kettle", 200, session_id="s", recent=True, now=1.7e9 + 60 * turns)


def page_of(records: int, order_by: str) -> Call:
    """Return the reading of a page of twenty records from the middle of so many."""
    memory = filled(
        byheart.Memory(noise=None),
        ({"id": f"r{n:06}", "text": f"note {n}", "created_at": 1.7e9 + n} for n in range(records)),
    )
    half = memory.records(order_by=order_by, limit=records // 2).cursor
    return lambda: memory.records(order_by=order_by, limit=20, cursor=half)


def measured(case: str, calls: Mapping[str, Call]) -> None:
    note(f"growth, {case}")
    engines = {name: (lambda call=call: repeated(call, SECONDS)) for name, call in calls.items()}
    emit(row("growth", case, "us", in_turns(engines, rounds=3), limit=FEW))


def main() -> None:
    """Measure the calls, each beside itself."""
    parser = argparse.ArgumentParser()
    sizes = {"removed": 40_000, "copies": 8_000, "scopes": 20_000, "held": 10_000, "turns": 50_000, "listed": 40_000}
    for name, number in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=number)
    wanted = parser.parse_args()
    pin()
    cases: dict[str, tuple[Callable[[int], Call], int]] = {
        f"a write after {wanted.removed:,} removals": (write_after, wanted.removed),
        f"a text remembered beside {wanted.copies:,} equal ones": (one_copy_more, wanted.copies),
        f"a recall beside {wanted.scopes:,} scopes outside": (recall_beside, wanted.scopes),
        f"a phrase of common words beside {wanted.held:,} records": (phrase_beside, wanted.held),
        f"a context with the last of {wanted.turns:,} turns": (context_of, wanted.turns),
        f"a page of 20 of {wanted.listed:,} records, by id": (partial(page_of, order_by="id"), wanted.listed),
        f"a page of 20 of {wanted.listed:,} records, the newest first": (
            partial(page_of, order_by="-created_at"),
            wanted.listed,
        ),
    }
    for case, (make, size) in cases.items():
        measured(case, {BYHEART: make(size), FEW: make(LITTLE)})


if __name__ == "__main__":
    main()
