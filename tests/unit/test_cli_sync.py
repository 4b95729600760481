"""`byheart import --sync`: a memory follows a folder; what cannot be read is named, and left as it was."""

import html
import json
import logging
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.ingestion.chunking import Chunk, chunk_text

from .conftest import Run
from .test_cli import records, stored, write


def synced(run: Run, *arguments: str, code: int = 0) -> dict[str, object]:
    return json.loads(run("import", "--sync", *arguments, "--json", code=code))


def texts(memory_file: Path) -> list[str]:
    return sorted(stored(memory_file).values())


def test_what_is_gone_from_a_folder_is_forgotten(run: Run, memory_file: Path) -> None:
    folder = memory_file.parent
    write(folder, {"n/a.md": "Tea.", "n/deep/b.txt": "Rice.", "nn/c.txt": "Beside.", "d.txt": "Above."})
    run("import", "n", "nn", "d.txt")
    (folder / "n" / "a.md").rename(folder / "n" / "renamed.md")
    (folder / "n" / "deep" / "b.txt").unlink()
    (folder / "nn" / "c.txt").unlink()
    (folder / "d.txt").unlink()
    done = synced(run, "n")
    assert done == {
        "sources": 1, "remembered": 0, "unchanged": 1, "forgotten": 1, "skipped": [], "elsewhere": 0,
        "gone": ["n/deep/b.txt"], "passed_over": {}, "left_out": [],
    }  # fmt: skip
    assert texts(memory_file) == ["Above.", "Beside.", "Tea."], "what lies beside the folder stays"
    assert [record.provenance["source_name"] for record in records(memory_file) if record.text == "Tea."] == [
        "n/renamed.md"
    ]
    assert synced(run, "n")["unchanged"] == 1
    assert run("import", "--sync", ".").splitlines()[1:] == ["gone: d.txt", "gone: nn/c.txt"]
    assert texts(memory_file) == ["Tea."]


def test_what_was_put_on_a_record_by_hand_outlives_the_import_of_an_unchanged_file(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "The kettle is descaled every spring."})
    run("import", "--sync", "n")
    [made] = records(memory_file)
    with byheart.Memory(memory_file) as memory:
        memory.update(made.id or "", importance=0.9, user_id="ann", expires_at="2099-01-01T00:00:00Z")
        memory.touch(made.id or "")
    [before] = records(memory_file)
    assert synced(run, "n")["unchanged"] == 1
    assert records(memory_file) == [before] and before.access_count == 1 and before.importance == 0.9
    write(memory_file.parent, {"n/a.md": "---\nroom: kitchen\n---\nThe kettle is descaled every spring."})
    assert synced(run, "n")["remembered"] == 1
    write(memory_file.parent, {"n/a.md": "The kettle is descaled every spring."})
    assert synced(run, "n")["remembered"] == 1, "what the file says no longer"
    assert records(memory_file)[0].metadata == {}


def test_no_import_relaxes_the_class_of_a_record(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "The safe code of aunt Mary.", "n/b.md": "Tea."})
    run("import", "--sync", "n")
    [made] = [record for record in records(memory_file) if "Mary" in record.text]
    with byheart.Memory(memory_file) as memory:
        memory.update(made.id or "", boundary_class="secret")
    assert synced(run, "n")["unchanged"] == 2
    write(memory_file.parent, {"n/a.md": "The safe code of aunt Mary is 4711."})
    assert run("import", "--sync", "n", code=1).startswith("skipped: n/a.md")
    assert "n/a.md" in run("import", "n", code=2)
    [kept] = [record for record in records(memory_file) if "Mary" in record.text]
    assert kept.boundary_class == "secret" and kept.text == made.text
    run("import", "n/a.md", "--class", "secret")
    [kept] = [record for record in records(memory_file) if "Mary" in record.text]
    assert kept.boundary_class == "secret" and kept.text != made.text


def test_files_of_other_types_are_counted_by_their_endings(run: Run, memory_file: Path) -> None:
    folder = memory_file.parent
    others = ("one.csv", "deep/two.CSV", "run.py", "Makefile", ".hidden.csv", "out/left.csv", "node_modules/x.js")
    write(folder, {"a.md": "Tea.", ".gitignore": "out/\n", **dict.fromkeys(others, "x")})
    told = "passed over, since their type is not read: 2 .csv, 1 .py, 1 Makefile"
    for arguments in (("--sync",), ()):
        assert run("import", *arguments, ".").splitlines()[-1] == told
    assert synced(run, ".", "deep")["passed_over"] == {".csv": 2, ".py": 1, "Makefile": 1}
    assert "passed over" not in run("import", "a.md")


