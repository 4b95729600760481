"""A file whose records have vectors, opened without the embedder that made them: the answer says what it lacks."""

from pathlib import Path

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import CorruptStore
from byheart.recall.recaller import UNSEARCHED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "memory.db"
    with Memory(made, embedder=HashingEmbedder()) as memory:
        memory.remember("The kettle is descaled every spring.", id="kettle")
        memory.remember("Anna lives in Rome.", id="anna", boundary_class="secret")
    return made


def test_it_is_said_where_hits_have_vectors(path: Path) -> None:
    with Memory(path) as memory:
        assert memory.recall("when is the kettle descaled?").degraded == (UNSEARCHED,)
        assert memory.context("kettle", 100).degraded == (UNSEARCHED,)
        assert memory.recall("a zebra").degraded == (UNSEARCHED,), "its meaning might have been found"
        assert memory.context("a zebra", 100).degraded == (UNSEARCHED,)
        assert memory.recall("kettle", profile="kb-balanced").degraded == ()
        memory.remember("The saddle is oiled in May.", id="saddle")
        assert memory.recall("when is the saddle oiled?").degraded == (UNSEARCHED,), "others were embedded"
    with Memory(path, embedder=HashingEmbedder()) as memory:
        assert UNSEARCHED not in memory.recall("kettle").degraded


def test_nothing_is_said_where_no_vector_was_ever_kept(tmp_path: Path) -> None:
    Memory(tmp_path / "memory.db", embedder=HashingEmbedder()).close()
    with Memory(tmp_path / "memory.db") as memory:
        memory.remember("The kettle is descaled every spring.")
        assert memory.recall("kettle").degraded == ()


def test_it_is_said_as_soon_as_another_memory_has_made_them(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as reading:
        reading.remember("The kettle is descaled every spring.")
        assert reading.recall("kettle").degraded == ()
        with Memory(tmp_path / "memory.db", embedder=HashingEmbedder()) as other:
            other.embed()
        assert reading.recall("kettle").degraded == (UNSEARCHED,)


def test_a_title_that_was_changed_meanwhile_is_embedded_by_the_next_embed(path: Path) -> None:
    with Memory(path) as memory:
        memory.update("kettle", topic="kitchen")
    with Memory(path, embedder=HashingEmbedder()) as memory:
        assert memory.embed().made == 1
        told = dict(memory._engine.store.vectors(str(HashingEmbedder().fingerprint)))
        [made] = [row for key, row in told.items() if key.id == "kettle"]
        assert made == HashingEmbedder().embed_documents([memory.get("kettle").embedded()])[0].tobytes()


def test_what_nobody_may_see_tells_nothing(path: Path) -> None:
    with Memory(path) as memory:
        memory.forget("kettle")
        assert memory.recall("a zebra").degraded == (), "the record that is left is a secret"


def test_no_answer_fails_of_a_remark(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(path) as memory:

        def damaged(*args: object) -> object:
            raise CorruptStore("the page of vectors is damaged")

        monkeypatch.setattr(type(memory._engine.store), "vectors", damaged)
        assert memory.recall("kettle")[0].id == "kettle"
        monkeypatch.setattr(type(memory._engine.store), "model", damaged)
        memory._engine.recaller._model = None
        assert memory.recall("kettle")[0].id == "kettle"


def test_it_is_said_beside_notes_that_were_added_without_the_model_and_in_an_explanation(path: Path) -> None:
    with Memory(path) as memory:
        assert UNSEARCHED in memory.explain("kettle", "kettle").notes
        for number in range(8):
            memory.remember(f"New kettle kettle descaled {number}")
        assert memory.recall("kettle descaled", 3).degraded == (UNSEARCHED,)
