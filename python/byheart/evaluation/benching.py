"""Timings of profiles at several sizes: building, opening, memory, latency and throughput, over made-up texts.

Each size is built in a process of its own and asked in another one: neither's memory and caches are the other's. Every
question is asked once before it is timed. Times depend on the machine and on what else it does: compare what was
measured on one machine, in one run.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from .. import __version__
from ..errors import InvalidArgument
from ..memory.memory import Memory
from ..profiles import Profile
from ..records import Record
from . import digests, material
from .filling import UNDATED, Progress, silent
from .profile_files import profiles_of
from .results import percentiles
from .tables import duration, table

if TYPE_CHECKING:
    from ..embedding import Embedder

SIZES: Final = (1_000, 10_000, 100_000)
QUERIES: Final = 200
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class _Task:
    """What a process is to do; `embedder` makes one there."""

    path: str
    records: int
    queries: int
    k: int
    threads: int
    profiles: tuple[Profile, ...]
    embedder: Callable[[], Embedder] | None

    def memory(self) -> Memory:
        """Open the memory."""
        return Memory(self.path, embedder=None if self.embedder is None else self.embedder())


def bench(
    profiles: Iterable[str | Profile],
    *,
    sizes: Sequence[int] = SIZES,
    queries: int = QUERIES,
    k: int = 10,
    threads: int | None = None,
    embedder: Callable[[], Embedder] | None = None,
    progress: Progress[Any] = silent,
) -> dict[str, Any]:
    """Return how long things take, as a JSON-able mapping: what `byheart bench --json` writes.

    It starts processes, so a script that calls it needs Python's guard `if __name__ == "__main__"`.

    Args:
        profiles: names, profiles, or files of profiles; see `byheart.evaluation.profile_files`.
        sizes: how many records there are, one run each.
        queries: how many questions each profile is asked.
        k: hits of each.
        threads: who ask at once where throughput is measured; without it as many as there are cores, at most 4.
        embedder: makes an embedder in the processes that need one: a function that can be pickled.
        progress: shows how far it is.

    Raises:
        InvalidArgument: no profile or size, or a number below 1.

    """
    chosen, asked_at_once = tuple(profiles_of(profiles)), threads or min(4, os.cpu_count() or 1)
    if not chosen or min((*sizes, queries, k, asked_at_once) if sizes else (0,)) < 1:
        raise InvalidArgument("profiles, sizes, queries, k, threads: give one of each at least, and no number below 1")
    rows = []
    for size in progress("measuring", sizes, len(sizes)):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "memory.db")
            task = _Task(path, size, queries, k, asked_at_once, chosen, embedder)
            built = _elsewhere(_build, task)
            rows.append({"records": size} | built | _elsewhere(_ask, task))
    config = {
        "sizes": list(sizes),
        "queries": queries,
        "k": k,
        "threads": asked_at_once,
        "profiles": {profile.name: digests.digest([profile.to_dict()]) for profile in chosen},
    }
    return {
        "format": "byheart-bench/1",
        "version": __version__,
        "machine": {
            "python": platform.python_version(),
            "platform": platform.platform(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        },
        "config": config,
        "config_digest": digests.digest([config]),
        "rows": rows,
    }


def markdown(found: dict[str, Any]) -> str:
    """Return the timings as two tables in Markdown."""
    rows, names = found["rows"], list(found["config"]["profiles"])
    head = ["records", "build", "records a second", "open", "file", "resident"]
    sizes = [
        [
            f"{row['records']:,}",
            duration(row["build_seconds"] * 1e6),
            f"{row['records'] / row['build_seconds']:,.0f}",
            duration(row["open_seconds"] * 1e6),
            _size(row["file_bytes"]),
            _size(row["resident_bytes"]),
        ]
        for row in rows
    ]
    asked = []
    for row in rows:
        for name in names:
            times = row["profiles"][name]
            cells = [duration(times[share]) for share in ("p50", "p95", "p99")]
            cells += [f"{times['per_second']:,.0f}", f"{times['per_second_at_once']:,.0f}"]
            asked.append([name, f"{row['records']:,}", *cells])
    threads = found["config"]["threads"]
    latency = ["profile", "records", "p50", "p95", "p99", "a second", f"a second, {threads} threads"]
    machine = found["machine"]
    told = f"byheart {found['version']}, Python {machine['python']}, {machine['platform']}, {machine['cores']} cores"
    return "\n\n".join([told, table(head, sizes), table(latency, asked)])


def _elsewhere(work: Callable[[_Task], dict[str, Any]], task: _Task) -> dict[str, Any]:
    """Do something in a new process, and return what it gives."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, task).result()


def _build(task: _Task) -> dict[str, Any]:
    """Fill the memory, and tell how long it took and how large its files are."""
    records = [
        Record(id=f"r{number}", text=text, created_at=UNDATED)
        for number, text in enumerate(material.texts(task.records))
    ]
    begun, coming = perf_counter(), iter(records)
    with task.memory() as memory:
        while some := list(islice(coming, _AT_ONCE)):
            memory.remember_many(some)
    seconds = perf_counter() - begun
    files = Path(task.path).parent.rglob("*")
    return {"build_seconds": seconds, "file_bytes": sum(file.stat().st_size for file in files if file.is_file())}


def _ask(task: _Task) -> dict[str, Any]:
    """Open the memory, and ask every profile."""
    asked = material.questions(list(material.texts(task.records)), task.queries)
    embedder = None if task.embedder is None else task.embedder()
    task = replace(task, embedder=None if embedder is None else lambda: embedder)
    gc.collect()
    before, begun = _resident(), perf_counter()
    with task.memory() as memory:
        opened, found = perf_counter() - begun, {}
        for profile in task.profiles:
            found[profile.name] = _latency(memory, profile, asked, task)
        after = _resident()
    resident = None if before is None or after is None else after - before
    return {"open_seconds": opened, "resident_bytes": resident, "profiles": found}


def _latency(memory: Memory, profile: Profile, asked: Sequence[str], task: _Task) -> dict[str, float]:
    """Return the percentiles of one recall after another, and how many a second several threads get."""

    def lap(question: str) -> float:
        begun = perf_counter()
        memory.recall(question, task.k, profile, now=UNDATED)
        return (perf_counter() - begun) * 1e6

    for question in asked:
        lap(question)
    times = [lap(question) for question in asked]
    with ThreadPoolExecutor(task.threads) as pool:
        begun = perf_counter()
        list(pool.map(lap, asked))
        spent = perf_counter() - begun
    return percentiles(times) | {"per_second_at_once": len(asked) / spent}


def _resident() -> int | None:
    """Return the bytes of memory that this process holds; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _size(count: int | None) -> str:
    """Return bytes in the unit that suits them."""
    if count is None:
        return "unknown"
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
