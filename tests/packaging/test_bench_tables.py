"""The tables of benches/README.md: what is read of a run, what is judged, and what is left alone."""

import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

DIVAN = """\
Timer precision: 20 ns
text                 fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ stems             1.2 ms        │ 2.7 ms        │ 1.5 ms        │ 1.7 ms        │ 10      │ 10
│                    30.2 Mitem/s  │ 13.1 Mitem/s  │ 23.6 Mitem/s  │ 21.5 Mitem/s  │         │
╰─ words                           │               │               │               │         │
   ├─ Ascii          37.2 ns       │ 49.7 ns       │ 44.1 ns       │ 43.7 ns       │ 10      │ 10
   ╰─ Unicode        32.8 ns       │ 43.1 ns       │ 35.3 ns       │ 36 ns         │ 10      │ 10
"""


@pytest.fixture
def report(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(root / "benches")
    import report

    return report


def row(values: dict[str, float], ratios: dict[str, float]) -> dict[str, object]:
    common = {"area": "lexical query", "case": "c", "unit": "us", "limit": "a read", "facts": {}, "agreement": {}}
    return common | {"values": values, "ratios": ratios}


def test_every_bar_names_a_case_and_one_floor(root: Path) -> None:
    bars = tomllib.loads((root / "benches" / "bars.toml").read_text(encoding="utf-8"))["bar"]
    kinds = {"ratio", "of_limit", "at_most", "at_least"}
    assert len(bars) >= 30
    assert not [bar for bar in bars if len(kinds & set(bar)) != 1 or not bar["area"] or not bar["case"]]


def test_the_nearest_rival_counts_and_neither_bound_nor_baseline_does(report: ModuleType) -> None:
    measured = row(
        {"byheart": 2.0}, {"slow": 9.0, "near": 1.5, "C++ baseline": 0.8, "a read": 0.9, "byheart, long": 1.0}
    )

    assert report.best_rival(measured) == ("near", 1.5)
    assert report.judged({"ratio": 2.5}, measured)[2] is False
    assert report.judged({"ratio": 8.0, "rival": "slow"}, measured)[2] is True
    assert report.judged({"at_most": 2.0}, measured)[2] is True
    assert report.judged({"of_limit": 0.95}, measured)[2] is False


def test_runs_of_one_case_beside_several_rivals_are_one_line(report: ModuleType) -> None:
    runs = [
        row({"byheart": ours, rival: 5.0}, {rival: 5.0 / ours}) for ours, rival in ((1.0, "a"), (2.0, "b"), (4.0, "c"))
    ]
    (merged,) = report.merged(runs)

    assert merged["values"] == {"byheart": 2.0, "a": 5.0, "b": 5.0, "c": 5.0}
    assert merged["ratios"] == {"a": 5.0, "b": 2.5, "c": 1.25}


def test_only_what_lies_between_the_markers_is_written(report: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    report.write(page, "new")
    report.write(page, "new")

    assert page.read_text(encoding="utf-8") == f"before\n{report.BEGIN}\n\nnew\n{report.END}\nafter\n"
    page.write_text("no markers", encoding="utf-8")
    with pytest.raises(SystemExit):
        report.write(page, "new")


def test_the_page_names_every_program_that_is_run(root: Path) -> None:
    runner = (root / "benches" / "side_by_side.py").read_text(encoding="utf-8")  # it needs its rivals to be imported
    programs = set(re.findall(r'yield "(\w+\.py)"', runner))
    assert {"recall.py", "staged.py"} <= programs
    text = (root / "benches" / "README.md").read_text(encoding="utf-8")
    assert not [program for program in programs if f"`{program}`" not in text and f"`{program[:-3]}.rs`" not in text]
    assert not [program for program in programs if not (root / "benches" / program).is_file()]


def test_the_page_has_the_markers(report: ModuleType, root: Path) -> None:
    text = (root / "benches" / "README.md").read_text(encoding="utf-8")
    assert text.count(report.BEGIN) == text.count(report.END) == 1


def test_the_tree_of_divan_is_read(report: ModuleType) -> None:
    import kernels

    assert list(kernels.medians(DIVAN)) == [
        ("stems", "1.5 ms", "23.6 Mitem/s"),
        ("words Ascii", "44.1 ns", ""),
        ("words Unicode", "35.3 ns", ""),
    ]


def test_the_steps_of_a_recall_are_functions_that_are_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "benches"))
    import laps

    assert len(laps.STEPS) > 10 and [path for path in laps.STEPS if laps._place(path) is None] == []
