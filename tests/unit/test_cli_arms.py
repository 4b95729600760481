"""`byheart eval router`, `report` and `compare`: what they print and write, and which errors are one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byheart.cli import arms
from byheart.evaluation.arms import histories, keeping, retrieval_report, running
from byheart.ranking.router import fusion

from . import bench_files
from .test_cli_evaluation import Called


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return bench_files.write(tmp_path)


def test_the_router_leaves_a_receipt_that_a_replay_comes_to_again(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    wanted = ["--sample", 4, "--seed", 7, "-k", 3, "--policy", "must", "--out", runs, "--run-group", "First run"]
    done = Called(capsys, "eval", "router", "--dataset", dataset, *wanted)
    assert (done.code, done.err) == (0, "") and f"Written to {runs / 'first-run'}." in done.out
    assert "| lancedb-only" in done.out and "p95 ok: yes" in done.out
    pointed = json.loads((runs / "latest.json").read_text(encoding="utf-8"))
    assert pointed["run_group"] == "first-run" and len(pointed["files"]) == 8
    for name in pointed["files"].values():
        assert (runs / name).read_text(encoding="utf-8")
    receipt = json.loads((runs / "first-run" / "receipt.json").read_text(encoding="utf-8"))
    assert (receipt["run"]["sample_size"], receipt["run"]["sample_seed"]) == (4, 7)

    stages = [runs / "first-run" / f"{arm}.retrieval-report.json" for arm in ("qmd-only", "lancedb-only")]
    replays = []
    for name in ("one", "two"):
        wanted = ["--out", tmp_path / name, "--run-group", "again", "-k", 3]
        again = Called(capsys, "eval", "router", "--replay", *stages, *wanted)
        assert again.code == 0
        replays.append({path.name: path.read_bytes() for path in (tmp_path / name / "again").iterdir()})
    assert replays[0] == replays[1] and len(replays[0]) == 7
    assert json.loads(replays[0]["receipt.json"])["stages"] == receipt["stages"]


def test_every_seed_is_a_run_and_all_have_a_summary(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = [word for seed in (1, 2) for word in ("--seed", seed)]
    wanted = ["--sample", 3, *seeds, "--out", tmp_path / "runs", "--run-group", "seeds", "--lancedb", "words"]
    done = Called(capsys, "eval", "router", "--dataset", dataset, *wanted)
    assert done.code == 0 and "Differences from lancedb-only over seeds 1, 2" in done.out
    told = json.loads((tmp_path / "runs" / "seeds-seeds.json").read_text(encoding="utf-8"))
    assert told["seeds"] == [1, 2] and set(told["deltas"]) == {"qmd-only", "hybrid"}
    compared = [tmp_path / "runs" / f"seeds-seed{seed}" / "compare.json" for seed in (1, 2)]
    again = Called(capsys, "eval", "compare", *compared, "--json", tmp_path / "over.json")
    assert again.code == 0 and json.loads((tmp_path / "over.json").read_text(encoding="utf-8")) == told


def test_reports_of_profiles_are_written_and_compared(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for profile in ("kb-fast", "router"):
        files.append(tmp_path / f"{profile}.json")
        wanted = ["--profile", profile, "--report", files[-1], "-k", 2, "--limit", 4]
        done = Called(capsys, "eval", "report", "--dataset", dataset, *wanted)
        assert done.code == 0 and f"# Retrieval report: {profile}" in done.out and "| facts" in done.out
        told = retrieval_report.read(files[-1])
        assert (told["provider"], told["top_k"], len(told["results"])) == (profile, 2, 4)
    done = Called(capsys, "eval", "compare", *files, "--json", tmp_path / "both.json")
    assert done.code == 0 and "# Arms beside kb-fast" in done.out
    assert json.loads((tmp_path / "both.json").read_text(encoding="utf-8"))["baseline"] == "kb-fast"
    same = Called(capsys, "eval", "compare", files[0], files[0].rename(tmp_path / "moved.json"))
    assert same.code == 2 and "cannot be read" in same.err


def test_what_is_asked_for_stands_in_the_receipt(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--mode", "rrf_fusion", "--always-stage2", "--estimate", "p95", "--accept-loss", "--lancedb", "words"]
    embedder = ["--embedder", "hashing", "--label", "Mine", "--out", tmp_path / "runs"]
    drawn = ["--sample", 3, "--seed", 7, "--save-dataset", tmp_path / "drawn.json"]
    done = Called(capsys, "eval", "router", "--dataset", dataset, *chosen, *embedder, *drawn)
    assert done.code == 0 and len(histories.read(tmp_path / "drawn.json").questions) == 3
    [home] = [path for path in (tmp_path / "runs").iterdir() if path.is_dir()]
    assert home.name.endswith("Z-mine")
    told = json.loads((home / "receipt.json").read_text(encoding="utf-8"))
    assert told["config"]["fusion"] == "rrf_fusion" and told["config"]["always_stage2"] is True
    assert told["config"]["stage2_estimate"] == "p95" and told["degradation_quantified"] is True
    assert told["run"]["lancedb"] == "words" and "hashing" in told["run"]["embedder"]
    assert told["stages"]["stage2_not_triggered"] == 0 and told["run_group"] == home.name


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["router"], 2, "the following arguments are required: --out"),
        (["router", "--out", "runs"], 2, "eval router: --dataset is missing"),
        (["router", "--out", "runs", "--dataset", "absent.json"], 2, "absent.json: cannot be read"),
        (["router", "--out", "runs", "--dataset", "bench.json", "--sample", "9"], 2, "size: is 9"),
        (["router", "--out", "runs", "--dataset", "bench.json", "--estimate", "fast"], 2, "--estimate: is 'fast'"),
        (["router", "--out", "runs", "--dataset", "bench.json", "-k", "0"], 2, "top_k: is 0"),
        (["router", "--out", "runs", "--replay", "bench.json", "bench.json"], 2, "is no retrieval report; schema"),
        (["router", "--out", "runs", "--run-group", "!", "--dataset", "bench.json"], 2, "nothing is left of '!'"),
        (["report", "--dataset", "bench.json", "--report", "x.json", "--profile", "kb-fst"], 2, "did you mean"),
        (["report", "--dataset", "bench.json", "--report", "no/x.json"], 2, "cannot be written"),
        (["compare", "bench.json"], 2, "is no retrieval report"),
    ],
)
def test_wrong_usage_is_one_error(
    dataset: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(dataset.parent)
    done = Called(capsys, "eval", *arguments)
    assert done.code == code and message in done.err and done.out == ""
    assert "Traceback" not in done.err and not Path("runs").exists()


def test_the_parser_offers_what_there_is() -> None:
    assert {"all", *arms.POLICIES} == set(keeping.POLICIES) and arms.MODES == fusion.MODES
    assert histories.FALLBACKS == arms.FALLBACKS and running.MODES == arms.SEARCHES
