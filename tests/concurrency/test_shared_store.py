"""Several handles on one store, in threads: each recall is of one moment, and what two write at once is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.storage import InProcessStore

ROUNDS = 60


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[], byheart.Memory]:
    store = InProcessStore()

    def open_one() -> byheart.Memory:
        where: dict[str, Any] = (
            {"store": store} if request.param == "in process" else {"path": tmp_path / request.param}
        )
        return byheart.Memory(**where, noise=None)

    return open_one


def at_once(*acts: Callable[[], None]) -> None:
    """Do several things in threads of their own, and raise what one of them raises."""
    raised: list[BaseException] = []

    def run(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()
    if raised:
        raise raised[0]


def test_a_recall_is_of_one_moment(opened: Callable[[], byheart.Memory]) -> None:
    """A hit whose text is newer than the index that found it would be shown for words that it does not have."""
    writer, reader = opened(), opened()
    writer.remember("tea tea tea", id="k")

    def write() -> None:
        for number in range(ROUNDS):
            writer.remember("rice rice rice" if number % 2 == 0 else "tea tea tea", id="k")

    def read() -> None:
        for _ in range(ROUNDS):
            for word in ("tea", "rice"):
                for hit in reader.recall(word, profile="kb-fast"):
                    assert word in hit.text, (word, hit.text)

    at_once(write, read)


def test_a_hit_is_never_of_a_text_that_was_not_searched(opened: Callable[[], byheart.Memory]) -> None:
    """The other handle writes exactly between the search and the reading of its hits."""
    writer, reader = opened(), opened()
    writer.remember("tea tea tea", id="k")
    reader.recall("tea")
    indexes = reader._engine.indexes
    read = indexes.read

    def late(*given: Any, **named: Any) -> Any:
        indexes.read = read  # type: ignore[method-assign]
        writer.update("k", text="rice rice rice")
        return read(*given, **named)

    indexes.read = late  # type: ignore[method-assign]
    hits = reader.recall("tea", profile="kb-fast", k=1).hits  # as of the beginning, or begun again
    assert all("tea" in hit.text for hit in hits)
    assert [hit.text for hit in reader.recall("rice", profile="kb-fast", k=1)] == ["rice rice rice"]


def test_what_two_write_at_once_is_kept(opened: Callable[[], byheart.Memory]) -> None:
    handles = opened(), opened()
    ids: list[list[str]] = [[], []]

    def write(which: int) -> None:
        for number in range(ROUNDS):
            ids[which].append(handles[which].remember(f"the standup number {number} is at nine", user_id=f"u{which}"))

    at_once(lambda: write(0), lambda: write(1))
    kept = {(record.id, record.user_id) for record in opened().records()}
    assert kept == {(id, f"u{which}") for which in (0, 1) for id in ids[which]}
    assert len(kept) == 2 * ROUNDS


def test_a_count_of_uses_loses_none(opened: Callable[[], byheart.Memory]) -> None:
    handles = opened(), opened()
    handles[0].remember("tea", id="k")

    def use(which: int) -> None:
        for _ in range(ROUNDS // 2):
            assert handles[which].touch("k") == 1

    at_once(lambda: use(0), lambda: use(1))
    assert opened().get("k").access_count == 2 * (ROUNDS // 2)
