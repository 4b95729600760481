"""One id in several cells: handles that may see one of them, owners who see all, and every verb between them."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import AmbiguousId, DuplicateId, RecordNotFound
from byheart.profiles import EscalatingConfig
from byheart.records import Record
from byheart.storage import InProcessStore, Key
from byheart.storage.jsonl import JsonlStore

EMBEDDER = HashingEmbedder(32)
OPEN = {"scopes": ["project"], "classes": ["internal", "public"]}
SECRET = {"scopes": ["project"], "classes": ["secret"]}
EVERYTHING = {"classes": ["public", "internal", "pii", "secret"]}
HERE, THERE = ("project", "internal"), ("project", "secret")
Opener = Callable[..., byheart.Memory]


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Return what opens a handle on the same records; on a text file after all others have written."""
    store, handles = InProcessStore(), list[byheart.Memory]()

    def open_one(**how: Any) -> byheart.Memory:
        where = {"store": store} if request.param == "in process" else {"path": tmp_path / request.param}
        handles.append(byheart.Memory(**where, embedder=EMBEDDER, noise=None, **how))
        return handles[-1]

    yield open_one
    if request.param != "in process":
        for handle in handles:
            handle.close()


def filled(opened: Opener) -> None:
    """Keep a record of the id "a" in two cells, each by a handle that sees nothing of the other."""
    opened(boundary=SECRET).remember("the vault opens at midnight", id="a", boundary_class="secret", created_at=1)
    opened(boundary=OPEN).remember("the kettle is descaled in spring", id="a", created_at=2)


def all_of(memory: byheart.Memory) -> list[tuple[str, str, str]]:
    return [(str(one.id), str(one.boundary_class), one.text) for one in memory.records(boundary=EVERYTHING)]


VAULT = ("a", "secret", "the vault opens at midnight")
KETTLE = ("a", "internal", "the kettle is descaled in spring")


def test_both_are_kept_and_each_handle_finds_its_own(opened: Opener) -> None:
    filled(opened)
    assert all_of(opened()) == [KETTLE, VAULT]
    bounded = opened(boundary=OPEN)
    bounded.embed()  # a text file keeps no vectors
    for profile in ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense", "hybrid", "scoped", "discovery"):
        hits = bounded.recall("when does the kettle or the vault open", profile=profile, now=3).hits
        assert [(hit.id, hit.text) for hit in hits] == [("a", KETTLE[2])], profile
    assert bounded.get("a").text == KETTLE[2] and len(bounded.records()) == bounded.count() == 1
    assert bounded.explain("kettle", "a", now=3).id == "a"
    assert bounded.check() == []


def test_no_column_of_an_answer_tells_of_the_other(opened: Opener) -> None:
    """What is known by id and cell, since another cell has the id too, has its numbers all the same."""
    opened(boundary=OPEN).remember("the kettle is descaled in spring", id="a", created_at=2)

    def columns() -> object:
        bounded = opened(boundary=OPEN)
        return [bounded.recall("kettle", profile=name, now=3).to_dict() for name in ("dense", "hybrid", "discovery")]

    alone = columns()
    opened(boundary=SECRET).remember("the vault opens at midnight", id="a", boundary_class="secret", created_at=1)
    assert columns() == alone


def test_what_is_dropped_is_named_by_its_id(opened: Opener) -> None:
    filled(opened)
    bounded = opened(boundary=OPEN)
    bounded.embed()  # a text file keeps no vectors
    answer = bounded.recall("boat soup rain kettle", profile="hybrid", now=3)
    assert [row.id for row in answer.dropped] == ["a"], "the profile asks more of a hit"


@pytest.mark.parametrize("profile", ["discovery", "aggregates"])
def test_what_is_led_to_is_found_whoever_bears_its_id_elsewhere(opened: Opener, profile: str) -> None:
    """A record that is linked to, or a part of one, is known by id and cell where another cell has the id too."""
    handle = opened(boundary=OPEN)
    handle.remember("the kettle and more", id="all", ku_type="aggregate", child_unit_ids=["a", "b"], links=["a"])
    handle.remember("rice is ready", id="a", created_at=2)
    handle.remember("soup is ready", id="b", created_at=2)
    parts = replace(EscalatingConfig.of("kb-fast"), expand_aggregates=True).profile()
    asked = parts if profile == "aggregates" else profile

    def answer() -> dict[str, object]:
        bounded = opened(boundary=OPEN)
        bounded.embed()  # a text file keeps no vectors
        return bounded.recall("kettle", profile=asked, now=3, k=5, explain=True).to_dict()

    alone = answer()
    assert "a" in {hit["id"] for hit in alone["hits"]}
    opened(boundary=SECRET).remember("the vault opens at midnight", id="a", boundary_class="secret", created_at=1)
    assert answer() == alone


