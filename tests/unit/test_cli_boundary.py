"""Two files that differ outside a boundary alone: no command inside it prints or leaves anything else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import byheart
from byheart.cli import main

INSIDE = ("--tenant", "ann", "--scope", "s", "--class", "internal")
CELLS = (("ben", "s", "internal"), ("ann", "other", "internal"), ("ann", "s", "secret"))
ONES = [
    {"id": f"t{n}", "text": f"turn {n} of the kettle", "session_id": "c", "created_at": n + 1.0, "topic": "kettle",
     "user_id": "eve", "provenance": {"source_name": "a.txt", "source_id": "src-a"}}
    for n in range(4)
]  # fmt: skip
OTHERS = [
    {"id": f"t{n}", "text": f"kettle {n} of theirs", "session_id": "c", "created_at": 9.0, "topic": "kettle",
     "expires_at": 10.0, "user_id": "eve", "provenance": {"source_name": "a.txt", "source_id": "src-a"}, **cell}
    for n in range(3)
    for cell in (
        {"tenant": "ben", "scope": "s"}, {"tenant": "ann", "scope": "other"},
        {"tenant": "ann", "scope": "s", "boundary_class": "secret"},
    )
]  # fmt: skip
COMMANDS: list[tuple[str, ...]] = [
    ("list",),
    ("list", "--where", "source=a.txt", "--json"),
    ("get", "t1"),
    ("show", "t1", "--json"),
    ("recall", "kettle", "--json", "--explain"),
    ("recall", "kettle of theirs", "--profile", "kb-thinkingdb"),
    ("context", "kettle", "--budget", "60", "--json"),
    ("context", "kettle", "--budget", "60", "--session", "c", "--recent"),
    ("explain", "kettle", "t1", "--json"),
    ("explain", "kettle", "t9"),
    ("stats", "--json"),
    ("export", "out.jsonl", "--json"),
    ("purge", "--json"),
    ("update", "t1", "--topic", "pot", "--json"),
    ("update", "t9", "--topic", "pot"),
    ("forget", "t1", "t9", "--json"),
    ("forget", "--source", "a.txt", "--yes", "--json"),
    ("forget", "--where", "topic=kettle", "--yes", "--json"),
    ("forget", "--where", "user_id=eve", "--yes", "--json"),
    ("forget", "--where", "user_id=eve", "--dry-run"),
    ("users", "--json"),
    ("sessions", "--json"),
    ("history", "t1", "--json"),
    ("compact", "--session", "c", "--target", "2", "--json"),
    ("expand", "t9"),
    ("embed", "--embedder", "hashing", "--json"),
]


def filled(folder: Path, *, whole: bool) -> Path:
    """Return a file with what lies inside, and with what lies outside if it is the whole one."""
    folder.mkdir()
    file = folder / "m.db"
    for each in OTHERS if whole else ():
        cell = {"tenant": "ben", "scope": "s", "boundary_class": "internal", **each}
        boundary = {"tenant": cell["tenant"], "scopes": [cell["scope"]], "classes": [cell["boundary_class"]]}
        with byheart.Memory(file, boundary=boundary, tenant=str(cell["tenant"]), scope=str(cell["scope"])) as memory:
            memory.remember({**cell})
    with byheart.Memory(
        file, boundary={"tenant": "ann", "scopes": ["s"], "classes": ["internal"]}, tenant="ann", scope="s"
    ) as own:
        own.remember_many(ONES)
    return file


def left(file: Path, tenant: str, scope: str, boundary_class: str) -> str:
    with byheart.Memory(file) as memory:
        there = memory.records(boundary={"tenant": tenant, "scopes": [scope], "classes": [boundary_class]})
    return json.dumps([{**record.to_dict(), "updated_at": None} for record in there])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_outside_changes_what_a_command_prints_and_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    told, inside, outside = [], [], []
    for whole in (True, False):
        file = filled(tmp_path / f"whole-{whole}", whole=whole)
        monkeypatch.chdir(file.parent)
        before = [left(file, *cell) for cell in CELLS]
        code = main([*command, *INSIDE, "-m", str(file)])
        shown = capsys.readouterr()
        exported = Path("out.jsonl").read_text() if command[0] == "export" else ""
        told.append((code, shown.out.replace(str(file), "FILE"), shown.err.replace(str(file), "FILE"), exported))
        inside.append(left(file, "ann", "s", "internal"))
        after = [left(file, *cell) for cell in CELLS]
        outside.append(before == after)
    assert told[0] == told[1] and inside[0] == inside[1] and outside == [True, True]
    assert told[0][0] in (0, 1) and (told[0][1] or told[0][2])


def test_two_processes_sync_one_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for number in range(20):
            (tmp_path / name / f"{number}.txt").write_text(f"Fact {number} of folder {name}.")
    file = str(tmp_path / "m.db")
    for _ in range(2):
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "byheart", "import", "--sync", name, "-m", file, "--json"],
                cwd=tmp_path, stdout=subprocess.PIPE, text=True,
            )
            for name in ("one", "two", "one")
        ]  # fmt: skip
        assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
        with byheart.Memory(file) as memory:
            texts = sorted(record.text for record in memory.records())
        assert len(texts) == len(set(texts)) == 40
        for process in running:
            assert process.stdout is not None
            process.stdout.close()
