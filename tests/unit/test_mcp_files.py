"""Files that are records: the six commands, what they say, what they refuse, and who wins where two write."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, ReadOnlyStore
from byheart.mcp.failures import Refused
from byheart.mcp.file_paths import path_of
from byheart.mcp.files import MAX_CHARACTERS, Files

PLAN = "/memories/notes/plan.md"


class Run:
    """Runs commands on the files of a memory."""

    def __init__(self, memory: byheart.Memory) -> None:
        self.memory, self.files = memory, Files(memory)

    def __call__(self, command: str, **fields: Any) -> str:
        return self.files.run({"command": command, **fields})

    def refused(self, command: str, **fields: Any) -> str:
        with pytest.raises(Refused) as caught:
            self(command, **fields)
        return str(caught.value)

    def text(self, path: str) -> str:
        return self.memory.get(path).text


@pytest.fixture(params=["in process", "memory.db", "memory.jsonl"])
def run(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Run]:
    path = None if request.param == "in process" else tmp_path / request.param
    with byheart.Memory(path) as memory:
        yield Run(memory)


def test_a_file_is_made_seen_changed_moved_and_erased(run: Run) -> None:
    assert run("create", path=PLAN, file_text="Ask Ann.\nAsk Bob.\n") == f"File created successfully at: {PLAN}"
    assert run("view", path=PLAN).splitlines() == [
        f"Here's the content of {PLAN} with line numbers:",
        "     1\tAsk Ann.",
        "     2\tAsk Bob.",
        "     3\t",
    ]
    assert run("view", path=PLAN, view_range=[2, 2]).splitlines()[1:] == ["     2\tAsk Bob."]
    assert run("view", path=PLAN, view_range=[2, -1]).splitlines()[1:] == ["     2\tAsk Bob.", "     3\t"]
    said = run("str_replace", path=PLAN, old_str="Ann", new_str="Eve,\nthen Ann")
    assert said.splitlines() == [
        "The memory file has been edited.",
        "     1\tAsk Eve,",
        "     2\tthen Ann.",
        "     3\tAsk Bob.",
        "     4\t",
    ]
    assert run("insert", path=PLAN, insert_line=0, insert_text="Today") == f"The file {PLAN} has been edited."
    assert run.text(PLAN) == "Today\nAsk Eve,\nthen Ann.\nAsk Bob.\n"
    moved = "/memories/done.md"
    assert run("rename", old_path=PLAN, new_path=moved) == f"Successfully renamed {PLAN} to {moved}"
    assert run.memory.get([PLAN]) == [None] and run.text(moved).startswith("Today\n")
    assert run("delete", path=moved) == f"Successfully deleted {moved}"
    assert run.memory.count() == 0
    missing = f"The path {moved} does not exist. Please provide a valid path."
    for command in ("view", "delete"):
        assert run.refused(command, path=moved) == missing
    assert run.refused("str_replace", path=moved, old_str="a", new_str="b") == missing
    assert run.refused("rename", old_path=moved, new_path=PLAN) == missing


def test_of_a_long_file_the_lines_around_a_change_are_shown(run: Run) -> None:
    run("create", path=PLAN, file_text="".join(f"line {number}\n" for number in range(1, 21)))
    said = run("str_replace", path=PLAN, old_str="line 10", new_str="ten").splitlines()
    shown = [line.split("\t")[1] for line in said if "\t" in line]
    assert shown == ["line 8", "line 9", "ten", "line 11", "line 12"]


def test_a_line_that_is_added_at_the_end_is_shown_with_those_before_it(run: Run) -> None:
    run("create", path=PLAN, file_text="one")
    said = run("str_replace", path=PLAN, old_str="one", new_str="one\ntwo")
    assert said.splitlines()[1:] == ["     1\tone", "     2\ttwo"]


def test_a_file_is_a_record_like_any_other(run: Run) -> None:
    run("create", path=PLAN, file_text="The kettle is descaled every spring.")
    record = run.memory.get(PLAN)
    assert (record.kind, record.topic, record.text) == ("file", "notes plan.md", "The kettle is descaled every spring.")
    assert [hit.id for hit in run.memory.recall("when is the kettle descaled?")] == [PLAN]
    run("str_replace", path=PLAN, old_str="spring", new_str="autumn")
    assert run.memory.recall("kettle").hits[0].text.endswith("autumn.")
    assert run.memory.get(PLAN).created_at == record.created_at
    run("create", path="/memories/thanks.md", file_text="thanks")  # what is written on purpose is not noise


def test_a_folder_is_what_paths_have_in_common(run: Run) -> None:
    assert run("view", path="/memories").splitlines()[1:] == ["0\t/memories"]
    texts = {"a.md": 1_536, "notes/b.md": 10, "notes/deep/c.md": 20, "notes/.hidden": 5, "node_modules/d.js": 5}
    for name, size in texts.items():
        run("create", path=f"/memories/{name}", file_text="x" * size)
    assert run("view", path="/memories/").splitlines() == [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        "1.5K\t/memories",
        "1.5K\t/memories/a.md",
        "30\t/memories/notes/",
        "10\t/memories/notes/b.md",
        "20\t/memories/notes/deep/",
    ]
    assert run("view", path="/memories/notes").splitlines()[-2:] == [
        "20\t/memories/notes/deep/",
        "20\t/memories/notes/deep/c.md",
    ]
    run("rename", old_path="/memories/notes", new_path="/memories/old/notes")
    assert {record.id for record in run.memory.records()} == {
        "/memories/a.md", "/memories/old/notes/b.md", "/memories/old/notes/deep/c.md", "/memories/old/notes/.hidden",
        "/memories/node_modules/d.js",
    }  # fmt: skip
    run("delete", path="/memories/old")
    assert run.refused("view", path="/memories/old").endswith("Please provide a valid path.")


def test_a_name_is_taken_once(run: Run) -> None:
    run("create", path=PLAN, file_text="one")
    assert run.refused("create", path=PLAN, file_text="two") == f"File {PLAN} already exists"
    run("create", path="/memories/other.md", file_text="other")
    assert (
        run.refused("rename", old_path="/memories/other.md", new_path=PLAN) == f"The destination {PLAN} already exists"
    )
    assert run.refused("create", path=f"{PLAN}/below", file_text="x").endswith("a part of the path is a file")
    assert run.refused("create", path="/memories/notes", file_text="x").endswith("already exists and is a directory")
    assert "lies in" in run.refused("rename", old_path="/memories/notes", new_path="/memories/notes/x")
    run.memory.remember("Nobody's file.", id="/memories/taken.md")
    assert run.refused("create", path="/memories/taken.md", file_text="x") == (
        "File /memories/taken.md already exists: as the id of a memory that is no file"
    )
    assert run.text(PLAN) == "one" and run.memory.count() == 3


def test_an_edit_says_why_it_was_not_done(run: Run) -> None:
    run("create", path=PLAN, file_text="aa\nb\naa")
    assert "did not appear verbatim" in run.refused("str_replace", path=PLAN, old_str="zebra", new_str="")
    assert "in lines: 1, 3" in run.refused("str_replace", path=PLAN, old_str="aa", new_str="")
    assert "[0, 3]" in run.refused("insert", path=PLAN, insert_line=4, insert_text="x")
    assert "3 lines" in run.refused("view", path=PLAN, view_range=[4, 5])
    assert "3 lines" in run.refused("view", path=PLAN, view_range=[2, 1])
    assert "over the limit" in run.refused("create", path="/memories/x", file_text="x" * (MAX_CHARACTERS + 1))
    for wrong in ({"command": "exec"}, {}, {"command": "view"}, {"command": "view", "path": PLAN, "old_str": "a"}):
        with pytest.raises(InvalidArgument):
            run.files.run(wrong)
    assert run.text(PLAN) == "aa\nb\naa"


def test_a_file_may_be_empty_and_become_so(run: Run) -> None:
    run("create", path=PLAN, file_text="")
    assert run("view", path=PLAN).splitlines()[1:] == ["     1\t"]
    run("insert", path=PLAN, insert_line=0, insert_text="one")
    run("insert", path=PLAN, insert_line=1, insert_text="two")
    assert run.text(PLAN) == "one\ntwo"
    run("str_replace", path=PLAN, old_str="one\ntwo")
    assert run.text(PLAN) == ""
    run("rename", old_path=PLAN, new_path="/memories/empty")
    assert run.text("/memories/empty") == ""


BAD_PATHS = (
    "", "/", "memories/x", "/etc/passwd", "/memoriesx", "/memories/../etc/passwd", "/memories/a/../../b",
    "/memories/..", "/memories/./x", "/memories//x", "/memories/%2e%2e/x", "/memories/%252e%252e/x", "/memories/a%2fb",
    "/memories/..\\x", "/memories/a\\..\\b", "/memories/x\x00", "/memories/x\n", "/memories/\u202ex",
    "/memories/ .. /x", "/MEMORIES/x", "//memories/x", "/memories/" + "x" * 512, "/memories/\ud800", "~/memories/x",
    "C:\\memories\\x", "file:///memories/x",
)  # fmt: skip


@pytest.mark.parametrize("path", BAD_PATHS)
def test_no_path_leaves_the_folder(path: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="path: "):
        path_of(path)
    memory = byheart.Memory(tmp_path / "memory.db")
    run = Run(memory)
    for command, fields in {
        "view": {"path": path}, "create": {"path": path, "file_text": "x"}, "delete": {"path": path},
        "str_replace": {"path": path, "old_str": "a"}, "insert": {"path": path, "insert_line": 0, "insert_text": "x"},
        "rename": {"old_path": PLAN, "new_path": path},
    }.items():  # fmt: skip
        if command == "rename":
            run("create", path=PLAN, file_text="x")
        assert run.refused(command, **fields).startswith("path: ")
    assert memory.count() == 1
    memory.close()


def test_paths_never_become_files(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        Run(memory)("create", path="/memories/a/b/c.md", file_text="x")
    assert {path.name.split(".")[0] for path in tmp_path.rglob("*") if path.is_dir()} <= {"memory"}


def test_vectors_go_with_their_files(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db", embedder=HashingEmbedder(16)) as memory:
        run = Run(memory)
        run("create", path=PLAN, file_text="The kettle is descaled every spring.")
        assert memory.stats()["vectors"] == 1
        run("rename", old_path=PLAN, new_path="/memories/x")
        assert memory.stats()["vectors"] == 1
        assert [hit.id for hit in memory.recall("kettle descaled", profile="dense")] == ["/memories/x"]
        assert memory.check() == []


def test_two_hosts_on_one_file(tmp_path: Path) -> None:
    """Each follows the other; an edit that the other overtook begins again, a name that the other took is taken."""
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as one, byheart.Memory(path) as two:
        first, second = Run(one), Run(two)
        first("create", path=PLAN, file_text="start\n")
        update = one.update

        def overtaken(id: str, **changes: Any) -> str:
            one.update = update  # type: ignore[method-assign]
            second("insert", path=PLAN, insert_line=0, insert_text="second")
            return update(id, **changes)

        one.update = overtaken  # type: ignore[method-assign]
        first("insert", path=PLAN, insert_line=0, insert_text="first")
        assert second.text(PLAN) == "first\nsecond\nstart\n"
        place = first.files._check_place

        def taken(kept: str) -> None:
            place(kept)
            second("create", path=kept, file_text="by the second")

        first.files._check_place = taken  # type: ignore[method-assign]
        assert first.refused("create", path="/memories/new", file_text="by the first").endswith("already exists")
        assert first.refused("rename", old_path=PLAN, new_path="/memories/other").endswith("already exists")
        assert second.text("/memories/new") == second.text("/memories/other") == "by the second"
        assert second.text(PLAN) == "first\nsecond\nstart\n"


def test_what_is_renamed_as_it_is_edited_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as one, byheart.Memory(path) as two:
        first, second = Run(one), Run(two)
        first("create", path=PLAN, file_text="start\n")
        renamed = first.files._renamed

        def overtaken(record: byheart.Record, to: str) -> byheart.Record:
            first.files._renamed = renamed  # type: ignore[method-assign]
            second("insert", path=PLAN, insert_line=1, insert_text="more")
            return renamed(record, to)

        first.files._renamed = overtaken  # type: ignore[method-assign]
        first("rename", old_path=PLAN, new_path="/memories/kept")
        assert second.text("/memories/kept") == "start\nmore"
        assert one.count() == two.count() == 1


def test_a_memory_that_is_only_read(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        Run(memory)("create", path=PLAN, file_text="x")
    with byheart.Memory(tmp_path / "memory.db", read_only=True) as memory:
        run = Run(memory)
        assert run("view", path=PLAN)
        for command in (
            {"command": "create", "path": "/memories/y", "file_text": ""},
            {"command": "delete", "path": PLAN},
        ):
            with pytest.raises(ReadOnlyStore):
                run.files.run(command)


def test_a_file_outside_the_boundary_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        Files(memory, "secret").run({"command": "create", "path": PLAN, "file_text": "4417"})
    with byheart.Memory(path, boundary=byheart.Boundary(classes=("internal",))) as memory:
        run = Run(memory)
        assert run("view", path="/memories").splitlines()[1:] == ["0\t/memories"]
        run("create", path=PLAN, file_text="mine")
        run("delete", path=PLAN)
    with byheart.Memory(path, boundary=byheart.Boundary(classes=("secret",))) as memory:
        assert memory.get(PLAN).text == "4417"


def test_an_edit_of_a_file_renews_its_end() -> None:
    with byheart.Memory(policy="default") as memory:
        run = Run(memory)
        run("create", path=PLAN, file_text="Ask Ann about the boat.\n")
        end = memory.get(PLAN).expires_at
        memory.update(PLAN, expires_at=5)
        assert [hit.id for hit in memory.recall("who knows about the boat?")] == []
        run("str_replace", path=PLAN, old_str="Ann", new_str="Eve")
        renewed = memory.get(PLAN).expires_at
        assert renewed is not None and end is not None and renewed >= end
        assert [hit.id for hit in memory.recall("who knows about the boat?")] == [PLAN]
        memory.update(PLAN, expires_at=9e9)
        run("insert", path=PLAN, insert_line=0, insert_text="First:")
        assert memory.get(PLAN).expires_at == 9e9, "a later end stays"
