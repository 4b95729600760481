"""`byheart import --sync` of a folder in which something cannot be looked at: it is named, and the rest comes in."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart.cli import main

from .conftest import Run
from .test_cli import records, write

Shut = Callable[..., None]


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> Shut:
    """Have the system refuse to look at what ends like this, or to open it."""
    stat, opened = os.stat, Path.open

    def refuse(*ends: str) -> None:
        def stat_or_not(path: Any, *more: Any, **how: Any) -> Any:
            if isinstance(path, (str, os.PathLike)) and str(path).endswith(ends):
                raise PermissionError(13, "Permission denied", str(path))
            return stat(path, *more, **how)

        def open_or_not(path: Path, *more: Any, **how: Any) -> Any:
            if str(path).endswith(ends):
                raise PermissionError(13, "Permission denied", str(path))
            return opened(path, *more, **how)

        monkeypatch.setattr("os.stat", stat_or_not)
        monkeypatch.setattr(Path, "open", open_or_not)

    return refuse


def texts(memory_file: Path) -> list[str]:
    return sorted(record.text for record in records(memory_file))


@pytest.mark.skipif(os.name != "posix", reason="names that are bytes, as POSIX has them")
def test_a_name_that_is_not_utf_8_is_named_and_the_rest_comes_in(
    run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/deep/b.md": "Rice."})
    folder = os.fsencode(memory_file.parent / "n")
    for name in (b"caf\xe9.md", b"caf\xe9.csv", b"l\xe9.md"):
        (Path(os.fsdecode(folder + b"/" + name))).write_text("Lost.")
    (memory_file.parent / "n" / "link.md").symlink_to(os.fsdecode(b"caf\xe9.md"))
    Path(os.fsdecode(folder + b"/f\xe9")).mkdir()
    Path(os.fsdecode(folder + b"/f\xe9/c.md")).write_text("Lost.")
    told = run("import", "--sync", "n", code=1)
    assert [line.split(":")[0] for line in told.splitlines()] == ["skipped"] * 3 and told.count("is not UTF-8") == 3
    assert texts(memory_file) == ["Rice.", "Tea."]
    assert main(["import", "--sync", "n", "--json", "-m", str(memory_file)]) == 1
    done = json.loads(capsys.readouterr().out)
    assert [each["source"] for each in done["skipped"]] == ["n/caf\\udce9.md", "n/f\\udce9", "n/l\\udce9.md"]
    assert "is not UTF-8" in run("import", "n", code=2), "without it all or nothing"


def test_a_folder_that_may_be_listed_and_not_entered_keeps_what_it_held(
    run: Run, memory_file: Path, shut: Shut
) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/in/b.md": "Rice.", "n/in/deep/c.md": "Salt."})
    run("import", "--sync", "n")
    write(memory_file.parent, {"n/a.md": "Hot tea."})
    shut("n/in/..", "n/in/b.md", "n/in/deep", "n/in/.gitignore")
    told = run("import", "--sync", "n", code=1)
    assert told == f"skipped: {memory_file.parent / 'n' / 'in'}: Permission denied\n"
    assert texts(memory_file) == ["Hot tea.", "Rice.", "Salt."]
    assert "in: Permission denied" in run("import", "n", code=2)


def test_a_file_that_cannot_be_looked_at_stays_what_it_was(run: Run, memory_file: Path, shut: Shut) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/b.md": "Rice."})
    run("import", "--sync", "n")
    write(memory_file.parent, {"n/a.md": "Hot tea."})
    shut("n/b.md")
    assert "n/b.md: Permission denied" in run("import", "--sync", "n", code=1)
    assert texts(memory_file) == ["Hot tea.", "Rice."]


@pytest.mark.parametrize("where", ["n/in", "n", "."])
def test_where_rules_cannot_be_read_nothing_is_read_and_nothing_goes(
    run: Run, memory_file: Path, shut: Shut, where: str
) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/in/b.md": "Rice.", "n/in/deep/c.md": "Salt.", ".git/HEAD": ""})
    run("import", "--sync", "n")
    rules = f"{where}/.gitignore".removeprefix("./")
    write(memory_file.parent, {rules: "private.md\n", "n/in/private.md": "Mine.", "n/a.md": "Hot tea."})
    shut(str(memory_file.parent / rules))
    told = run("import", "--sync", "n", code=1)
    assert told == f"skipped: {memory_file.parent / rules}: Permission denied\n"
    assert texts(memory_file) == sorted(["Hot tea." if where == "n/in" else "Tea.", "Rice.", "Salt."])
    assert ".gitignore: Permission denied" in run("import", "n", code=2)
    assert run("import", "--sync", "--no-ignore", "n").startswith("4 sources read")
