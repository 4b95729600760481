"""`byheart import` where files are renamed, rotated, swapped and joined: a section stays the record that it is."""

import json
from pathlib import Path

import pytest

import byheart
from byheart.cli.importer import Importer

from .conftest import Run
from .test_cli import records, write
from .test_cli_import_again import CELL, by_topic, hide, sections
from .test_cli_sync import synced

KNEE, BEANS, TEA = "# Monday\nI saw Dr Lee about my knee.\n", "# Tuesday\nBought beans.\n", "# Tea\nThree minutes.\n"
SECRET, OPEN = "secret", "internal"


def lies(memory_file: Path) -> dict[str, list[tuple[str | None, str]]]:
    """Return where what is said lies, and which file says it."""
    found: dict[str, list[tuple[str | None, str]]] = {}
    for record in records(memory_file):
        said = record.text.removeprefix("# ").split("\n")[0]
        found.setdefault(said, []).append((record.boundary_class, record.provenance["source_name"]))
    return found


@pytest.fixture
def folder(run: Run, memory_file: Path) -> Path:
    """Return a folder with a file of two sections that was imported, the first of which was moved to `secret`."""
    write(memory_file.parent, {"n/a.md": f"{KNEE}\n{BEANS}"})
    run("import", "--sync", "n")
    hide(memory_file, by_topic(memory_file)["Monday"].id or "")
    return memory_file.parent / "n"


def says(folder: Path, files: dict[str, str]) -> None:
    """Have a folder hold these files and no others."""
    for path in folder.iterdir():
        path.unlink()
    write(folder, files)


# ---- what was moved to another cell


def test_a_file_that_is_renamed_again_and_again_publishes_nothing(run: Run, memory_file: Path, folder: Path) -> None:
    before = {record.topic: record.id for record in records(memory_file)}
    for old, new in (("a", "c"), ("c", "d"), ("d", "a"), ("a", "e")):
        (folder / f"{old}.md").rename(folder / f"{new}.md")
        done = synced(run, "n")
        assert (done["remembered"], done["unchanged"], done["forgotten"], done["elsewhere"]) == (0, 2, 0, 1)
        assert lies(memory_file) == {"Monday": [(SECRET, f"n/{new}.md")], "Tuesday": [(OPEN, f"n/{new}.md")]}
        assert {record.topic: record.id for record in records(memory_file)} == before
        assert "nothing found" in run("recall", "Dr Lee knee", code=1)
    bytes_before = memory_file.read_bytes()
    run("import", "--sync", "n")
    assert memory_file.read_bytes() == bytes_before


@pytest.mark.parametrize(
    ("now", "where"),
    [
        ({"c.md": f"{KNEE}\n{BEANS}And rice.\n"}, "c.md"),
        ({"a.md": BEANS, "c.md": KNEE}, "c.md"),
        ({"a.md": BEANS, "b.md": f"{TEA}\n{KNEE}"}, "b.md"),
        ({"b.md": f"{TEA}\n{KNEE}\n{BEANS}"}, "b.md"),
        ({"b.md": f"# Work\n\n## All\nAll of it.\n\n#{KNEE}"}, None),
        ({"a.md": TEA, "b.md": f"{KNEE}\n{BEANS}"}, "b.md"),
        ({"a.md": TEA, "b.md": f"{KNEE}\n{BEANS}And rice.\n"}, "b.md"),
        ({"a.md": f"{KNEE}\n{BEANS}", "b.md": f"{KNEE}\n{BEANS}"}, "a.md"),
        ({"b.md": f"{TEA}\n{KNEE}", "deep/z.md": KNEE}, "b.md"),
        ({"b.md": f"---\ntag: hot\n---\n{KNEE}"}, "b.md"),
        ({"b.md": f"{TEA}\n# Below\nSomething.\n\n# Other\n\n{KNEE}"}, None),
    ],
    ids=["renamed and edited", "moved to a new file", "moved to another file", "appended", "below other headings",
         "rotated", "rotated and edited", "copied", "moved and copied", "front matter", "below another section"],
)  # fmt: skip
@pytest.mark.parametrize("sync", [(), ("--sync",)])
def test_a_section_that_was_moved_to_another_class_stays_there_wherever_it_stands(
    run: Run, memory_file: Path, folder: Path, now: dict[str, str], where: str | None, sync: tuple[str, ...]
) -> None:
    pytest.importorskip("yaml", reason="the extra documents is not installed")
    write(folder, {"b.md": TEA})
    run("import", "--sync", "n")
    says(folder, now)
    run("import", *sync, "n", code=1 if where is None and sync else 2 if where is None else 0)
    knee = [(record.boundary_class, record.provenance["source_name"]) for record in records(memory_file)
            if "knee" in record.text]  # fmt: skip
    assert knee == [(SECRET, f"n/{where or 'a.md'}")]
    before = memory_file.read_bytes()
    run("import", *sync, "n", code=1 if where is None and sync else 2 if where is None else 0)
    assert memory_file.read_bytes() == before, "and then nothing is left to do"


