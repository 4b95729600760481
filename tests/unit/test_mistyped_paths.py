"""Paths that are mistyped make no folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from byheart import Memory
from byheart.cli import main
from byheart.errors import InvalidArgument
from byheart.mcp import serving


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)


@pytest.mark.parametrize("name", ["~nobodyx/me.db", "~nobodyx/me.jsonl"])
def test_the_home_of_a_user_who_is_not_there_is_told(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(
        InvalidArgument, match=r"there is no user 'nobodyx'; for a folder of that name write '\./~nobody"
    ):
        Memory(name)
    assert main(["remember", "x", "-m", name]) == 2
    assert "there is no user 'nobodyx'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_name_that_begins_with_a_tilde_is_still_one(tmp_path: Path) -> None:
    (tmp_path / "~here").mkdir()
    for name in ("~here/me.db", "~backup.db", "./~there/me.db"):
        with Memory(name) as memory:
            memory.remember("tea")
    assert {"~here", "~backup.db", "~there"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("by", ["option", "environment"])
def test_a_server_is_told_of_a_folder_that_is_not_there(
    by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "run", lambda *_: None)
    named = str(tmp_path / "nonexistent" / "x.db")
    if by == "environment":
        monkeypatch.setenv("BYHEART_MEMORY", named)
    assert main(["mcp", *(["-m", named] if by == "option" else [])]) == 2
    assert f"there is no folder {str(tmp_path / 'nonexistent')!r}; make it first" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main(["mcp", "-m", str(tmp_path / "new.db")]) == 0
