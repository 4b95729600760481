"""Plants each bug of `bugs.toml` in a copy of the tree and sees whether the tests notice.

    .venv/bin/python tests/planted/run.py [--list] [--own] [word ...]

Words choose the bugs whose name has one of them; without words all are planted. The core's own tests go first, then
those that a bug names as its `suites`, then pytest, folder by folder; the first failing test is recorded. With `--own`
a bug that names suites is shown to these alone. The committed digest of scores comes last, since it notices any change
but not whether the change is wrong. A bug takes about a minute. `README.md` gets the score: what was planted now, and
beside it what was found earlier of the others. The copy and what is built of it lie in `target/planted`; of the
checkout nothing but that page is touched.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from datetime import date
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target" / "planted"
TREE = WORK / "tree"
# In this order: what catches most in the least time comes first.
SUITES = ["unit", "conformance", "faults", "regression", "property/test_memory_oracle.py", "property", "concurrency"]
GOLDEN = "tests/regression/test_golden.py"
EXTENSION = Path("python/byheart/_core.abi3.so")
RUST_FAILURE = re.compile(r"^---- (\S+) stdout ----$", re.MULTILINE)
PYTHON_FAILURE = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
# What Python says of the thread that runs the tests, once a test has taken longer than anyone waits.
HANGING = re.compile(r'^  File ".*/(tests/\S+)", line \d+ in (test_\w+)$', re.MULTILINE)
PATIENCE = 900  # seconds for one test: the longest take minutes where other things run
ROW = re.compile(r"^\| (?P<name>.+) \| `(?P<file>\S+)` \| (?P<test>.+) \| (?P<run>.+) \|$", re.MULTILINE)
SURVIVED, NOT_RUN = "**survived**", "not run"

ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(WORK / "build"),
    "CARGO_PROFILE_DEV_OPT_LEVEL": "2",  # as the test profile has it, so that both share what they build
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_PROFILE_TEST_DEBUG": "0",
    "PYO3_PYTHON": sys.executable,
    "PYTHONPATH": str(TREE / "python"),
    "PYTHONDONTWRITEBYTECODE": "1",  # a planted and a repaired file may have one size and one second
    "HYPOTHESIS_PROFILE": "first",
    "PROPTEST_FAILURE_PERSISTENCE": "off",
}


class Bug(NamedTuple):
    """A text to replace, and why somebody might; which tests ought to notice, if that is known.

    A bug that makes a test hang has a `patience` of its own, in seconds.
    """

    name: str
    file: str
    old: str
    new: str
    why: str
    suites: tuple[str, ...] = ()
    patience: int = PATIENCE

    @property
    def is_rust(self) -> bool:
        """Whether the core has to be built for it."""
        return self.file.endswith(".rs")


def read_bugs() -> list[Bug]:
    """Return the list, each checked against the tree: the old text stands there once."""
    entries = tomllib.loads((HERE / "bugs.toml").read_text(encoding="utf-8"))["bug"]
    bugs = [Bug(**{**entry, "suites": tuple(entry.get("suites", ()))}) for entry in entries]
    for bug in bugs:
        found = (ROOT / bug.file).read_text(encoding="utf-8").count(bug.old)
        if found != 1:
            raise SystemExit(f"{bug.name}: the old text stands {found} times in {bug.file}")
    return bugs


def copy_tree() -> None:
    """Bring the copy up to the checkout; files that are the same keep their time, so that little is built anew."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, copy = ROOT / name, TREE / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    for path in TREE.rglob("*.py"):
        if path.relative_to(TREE).as_posix() not in names:
            path.unlink()


