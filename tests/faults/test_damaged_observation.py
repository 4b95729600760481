"""An observation that cannot be read: `forget` removes it by its id, and what erases its user names it."""

from pathlib import Path

import pytest

from byheart import Memory
from byheart.validation import CLASSES

from .damaged_file import flipped, memory_name

ALL = {"classes": list(CLASSES)}
SAID = "the gate opens with the amber word"


def with_damage(folder: Path, kind: str) -> tuple[Path, str]:
    """Return a memory file in which an observation cannot be read, and its id; another one is sound."""
    path = folder / memory_name(kind)
    with Memory(path) as memory:
        said = memory.observe("chat", SAID, actor="ann")
        memory.observe("chat", "the garden gets its water on Mondays", actor="ann")
        memory.remember("Ann drinks green tea.", id="tea", user_id="ann")
    path.write_bytes(flipped(SAID.encode(), 6, 7)(path.read_bytes()))
    return path, said.id


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_it_goes_by_its_id(tmp_path: Path, kind: str) -> None:
    path, id = with_damage(tmp_path, kind)
    with Memory(path) as memory:
        assert memory.forget(id, dry_run=True, boundary=ALL).ids == (id,)
        receipt = memory.forget(id, boundary=ALL)
        assert (receipt.ids, receipt.missing) == ((id,), ())
        assert memory.check() == []
        assert memory.forget(id, boundary=ALL).missing == (id,)
    assert b"amber" not in path.read_bytes()
    with Memory(path) as memory:
        assert memory.check() == [] and memory.get("tea") is not None


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_who_erases_a_user_is_told_what_could_not_be_read(tmp_path: Path, kind: str) -> None:
    path, id = with_damage(tmp_path, kind)
    with Memory(path) as memory:
        receipt = memory.forget(where={"user_id": "ann"}, boundary=ALL)
        assert len(receipt.ids) == 2 and receipt.damaged == (id,)
        assert memory.forget(where={"kind": "memory"}, boundary=ALL).damaged == ()


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_it_is_nobodys_who_may_not_see_it(tmp_path: Path, kind: str) -> None:
    path, id = with_damage(tmp_path, kind)
    elsewhere = [{"tenant": "b"}, {"classes": ["public"]}, {"scopes": ["project"], "classes": list(CLASSES)}]
    for boundary in elsewhere:
        with Memory(path, boundary=boundary) as memory:
            assert memory.forget(id).missing == (id,)
            assert memory.forget(where={"user_id": "nobody"}).damaged == ()
    with Memory(path) as memory:
        assert memory.forget(id, boundary=ALL).ids == (id,)


def test_a_check_says_how_it_is_removed(tmp_path: Path) -> None:
    path, id = with_damage(tmp_path, "sqlite")
    with Memory(path) as memory:
        [problem] = memory.check()
        assert problem.message == f"{path}: observation '{id}' of tenant 'default' is damaged; forget it"
