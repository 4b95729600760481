"""What a memory that was opened with a boundary may never see, and never change: models, files, texts, damage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.boundary import Boundary
from byheart.boundary.reach import Reach
from byheart.embedding import HashingEmbedder
from byheart.errors import BoundaryViolation, InvalidArgument
from byheart.storage import Problem
from byheart.validation import CLASSES

INTERNAL = {"classes": ["internal"]}


class Tap(HashingEmbedder):
    """An embedder that remembers what it was given."""

    def __init__(self, width: int = 16) -> None:
        super().__init__(width)
        self.heard: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.heard += texts
        return super().embed_documents(texts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with records inside, in another class and of another tenant; none has a vector."""
    path = tmp_path / "memory.db"
    with byheart.Memory(path, noise=None) as memory:
        memory.remember("tea for all", id="a")
        memory.remember("the launch code", id="s", boundary_class="secret")
        memory.remember("rival payroll", id="r", tenant="rival")
    return path


def test_an_embedder_is_given_what_its_memory_may_see(path: Path) -> None:
    tap = Tap()
    with byheart.Memory(path, embedder=tap, boundary=INTERNAL) as memory:
        receipt = memory.embed()
        assert (tap.heard, receipt.made, receipt.kept) == (["tea for all"], 1, 0)
        again = memory.embed()
        assert (tap.heard, again.made, again.kept) == (["tea for all"], 0, 1)
        assert memory.stats()["vectors"] == 1
    with byheart.Memory(path, embedder=tap) as memory:
        receipt = memory.embed()
    assert (sorted(tap.heard), receipt.made, receipt.kept) == (
        ["rival payroll", "tea for all", "the launch code"],
        2,
        1,
    )


@pytest.mark.parametrize("how", ["embed", "reembed"])
def test_a_part_of_a_store_cannot_change_the_model_of_all(path: Path, how: str) -> None:
    with byheart.Memory(path, embedder=Tap(16)) as memory:
        memory.embed()
    tap = Tap(32)
    with pytest.raises(BoundaryViolation, match="would void the vectors of all records of the store; open the memory"):
        if how == "reembed":
            byheart.Memory(path, embedder=tap, boundary=INTERNAL, reembed=True)
        else:
            byheart.Memory(path, embedder=Tap(16), boundary=INTERNAL).embed(tap)
    assert tap.heard == []
    with byheart.Memory(path, embedder=Tap(16)) as memory:
        assert memory.stats()["vectors"] == 1


def test_what_is_true_of_the_whole_is_told_to_who_sees_it(path: Path) -> None:
    with byheart.Memory(path) as memory:
        memory._engine.indexes.save(at_least=0)
    with byheart.Memory(path) as memory:
        assert memory.opened.startswith("opened generation")
    with byheart.Memory(path, boundary=INTERNAL) as bounded:
        assert not any(character.isdigit() for character in bounded.opened)
        assert bounded.forget("a").files == ()
    with byheart.Memory(path) as memory:
        memory.remember("tea for two", id="b")
        memory._engine.indexes.save(at_least=0)
        assert len(memory.forget("b").files) == 1


def test_problems_are_named_to_who_may_see_their_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with byheart.Memory(path) as memory:
        keys = sorted(memory._engine.store.keys().keys)
        problems = [*(Problem("claims", f"{key.id} is damaged", key) for key in keys), Problem("claims", "3 of 4")]
        monkeypatch.setattr(type(memory._engine.store), "check", lambda store: problems)
        assert memory.check() == problems
        with byheart.Memory(path, boundary=INTERNAL) as bounded:
            assert [problem.message for problem in bounded.check()] == ["a is damaged"]


def test_a_reach_is_all_or_what_a_memory_was_opened_for() -> None:
    ceiling = Boundary("t", scopes=("s",), classes=("public",))
    whole, part = Reach(), Reach(ceiling)
    assert whole.of("t") == Boundary("t", classes=CLASSES) and whole.holds("any", "any", "secret")
    assert part.of("t") is ceiling
    assert part.holds("t", "s", "public")
    for outside in (("u", "s", "public"), ("t", "r", "public"), ("t", "s", "secret")):
        assert not part.holds(*outside)
        with pytest.raises(BoundaryViolation, match="outside the boundary"):
            part.check("record", *outside)
    nothing = part.of("u")
    assert nothing.tenant == "u" and not nothing.holds("s", "public")
    assert part.boundaries(["t", "u"]) == [ceiling]
    assert [each.tenant for each in whole.boundaries(["t", "u"])] == ["t", "u"]


