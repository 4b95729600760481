"""The conformance runner itself: what it compares, counts, prints and refuses."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from byheart.conformance import FEATURES, feature, main
from byheart.conformance.compare import equal
from byheart.conformance.registry import Feature


@pytest.fixture(autouse=True)
def toy_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two features of our own: `toy.echo` gives back `value`, `toy.fail` raises."""

    def fail(_: Mapping[str, Any]) -> None:
        raise ArithmeticError("no such luck")

    known, maybe = frozenset({"value"}), frozenset({"hint"})
    monkeypatch.setitem(FEATURES, "toy.echo", Feature("toy.echo", lambda given: given["value"], known, maybe))
    monkeypatch.setitem(FEATURES, "toy.fail", Feature("toy.fail", fail, frozenset(), frozenset()))


def case(number: int, expected: Any, feature: str = "toy.echo", **given: Any) -> dict[str, Any]:
    return {"id": f"case-{number}", "feature": feature, "input": given, "expected": expected}


def written(folder: Path, cases: object) -> str:
    path = folder / "cases.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.0),
        (0.1 + 0.2, 0.3),
        ([1.0, {"a": [2]}], (1, {"a": (2.0000000005,)})),
        (None, None),
        (True, True),
        ("ä", "ä"),
        (math.inf, math.inf),
        ([], ()),
    ],
)
def test_equal(expected: Any, got: Any) -> None:
    assert equal(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1.0, 1.000000002),
        (1, True),
        (False, 0),
        (0.0, None),
        ("1", 1),
        (math.nan, math.nan),
        (math.inf, -math.inf),
        ([1, 2], [2, 1]),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": None}, {}),
        ("a", ["a"]),
    ],
)
def test_not_equal(expected: Any, got: Any) -> None:
    assert not equal(expected, got)


def test_all_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, [case(1, 0.5, value=0.5), case(2, "a", value="a", hint=True)])
    assert main([file]) == 0
    assert capsys.readouterr().out.splitlines() == ["toy.echo 2/2", "2 passed, 0 failed"]


def test_a_wrong_answer_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, [case(1, 0.5, value=0.5), case(2, [1, "a"], value=[1, "b"])])
    assert main([file]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "toy.echo 1/2",
        "  FAIL case-2",
        '    expected [1, "a"]',
        '    got      [1, "b"]',
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (case(1, 1, feature="toy.unheard", value=1), "unknown feature toy.unheard"),
        (case(1, 1, value=1, other=2), "toy.echo knows no input other"),
        (case(1, 1), "the input lacks value"),
        (case(1, 1, feature="toy.fail"), "raised ArithmeticError: no such luck"),
        (case(1, 10**400, value=0.5), "raised OverflowError"),
    ],
)
def test_faults_are_failures(
    entry: dict[str, Any], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path, [entry])]) == 1
    out = capsys.readouterr().out
    assert fault in out
    assert out.endswith("\n0 passed, 1 failed\n")


def test_features_filter_by_prefix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, [case(1, 1, value=1), case(2, 1, feature="toy.fail"), case(3, 1, feature="other.x")])
    assert main([file, "--features", "toy.e"]) == 0
    assert capsys.readouterr().out == "toy.echo 1/1\n1 passed, 0 failed\n"
    assert main([file, "--features", "toy.f", "other"]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 2 failed\n")


def test_verbose_names_what_passed_and_shows_where_it_broke(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 5000
    file = written(tmp_path, [case(1, 1, value=1), case(2, 1, feature="toy.fail"), case(3, long, value="")])
    main([file, "--verbose"])
    verbose = capsys.readouterr().out
    assert "  ok   case-1" in verbose
    assert "Traceback" in verbose
    assert long in verbose
    main([file])
    brief = capsys.readouterr().out
    assert "case-1" not in brief
    assert "Traceback" not in brief
    assert long not in brief


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "Expecting value"),
        ("{}", "a file of cases is a JSON list, not dict"),
        ('[{"id": "a"}]', "entry 0 is not a case; it needs id, feature, input, expected"),
        ('[{"id": 1, "feature": "x", "input": {}, "expected": 1}]', "entry 0: id and feature are strings"),
        ('[{"id": "a", "feature": "x", "input": [], "expected": 1}]', "a: the input is an object"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content, encoding="utf-8")
    assert main([str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"byheart.conformance: {file}: ")
    assert message in captured.err


def test_nothing_to_run_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([written(tmp_path, [case(1, 1, value=1)]), "--features", "nothing."]) == 2
    captured = capsys.readouterr()
    assert captured.out == "0 passed, 0 failed\n"
    assert "no case to run" in captured.err


def test_a_feature_has_one_adapter() -> None:
    with pytest.raises(ValueError, match=r"toy\.echo has two adapters"):
        feature("toy.echo")(lambda given: None)


def test_as_a_command(tmp_path: Path) -> None:
    good = {"id": "a", "feature": "mrp.stem", "input": {"word": "ponies"}, "expected": "poni"}
    bad = {**good, "id": "b", "expected": "pony"}
    command = [sys.executable, "-m", "byheart.conformance", written(tmp_path, [good, bad])]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "mrp.stem 1/2"
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"
