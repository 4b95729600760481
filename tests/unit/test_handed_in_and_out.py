"""What is handed in as something else is refused, and what is handed out has one form, empty or not."""

from __future__ import annotations

from pathlib import Path

import pytest

import byheart
from byheart import Memory, Settings
from byheart.cli import main
from byheart.errors import InvalidArgument


def test_a_data_frame_is_no_list_of_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["tea is green", "the kettle leaks"], "topic": ["a", "b"]})
    memory = Memory()
    with pytest.raises(TypeError, match="to_dict"):
        memory.remember_many(frame)
    assert len(memory) == 0
    assert len(memory.remember_many(frame.to_dict("records"))) == 2


def test_a_frame_has_one_form() -> None:
    pytest.importorskip("pandas")
    memory = Memory()
    memory.remember("tea is green", topic="drink")
    full, empty = (memory.recall(text).to_pandas() for text in ("tea", "zebra quantum"))
    assert len(full) == 1
    assert len(empty) == 0
    assert list(full.dtypes) == list(empty.dtypes)
    assert len(empty[empty.text.str.contains("x")]) == 0
    assert full.loc[0, "topic"] == "drink"


def test_settings_of_a_recall_are_those_of_an_explanation(tmp_path: Path) -> None:
    file = tmp_path / "byheart.toml"
    file.write_text("[recall]\nadaptive = true\n")
    memory = Memory()
    memory.remember("The kettle leaks.", id="k")
    options = Settings.read(file).options()
    assert memory.explain("what does the kettle do?", "k", **options).score > 0
    assert memory.recall("what does the kettle do?", **options)
    with pytest.raises(InvalidArgument, match="adaptive"):
        memory.explain("kettle", "k", adaptive="nobody")  # type: ignore[arg-type]


def test_settings_that_lead_nowhere_are_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "byheart.toml").symlink_to(tmp_path / "nowhere.toml")
    assert main(["remember", "tea", "-m", "x.db"]) == 2
    assert "byheart.toml" in capsys.readouterr().err
    assert not (tmp_path / "x.db").exists()
    (tmp_path / "byheart.toml").unlink()
    monkeypatch.setenv("BYHEART_SETTINGS", "")
    assert main(["remember", "tea", "-m", "x.db"]) == 0
    assert byheart.Memory("x.db").count() == 1
