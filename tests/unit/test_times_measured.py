"""Times that are measured are told in their units: by a clock that goes on by two milliseconds at each look."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

import byheart
from byheart import errors
from byheart.embedding import HashingEmbedder
from byheart.evaluation import activation_benchmark, benching, filling, replay, runner
from byheart.evaluation.arms import running
from byheart.evaluation.arms.histories import read
from byheart.evaluation.datasets import Collection, Document, Query, load
from byheart.profiles import get
from byheart.recall import legs
from byheart.recall import run as recalling

from . import bench_files, judged
from .router_runs import routed

TELLS = pytest.approx
"""A sum of looks at the clock is rounded."""
TEA = Collection("tea", (Document("a", "Ann drinks green tea."),), (Query("q", "who drinks tea?"),), {"q": {"a": 1}})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all that measures look at a clock of the test's own; of those in nanoseconds, too."""
    seconds, nanoseconds = count(7), count(7)
    modules: tuple[ModuleType, ...] = (activation_benchmark, benching, filling, replay, runner, running)
    for module in modules:
        monkeypatch.setattr(module, "perf_counter", lambda: next(seconds) * 0.002)
    for within in (legs, recalling):
        monkeypatch.setattr(within, "perf_counter_ns", lambda: next(nanoseconds) * 2_000_000)


@pytest.mark.usefixtures("clock")
def test_a_recall_of_an_evaluation_takes_microseconds() -> None:
    found = runner.evaluate(TEA, ["kb-fast"])
    assert [lap.total for lap in found.laps["kb-fast"]] == TELLS([2_000.0])
    assert found.latency("kb-fast")["per_second"] == TELLS(500.0)
    steps = found.laps["kb-fast"][0].steps
    assert steps and set(steps.values()) == {2_000.0}


@pytest.mark.usefixtures("clock")
def test_a_recall_that_fails_took_its_time_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **options: object) -> None:
        raise errors.ModelError("no")

    monkeypatch.setattr(byheart.Memory, "recall", fails)
    [lap] = runner.evaluate(TEA, ["kb-fast"]).laps["kb-fast"]
    assert (lap.total, lap.steps) == (TELLS(2_000.0), {})


@pytest.mark.usefixtures("clock")
def test_a_turn_and_a_question_take_microseconds(tmp_path: Path) -> None:
    found = replay.replay(load(judged.conversations(tmp_path)), ["kb-fast"], budgets=(40,), compaction=(False,))
    [run], [told] = found.runs, found.telling.values()
    assert run.microseconds and list(run.microseconds) == TELLS([2_000.0] * len(run.asked))
    assert told and list(told) == TELLS([2_000.0] * run.told.turns)


@pytest.mark.usefixtures("clock")
def test_an_activation_takes_milliseconds(tmp_path: Path) -> None:
    activated = activation_benchmark.benchmark(load(judged.subjects(tmp_path)), embedder=HashingEmbedder(16)).activated
    assert activated.asked and list(activated.times) == TELLS([2.0] * activated.asked)


@pytest.mark.usefixtures("clock")
def test_filling_a_memory_takes_seconds() -> None:
    assert filling.fill(TEA).seconds == TELLS(0.002)


@pytest.mark.usefixtures("clock")
def test_a_bench_takes_seconds_to_build_and_microseconds_to_ask(tmp_path: Path) -> None:
    task = benching._Task(str(tmp_path / "memory.db"), 3, 4, 2, 1, (get("kb-fast"),), None)
    assert benching._build(task)["build_seconds"] == TELLS(0.002)
    told = benching._ask(task)
    assert told["open_seconds"] == TELLS(0.002)
    [times] = told["profiles"].values()
    assert [times[name] for name in ("p50", "p95", "p99", "mean")] == TELLS([2_000.0] * 4)
    assert times["per_second"] == TELLS(500.0)
    looks = 2 * 4 + 1  # of one thread that asks four questions, and before and after
    assert times["per_second_at_once"] == TELLS(4 / (looks * 0.002))


@pytest.mark.usefixtures("clock")
def test_arms_and_the_stages_of_a_router_take_milliseconds(tmp_path: Path) -> None:
    reports = routed(read(bench_files.write(tmp_path))).reports
    results = [result for report in reports.values() for result in report["results"]]
    assert results and [result["latency_ms"] for result in results] == TELLS([2.0] * len(results))
    split = [result["routing"]["latency_ms"] for result in results if result.get("routing")]
    assert split and {each["stage1"] for each in split} == {each["fusion"] for each in split} == {2.0}
    assert {each["stage2"] for each in split} == {0.0, 2.0}, "of those that asked it"
