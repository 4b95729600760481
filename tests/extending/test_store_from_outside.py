"""A store of one's own, handed in from outside: four methods, and everything that a memory does works on it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import pytest

import byheart
from byheart import Record
from byheart.embedding import HashingEmbedder
from byheart.errors import AmbiguousId, RecordNotFound, StoreError
from byheart.storage import Key, key_of


class Lines:
    """Records as lines of JSON in a list that outlives it; it can be told to fail."""

    def __init__(self, lines: dict[Key, str]) -> None:
        self.lines, self.failing, self.closed = lines, False, False

    def load(self) -> Iterable[Record]:
        return [Record.from_dict(json.loads(line)) for line in self.lines.values()]

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        found = (self.lines.get(key) for key in keys)
        return [None if line is None else Record.from_dict(json.loads(line)) for line in found]

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        if self.failing:
            raise StoreError("lines: nothing can be written now; try again later")
        for key in remove:
            self.lines.pop(key, None)
        self.lines.update((key_of(record), json.dumps(record.to_dict())) for record in put)

    def close(self) -> None:
        self.closed = True


def test_what_is_remembered_updated_and_forgotten_is_so_in_the_store() -> None:
    lines: dict[Key, str] = {}
    store = Lines(lines)
    memory = byheart.Memory(store=store)
    memory.remember("The kettle is descaled every spring.", id="kettle", tags=["tea"], metadata={"room": "kitchen"})
    memory.remember("Beans are sown in May.", id="beans")
    memory.update("kettle", text="The kettle is descaled every autumn.")
    assert memory.forget("beans").ids == ("beans",)
    before = memory.recall("when is the kettle descaled?", now=0).to_dict()
    memory.close()

    assert [key.id for key in lines] == ["kettle"] and store.closed
    again = byheart.Memory(store=Lines(lines))
    after = again.recall("when is the kettle descaled?", now=0).to_dict()
    assert [hit["id"] for hit in after["hits"]] == ["kettle"]
    assert after["receipt"] == before["receipt"]
    assert again.get("kettle").text.endswith("autumn.") and again.get("kettle").tags == ("tea",)
    assert [record.id for record in again.records(where={"metadata.room": "kitchen"})] == ["kettle"]
    with pytest.raises(RecordNotFound):
        again.get("beans")


def test_an_error_of_the_store_leaves_everything_as_it_was() -> None:
    store = Lines({})
    memory = byheart.Memory(store=store)
    memory.remember("The kettle is descaled every spring.", id="kettle")
    store.failing = True
    with pytest.raises(StoreError, match="try again later"):
        memory.remember("Vinegar stands in the cupboard.", id="vinegar")
    with pytest.raises(StoreError):
        memory.forget("kettle")
    store.failing = False

    assert [hit.id for hit in memory.recall("kettle vinegar cupboard")] == ["kettle"]
    assert memory.stats()["records"] == 1


def test_vectors_stand_beside_a_store_that_keeps_none() -> None:
    lines: dict[Key, str] = {}
    with byheart.Memory(store=Lines(lines), embedder=HashingEmbedder()) as memory:
        memory.remember("Descaling the kettle takes vinegar.", id="vinegar")
        assert memory.recall("descale kettles", profile="dense").hits[0].id == "vinegar"
    with byheart.Memory(store=Lines(lines), embedder=HashingEmbedder()) as memory:
        memory.embed()
        assert memory.recall("descale kettles", profile="dense").hits[0].id == "vinegar"


def test_one_id_in_two_cells_is_two_records() -> None:
    lines: dict[Key, str] = {}
    for scope in ("project", "session"):
        handle = byheart.Memory(store=Lines(lines), boundary={"scopes": [scope]}, scope=scope)
        handle.remember(f"The kettle of the {scope}.", id="kettle")
    owner = byheart.Memory(store=Lines(lines))

    assert len(lines) == 2
    with pytest.raises(AmbiguousId):
        owner.get("kettle")
    assert owner.get("kettle", cell=("session", "internal")).text == "The kettle of the session."


@pytest.mark.parametrize("profile", ["auto", "scoped"])
def test_a_store_is_asked_for_no_more_than_what_is_found(profile: str) -> None:
    """Whose a record is, and when it was made, is known without a look into the store."""

    class Asked(Lines):
        def get(self, keys: Sequence[Key]) -> list[Record | None]:
            asked.extend(keys)
            return super().get(keys)

    asked: list[Key] = []
    lines: dict[Key, str] = {}
    whose = [{"user_id": "ann", "session_id": "s"}, {"user_id": "ann"}, {"session_id": "t"}, {}]
    with byheart.Memory(store=Lines(lines), noise=None) as memory:
        memory.remember_many(
            {"id": f"r{number}", "text": f"Kettle {number} is descaled in week {number * number}."} | whose[number % 4]
            for number in range(32)
        )
    with byheart.Memory(store=Asked(lines), noise=None, embedder=HashingEmbedder()) as memory:
        asked.clear()
        found = memory.recall("descaled kettle", 3, profile=profile, user_id="ann", session_id="s", now=99.0)
        read = [key.id for key in asked]
        asked.clear()
        ten = memory.recall("descaled kettle", 10, profile=profile, user_id="ann", session_id="s", now=99.0)
        looked_at = ten if profile == "auto" else found  # the texts of the first ten decide what comes first
        assert len(found.hits) == 3 and read == [hit.id for hit in looked_at] and len(asked) == 10


def test_what_was_looked_at_for_a_write_is_looked_at_again_since_the_store_does_not_say_what_changed() -> None:
    lines: dict[Key, str] = {}
    memory = byheart.Memory(store=Lines(lines))
    memory.remember("The kettle is descaled every spring.", id="kettle")
    key, indexes = key_of(memory.get("kettle")), memory._engine.indexes
    lines[key] = lines[key].replace("spring", "autumn")
    assert not indexes.behind()
    indexes.mark([], [key])
    assert indexes.behind()
    assert "kettle" in memory.recall("what happens every autumn?") and not indexes.behind()
