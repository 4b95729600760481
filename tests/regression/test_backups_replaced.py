"""A backup that is replaced leaves nothing of what the older one held: no word in its saved indexes."""

from __future__ import annotations

from pathlib import Path

from byheart import Memory


def test_what_was_forgotten_since_is_in_no_file_beside_a_newer_backup(tmp_path: Path) -> None:
    nightly = tmp_path / "nightly.db"
    with Memory(tmp_path / "memory.db") as memory:
        memory.remember_many({"text": f"Ann's clinic is annzyx{n} street", "user_id": "ann"} for n in range(1_200))
        memory.remember("Bob likes tea.", user_id="bob")
        memory.backup(nightly)
        with Memory(nightly) as copy:
            assert copy.recall("annzyx5")
        beside = nightly.with_name("nightly.db.byheart-indexes")
        assert any(b"annzyx" in file.read_bytes() for file in beside.iterdir()), "it was opened, and its indexes saved"
        (beside / "mine.txt").write_text("notes")
        memory.forget(where={"user_id": "ann"})
        assert memory.backup(nightly).replaced
    held = [file for file in tmp_path.rglob("nightly*") if file.is_file() and b"annzyx" in file.read_bytes()]
    assert not held and not any(b"annzyx" in file.read_bytes() for file in beside.iterdir())
    assert (beside / "mine.txt").read_text() == "notes", "what is nobody's of ours stays"
    with Memory(nightly) as copy:
        assert [hit.text for hit in copy.recall("tea")] == ["Bob likes tea."]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    nightly, elsewhere = tmp_path / "nightly.db", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Memory(tmp_path / "memory.db") as memory:
        memory.remember("Bob likes tea.")
        memory.backup(nightly)
        nightly.with_name("nightly.db.byheart-indexes").symlink_to(elsewhere)
        (elsewhere / "generation-0000000000000000-00000000000000000001.bhgen").write_bytes(b"byheart")
        assert memory.backup(nightly).replaced
    assert list(elsewhere.iterdir())
