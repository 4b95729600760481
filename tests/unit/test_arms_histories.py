"""Histories of a bench: what is asked of what, whatever the file is; what is kept of it; and how a run is told."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import InvalidArgument, MissingExtra, RerankFailed, StoreBusy
from byheart.evaluation import bench, converters
from byheart.evaluation.arms import dataset_files, histories, keeping, run_files
from byheart.evaluation.arms.failures import CODES, PHASES, code_of, failure
from byheart.evaluation.arms.manifest import REDACTED, commit, manifest, redacted
from byheart.evaluation.converters.conversations import Session, Turn

from . import bench_files, judged
from .test_evaluation_converters import CONVERSATIONS, ITEM, LONGMEMEVAL

# ---- histories


def test_a_file_of_questions_with_sessions_is_read_as_it_is(tmp_path: Path) -> None:
    path = bench_files.write(tmp_path)
    path.with_name("bench.json.meta.json").write_text('{"converter": "mine"}', encoding="utf-8")
    found = histories.read(path)
    assert (found.name, found.meta, found.first_session) == ("tea time", {"converter": "mine"}, 0)
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [asked.history for asked in found.questions] == [0, 0, 0, 0, 1], "equal histories are one"
    first = found.questions[0]
    assert (first.id, first.type, first.ground_truth) == ("q1", "facts", "at eighty degrees")
    assert first.relevant == ("tea",) and [session.id for session in found.histories[1]] == ["kettle", "violin"]
    assert found.histories[0][3].metadata == {"priority": "p1"} and found.histories[0][0].metadata == {}
    assert found.questions[3].relevant == ("garden", "train")


def test_a_judged_collection_is_read_by_its_sessions(tmp_path: Path) -> None:
    folder = judged.conversations(tmp_path / "told")
    found = histories.read(folder)
    assert [[session.id for session in sessions] for sessions in found.histories] == [["c1/1", "c1/2"], ["c2/1"]]
    assert {asked.id: asked.relevant for asked in found.questions} == {
        "c1/q0": ("c1/1",), "c1/q1": ("c1/1", "c1/2"), "c1/q2": ("c1/1",), "c2/q0": ("c2/1",),
    }  # fmt: skip
    assert found.histories[0][0].turns[1].speaker == "Ben" and found.histories[0][0].date == "1:00 pm on 8 May, 2023"


def test_a_document_without_a_session_is_one(tmp_path: Path) -> None:
    found = histories.read(judged.subjects(tmp_path / "subjects", unanswerable=True))
    assert len(found.histories) == 1 and found.questions[0].relevant == ("kettle0",)
    assert found.histories[0][0].metadata == {"title": "kettle"}
    assert found.left_out == {"unanswerable": 1, "unjudged": 0}


def test_the_digest_of_a_folder_is_of_the_names_and_the_bytes_of_its_files(tmp_path: Path) -> None:
    content = json.dumps([{**ITEM, "conversations": CONVERSATIONS}]).encode()

    def digest(place: str, name: str, content: bytes) -> str:
        file = tmp_path / place / "user_evidence" / name
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        return histories.read(tmp_path / place, "convomem").sha256

    first = digest("a", "p1.json", content)
    line = f"user_evidence/p1.json {hashlib.sha256(content).hexdigest()}\n"
    assert first == hashlib.sha256(line.encode()).hexdigest()
    assert digest("b", "p1.json", content) == first, "wherever the folder lies"
    assert first not in (digest("c", "p2.json", content), digest("d", "p1.json", content + b"\n"))


def test_what_no_session_answers_is_left_out_or_given_the_first_one_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "lme.json"
    path.write_text(json.dumps(LONGMEMEVAL), encoding="utf-8")
    strict = histories.read(path, "longmemeval")
    assert [asked.id for asked in strict.questions] == ["gym"]
    assert (strict.left_out, strict.first_session) == ({"unanswerable": 1, "unjudged": 1}, 0)
    kind = histories.read(path, "longmemeval", fallback="first")
    assert {asked.id: asked.relevant for asked in kind.questions} == {
        "gym": ("gym-session-2",), "cat_abs": ("cat_abs-session-1",), "open": ("open-session-1",),
    }  # fmt: skip
    assert (kind.left_out, kind.first_session, kind.name) == ({"unanswerable": 0, "unjudged": 0}, 1, "lme")


def test_a_sample_is_the_bench_s_and_keeps_no_other_history(tmp_path: Path) -> None:
    found = histories.read(bench_files.write(tmp_path))
    drawn = found.sampled(3, 7)
    assert [asked.id for asked in drawn.questions] == [f"q{at + 1}" for at in bench.sample(5, 3, 7)]
    assert [asked.id for asked in found.sampled(3, 7, 1).questions] == [drawn.questions[0].id]
    last = found.sampled(1, next(seed for seed in range(99) if bench.sample(5, 1, seed) == [4]))
    assert [asked.history for asked in last.questions] == [0] and len(last.histories) == 1
    assert last.histories[0] == found.histories[1]
    with pytest.raises(InvalidArgument, match="size: is 6"):
        found.sampled(6, 7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"format": "other"}, "format: 'other' does not exist"),
        ({"fallback": "last"}, "fallback: is 'last'"),
        ({"format": "longmemeval"}, "holds no list"),
    ],
)
def test_wrong_arguments_are_told(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        histories.read(bench_files.write(tmp_path), **arguments)


def test_a_dataset_that_asks_nothing_is_refused(tmp_path: Path) -> None:
    folder = judged.write(tmp_path / "empty", [{"id": "a", "text": "A."}], [{"id": "q", "text": "?"}], [])
    with pytest.raises(InvalidArgument, match="nothing to measure"):
        histories.read(folder)


# ---- the bench's own format


def test_a_dataset_is_written_in_the_bench_s_format_and_read_back(tmp_path: Path) -> None:
    found = histories.read(bench_files.write(tmp_path)).sampled(4, 7)
    dataset_files.save(tmp_path / "drawn.json", found, {"sample_size": 4})
    again = histories.read(tmp_path / "drawn.json")
    assert again.questions == found.questions and again.name == found.name

    def plain(dataset: histories.Dataset) -> list[list[tuple[Any, ...]]]:
        said = [[(s.id, s.date, dict(s.metadata), [t.text for t in s.turns]) for s in h] for h in dataset.histories]
        return said

    assert plain(again) == plain(found)
    assert again.meta["source"] == {"name": "tea time", "sha256": found.sha256}
    assert again.meta["parameters"] == {"sample_size": 4}


def test_a_collection_becomes_questions_with_sessions(tmp_path: Path) -> None:
    found = histories.read(judged.conversations(tmp_path / "told"))
    told = dataset_files.as_bench(found)
    assert list(converters.sessions.problems(told)) == []
    [first, *_] = told["questions"]
    assert first["relevant_session_ids"] == ["c1/1"] and first["question_type"] == "single-hop"
    assert first["sessions"][1]["messages"][0] == {
        "role": "user",
        "content": "Ann: The bicycle was stolen from the station yesterday.",
        "ts": "9:30 am on 1 June, 2023",
    }
    dataset_files.save(tmp_path / "bench.json", found, {})
    again = histories.read(tmp_path / "bench.json")
    assert [asked.relevant for asked in again.questions] == [asked.relevant for asked in found.questions]
    assert [len(held) for held in again.histories] == [2, 1], "shared histories are one again"


def test_what_the_bench_s_format_cannot_tell_is_refused(tmp_path: Path) -> None:
    found = histories.read(bench_files.write(tmp_path))
    with pytest.raises(InvalidArgument, match="name: is missing or blank"):
        dataset_files.save(tmp_path / "x.json", replace(found, name=" "), {})
    with pytest.raises(InvalidArgument, match="cannot be written"):
        dataset_files.save(tmp_path / "no" / "x.json", found, {})
    assert not (tmp_path / "x.json").exists()


# ---- policies of keeping


def sessions() -> list[Session]:
    said = [("must", "The deadline is near."), ("nice", "I usually walk."), ("ignore", "Hello there.")]
    told = [Session(id, None, (Turn(f"{id}/1", "user", text),)) for id, text in said]
    return [*told, Session("named", None, (Turn("named/1", "user", "Hello."),), {"importance": "p2"})]


@pytest.mark.parametrize(
    ("policy", "left"),
    [("all", ["must", "nice", "ignore", "named"]), ("must", ["must"]), ("must+nice", ["must", "nice", "named"])],
)
def test_a_policy_keeps_by_importance(policy: str, left: list[str]) -> None:
    assert [session.id for session in keeping.kept(sessions(), policy)] == left


def test_an_observation_has_twelve_lines_of_240_characters() -> None:
    long = Session("s", None, tuple(Turn(f"s/{at}", "user", f"{at}\n" + "x" * 300) for at in range(20)))
    [log] = keeping.kept([long], "observations")
    assert len(log.turns) == 12 and {len(turn.text) for turn in log.turns} == {240}
    assert log.turns[11].text.startswith("11 xx") and log.turns[0].text[-1] == "…"
    exact = keeping.observed(Session("s", None, (Turn("t", "user", "y" * 240),)))
    assert exact.turns[0].text == "y" * 240
    saved = keeping.compression([long], [log])
    assert saved["compression_ratio_items"] == 1.0 and saved["chars_kept"] == 12 * 240
    with pytest.raises(InvalidArgument, match="policy: 'some' does not exist"):
        keeping.kept([long], "some")


# ---- failures, manifests, files


@pytest.mark.parametrize(
    ("error", "code", "category", "retryable"),
    [
        (TimeoutError("late"), "TIMEOUT", "timeout", True),
        (subprocess.TimeoutExpired("qmd", 5), "TIMEOUT", "timeout", True),
        (StoreBusy("held"), "TIMEOUT", "timeout", True),
        (FileNotFoundError("qmd"), "COMMAND_NOT_FOUND", "environment", False),
        (MissingExtra("lancedb"), "COMMAND_NOT_FOUND", "environment", False),
        (json.JSONDecodeError("bad", "{", 1), "PARSE_ERROR", "parse", False),
        (InvalidArgument("k"), "DATA_VALIDATION_ERROR", "validation", False),
        (RuntimeError("command failed: 1"), "ADAPTER_COMMAND_FAILED", "adapter-runtime", True),
        (RerankFailed("busy"), "ADAPTER_COMMAND_FAILED", "adapter-runtime", True),
        (KeyError("x"), "UNEXPECTED_ERROR", "unknown", False),
    ],
)
def test_an_error_has_its_code(error: Exception, code: str, category: str, retryable: bool) -> None:
    told = failure("q1", "tea?", "search", error)
    assert (told["error_code"], told["error_category"], told["retryable"]) == (code, category, retryable)
    assert told["exception_type"] == type(error).__name__ and told["phase"] in PHASES
    assert code_of(error) in CODES and len(CODES) == 6 and len(PHASES) == 6


def test_a_manifest_says_what_was_run_and_holds_no_secret(tmp_path: Path) -> None:
    found = histories.read(bench_files.write(tmp_path))
    config = {"gateway_token": "t", "nested": [{"ApiKey": "k", "password_file": "p"}], "session_key": "main"}
    told = manifest(found, "qmd-only", config, {"top_k": 10}, run_id="run", created="then")
    assert told["provider"]["config"] == {
        "gateway_token": REDACTED, "nested": [{"ApiKey": REDACTED, "password_file": REDACTED}], "session_key": "main",
    }  # fmt: skip
    assert told["dataset"]["sha256"] == found.sha256 and told["dataset"]["path"] == str(tmp_path / "bench.json")
    assert set(told) == {
        "schema", "track", "run_id", "created_at_utc", "toolkit", "provider", "dataset", "parameters", "runtime",
    }  # fmt: skip
    assert told["runtime"]["python"] and told["toolkit"]["name"] == "byheart"
    assert redacted({"api_key": None, "secretive": 1}) == {"api_key": REDACTED, "secretive": REDACTED}


def test_the_commit_is_that_of_the_program_and_of_no_repository_around_it(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert commit(tmp_path) is None, "no repository"
    git("init", "-q")
    for name in ("other.py", "__init__.py"):
        assert commit(tmp_path) is None, "a repository that does not hold the file"
        (tmp_path / name).write_text("", encoding="utf-8")
        git("add", name)
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", name)
    assert commit(tmp_path) == git("rev-parse", "HEAD")


def test_runs_are_written_once_and_the_latest_is_pointed_at(tmp_path: Path) -> None:
    assert run_files.run_group("Tea, 50!", 1.5) == "19700101T000001Z-tea-50"
    home = run_files.write(tmp_path / "runs", "one", {"receipt.json": "{}\n"})
    run_files.write(tmp_path / "runs", "two", {"receipt.json": "{}\n", "a.md": "x"})
    pointed = json.loads((tmp_path / "runs" / "latest.json").read_text(encoding="utf-8"))
    assert pointed == {"run_group": "two", "files": {"a.md": "two/a.md", "receipt.json": "two/receipt.json"}}
    assert (home / "receipt.json").read_text(encoding="utf-8") == "{}\n"
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["latest.json", "one", "two"]
    with pytest.raises(InvalidArgument, match="is there already"):
        run_files.write(tmp_path / "runs", "one", {})
    with pytest.raises(InvalidArgument, match="nothing is left"):
        run_files.slug("!?")
