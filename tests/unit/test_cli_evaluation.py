"""`byheart eval` and `byheart bench`: what they print and write, and which errors are one line."""

import json
from pathlib import Path

import pytest

from byheart import __version__
from byheart.cli import benching, evaluating, main
from byheart.evaluation import splits
from byheart.evaluation.benching import SIZES, bench, markdown
from byheart.evaluation.converters import FORMATS
from byheart.evaluation.datasets import load

from . import judged
from .test_evaluation_converters import LOCOMO


class Called:
    """One command: what it printed, and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> None:
        try:
            self.code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            self.code = int(error.code or 0)
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return judged.conversations(tmp_path / "told")


def test_tables_are_printed_and_files_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, numbers = folder / "page.html", folder / "numbers.json"
    wanted = ["--profile", "kb-fast", "--profile", "dense", "--embedder", "hashing", "-k", 3]
    done = Called(capsys, "eval", "--collection", folder, *wanted, "--html", page, "--json", numbers)
    assert (done.code, done.err) == (0, "")
    assert "| kb-fast" in done.out and "nDCG@3" in done.out and "multi-hop (1)" in done.out
    told = json.loads(numbers.read_text(encoding="utf-8"))
    assert [each["name"] for each in told["profiles"]] == ["kb-fast", "dense"]
    assert told["config"]["version"] == __version__ and "hashing" in told["config"]["embedder"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_numbers_are_printed_in_place_of_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [json.loads(Called(capsys, "eval", "--collection", folder, "--json", "-").out) for _ in range(2)]
    assert runs[0].pop("timings") and runs[1].pop("timings")
    assert json.dumps(runs[0]) == json.dumps(runs[1])
    assert runs[0]["profiles"][0]["name"] == "auto"


def test_a_part_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = []
    for part in ("dev", "test"):
        done = Called(capsys, "eval", "--collection", folder, "--split", part, "--json", "-")
        asked += [each["query"] for each in json.loads(done.out)["profiles"][0]["answers"]]
    assert sorted(asked) == ["c1/q0", "c1/q1", "c1/q2", "c2/q0"]
    wrong = Called(capsys, "eval", "--collection", folder, "--split", "train")
    assert wrong.code == 2 and wrong.err == "byheart: split: there is no part 'train'; there are dev, test\n"
    assert Called(capsys, "eval", "--collection", folder, "--split", "train", "--ratio", "8:1:1").code == 0


def test_conversations_are_replayed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--end-to-end", "--budget", 20, "--budget", 200, "--compaction", "both"]
    done = Called(capsys, "eval", "--collection", folder, *wanted, "--json", folder / "numbers.json")
    assert done.code == 0 and "gold turns in the block" in done.out
    runs = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))["runs"]
    assert [(run["budget"], run["compaction"]) for run in runs] == [(20, False), (200, False), (20, True), (200, True)]


@pytest.mark.parametrize(("asked", "compacted"), [([], [False]), (["off"], [False]), (["on"], [True])])
def test_old_sessions_are_compacted_before_a_replay_if_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str], asked: list[str], compacted: list[bool]
) -> None:
    wanted = ["--end-to-end", "--budget", 20, *(["--compaction", *asked] if asked else [])]
    done = Called(capsys, "eval", "--collection", folder, *wanted, "--json", "-")
    assert [run["compaction"] for run in json.loads(done.out)["runs"]] == compacted


def test_activation_is_measured_against_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = judged.subjects(tmp_path / "subjects")
    file, kept = folder / "activation.json", folder / "kept.db"
    wanted = ["eval", "activation", "--collection", folder, "--embedder", "hashing", "--json", file, "--keep", kept]
    done = Called(capsys, *wanted)
    assert (done.code, done.err) == (0, "")
    assert "| activate p90 " in done.out and "| L3 " in done.out
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["format"] == "byheart-activation-benchmark/1" and told["config"]["k"] == 12
    told_lines = told["lines"] + told["timings"]["lines"]
    assert done.out.count("passed |") == len(told_lines) and kept.exists()
    assert done.out.count("not passed |") == sum(not line["passed"] for line in told_lines)
    again = Called(capsys, *wanted)
    assert again.code == 2 and "is there already" in again.err


def test_a_file_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "locomo.json").write_text(json.dumps(LOCOMO), encoding="utf-8")
    done = Called(capsys, "eval", "convert", "locomo", tmp_path / "locomo.json", tmp_path / "made", "--by", "session")
    assert done.code == 0
    assert done.out.splitlines() == [
        "2 documents, 3 queries, 2 judgements",
        "2 queries without an answer in the file: they count in no mean",
    ]
    assert len(load(tmp_path / "made").documents) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["eval"], 2, "eval: --collection is missing"),
        (["eval", "--collection", "absent"], 2, "corpus.jsonl: cannot be read"),
        (["eval", "--collection", "told", "--profile", "kb-fst"], 2, "did you mean 'kb-fast'"),
        (["eval", "--collection", "told", "--embedder", "absent"], 2, "neither hashing nor wordllama nor a folder"),
        (["eval", "--collection", "told", "--html", "no/where.html"], 2, "cannot be written"),
        (["eval", "activation", "--collection", "told"], 2, "--embedder"),
        (["eval", "activation", "--collection", "told", "--embedder", "hashing"], 2, "give more documents or queries"),
        (["bench", "--sizes", "0"], 2, "no number below 1"),
        (["bench", "--profile", "kb-fst"], 2, "did you mean 'kb-fast'"),
    ],
)
def test_wrong_usage_is_one_error(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(folder.parent)
    done = Called(capsys, *arguments)
    assert done.code == code and message in done.err and done.out == ""
    assert "Traceback" not in done.err


def test_a_bench_measures_every_size_and_profile(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--sizes", 20, 40, "--queries", 5, "--profile", "kb-fast", "--profile", "dense", "--threads", 2]
    done = Called(capsys, "bench", *wanted, "--embedder", "hashing", "--json", "-")
    told = json.loads(done.out)
    assert (done.code, told["format"], told["config"]["sizes"]) == (0, "byheart-bench/1", [20, 40])
    assert [row["records"] for row in told["rows"]] == [20, 40]
    for row in told["rows"]:
        assert set(row["profiles"]) == {"kb-fast", "dense"} and row["file_bytes"] > 0
        assert {"p50", "p95", "p99", "mean", "per_second", "per_second_at_once"} == set(row["profiles"]["dense"])
    assert markdown(told).count("| dense ") == 2


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (None, "unknown"), (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (1_000_000, "1.0 MB"),
        (999_949_999, "999.9 MB"), (1_000_000_000, "1.0 GB"), (2_350_000_000, "2.4 GB"),
    ],
)  # fmt: skip
def test_sizes_are_told_in_the_unit_that_they_reach(count: int | None, shown: str) -> None:
    row = {"records": 1, "build_seconds": 1.0, "open_seconds": 1.0, "file_bytes": 0, "resident_bytes": count}
    machine = {"python": "3", "platform": "x", "cores": 1}
    told = {"rows": [row], "config": {"profiles": [], "threads": 1}, "version": "1", "machine": machine}
    [line] = [line for line in markdown(told).splitlines() if line.startswith("| 1 ")]
    assert [cell.strip() for cell in line.strip("|").split("|")][-2:] == ["0 B", shown]


def test_the_parser_offers_what_there_is() -> None:
    assert evaluating.PARTS == splits.PARTS and set(evaluating.PARTS) == {*splits.TWO_WAY, *splits.EIGHT_ONE_ONE}
    assert set(evaluating.FORMATS) == set(FORMATS) and set(evaluating.RATIOS) == set(splits.RATIOS)
    assert benching.SIZES == SIZES


def test_another_bench_has_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byheart.evaluation.benching._elsewhere", lambda work, task: work(task))  # not by its processes
    digests = {bench(["kb-fast"], sizes=[10], queries=queries)["config_digest"] for queries in (2, 3)}
    assert len(digests) == 2
