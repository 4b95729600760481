"""The files of a memory against a mapping of texts: any commands, in any order, leave both saying the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart
from byheart.mcp.failures import Refused
from byheart.mcp.files import Files

from ..counts import examples

ROOT = "/memories"
PATHS = st.lists(st.sampled_from("abc"), min_size=0, max_size=3).map(lambda parts: "/".join((ROOT, *parts)))
TEXTS = st.text("xy \n\r\x0b\u2028", max_size=6)


class Folder:
    """What the commands mean, over a mapping of paths to texts."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def below(self, path: str) -> dict[str, str]:
        return {name: text for name, text in self.files.items() if name.startswith(f"{path}/")}

    def can_be_made(self, path: str) -> bool:
        above = path.split("/")
        parents = {"/".join(above[:count]) for count in range(3, len(above))}
        return path != ROOT and path not in self.files and not self.below(path) and not parents & set(self.files)

    def run(self, command: str, **fields: Any) -> bool:
        """Do a command; return whether it could be done."""
        done: bool = getattr(self, command)(**fields)
        return done

    def view(self, path: str) -> bool:
        return path == ROOT or path in self.files or bool(self.below(path))

    def create(self, path: str, file_text: str) -> bool:
        if not self.can_be_made(path):
            return False
        self.files[path] = file_text
        return True

    def str_replace(self, path: str, old_str: str, new_str: str) -> bool:
        said = self.files.get(path, "")
        if sum(said.startswith(old_str, place) for place in range(len(said))) != 1:
            return False
        self.files[path] = said.replace(old_str, new_str)
        return True

    def insert(self, path: str, insert_line: int, insert_text: str) -> bool:
        if path not in self.files:
            return False
        lines = self.files[path].split("\n")
        ended = lines[-1] == ""
        lines = lines[:-1] if ended else lines
        if insert_line > len(lines):
            return False
        last = insert_line == len(lines)
        new = insert_text.removesuffix("\n")
        whole = "\n".join((*lines[:insert_line], new, *lines[insert_line:]))
        closed = insert_text.endswith("\n") if last else ended
        self.files[path] = whole + "\n" * closed
        return True

    def delete(self, path: str) -> bool:
        gone = {path} & set(self.files) or set(self.below(path))
        if path == ROOT or not gone:
            return False
        self.files = {name: text for name, text in self.files.items() if name not in gone}
        return True

    def rename(self, old_path: str, new_path: str) -> bool:
        moved = {old_path} & set(self.files) or set(self.below(old_path))
        if ROOT in (old_path, new_path) or not moved or f"{new_path}/".startswith(f"{old_path}/"):
            return False
        if not self.can_be_made(new_path):
            return False
        self.files = {
            new_path + name.removeprefix(old_path) if name in moved else name: text for name, text in self.files.items()
        }
        return True


COMMANDS = st.one_of(
    st.fixed_dictionaries({"command": st.just("view"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("create"), "path": PATHS, "file_text": TEXTS}),
    st.fixed_dictionaries({
        "command": st.just("str_replace"), "path": PATHS, "old_str": st.text("xy\n", min_size=1, max_size=2),
        "new_str": TEXTS,
    }),
    st.fixed_dictionaries({
        "command": st.just("insert"), "path": PATHS, "insert_line": st.integers(0, 3),
        "insert_text": st.text("xy\n", min_size=1, max_size=4),
    }),
    st.fixed_dictionaries({"command": st.just("delete"), "path": PATHS}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": PATHS, "new_path": PATHS}),
)  # fmt: skip


@given(st.lists(COMMANDS, min_size=1, max_size=14))
@settings(max_examples=examples(1_000))
def test_files_are_what_the_commands_made_of_them(commands: list[dict[str, Any]]) -> None:
    memory, folder = byheart.Memory(), Folder()
    files = Files(memory)
    for command in commands:
        fields = {name: value for name, value in command.items() if name != "command"}
        expected = folder.run(command["command"], **fields)
        try:
            files.run(command)
            done = True
        except Refused:
            done = False
        assert done == expected, command
        assert {record.id: record.text for record in memory.records()} == folder.files, command
    for path, text in folder.files.items():
        shown = files.view(path).split("\n")[1:]
        assert [line.split("\t", 1)[1] for line in shown] == text.split("\n")
