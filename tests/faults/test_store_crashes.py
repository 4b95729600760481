"""Every I/O call of a store killed, refused or torn: acknowledged means there, and nothing is ever half done.

The promises P1 and P2, and P8 under crashes. A run counts its calls; then each call is spoiled in a run of its own.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
KILL, _KILL_AFTER, EIO, ENOSPC, SHORT, TORN = range(1, 7)  # as the shim numbers them
FAULTS = ([KILL, 0], [TORN, 0], [EIO, 0], [ENOSPC, 0], [EIO, 1], [ENOSPC, 1], [SHORT, 0])
WORKERS = 2
STEPS = list(range(6))

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the shim wraps the calls of glibc on Linux"
)


class Bench:
    """Answers jobs with some processes under the shim."""

    def __init__(self, shim: Path, folder: Path) -> None:
        self.folder = folder
        environment = {**os.environ, "LD_PRELOAD": str(shim)}
        self._processes = [
            subprocess.Popen(
                [sys.executable, str(HERE / "crashes.py"), str(shim), str(folder / f"worker{number}")],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            )
            for number in range(WORKERS)
        ]  # fmt: skip

    def answer(self, jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers in order; asserts that there is one to each job, and nothing wrong with it."""
        shares = [jobs[number::WORKERS] for number in range(WORKERS)]
        with ThreadPoolExecutor(WORKERS) as pool:
            parts = list(pool.map(self._ask, self._processes, shares))
        answers: list[dict[str, Any]] = [{}] * len(jobs)
        for number, part in enumerate(parts):
            answers[number::WORKERS] = part
        wrong = [(job["fault"], answer["wrong"]) for job, answer in zip(jobs, answers, strict=True) if answer["wrong"]]
        assert not wrong, f"{len(wrong)} of {len(jobs)} points: {wrong[:5]}"
        return answers

    @staticmethod
    def _ask(process: subprocess.Popen[str], jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        assert process.stdin is not None and process.stdout is not None
        answers = []
        for job in jobs:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        return answers

    def close(self) -> None:
        for process in self._processes:
            process.communicate(timeout=60)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) to build the shim with")
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        shim = Path(name) / "shim.so"
        command = [
            compiler,
            "-shared",
            "-fPIC",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            shim,
            HERE / "shim.c",
            "-ldl",
        ]
        subprocess.run(command, check=True)
        bench = Bench(shim, Path(name))
        yield bench
        bench.close()


def job(fault: list[int], start: Path | None = None, **more: Any) -> dict[str, Any]:
    base = {"driver": "store", "start": None if start is None else str(start), "steps": STEPS, "states": [{}]}
    return {**base, "fault": fault, **more}


