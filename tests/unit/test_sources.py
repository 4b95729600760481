"""Reading files and folders: what is found, what a record of it says, and how a fault is named."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import BoundaryViolation, InvalidArgument, LimitExceeded
from byheart.ingestion import sources
from byheart.ingestion.sources import Source, find_sources, read_source
from byheart.records import Record

posix_only = pytest.mark.skipif(os.name != "posix", reason="links and bytes in names as POSIX has them")


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def names(folder: Path, base: Path | None = None) -> list[str]:
    return [source.name for source in find_sources(folder, base or folder)]


def read(folder: Path, name: str, content: str | bytes, **defaults: Any) -> list[Record]:
    write(folder, {name: content})
    return read_source(Source(folder / name, name), "src-1", defaults)


def rows(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_a_folder_gives_its_files_in_order_of_path(tmp_path: Path) -> None:
    write(tmp_path, {"b.txt": "b", "a/z.md": "z", "a.md": "a", "c/d/E.JSONL": "", "a/x.py": "no", "README": "no"})
    assert names(tmp_path) == ["a/z.md", "a.md", "b.txt", "c/d/E.JSONL"]


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".git/a.md": "no", ".hidden.md": "no", "a/.b/c.md": "no", "a/c.md": "yes"})
    assert names(tmp_path) == ["a/c.md"]


def test_a_hidden_folder_that_is_asked_for_is_read(tmp_path: Path) -> None:
    write(tmp_path, {".notes/a.md": "yes"})
    assert names(tmp_path / ".notes") == ["a.md"]


@posix_only
def test_links_that_lead_out_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"out/secret.md": "no", "in/a.md": "yes"})
    folder = tmp_path / "in"
    (folder / "out.md").symlink_to(tmp_path / "out" / "secret.md")
    (folder / "out").symlink_to(tmp_path / "out")
    (folder / "self").symlink_to(folder)
    (folder / "b.md").symlink_to(folder / "a.md")
    (folder / "broken.md").symlink_to(folder / "none")
    (folder / "table.md").symlink_to(folder / "table.csv")
    (folder / ".kept").mkdir()
    (folder / ".kept" / "c.md").write_text("hidden, and linked to twice")
    (folder / "c1.md").symlink_to(folder / ".kept" / "c.md")
    (folder / "c2.md").symlink_to(folder / ".kept" / "c.md")
    write(folder, {"table.csv": "1"})
    left_out: dict[Path, str] = {}
    found = find_sources(folder, folder, left_out=left_out)
    assert [source.name for source in found] == [".kept/c.md", "a.md"], "each file once, by its own name"
    assert {path.name: why for path, why in left_out.items()} == {
        "out.md": "a link that leads out of the folder",
        "out": "a link that leads out of the folder",
        "broken.md": "a link to nothing",
        "table.md": "a link to a file of another type",
    }


@posix_only
def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.md").mkdir()
    write(tmp_path, {"a.txt": "a"})
    left_out: dict[Path, str] = {}
    assert [source.name for source in find_sources(tmp_path, tmp_path, left_out=left_out)] == ["a.txt"]
    assert left_out == {tmp_path.resolve() / "pipe.txt": "is no file"}


def test_a_name_is_the_path_from_the_base(tmp_path: Path) -> None:
    write(tmp_path, {"notes/a.md": "a"})
    (tmp_path / "memory").mkdir()
    assert names(tmp_path / "notes", tmp_path) == ["notes/a.md"]
    assert names(tmp_path / "notes" / "a.md", tmp_path / "memory") == ["../notes/a.md"]


@pytest.mark.parametrize(
    ("path", "complaint"),
    [("none", "is no file and no folder"), ("empty", "holds no file"), ("a.py", "another ending")],
)
def test_where_nothing_can_be_read_that_is_said(tmp_path: Path, path: str, complaint: str) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path, {"a.py": "pass"})
    with pytest.raises(InvalidArgument, match=complaint):
        find_sources(tmp_path / path)


@posix_only
def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.md": "a", "closed/b.md": "b"})
    listing = os.scandir

    def scandir(folder: str) -> Any:
        if str(folder).endswith("closed"):
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError):
        find_sources(tmp_path)


def test_a_name_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="not UTF-8"):
        sources.source_name(Path("/notes/\udcff.md"), Path("/notes"))


def test_markdown_becomes_a_record_a_chunk(tmp_path: Path) -> None:
    one, two = read(tmp_path, "a.md", "# Tea\r\nSteep it.\r\n\r\n# Rice\r\nRinse it.\r\n", tenant="t", scope="s")
    assert (one.id, one.text, one.topic) == ("src-1::chunk-000::unit-000", "# Tea\nSteep it.", "Tea")
    assert (one.tenant, one.scope, one.boundary_class) == ("t", "s", None)
    assert two.provenance == {
        "source_id": "src-1",
        "source_name": "a.md",
        "source_type": "markdown",
        "chunk_id": "src-1::chunk-001",
        "chunk_index": 1,
        "chunk_type": "section",
        "char_start": 17,
        "char_end": 33,
    }


def test_plain_text_has_no_headings(tmp_path: Path) -> None:
    [record] = read(tmp_path, "a.txt", "# Tea\n\nSteep it.")
    assert (record.text, record.topic, record.provenance["source_type"]) == ("# Tea\n\nSteep it.", None, "plain-text")


def test_a_blank_file_has_no_records(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", " \n") == read(tmp_path, "a.jsonl", "\n \n") == []


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a.txt", b"\xef\xbb\xbftea")[0].text == "tea"
    assert read(tmp_path, "a.jsonl", b'\xef\xbb\xbf{"text": "tea"}')[0].text == "tea"


def test_a_byte_order_mark_amid_a_file_is_not_passed_over(tmp_path: Path) -> None:
    """Files that were put one behind the other: what the second one begins with is damage, and is said."""
    with pytest.raises(InvalidArgument, match="line 2, parsing: not JSON"):
        read(tmp_path, "a.jsonl", b'{"text": "tea"}\n\xef\xbb\xbf{"text": "rice"}')
    assert read(tmp_path, "a.txt", b"tea \xef\xbb\xbfrice")[0].text == "tea \ufeffrice"


def test_lines_become_records(tmp_path: Path) -> None:
    content = rows({"text": "one", "role": "Procedure", "utilityActs": ["verify"], "importance": 0.5}, {"text": "two"})
    one, two = read(tmp_path, "a.jsonl", content, tenant="t")
    assert (one.text, one.role, one.utility_acts, one.importance, one.tenant) == (
        "one",
        "Procedure",
        ("verify",),
        0.5,
        "t",
    )
    assert two.id == "src-1::chunk-001::unit-000"
    assert two.provenance == {"source_id": "src-1", "source_name": "a.jsonl", "source_type": "json-lines", "line": 2}


def test_blank_lines_count_as_lines_but_are_no_records(tmp_path: Path) -> None:
    _, two = read(tmp_path, "a.jsonl", rows({"text": "one"}) + "\n \n" + rows({"text": "two"}))
    assert (two.id, two.provenance["line"]) == ("src-1::chunk-001::unit-000", 4)


def test_a_line_overrides_what_is_given_for_all(tmp_path: Path) -> None:
    content = rows({"text": "x", "topic": "own", "kind": None})
    [record] = read(tmp_path, "a.jsonl", content, topic="t", kind="k", tenant="t")
    assert (record.topic, record.kind, record.tenant) == ("own", "k", "t")


@pytest.mark.parametrize("named", [{"tenant": "own"}, {"scope": "own"}, {"boundaryClass": "pii"}])
def test_a_line_names_no_other_cell_than_the_one_that_is_given(tmp_path: Path, named: dict[str, str]) -> None:
    cell = {"tenant": "t", "scope": "s", "boundary_class": "internal"}
    [record] = read(tmp_path, "a.jsonl", rows({"text": "x", **cell, "scope": None}), **cell)
    assert (record.tenant, record.scope, record.boundary_class) == ("t", "s", "internal")
    content = rows({"text": "x"}, {"text": "y", **named})
    with pytest.raises(BoundaryViolation, match=r"a\.jsonl, line 2: names \w+ '(own|pii)', and the import is for"):
        read(tmp_path, "a.jsonl", content, **cell)
    assert read(tmp_path, "a.jsonl", content)[1].text == "y", "without a cell a line names its own"


def test_what_byheart_wrote_is_no_source(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.jsonl") as memory:
        memory.remember("tea", id="tea")
        memory.export_to(tmp_path / "export.jsonl")
    for name in ("memory.jsonl", "export.jsonl"):
        with pytest.raises(InvalidArgument, match=f"{name}, line 1, parsing: byheart wrote this file.*--exported"):
            read_source(Source(tmp_path / name, name), "src-1")


def test_unknown_keys_are_kept_as_metadata(tmp_path: Path) -> None:
    content = rows({"_id": 7, "title": "Tea", "text": "x", "colour": "red", "metadata": {"size": 1}})
    [record] = read(tmp_path, "a.jsonl", content)
    assert (record.id, record.topic, record.metadata) == ("7", "Tea", {"colour": "red", "size": 1})


def test_both_ids_and_topics_may_be_there(tmp_path: Path) -> None:
    [record] = read(tmp_path, "a.jsonl", rows({"_id": "a", "id": "b", "title": "c", "topic": "d", "text": "x"}))
    assert (record.id, record.topic, record.metadata) == ("b", "d", {"_id": "a", "title": "c"})


def test_own_provenance_is_kept_and_completed(tmp_path: Path) -> None:
    [record] = read(tmp_path, "a.jsonl", rows({"text": "x", "provenance": {"author": "Ada", "source_name": "b"}}))
    assert record.provenance["author"] == "Ada"
    assert record.provenance["source_name"] == "a.jsonl"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("text", "a.jsonl, line 2, parsing: not JSON: Expecting value"),
        ("[1]", "a.jsonl, line 2, parsing: not a JSON object"),
        ("[" * 100_000, "a.jsonl, line 2, parsing: not JSON: maximum recursion"),
        ("{}", "a.jsonl, line 2, parsing: text: is empty"),
        ('{"text": 3}', "a.jsonl, line 2, parsing: text must be str"),
        ('{"text": "x", "metadata": []}', "a.jsonl, line 2, parsing: metadata must be a mapping"),
        ('{"text": "x", "metadata": [], "colour": 1}', "a.jsonl, line 2, parsing: metadata must be a mapping"),
        ('{"text": "x", "provenance": "y"}', "a.jsonl, line 2, parsing: provenance must be a mapping"),
        ('{"text": "\\ud800"}', "a.jsonl, line 2, parsing: text: holds a lone surrogate"),
        ('{"text": "x", "importance": NaN}', "a.jsonl, line 2, parsing: importance: is nan"),
        ('{"text": "x", "id": "first"}', "a.jsonl, line 2, parsing: the id 'first' stands in line 1 too"),
        ('{"text": "x", "id": true}', "a.jsonl, line 2, parsing: id must be str"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(tmp_path, "a.jsonl", rows({"id": "first", "text": "good"}) + content + "\n" + rows({"text": "good"}))
    assert str(caught.value).startswith(complaint)


def test_one_id_may_stand_in_two_tenants(tmp_path: Path) -> None:
    content = rows({"id": "x", "text": "a", "tenant": "t"}, {"id": "x", "text": "b", "tenant": "u"})
    assert [record.tenant for record in read(tmp_path, "a.jsonl", content)] == ["t", "u"]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.md", b"abc \xff", "a.md, reading: byte 4 of the file (0xff) is not UTF-8"),
        ("a.md", b"\xef\xbb\xbfab\xff", "a.md, reading: byte 5 of the file (0xff) is not UTF-8"),
        ("a.txt", "häß".encode("utf-16"), "a.txt, reading: byte 0 of the file (0xff) is not UTF-8"),
        ("a.jsonl", b'{"text": "x"}\n\xff\n', "a.jsonl, line 2, reading: byte 14 of the file (0xff) is not UTF-8"),
    ],
)
def test_a_bad_byte_is_named_by_its_place(tmp_path: Path, name: str, content: bytes, complaint: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        read(tmp_path, name, content)
    assert str(caught.value).startswith(complaint)


def test_limits_are_kept_before_anything_is_made_of_the_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_TEXT_BYTES", 20)
    assert len(read(tmp_path, "a.txt", "x" * 20)) == 1
    with pytest.raises(LimitExceeded, match=r"a\.txt, reading: more than 20 bytes"):
        read(tmp_path, "a.txt", "x" * 21)
    assert len(read(tmp_path, "a.jsonl", '{"text": "1234567"}\n')) == 1
    with pytest.raises(LimitExceeded, match=r"a\.jsonl, line 2, reading: more than 20 bytes"):
        read(tmp_path, "a.jsonl", '{"text": "1234567"}\n{"text": "123456789"}\n')


def test_no_more_of_a_long_line_is_read_than_shows_that_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_TEXT_BYTES", 20)
    file = io.BytesIO(b"x" * 1_000)
    with pytest.raises(LimitExceeded, match="line 1, reading: more than 20 bytes"):
        list(sources._lines_of(Source(Path("a.jsonl"), "a.jsonl"), "source", {}, file))
    assert file.tell() == 21


def test_a_limit_of_records_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match=r"a\.jsonl, line 1, parsing: tenant length"):
        read(tmp_path, "a.jsonl", rows({"text": "x", "tenant": "t" * 65}))