def run(*command: str) -> tuple[bool, str]:
    """Run a command in the copy; return whether it succeeded and what it printed."""
    done = subprocess.run(
        command, cwd=TREE, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode == 0, done.stdout


def build_extension() -> str | None:
    """Build the extension of the copy and put it where Python finds it; return what went wrong."""
    good, output = run("cargo", "build", "--locked", "--quiet", "--lib", "--features", "python")
    if not good:
        return output
    put_extension(WORK / "build" / "debug" / "libbyheart_core.so")
    return None


def put_extension(built: Path) -> None:
    """Put a built extension where the copy's Python finds it."""
    target = TREE / EXTENSION
    target.unlink(missing_ok=True)
    shutil.copyfile(built, target)


def pytest(patience: int, *arguments: str) -> tuple[bool, str]:
    """Run pytest in the copy; a test that hangs ends it."""
    limit = ["-o", f"faulthandler_timeout={patience}", "-o", "faulthandler_exit_on_timeout=true"]
    return run(
        sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "-p", "no:cacheprovider", *limit, *arguments
    )


def caught_by(bug: Bug, *, own: bool) -> str | None:
    """Return the first test that fails in the copy, of the bug's own or then of all; None if those asked pass."""
    if bug.is_rust:
        good, output = run("cargo", "test", "--locked", "--quiet", "--lib", "--tests")
        if not good:
            return (
                first(RUST_FAILURE, output)
                or first(re.compile(r"^    (\S+)$", re.MULTILINE), output)
                or last_lines(output)
            )
        problem = build_extension()
        if problem:
            raise SystemExit(f"a planted bug does not compile:\n{problem}")
    first_asked = [[f"tests/{suite}" for suite in bug.suites]] if bug.suites else []
    rest = [[*(f"tests/{suite}" for suite in SUITES), f"--ignore={GOLDEN}"], [GOLDEN]]
    for arguments in first_asked if own and first_asked else [*first_asked, *rest]:
        good, output = pytest(bug.patience, *arguments)
        if not good:
            return first(PYTHON_FAILURE, output) or hanging(output) or last_lines(output)
    return None


def first(pattern: re.Pattern[str], output: str) -> str | None:
    """Return the first match, or None."""
    found = pattern.search(output)
    return found[1] if found else None


def hanging(output: str) -> str | None:
    """Return the test that was ended since it took too long, or None."""
    found = HANGING.search(output)
    return f"{found[1]}::{found[2]} hangs" if found else None


def last_lines(output: str) -> str:
    """Return the end of an output that names no test."""
    return "unclear: " + " / ".join(output.strip().splitlines()[-3:])


def plant(bug: Bug, *, own: bool) -> str | None:
    """Plant one bug, ask the tests, and put the file back."""
    path = TREE / bug.file
    good = path.read_text(encoding="utf-8")
    path.write_text(good.replace(bug.old, bug.new), encoding="utf-8")
    try:
        return caught_by(bug, own=own)
    finally:
        path.write_text(good, encoding="utf-8")


def report(bugs: list[Bug], results: list[tuple[Bug, str | None]], commit: str, *, own: bool) -> None:
    """Write the score into README.md, below its marker; a row of an earlier run stays if its bug is where it was."""
    readme = HERE / "README.md"
    text, marker, before = readme.read_text(encoding="utf-8").partition("<!-- score -->\n")
    rows = {(row["name"], row["file"]): (row["test"], row["run"]) for row in ROW.finditer(before)}
    for bug, test in results:
        asked = "its own" if own and bug.suites else "all"
        rows[bug.name, bug.file] = (f"`{test}`" if test else SURVIVED, f"{date.today()}, {commit}, {asked}")
    table = [(bug, *rows.get((bug.name, bug.file), (NOT_RUN, "-"))) for bug in bugs]
    found = [test for _, test, _ in table]
    survived, not_run = found.count(SURVIVED), found.count(NOT_RUN)
    score = f"{len(found) - survived - not_run} of {len(found)} caught, {survived} survived, {not_run} not run."
    lines = [f"\n**{score}**\n\n| bug | file | first test that fails | run, at, tests asked |\n|---|---|---|---|\n"]
    lines += [f"| {bug.name} | `{bug.file}` | {test} | {run} |\n" for bug, test, run in table]
    readme.write_text(text + marker + "".join(lines), encoding="utf-8")


def main() -> int:
    """Plant what was asked for; exit with the number of survivors."""
    parser = argparse.ArgumentParser(description="plants bugs and sees whether the tests notice")
    parser.add_argument("--list", action="store_true", help="only check the list")
    parser.add_argument("--own", action="store_true", help="ask only the tests that a bug names")
    parser.add_argument("words", nargs="*")
    chosen = parser.parse_args()
    bugs = read_bugs()
    wanted = [bug for bug in bugs if not chosen.words or any(word in bug.name for word in chosen.words)]
    if chosen.list:
        print(*(bug.name for bug in wanted), sep="\n")
        return 0
    asked_git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked_git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    copy_tree()
    if not any(bug.is_rust for bug in wanted) and (ROOT / EXTENSION).exists():
        put_extension(ROOT / EXTENSION)  # as `make extension` built it: nothing of the core is changed
    elif problem := build_extension():
        raise SystemExit(problem)
    results = []
    # Python first: its bugs need the extension as it was built, those of the core build their own.
    for bug in sorted(wanted, key=lambda bug: bug.is_rust):
        start = time.monotonic()
        results.append((bug, plant(bug, own=chosen.own)))
        print(f"{time.monotonic() - start:4.0f} s  {bug.name}: {results[-1][1] or 'SURVIVED'}", flush=True)
    report(bugs, results, commit, own=chosen.own)
    return sum(test is None for _, test in results)


if __name__ == "__main__":
    sys.exit(main())
