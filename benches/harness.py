"""How anything is timed here: in turns, on one core, with the collector of garbage off, as ratios inside a round.

A row is one line of a table: a case, a value for each engine, and for each rival how many times byheart is ahead of it.
Every case program prints its rows as JSON, one a line; `side_by_side.py` collects them.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROUNDS = 5
BYHEART = "byheart"

ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS")
}


def pin() -> None:
    """Keep this process and the threads it starts on one core: the last one it may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def per_call(
    call: Callable[[Any], object], arguments: Sequence[Any], *, cold: bool = False, seconds: float = 0.5
) -> float:
    """Return the median microseconds of one call, over the arguments, or as many as fit into the seconds (at least 20).

    Unless `cold`, the same calls are made once before, for at most half of that time, and are not counted: whoever had
    the turn before has filled the caches. The two looks at the clock, about 0.1 us, are part of what is counted.
    """
    clock, times = time.perf_counter_ns, []
    end = clock() + int(seconds * 5e8)
    for argument in () if cold else arguments:
        call(argument)
        if clock() > end:
            break
    end = clock() + int(seconds * 1e9)
    for argument in arguments:
        start = clock()
        call(argument)
        stop = clock()
        times.append(stop - start)
        if stop > end and len(times) >= 20:
            break
    return statistics.median(times) / 1000.0


def repeated(call: Callable[[], object], seconds: float = 0.2) -> float:
    """Return the median microseconds of one call, over as many as fit into the seconds; for calls of microseconds."""
    clock, times = time.perf_counter_ns, []
    end = clock() + int(seconds * 1e9)
    while clock() < end:
        start = clock()
        call()
        times.append(clock() - start)
    return statistics.median(times) / 1000.0


def busy(call: Callable[[], object], seconds: float = 0.2) -> float:
    """Return the mean microseconds of processor time of one call; for calls of milliseconds, which others interrupt."""
    call()
    calls, start = 0, time.process_time()
    while time.process_time() < start + seconds:
        call()
        calls += 1
    return (time.process_time() - start) * 1e6 / calls


def timed(call: Callable[[], object]) -> float:
    """Return the milliseconds of a call."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def quantile(times: Sequence[float], share: float) -> float:
    """Return the value below which that share lies."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def resident() -> int:
    """Return the bytes that this process holds in memory, after what is free has been given back."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def machine() -> dict[str, str]:
    """Return what the numbers were measured on."""
    import numpy

    import byheart._core as core

    names = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "instruction set in use": core.active_isa(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_version()}, NumPy {numpy.__version__}",
        "byheart": core.__build__,
        "load at the start": " ".join(f"{load:.1f}" for load in os.getloadavg()),
    }


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def in_turns(turns: Mapping[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Measure every engine once a round, one after the other, the order moved on by one each round."""
    names, found = list(turns), {name: [] for name in turns}
    gc.collect()
    gc.disable()
    try:
        for round_ in range(rounds):
            shift = round_ % len(names)
            for name in names[shift:] + names[:shift]:
                found[name].append(turns[name]())
    finally:
        gc.enable()
    return found


def row(
    area: str,
    case: str,
    unit: str,
    samples: Mapping[str, Sequence[float]],
    *,
    higher_is_better: bool = False,
    agreement: Mapping[str, float] | None = None,
    limit: str | None = None,
    **facts: Any,
) -> dict[str, Any]:
    """Return one line of a table: medians, and for each other engine the median of the ratios inside the rounds.

    A ratio above 1 says that byheart is that many times ahead. `limit` names the engine that is no rival but a bound,
    such as a read of the same bytes.
    """
    ours = samples[BYHEART]
    ratios = {
        name: statistics.median(
            (mine / theirs if higher_is_better else theirs / mine) for mine, theirs in zip(ours, values, strict=True)
        )
        for name, values in samples.items()
        if name != BYHEART
    }
    return {
        "area": area,
        "case": case,
        "unit": unit,
        "higher_is_better": higher_is_better,
        "values": {name: statistics.median(values) for name, values in samples.items()},
        "ratios": ratios,
        "agreement": dict(agreement or {}),
        "limit": limit,
        "facts": facts,
    }


def emit(line: Mapping[str, Any]) -> None:
    """Hand one row to whoever runs this program."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def note(text: str) -> None:
    """Say on the terminal what is going on."""
    sys.stderr.write(f"  {text}\n")
    sys.stderr.flush()
