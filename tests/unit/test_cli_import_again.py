"""`byheart import` of files that were imported before: what was put on their records since, and other cells, stay."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli.importer import Importer
from byheart.memory import remembering

from .conftest import Run
from .test_cli import records, write
from .test_governed_memory import CONTACT

SYNC = pytest.mark.parametrize("sync", [(), ("--sync",)])
CELL = {"tenant": "default", "scope": "project", "boundary_class": "internal"}


def lying(memory_file: Path) -> list[tuple[str, str | None]]:
    return sorted((record.text, record.boundary_class) for record in records(memory_file))


def named(memory_file: Path, text: str) -> str:
    [id] = [record.id for record in records(memory_file) if record.text == text]
    assert id is not None
    return id


def sections(*words: str) -> str:
    return "\n".join(f"# {word}\n{word} is what this section says.\n" for word in words)


def by_topic(memory_file: Path) -> dict[str | None, byheart.Record]:
    return {record.topic: record for record in records(memory_file)}


def hide(memory_file: Path, id: str) -> None:
    with byheart.Memory(memory_file) as memory:
        memory.update(id, boundary_class="secret")


# ---- what was put on a record


@SYNC
def test_what_was_put_on_a_record_outlives_imports_of_the_unchanged_file(
    run: Run, memory_file: Path, sync: tuple[str, ...]
) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/b.jsonl": '{"id": "k", "text": "Rice.", "importance": 0.5}\n'})
    run("import", "n")
    with byheart.Memory(memory_file) as memory:
        for id in (named(memory_file, "Tea."), "k"):
            memory.update(id, importance=0.9, user_id="ann", expires_at=4e9, metadata={"mine": 1}, tags=["x"])
            memory.feedback(id, "helpful")
        memory.update("k", topic="Mine")
        history = memory.history("k")
    before = memory_file.read_bytes()
    os.utime(memory_file.parent / "n" / "a.md", (1, 1))
    assert "0 remembered, 2 unchanged, 0 forgotten" in run("import", *sync, "n")
    assert memory_file.read_bytes() == before, "what counts is what the file says, not its time"
    write(memory_file.parent, {"n/b.jsonl": '{"id": "k", "text": "Rinse it.", "importance": 0.5, "colour": "red"}\n'})
    assert "1 remembered, 1 unchanged, 0 forgotten" in run("import", *sync, "n")
    [rice] = [record for record in records(memory_file) if record.id == "k"]
    assert (rice.text, rice.importance, rice.user_id, rice.topic) == ("Rinse it.", 0.9, "ann", "Mine")
    assert (dict(rice.metadata), rice.tags, rice.expires_at) == ({"mine": 1, "colour": "red"}, ("x",), 4e9)
    assert rice.access_count == 1 and rice.utility is not None
    with byheart.Memory(memory_file) as memory:
        assert memory.history("k")[: len(history)] == history
    write(memory_file.parent, {"n/b.jsonl": '{"id": "k", "text": "Rinse it.", "importance": 0.4}\n'})
    run("import", *sync, "n")
    [rice] = [record for record in records(memory_file) if record.id == "k"]
    assert (rice.importance, dict(rice.metadata)) == (0.4, {"mine": 1}), "where the file changed, the file wins"


@SYNC
def test_of_a_file_that_changed_the_unchanged_chunks_stay(run: Run, memory_file: Path, sync: tuple[str, ...]) -> None:
    write(memory_file.parent, {"a.md": sections("Tea", "Rice", "Kettle")})
    run("import", "a.md")
    for record in records(memory_file):
        run("update", record.id or "", "--importance", "0.9")
    before = by_topic(memory_file)
    write(memory_file.parent, {"a.md": sections("Tea", "Rice", "Kettle").replace("Tea is", "Hot green tea is")})
    assert "1 remembered, 2 unchanged, 0 forgotten" in run("import", *sync, "a.md")
    whole = (memory_file.parent / "a.md").read_text()
    after = by_topic(memory_file)
    for record in after.values():
        assert record.importance == 0.9 and record.id == before[record.topic].id
        assert whole[record.provenance["char_start"] : record.provenance["char_end"]] == record.text
    assert after["Tea"].created_at != before["Tea"].created_at
    assert all(after[topic].created_at == before[topic].created_at for topic in ("Rice", "Kettle"))
    assert all(after[topic].revisions == before[topic].revisions for topic in ("Rice", "Kettle"))


@SYNC
@pytest.mark.parametrize("facts", [(), ("--facts",)])
def test_chunks_that_stand_elsewhere_in_the_file_stay_the_records_that_they_are(
    run: Run, memory_file: Path, sync: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    rice, kettle = "# Rice\nRain causes floods.\n", "# Kettle\nSteam causes burns.\n"
    write(memory_file.parent, {"a.md": f"{rice}\n{kettle}"})
    run("import", *facts, "a.md")
    for number, record in enumerate(records(memory_file)):
        run("update", record.id or "", "--importance", f"0.{number + 1}")
    kept = {record.id: (record.text, record.importance, record.created_at) for record in records(memory_file)}
    new = len(kept) // 2
    for text, counts in (
        (f"# Tea\nSun causes heat.\n\n{rice}\n{kettle}", f"{new} remembered, {len(kept)} unchanged, 0 forgotten"),
        (f"{kettle}\n# Tea\nSun causes heat.\n\n{rice}", f"0 remembered, {new + len(kept)} unchanged, 0 forgotten"),
    ):
        write(memory_file.parent, {"a.md": text})
        assert counts in run("import", *facts, *sync, "a.md")
        there = {record.id: (record.text, record.importance, record.created_at) for record in records(memory_file)}
        assert {id: there[id] for id in kept} == kept
        assert len(there) == len(kept) * 3 // 2
        for record in records(memory_file):
            assert text[record.provenance["char_start"] : record.provenance["char_end"]] == record.text
            assert all(id in there for id in (*record.parent_unit_ids, *record.child_unit_ids))
    before = memory_file.read_bytes()
    run("import", *facts, *sync, "a.md")
    assert memory_file.read_bytes() == before


def test_front_matter_that_changed_wins_and_the_rest_of_the_metadata_stays(run: Run, memory_file: Path) -> None:
    pytest.importorskip("yaml", reason="the extra documents is not installed")
    write(memory_file.parent, {"a.md": "---\ntag: hot\nold: 1\nsame: 2\n---\nTea."})
    run("import", "a.md")
    [made] = records(memory_file)
    with byheart.Memory(memory_file) as memory:
        memory.update(made.id or "", metadata={"tag": "mine", "old": 1, "same": 3, "note": "mine"})
    write(memory_file.parent, {"a.md": "---\ntag: cold\nsame: 2\n---\nTea."})
    assert "1 remembered" in run("import", "a.md")
    [record] = records(memory_file)
    assert dict(record.metadata) == {"tag": "cold", "same": 3, "note": "mine"}
    assert (record.id, record.created_at) == (made.id, made.created_at), "the text has not changed"


def test_what_an_import_left_without_a_mark_is_known_by_what_it_says(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.md": "Tea."})
    run("import", "a.md")
    id = named(memory_file, "Tea.")
    with byheart.Memory(memory_file) as memory:
        place = {name: value for name, value in memory.get(id).provenance.items() if name != "file_said"}
        memory.update(id, provenance=place, importance=0.9)
    assert "0 remembered, 1 unchanged" in run("import", "a.md")
    write(memory_file.parent, {"a.md": "Coffee."})
    assert "1 remembered, 0 unchanged" in run("import", "a.md")
    assert [(record.text, record.importance) for record in records(memory_file)] == [("Coffee.", 0.9)]


def test_what_a_policy_hides_is_in_no_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.md": "Write to ann@example.org."})
    marks = []
    for text in ("Write to ann@example.org.", "Write to ben@example.org."):
        write(tmp_path, {"a.md": text})
        memory = byheart.Memory(policy="default", policy_options=CONTACT)
        Importer(memory, ":memory:", CELL).run(["a.md"])
        [record] = memory.records()
        assert "example" not in record.text
        marks.append(record.provenance["file_said"])
        assert Importer(memory, ":memory:", CELL).run(["a.md"]).unchanged == 1
    assert marks[0] == marks[1]


def test_a_mark_names_what_a_file_says_and_neither_where_it_is_kept_nor_how_it_stands(tmp_path: Path) -> None:
    says = {"text": "Rice.", "importance": 0.5, "metadata": {"room": 1}}
    stands = {"superseded_at": 4.0, "superseded_from": 5.0, "superseded_to": 6.0, "seen_count": 3, "seen_at": 7.0}
    marks = []
    for tenant, scope in (("default", "project"), ("acme", "session")):
        cell = {"tenant": tenant, "scope": scope, "boundary_class": "internal"}
        line = {"id": "k", **says, **stands, **cell, "provenance": {"by": tenant}}
        write(tmp_path, {"k.jsonl": json.dumps(line) + "\n"})
        memory = byheart.Memory(boundary={"tenant": tenant})
        Importer(memory, ":memory:", cell).run([str(tmp_path / "k.jsonl")])
        [record] = memory.records()
        assert (record.tenant, record.scope, record.seen_count) == (tenant, scope, 3)
        marks.append(record.provenance["file_said"])
    assert set(marks[0]) == {"text", "importance", "metadata.room"} and marks[0] == marks[1]


@pytest.mark.parametrize(
    ("first", "by_hand", "anew"),
    [
        (
            {"subject": "the kettle", "relation": "uses", "object": "water"},
            {"subject": "my kettle", "relation": "provides", "object": "rain"},
            {"subject": "the pot", "relation": "part_of", "object": "ice"},
        ),
        (
            {"valid_from": 1.0, "valid_to": 9.0},
            {"valid_from": 2.0, "valid_to": 8.0},
            {"valid_from": 3.0, "valid_to": 7.0},
        ),
    ],
    ids=["fact", "times"],
)
def test_what_makes_sense_together_is_kept_or_replaced_together(
    tmp_path: Path, first: dict[str, Any], by_hand: dict[str, Any], anew: dict[str, Any]
) -> None:
    memory = byheart.Memory()

    def imported(says: dict[str, Any], **more: Any) -> dict[str, Any]:
        write(tmp_path, {"k.jsonl": json.dumps({"id": "k", "text": "Tea.", **says, **more}) + "\n"})
        Importer(memory, ":memory:", CELL).run([str(tmp_path / "k.jsonl")])
        [record] = memory.records()
        return {name: getattr(record, name) for name in first}

    for mine, theirs in itertools.permutations(first, 2):
        assert imported(first) == first
        memory.update("k", **{mine: by_hand[mine]})
        assert imported(first, topic="Kitchen") == {**first, mine: by_hand[mine]}, "the file changed something else"
        says = {**first, theirs: anew[theirs]}
        assert imported(says, topic="Kitchen") == says, (mine, theirs)
        memory.forget("k")


def test_what_is_put_on_a_record_during_the_import_stays(memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory_file.parent)
    write(memory_file.parent, {"a.md": sections("Tea", "Rice")})
    with byheart.Memory(memory_file) as memory:
        Importer(memory, str(memory_file), CELL).run(["a.md"])
        text = sections("Tea", "Rice").replace("Rice is", "Cold rice is")
        write(memory_file.parent, {"a.md": text})
        ids = {record.topic: record.id or "" for record in memory.records()}
        before = remembering.follow_sources

        def meanwhile(self: Any, *given: Any, **how: Any) -> Any:
            memory.update(ids["Tea"], boundary_class="secret")
            memory.update(ids["Rice"], importance=0.9)
            return before(self, *given, **how)

        monkeypatch.setattr("byheart.cli.importer.follow_sources", meanwhile)
        counts = Importer(memory, str(memory_file), CELL).run(["a.md"])
        assert (counts.remembered, counts.unchanged, counts.elsewhere) == (1, 1, 1)
        there = {record.id: record for record in memory.records(boundary={"classes": ["internal", "secret"]})}
        assert there[ids["Rice"]].importance == 0.9 and "Cold" in there[ids["Rice"]].text and len(there) == 2
        assert there[ids["Tea"]].boundary_class == "secret"


# ---- other cells


@SYNC
def test_what_was_moved_by_hand_is_neither_taken_back_nor_published(
    run: Run, memory_file: Path, sync: tuple[str, ...]
) -> None:
    write(memory_file.parent, {"n/a.md": sections("Safe", "Rice")})
    run("import", "n")
    with byheart.Memory(memory_file) as memory:
        memory.update(by_topic(memory_file)["Safe"].id or "", boundary_class="secret", importance=0.9)
    before = records(memory_file)
    told = run("import", *sync, "n")
    assert "0 remembered, 2 unchanged, 0 forgotten" in told and "1 of the unchanged lie in other cells" in told
    assert records(memory_file) == before
    write(memory_file.parent, {"n/a.md": sections("Tea", "Safe", "Rice")})
    assert "1 remembered, 2 unchanged, 0 forgotten" in run("import", *sync, "n")
    [safe] = [record for record in records(memory_file) if record.topic == "Safe"]
    assert (safe.boundary_class, safe.importance) == ("secret", 0.9), "wherever the file has it now"
    (memory_file.parent / "n" / "a.md").write_text("")
    run("import", *sync, "n")
    assert [record.topic for record in records(memory_file)] == ["Safe"]
    (memory_file.parent / "n" / "a.md").unlink()
    write(memory_file.parent, {"n/b.md": "Coffee."})
    assert "gone" not in run("import", "--sync", "n")
    assert "Safe" in by_topic(memory_file)


@pytest.mark.parametrize("new", ["The code is 2.", "Coffee.\n\nThe code is 2."])
def test_a_file_that_says_something_else_of_what_was_moved_is_refused(run: Run, memory_file: Path, new: str) -> None:
    write(memory_file.parent, {"n/a.md": "The code is 1.", "n/b.md": "Tea."})
    run("import", "n")
    hide(memory_file, named(memory_file, "The code is 1."))
    write(memory_file.parent, {"n/a.md": new, "n/b.md": "Coffee."})
    told = run("import", "n", code=2)
    assert "n/a.md: " in told and "lies in project/secret" in told and "--class secret" in told
    assert lying(memory_file) == [("Tea.", "internal"), ("The code is 1.", "secret")]
    assert run("import", "--sync", "n", code=1).startswith("skipped: n/a.md: ")
    assert lying(memory_file) == [("Coffee.", "internal"), ("The code is 1.", "secret")]
    run("import", "n/a.md", "--class", "secret")
    assert lying(memory_file) == [("Coffee.", "internal"), (new, "secret")]


@SYNC
def test_a_line_that_was_moved_is_not_published_under_another_id(
    run: Run, memory_file: Path, sync: tuple[str, ...]
) -> None:
    write(memory_file.parent, {"a.jsonl": '{"id": "k", "text": "The code is 1."}\n{"id": "l", "text": "Tea."}\n'})
    run("import", "a.jsonl")
    hide(memory_file, "k")
    write(memory_file.parent, {"a.jsonl": '{"id": "new", "text": "The code is 1."}\n{"id": "l", "text": "Tea."}\n'})
    run("import", *sync, "a.jsonl", code=1 if sync else 2)
    write(memory_file.parent, {"a.jsonl": '{"id": "l", "text": "Coffee."}\n'})
    run("import", *sync, "a.jsonl")
    assert lying(memory_file) == [("Coffee.", "internal"), ("The code is 1.", "secret")]


def test_what_a_handle_cannot_see_does_not_keep_it_from_importing(
    memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(memory_file.parent)
    write(memory_file.parent, {"n/a.md": "The code is 1."})
    with byheart.Memory(memory_file) as memory:
        Importer(memory, str(memory_file), CELL).run(["n"])
        memory.update(named(memory_file, "The code is 1."), boundary_class="secret")
    with byheart.Memory(memory_file, boundary={"tenant": "default", "classes": ["internal"]}) as narrow:
        counts = Importer(narrow, str(memory_file), CELL, sync=True).run(["n"])
    assert (counts.remembered, counts.unchanged, counts.elsewhere) == (1, 0, 0)
    assert lying(memory_file) == [("The code is 1.", "internal"), ("The code is 1.", "secret")]
    write(memory_file.parent, {"n/a.md": "The code is 2."})
    with byheart.Memory(memory_file) as memory:
        Importer(memory, str(memory_file), CELL, sync=True).run(["n"])
    assert lying(memory_file) == [("The code is 1.", "secret"), ("The code is 2.", "internal")]


# ---- files that were moved


@SYNC
def test_a_file_that_was_renamed_keeps_its_records(run: Run, memory_file: Path, sync: tuple[str, ...]) -> None:
    write(
        memory_file.parent,
        {"n/a.md": sections("Tea", "Rice"), "n/b.txt": "Coffee.", "n/c.jsonl": '{"text": "Salt."}\n'},
    )
    run("import", "n", "--facts")
    for record in records(memory_file):
        run("update", record.id or "", "--importance", "0.9")
    hide(memory_file, by_topic(memory_file)["Rice"].id or "")
    before = {record.id: (record.text, record.created_at, record.revisions) for record in records(memory_file)}
    (memory_file.parent / "n").rename(memory_file.parent / "m")
    for name in ("a.md", "b.txt", "c.jsonl"):
        (memory_file.parent / "m" / name).rename(memory_file.parent / "m" / f"new-{name}")
    assert "0 remembered, 4 unchanged, 0 forgotten" in run("import", *sync, "m", "--facts")
    assert {record.id: (record.text, record.created_at, record.revisions) for record in records(memory_file)} == before
    of = {record.topic: record.provenance["source_name"] for record in records(memory_file)}
    assert of["Tea"] == of["Rice"] == "m/new-a.md", "of what lies in another cell, the source follows, and nothing else"
    write(memory_file.parent, {"n/a.md": "Another one."})
    run("import", *sync, "n", "m", "--facts")
    assert len(records(memory_file)) == 5


# ---- links


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_a_folder_and_the_folder_in_it_agree_about_links(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/s/b.md": "Rice.", "secret.md": "no"})
    (memory_file.parent / "n" / "s" / "l.md").symlink_to("../a.md")
    (memory_file.parent / "n" / "out.md").symlink_to("../secret.md")
    (memory_file.parent / "n" / "dangling.md").symlink_to("nowhere.md")
    os.mkfifo(memory_file.parent / "n" / "pipe.md")
    told = run("import", "--sync", "n").splitlines()
    assert told == [
        "2 sources read; records: 2 remembered, 0 unchanged, 0 forgotten",
        "left out: n/dangling.md: a link to nothing",
        "left out: n/out.md: a link that leads out of the folder",
        "left out: n/pipe.md: is no file",
    ]
    for _ in range(2):
        assert run("import", "--sync", "n/s").splitlines() == [
            "1 source read; records: 0 remembered, 1 unchanged, 0 forgotten",
            "left out: n/s/l.md: a link that leads out of the folder",
        ]
    assert json.loads(run("import", "n/s", "--json"))["left_out"] == [
        {"source": "n/s/l.md", "reason": "a link that leads out of the folder"}
    ]
    assert sorted(record.text for record in records(memory_file)) == ["Rice.", "Tea."]


# ---- an empty folder, one that is shut, and several bad files


def test_a_sync_that_would_forget_all_of_a_folder_is_refused(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "m/b.md": "Rice.", "empty/c.csv": ""})
    run("import", "n", "m")
    (memory_file.parent / "n" / "a.md").unlink()
    told = run("import", "--sync", "n", "m", code=2)
    assert "n: " in told and "--allow-empty" in told and told.count("\n") == 1
    assert lying(memory_file) == [("Rice.", "internal"), ("Tea.", "internal")]
    run("import", "--sync", "empty")
    assert json.loads(run("import", "--sync", "--allow-empty", "n", "m", "--json"))["gone"] == ["n/a.md"]
    assert lying(memory_file) == [("Rice.", "internal")]
    assert "--sync" in run("import", "--allow-empty", "m", code=2)
    (memory_file.parent / "m" / "b.md").rename(memory_file.parent / "n" / "b.md")
    assert "0 remembered, 1 unchanged, 0 forgotten" in run("import", "--sync", "n", "m"), "nothing would be forgotten"


def test_all_bad_files_are_named(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.jsonl": "[]\n", "n/b.md": "Tea.", "n/c.jsonl": '{"text": 3}\n'})
    told = run("import", "n", code=2)
    assert "2 files" in told and "n/a.jsonl, line 1" in told and "n/c.jsonl, line 1" in told
    assert not memory_file.exists() or records(memory_file) == []


@SYNC
def test_a_folder_that_is_shut_is_named_itself(
    run: Run, memory_file: Path, sync: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(memory_file.parent, {"nn/a.md": "Tea."})
    run("import", "nn")
    stat, listed = os.stat, os.scandir

    def shut(path: Any, *more: Any, **how: Any) -> Any:
        if str(path).endswith(("nn/.git", "nn/.gitignore")):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *more, **how)

    def unlisted(path: Any) -> Any:
        if str(path).endswith("nn"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr("os.stat", shut)
    monkeypatch.setattr("os.scandir", unlisted)
    told = run("import", *sync, "nn", code=1 if sync else 2)
    assert f"{Path('nn').resolve()}: Permission denied" in told and ".git" not in told
    monkeypatch.undo()
    assert lying(memory_file) == [("Tea.", "internal")]


def test_two_processes_may_follow_one_folder_at_once(memory_file: Path) -> None:
    folder = memory_file.parent
    write(folder, {f"n/{number}.md": sections("Tea", "Rice", f"Number {number}") for number in range(8)})
    for text in ("Tea", "Hot tea"):
        write(folder, {f"n/{n}.md": sections(text, "Rice", f"Number {n}") for n in range(8)})
        calls = [
            subprocess.Popen(
                [sys.executable, "-m", "byheart", "import", "--sync", "n", "-m", str(memory_file)], cwd=folder
            )
            for _ in range(2)
        ]
        assert [call.wait() for call in calls] == [0, 0]
        whole = [record.text for record in records(memory_file)]
        assert len(whole) == 24 and sum(each.startswith(f"# {text}\n") for each in whole) == 8
