"""Changing, expiring, listing, exporting and importing records, and the verbs for asyncio."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import (
    BoundaryViolation,
    CorruptRecord,
    InvalidArgument,
    LimitExceeded,
    RecordNotFound,
    UnknownField,
)
from byheart.storage import InProcessStore

KINDS = ["in process", "memory.jsonl", "memory.db"]


class Counting(HashingEmbedder):
    """Notes which texts were embedded as documents."""

    def __init__(self) -> None:
        super().__init__(16)
        self.seen: list[str] = []

    def embed_documents(self, texts):
        self.seen.extend(texts)
        return super().embed_documents(texts)


@pytest.fixture(params=KINDS)
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path | None:
    return None if request.param == KINDS[0] else tmp_path / request.param


@pytest.fixture
def memory(path: Path | None) -> Iterator[byheart.Memory]:
    with byheart.Memory(path, embedder=Counting(), noise=None) as opened:
        yield opened


def record(memory: byheart.Memory, id: str) -> byheart.Record:
    [found] = [record for record in memory.records() if record.id == id]
    return found


# ---- update


def test_an_update_changes_what_it_names_and_no_more(memory: byheart.Memory) -> None:
    memory.remember("tea", id="x", topic="kitchen", importance=0.5, created_at=60, metadata={"a": 1})
    before = time.time()
    assert memory.update("x", topic="garden", metadata={"b": 2}) == "x"
    changed = record(memory, "x")
    assert (changed.text, changed.topic, changed.importance, changed.metadata) == ("tea", "garden", 0.5, {"b": 2})
    assert changed.created_at == 60
    assert before <= changed.updated_at <= time.time()
    memory.update("x", importance=None, updated_at=90)
    assert (record(memory, "x").importance, record(memory, "x").updated_at) == (None, 90)
    assert [hit.id for hit in memory.recall("garden")] == ["x"]
    assert not memory.recall("kitchen", profile="kb-fast").hits


def test_a_vector_is_made_anew_only_where_the_text_has_changed(memory: byheart.Memory) -> None:
    memory.remember_many([{"id": "x", "text": "kettle"}, {"id": "y", "text": "rice"}])
    first = memory.recall("kettle", profile="dense").hits[0]
    seen = memory._engine.embedder.seen
    seen.clear()
    memory.update("x", importance=0.9)
    assert seen == []
    assert memory.stats()["vectors"] == 2
    memory.update("x", topic="kitchen")
    assert seen == ["kitchen\nkettle"], "a vector is made of title and text"
    memory.update("x", topic=None, text="a pot of soup")
    assert seen[1:] == ["a pot of soup"]
    memory.update("x", text="kettle")
    again = memory.recall("kettle", profile="dense").hits[0]
    assert (again.id, again.score.hex()) == (first.id, first.score.hex())
    memory.update("x", text="a pot of soup")
    assert memory.recall("pot soup", profile="dense").hits[0].id == "x"


def test_a_vector_outlives_an_update_without_an_embedder_that_leaves_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
        memory.remember("kettle", id="x")
    with byheart.Memory(path) as memory:
        memory.update("x", importance=0.9)
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
        assert memory.stats()["vectors"] == 1
    for changes in ({"topic": "kitchen"}, {"text": "a pot of rice"}):
        with byheart.Memory(path) as memory:
            memory.update("x", **changes)
        with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
            assert memory.stats()["vectors"] == 0, "a vector of the old title or text is not kept"
            assert memory.embed().made == 1


def test_a_text_that_stood_for_a_claim_follows_it(memory: byheart.Memory) -> None:
    memory.remember({"id": "x", "claim": "tea is green"})
    memory.remember({"id": "y", "claim": "tea is green", "text": "They say that tea is green."})
    for id in "xy":
        memory.update(id, claim="tea is black")
    assert [record(memory, id).text for id in "xy"] == ["tea is black", "They say that tea is green."]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, InvalidArgument),
        ({"tenant": "other"}, InvalidArgument),
        ({"created_at": 1}, InvalidArgument),
        ({"createdAt": 1}, InvalidArgument),
        ({"scope": None}, InvalidArgument),
        ({"boundary_class": None}, InvalidArgument),
        ({"text": None}, InvalidArgument),
        ({"text": ""}, InvalidArgument),
        ({"importance": 2}, InvalidArgument),
        ({"subject": "half a fact"}, InvalidArgument),
        ({"subject": "a", "relation": "unheard_of", "object": "b"}, InvalidArgument),
        ({"colour": "red"}, UnknownField),
        ({"text": "x" * 10_000_001}, LimitExceeded),
        ({"text": 7}, TypeError),
    ],
    ids=lambda value: next(iter(value), "nothing") if isinstance(value, dict) else value.__name__,
)
def test_an_update_that_cannot_be_made_changes_nothing(
    memory: byheart.Memory, changes: dict[str, object], kind: type[Exception]
) -> None:
    memory.remember("tea", id="x", boundary_class="public")
    before = record(memory, "x")
    with pytest.raises(kind):
        memory.update("x", **changes)
    assert record(memory, "x") == before


def test_an_update_stays_inside_the_boundary(path: Path | None) -> None:
    store = InProcessStore()
    whole = byheart.Memory(store=store)
    whole.remember("door code", id="x", boundary_class="secret")
    narrow = byheart.Memory(store=store, boundary={"scopes": ["project"]})
    for memory, id in ((whole, "x"), (narrow, "x"), (narrow, "absent")):
        with pytest.raises(RecordNotFound, match="lies inside the boundary"):
            memory.update(id, topic="door")
    whole.update("x", boundary={"classes": ["secret"]}, topic="door")
    narrow.remember("green tea", id="y")
    for changes in ({"boundary_class": "secret"}, {"scope": "elsewhere"}):
        with pytest.raises(BoundaryViolation):
            narrow.update("y", **changes)
    assert [(one.id, one.topic) for one in whole.records(boundary={"classes": ["secret"]})] == [("x", "door")]


def test_a_source_replaces_only_what_it_said_inside_the_boundary() -> None:
    store = InProcessStore()

    def said(id: str, **fields: object) -> byheart.Record:
        return byheart.Record(id=id, text="tea", provenance={"source_name": "a.md"}, **fields)

    first = byheart.Memory(store=store)
    first.remember_many([said("p", boundary_class="public"), said("s", boundary_class="secret"), said("o", tenant="o")])
    narrow = byheart.Memory(store=store, boundary={"classes": ["public"]})
    assert narrow.replace_sources({"a.md": [said("new", boundary_class="public")]}) == ["new"]
    whole = byheart.Memory(store=store)
    assert [one.id for one in whole.records(boundary={"classes": ["public", "secret"]})] == ["new", "s"]
    assert [one.id for one in whole.records(boundary={"tenant": "o"})] == ["o"]
    with pytest.raises(InvalidArgument, match="another source_name"):
        whole.replace_sources({"b.md": [said("x")]})
    assert whole.replace_sources({"a.md": []}) == []
    assert whole.tenants() == ["o"], "what it said to this memory's own tenant is gone"


# ---- purge, dry run


def test_what_has_expired_is_purged(memory: byheart.Memory) -> None:
    ends = {"a": 60, "b": 61, "c": None}
    memory.remember_many([{"id": id, "text": "tea", "expires_at": end} for id, end in ends.items()])
    memory.remember("tea", id="a", tenant="other", boundary_class="secret", expires_at=30)
    assert memory.purge(now=59).ids == ("a",), "of all tenants and classes"
    assert memory.purge(now=60).ids == ("a",), "at its very end, as a recall has it"
    assert [hit.id for hit in memory.recall("tea", now=60)] == ["b"], "and c says the same"
    assert (memory.purge().ids, memory.purge().ids) == (("b",), ())
    assert [one.id for one in memory.records()] == ["c"]
    for soon, error in (("soon", InvalidArgument), ([1], TypeError)):
        with pytest.raises(error, match="now"):
            memory.purge(now=soon)


def test_a_purge_stays_inside_the_boundary_of_the_memory() -> None:
    store = InProcessStore()
    whole = byheart.Memory(store=store)
    whole.remember_many([{"id": f"{kind}", "text": "x", "boundary_class": kind, "expires_at": 1}
                         for kind in ("public", "secret")])  # fmt: skip
    whole.remember("soon over", tenant="other", id="o", expires_at=1)
    assert byheart.Memory(store=store, boundary={"classes": ["public"]}).purge().ids == ("public",)
    assert byheart.Memory(store=store).purge().ids == ("o", "secret")


def test_a_purge_erases_generations_as_forgetting_does(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many([{"id": f"r{n}", "text": f"canary{n}"} for n in range(1_100)])
        memory.remember("birdsong", id="x", expires_at=1)
    [generation] = (tmp_path / "memory.db.byheart-indexes").glob("generation-*")
    with byheart.Memory(path) as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.purge().files == (generation.name,)
        assert memory.purge().files == ()
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"birdsong" in file.read_bytes()]


def test_a_dry_run_forgets_nothing_and_says_what_would_go(memory: byheart.Memory) -> None:
    memory.remember_many([{"id": id, "text": "tea", "topic": "kitchen"} for id in "abc"])
    assert memory.forget(where={"topic": "kitchen"}, dry_run=True).ids == ("a", "b", "c")
    tried = memory.forget(["a", "z"], dry_run=True)
    assert (tried.ids, tried.missing, tried.files) == (("a",), ("z",), ())
    assert memory.stats()["records"] == 3


def test_many_ids_can_be_forgotten_at_once() -> None:
    memory = byheart.Memory()
    memory.remember_many([{"id": f"r{n}", "text": "tea"} for n in range(5_000)])
    assert len(memory.forget([f"r{n}" for n in range(5_000)]).ids) == 5_000
    with pytest.raises(LimitExceeded, match="ids"):
        memory.forget(["x"] * 1_000_001)


# ---- records, tenants, export, import


def test_records_and_tenants_are_those_inside(memory: byheart.Memory) -> None:
    memory.remember_many([{"id": "b", "text": "rice"}, {"id": "a", "text": "tea", "expires_at": 1}])
    memory.remember("code", id="c", boundary_class="secret")
    memory.remember("code", id="d", boundary_class="secret", tenant="other")
    assert [one.id for one in memory.records()] == ["a", "b"]
    assert [one.id for one in memory.records(boundary={"classes": ["secret"]})] == ["c"]
    assert [one.id for one in memory.records(boundary={"tenant": "other"})] == []
    assert memory.tenants() == ["default", "other"]


def test_a_narrow_memory_knows_no_other_tenants() -> None:
    store = InProcessStore()
    byheart.Memory(store=store).remember("door code", id="c", boundary_class="secret")
    assert byheart.Memory(store=store, boundary={"tenant": "default"}).tenants() == []


def test_an_export_comes_back_byte_for_byte(memory: byheart.Memory, tmp_path: Path) -> None:
    memory.remember_many([{"id": f"r{n}", "text": f"tea {n}", "tenant": f"t{n % 3}", "importance": 0.1 * n,
                           "boundary_class": ("public", "secret")[n % 2], "metadata": {"für": [n, None]}}
                          for n in range(9)])  # fmt: skip
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert memory.export_to(first) == 9
    with byheart.Memory(tmp_path / "copy.db", embedder=Counting()) as copy:
        assert copy.import_from(first) == 9
        assert copy.stats(boundary={"tenant": "t0"})["vectors"] == 2
        copy.export_to(second)
    assert second.read_bytes() == first.read_bytes()
    assert not list(tmp_path.glob("first.jsonl.*"))
    with pytest.raises(InvalidArgument, match="exists"):
        memory.export_to(first)


def test_an_export_does_not_leave_the_boundary_of_the_memory(tmp_path: Path) -> None:
    store, alone = InProcessStore(), InProcessStore()
    inside = [{"id": f"r{n}", "text": "tea", "created_at": 1} for n in range(3)]
    byheart.Memory(store=store).remember_many([*inside, {"id": "s", "text": "code", "boundary_class": "secret"}])
    byheart.Memory(store=store).remember("elsewhere", tenant="other")
    byheart.Memory(store=alone).remember_many(inside)
    files = []
    for number, one in enumerate((store, alone)):
        files.append(tmp_path / f"{number}.jsonl")
        assert byheart.Memory(store=one, boundary={"tenant": "default"}).export_to(files[-1]) == 3
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_memory_file_is_no_import_and_says_how_it_is_moved(memory: byheart.Memory, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with byheart.Memory(other) as first:
        first.remember("tea", id="tea")
    told = r"other\.db is a memory.*export_to.*`byheart export all\.jsonl -m other\.db`, then import that file"
    with pytest.raises(InvalidArgument, match=told):
        memory.import_from(other)
    with byheart.Memory(other) as first:
        first.export_to(tmp_path / "other.jsonl")
    assert memory.import_from(tmp_path / "other.jsonl") == 1, "as it says"
    with pytest.raises(CorruptRecord, match="not JSON"):
        memory.import_from(_written(tmp_path / "else.db", b"SQLite format 3\0" + b"\xff" * 100))


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_an_import_is_all_or_nothing_and_stays_inside(memory: byheart.Memory, tmp_path: Path) -> None:
    file = tmp_path / "given.jsonl"
    memory.remember_many([{"id": "a", "text": "tea"}, {"id": "b", "text": "code", "boundary_class": "secret"}])
    memory.export_to(file)
    narrow = byheart.Memory(boundary={"tenant": "default"})
    with pytest.raises(BoundaryViolation):
        narrow.import_from(file)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:-1], b"{}\n"]))
    for target in (narrow, memory):
        with pytest.raises(CorruptRecord, match="line 3"):
            target.import_from(file)
    with pytest.raises(InvalidArgument, match="does not exist"):
        memory.import_from(tmp_path / "absent.jsonl")
    assert (narrow.records(), len(memory.records())) == ([], 1)


# ---- coroutines


def test_the_verbs_work_under_asyncio(memory: byheart.Memory) -> None:
    async def work() -> None:
        assert await memory.aremember("Steep the tea.", id="tea") == "tea"
        assert await memory.aremember_many(["Rinse the rice.", "Boil water."]) != []
        assert await memory.aupdate("tea", topic="kitchen") == "tea"
        answers = await asyncio.gather(*(memory.arecall("steep tea", k=1) for _ in range(8)))
        assert {answer.hits[0].id for answer in answers} == {"tea"}
        assert (await memory.aexplain("steep tea", "tea")).score == answers[0].hits[0].score
        assert (await memory.aforget(["tea"])).ids == ("tea",)
        with pytest.raises(RecordNotFound):
            await memory.aexplain("steep tea", "tea")

    asyncio.run(work())


def test_the_verbs_are_methods_of_one_class() -> None:
    assert byheart.Memory.__mro__ == (byheart.Memory, object)
    verbs = {name: verb for name, verb in vars(byheart.Memory).items() if callable(verb) and name[0] != "_"}
    assert len(verbs) > 40
    for name, verb in verbs.items():
        own = name if name not in ("delete", "adelete") else name.replace("delete", "forget")  # one verb, two names
        assert (verb.__module__, verb.__qualname__) == (byheart.Memory.__module__, f"Memory.{own}")
        assert verb.__doc__
    with pytest.raises(TypeError, match=r"^Memory\.touch\(\) missing"):
        byheart.Memory().touch()


def test_a_coroutine_says_what_it_is() -> None:
    assert byheart.Memory.arecall.__qualname__ == "Memory.arecall"
    assert "As `recall`" in str(byheart.Memory.arecall.__doc__)


class Slow(HashingEmbedder):
    """Waits in the middle of a call until it is let go, and says that it has begun."""

    def __init__(self) -> None:
        super().__init__(16)
        self.begun, self.go = threading.Event(), threading.Event()

    def embed_documents(self, texts):
        self.begun.set()
        assert self.go.wait(60)
        return super().embed_documents(texts)


def test_a_cancelled_call_is_done_whole_and_the_loop_goes_on(path: Path | None) -> None:
    embedder = Slow()
    with byheart.Memory(path, embedder=embedder) as memory:

        async def work() -> None:
            call = asyncio.create_task(memory.aremember_many([{"id": id, "text": "tea"} for id in "ab"]))
            while not embedder.begun.is_set():  # the loop runs while the call waits
                await asyncio.sleep(0.001)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            embedder.go.set()

        asyncio.run(work())  # waits for the thread
        assert [one.id for one in memory.records()] == ["a", "b"]
        assert memory.stats()["vectors"] == 2
        assert memory.check() == []
