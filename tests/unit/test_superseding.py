"""Superseded records: found by none that does not ask, kept, and back in place when what supersedes them goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError, InvalidArgument, RecordNotFound

from .reopened import PROFILES, Place, found


@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_finds_what_is_superseded_and_each_does_when_asked(profile: str) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    memory.remember("The kettle uses water.", id="old", created_at=1)
    memory.remember("The kettle uses steam.", id="new", created_at=5, supersedes="old")

    def ids(**how: Any) -> set[str]:
        if profile == "activation":
            return {item.claim_id for item in memory.activate("kettle uses", now=how.pop("now", 9), **how)}
        return set(found(memory, "kettle uses", profile=profile, now=9, **how))

    both = ids(include_superseded=True)
    assert both <= {"old", "new"} and ids() == both - {"old"} and ids(as_of=3) == both - {"new"}
    assert both == {"old", "new"} or profile in ("discovery",)


@pytest.mark.parametrize("explain", [False, True])
def test_what_holds_now_comes_before_what_it_stands_in_the_place_of(place: Place, explain: bool) -> None:
    with place.open() as memory:
        for month, town in enumerate(["Rome", "Oslo", "Paris", "Berlin", "Vienna"], 1):
            memory.remember(f"I live in {town}.", id=town, user_id="ann", created_at=f"2026-0{month}-01")
        memory.remember("The gate code is 9035, as of May.", id="a", user_id="ann", created_at=1)
        memory.remember("The gate code is 4821.", id="b", user_id="ann", created_at=2)
        memory.update("b", superseded_by="a")
        asked = {"user_id": "ann", "include_superseded": True, "explain": explain}
        assert found(memory, "where do I live?", **asked) == ["Vienna", "Berlin", "Paris", "Oslo", "Rome"]
        assert found(memory, "what is the gate code?", **asked)[:2] == ["a", "b"]


def test_the_old_one_is_kept_marked_and_left_out_of_a_context(place: Place) -> None:
    with place.open() as memory:
        memory.remember("The tea is at three.", id="old", created_at=1, session_id="s")
        done = memory.remember("The tea is at four.", id="new", created_at=5, session_id="s", supersedes=["old"],
                               receipt=True)  # fmt: skip
        assert done.superseded == ("old",) and memory.count() == 2
        old = memory.get("old")
        assert (old.superseded_by, old.superseded_at, memory.get("new").supersedes) == ("new", 5.0, ("old",))
        for recent in (False, True):
            block = memory.context("when is tea?", 200, session_id="s", recent=recent, now=9).text
            assert "four" in block and "three" not in block
        assert "three" in memory.context("when is tea?", 200, as_of=2).text
    with place.open() as memory:
        assert found(memory, "tea") == ["new"] and found(memory, "tea", as_of=1) == ["old"]


def test_nothing_follows_from_a_superseded_fact() -> None:
    memory = byheart.Memory(single_valued=["part_of"])
    memory.remember("Loom is part of Mill.", id="old", created_at=1)
    memory.remember("Mill provides cloth.", id="mill", created_at=1)
    memory.remember("Loom is part of Barn.", id="new", created_at=2)

    def proofs(**how: Any) -> str:
        return str(memory.recall("loom", profile="kb-thinkingdb", explain=True, **how).trace)

    assert "stated by old" in proofs(include_superseded=True) and "stated by old" not in proofs()


def test_forgetting_what_supersedes_brings_the_old_one_back(place: Place) -> None:
    with place.open() as memory:
        for number in range(4):
            memory.remember(f"number {number} of the tea", id=f"n{number}", created_at=number,
                            supersedes=[f"n{number - 1}"] if number else [])  # fmt: skip
        assert memory.forget("n2", dry_run=True).reinstated == ()
        memory.forget("n2")
        assert memory.get("n1").superseded_by == "n3", "what stood in the place of the forgotten one does"
        assert memory.get("n3").supersedes == ("n1",)
        assert memory.forget("n3", dry_run=True).reinstated == memory.forget("n3").reinstated == ("n1",)
        assert found(memory, "tea") == ["n1"]
    with place.open() as memory:
        memory.forget(where={"id": "n1"})
        assert (found(memory, "tea"), memory.get("n0").superseded_at, memory.check()) == (["n0"], None, [])


@pytest.mark.parametrize("stated", ["old", "new"])
def test_what_is_behind_one_that_goes_is_taken_over_whether_it_states_a_fact_or_not(place: Place, stated: str) -> None:
    fact = {"subject": "loom", "relation": "part_of", "object": "mill"}
    with place.open(single_valued=["part_of"]) as memory:
        memory.remember("The loom is in the mill.", id="old", created_at=1, **(fact if stated == "old" else {}))
        memory.remember("It was moved.", id="between", created_at=2, supersedes="old")
        memory.remember("It is in the barn.", id="new", created_at=3, supersedes="between",
                        **(fact if stated == "new" else {}))  # fmt: skip
        memory.forget("between")
        assert (memory.get("new").supersedes, memory.get("old").superseded_by) == (("old",), "new")
        assert memory.check() == []


def test_what_is_purged_or_replaced_with_its_source_supersedes_nothing_any_more(place: Place) -> None:
    with place.open() as memory:
        memory.remember("old tea", id="a", created_at=1)
        memory.remember("new tea", id="b", created_at=2, supersedes="a", expires_at=5)
        memory.purge(now=9)
        assert memory.get("a").superseded_by is None
        memory.replace_sources({"doc": [byheart.Record(text="doc tea", id="c", supersedes="a",
                                                       provenance={"source_name": "doc"})]})  # fmt: skip
        assert memory.get("a").superseded_by == "c"
        memory.replace_sources({"doc": []})
        assert memory.get("a").superseded_by is None


def test_a_new_text_under_a_superseded_id_is_a_new_statement(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="home", created_at=1)
        memory.remember("I live in Paris.", id="away", created_at=2)
        memory.remember("I live in Rome.", id="home", created_at=1, topic="home")
        assert memory.get("home").superseded_by == "away", "the same text stays superseded"
        done = memory.remember("I live in Oslo.", id="home", created_at=3, receipt=True)
        assert (done.status, done.superseded, done.superseded_by) == ("replaced", ("away",), None)
        assert found(memory, "live") == ["home"] and memory.get("home").supersedes == ("away",)


def test_a_compaction_leaves_alone_what_is_superseded(place: Place) -> None:
    with place.open() as memory:
        for number in range(3):
            memory.remember(f"turn {number} about tea", id=f"t{number}", session_id="s", created_at=number,
                            supersedes=["t0"] if number == 2 else [])  # fmt: skip
        done = memory.compact("s", force=True, sources="delete", now=9)
        assert {id for each in done.declined for id in each.source_ids} >= {"t0", "t2"}
        assert memory.get("t0").superseded_by == "t2"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"supersedes": "nobody"}, RecordNotFound),
        ({"supersedes": "hidden"}, RecordNotFound),
        ({"supersedes": ["a", "new"]}, InvalidArgument),
        ({"supersedes": "of bob"}, InvalidArgument),
        ({"supersedes": "in work"}, InvalidArgument),
        ({"id": "a", "supersedes": "b"}, InvalidArgument),
        ({"id": "a", "supersedes": "c"}, InvalidArgument),
        ({"supersedes": [3]}, TypeError),
        ({"valid_from": 5, "valid_to": 1}, InvalidArgument),
        ({"seen_count": -1}, InvalidArgument),
        ({"revisions": ["x"]}, InvalidArgument),
        ({"receipt": 1}, TypeError),
    ],
)
def test_bad_input_is_one_typed_error_and_nothing_is_done(place: Place, given: Any, error: type[Exception]) -> None:
    with place.open() as whole:
        whole.remember("hidden", id="hidden", boundary_class="secret")
    with place.open(boundary={"classes": ["internal"]}) as memory:
        memory.remember("tea one", id="a", created_at=1)
        memory.remember("tea two", id="b", created_at=2, supersedes="a")
        memory.remember("tea three", id="c", created_at=3, supersedes="b")
        memory.remember("tea of bob", id="of bob", user_id="bob")
        memory.remember("tea at work", id="in work", scope="work")
        before = memory.records()
        with pytest.raises(error) as caught:
            memory.remember("new tea", **{"id": "new", **given})
        assert memory.records() == before
        assert "hidden" not in str(caught.value).replace("'hidden'", ""), "as of one that nobody has"
        for change in ({"superseded_by": "a"}, {"superseded_by": "nobody"}, {"supersedes": ["b"]}):
            with pytest.raises(ByheartError):
                memory.update("a", **change)
        with pytest.raises(InvalidArgument):
            memory.update("c", superseded_by="a")  # which c stands above
        assert memory.records() == before


def test_an_update_may_say_what_supersedes_and_that_nothing_does(place: Place) -> None:
    with place.open() as memory:
        memory.remember("tea one", id="a", created_at=1)
        memory.remember("tea two", id="b", created_at=2)
        memory.update("a", superseded_by="b", updated_at=7)
        assert (memory.get("a").superseded_at, found(memory, "tea")) == (7.0, ["b"])
        memory.update("a", superseded_by=None)
        assert memory.get("a").superseded_at is None and set(found(memory, "tea")) == {"a", "b"}


def test_what_was_named_stays_superseded_unless_the_names_change(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        memory.remember("I live in Oslo.", id="o", user_id="a", created_at=2, supersedes="r")
        memory.update("o", text="The weather is fine.")
        assert memory.get("r").superseded_by == "o"
        memory.remember("The weather is bad.", id="o", user_id="a", created_at=3)
        assert (memory.get("r").superseded_by, memory.get("o").supersedes) == ("o", ("r",))
        memory.update("r", superseded_by=None)
        assert (memory.get("r").superseded_by, memory.get("o").supersedes) == (None, ())


@pytest.mark.parametrize("field", ["superseded_by", "archived_by"])
def test_a_name_that_is_not_there_is_refused(place: Place, field: str, tmp_path: Path) -> None:
    with place.open() as whole:
        whole.remember("hidden", id="hidden", boundary_class="secret")
    with place.open(boundary={"classes": ["internal"]}) as memory:
        memory.remember("tea", id="tea")
        for name in ("no-such", "hidden"):
            for state in (
                lambda name=name: memory.remember("new tea", id="new", **{field: name}),
                lambda name=name: memory.remember("tea", id="tea", **{field: name}),
                lambda name=name: memory.update("tea", **{field: name}),
            ):
                with pytest.raises(ByheartError, match=name):
                    state()
        assert memory.count() == 1 and getattr(memory.get("tea"), field) is None
        memory.remember_many([{"text": "old cup", "id": "x", field: "y"}, {"text": "cup of bone", "id": "y"}])
        assert getattr(memory.get("x"), field) == "y"
        memory.export_to(tmp_path / "all.jsonl")
    other = byheart.Memory()
    assert other.import_from(tmp_path / "all.jsonl") == 3 and getattr(other.get("x"), field) == "y"


def test_one_that_is_still_to_come_is_named_as_the_one_that_stands_in_the_place() -> None:
    memory = byheart.Memory()
    memory.remember_many(
        [
            {"text": "Ann lives in Rome", "id": "rome", "superseded_by": "oslo"},
            {"text": "Ann lives in Oslo", "id": "oslo"},
        ]
    )
    assert memory.get("oslo").supersedes == ("rome",) and memory.get("rome").superseded_by == "oslo"