@pytest.mark.parametrize(
    "now",
    [
        {"b.txt": "Tea.\n\nThe code is 4711.\n"},
        {"b.txt": "The code is 4711.\nTea.\n"},
        {"c.txt": "The code is 4711.\n\nTake care of it.\n", "b.txt": "Tea.\n"},
        {"b.md": "# Tea\nTea.\n\n  The code is 4711.\n"},
    ],
    ids=["appended", "put in front", "renamed and more written", "into a section"],
)
def test_a_text_that_holds_what_was_moved_is_refused(run: Run, memory_file: Path, now: dict[str, str]) -> None:
    write(memory_file.parent, {"n/a.txt": "The code is 4711.\n", "n/b.txt": "Tea.\n", "n/d.txt": "Rice.\n"})
    run("import", "n")
    [code] = [record.id for record in records(memory_file) if "code" in record.text]
    hide(memory_file, code or "")
    says(memory_file.parent / "n", {**now, "d.txt": "Rinse the rice.\n"})
    told = run("import", "--sync", "n", code=1)
    assert told.startswith("skipped: n/") and "project/secret" in told and "--class secret" in told
    assert [record.boundary_class for record in records(memory_file) if "code" in record.text] == [SECRET]
    assert "Rinse the rice." in [record.text for record in records(memory_file)], "the others come in"
    assert "project/secret" in run("import", "n", code=2)


@pytest.mark.parametrize(
    ("now", "refused"),
    [
        ({"a.md": BEANS, "b.md": "# Doctor\nI saw Dr Lee about my knee.\n"}, True),
        ({"a.md": BEANS, "b.md": f"{TEA}\n# Work\n\n## Doctor\n\nI saw Dr Lee about my knee.\nIt is well.\n"}, True),
        ({"a.md": BEANS, "b.md": "I saw Dr Lee about my knee.\n"}, True),
        ({"a.md": BEANS, "b.md": "# Monday\nRice.\n"}, False),
    ],
    ids=["another heading", "below others, and more", "without a heading", "another text below the heading"],
)
def test_another_heading_alone_brings_back_nothing_that_was_moved(
    run: Run, memory_file: Path, folder: Path, now: dict[str, str], refused: bool
) -> None:
    says(folder, now)
    told = run("import", "--sync", "n", code=1 if refused else 0)
    assert ("skipped: n/b.md" in told and "project/secret" in told) is refused
    assert [record.boundary_class for record in records(memory_file) if "knee" in record.text] == [SECRET]


def test_what_others_say_below_their_headings_is_no_secret(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "# Plan\nNone.\n", "n/b.md": "# Actions\nNone.\n"})
    run("import", "--sync", "n")
    hide(memory_file, by_topic(memory_file)["Plan"].id or "")
    write(memory_file.parent, {"n/c.md": "# Open questions\nNone.\n"})
    assert synced(run, "n")["remembered"] == 1


