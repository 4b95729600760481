"""Times at which a record holds: it is found then, and it supersedes then and no longer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import byheart

from .reopened import PROFILES, Place, found, moved


def test_a_record_is_found_while_it_holds(place: Place) -> None:
    with place.open() as memory:
        memory.remember("open in spring", id="a", valid_from=datetime(2026, 3, 1, tzinfo=UTC), created_at=1,
                        valid_to="2026-06-01T00:00:00Z")  # fmt: skip
        memory.remember("open always", id="b", created_at=1)
        memory.remember("open till then", id="c", created_at=1, valid_to=1_780_272_000.0)
    with place.open() as memory:
        begun, ended = 1_772_323_200.0, 1_780_272_000.0
        for at, wanted in ((begun - 1, "bc"), (begun, "abc"), (ended - 1, "abc"), (ended, "b")):
            assert set(found(memory, "open", now=at)) == set(wanted), at
            assert set(found(memory, "open", now=9e9, as_of=at)) == set(wanted), at
        assert set(found(memory, "open")) <= set("abc"), "as the clock has it"
        assert len(memory.records()) == 3 and "not valid" in str(memory.explain("open", "a", now=ended))


def test_with_nothing_superseded_or_dated_no_time_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="a", created_at=1)
    monkeypatch.setattr("time.time", lambda: pytest.fail("the clock was read"))
    assert memory.recall("tea").receipt.now is None
    assert memory.recall("tea", as_of=0).hits == () and memory.recall("tea", as_of=1).receipt.as_of == 1.0


@pytest.mark.parametrize("profile", PROFILES[:4])
def test_a_fact_supersedes_for_the_times_at_which_it_holds(place: Place, profile: str) -> None:
    def live(at: float) -> list[str]:
        return found(memory, "where do I live?", profile=profile, now=at, user_id="a")

    with place.open() as memory:
        moved(memory)
        memory.update("o", valid_to=50)
        assert (live(40), live(50)) == (["o"], ["r"])
        memory.update("o", valid_from=20)
        assert (live(10), live(20), live(60)) == (["r"], ["o"], ["r"])
        assert found(memory, "where do I live?", profile=profile, as_of=60) == ["r"]
    with place.open() as memory:
        memory.update("o", valid_from=None, valid_to=None)
        assert (live(10), live(60), memory.get("r").superseded_to) == (["o"], ["o"], None)
        memory.remember("I live in Kiel.", id="k", user_id="a", created_at=3, valid_from=5, valid_to=9)
        assert (live(4), live(6), live(10)) == (["o"], ["k"], ["o"])


def test_what_is_over_hides_nothing_and_a_purge_changes_no_answer(place: Place) -> None:
    with place.open() as memory:
        moved(memory, expires_at=100)
        assert found(memory, "where do I live?", now=99) == ["o"]
        assert found(memory, "where do I live?", now=100) == found(memory, "where do I live?", now=500) == ["r"]
        assert memory.context("where do I live?", 100, now=500).text.count("I live in") == 1
        memory.purge(now=500)
        assert found(memory, "where do I live?", now=500) == ["r"] and memory.get("r").superseded_by is None
    with place.open() as memory:  # the one above stands for what the one between hid
        for number in range(3):
            before = [f"t{number - 1}"] if number else []
            memory.remember(f"The tea is at {number}.", id=f"t{number}", supersedes=before, created_at=number,
                            expires_at=9 if number == 1 else None)  # fmt: skip
        assert found(memory, "when is tea?", now=20) == ["t2"]


def test_said_again_for_longer_it_supersedes_for_longer() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    moved(memory, expires_at=8e9)
    memory.remember("I live in Oslo.", user_id="a", created_at=3, expires_at=9e9)
    assert memory.get("r").superseded_to == 9e9 and found(memory, "where do I live?", now=8.5e9) == ["o"]
