"""The command line, run as users run it: a process of its own, its output, its exit code."""

import json
import os
import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    def call(*arguments, code=0, stdin=None, memory=True):
        verb, *rest = arguments
        where = ["--memory", str(tmp_path / "memory.jsonl")] if memory else []
        done = subprocess.run(
            [sys.executable, "-m", "byheart", verb, *rest, *where],
            capture_output=True,
            text=True,
            input=stdin,
            timeout=120,
            cwd=tmp_path,
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        assert done.returncode == code, done
        return done

    return call


def test_remember_recall_explain_forget(run):
    assert run("remember", "Steep the tea for three minutes", "--id", "tea", "--topic", "kitchen").stdout == "tea\n"
    assert run("remember", "-", "--id", "rice", stdin="Rinse the rice twice").stdout == "rice\n"
    assert "tea" in run("recall", "how long must tea steep?").stdout
    answer = json.loads(run("recall", "tea", "--json", "--profile", "kb-fast").stdout)
    assert [hit["id"] for hit in answer["hits"]] == ["tea"]
    assert "claim:steep" in run("explain", "steep tea", "tea").stdout
    assert "no query term" in run("explain", "steep tea", "rice").stdout
    assert run("forget", "rice", "pot").stdout == "1 records removed\n"
    assert "1 records" in run("stats").stdout
    assert json.loads(run("stats", "--json").stdout)["default"]["records"] == 1


def test_tenants_are_apart(run):
    run("remember", "Ann likes lemon", "--tenant", "ann", "--id", "x")
    run("remember", "Bob likes milk", "--tenant", "bob", "--id", "x")
    assert "lemon" in run("recall", "likes", "--tenant", "ann").stdout
    assert "lemon" not in run("recall", "likes", "--tenant", "bob").stdout
    assert "0 of 0 records" in run("recall", "likes").stdout


def test_import_replaces_what_a_source_said_before(run, tmp_path):
    notes = tmp_path / "notes"
    (notes / ".git").mkdir(parents=True)
    (notes / ".git" / "hidden.md").write_text("# Hidden\nnever read", encoding="utf-8")
    (notes / "a.md").write_text("# Tea\nSteep it.\n\n# Rice\nRinse it.\n", encoding="utf-8")
    (notes / "b.txt").write_text("Plain words about kettles.", encoding="utf-8")
    (notes / "c.jsonl").write_text(
        '{"_id": "own", "text": "A line", "colour": "red"}\n\n{"text": "Another"}\n', "utf-8"
    )
    assert run("import", str(notes)).stdout.startswith("5 records of 3 files")
    before = (tmp_path / "memory.jsonl").read_bytes()
    run("import", str(notes))
    after = (tmp_path / "memory.jsonl").read_bytes()
    assert len(before.splitlines()) == len(after.splitlines()) == 6
    (notes / "a.md").write_text("# Coffee\nGrind it.\n", encoding="utf-8")
    run("import", str(notes))
    assert "Grind" in run("recall", "grind").stdout
    assert "0 of" in run("recall", "rinse").stdout
    assert json.loads(run("recall", "line", "--json").stdout)["hits"][0]["record"]["metadata"] == {"colour": "red"}


def test_a_bad_source_changes_nothing_and_is_named(run, tmp_path):
    run("remember", "kept", "--id", "kept")
    before = (tmp_path / "memory.jsonl").read_bytes()
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("good", encoding="utf-8")
    (notes / "b.jsonl").write_text('{"text": "good"}\n{"text": 3}\n', encoding="utf-8")
    assert "b.jsonl, line 2, parsing" in run("import", str(notes), code=1).stderr
    (notes / "b.jsonl").unlink()
    (notes / "c.md").write_bytes(b"bad \xff byte")
    assert "c.md, reading: byte 4" in run("import", str(notes), code=1).stderr
    assert (tmp_path / "memory.jsonl").read_bytes() == before
    assert "no file and no folder" in run("import", str(tmp_path / "absent"), code=1).stderr
    assert "another ending" in run("import", str(tmp_path / "memory.jsonl.lock"), code=1).stderr


def test_errors_are_one_line(run, tmp_path):
    bad = [("recall", "x", "-k", "0"), ("explain", "x", "nobody"), ("forget",), ("forget", "a", "--where", "b")]
    for arguments in bad:
        done = run(*arguments, code=1)
        assert done.stderr.startswith("byheart: ") and done.stderr.count("\n") == 1, done
    (tmp_path / "memory.jsonl").write_text("no memory\n", encoding="utf-8")
    assert "byheart: " in run("stats", code=1).stderr
    run("dance", code=2, memory=False)


def test_forget_by_value_asks_or_is_told(run):
    run("remember", "one", "--kind", "note")
    run("remember", "two", "--kind", "note")
    assert "--yes" in run("forget", "--where", "kind=note", code=1).stderr
    assert run("forget", "--where", "kind=note", "--yes").stdout == "2 records removed\n"


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    command = f'"{sys.executable}" -m byheart demo --quick | head -n 1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.stderr == ""


def test_the_demo_shows_everything(run):
    shown = run("demo", memory=False).stdout
    for title in ("Remember", "Recall", "Why", "Escalation", "Boundaries", "How long"):
        assert f"\n{title}" in shown
    assert "kb-balanced  words and hypervectors  coroutines" in shown
    assert max(map(len, shown.splitlines())) <= 100
