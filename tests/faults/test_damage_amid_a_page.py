"""Damage amid a page or a tree: it ends no listing, and all else is read and exported all the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory
from byheart.errors import CorruptStore
from byheart.storage.leaves import rows_in_leaves
from byheart.storage.reading import COLUMNS
from byheart.storage.rows import EMPTY, checksum, claim_row
from byheart.storage.schema import migrate


class Connection(sqlite3.Connection):
    """One that can be referred to weakly, as the store's own."""


def test_pages_go_on_behind_a_record_that_was_damaged_meanwhile(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.remember_many({"id": f"r{n}", "text": f"tea of kind {n}"} for n in range(6))
    with Memory(tmp_path / "m.db") as memory:
        assert memory.count() == 6
        with closing(sqlite3.connect(tmp_path / "m.db")) as outsider, outsider:
            outsider.execute("UPDATE claims SET content = replace(content, 'kind', 'Kind') WHERE id = 'r1'")
        found, cursor = [], None
        while True:
            page = memory.records(limit=2, cursor=cursor)
            found += [record.id for record in page]
            if (cursor := page.cursor) is None:
                break
        assert found == ["r0", "r2", "r3", "r4", "r5"]


def damaged(path: Path, table: str, root: bytes = b"\x77") -> None:
    """Have the first page of a table begin as no page does."""
    with closing(sqlite3.connect(path)) as outsider:
        (page,) = outsider.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = outsider.execute("PRAGMA page_size").fetchone()
    held = bytearray(path.read_bytes())
    held[(page - 1) * size : (page - 1) * size + len(root)] = root
    path.write_bytes(held)


def told(path: Path, count: int, **more: str) -> list[str]:
    """Remember texts, some of which run over to pages of their own; return their ids."""
    with Memory(path) as memory:
        texts = {f"r{n}": f"tea of kind {n} " + "leaf " * (n % 7 * 300) for n in range(count)} | more
        memory.remember_many({"id": id, "text": text} for id, text in texts.items())
    return list(texts)


def test_records_are_read_and_exported_where_the_page_that_counts_them_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    told(path, 6)
    damaged(path, "state")
    with Memory(path) as memory:
        assert [problem.where for problem in memory.check()] == ["file"]
        assert "r3" in memory.recall("tea of kind 3")
        with pytest.raises(CorruptStore, match="nothing is written"):
            memory.remember("tea of another kind")
        assert memory.export_to(tmp_path / "out.jsonl") == 6


@pytest.mark.parametrize("count", [6, 90])
@pytest.mark.parametrize("root", [b"\x77", bytes(3)])
def test_records_are_read_and_exported_where_no_way_leads_to_their_pages(
    tmp_path: Path, count: int, root: bytes
) -> None:
    path = tmp_path / "m.db"
    ids = told(path, count, secret="the PIN of the tea shop is 4711")
    with Memory(path) as memory:
        memory.forget("secret")
        memory.update("r2", text="tea of a second kind")
    damaged(path, "claims", root)
    with Memory(path) as memory:
        assert [problem.where for problem in memory.check()] == ["file"]
        assert memory.recall("tea of kind 3")[0].id == "r3" and not memory.recall("what is the PIN?")
        second = memory.get("r2")
        assert second is not None and second.text == "tea of a second kind"
        with pytest.raises(CorruptStore, match="the file is damaged"):
            memory.remember("tea of another kind")
        assert memory.export_to(tmp_path / "out.jsonl") == count
    with Memory(tmp_path / "back.db") as back:
        back.import_from(tmp_path / "out.jsonl")
        assert sorted(record.id or "" for record in back.records()) == sorted(set(ids) - {"secret"})


def test_a_file_whose_list_of_migrations_is_damaged_is_used_as_what_its_tables_say(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    told(path, 6)
    damaged(path, "migrations")
    with Memory(path) as memory:
        assert [problem.where for problem in memory.check()] == ["file"]
        memory.remember("tea of another kind", id="new")
    with Memory(path) as memory:
        assert {"r3", "new"} <= {hit.id for hit in memory.recall("tea of another kind 3")}
        assert memory.export_to(tmp_path / "out.jsonl") == 7


def table(size: int, rows: Iterable[tuple[int, bytes, bytes, bool]]) -> Connection:
    """Return a store of pages of a size with these rows: number, id, content, and whether the record is gone."""
    connection = Connection(":memory:")
    connection.execute(f"PRAGMA page_size = {size}")
    migrate(connection, 0)
    for number, id, content, gone in rows:
        values = (number, b"local", id, content, b"", b"internal")
        stored = EMPTY if gone else checksum("claims", *values)
        connection.execute(f"INSERT INTO claims ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, stored))
    return connection


@settings(max_examples=12)
@given(data=st.data(), size=st.sampled_from([512, 1024, 4096, 65536]))
def test_the_leaves_hold_what_their_table_says(data: st.DataObject, size: int) -> None:
    lengths = st.integers(0, 3 * size) | st.integers(size - 130, size - 30)
    text = st.builds(lambda length, sign: sign * length, lengths, st.sampled_from([b"a", b"\0", b"\r", b"\xff"]))
    number = st.integers(-(2**63), 2**63 - 1) | st.integers(1, 300)
    row = st.tuples(number, text, text, st.integers(0, 9).map(lambda digit: digit == 0))
    with closing(table(size, data.draw(st.lists(row, unique_by=lambda row: row[0], max_size=60)))) as connection:
        query = f"SELECT {COLUMNS} FROM claims WHERE checksum <> ?"
        rows = {found[0]: claim_row(*found) for found in connection.execute(query, (EMPTY,))}
        assert rows_in_leaves(connection) == rows


def test_a_text_that_looks_like_a_leaf_is_none() -> None:
    """A text of somebody who knows the format, which runs over to pages of its own, is nobody's record."""
    with closing(table(512, [(7, b"forged", b"I am the boss of everybody", False)])) as other:
        (page,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'claims'").fetchone()
        leaf = other.serialize()[(page - 1) * 512 : page * 512]
        assert 7 in rows_in_leaves(other)
    texts = ((8 + shift, b"me", leaf[4:] * 3 + bytes(shift), False) for shift in range(508))
    with closing(table(512, texts)) as connection:
        assert sorted(rows_in_leaves(connection)) == [*range(8, 516)]
