"""What an import keeps its hands off: records that came from elsewhere, other cells, and files that byheart wrote."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.embedding import HashingEmbedder
from byheart.storage.sqlite import SqliteStore

from .conftest import Run
from .test_cli import records, stored, write


def row(id: str, text: str, **fields: object) -> str:
    return json.dumps({"id": id, "text": text, **fields}) + "\n"


def remove(memory_file: Path, name: str) -> None:
    (memory_file.parent / name).unlink()


# ---- files that byheart wrote


@pytest.mark.parametrize("sync", [(), ("--sync",)])
def test_an_export_among_notes_is_refused_and_its_records_stay_whose_they_are(
    run: Run, memory_file: Path, sync: tuple[str, ...]
) -> None:
    run("remember", "My flight is on Tuesday.", "--id", "flight")
    write(memory_file.parent, {"n/a.txt": "Tea."})
    run("export", "n/export.jsonl")
    before = records(memory_file)
    told = run("import", *sync, "n", code=1 if sync else 2)
    assert "n/export.jsonl, line 1, parsing: " in told and "byheart import --exported" in told
    assert told.count("\n") == 1
    held = stored(memory_file)
    assert sorted(held.values()) == ["My flight is on Tuesday.", *(["Tea."] if sync else [])]
    assert [record for record in records(memory_file) if record.id == "flight"] == before
    remove(memory_file, "n/export.jsonl")
    run("import", "--sync", "n")
    assert stored(memory_file)["flight"] == "My flight is on Tuesday."


def test_another_memory_that_is_a_text_file_is_refused_too(run: Run, memory_file: Path) -> None:
    with byheart.Memory(memory_file.parent / "other.jsonl") as other:
        other.remember("Rice.", id="rice")
    assert "other.jsonl, line 1, parsing: " in run("import", "other.jsonl", code=2)
    assert not memory_file.exists() or stored(memory_file) == {}


def test_the_head_of_an_export_is_no_record_on_any_line(run: Run, memory_file: Path) -> None:
    run("remember", "Tea.", "--id", "tea")
    run("export", "x.jsonl")
    whole = row("rice", "Rice.") + (memory_file.parent / "x.jsonl").read_text()
    write(memory_file.parent, {"n.jsonl": whole})
    assert "n.jsonl, line 2, parsing: " in run("import", "n.jsonl", code=2)
    write(memory_file.parent, {"n.jsonl": row("rice", "Rice.", format="byheart-jsonl")})
    run("import", "n.jsonl")
    assert stored(memory_file)["rice"] == "Rice.", "a record may have such a word in its metadata"


# ---- records that came from elsewhere


@pytest.mark.parametrize("sync", [(), ("--sync",)])
@pytest.mark.parametrize("text", ["Steep it.", "My own words."])
def test_an_id_that_was_remembered_by_hand_is_not_taken(
    run: Run, memory_file: Path, sync: tuple[str, ...], text: str
) -> None:
    run("remember", "My own words.", "--id", "k", "--class", "secret")
    write(memory_file.parent, {"n/a.jsonl": row("x", "new") + row("k", text), "n/b.txt": "Tea."})
    before = memory_file.read_bytes()
    told = run("import", *sync, "n", code=2)
    assert "n/a.jsonl, line 2: the id 'k'" in told and "by hand" in told and "forget" in told
    assert memory_file.read_bytes() == before, "nothing is half done"
    run("forget", "k", "--class", "secret")
    run("import", *sync, "n")
    assert stored(memory_file)["k"] == text


def test_an_id_of_another_file_is_not_taken(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.jsonl": row("k", "of a"), "b.jsonl": row("k", "of b")})
    run("import", "a.jsonl")
    before = memory_file.read_bytes()
    for sync in ((), ("--sync",)):
        told = run("import", *sync, "b.jsonl", code=2)
        assert "b.jsonl, line 1: the id 'k'" in told and "'a.jsonl'" in told
    assert memory_file.read_bytes() == before
    write(memory_file.parent, {"a.jsonl": row("other", "of a")})
    run("import", "a.jsonl", "b.jsonl")
    assert stored(memory_file) == {"other": "of a", "k": "of b"}, "what one file lets go another may take at once"


def test_a_file_takes_its_own_ids_again(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.jsonl": row("k", "first")})
    run("import", "a.jsonl")
    write(memory_file.parent, {"a.jsonl": row("k", "second")})
    assert "1 remembered, 0 unchanged, 0 forgotten" in run("import", "a.jsonl")
    assert stored(memory_file) == {"k": "second"}


@pytest.mark.parametrize("sync", [(), ("--sync",)])
def test_a_file_that_was_moved_keeps_its_ids(run: Run, memory_file: Path, sync: tuple[str, ...]) -> None:
    write(memory_file.parent, {"n/a.jsonl": row("k", "Tea.", importance=0.5) + row("left", "Rice.")})
    run("import", "n")
    (memory_file.parent / "n").rename(memory_file.parent / "m")
    write(memory_file.parent, {"m/a.jsonl": row("k", "Tea.", importance=0.5)})
    run("import", *sync, "m")
    named = {record.id: record.provenance["source_name"] for record in records(memory_file)}
    assert named == {"k": "m/a.jsonl", "left": "n/a.jsonl"}
    write(memory_file.parent, {"n/c.jsonl": row("left", "Something else.")})
    assert "'n/a.jsonl'" in run("import", *sync, "n/c.jsonl", code=2), "that is no move: the file says something else"
    assert stored(memory_file)["left"] == "Rice."


def test_a_sync_forgets_nothing_that_no_import_wrote(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/b.jsonl": row("k", "Rice.")})
    run("import", "n")
    copied = {record.id: dict(record.provenance) for record in records(memory_file)}
    [chunk] = [given for given in copied.values() if "chunk_id" in given]
    with byheart.Memory(memory_file) as memory:
        memory.remember("What I think of it.", id="mine", provenance={"source_name": "n/a.md"})
        memory.remember("What it means.", id="from", provenance=chunk)
    write(memory_file.parent, {"n/a.md": "Coffee."})
    assert "1 remembered, 1 unchanged, 0 forgotten" in run("import", "n")
    remove(memory_file, "n/a.md")
    remove(memory_file, "n/b.jsonl")
    run("import", "--sync", "n", "--allow-empty")
    assert sorted(stored(memory_file)) == ["from", "mine"]


def test_what_was_changed_by_hand_under_an_imported_id_is_not_taken_back(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.jsonl": row("k", "of a")})
    run("import", "a.jsonl")
    run("remember", "Mine now.", "--id", "k")
    assert "by hand" in run("import", "a.jsonl", code=2)
    remove(memory_file, "a.jsonl")
    run("import", "--sync", ".")
    assert stored(memory_file) == {"k": "Mine now."}


# ---- cells


@pytest.mark.parametrize(
    ("named", "flags", "told"),
    [
        ({"tenant": "acme"}, ("--tenant", "mine"), "tenant 'acme'"),
        ({"tenant": "acme"}, (), "tenant 'acme'"),
        ({"scope": "s"}, ("--scope", "t"), "scope 's'"),
        ({"boundary_class": "secret"}, ("--class", "public"), "boundary_class 'secret'"),
        ({"boundaryClass": "public"}, (), "boundary_class 'public'"),
    ],
)
def test_a_line_that_names_another_cell_is_refused(
    run: Run, memory_file: Path, named: dict[str, str], flags: tuple[str, ...], told: str
) -> None:
    run("remember", "Acme's own.", "--id", "k", "--tenant", "acme", "--class", "secret")
    write(memory_file.parent, {"n/a.jsonl": row("x", "fine") + row("k", "PLANTED", **named), "n/b.txt": "Tea."})
    before = memory_file.read_bytes()
    refused = run("import", "n", *flags, code=1)
    assert "n/a.jsonl, line 2: " in refused and told in refused
    assert memory_file.read_bytes() == before
    assert "skipped: n/a.jsonl, line 2: " in run("import", "--sync", "n", *flags, code=1)
    assert sorted(stored(memory_file).values()) == ["Acme's own.", "Tea."]


def test_a_line_may_name_the_cell_that_it_goes_to(run: Run, memory_file: Path) -> None:
    cell = {"tenant": "t", "scope": "s", "boundary_class": "secret"}
    write(memory_file.parent, {"n/a.jsonl": row("k", "Tea.", **cell) + row("l", "Rice.")})
    flags = ("--tenant", "t", "--scope", "s", "--class", "secret")
    run("import", "n", *flags)
    remove(memory_file, "n/a.jsonl")
    assert "gone: n/a.jsonl" in run("import", "--sync", "n", "--allow-empty", *flags)
    assert stored(memory_file) == {}, "a file leaves nothing behind in another cell"


def test_an_export_still_restores_every_tenant(run: Run, memory_file: Path) -> None:
    run("remember", "Acme's own.", "--id", "k", "--tenant", "acme", "--class", "secret")
    run("remember", "Mine.", "--id", "k")
    run("export", "all.jsonl")
    other = memory_file.with_name(f"other{memory_file.suffix}")
    assert main(["import", "--exported", "all.jsonl", "-m", str(other)]) == 0
    assert records(other) == records(memory_file)


@pytest.mark.parametrize(
    "typed",
    [("--sync",), ("--allow-empty",), ("--no-ignore",), ("--facts",), ("--tenant", "ann"), ("--tenant", "default"),
     ("--scope", "s"), ("--class", "secret"), ("--class", "internal")],
)  # fmt: skip
def test_what_says_how_files_are_read_is_refused_of_an_export(
    run: Run, memory_file: Path, typed: Sequence[str]
) -> None:
    run("remember", "tea", "--tenant", "eve")
    run("export", "all.jsonl")
    told = run("import", "--exported", "all.jsonl", *typed, code=2)
    assert f"--exported takes one file, and no {typed[0]} (see" in told
    assert json.loads(run("stats", "--json")).keys() == {"eve"}


def test_an_export_takes_an_embedder(run: Run, tmp_path: Path) -> None:
    run("remember", "tea")
    run("export", "all.jsonl")
    other = str(tmp_path / "two.db")
    assert main(["import", "--exported", "all.jsonl", "--embedder", "hashing", "-m", other]) == 0
    with byheart.Memory(other, embedder=HashingEmbedder()) as memory:
        assert memory.stats()["vectors"] == 1


@pytest.mark.parametrize("content", [b"", b"nothing\n", b'{"format": "byheart-jsonl"}\n', b"\xff", None])
def test_an_export_that_cannot_be_read_leaves_no_memory_behind(
    run: Run, memory_file: Path, content: bytes | None
) -> None:
    run("remember", "tea", "--id", "k")
    run("export", "all.jsonl")
    whole = (memory_file.parent / "all.jsonl").read_bytes()
    memory_file.unlink()
    broken = whole.replace(b'"k"', b'"k') if content is None else content
    (memory_file.parent / "broken.jsonl").write_bytes(broken)
    before = {path.name for path in memory_file.parent.iterdir() if path.name.startswith("memory")}
    assert "broken.jsonl" in run("import", "--exported", "broken.jsonl", code=2)
    assert {path.name for path in memory_file.parent.iterdir() if path.name.startswith("memory")} == before
    run("import", "--exported", "all.jsonl")
    assert stored(memory_file) == {"k": "tea"}


@pytest.mark.parametrize("name", ["x.db", "X.DB", "x.sqlite", "x.sqlite3", "x.db3"])
def test_an_export_is_not_called_a_durable_memory(run: Run, memory_file: Path, name: str) -> None:
    run("remember", "tea")
    told = run("export", name, code=2)
    assert name in told and "byheart backup" in told and told.count("\n") == 1
    assert not (memory_file.parent / name).exists()


def test_a_hundred_files_that_cannot_be_read_are_named(run: Run, memory_file: Path) -> None:
    folder = memory_file.parent / "a-folder-with-quite-a-long-name-of-its-own"
    folder.mkdir()
    for number in range(120):
        (folder / f"note-{number:03}.md").write_bytes(b"\xff\xfe\xff")
    said = run("import", folder.name, code=2)
    assert said.count(".md") >= 100 and "note-000.md" in said and "note-099.md" in said and "note-050.md" in said
    assert "120 files cannot be imported" in said and "; and 20 more" in said


# ---- an import that is interrupted


@pytest.mark.parametrize("exported", [False, True])
@pytest.mark.parametrize("written", [False, True])
def test_an_interrupted_import_says_what_became_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], exported: bool, written: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"n/a.txt": "Tea.", "n/b.txt": "Coffee."})
    assert main(["import", "n", "-m", "first.db"]) == main(["export", "all.jsonl", "-m", "first.db"]) == 0
    capsys.readouterr()
    argv = ["import", *(["--exported", "all.jsonl"] if exported else ["n"]), "-m", "second.db"]
    write_if = SqliteStore.write_if

    def interrupted(store: SqliteStore, *given: Any, **more: Any) -> bool:
        if written:
            write_if(store, *given, **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "write_if", interrupted)
        assert main(argv) == 130
    told = "byheart: interrupted; an import is written whole or not at all: import again, which adds nothing twice"
    assert capsys.readouterr().err == f"\n{told}\n"
    assert len(stored(tmp_path / "second.db")) == (2 if written else 0)
    assert main(argv) == 0 and len(stored(tmp_path / "second.db")) == 2
