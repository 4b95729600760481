"""What is made while a write waits for the medium is what would be made after it; a failure leaves nothing of it."""

import threading
from pathlib import Path

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreError
from byheart.index import meanwhile as meanwhiles
from byheart.index.meanwhile import Meanwhile
from byheart.index.partition import Partition
from byheart.storage.connection import _Connection

TEXTS = ("Steep the tea for three minutes.", "Ann: I live in Rome now.", "findUserName is called twice", "-")


def filled(path: Path, embedder: HashingEmbedder | None = None) -> Memory:
    memory = Memory(path, noise=None, embedder=embedder, single_valued=["lives_in"])
    for number, text in enumerate(TEXTS):
        memory.remember(text, id=f"r{number}", created_at=number, tags=["kitchen"], metadata={"room": number})
    return memory


@pytest.fixture(params=["begins", "never begins"])
def begins(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a processor is free; where one is, it is done before the commit goes on."""

    def start(run: object, _: object) -> None:
        if request.param == "begins":
            thread = threading.Thread(target=run)  # type: ignore[arg-type]
            thread.start()
            thread.join()

    monkeypatch.setattr(meanwhiles, "start_new_thread", start)
    return bool(request.param == "begins")


@pytest.mark.parametrize("embedder", [None, HashingEmbedder(16)], ids=["words", "vectors"])
def test_the_indexes_are_those_that_are_made_of_the_store(
    tmp_path: Path, begins: bool, embedder: HashingEmbedder | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    original = Partition.make

    def counted(self: Partition, *parts: object) -> object:
        made.append(threading.get_ident())
        return original(self, *parts)  # type: ignore[arg-type]

    monkeypatch.setattr(Partition, "make", counted)
    with filled(tmp_path / "memory.db", embedder) as memory:
        elsewhere = [each for each in made if each != threading.get_ident()]
        assert len(made) == len(TEXTS), "each was made once"
        assert len(elsewhere) == (len(TEXTS) - 1 if begins else 0), "the first one makes its tenant"
        assert memory.check() == []
        found = [hit.id for hit in memory.recall("how long must tea steep?")]
    with Memory(tmp_path / "memory.db", noise=None, embedder=embedder, single_valued=["lives_in"]) as again:
        again._engine.indexes.rebuild()
        assert found == [hit.id for hit in again.recall("how long must tea steep?")]


@pytest.mark.usefixtures("begins")
def test_a_commit_that_fails_leaves_nothing_in_the_indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = _Connection.execute

    def broken(self: _Connection, statement: str, *values: object) -> object:
        if statement == "COMMIT":
            raise OSError(28, "No space left on device")
        return original(self, statement, *values)

    with filled(tmp_path / "memory.db") as memory:
        monkeypatch.setattr(_Connection, "execute", broken)
        with pytest.raises(StoreError):
            memory.remember("The kettle is in the attic.", id="lost")
        monkeypatch.setattr(_Connection, "execute", original)
        assert [hit.id for hit in memory.recall("kettle attic")] == []
        assert len(memory) == len(TEXTS) and memory.check() == []
        memory.remember("The kettle is in the cellar.", id="lost")
        assert memory.recall("kettle")[0].text == "The kettle is in the cellar."


def test_what_fails_or_finds_no_thread_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = Meanwhile(lambda: [][1])
    failing.begin()
    assert failing.result() is None

    def none(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(meanwhiles, "start_new_thread", none)
    lonely = Meanwhile(lambda: 1)
    lonely.begin()
    assert lonely.result() is None


def test_what_was_made_of_another_record_is_not_put(tmp_path: Path) -> None:
    with filled(tmp_path / "memory.db") as memory:
        partition = memory._engine.indexes.contents.partitions["default"]
        [first], [other] = ([each for each in memory.records() if each.id == id] for id in ("r0", "r1"))
        partition.put([other], [None], partition.make([first], [None]))
        assert memory.check() == []
