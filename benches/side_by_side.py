"""Runs every case, each in a process of its own, and writes the tables of benches/README.md.

python benches/side_by_side.py           # all of it, about 25 minutes; what `make bench` runs
python benches/side_by_side.py --quick   # 10,000 records, at most 3 minutes, README.md left as it is
python benches/side_by_side.py --only dense.py mmr.py   # these programs again; the other numbers stay as they are
python benches/side_by_side.py --report  # only the tables again, from the numbers of the last full run
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import report
from dense import RIVALS as DENSE_RIVALS
from hamming import RIVALS
from harness import ONE_THREAD, machine, note

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "target" / "bench"
ENGINES_BY_SIZE = ("byheart", "byheart-long-ids", "tantivy", "bm25-turbo", "bm25s")
GIBIBYTE = 2**30

Job = tuple[str, Sequence[str], Mapping[str, str]]


def environment() -> dict[str, str]:
    """Return the environment of every case: one thread, and OpenBLAS free to choose its kernel."""
    kept = {name: value for name, value in os.environ.items() if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    return kept | ONE_THREAD


def memory() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def jobs(quick: bool) -> Iterator[Job]:
    """Give the cases: program, arguments, further environment."""
    for records in (10, 10_000) if quick else (10, 1_000, 10_000, 100_000, 1_000_000):
        yield "lexical.py", ("--corpus", "zipf", "--records", str(records)), {}
    for records in (10_000,) if quick else (10_000, 100_000):
        yield "lexical.py", ("--corpus", "english", "--records", str(records)), {}
    for rows in (10_000,) if quick else (10_000, 100_000):
        for rival in RIVALS:
            yield "hamming.py", ("--rival", rival, "--rows", str(rows)), {}
    if not quick and memory() > 6 * GIBIBYTE:
        for rival in ("simsimd", "numkong", "faiss-cpu"):
            yield "hamming.py", ("--rival", rival, "--rows", "1000000"), {}
    for rows in (10_000,) if quick else (10_000, 100_000):
        for rival in DENSE_RIVALS:
            yield "dense.py", ("--rival", rival, "--rows", str(rows)), {}
    yield "encoding.py", (), {}
    yield "mmr.py", (), {}
    yield "words.py", (), {}
    yield "patterns.py", (), {}
    yield "recall.py", ("--records", "10000"), {}
    for beside in (0, 10_000):
        yield "questions.py", ("--beside", str(beside)), {}
    yield "conversation.py", ("--records", "10000"), {}
    yield "growth.py", ("--removed", "5000", "--scopes", "5000") if quick else (), {}
    yield "staged.py", ("--records", "10000"), {}
    yield "store.py", ("--records", "10000" if quick else "100000"), {}
    yield "writing.py", ("--records", "10000" if quick else "100000"), {}
    yield "memory_and_disk.py", ("--records", "10000" if quick else "100000"), {}
    yield "activation.py", ("--records", "10000"), {}
    yield "mcp_server.py", ("--records", "10000"), {}
    yield "imports.py", (), {}
    if not quick:
        yield "embedding.py", (), {}
        yield "kernels.py", (), {}
        for engine in ENGINES_BY_SIZE:
            yield "footprint.py", ("--engine", engine, "--records", "1000000"), {"PYTHONMALLOC": "malloc"}


def lines(job: Job) -> list[dict[str, Any]]:
    """Run one case and return its rows; none, with a word on it, if it fails."""
    program, arguments, more = job
    command = [sys.executable, str(HERE / program), *arguments]
    done = subprocess.run(command, env=environment() | more, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        note(f"FAILED, and left out of the tables: {program} {' '.join(arguments)}")
        return [{"area": "failed", "case": " ".join((program, *arguments))}]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def calls() -> list[dict[str, Any]]:
    """Run the calls with pytest-benchmark and return its medians."""
    results = FOLDER / "calls.json"
    options = [
        "--benchmark-max-time=0.5",
        "--benchmark-min-time=0.0005",
        "--benchmark-disable-gc",
        "--benchmark-warmup=on",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "--rootdir", str(HERE)]
    command += [*options, f"--benchmark-json={results}", str(HERE / "test_calls.py")]
    done = subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        note("FAILED, and left out of the tables: test_calls.py")
        return [{"area": "failed", "case": "test_calls.py"}]
    found = json.loads(results.read_text(encoding="utf-8"))["benchmarks"]
    return [{"area": "calls", "case": one["name"], "us": one["stats"]["median"] * 1e6} for one in found]


def measure(kept: Path, quick: bool, only: Sequence[str]) -> None:
    """Run the cases and keep their rows as they come; with `only`, those of other programs stay as they were."""
    old: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if only else {}
    rows = [row for row in old.get("rows", []) if row["program"] not in only]
    about = machine() | {"date": time.strftime("%Y-%m-%d")}
    start = time.monotonic()
    for job in [*jobs(quick), ("test_calls.py", (), {})]:
        program = job[0]
        if only and program not in only:
            continue
        found = calls() if program == "test_calls.py" else lines(job)
        rows += [row | {"program": program} for row in found]
        about["minutes"] = f"{(time.monotonic() - start) / 60:.0f}"
        if only:
            about["run again later than the rest"] = ", ".join(only)
        kept.write_text(json.dumps({"machine": about, "rows": rows}, indent=1), encoding="utf-8")


def main() -> None:
    """Run, keep the numbers, write the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="10,000 records only; README.md is left as it is")
    parser.add_argument("--only", nargs="+", default=[], metavar="PROGRAM", help="only these, beside what is kept")
    parser.add_argument("--report", action="store_true", help="only write the tables again")
    wanted = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / ("quick.json" if wanted.quick else "full.json")
    if not wanted.report:
        measure(kept, wanted.quick, wanted.only)
    tables = report.tables(json.loads(kept.read_text(encoding="utf-8")))
    if wanted.quick:
        sys.stdout.write(tables)
    else:
        report.write(HERE / "README.md", tables)
        note(f"tables written: {HERE / 'README.md'}")


if __name__ == "__main__":
    main()
