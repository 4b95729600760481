"""Draws mutants of the package or the core, asks the tests about each, and writes the score into tests/README.md.

    target/mutants/venv/bin/python tests/mutation/run.py [--core] [--number N] [--size N] ...

The same number draws the same mutants; without one it is the date. Of the package (`drawing.py`) each mutant is planted
in a copy of the tree, one for each core, and the tests that reach its line are run, the fastest first (`reaching.py`);
`--kept` takes the record of an earlier run, if the package is the same, and records only the tests that are new or
changed, and `--survivors` asks again only about those that survived it. Of the core cargo-mutants draws and tests. What
`equivalent.toml` names with its reason is counted apart. Exits with 1 below the goal.
"""

import argparse
import itertools
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import date
from pathlib import Path
from queue import SimpleQueue

from drawing import Mutant, draw
from reaching import Reach, joined, known
from scoring import SURVIVED, report

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "mutants"
TREES = [WORK / f"tree{number}" for number in range(os.cpu_count() or 1)]
EXTENSION = Path("python/byheart/_core.abi3.so")
# The digest of all scores notices any change, right or wrong, and scans of the source look at no behaviour: neither
# is asked.
ASKED = ["unit", "conformance", "extending", "faults", "regression", "property", "concurrency"]
ASKED += ["packaging/test_examples.py"]
# Shown last, since what they read of tables, or do in processes that they start, is in no record.
LAST = ["tests/unit/test_defaults_told.py", "tests/unit/test_mcp_contract.py", "tests/unit/test_cli_options.py"]
LAST += ["tests/unit/test_types_told.py"]
LAST += ["tests/unit/test_cli_terminal.py", "tests/packaging/test_programs.py"]
GOLDEN = "tests/regression/test_golden.py"
# Seconds: for one test, for a first look, until a test that hangs is ended.
SLOWEST, AT_FIRST, HANGS = 10.0, 5.0, 120
ENDED = 900  # seconds: a mutant whose tests take longer hangs
MEMORY = 8 << 30  # bytes: a loop that was made endless takes no more
GOAL = 0.95
ENVIRONMENT = {
    "BYHEART_SHARED": str(ROOT.parent / "shared"),
    **os.environ,
    "HYPOTHESIS_PROFILE": "mutants",
    "PROPTEST_FAILURE_PERSISTENCE": "off",
}
USED_WRONGLY = 4  # pytest's code for, among others, a test that is not there
MISSING = re.compile(r"^ERROR: not found: (.+?)::", re.MULTILINE)
FAILURE = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