@pytest.mark.parametrize("deleted", [False, True])
def test_a_name_that_is_made_skips_over_no_turn_outside(path: Path, deleted: bool) -> None:
    """Neither over a turn nor over one that a summary outside stands for."""
    said = {"session_id": "x", "now": 1.0}
    with byheart.Memory(path, boundary={"classes": ["secret"]}) as outside:
        for text in ("the vault opens at nine", "the vault closes at ten"):
            outside.ingest_turn(text, **said, boundary_class="secret")
        if deleted:
            assert outside.compact("x", force=True, sources="delete").turns_removed == 2
    with byheart.Memory(path, boundary=INTERNAL) as bounded:
        assert bounded.ingest_turn("the kettle is on", **said).id == "x:0000000001000"
        assert bounded.ingest_turn("the kettle is off", **said).id == "x:0000000001001"


def test_a_conversation_is_what_can_be_seen_of_it(path: Path) -> None:
    """One session in two classes: neither its end nor its summary says a word of the other."""
    with byheart.Memory(path, boundary={"classes": ["secret"]}) as outside:
        for number in range(3):
            outside.ingest_turn(f"the vault opens at {number}", session_id="x", now=number, boundary_class="secret")
    with byheart.Memory(path, boundary=INTERNAL) as bounded:
        for number in range(2):
            bounded.ingest_turn(f"the kettle boils at {number}", session_id="x", now=number)
        context = bounded.context("vault kettle", 200, session_id="x", recent=True, now=9.0)
        assert len(context.entries) == 2 and "vault" not in context.text
        receipt = bounded.compact("x", force=True)
        assert receipt.turns_removed == 2
        assert "vault" not in bounded.get(receipt.summaries[0]).text


def test_new_records_lie_where_the_boundary_alone_allows(tmp_path: Path) -> None:
    inside = Boundary("b", ("notes",), ("secret",))
    with byheart.Memory(tmp_path / "m.db", boundary=inside, invariants=["Be kind."]) as memory:
        ids = [memory.remember("hello there"), *memory.remember_many(["tea is steeped"])]
        ids.append(memory.ingest_turn("the kettle is on", session_id="s").id)
        assert {memory.get(id).boundary_class for id in ids} == {"secret"}
        assert {(memory.get(id).tenant, memory.get(id).scope) for id in ids} == {("b", "notes")}
        assert "Be kind." in memory.context("kettle", 100).text
        assert memory.observe("chat", "hello", mode="digest_only").boundary_class == "secret"
    for one, wanted in (
        ({"tenant": "b"}, ("b", "project", "internal")),
        ({"scopes": ["notes"]}, ("default", "notes", "internal")),
        ({"classes": ["public"]}, ("default", "project", "public")),
        ({"scopes": ["notes", "project"], "classes": ["internal", "public"]}, ("default", "project", "internal")),
    ):
        bounded = byheart.Memory(boundary=one)
        record = bounded.get(bounded.remember("hello there"))
        assert (record.tenant, record.scope, record.boundary_class) == wanted
    given = byheart.Memory(tenant="b", scope="notes", boundary={"scopes": ["notes", "project"]})
    record = given.get(given.remember("hello there"))
    assert (record.tenant, record.scope) == ("b", "notes")


@pytest.mark.parametrize("more", [{"scopes": ["notes", "tasks"]}, {"classes": ["pii", "secret"]}])
def test_where_a_boundary_allows_several_a_record_says_which(more: dict[str, Any]) -> None:
    with pytest.raises(BoundaryViolation):
        byheart.Memory(boundary=more).remember("hello there")


@pytest.mark.parametrize("boundary", [Boundary(tenant="b"), {"tenant": "b"}])
def test_a_memory_of_one_tenant_is_not_opened_with_the_boundary_of_another(boundary: Any, tmp_path: Path) -> None:
    for tenant in ("a", "default"):
        with pytest.raises(InvalidArgument, match=f"tenant, boundary: .*'{tenant}'.*'b'"):
            byheart.Memory(tmp_path / "m.db", tenant=tenant, boundary=boundary)
    assert not list(tmp_path.iterdir())
