"""A record that is damaged amid a page ends no listing: those behind it come all the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from byheart import Memory


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
