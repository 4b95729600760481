"""The locks of this process on a memory file outlive every call that is given the file by mistake."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from byheart import Memory
from byheart.cli import main
from byheart.cli.diagnosing import _advice
from byheart.errors import ByheartError, CorruptStore
from byheart.memory.settings import Settings
from byheart.profiles.files import of_toml

BEGIN = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def told(*arguments: str) -> None:
    with suppress(SystemExit):
        main(arguments)


GIVEN: dict[str, Callable[[Memory, Path], object]] = {
    "import_from": lambda other, file: other.import_from(file),
    "import_from, of itself": lambda _, file: Memory(file).import_from(file),
    "export_to": lambda other, file: other.export_to(file),
    "backup": lambda other, file: other.backup(file),
    "a second handle that is closed": lambda _, file: Memory(file).close(),
    "a text memory": lambda _, file: Memory(file.with_suffix(".jsonl")).import_from(file),
    "check": lambda _, file: Memory(file).check(),
    "settings": lambda _, file: Settings.read(file),
    "a file of profiles": lambda _, file: of_toml(file),
    "advice of doctor": lambda _, file: _advice(CorruptStore("damaged"), str(file)),
    "doctor": lambda _, file: told("doctor", "--memory", str(file)),
    "import on the command line": lambda _, file: told("import", "--memory", str(file.with_name("o.db")), str(file)),
    "import of the folder": lambda _, file: told("import", "--memory", str(file.with_name("o.db")), str(file.parent)),
    "import of an export": lambda _, file: told(
        "import", "--exported", "--memory", str(file.with_name("o.db")), str(file)
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_transaction_keeps_its_lock(name: str, tmp_path: Path) -> None:
    file, other = tmp_path / "me.db", Memory()
    with Memory(file) as memory:
        memory.remember("the kettle is blue")
    writing = sqlite3.connect(file, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    with suppress(ByheartError):
        GIVEN[name](other, file)
    said = subprocess.run([sys.executable, "-c", BEGIN, str(file)], capture_output=True, text=True, check=True).stdout
    writing.close()
    assert said == "database is locked\n", "another process began to write"
