"""Calls of several handles on one store, interleaved at each call of the store: some order of them explains each run.

What is tried: pairs of calls, the second one begun and ended between two stops of the first, at every stop; and two or
three threads with calls chosen at random, each with a handle of its own or all with one, interleaved at random. Each
run looks somewhere new. What fails names its calls and where they stopped; `Scene.run` repeats it.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.records import Record
from byheart.storage import InProcessStore

from .interleaving import HANDLES, KINDS, Scene
from .scheduler import Choose, Deadlock, Lock, Scheduler, stop, stopping, stops_at_calls
from .verbs import NOW


@pytest.fixture(params=KINDS)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    with stopping(NOW):
        yield Scene(request.param, tmp_path)


def between(stops: int) -> Choose:
    """Have the first thread make so many stops, then the second one all of its own, then the first the rest."""

    def choose(able: Sequence[int], made: Sequence[int]) -> int:
        return 0 if made[0] < stops and 0 in able else able[-1]

    return choose


def at_random(chance: random.Random, staying: float) -> Choose:
    """Have the thread that goes on go on mostly, and another one sometimes."""
    last = [0]

    def choose(able: Sequence[int], _: Sequence[int]) -> int:
        if last[0] not in able or chance.random() >= staying:
            last[0] = chance.choice(able)
        return last[0]

    return choose


@pytest.mark.parametrize("runs", [50, pytest.param(500, marks=pytest.mark.long)])
def test_a_call_between_any_two_stops_of_another(scene: Scene, runs: int) -> None:
    chance = random.Random(os.urandom(8))
    names = list(scene.calls)
    assert len(names) >= 50
    stops = dict.fromkeys(names, 12)  # of each call, once it is known
    for _ in range(runs):
        first, second = chance.choice(names), chance.choice(names)
        ran = scene.run([[first], [second]], between(chance.randrange(1, stops[first] + 1)))
        stops[first] = [who for who, _ in ran.trace].count(0)
    assert max(stops.values()) > 12, "no call was stopped"


@pytest.mark.parametrize(
    ("programs", "stops"),
    [
        ([["activate"], ["forget a session"]], 12),
        ([["forget a user"], ["activate"]], 12),
        ([["observe", "forget an id"], ["activate"]], 25),  # a journal that says something has to be read first
    ],
)
def test_who_is_forgotten_is_named_by_nothing_that_is_written_meanwhile(
    scene: Scene, programs: list[list[str]], stops: int
) -> None:
    """Whoever forgets has looked which rows of the journal name a record; one more may come before it is gone."""
    for number in range(1, stops + 1):
        scene.run(programs, between(number))


@pytest.mark.parametrize("handles", [["whole", "whole"], ["whole"]])
def test_a_generation_that_is_saved_amid_a_call_answers_as_the_store_does(tmp_path: Path, handles: list[str]) -> None:
    """It is made without the lock of the indexes: whoever opens it afterwards follows what has changed since."""
    verbs = ["remember a new id", "remember the same id", "update a text", "forget a session", "compact and delete"]
    with stopping(NOW):
        scene, stops = Scene("memory.db", tmp_path), set[str]()
        for verb in verbs:
            for number in (3, 5, 6, 7, 8, 9):
                ran = scene.run(
                    [["save"], [verb]], between(number), handles=handles * (3 - len(handles)), one=len(handles) < 2
                )
                stops.update(where for who, where in ran.trace if who == 0)
    assert "before a tenant's sections" in stops


STANDING = (
    "remember without an id", "remember it again", "remember in the place of one", "remember in the place of it too",
    "state a fact", "state another", "state one earlier", "say where we meet", "say it otherwise",
    "forget what supersedes", "forget an id", "supersede", "remember the same id", "update a class",
    "remember the same id elsewhere", "update a text",
)  # fmt: skip


@pytest.mark.parametrize("runs", [40, pytest.param(600, marks=pytest.mark.long)])
def test_how_records_stand_is_what_some_order_of_the_calls_leaves(scene: Scene, runs: int) -> None:
    """Said again, superseded, linked and forgotten at once: nothing is lost, and no mark names what is gone."""
    chance = random.Random(os.urandom(8))
    for _ in range(runs):
        first, second = chance.choice(STANDING), chance.choice(STANDING)
        scene.run([[first], [second]], between(chance.randrange(1, 13)))


@pytest.mark.parametrize("runs", [20, pytest.param(200, marks=pytest.mark.long)])
def test_two_or_three_threads_at_random(scene: Scene, runs: int) -> None:
    programs = st.lists(st.lists(st.sampled_from(list(scene.calls)), min_size=1, max_size=2), min_size=2, max_size=3)
    kinds = st.lists(st.sampled_from(list(HANDLES)), min_size=3, max_size=3)
    tried = [0]

    @settings(max_examples=runs)
    @given(programs, kinds, st.booleans(), st.sampled_from([0.0, 0.5, 0.8]), st.randoms(use_true_random=False))
    def run(
        programs: list[list[str]], kinds: list[str], one_handle: bool, staying: float, chance: random.Random
    ) -> None:
        handles = kinds[:1] * len(programs) if one_handle else kinds[: len(programs)]
        scene.run(programs, at_random(chance, staying), handles=handles, one=one_handle)
        tried[0] += 1

    run()
    assert tried[0] >= runs


def test_two_writes_to_a_store_in_this_process_do_not_pass_each_other() -> None:
    """Nobody writes between the look of a write and its change: of two that expect the same, one is done."""
    seen = Record(id="a", text="tea", tenant="t", scope="s", boundary_class="internal", created_at=1.0)
    with stopping(NOW):
        store, done = InProcessStore(), dict[str, bool]()
        store.write([seen], [])
        stops_at_calls(store)

        def write(text: str) -> None:
            done[text] = store.write_if([seen], [seen.completed(text=text)], [])

        scheduler = Scheduler(lambda able, made: 0 if 0 in able and made[0] < 4 else able[-1])
        scheduler.run([lambda: write("green tea"), lambda: write("black tea")])
    assert (0, "between look and write") in scheduler.trace
    assert sorted(done.values()) == [False, True]
    assert [done[record.text] for record in store.load()] == [True]


# ---- the scheduler itself


def test_the_same_choices_give_the_same_run(scene: Scene) -> None:
    programs = [["compact", "update a text"], ["ingest_turn that is known"], ["forget a user"]]
    traces = [scene.run(programs, at_random(random.Random(7), 0.5)).trace for _ in range(2)]
    assert traces[0] == traces[1] and len({who for who, _ in traces[0]}) == 3


def test_threads_that_wait_for_each_other_are_told() -> None:
    locks = Lock(), Lock()

    def act(first: Lock, second: Lock) -> None:
        with first:
            stop("holding one")
            with second:
                pass

    turns = iter([0, 1, 0, 1])
    scheduler = Scheduler(lambda able, _: able[0] if len(able) == 1 else next(turns))
    before = threading.active_count()
    with pytest.raises(Deadlock, match="all wait"):
        scheduler.run([lambda: act(*locks), lambda: act(*reversed(locks))])
    assert threading.active_count() == before, "a thread that stays may hold a lock, for which every later fork waits"


def test_who_lets_go_of_a_lock_and_waits_for_another_has_moved() -> None:
    of_store, of_indexes, done = Lock(), Lock(), list[str]()

    def writes() -> None:
        with of_indexes:
            stop("holding the indexes")
            with of_store:
                done.append("written")

    def reads() -> None:
        with of_store:
            stop("holding the store")
        with of_indexes:
            done.append("read")

    turns = iter([0, 1, 0])
    Scheduler(lambda able, _: able[0] if len(able) == 1 else next(turns)).run([writes, reads])
    assert done == ["written", "read"]


def test_a_lost_update_is_noticed(scene: Scene) -> None:
    """A call that writes whatever happened since it looked: no order of the two explains what is left."""
    scene.calls["careless"] = lambda memory, _: memory._engine.store.write(
        [record.completed(topic="careless") for record in memory.records() if record.id == "a"], []
    )
    with pytest.raises(AssertionError, match="no order explains"):
        for stops in range(1, 30):
            scene.run([["careless"], ["forget an id"]], between(stops))
