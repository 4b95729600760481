"""What the doctor says is to be done: something that mends the file at hand, and nothing that is refused."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.embedding.given import GivenVectors
from byheart.storage.sqlite import SqliteStore


def todo(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is to be done about a file, which is one thing."""
    assert main(["doctor", "-m", str(path), "--json"]) == 1
    [told] = json.loads(capsys.readouterr().out)["todo"]
    assert isinstance(told, str)
    return told


def foreign(path: Path) -> None:
    """Make a database of another program."""
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE notes (text)")
    made.close()


OTHERS: dict[str, Callable[[Path], object]] = {
    "bad.jsonl": lambda path: path.write_text('{"a":1}\n'),
    "plain.jsonl": lambda path: path.write_text("notes of mine\n"),
    "foreign.db": foreign,
    "notes.txt": lambda path: path.write_text("notes of mine\n"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_others_is_neither_repaired_nor_replaced(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    OTHERS[name](tmp_path / name)
    before = (tmp_path / name).read_bytes()
    told = todo(tmp_path / name, capsys)
    assert "--repair" not in told and "in its place" not in told
    assert told.endswith("; name the memory's own file, or a backup of it")
    assert (tmp_path / name).read_bytes() == before


def test_a_file_with_several_names_is_something_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "memory.db"
    assert main(["remember", "tea", "-m", str(path)]) == 0
    assert main(["doctor", "-m", str(path)]) == 0
    capsys.readouterr()
    path.with_name("other.db").hardlink_to(path)
    told = todo(path, capsys)
    assert told.startswith(f"{path}: has several names") and "make it a file of its own" in told


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.db"])
def test_an_empty_file_is_removed_and_a_memory_made_there(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.touch()
    assert todo(path, capsys) == f"{path}: the file is empty; remove it, and a new memory is made there"
    path.unlink()
    assert main(["remember", "tea", "-m", str(path)]) == 0


def test_a_text_file_whose_first_line_is_damaged_is_mended_by_that_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "memory.jsonl"
    with byheart.Memory(path) as memory:
        memory.remember_many(["The kettle is blue.", "The pot is red."])
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0].replace("}", ""), *lines[1:]]))
    told = todo(path, capsys)
    anew = '{"format": "byheart-jsonl", "version": 1}'
    assert told.endswith(f"; put a backup in its place, or write line 1 anew: {anew}") and "--repair" not in told
    path.write_text("".join([f"{anew}\n", *lines[1:]]))
    assert main(["doctor", "-m", str(path)]) == 0


def test_a_damaged_memory_is_not_mended_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "memory.db"
    byheart.Memory(path).close()
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE more (text)")
    made.close()
    assert todo(path, capsys).endswith("; nothing mends it as a whole: put a backup in its place")


def test_a_repair_that_a_message_names_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
        memory.remember("The kettle is blue.")
    with sqlite3.connect(path) as made:
        made.execute("UPDATE models SET vectors = 7")
    made.close()
    assert todo(path, capsys).count("--repair") == 1
    assert main(["check", "--repair", "-m", str(path)]) == 0
    assert main(["doctor", "-m", str(path)]) == 0


def test_a_file_that_may_not_be_read_is_told_as_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text('{"format": "byheart-jsonl", "version": 1}\n')
    opened = Path.open

    def refuse(at: Path, *args: Any, **named: Any) -> Any:
        if at == path:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(at, *args, **named)

    monkeypatch.setattr(Path, "open", refuse)
    assert todo(path, capsys) == f"{path}: Permission denied"
    assert main(["recall", "tea", "-m", str(path)]) == 2
    assert capsys.readouterr().err == f"byheart: {path}: Permission denied\n"


# ---- vectors


def test_records_without_a_vector_are_told_with_the_command_that_makes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path, embedder=HashingEmbedder()) as memory:
        memory.remember("The kettle is blue.")
    assert main(["doctor", "-m", str(path)]) == 0
    assert main(["remember", "The pot is red.", "-m", str(path), "--tenant", "ann", "--class", "secret"]) == 0
    capsys.readouterr()
    way = "`byheart embed --embedder hashing` makes them"
    assert todo(path, capsys) == f"{path}: 1 of 2 records have no vector of 'hashing'; {way}"
    assert main(["embed", "--embedder", "hashing", "-m", str(path)]) == 0
    assert main(["doctor", "-m", str(path)]) == 0


def test_a_memory_that_never_had_vectors_lacks_none(tmp_path: Path) -> None:
    for name in ("memory.db", "memory.jsonl"):
        assert main(["remember", "The pot is red.", "-m", str(tmp_path / name)]) == 0
        assert main(["doctor", "-m", str(tmp_path / name)]) == 0


MODELS: dict[str, tuple[Fingerprint, str]] = {
    "hashing": (HashingEmbedder().fingerprint, "`byheart embed --embedder hashing` makes them"),
    "hashing, narrow": (HashingEmbedder(16).fingerprint, "`byheart embed --embedder FOLDER` makes them"),
    "wordllama": (Fingerprint("wordllama-l2-supercat", 256, True, "", "", "1"),
                  "`byheart embed --embedder wordllama` makes them"),
    "a folder's": (Fingerprint("all-MiniLM-L6-v2", 384, True, "", "", "1"),
                   "`byheart embed --embedder FOLDER` makes them"),
    "given": (GivenVectors("mine", 3).fingerprint, "give them with --vectors mine:3 and --vector"),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_the_model_of_the_file_is_named_as_the_command_line_names_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, (model, way) = tmp_path / "memory.db", MODELS[name]
    with byheart.Memory(path) as memory:
        memory.remember("The kettle is blue.")
    with SqliteStore(path) as store:
        store.adopt(str(model))
    assert todo(path, capsys).endswith(f"1 of 1 records have no vector of {model.family!r}; {way}")
    option = {"given": "--vectors mine:3"}.get(name, "--" + way.partition("--")[2].partition("`")[0])
    for command in (["recall", "kettle"], ["context", "kettle", "--budget", "50"]):
        assert main([*command, "--profile", "dense", "-m", str(path)]) == 0
        said = "".join(capsys.readouterr())
        assert f"has no embedder; the answer rests on words; its vectors are of {model.family!r}" in said
        assert f", and searched with {option}\n" in said


def test_what_it_says_of_the_program_has_the_same_names_everywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["memory"] is None and told["todo"] == []
    assert list(told["versions"]) == ["byheart", "numpy", "platform", "python", "sqlite"]
    assert all(isinstance(version, str) and version for version in told["versions"].values())
    extras = ["documents", "duckdb", "lancedb", "mcp", "onnx", "policy", "rerank", "static"]
    assert list(told["extras"]) == extras and set(map(type, told["extras"].values())) == {bool}
    assert list(told["embedders"]) == ["folder with ONNX", "folder with model2vec", "hashing", "wordllama"]
    assert told["embedders"]["hashing"] == "ready"
