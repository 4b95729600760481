"""The runner: from files to cases, from cases to outcomes, from outcomes to lines."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .compare import equal
from .registry import FEATURES

_KEYS = ("id", "feature", "input", "expected")
_SHOWN = 400


class BadCases(Exception):
    """A file of cases that cannot be read; the message names the file and the fault."""


@dataclass(frozen=True, slots=True)
class Case:
    """One published case."""

    id: str
    feature: str
    input: Mapping[str, Any]
    expected: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: what was got, or what went wrong (and the traceback, when it was an exception)."""

    case: Case
    passed: bool
    got: Any = None
    fault: str | None = None
    details: str = ""


def load(path: Path) -> list[Case]:
    """Return the cases of a file.

    Raises:
        BadCases: it is not there, not JSON, or not a list of cases.

    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadCases(f"{path}: {error}") from error
    if not isinstance(found, list):
        raise BadCases(f"{path}: a file of cases is a JSON list, not {type(found).__name__}")
    return [_case(path, number, entry) for number, entry in enumerate(found)]


def _case(path: Path, number: int, entry: object) -> Case:
    if not isinstance(entry, dict) or not all(key in entry for key in _KEYS):
        raise BadCases(f"{path}: entry {number} is not a case; it needs {', '.join(_KEYS)}")
    if not isinstance(entry["id"], str) or not isinstance(entry["feature"], str):
        raise BadCases(f"{path}: entry {number}: id and feature are strings")
    if not isinstance(entry["input"], dict):
        raise BadCases(f"{path}: {entry['id']}: the input is an object")
    return Case(entry["id"], entry["feature"], entry["input"], entry["expected"])


def check(case: Case) -> Outcome:
    """Return the outcome of one case; whatever the code under test raises is a failure."""
    if case.feature not in FEATURES:
        return Outcome(case, False, fault=f"unknown feature {case.feature}")
    try:
        got = FEATURES[case.feature].answer(case.input)
        return Outcome(case, equal(case.expected, got), got)
    except Exception as error:  # the code under test may raise anything, and the other cases still count
        return Outcome(case, False, fault=f"raised {type(error).__name__}: {error}", details=traceback.format_exc())


def run(cases: Iterable[Case], prefixes: Sequence[str] = ()) -> list[Outcome]:
    """Return the outcomes of the cases whose feature starts with one of the prefixes; none means all."""
    return [check(case) for case in cases if not prefixes or case.feature.startswith(tuple(prefixes))]


def report(outcomes: Sequence[Outcome], verbose: bool = False) -> list[str]:
    """Return the lines: one a feature, in order of appearance, the failures under it, and the sum last."""
    by_feature: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_feature.setdefault(outcome.case.feature, []).append(outcome)
    lines = []
    for name, group in by_feature.items():
        lines.append(f"{name} {sum(outcome.passed for outcome in group)}/{len(group)}")
        for outcome in group:
            if not outcome.passed:
                lines += _failure(outcome, verbose)
            elif verbose:
                lines.append(f"  ok   {outcome.case.id}")
    passed = sum(outcome.passed for outcome in outcomes)
    return [*lines, f"{passed} passed, {len(outcomes) - passed} failed"]


def _failure(outcome: Outcome, verbose: bool) -> list[str]:
    lines = [f"  FAIL {outcome.case.id}", f"    expected {_shown(outcome.case.expected, verbose)}"]
    lines.append(f"    got      {outcome.fault or _shown(outcome.got, verbose)}")
    if verbose and outcome.details:
        lines += ["      " + line for line in outcome.details.splitlines()]
    return lines


def _shown(value: Any, whole: bool) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if whole or len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if all passed, 1 if one failed, 2 if there was nothing to run or to read."""
    parser = argparse.ArgumentParser(prog="python -m byheart.conformance", description="Run published cases.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json", help="a JSON list of cases")
    parser.add_argument("--features", nargs="+", default=[], metavar="PREFIX", help="only features that start so")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, show values and errors whole")
    options = parser.parse_args(arguments)
    try:
        cases = [case for path in options.files for case in load(path)]
    except BadCases as error:
        print(f"byheart.conformance: {error}", file=sys.stderr)
        return 2
    outcomes = run(cases, options.features)
    if not outcomes:
        print("byheart.conformance: no case to run in these files", file=sys.stderr)
    print("\n".join(report(outcomes, options.verbose)))
    return 2 if not outcomes else int(not all(outcome.passed for outcome in outcomes))
