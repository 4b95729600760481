"""Plants each bug of `bugs.toml` in a copy of the tree and sees whether the tests notice.

    .venv/bin/python tests/planted/run.py [--list] [word ...]

Words choose the bugs whose name has one of them; without words all are planted and `README.md` gets the score.
The core's own tests go first, then pytest, folder by folder; the first failing test is recorded. The committed
digest of scores comes last, since it notices any change but not whether the change is wrong. A bug takes about a
minute. The copy and what is built of it lie in `target/planted`; the checkout is not touched.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target" / "planted"
TREE = WORK / "tree"
# In this order: what catches most in the least time comes first.
SUITES = ["unit", "conformance", "faults", "regression", "property/test_memory_oracle.py", "property", "concurrency"]
GOLDEN = "tests/regression/test_golden.py"
RUST_FAILURE = re.compile(r"^---- (\S+) stdout ----$", re.MULTILINE)
PYTHON_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)

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
    """A text to replace, and why somebody might."""

    name: str
    file: str
    old: str
    new: str
    why: str


def read_bugs() -> list[Bug]:
    """Return the list, each checked against the tree: the old text stands there once."""
    bugs = [Bug(**entry) for entry in tomllib.loads((HERE / "bugs.toml").read_text(encoding="utf-8"))["bug"]]
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
    target = TREE / "python" / "byheart" / "_core.abi3.so"
    target.unlink(missing_ok=True)
    shutil.copyfile(WORK / "build" / "debug" / "libbyheart_core.so", target)
    return None


def pytest(*arguments: str) -> tuple[bool, str]:
    """Run pytest in the copy."""
    return run(sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "-p", "no:cacheprovider", *arguments)


def caught_by(is_rust: bool) -> str | None:
    """Return the first test that fails in the copy; None if all pass."""
    if is_rust:
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
    suites = [f"tests/{suite}" for suite in SUITES]
    for arguments in ([*suites, f"--ignore={GOLDEN}"], [GOLDEN]):
        good, output = pytest(*arguments)
        if not good:
            return first(PYTHON_FAILURE, output) or last_lines(output)
    return None


def first(pattern: re.Pattern[str], output: str) -> str | None:
    """Return the first match, or None."""
    found = pattern.search(output)
    return found[1] if found else None


def last_lines(output: str) -> str:
    """Return the end of an output that names no test."""
    return "unclear: " + " / ".join(output.strip().splitlines()[-3:])


def plant(bug: Bug) -> str | None:
    """Plant one bug, ask the tests, and put the file back."""
    path = TREE / bug.file
    good = path.read_text(encoding="utf-8")
    is_rust = bug.file.endswith(".rs")
    path.write_text(good.replace(bug.old, bug.new), encoding="utf-8")
    try:
        return caught_by(is_rust)
    finally:
        path.write_text(good, encoding="utf-8")


def report(results: list[tuple[Bug, str | None]]) -> None:
    """Write the score into README.md, below its marker."""
    readme = HERE / "README.md"
    text, marker, _ = readme.read_text(encoding="utf-8").partition("<!-- score -->\n")
    caught = sum(test is not None for _, test in results)
    lines = [f"\n**{caught} of {len(results)} caught.**\n\n| bug | file | first test that fails |\n|---|---|---|\n"]
    lines += [f"| {bug.name} | `{bug.file}` | {f'`{test}`' if test else '**survived**'} |\n" for bug, test in results]
    readme.write_text(text + marker + "".join(lines), encoding="utf-8")


def main() -> int:
    """Plant what was asked for; exit with the number of survivors."""
    parser = argparse.ArgumentParser(description="plants bugs and sees whether the tests notice")
    parser.add_argument("--list", action="store_true", help="only check the list")
    parser.add_argument("words", nargs="*")
    chosen = parser.parse_args()
    bugs = read_bugs()
    wanted = [bug for bug in bugs if not chosen.words or any(word in bug.name for word in chosen.words)]
    if chosen.list:
        print(*(bug.name for bug in wanted), sep="\n")
        return 0
    copy_tree()
    problem = build_extension()
    if problem:
        raise SystemExit(problem)
    results = []
    # Python first: its bugs need the extension as it was built, those of the core build their own.
    for bug in sorted(wanted, key=lambda bug: bug.file.endswith(".rs")):
        start = time.monotonic()
        results.append((bug, plant(bug)))
        print(f"{time.monotonic() - start:4.0f} s  {bug.name}: {results[-1][1] or 'SURVIVED'}", flush=True)
    if len(wanted) == len(bugs):
        report(results)
    return sum(test is None for _, test in results)


if __name__ == "__main__":
    sys.exit(main())
