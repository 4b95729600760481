"""Fixtures of these tests: a memory file of each kind, one command run on it, and memories over each kind of store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import byheart
from byheart.cli import main
from byheart.embedding import HashingEmbedder

from .reopened import KINDS, Place

Run = Callable[..., str]


@pytest.fixture(params=["memory.jsonl", "memory.db"])
def memory_file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return the path of a memory file that is not there yet."""
    return tmp_path / str(request.param)


@pytest.fixture
def run(memory_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run one command in this process; return its standard output, or standard error where it is to fail.

    Where the answer is no (1), it may stand on either.
    """
    monkeypatch.chdir(memory_file.parent)
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)
    monkeypatch.delenv("BYHEART_SETTINGS", raising=False)

    def call(*arguments: str, code: int = 0) -> str:
        try:
            came = main([*arguments, "--memory", str(memory_file)])
        except SystemExit as error:
            came = int(error.code or 0)
        printed = capsys.readouterr()
        assert came == code, printed
        assert bool(printed.err) == (code != 0) or (code == 1 and printed.out), printed
        return printed.err or printed.out

    return call


@pytest.fixture(params=KINDS)
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[byheart.Memory]:
    """Open an empty memory, in this process or in a file of each kind."""
    path = None if request.param == "in process" else tmp_path / request.param
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as opened:
        yield opened


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return where memories of a kind are opened, again and again."""
    return Place(request.param, tmp_path)