def test_a_line_with_another_id_in_another_file_publishes_nothing(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.jsonl": '{"id": "k", "text": "The code is 1."}\n', "n/b.jsonl": ""})
    run("import", "n")
    hide(memory_file, "k")
    says(memory_file.parent / "n", {"b.jsonl": '{"id": "new", "text": "The code is 1."}\n'})
    assert "skipped: n/b.jsonl: " in run("import", "--sync", "n", code=1)
    says(memory_file.parent / "n", {"b.jsonl": '{"text": "The code is 1."}\n'})
    assert synced(run, "n")["elsewhere"] == 1
    assert [record.boundary_class for record in records(memory_file)] == [SECRET]


def test_a_handle_that_does_not_see_a_class_is_told_nothing_of_it(memory_file: Path, run: Run, folder: Path) -> None:
    counts = []
    for name in ("c.md", "d.md"):
        says(folder, {name: f"{KNEE}\n{BEANS}"})
        with byheart.Memory(memory_file, boundary={"tenant": "default", "classes": [OPEN]}) as narrow:
            counts.append(Importer(narrow, str(memory_file), CELL, sync=True).run(["n"]))
    assert [(each.remembered, each.unchanged, each.elsewhere) for each in counts] == [(1, 1, 0), (0, 2, 0)], (
        "as if nothing were there: whoever may not see it can neither be told of it nor held back by it"
    )
    run("import", "--sync", "n")
    assert sorted(lies(memory_file)["Monday"]) == [(OPEN, "n/d.md"), (SECRET, "n/a.md")]


# ---- names that are taken again


def mark(memory_file: Path, **users: str) -> None:
    with byheart.Memory(memory_file) as memory:
        for topic, user in users.items():
            memory.update(by_topic(memory_file)[topic].id or "", user_id=user, tags=[user], importance=0.9)


def marks(memory_file: Path) -> dict[str | None, tuple[str, str | None, str]]:
    """Return of each section its id, its user, and the file that says it."""
    return {
        record.topic: (record.id or "", record.user_id, record.provenance["source_name"].removeprefix("n/"))
        for record in records(memory_file)
    }


@pytest.mark.parametrize(
    "now",
    [
        {"yesterday.md": ["Ann", "Both"], "today.md": ["New", "More"]},
        {"yesterday.md": ["Ann", "Both"], "older.md": ["Ben"], "today.md": ["New"]},
        {"yesterday.md": ["Both", "Ann"], "today.md": ["Ben"]},
        {"yesterday.md": ["Ann"], "today.md": ["Both", "Ben"]},
        {"x.md": ["Ben", "Ann", "Both"], "today.md": ["New"], "yesterday.md": ["More"]},
    ],
    ids=["rotated", "rotated twice", "swapped", "exchanged", "joined"],
)
@pytest.mark.parametrize("sync", [(), ("--sync",)])
def test_what_is_put_on_a_note_goes_with_its_text_and_to_no_other(
    run: Run, memory_file: Path, now: dict[str, list[str]], sync: tuple[str, ...]
) -> None:
    write(memory_file.parent, {"n/today.md": sections("Ann", "Both"), "n/yesterday.md": sections("Ben")})
    run("import", "n")
    mark(memory_file, Ann="ann", Both="both", Ben="ben")
    before = marks(memory_file)
    says(memory_file.parent / "n", {name: sections(*words) for name, words in now.items()})
    run("import", *sync, "n")
    after = marks(memory_file)
    for name, words in now.items():
        for word in words:
            id, user, _ = before.get(word, (after[word][0], None, ""))
            assert after[word] == (id, user, name)
    assert sync == () or after.keys() == {word for words in now.values() for word in words}
    stored = memory_file.read_bytes()
    run("import", *sync, "n")
    assert memory_file.read_bytes() == stored


def test_an_edited_section_of_a_rotated_file_keeps_what_was_put_on_it(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/today.md": sections("Log", "Ann"), "n/yesterday.md": sections("Old", "Ben")})
    run("import", "n")
    mark(memory_file, Ann="ann", Ben="ben", Log="log", Old="old")
    before = marks(memory_file)
    edited = sections("Log", "Ann").replace("Ann is", "Ann herself is")
    says(memory_file.parent / "n", {"yesterday.md": edited + sections("Ben").replace("is", "was"),
                                    "today.md": sections("Log2", "New")})  # fmt: skip
    run("import", "--sync", "n")
    after = marks(memory_file)
    assert after["Ann"] == (before["Ann"][0], "ann", "yesterday.md")
    assert after["Log2"][1] is None and after["New"][1] is None, "what is new at an old place is another note"
    assert after["Ben"][1] is None, "nor is it that of a file that was replaced"


def test_a_file_whose_name_was_taken_may_come_back(run: Run, memory_file: Path) -> None:
    """Ids that a file took with it are nobody else's, whatever its old name says by now."""
    write(memory_file.parent, {"n/today.md": sections("One")})
    for day in range(4):
        run("import", "--sync", "n")
        (memory_file.parent / "n" / "today.md").rename(memory_file.parent / "n" / f"day{day}.md")
        write(memory_file.parent, {"n/today.md": sections(f"New {day}")})
    run("import", "--sync", "n")
    ids = [record.id for record in records(memory_file)]
    assert len(ids) == len(set(ids)) == 5
    for name in ("today.md", "day0.md"):
        told = json.loads(run("import", "--sync", f"n/{name}", "--json"))
        assert (told["remembered"], told["unchanged"]) == (0, 1)


# ---- where a record stands in its source


@pytest.mark.parametrize("there_and_back", [("jsonl", "txt"), ("txt", "jsonl"), ("jsonl", "md"), ("md", "jsonl")])
def test_a_text_that_moves_to_another_kind_of_file_keeps_no_place_of_the_one_before(
    run: Run, memory_file: Path, there_and_back: tuple[str, str]
) -> None:
    text = "The kettle is blue and stands on the left."
    of = {"jsonl": f'{{"text": "Zebras."}}\n{{"text": "{text}"}}\n', "txt": text, "md": text}
    first, second = there_and_back
    write(memory_file.parent, {f"n/a.{first}": of[first]})
    run("import", "--sync", "n")
    folder = memory_file.parent / "n"
    says(folder, {f"b.{second}": of[second]})
    assert synced(run, "n")["unchanged"] == 1  # the same record
    [moved] = [record for record in records(memory_file) if record.text == text]
    memory_file.unlink()
    run("import", "--sync", "n")
    [fresh] = [record for record in records(memory_file) if record.text == text]
    ours = {"source_id", "chunk_id"}  # it stays the record that it is, so these are of its first source
    assert {name: moved.provenance[name] for name in moved.provenance if name not in ours} == {
        name: fresh.provenance[name] for name in fresh.provenance if name not in ours
    }


# ---- links in the place of what was moved


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("inside", [True, False], ids=["a file within", "the folder"])
def test_what_was_moved_and_has_a_link_in_its_place_is_not_there_twice(
    run: Run, memory_file: Path, sync: bool, inside: bool
) -> None:
    """As a folder of notes that moves to one which is kept in step with another machine, and leaves a link."""
    notes = memory_file.parent / "n"
    write(memory_file.parent, {"n/s/a.md": KNEE, "n/s/b.md": BEANS})
    how = ["--sync"] if sync else []
    run("import", *how, "n")
    before = {record.topic: record.id for record in records(memory_file)}
    old, new, leads = (
        (notes / "s" / "a.md", notes / "s" / "c.md", "c.md") if inside else (notes, memory_file.parent / "m", "m")
    )
    old.rename(new)
    old.symlink_to(leads)
    run("import", *how, "n")
    assert {record.topic: record.id for record in records(memory_file)} == before
    assert len(records(memory_file)) == 2
