"""An embedder that hangs holds up its own call alone; what it made is kept only if what it was made of still stands."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import BoundaryViolation

PATIENCE = 60.0  # seconds, for what takes milliseconds


class Hanging(HashingEmbedder):
    """An embedder that waits to be let go of, once for each time it is told to."""

    def __init__(self) -> None:
        super().__init__(64)
        self.waits, self.asked, self.let_go = False, threading.Event(), threading.Event()
        self.texts: list[str] = []

    def hang(self) -> None:
        if self.waits:
            self.waits = False
            self.asked.set()
            assert self.let_go.wait(PATIENCE), "nobody let the embedder go on"

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        self.hang()
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> Any:
        self.hang()
        return super().embed_query(text)


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    return {} if request.param == "in process" else {"path": tmp_path / request.param}


@pytest.fixture
def embedder() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.let_go.set()


def meanwhile(embedder: Hanging, slow: Callable[[], object], act: Callable[[], object]) -> object:
    """Do something while a call waits for its embedder, then let that go on; return what the call gave."""
    given: list[object] = []

    def call() -> None:
        try:
            given.append(slow())
        except Exception as error:
            given.append(error)

    embedder.waits = True
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    assert embedder.asked.wait(PATIENCE), "the embedder was not asked"
    acting = threading.Thread(target=act, daemon=True)
    acting.start()
    acting.join(PATIENCE)
    stuck = acting.is_alive()
    embedder.let_go.set()
    thread.join(PATIENCE)
    assert not stuck, "the embedder of one call held up the others"
    assert given, "the call did not end"
    return given[0]


def others(memory: byheart.Memory, done: list[str]) -> None:
    """Do what ought not to wait."""
    memory.stats()
    memory.records()
    memory.count()
    memory.recall("tea", profile="kb-fast")
    memory.remember("rice at noon", id="other", vector=[1.0, *[0.0] * 63])
    memory.forget("other")
    if hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    done.append("all")


SLOW: dict[str, Callable[[byheart.Memory], object]] = {
    "remember": lambda memory: memory.remember("green tea", id="new"),
    "remember_many": lambda memory: memory.remember_many([{"id": "new", "text": "green tea"}]),
    "update": lambda memory: memory.update("k", text="green tea"),
    "ingest_turn": lambda memory: memory.ingest_turn("green tea", session_id="s", id="new"),
    "recall": lambda memory: memory.recall("green tea", profile="dense"),
    "compact": lambda memory: memory.compact("s", force=True),
    "embed": lambda memory: memory.embed(),
}


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("verb", SLOW)
def test_nobody_waits_for_it(where: dict[str, Any], embedder: Hanging, verb: str) -> None:
    with byheart.Memory(**where, noise=None) as before:
        for number in range(3):
            before.remember(f"we drink tea at {number}", id=f"t{number}", session_id="s", created_at=number)
        before.remember("black tea", id="k")
        memory = byheart.Memory(**(where or {"store": before._engine.store}), embedder=embedder, noise=None)
        if verb != "embed":
            memory.embed()
        done: list[str] = []
        given = meanwhile(embedder, lambda: SLOW[verb](memory), lambda: others(memory, done))
        assert done == ["all"]
        assert not isinstance(given, Exception), given
        if verb in ("remember", "remember_many", "ingest_turn"):
            assert memory.get("new").text == "green tea"
        assert memory.check() == []


@pytest.mark.parametrize("others_handle", [False, True])
def test_a_text_that_changes_during_embed_gets_the_vector_of_the_new_one(
    where: dict[str, Any], embedder: Hanging, others_handle: bool
) -> None:
    plain = byheart.Memory(**where, noise=None)
    plain.remember("boats on the river", id="k")
    plain.remember("a lamp in the window", id="j")
    memory = byheart.Memory(**(where or {"store": plain._engine.store}), embedder=embedder, noise=None)
    changed = plain if others_handle else memory
    receipt = meanwhile(embedder, memory.embed, lambda: changed.update("k", text="green tea in the morning"))
    assert not isinstance(receipt, Exception), receipt
    assert memory.stats()["vectors"] == 2
    best = memory.recall("green tea in the morning", profile="dense", mode="exact").hits[0]
    assert (best.id, best.score > 0.99) == ("k", True)
    store = memory._engine.store
    vectors = {key.id: row for key, row in store.vectors(str(embedder.fingerprint))}
    assert vectors["k"] == embedder.embed_documents(["green tea in the morning"])[0].astype("<f4").tobytes()


def test_what_was_forgotten_while_it_was_embedded_stays_forgotten(where: dict[str, Any], embedder: Hanging) -> None:
    memory = byheart.Memory(**where, embedder=embedder, noise=None)
    memory.remember("boats on the river", id="k")
    given = meanwhile(embedder, lambda: memory.update("k", text="green tea"), lambda: memory.forget("k"))
    assert isinstance(given, byheart.errors.RecordNotFound)
    assert memory.count() == 0


def test_nothing_is_embedded_that_could_not_be_remembered(where: dict[str, Any], embedder: Hanging) -> None:
    memory = byheart.Memory(**where, embedder=embedder, noise=None, boundary={"classes": ["internal"]})
    with pytest.raises(BoundaryViolation):
        memory.remember("the code", boundary_class="secret")
    assert embedder.texts == []
