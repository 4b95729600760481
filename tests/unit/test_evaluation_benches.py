"""The measurements of answers run from end to end on a made-up collection, and say in one line what is missing."""

import importlib
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from byheart.evaluation import datasets

BENCHES = Path(__file__).resolve().parents[2] / "benches" / "quality"
SUBJECTS = ["kettle", "engine", "garden", "violin", "harbour", "lantern", "saddle", "orchard"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with a collection of the name that the scripts look for: 40 documents, 8 queries."""
    folder = tmp_path / "scifact-train"
    folder.mkdir()
    documents = [
        {"id": f"{subject}{number}", "title": subject, "text": f"The {subject} number {number} was mended in spring."}
        for subject in SUBJECTS
        for number in range(5)
    ]
    queries = [{"id": subject, "text": f"when was the {subject} mended"} for subject in SUBJECTS]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (folder / "qrels.tsv").write_text("".join(f"{name}\t{name}0\t1\n" for name in SUBJECTS), encoding="utf-8")
    return tmp_path


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "BYHEART_DATA"} | {"PYTHONUTF8": "1"}
    command = [sys.executable, str(BENCHES / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)


def test_escalation_writes_a_row_for_each_set_k_and_arm(data: Path) -> None:
    out = data / "numbers.json"
    done = run("escalation.py", "--data", str(data), "--only", "scifact-train", "--out", str(out))
    assert done.returncode == 0, done.stderr
    written = json.loads(out.read_text(encoding="utf-8"))
    assert {(row["collection"], row["stop_words"]) for row in written["lexical"]} == {
        ("scifact-train", "english"),
        ("scifact-train", "none"),
    }
    rows = written["compared"]
    assert len(rows) == 4 * 2 * (3 + 3 * 4)  # query sets, k, and arms: three plain, four for each encoder
    assert all(0.0 <= row["ndcg"] <= 1.0 and row["queries"] == len(SUBJECTS) for row in rows)
    misspelled = {row["arm"]: row for row in rows if row["set"] == "misspelled" and row["k"] == 10}
    assert misspelled["kb-balanced, never"]["difference"] == [0.0, 0.0]
    assert misspelled["few, subwords"]["escalated"] > 0
    assert "**scifact-train, misspelled, k = 10** (8 queries)" in done.stdout


def test_scaling_agrees_with_the_index_and_prints_every_form(data: Path) -> None:
    done = run("scaling.py", "--data", str(data), "--only", "scifact-train")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n| adaptive, reach >= 0.2 |") == 4 * 3  # query sets and encoders


def test_dense_measures_every_width_and_keeps_its_vectors(data: Path, tmp_path: Path) -> None:
    arguments = ["--data", str(data), "--only", "scifact-train", "--cache", str(tmp_path / "kept")]
    first, again = run("dense.py", *arguments), run("dense.py", *arguments)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("\n| WordLlama alone |") == first.stdout.count("\n| BM25 and 0.5 WordLlama |") == 3
    assert len(list((tmp_path / "kept").iterdir())) == 2  # documents and queries
    assert again.stdout == first.stdout


def test_cascade_looks_at_every_mode(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "numbers.json"
    done = run("cascade.py", "--data", str(data), "--only", "scifact-train", "--out", str(out))
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert (row["queries"], row["rows"], row["tiers"]) == (len(SUBJECTS), 40, [64, 128, 256])
    assert row["prefix"] == 1.0, "the first hundred of forty hold everything"
    assert sum(row.get(f"tier {tier}", 0.0) for tier in (1, 2, 3)) == 1.0
    assert row["could win after 64"] >= row["could win after 128"] >= 0.25


def test_sign_hypervectors_are_measured_beside_the_floats(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "numbers.json"
    done = run("sign_hypervectors.py", "--data", str(data), "--only", "scifact-train", "--out", str(out))
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert (row["queries"], row["rows a search"], row["dimensions"]) == (len(SUBJECTS), 40, 256)
    assert row["kept"] == row["sign"] / row["float"] and row["difference"][0] == pytest.approx(
        row["sign"] - row["float"]
    )
    assert row["hundred"] == 1.0, "the first hundred of forty hold everything"
    assert 0.0 < row["ten"] <= 1.0 and min(row["float"], row["sign"]) > 0.5
    if sys.platform == "linux":
        assert row["float bytes"] > 4 * 256 and row["sign bytes"] > 512


def test_escalation_to_embeddings_writes_a_row_for_each_set_and_arm(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "numbers.json"
    done = run("escalation_vectors.py", "--data", str(data), "--only", "scifact-train", "--out", str(out))
    assert done.returncode == 0, done.stderr
    rows = json.loads(out.read_text(encoding="utf-8"))["compared"]
    assert len(rows) == 4 * 6  # query sets and arms
    misspelled = {row["arm"]: row for row in rows if row["set"] == "misspelled"}
    assert (
        misspelled["kb-balanced, never"]["difference"] == misspelled["few, subwords"]["beside subwords"] == [0.0, 0.0]
    )
    for arm in ("few, subwords", "few, floats", "few, signs"):
        assert 0 < misspelled[arm]["escalated"] == misspelled["few, subwords"]["escalated"]
    assert misspelled["few, signs"]["hits"] > misspelled["kb-balanced, never"]["hits"]
    assert misspelled["always, floats"]["escalated"] == misspelled["always, signs"]["escalated"] == len(SUBJECTS)


def test_a_sample_keeps_what_its_queries_need(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHES))
    vectors = importlib.import_module("vectors")
    monkeypatch.setattr(vectors, "SAMPLED_QUERIES", 3)
    monkeypatch.setattr(vectors, "SAMPLED_DOCUMENTS", 10)
    whole = datasets.load(data / "scifact-train")
    sample = vectors.sample(whole)
    assert sample == vectors.sample(whole) and sample.name == "scifact-train, sample"
    assert (len(sample.queries), len(sample.documents)) == (3, 10)
    assert {f"{query.id}0" for query in sample.queries} < {document.id for document in sample.documents}
    assert list(sample.documents) == [document for document in whole.documents if document in sample.documents]
    assert vectors.feasible(whole, "MiniLM") == sample and vectors.feasible(whole, "WordLlama") is whole


WITH_DATA = ["cascade.py", "dense.py", "escalation.py", "escalation_vectors.py", "scaling.py", "sign_hypervectors.py"]


@pytest.mark.parametrize("script", WITH_DATA)
def test_without_data_one_line_says_so(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BYHEART_DATA", raising=False)
    monkeypatch.syspath_prepend(BENCHES)
    said = []
    for arguments in ([], ["--data", str(tmp_path)]):
        monkeypatch.setattr(sys, "argv", [script, *arguments])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(BENCHES / script), run_name="__main__")
        said.append(ended.value.code)  # a text, which Python prints to standard error: the exit code is 1
    assert all(isinstance(each, str) and "\n" not in each for each in said)
    assert said[0].endswith("give --data DIR or set BYHEART_DATA") and "corpus.jsonl: cannot be read" in said[1]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["home", "team", "agent", "mixed"])
def test_the_notes_are_whole(name: str) -> None:
    folder = BENCHES / "notes" / name
    records, known, unknown = (
        [json.loads(line) for line in (folder / f"{what}.jsonl").read_text(encoding="utf-8").splitlines()]
        for what in ("records", "known", "unknown")
    )
    ids = [row["id"] for row in records]
    assert (len(ids), len(known), len(unknown)) == (150, 120, 60)
    assert len(set(ids)) == 150 and [row["time"] for row in records] == sorted(row["time"] for row in records)
    assert all(row["gold"] and set(row["gold"]) <= set(ids) for row in known)
    questions = [row["question"] for row in (*known, *unknown)]
    assert len(set(questions)) == 180