def test_an_import_without_it_forgets_no_file(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/b.md": "Rice."})
    run("import", "n")
    (memory_file.parent / "n" / "a.md").unlink()
    run("import", "n")
    assert texts(memory_file) == ["Rice.", "Tea."]


def test_a_folder_that_is_gone_is_an_error_and_an_empty_one_is_empty(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea."})
    run("import", "n")
    (memory_file.parent / "n").rename(memory_file.parent / "m")
    assert "is no file and no folder" in run("import", "--sync", "n", code=2)
    assert texts(memory_file) == ["Tea."], "a disk that is not mounted is no deletion"
    (memory_file.parent / "n").mkdir()
    told = run("import", "--sync", "n", code=2)
    assert "n: " in told and "--allow-empty" in told and told.count("\n") == 1
    assert texts(memory_file) == ["Tea."], "nor is one whose place is empty"
    assert synced(run, "n", "--allow-empty")["gone"] == ["n/a.md"]
    assert texts(memory_file) == []


def test_another_tenants_sources_are_not_forgotten(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "Tea.", "n/b.md": "Rice."})
    run("import", "n", "--tenant", "ann")
    run("import", "n", "--tenant", "ben", "--class", "secret")
    write(memory_file.parent, {"n/anns.md": "Cake."})
    run("import", "n/anns.md", "--tenant", "ann")
    for name in ("a.md", "anns.md"):
        (memory_file.parent / "n" / name).unlink()
    done = synced(run, "n", "--tenant", "ben", "--class", "secret")
    assert (done["forgotten"], done["gone"]) == (1, ["n/a.md"])
    left = sorted((record.tenant, record.text) for record in records(memory_file))
    assert left == [("ann", "Cake."), ("ann", "Rice."), ("ann", "Tea."), ("ben", "Rice.")]


def test_what_cannot_be_read_is_named_and_left_as_it_was(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.txt": "Tea.", "n/b.jsonl": '{"text": "old"}\n', "n/c.txt": "Rice."})
    run("import", "n")
    (memory_file.parent / "n" / "a.txt").write_bytes(b"bad \xff")
    write(memory_file.parent, {"n/b.jsonl": '{"text": 3}\n', "n/c.txt": "Rinse the rice."})
    assert "n/a.txt, reading: byte 4" in run("import", "n", code=2), "without it all or nothing"
    assert texts(memory_file) == ["Rice.", "Tea.", "old"]
    shown = run("import", "--sync", "n", code=1)
    assert [line.split(", ")[0] for line in shown.splitlines()] == ["skipped: n/a.txt", "skipped: n/b.jsonl"]
    assert texts(memory_file) == ["Rinse the rice.", "Tea.", "old"]


def test_the_skipped_stand_in_the_json(run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(memory_file.parent, {"n/a.txt": "Tea.", "n/b.jsonl": "[]\n"})
    assert main(["import", "--sync", "n", "-m", str(memory_file), "--json"]) == 1
    done = json.loads(capsys.readouterr().out)
    assert [each["source"] for each in done["skipped"]] == ["n/b.jsonl"] and "not a JSON object" in done["skipped"][0][
        "reason"
    ]
    assert done["remembered"] == 1


def test_a_folder_whose_listing_fails_keeps_what_it_held(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(memory_file.parent, {"n/in/a.txt": "Tea.", "n/b.txt": "Rice."})
    run("import", "n")
    listed = os.scandir

    def failing(path: "os.PathLike[str] | str") -> object:
        if str(path).endswith("in"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr("os.scandir", failing)
    assert "in: Permission denied" in run("import", "--sync", "n", code=1)
    monkeypatch.undo()
    assert texts(memory_file) == ["Rice.", "Tea."]


def test_all_of_it_is_one_write(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(memory_file.parent, {"n/a.txt": "one", "n/b.txt": "two"})
    run("import", "n")
    before = memory_file.read_bytes()
    (memory_file.parent / "n" / "a.txt").unlink()
    write(memory_file.parent, {"n/c.txt": "three"})

    def interrupted(*_: object, **__: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("byheart.cli.importer.follow_sources", interrupted)
        run("import", "--sync", "n", code=130)
    assert memory_file.read_bytes() == before
    run("import", "--sync", "n")
    assert texts(memory_file) == ["three", "two"]


# ---- sections

SERVERS = """# Servers

## Alpha

### Backup

Runs nightly at 02:00 to the NAS.

### Firewall

Only port 443 is open.

## Beta

### Backup

Runs weekly on Sunday at 04:00 to S3.

### Firewall

Ports 22 and 8443 are open.
"""
FIREWALLS = ["Servers > Alpha > Firewall", "Servers > Beta > Firewall"]


def without_paths(*arguments: Any, **options: Any) -> list[Chunk]:
    """Return chunks as versions made them that knew the last heading only."""
    chunks = chunk_text(*arguments, **options)
    return [replace(chunk, heading=(chunk.heading or "").split(" > ")[-1] or None) for chunk in chunks]


@pytest.mark.parametrize("name", ["Alpha", "Beta"])
def test_a_question_finds_the_section_below_the_heading_that_it_names(run: Run, memory_file: Path, name: str) -> None:
    write(memory_file.parent, {"n/servers.md": SERVERS})
    run("import", "n")
    question = f"which ports are open on {name}?"
    first = json.loads(run("recall", question, "--json"))["hits"][0]["record"]
    assert first["topic"] == f"Servers > {name} > Firewall"
    told = html.unescape(run("context", question, "--budget", "500"))
    assert all(f'topic="{topic}"' in told for topic in FIREWALLS), "two sections of one name are told apart"


def test_what_was_imported_without_paths_gets_them_in_its_place(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(memory_file.parent, {"n/servers.md": SERVERS})
    with monkeypatch.context() as older:
        older.setattr("byheart.ingestion.sources.chunk_text", without_paths)
        run("import", "n")
    before = {record.text: record for record in records(memory_file)}
    assert [record.topic for record in before.values()].count("Firewall") == 2
    for record in before.values():
        run("update", record.id or "", "--importance", "0.9")
    write(memory_file.parent, {"n/servers.md": "A line that comes in at the top.\n\n" + SERVERS})
    done = synced(run, "n")
    assert (done["remembered"], done["unchanged"], done["forgotten"]) == (5, 0, 0)
    after = {record.text: record for record in records(memory_file)}
    assert [after[text].topic for text in before if "Firewall" in text] == FIREWALLS
    for text, old in before.items():
        assert (after[text].id, after[text].importance, after[text].created_at) == (old.id, 0.9, old.created_at)
    assert synced(run, "n")["unchanged"] == 5


# ---- what is no source


def test_what_version_control_passes_over_is_no_source(run: Run, memory_file: Path) -> None:
    write(
        memory_file.parent,
        {
            "r/.git/HEAD": "", "r/.gitignore": "build/\n*.log.txt\n!kept.log.txt\n/notes/draft.md\n",
            "r/build/a.md": "no", "r/b.log.txt": "no", "r/kept.log.txt": "kept", "r/notes/draft.md": "no",
            "r/notes/deep/draft.md": "deep", "r/node_modules/x/README.md": "no", "r/notes/.gitignore": "own.md\n",
            "r/notes/own.md": "no", "r/__pycache__/a.txt": "no",
        },
    )  # fmt: skip
    run("import", "r")
    assert texts(memory_file) == ["deep", "kept"]
    run("import", "r/notes")  # the rules of the repository hold in its folders
    assert texts(memory_file) == ["deep", "kept"]
    run("import", "r", "--no-ignore")
    assert texts(memory_file).count("no") == 6
    assert synced(run, "r")["forgotten"] == 6
    run("import", "r/notes/draft.md")
    assert texts(memory_file) == ["deep", "kept", "no"], "who names a file means it"


# ---- documents


def test_front_matter_becomes_metadata(run: Run, memory_file: Path) -> None:
    pytest.importorskip("yaml", reason="the extra documents is not installed")
    front = "---\ntitle: Tea\ntags: [hot, green]\ndate: 2026-05-03\nnested:\n  n: 3\n---\n"
    write(memory_file.parent, {"n/a.md": front + "# Steep\r\nThree minutes.\n", "n/b.md": "---\nA rule.\n---\nText.\n"})
    run("import", "n")
    by_name = {record.provenance["source_name"]: record for record in records(memory_file)}
    tea = by_name["n/a.md"]
    assert (tea.text, tea.topic) == ("# Steep\nThree minutes.", "Steep")
    assert by_name["n/b.md"].topic is None
    assert dict(tea.metadata) == {"title": "Tea", "tags": ["hot", "green"], "date": "2026-05-03", "nested": {"n": 3}}
    whole = front + "# Steep\nThree minutes.\n"
    assert whole[tea.provenance["char_start"] : tea.provenance["char_end"]] == tea.text
    assert not by_name["n/b.md"].metadata and by_name["n/b.md"].text.startswith("---\nA rule.")
    assert json.loads(run("recall", "minutes", "--where", "metadata.tags=hot", "--json"))["hits"]
    write(memory_file.parent, {"n/a.md": front + "First.\n\n## Steep\nThree minutes.\n"})
    run("import", "n")
    found = [record.topic for record in records(memory_file) if record.provenance["source_name"] == "n/a.md"]
    assert sorted(map(str, found)) == ["Tea", "Tea > Steep"], "a title stands above the sections"
    write(memory_file.parent, {"n/a.md": "---\na: [1\n---\nText.\n"})
    assert "n/a.md, reading: the front matter is no YAML" in run("import", "n", code=2)


def test_empty_front_matter_is_no_text(run: Run, memory_file: Path) -> None:
    pytest.importorskip("yaml", reason="the extra documents is not installed")
    write(memory_file.parent, {"n/a.md": "---\n---\n", "n/b.md": "---\n\n---\n# Tea\nHot.\n", "n/c.md": "---\r\n---"})
    run("import", "n")
    assert texts(memory_file) == ["# Tea\nHot."]


def test_a_key_that_is_set_by_hand_leaves_the_front_matter_as_it_was(run: Run, memory_file: Path) -> None:
    pytest.importorskip("yaml", reason="the extra documents is not installed")
    front = "---\ntag: hot\nroom: kitchen\nold: 1\n---\n"
    write(memory_file.parent, {"n/a.md": front + "Tea."})
    run("import", "n")
    [made] = records(memory_file)
    run("update", made.id or "", "--metadata", "mine=1", "--metadata", "room=hall", "--clear", "metadata.old")
    assert synced(run, "n")["unchanged"] == 1
    assert dict(records(memory_file)[0].metadata) == {"tag": "hot", "room": "hall", "mine": 1}
    write(memory_file.parent, {"n/a.md": front.replace("hot", "cold") + "Tea."})
    run("import", "--sync", "n")
    assert dict(records(memory_file)[0].metadata) == {"tag": "cold", "room": "hall", "mine": 1}


def test_pages_are_read_with_their_headings(run: Run, memory_file: Path) -> None:
    pytest.importorskip("bs4", reason="the extra documents is not installed")
    page = (
        "<html><head><title> My  tea </title><style>p {}</style></head><body><p>First <b>things</b>.</p>"
        "<!-- hidden --><script>evil()</script><h2>Green</h2><ul><li>Three minutes</li><li>Hot &amp; clear</li></ul>"
        "<template>hidden</template></body></html>"
    )
    write(memory_file.parent, {"n/tea.html": page, "n/deep.htm": "<div>" * 5_000 + "deep" + "</div>" * 5_000})
    run("import", "n")
    found = {record.text: record.topic for record in records(memory_file)}
    green = "## Green\n\nThree minutes\n\nHot & clear"
    assert found == {"First things.": "My tea", green: "My tea > Green", "deep": None}


def test_a_pdf_is_read_with_its_pages(run: Run, memory_file: Path) -> None:
    pytest.importorskip("pypdf", reason="the extra documents is not installed")
    from .pdf_files import pdf

    (memory_file.parent / "n").mkdir()
    pages = ["Steep the tea. " * 60, "Rinse the rice. " * 60]
    (memory_file.parent / "n" / "book.pdf").write_bytes(pdf(pages))
    run("import", "n")
    told = {record.provenance["page"]: record.text for record in records(memory_file)}
    assert told.keys() == {1, 2} and "Rinse" not in told[1] and told[2].count("Rinse") == 60
    assert {record.provenance["source_type"] for record in records(memory_file)} == {"pdf"}
    for damaged in (b"", b"%PDF-1.4\nnothing", pdf(pages)[:300], os.urandom(200)):
        (memory_file.parent / "n" / "book.pdf").write_bytes(damaged)
        assert "n/book.pdf, reading: the PDF cannot be read" in run("import", "n", code=2)
    # What the library logs of damage is shown by no handler of last resort.
    assert any(isinstance(each, logging.NullHandler) for each in logging.getLogger("pypdf").handlers)


@pytest.mark.parametrize(
    ("name", "content", "module"),
    [("a.pdf", "x", "pypdf"), ("a.html", "x", "bs4"), ("a.md", "---\na: 1\n---\nText.", "yaml")],
)
def test_an_extra_that_is_not_there_is_named(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, module: str
) -> None:
    write(memory_file.parent, {f"n/{name}": content, "n/b.txt": "Tea."})
    monkeypatch.setitem(sys.modules, module, None)
    said = run("import", "n", code=2)
    assert f"n/{name}: " in said and 'pip install "byheart[documents]"' in said
    assert 'pip install "byheart[documents]"' in run("import", "--sync", "n", code=1)
    assert texts(memory_file) == ["Tea."]
