"""The commands that look after a memory file: check, rebuild, export, embed, and what `--embedder` may name."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main

from ..models import tiny
from .conftest import Run


def filled(run: Run) -> None:
    run("remember", "Steep the tea for three minutes.", "--id", "tea")
    run("remember", "Rinse the rice twice.", "--id", "rice", "--tenant", "ann", "--class", "secret")


# ---- check, rebuild


def test_a_sound_memory_is_well(run: Run) -> None:
    filled(run)
    assert run("check") == "all is well\n"
    assert json.loads(run("check", "--json")) == []


def test_damage_is_named_and_the_code_is_1(run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(run)
    memory_file.write_bytes(memory_file.read_bytes().replace(b"three minutes", b"seven minutes"))
    code = main(["check", "-m", str(memory_file)])
    shown = capsys.readouterr()
    if memory_file.suffix == ".jsonl":  # a text file may be edited
        assert (code, shown.out) == (0, "all is well\n")
        return
    assert (code, shown.err) == (1, f"byheart: {memory_file}: 1 problem found\n")
    assert "'tea'" in shown.out
    assert main(["check", "-m", str(memory_file), "--json"]) == 1
    [problem] = json.loads(capsys.readouterr().out)
    assert problem["key"] == ["default", "project", "internal", "tea"]


def test_indexes_are_made_anew(run: Run, memory_file: Path) -> None:
    filled(run)
    assert run("rebuild") == "indexed 2 records\n"
    assert json.loads(run("rebuild", "--json")) == {"opened": "indexed 2 records"}


@pytest.mark.parametrize(
    "command", [("check",), ("rebuild",), ("export", "x.jsonl"), ("embed", "--embedder", "hashing")]
)
def test_upkeep_begins_no_memory(run: Run, memory_file: Path, command: tuple[str, ...]) -> None:
    assert "there is no such memory" in run(*command, code=2)
    assert not list(memory_file.parent.iterdir())


# ---- export, import of what was exported


def test_what_is_exported_comes_back_byte_for_byte(run: Run, memory_file: Path) -> None:
    filled(run)
    folder = memory_file.parent
    assert run("export", "one.jsonl") == "2 records written to one.jsonl\n"
    assert "one.jsonl exists" in run("export", "one.jsonl", code=2)
    for other in ("copy.db", "copy.jsonl"):
        assert main(["import", "--exported", "one.jsonl", "-m", other]) == 0
        assert main(["export", f"{other}.jsonl", "-m", other]) == 0
        assert (folder / f"{other}.jsonl").read_bytes() == (folder / "one.jsonl").read_bytes()
    assert "--exported takes one file" in run("import", "--exported", "one.jsonl", "two.jsonl", code=2)
    assert "two.jsonl does not exist" in run("import", "--exported", "two.jsonl", code=2)


def test_an_export_may_go_to_standard_output(memory_file: Path, capfdbinary: Any) -> None:
    with byheart.Memory(memory_file) as memory:
        memory.remember("The kettle is descaled in spring.", id="kettle")
    written = memory_file.with_name("one.jsonl")
    assert main(["export", str(written), "-m", str(memory_file)]) == 0
    sys.stdout.flush()
    capfdbinary.readouterr()
    assert main(["export", "-", "-m", str(memory_file)]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr() == (written.read_bytes(), b"")
    with pytest.raises(SystemExit, match="2"):
        main(["export", "-", "--json", "-m", str(memory_file)])
    assert b"both write to standard output" in capfdbinary.readouterr().err
    assert not Path("-").exists()


# ---- embedders


@pytest.fixture
def durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "memory.db"


def test_a_durable_file_keeps_its_vectors(durable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*arguments: str) -> str:
        assert main([*arguments, "-m", str(durable)]) == 0, capsys.readouterr()
        return capsys.readouterr().out

    call("remember", "Descaling the kettle takes vinegar.", "--id", "vinegar", "--embedder", "hashing")
    call("remember", "Rinse the rice twice.", "--id", "rice")
    dense = ("recall", "rinsing rices", "--profile", "dense", "--embedder", "hashing", "--json")
    assert json.loads(call(*dense))["degraded"]
    assert call("embed", "--embedder", "hashing") == "1 vector made, 1 there before (hashing, 256 dimensions)\n"
    answer = json.loads(call(*dense))
    assert (answer["hits"][0]["id"], answer["degraded"]) == ("rice", [])
    assert json.loads(call("embed", "--embedder", "hashing", "--json"))["made"] == 0


def test_a_text_file_has_its_vectors_made_for_each_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "memory.jsonl")
    assert main(["remember", "Rinse the rice twice.", "--id", "rice", "-m", file]) == 0
    capsys.readouterr()
    ask = ["rinsing rices", "--profile", "dense", "--embedder", "hashing", "-m", file, "--json"]
    assert main(["recall", *ask]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert ([hit["id"] for hit in answer["hits"]], answer["degraded"]) == (["rice"], [])
    for command in (["remember", "x"], ["import", str(tmp_path)], ["embed"]):
        assert main([*command, "--embedder", "hashing", "-m", file]) == 2
        assert "a text file keeps no vectors" in capsys.readouterr().err


def test_another_model_is_refused_until_the_memory_is_embedded_with_it(
    durable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.write(durable.parent / "tiny", tiny.encoder())
    assert main(["remember", "a text", "--id", "x", "--embedder", "hashing", "-m", str(durable)]) == 0
    capsys.readouterr()
    ask = ["recall", "text", "--profile", "dense", "--embedder", "tiny", "-m", str(durable)]
    assert main(ask) == 2
    refused = capsys.readouterr().err
    assert refused.count("\n") == 1 and "hashing" in refused and "onnx" in refused
    assert main(["embed", "--embedder", "tiny", "-m", str(durable)]) == 0
    assert main(ask) == 0
    assert "x" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--embedder", "nowhere"), "neither hashing nor wordllama nor a folder"),
        (("--embedder", "."), "model.safetensors"),
        (("--embedder", "hashing", "--model-profile", "x"), "with an ONNX model in it"),
        (("--model-profile", "x"), "with an ONNX model in it"),
    ],
)
def test_an_embedder_that_is_none_is_named(
    durable: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    assert main(["remember", "x", *options, "-m", str(durable)]) == 2
    shown = capsys.readouterr().err
    assert said in shown and shown.count("\n") == 1
    assert not durable.exists()


def test_embed_needs_an_embedder(durable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    byheart.Memory(durable).close()
    assert main(["embed", "-m", str(durable)]) == 2
    assert "name an embedder" in capsys.readouterr().err
