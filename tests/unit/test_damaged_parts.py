"""Parts of files that are damaged, or odd, or huge when they are unfolded: one typed error each, at once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

import byheart
from byheart import Memory
from byheart.cli import main
from byheart.errors import CorruptStore, InvalidArgument, UnsupportedFormat
from byheart.ingestion.documents import front_matter
from byheart.storage import schema
from byheart.storage.reading import Directory


def changed(path: Path, statement: str) -> None:
    with byheart.Memory(path) as memory:
        memory.remember("tea", id="t")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("state", ["DELETE FROM state", "UPDATE state SET checksum = 12345678"])
def test_a_backup_of_a_file_without_its_state_is_refused(tmp_path: Path, state: str) -> None:
    changed(tmp_path / "m.db", state)
    with byheart.Memory(tmp_path / "m.db") as memory:
        assert [record.id for record in memory.records()] == ["t"]
        with pytest.raises(CorruptStore, match=r"m\.db: its table `state` is damaged; no backup was made: "):
            memory.backup(tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


@pytest.mark.parametrize("number", [200_000_000, 2**63 - 1, schema.VERSION + 1])
def test_a_wrong_number_of_a_migration_is_damage_and_costs_nothing(tmp_path: Path, number: int) -> None:
    changed(tmp_path / "m.db", f"UPDATE migrations SET version = {number} WHERE version = {schema.VERSION}")
    with byheart.Memory(tmp_path / "m.db") as memory:
        [problem] = memory.check()
        assert problem.where == "migrations" and "the list of its migrations is damaged" in problem.message
        memory.remember("told behind it", id="new")
        assert sorted(record.id or "" for record in memory.records()) == ["new", "t"]


def test_a_newer_version_is_told_as_one(tmp_path: Path) -> None:
    changed(tmp_path / "m.db", f"INSERT INTO migrations VALUES ({schema.VERSION + 1}, '')")
    with pytest.raises(UnsupportedFormat, match="written by a newer byheart"):
        byheart.Memory(tmp_path / "m.db")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("done: !!bool maybe", "maybe"),
        ('n: !!int ""', "is no YAML"),
        ('n: !!float ""', "is no YAML"),
        ("when: !!timestamp foo", "is no YAML"),
        ("a: &a [x]\nb: *a", "it has an alias; write the value where it is meant"),
        ("a: &a {x: 1}\nb:\n  <<: *a", "it has an alias"),
        ("a: [", "is no YAML"),
    ],
)
def test_front_matter_that_cannot_be_read_is_one_error(said: str, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why) as caught:
        front_matter(f"---\n{said}\n---\nTea.", "n.md")
    assert str(caught.value).startswith("n.md, reading: the front matter is no YAML (")


def test_a_few_lines_of_aliases_are_refused_before_they_are_unfolded() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{at}: &a{at} [{','.join([f'*a{at - 1}'] * 9)}]" for at in range(1, 30)]  # 9 ** 30 values
    with pytest.raises(InvalidArgument, match="it has an alias"):
        front_matter("\n".join(["---", *lines, "---", "Tea."]), "n.md")


def test_an_anchor_alone_is_a_value() -> None:
    assert front_matter("---\na: &a [x]\n---\nTea.", "n.md")[0] == {"a": ["x"]}


def test_of_a_folder_one_bad_file_is_named_and_the_others_are_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n").mkdir()
    (tmp_path / "n" / "bad.md").write_text("---\ndone: !!bool maybe\n---\nTea.")
    (tmp_path / "n" / "good.md").write_text("Green tea is best.")
    assert main(["import", "--sync", str(tmp_path / "n"), "-m", str(tmp_path / "m.db")]) == 1
    assert "bad.md, reading: the front matter is no YAML" in capsys.readouterr().err
    with byheart.Memory(tmp_path / "m.db") as memory:
        assert [record.text for record in memory.records()] == ["Green tea is best."]


@pytest.mark.parametrize("deep", [1, 2])
def test_what_lay_beside_the_memory_goes_when_a_folder_above_is_imported(tmp_path: Path, deep: int) -> None:
    own = tmp_path.joinpath(*["in"] * deep)
    own.mkdir(parents=True)
    for place, text in ((own / "a.md", "Alpha tea."), (own.parent / "b.md", "Beta tea."), (tmp_path / "c.md", "Tea.")):
        place.write_text(text)
    command = ["import", "--sync", str(tmp_path), "-m", str(own / "m.db")]
    assert main(command) == 0
    (own / "a.md").unlink()
    (own.parent / "b.md").unlink()
    assert main(command) == 0
    with byheart.Memory(own / "m.db") as opened:
        assert [record.text for record in opened.records()] == ["Tea."]


@pytest.mark.parametrize(
    "damage", ["DELETE FROM claims WHERE id = 'r9'", "UPDATE claims SET id = x'ff00' WHERE id = 'r9'"]
)
def test_a_row_that_is_damaged_is_noticed_where_the_indexes_were_saved(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "m.db"
    with Memory(path) as memory:
        memory.remember_many([{"id": f"r{number}", "text": f"note {number}"} for number in range(50)])
        assert memory._engine.indexes.save(at_least=0)
    with patch.object(Directory, "learn") as learn, Memory(path) as memory:
        assert memory.opened.startswith("opened generation") and memory.recall("note 3")
        learn.assert_not_called()  # the texts of all rows are looked at where the sum of their checksums is wrong
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(damage)
        connection.commit()
    with Memory(path) as memory:
        assert "`check` says more" in memory.opened and memory.check()
        assert [hit.id for hit in memory.recall("note 3 40", k=2)] == ["r3", "r40"]
        assert [record.id for record in memory.records({"id": ["r8", "r9", "r10"]})] == ["r10", "r8"]