def test_an_owner_recalls_both_under_their_true_id(opened: Opener) -> None:
    filled(opened)
    owner = opened()
    for profile in ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense"):
        recall = owner.recall("kettle vault", profile=profile, boundary=EVERYTHING, now=3, explain=True, k=5)
        assert sorted((hit.id, hit.text) for hit in recall) == [("a", KETTLE[2]), ("a", VAULT[2])], profile
        for hit in recall:
            assert hit.record.id == hit.id and hit.explanation is not None
            assert hit.explanation.id == "a" and hit.explanation.recomputed().hex() == hit.score.hex()
    context = owner.context("kettle vault", 200, boundary=EVERYTHING, now=3)
    assert [entry.id for entry in context.entries] == ["a", "a"]
    assert owner.recall("kettle vault", boundary=EVERYTHING, exclude=["a"], now=3).hits == ()


def test_what_is_remembered_replaces_what_can_be_seen_and_nothing_else(opened: Opener) -> None:
    filled(opened)
    opened(boundary=OPEN).remember("the kettle is new", id="a")
    assert all_of(opened()) == [("a", "internal", "the kettle is new"), VAULT]
    opened(boundary=OPEN).remember("the kettle is public", id="a", boundary_class="public")
    assert all_of(opened()) == [("a", "public", "the kettle is public"), VAULT], "it moved"
    assert opened(boundary=SECRET).get("a").text == VAULT[2]


def test_an_owner_moves_the_one_record_there_is(opened: Opener) -> None:
    owner = opened()
    owner.remember("tea", id="a", scope="s")
    owner.remember("tea again", id="a", boundary_class="pii")
    assert all_of(opened()) == [("a", "pii", "tea again")]
    owner.update("a", boundary=EVERYTHING, scope="t", boundary_class="secret")
    [moved] = opened().records(boundary=EVERYTHING)
    assert (moved.scope, moved.boundary_class, moved.text) == ("t", "secret", "tea again")
    assert opened().recall("tea", profile="dense", boundary=EVERYTHING).hits[0].id == "a", "its vector moved too"
    assert opened().check() == []


def test_ids_that_are_made_do_not_skip_over_hidden_ones(opened: Opener) -> None:
    alone = byheart.Memory(noise=None).remember("tea is at four")
    opened(boundary=SECRET).remember("x", id=alone, boundary_class="secret")
    bounded = opened(boundary=OPEN)
    assert bounded.remember("tea is at four") == alone
    assert bounded.remember("tea is at four") == alone, "said again"
    turns = [bounded.remember("tea is at four", kind="turn") for _ in range(2)]
    assert turns[1] == f"{turns[0]}-2"


def test_an_owner_is_asked_which_one(opened: Opener) -> None:
    filled(opened)
    owner = opened()
    ambiguous: list[Callable[[], object]] = [
        lambda: owner.get("a", boundary=EVERYTHING),
        lambda: owner.get(["a"], boundary=EVERYTHING),
        lambda: owner.version("a", boundary=EVERYTHING),
        lambda: owner.update("a", boundary=EVERYTHING, topic="x"),
        lambda: owner.explain("kettle", "a", boundary=EVERYTHING),
        lambda: owner.expand("a", boundary=EVERYTHING),
        lambda: owner.touch("a", boundary=EVERYTHING),
        lambda: owner.remember("somewhere else", id="a", scope="elsewhere"),
    ]
    for call in ambiguous:
        with pytest.raises(AmbiguousId, match=r"\('project', 'internal'\), \('project', 'secret'\); name one") as error:
            call()
        assert error.value.cells == (HERE, THERE)
        again = pickle.loads(pickle.dumps(error.value))
        assert (str(again), again.cells) == (str(error.value), error.value.cells)
    assert all_of(owner) == [KETTLE, VAULT], "nothing was changed"
    assert owner.get("a").text == KETTLE[2], "the call's own boundary holds one of them"


