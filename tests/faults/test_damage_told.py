"""What is said of a damaged record: by a receipt whose filter could not look at it, and to who is bounded."""

from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import CorruptRecord, RecordNotFound

from .damaged_file import MINE, THEIRS, damaged


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])  # saved indexes know what the record said
def test_a_filter_names_what_it_could_not_look_at(tmp_path: Path, kind: str) -> None:
    path = damaged(tmp_path, kind)
    with Memory(path, noise=None) as memory:
        for where in ({"id": ["other", "theirs"]}, {"user_id": "ann"}):
            assert memory.forget(where=where, boundary=THEIRS, dry_run=True).damaged == ("theirs",)
            assert memory.forget(where=where, boundary=MINE, dry_run=True).damaged == ()
        receipt = memory.forget(where={"id": ["other", "theirs"]}, boundary=THEIRS)
        assert (receipt.ids, receipt.damaged) == (("other",), ("theirs",))
        assert memory.forget("theirs", boundary=THEIRS).ids == ("theirs",)
        assert memory.forget(where={"id": "other"}, boundary=THEIRS).damaged == ()
    assert b"payroll" not in path.read_bytes()


def test_a_bounded_memory_is_not_told_in_which_line_its_damage_lies(tmp_path: Path) -> None:
    path = damaged(tmp_path, "jsonl")
    with Memory(path) as memory, Memory(path, boundary=THEIRS) as bounded:
        assert [", line " in problem.message for problem in memory.check()] == [True]
        before = bounded.check()
        assert [problem.message for problem in before] == ["record 'theirs' is damaged; forget it"]
        memory.forget(["mine", "too"], boundary=MINE)
        assert bounded.check() == before


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_a_damaged_record_is_told_of_its_own_cell_alone(tmp_path: Path, kind: str) -> None:
    with Memory(damaged(tmp_path, kind)) as memory:
        [wrong] = memory.check()
        assert wrong.key is not None and wrong.key.id == "theirs"
        with pytest.raises(CorruptRecord, match="theirs"):
            memory.get("theirs", boundary=THEIRS, cell=wrong.key.cell)
        with pytest.raises(RecordNotFound):
            memory.get("theirs", boundary=THEIRS, cell=("nowhere", "internal"))
