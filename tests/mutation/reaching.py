"""The record of which test reaches which line of the package, and how long each test takes.

    python tests/mutation/reaching.py PART FILE ...

It is made by coverage.py, in as many processes as there are cores, each with a part of the files: a test is a context
of its own. What a test runs in another process is not seen.
"""

import ast
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import coverage
import pytest
from lines import statement

TREE = Path(__file__).resolve().parents[2]
LINES, SECONDS, SOURCES = "reached.db", "seconds.json", "sources.txt"


def forget_kept(*, tables: bool) -> None:
    """Empty the package's caches of functions, those of a single answer (a table that is made once) only if asked to.

    A test that finds an answer kept does not run the line that gave it, though it would fail if the line were wrong.
    """
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "byheart"]
    found = {id(value): value for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")}
    for kept in found.values():
        if tables or (kept.cache_parameters()["maxsize"] or 1) > 1:
            kept.cache_clear()


class Recorder:
    """A pytest plugin that gives each test its context and keeps the seconds of those that pass."""

    def __init__(self, measured: coverage.Coverage, seconds: dict[str, float]) -> None:
        self.measured, self.seconds, self.file = measured, seconds, ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Name the context after the test, set-up included; tables are made anew for each file."""
        before, self.file = self.file, item.nodeid.partition("::")[0]
        forget_kept(tables=self.file != before)
        self.seconds[item.nodeid] = 0.0
        self.measured.switch_context(item.nodeid)
        result = yield
        self.measured.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what a phase took; a test that did not pass says nothing of a mutant."""
        if not report.passed:
            self.seconds[report.nodeid] = float("inf")
        self.seconds[report.nodeid] += report.duration


def record(part: str, files: list[str]) -> int:
    """Run these tests and keep what they reach as a part of the record; return pytest's exit code."""
    seconds: dict[str, float] = {}
    package = TREE / "python" / "byheart"
    measured = coverage.Coverage(data_file=str(TREE / f"{LINES}.{part}"), source=[str(package)], config_file=False)
    measured.start()
    # A test's forked child measures nothing, and must not write what its parent measured.
    main = os.getpid()
    os.register_at_fork(after_in_child=lambda: sys.settrace(None))
    try:
        code = pytest.main(["-q", "-m", "not long", "-p", "no:cacheprovider", *files], [Recorder(measured, seconds)])
    finally:
        if os.getpid() != main:
            os._exit(1)
        measured.stop()
        measured.save()
        (TREE / f"{SECONDS}.{part}").write_text(json.dumps(seconds), encoding="utf-8")
    return code


def joined(tree: Path, parts: list[str], *, kept: dict[str, float]) -> None:
    """Add the parts of a record, which go, to what is kept of the one there was."""
    if not kept:
        (tree / LINES).unlink(missing_ok=True)
    lines, seconds = coverage.CoverageData(str(tree / LINES)), dict(kept)
    lines.read()
    for part in parts:
        reached, took = tree / f"{LINES}.{part}", tree / f"{SECONDS}.{part}"
        data = coverage.CoverageData(str(reached))
        data.read()
        lines.update(data)
        seconds |= json.loads(took.read_text(encoding="utf-8"))
        reached.unlink()
        took.unlink()
    (tree / SECONDS).write_text(json.dumps(seconds), encoding="utf-8")
    (tree / SOURCES).write_text(sources(tree), encoding="utf-8")


def sources(tree: Path) -> str:
    """Return a digest of the package: in any other one, lines have other numbers."""
    files = sorted((tree / "python" / "byheart").rglob("*.py"))
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()


def known(tree: Path, files: list[str]) -> dict[str, float]:
    """Return the seconds of the tests whose files are as they were recorded; none for another package."""
    record = tree / SECONDS
    if not record.exists() or not (tree / SOURCES).exists() or (tree / SOURCES).read_text() != sources(tree):
        return {}
    since = record.stat().st_mtime
    same = {file for file in files if (tree / file).stat().st_mtime <= since}
    seconds: dict[str, float] = json.loads(record.read_text(encoding="utf-8"))
    return {test: took for test, took in seconds.items() if test.partition("::")[0] in same}


class Reach:
    """Which tests to ask about a line: those made for its module, then those that reach its statement."""

    def __init__(self, tree: Path) -> None:
        self.seconds: dict[str, float] = json.loads((tree / SECONDS).read_text(encoding="utf-8"))
        self.data = coverage.CoverageData(str(tree / LINES))
        self.data.read()

    def tests(self, path: Path, line: int, *, slowest: float, patience: float) -> list[str]:
        """Return the tests that reach a line and take no longer than `slowest`, up to `patience` seconds in all.

        Files named after the module come first, whole, since they may reach it in processes that they start. Of the
        others the one whose tests take the least time does, so that few files need to be read for most mutants. Behind
        them come the other tests of these files, since a table is made for the first of them alone that reads it; and
        last files named after the folder, which may look at a table that no function of the module reads.
        """
        wanted = set(statement(ast.parse(path.read_text(encoding="utf-8")), line))
        contexts = self.data.contexts_by_lineno(str(path))
        files: dict[str, list[str]] = {}
        for test in sorted({test for number, tests in contexts.items() if number in wanted for test in tests}):
            if self.seconds.get(test, slowest + 1) <= slowest:
                files.setdefault(test.partition("::")[0], []).append(test)
        own = self._named(path.stem)
        folder = self._named(path.parent.name).keys() - own.keys() - files.keys()
        files |= {file: [test for test in tests if self.seconds[test] <= slowest] for file, tests in own.items()}
        order = sorted(files.items(), key=lambda each: (each[0] not in own, self._sum(each[1])))
        chosen = self._within(itertools.chain.from_iterable(tests for _, tests in order), patience)
        beside = [self._quick(lambda file: file in files, chosen), self._quick(lambda file: file in folder, chosen)]
        return chosen + [test for tests in beside for test in self._within(tests, patience / 4)]

    def _named(self, name: str) -> dict[str, list[str]]:
        """Return the tests of the files that are named after a module or a folder, by file."""
        named, found = re.compile(rf"test_(\w+_)?{re.escape(name)}s?(_\w+)?\.py"), dict[str, list[str]]()
        for test in self.seconds:
            file = test.partition("::")[0]
            if named.fullmatch(file.rpartition("/")[2]):
                found.setdefault(file, []).append(test)
        return found

    def _quick(self, wanted: Callable[[str], bool], but: list[str]) -> list[str]:
        """Return the tests of some files but for some, the quickest first."""
        left_out = set(but)
        found = [test for test in self.seconds if wanted(test.partition("::")[0]) and test not in left_out]
        return sorted(found, key=self.seconds.__getitem__)

    def _within(self, tests: Iterable[str], patience: float) -> list[str]:
        """Return the first of these tests that take so many seconds in all."""
        listed = list(tests)
        sums = itertools.accumulate(self.seconds[test] for test in listed)
        return [test for test, total in zip(listed, sums, strict=True) if total <= patience]

    def _sum(self, tests: list[str]) -> float:
        return sum(self.seconds[test] for test in tests)

    def first(self, tests: list[str], patience: float) -> int:
        """Return how many of these tests, from the first on, take so many seconds, and no fewer than one."""
        return max(1, len(self._within(tests, patience)))


if __name__ == "__main__":
    sys.exit(record(sys.argv[1], sys.argv[2:]))