def test_a_cell_says_which_one(opened: Opener) -> None:
    filled(opened)
    owner = opened()
    assert owner.get("a", boundary=EVERYTHING, cell=THERE).text == VAULT[2]
    assert owner.get(["a", "b"], boundary=EVERYTHING, cell=HERE)[0].text == KETTLE[2]
    named = {"scope": "project", "boundary_class": "secret"}
    owner.update("a", boundary=EVERYTHING, cell=named, topic="vault")
    assert owner.touch("a", boundary=EVERYTHING, cell=THERE, now=9) == 1
    found = owner.get("a", boundary=EVERYTHING, cell=named)
    assert (found.topic, found.access_count) == ("vault", 1)
    other = owner.get("a", cell=HERE)
    assert (other.topic, other.access_count) == (None, 0)
    assert "vault" in str(owner.explain("vault", "a", boundary=EVERYTHING, cell=THERE, now=3))
    with pytest.raises(RecordNotFound):
        owner.get("a", cell=THERE)
    with pytest.raises(DuplicateId, match="another record bears it in the cell"):
        owner.update("a", boundary=EVERYTHING, cell=HERE, boundary_class="secret")
    owner.remember("the vault is closed", id="a", boundary_class="secret")
    assert all_of(opened()) == [KETTLE, ("a", "secret", "the vault is closed")], "its own cell names it"


def test_forgetting_takes_all_that_can_be_seen_and_says_so(opened: Opener) -> None:
    filled(opened)
    receipt = opened().forget("a", boundary=EVERYTHING, dry_run=True)
    assert (receipt.ids, receipt.several) == (("a", "a"), (("a", (HERE, THERE)),))
    bounded = opened(boundary=OPEN).forget(["a", "b"])
    assert (bounded.ids, bounded.missing, bounded.several) == (("a",), ("b",), ())
    assert all_of(opened()) == [VAULT]
    opened(boundary=OPEN).remember("the kettle is descaled in spring", id="a")
    owner = opened()
    assert owner.forget("a", boundary=EVERYTHING, cell=THERE).ids == ("a",)
    assert all_of(opened()) == [KETTLE]
    opened(boundary=SECRET).remember("the vault opens at midnight", id="a", boundary_class="secret")
    assert opened().forget("a", boundary=EVERYTHING).several == (("a", (HERE, THERE)),)
    assert all_of(opened()) == [] and opened().check() == []


def test_one_of_two_that_is_left_is_known_by_its_id_again(opened: Opener) -> None:
    filled(opened)
    owner = opened()
    owner.forget("a", boundary=EVERYTHING, cell=HERE)
    assert owner.explain("vault", "a", boundary=EVERYTHING, now=3).score > 0
    assert owner._engine.indexes["default"].rows() == ["a"]


def test_turns_and_copies_of_one_name_stay_apart(opened: Opener) -> None:
    for boundary in (SECRET, OPEN):
        handle = opened(boundary=boundary)
        said = {"session_id": "s", "user_id": "u", "durable": "all", "now": 5, "boundary_class": boundary["classes"][0]}
        first = handle.ingest_turn("I prefer the window seat on trains.", **said)
        assert first.id == "s:0000000005000" and first.durable_id is not None, "nothing of the other is seen"
        again = handle.ingest_turn("I prefer the aisle seat on trains.", id=first.id, **said)
        assert again.durable_id == first.durable_id
    assert opened().count(boundary=EVERYTHING) == 4
    bounded = opened(boundary=OPEN)
    assert bounded.forget("s:0000000005000").copies == (first.durable_id,)
    left = {(one.boundary_class, one.text) for one in opened().records(boundary=EVERYTHING)}
    assert left == {("secret", "I prefer the aisle seat on trains.")}


def test_a_turn_that_is_said_anew_takes_the_summary_of_the_old_with_it(opened: Opener) -> None:
    memory = opened()
    memory.ingest_turn("my PIN is 4711", session_id="s", id="t1", now=1)
    memory.ingest_turn("the boat leaves at nine", session_id="s", id="t2", now=2)
    [summary] = memory.compact("s", force=True, now=3).summaries
    memory.ingest_turn("never mind", session_id="s", id="t1", now=4)
    assert [one.text for one in opened().records()] == ["never mind", "the boat leaves at nine"]
    with pytest.raises(RecordNotFound):
        memory.expand(summary)


def test_summaries_are_of_the_turns_beside_them(opened: Opener) -> None:
    for boundary in (SECRET, OPEN):
        handle = opened(boundary=boundary)
        for number, text in enumerate(("We meet at one.", "We meet at two.")):
            where = {"boundary_class": boundary["classes"][0], "session_id": "s", "created_at": number}
            handle.remember(f"{text} ({boundary['classes'][0]})", id=f"t{number}", **where)
        [summary] = handle.compact("s", force=True, now=9).summaries
    owner = opened()
    with pytest.raises(AmbiguousId):
        owner.expand(summary, boundary=EVERYTHING)
    behind = owner.expand(summary, boundary=EVERYTHING, cell=THERE)
    assert [turn.text for turn in behind] == ["We meet at one. (secret)", "We meet at two. (secret)"]
    receipt = owner.forget("t0", boundary=EVERYTHING, cell=HERE)
    assert (receipt.ids, receipt.summaries, receipt.released) == (("t0",), (summary,), ("t1",))
    secret = {
        (one.id, one.archived_by) for one in opened().records(boundary=EVERYTHING) if one.boundary_class == "secret"
    }
    assert secret == {("t0", summary), ("t1", summary), (summary, None)}