def copy_to(tree: Path) -> None:
    """Bring a copy up to the checkout; what is the same keeps its time, and so its compiled form."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in (*names, str(EXTENSION)):
        source, copy = ROOT / name, tree / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    for path in tree.rglob("*.py"):
        if path.relative_to(tree).as_posix() not in names:
            path.unlink()


def python(tree: Path, *arguments: str, limit: float | None = None) -> tuple[int, str]:
    """Run Python in a copy; return its exit code and what it printed. A run that is ended has failed."""
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tree,
            env={**ENVIRONMENT, "PYTHONPATH": str(tree / "python")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)) if limit else None,
        )
    except subprocess.TimeoutExpired:
        return 1, "the tests hang"
    return done.returncode, done.stdout


def pytest(tree: Path, tests: list[str], *options: str, limit: float) -> tuple[int, str]:
    """Run these tests in this order, but for those that are not there: of some what a file makes depends on others."""
    chosen = tree.with_suffix(".txt")
    hanging = ["-o", f"faulthandler_timeout={HANGS}", "-o", "faulthandler_exit_on_timeout=true"]
    command = ["-m", "pytest", "-q", *options, "-p", "no:cacheprovider", *hanging, f"@{chosen}"]
    while True:
        chosen.write_text("\n".join(tests), encoding="utf-8")
        code, output = python(tree, *command, limit=limit)
        files = MISSING.findall(output.replace(f"{tree}{os.sep}", "")) if code == USED_WRONGLY else []
        there = set(python(tree, "-m", "pytest", "--collect-only", "-q", *files)[1].splitlines() if files else ())
        left = [test for test in tests if test.partition("::")[0] not in files or test in there]
        if not left or left == tests:
            return code if left else 0, output
        tests = left


def record(*, keep: bool) -> Reach:
    """Run the tests that are asked, dealt to as many processes as there are copies; return what they reach.

    Of a record that is kept only the files that are new or changed since are run.
    """
    folders = [TREES[0] / "tests" / name for name in ASKED]
    files = sorted(file for folder in folders for file in ([folder] if folder.suffix else folder.rglob("test_*.py")))
    names = [name for file in files if (name := file.relative_to(TREES[0]).as_posix()) != GOLDEN]
    before = known(TREES[0], names) if keep else {}
    done = {test.partition("::")[0] for test in before}
    names = [name for name in names if name not in done]
    parts = {str(number): part for number in range(len(TREES)) if (part := names[number :: len(TREES)])}
    with ThreadPoolExecutor(len(TREES)) as threads:
        runs = [threads.submit(python, TREES[0], "tests/mutation/reaching.py", part, *of) for part, of in parts.items()]
        for code, output in [run.result() for run in runs]:
            if code not in (0, 1):  # a test that fails is not asked; what cannot be collected ends it
                raise SystemExit(f"byheart: the tests cannot be run:\n{output[-3000:]}")
    joined(TREES[0], list(parts), kept=before)
    return Reach(TREES[0])


def ask(tree: Path, mutant: Mutant, tests: list[str], first: int, bad: Iterable[str]) -> str:
    """Plant one mutant, run the first tests, then the others, and put the file back; return what caught it, if any.

    Of those shown last the `bad` ones are left out, which fail without it: they would seem to catch all, for ever.
    """
    path = tree / mutant.file
    good = path.read_bytes()
    path.write_text(mutant.text, encoding="utf-8")
    stamp = zlib.crc32(mutant.text.encode())
    os.utime(path, (stamp, stamp))  # a time of its own: files of one size and second share their compiled form
    left_out = [f"--deselect={test}" for test in sorted(bad)]
    try:
        for chosen in (tests[:first], tests[first:], LAST):
            code, output = pytest(tree, chosen, "-x", *left_out, limit=ENDED) if chosen else (0, "")
            if code:
                found = FAILURE.search(output)
                return found[1] if found else "ended: " + " / ".join(output.strip().splitlines()[-1:])
    finally:
        path.write_bytes(good)
    return SURVIVED if tests else f"{SURVIVED}, no test reaches it"


def failing(verdicts: Iterable[str]) -> set[str]:
    """Return which of the tests that caught something fail where nothing was changed: they have caught nothing."""
    tests = sorted({verdict for verdict in verdicts if "::" in verdict})
    code, output = pytest(TREES[0], tests, limit=3600) if tests else (0, "")
    if code not in (0, 1):
        raise SystemExit(f"byheart: the tests cannot be run without a mutant:\n{output[-3000:]}")
    return set(FAILURE.findall(output))


def package(number: int, size: int, patience: float, *, kept: bool, survivors: bool) -> dict[Mutant, str]:
    """Ask about a sample of the package's mutants; return what became of each."""
    for tree in TREES:
        copy_to(tree)
    reach = record(keep=kept)
    sample, notes = list(itertools.islice(draw(TREES[0], number), size)), WORK / f"{number}.json"
    before = {tuple(key): verdict for key, verdict in json.loads(notes.read_text())} if survivors else {}
    found = {mutant: before.get(mutant.key, SURVIVED) for mutant in sample}
    todo, bad = [mutant for mutant in sample if found[mutant].startswith(SURVIVED)], set[str]()
    free = SimpleQueue[Path]()
    for tree in TREES:
        free.put(tree)

    def asked(mutant: Mutant, tests: list[str]) -> tuple[Mutant, float, str]:
        tree, start = free.get(), time.monotonic()
        try:
            verdict = ask(tree, mutant, tests, reach.first(tests, AT_FIRST), bad)
            return mutant, time.monotonic() - start, verdict
        finally:
            free.put(tree)

    while todo:
        looked = {
            mutant: reach.tests(TREES[0] / mutant.file, mutant.line, slowest=SLOWEST, patience=patience)
            for mutant in todo
        }  # before anything is planted
        with ThreadPoolExecutor(len(TREES)) as threads:
            good = [(mutant, [test for test in tests if test not in bad]) for mutant, tests in looked.items()]
            for done in as_completed([threads.submit(asked, mutant, tests) for mutant, tests in good]):
                mutant, took, found[mutant] = done.result()
                print(f"{took:4.0f} s  {mutant.file}:{mutant.line} {found[mutant]}", flush=True)
                notes.write_text(json.dumps([(mutant.key, verdict) for mutant, verdict in found.items()]))
        bad |= failing(found[mutant] for mutant in todo)
        todo = [mutant for mutant in todo if found[mutant] in bad]
    return found


def core(number: int, size: int) -> dict[Mutant, str]:
    """Let cargo-mutants ask about a sample of the core's mutants; return what became of each that compiles."""
    command = ["cargo", "mutants", "--dir", str(ROOT), "--exclude", "rust/src/binding/**"]
    listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    shards = max(1, len(listed) // size)
    command += ["--sharding=round-robin", f"--shard={number % shards}/{shards}", f"--output={WORK}", "--timeout=300"]
    subprocess.run([*command, "--cargo-test-arg=--lib", "--cargo-test-arg=--tests"], env=ENVIRONMENT, check=False)
    found: dict[Mutant, str] = {}
    for outcome in json.loads((WORK / "mutants.out" / "outcomes.json").read_text(encoding="utf-8"))["outcomes"]:
        if outcome["summary"] in ("CaughtMutant", "MissedMutant", "Timeout"):
            made = outcome["scenario"]["Mutant"]
            line = made["span"]["start"]["line"]
            text = (ROOT / made["file"]).read_text(encoding="utf-8").splitlines()[line - 1].strip()
            mutant = Mutant(made["file"], line, text, made["name"].partition(": ")[2], "")
            found[mutant] = SURVIVED if outcome["summary"] == "MissedMutant" else outcome["summary"]
    return found


def main() -> int:
    """Draw, ask, report; exit with 1 if too many survived."""
    parser = argparse.ArgumentParser(description="draws mutants and sees whether the tests notice")
    parser.add_argument("--core", action="store_true", help="of the core, by cargo-mutants")
    parser.add_argument("--number", type=int, default=int(f"{date.today():%Y%m%d}"), help="what draws; the date")
    parser.add_argument("--size", type=int, default=60, help="how many mutants; 60")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds of tests for each mutant; 120")
    parser.add_argument("--kept", action="store_true", help="of which test reaches what record only what is new")
    parser.add_argument("--survivors", action="store_true", help="only those that survived the last run of this number")
    chosen = parser.parse_args()
    if chosen.core:
        score = report("core", chosen.number, core(chosen.number, chosen.size))
    else:
        found = package(chosen.number, chosen.size, chosen.patience, kept=chosen.kept, survivors=chosen.survivors)
        score = report("package", chosen.number, found)
    return int(score < GOAL)


if __name__ == "__main__":
    sys.exit(main())
