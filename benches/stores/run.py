"""byheart beside other embedded stores: the same records, the same questions, a process a store and phase, in turns.

    python benches/stores/run.py                              # 10,000 records, three rounds; about ten minutes
    python benches/stores/run.py --records 100000 --rounds 1 --only byheart qdrant-edge
    python benches/stores/page.py --write                     # the tables of README.md from what was kept

It wants the packages of `requirements.txt`, and byheart on the path. A store that is not installed, or that fails, is
named and left out. The numbers are kept beside this file, as `results-<records>.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import above  # noqa: F401
import data
import installed
from adapter import KINDS, Store
from harness import BYHEART, machine, note, row
from rivals import stores

HERE = Path(__file__).resolve().parent
SINGLES, QUESTIONS, ROUNDS, IMPORTS = 200, 200, 3, 3
FIRST = 50  # records of the round that is not counted: Python compiles then what it has not compiled before
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
AREA = "stores"
Samples = dict[str, dict[str, list[float]]]  # by what was measured, by store


def cases() -> list[tuple[str, str, str, bool]]:
    """Return the lines of the table: what a phase calls it, what the page calls it, unit, whether more is better."""
    lines = [
        ("one, p50", "one durable record, p50", "ms", False),
        ("one, p99", "one durable record, p99", "ms", False),
        ("many", "many at once, indexes made", "records/s", True),
        ("open", "open, until the first answer", "ms", False),
    ]
    for kind in KINDS:
        lines += [(f"{kind}, {share}", f"question by {kind}, {share}", "ms", False) for share in ("p50", "p99")]
        if kind in ("vector", "filtered"):
            lines += [(f"{kind}, recall", f"question by {kind}, recall@10", "share", True)]
    return [
        *lines,
        ("disk", "on disk, closed", "MiB", False),
        ("filled, resident", "resident after filling", "MiB", False),
        ("filled, anonymous", "resident after filling, no page of a file", "MiB", False),
        ("peak", "resident while filling, at most", "MiB", False),
        ("opened, resident", "resident, opened again", "MiB", False),
        ("opened, anonymous", "resident, opened again, no page of a file", "MiB", False),
        ("asked, resident", "resident, after all questions", "MiB", False),
        ("asked, anonymous", "resident, after all questions, no page of a file", "MiB", False),
        ("import", "import", "ms", False),
        ("packages", "packages installed for it, itself included", "packages", False),
        ("installed", "their files", "MB", False),
    ]


def phase(name: str, which: str, source: Path, folder: Path, records: int, singles: int) -> dict[str, float]:
    """Run a phase in a process of its own and return what it found.

    Raises:
        RuntimeError: it failed; the last lines of what it said.

    """
    command = [sys.executable, str(HERE / "measure.py"), "--store", name, "--phase", which, "--data", str(source)]
    command += ["--folder", str(folder), "--records", str(records), "--singles", str(singles)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    if done.returncode:
        raise RuntimeError(done.stderr[-800:])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def import_time(kind: type[Store]) -> float:
    """Return the median milliseconds of a store's imports in a fresh interpreter, that itself left out."""
    program = f"import time; start = time.perf_counter(); import {', '.join(kind.imports)}"
    program += "; print((time.perf_counter() - start) * 1e3)"
    command = [sys.executable, "-c", program]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT) for _ in range(IMPORTS)
    ]
    return statistics.median(float(done.stdout) for done in runs)


def once(kind: type[Store], source: Path, records: int, singles: int) -> dict[str, float]:
    """Measure one store once, in a new folder."""
    with tempfile.TemporaryDirectory(prefix="stores") as name:
        found = phase(kind.name, "fill", source, Path(name), records, singles)
        found |= phase(kind.name, "ask", source, Path(name), records, singles)
    found["import"] = import_time(kind)
    packages = installed.closure(kind.packages)
    return found | {"packages": len(packages), "installed": installed.megabytes(packages)}


def rounds(
    chosen: Sequence[type[Store]], source: Path, records: int, singles: int, count: int
) -> tuple[Samples, dict[str, str]]:
    """Measure every store once a round, the order moved on by one each time; also return who failed, and how."""
    samples: Samples = {}
    failed: dict[str, str] = {}
    for number in range(count + 1):
        for kind in [*chosen[number % len(chosen) :], *chosen[: number % len(chosen)]]:
            if kind.name in failed:
                continue
            note(f"round {number}: {kind.name}" if number else f"not counted: {kind.name}")
            try:
                found = once(kind, source, records, singles) if number else once(kind, source, FIRST, 1)
            except (RuntimeError, subprocess.CalledProcessError, installed.metadata.PackageNotFoundError) as error:
                note(f"{kind.name} is left out: {error}")
                failed[kind.name] = str(error).strip().splitlines()[-1]
                continue
            for what, value in found.items() if number else ():
                samples.setdefault(what, {}).setdefault(kind.name, []).append(value)
    whole = {what: {name: own for name, own in by.items() if name not in failed} for what, by in samples.items()}
    return whole, failed


def result(samples: Samples, chosen: Sequence[type[Store]], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept."""
    lines = [
        row(AREA, case, unit, samples[what], higher_is_better=better)
        for what, case, unit, better in cases()
        if BYHEART in samples.get(what, {})
    ]
    measured = [kind for kind in chosen if kind.name in samples.get("disk", {})]
    versions = {
        kind.name: ", ".join(f"{name} {installed.version(name)}" for name in kind.packages if name != BYHEART)
        for kind in measured
    }
    told = {kind.name: {"promise": kind.promise, "vectors": kind.vectors} for kind in measured}
    return {"about": dict(about), "versions": versions, "told": told, "rows": lines, "rounds": samples}


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--singles", type=int, default=SINGLES)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", nargs="+", choices=stores(), default=list(stores()))
    parser.add_argument("--out", type=Path, help="where the numbers go; without it, beside this file")
    wanted = parser.parse_args()
    if BYHEART not in wanted.only:
        parser.error(f"--only: a ratio is to {BYHEART}; name it too")
    about: dict[str, Any] = machine() | {"cores": os.cpu_count(), "records": wanted.records, "rounds": wanted.rounds}
    about |= {"records one by one": wanted.singles, "questions of each kind": wanted.questions}
    chosen = [stores()[name] for name in wanted.only]
    with tempfile.TemporaryDirectory(prefix="stores") as name:
        note("records, questions, exact answers")
        data.prepare(Path(name), wanted.records + wanted.singles, wanted.questions)
        samples, failed = rounds(chosen, Path(name), wanted.records, wanted.singles, wanted.rounds)
    about |= {"load at the end": " ".join(f"{load:.1f}" for load in os.getloadavg()), "failed": failed}
    kept = wanted.out or HERE / f"results-{wanted.records}.json"
    kept.write_text(json.dumps(result(samples, chosen, about), indent=1) + "\n", encoding="utf-8")
    note(f"kept in {kept.name}")
    if BYHEART in failed:
        raise SystemExit(f"{BYHEART} failed: {failed[BYHEART]}")


if __name__ == "__main__":
    main()