def test_an_invariant_may_bear_the_id_of_what_cannot_be_seen(opened: Opener) -> None:
    filled(opened)
    with pytest.raises(byheart.errors.InvalidArgument, match="the store has a record with the id 'a'"):
        opened(invariants=[{"id": "a", "text": "Answer in English."}])
    elsewhere = opened(boundary={"scopes": ["other"]}, scope="other", invariants=[{"id": "a", "text": "Be brief."}])
    assert [rule.id for rule in elsewhere.invariants] == ["a"]


def test_both_are_exported_and_imported(opened: Opener, tmp_path: Path) -> None:
    filled(opened)
    assert opened().export_to(tmp_path / "all.jsonl") == 2
    with byheart.Memory(noise=None) as other:
        assert other.import_from(tmp_path / "all.jsonl") == 2
        assert all_of(other) == [KETTLE, VAULT]
        assert other.import_from(tmp_path / "all.jsonl") == 2
        assert all_of(other) == [KETTLE, VAULT]
        other.export_to(tmp_path / "again.jsonl")
    assert (tmp_path / "all.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()
    assert opened(boundary=OPEN).export_to(tmp_path / "mine.jsonl") == 1


def test_a_generation_knows_both(tmp_path: Path) -> None:
    def opened(**how: Any) -> byheart.Memory:
        return byheart.Memory(tmp_path / "memory.db", embedder=EMBEDDER, noise=None, **how)

    filled(opened)
    with opened() as memory:
        before = memory.recall("kettle vault", profile="dense", boundary=EVERYTHING, now=3).to_dict()
        assert memory._engine.indexes.save(at_least=0)
    with opened() as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.recall("kettle vault", profile="dense", boundary=EVERYTHING, now=3).to_dict() == before
        assert memory.check() == []


@pytest.mark.parametrize("id", ["a\x1fproject\x1fsecret", "x" * 512, "\x1f"])
def test_no_id_is_taken_for_the_name_of_a_row(opened: Opener, id: str) -> None:
    filled(opened)
    opened(boundary=SECRET).remember("rice", id=id, boundary_class="secret")
    opened(boundary=OPEN).remember("soup", id=id)
    owner = opened()
    assert {hit.text for hit in owner.recall("rice soup vault", boundary=EVERYTHING, k=9)} >= {"rice", "soup", VAULT[2]}
    assert owner.get(id, boundary=EVERYTHING, cell=THERE).text == "rice"
    assert owner.forget(id, boundary=EVERYTHING).ids == (id, id)
    assert all_of(opened()) == [KETTLE, VAULT]


def test_the_order_in_which_cells_came_changes_no_answer() -> None:
    records = [
        Record(id=id, text=f"tea {number}", scope=scope, boundary_class="internal", created_at=1.0, tenant="default")
        for number, (id, scope) in enumerate([("a", "s"), ("a", "r"), ("b", "s"), ("ab", "t"), ("b", "t")])
    ]
    answers = []
    for order in (records, records[::-1], [*records[2:], *records[:2]]):
        store = InProcessStore()
        store.write(order[:2], [])
        memory = byheart.Memory(store=store)
        store.write(order[2:], [])
        memory._engine.indexes.mark([Key("default", str(one.scope), "internal", str(one.id)) for one in order[2:]])
        answers.append([(hit.id, hit.record.scope, hit.score) for hit in memory.recall("tea", now=2)])
    assert len(answers[0]) == 5 and answers[0] == answers[1] == answers[2]


def test_verbs_of_asyncio_take_a_cell(opened: Opener) -> None:
    filled(opened)
    owner = opened()

    async def both() -> list[Record]:
        return [await owner.aget("a", boundary=EVERYTHING, cell=cell) for cell in (HERE, THERE)]

    assert [one.text for one in asyncio.run(both())] == [KETTLE[2], VAULT[2]]


def test_a_text_file_tells_what_others_wrote_when_it_is_met(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    with byheart.Memory(path, noise=None) as one, byheart.Memory(path, noise=None) as two:
        assert one.remember("tea is at four", user_id="ann") != two.remember("tea is at four", user_id="bob")
        one.remember("rice", id="x")
        two.remember("rice again", id="x")
        one.update("x", topic="food")
    assert {record.id: (record.text, record.topic) for record in JsonlStore(path).load()}["x"] == ("rice again", "food")