def points(calls: int, every: int, *, in_turn: bool = False) -> list[list[int]]:
    """Return each call with the faults that say most, or one of these in turn, and the others every so many calls."""
    say_most = FAULTS[:3]
    first = [[call, *fault] for call in range(1, calls + 1) for fault in say_most]
    if in_turn:
        first = [[call, *say_most[call % 3]] for call in range(1, calls + 1)]
    return first + [
        [call, *fault]
        for place, fault in enumerate(FAULTS[3:])
        for call in range(1 + place * every // 4, calls + 1, every)
    ]


def crash_everywhere(bench: Bench, every: int, *, in_turn: bool = False) -> Counter[str]:
    (whole,) = bench.answer([job([0, 0, 0])])
    assert whole["told"] == "+" * len(STEPS), "a step was refused, or acknowledged before it was synced"
    assert whole["calls"] > 250, "the shim saw too few calls"
    answers = bench.answer([job(fault) for fault in points(whole["calls"], every, in_turn=in_turn)])
    return Counter(answer["told"] if answer["status"] == 0 else "killed" for answer in answers)


def test_every_call_of_a_life_spoiled(bench: Bench) -> None:
    ends = crash_everywhere(bench, every=16, in_turn=True)
    assert ends.total() >= 350
    assert ends["killed"] >= 170
    refused = sum(count for told, count in ends.items() if "-" in told)
    assert refused >= 70, "the errors that were injected did not arrive"


def test_every_call_of_a_group_spoiled(bench: Bench) -> None:
    """What shares a commit stands with it, and falls with it only where the disk refuses each of them too."""
    life = {"driver": "group", "steps": STEPS}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert whole["told"] == "+" * len(STEPS)
    every = points(whole["calls"], every=16)
    answers = bench.answer([job(fault, **life) for fault in every[:: len(every) // 150]])
    assert len(answers) >= 150
    assert sum(answer["status"] != 0 for answer in answers) >= 50
    once = bench.answer([job([call, fault, 0], **life) for call in range(60, 220, 8) for fault in (EIO, ENOSPC)])
    assert sum(answer["told"] == "+" * len(STEPS) for answer in once) >= 10, "an error that passes is nobody's"


def delayed_life(bench: Bench, driver: str, every: int) -> None:
    life = {"driver": driver, "steps": list(range(8))}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert [whole["told"][step] for step in (3, 4, 7)] == ["+"] * 3, (
        "a flush or a removal returned before it was synced"
    )
    assert "?" in whole["told"] and sorted(whole["state"]) == ["id-0", "id-2", "id-3", "id-4"]
    answers = bench.answer([job(fault, **life) for fault in points(whole["calls"], every)])
    killed = [answer for answer in answers if answer["status"] != 0]
    assert len(killed) >= 60
    assert sum("-" in answer["told"] for answer in answers) >= 10, "the errors that were injected did not arrive"
    order = [["id-0", "id-1"], ["id-2"], ["id-3"], ["id-4"]]
    for answer in killed:  # whole calls, the last ones first: what is there is the beginning of what was called
        there = [[id for id in call if id in answer["state"]] for call in order]
        gone = [number for number, call in enumerate(order) if set(call) - {"id-1"} - set(there[number])]
        assert not any(there[number] for number in range(min(gone, default=4), 4)), answer


@pytest.mark.parametrize("driver", ["delayed", "delayed lines"])
def test_every_call_of_a_life_with_delayed_commits_spoiled(bench: Bench, driver: str) -> None:
    """What was flushed stands; what was acknowledged since stands up to some call, whole; no file is damaged."""
    delayed_life(bench, driver, every=16)


@pytest.mark.long
@pytest.mark.parametrize("driver", ["delayed", "delayed lines"])
def test_every_call_of_a_life_with_delayed_commits_spoiled_in_every_way(bench: Bench, driver: str) -> None:
    delayed_life(bench, driver, every=1)


@pytest.mark.long
def test_every_call_of_a_group_spoiled_in_every_way(bench: Bench) -> None:
    life = {"driver": "group", "steps": STEPS}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert len(bench.answer([job(fault, **life) for fault in points(whole["calls"], every=1)])) >= 1_000


def test_every_call_of_a_memory_spoiled(bench: Bench) -> None:
    """The whole memory, its generations too: no forgotten text is left in one, and none answers for the wrong past."""
    life = {"driver": "memory", "steps": list(range(5))}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert [whole["told"][step] for step in (0, 2, 4)] == ["+"] * 3  # the others save a generation, which is no promise
    every = points(whole["calls"], every=16)
    answers = bench.answer([job(fault, **life) for fault in every[:: len(every) // 150]])
    assert len(answers) >= 150
    assert sum(answer["status"] != 0 for answer in answers) >= 50
    assert sum("-" in answer["told"] for answer in answers) >= 5, "the errors that were injected did not arrive"


def test_every_call_of_a_compaction_spoiled(bench: Bench) -> None:
    """All of a compaction is there, or nothing; no deleted turn, and no summary of a forgotten one, is in a file."""
    life = {"driver": "compaction", "steps": list(range(5))}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert [whole["told"][step] for step in (1, 2, 4)] == ["+"] * 3  # the others save a generation, which is no promise
    assert sorted(whole["state"])[:2] == ["id-2", "id-3"] and len(whole["state"]) == 5
    every = points(whole["calls"], every=16)
    answers = bench.answer([job(fault, **life) for fault in every[:: max(len(every) // 120, 1)]])
    assert len(answers) >= 120
    assert sum(answer["status"] != 0 for answer in answers) >= 40
    assert len({json.dumps(answer["state"], sort_keys=True) for answer in answers}) >= 6, "each step was broken off"


@pytest.mark.long
def test_every_call_of_a_compaction_spoiled_in_every_way(bench: Bench) -> None:
    life = {"driver": "compaction", "steps": list(range(5))}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert len(bench.answer([job(fault, **life) for fault in points(whole["calls"], every=1)])) >= 1_000


@pytest.mark.long
def test_every_call_of_a_memory_spoiled_in_every_way(bench: Bench) -> None:
    life = {"driver": "memory", "steps": list(range(5))}
    (whole,) = bench.answer([job([0, 0, 0], **life)])
    assert len(bench.answer([job(fault, **life) for fault in points(whole["calls"], every=1)])) >= 1_000


@pytest.mark.long
def test_every_call_of_a_life_spoiled_in_every_way(bench: Bench) -> None:
    assert crash_everywhere(bench, every=1).total() >= 2_000


def test_every_call_of_a_recovery_spoiled(bench: Bench) -> None:
    """A store whose process was killed amid a commit is opened, and that is spoiled as well."""
    (whole,) = bench.answer([job([0, 0, 0])])
    spoiled = range(2, whole["calls"] + 1, 4)
    folders = [bench.folder / f"killed{call}" for call in spoiled]
    jobs = [job([call, KILL, 0], keep=str(folder)) for call, folder in zip(spoiled, folders, strict=True)]
    killed = bench.answer(jobs)
    hot = [
        (folder, answer["state"])
        for folder, answer in zip(folders, killed, strict=True)
        if (folder / "memory.db").exists() and journal_size(folder) > 512
    ]
    assert len(hot) >= 8, "too few kills left a journal to recover from"
    chosen = hot[:: len(hot) // 2]
    reopened = [job([0, 0, 0], folder, steps=[], states=[state]) for folder, state in chosen]
    reopened = [{**point, "steps": [3], "states": [state]} for point, (_, state) in zip(reopened, chosen, strict=True)]
    calls = [answer["calls"] for answer in bench.answer(reopened)]
    jobs = [
        {**point, "fault": [call, *fault]}
        for point, count in zip(reopened, calls, strict=True)
        for call in range(1, count + 1)
        for fault in ([[KILL, 0]], [[TORN, 0], [EIO, call // 2 % 2]])[call % 2]
    ]
    assert len(jobs) >= 120
    bench.answer(jobs)


def journal_size(folder: Path) -> int:
    journal = folder / "memory.db-journal"
    return journal.stat().st_size if journal.exists() else 0
