"""Damage to one record: it is set aside and named to those who may see it, and everything else goes on as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory, Record
from byheart.cli import main
from byheart.embedding import HashingEmbedder
from byheart.errors import CorruptRecord, CorruptStore, LimitExceeded
from byheart.index.partition import Partition
from byheart.storage import InProcessStore, open_store
from byheart.storage.sqlite import SqliteStore

from .damaged_file import KINDS, MINE, SECRET, THEIRS, damaged, filled, flipped, memory_name


def answers(memory: Memory) -> list[Any]:
    """Return what a tenant sees of its own."""
    told = [memory.recall(query, boundary=MINE, profile=name).to_dict() for query in ("tea", "payroll")
            for name in ("kb-balanced", "kb-thinkingdb", "kb-fast")]  # fmt: skip
    for each in told:
        each.pop("timings", None)
    return [told, [record.text for record in memory.records(boundary=MINE)], memory.stats(boundary=MINE)]


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_bounded_elsewhere_sees_no_difference(tmp_path: Path, kind: str) -> None:
    (tmp_path / "whole").mkdir()
    with (
        Memory(filled(tmp_path / "whole", kind), boundary=MINE, tenant="a", noise=None) as whole,
        Memory(damaged(tmp_path, kind), boundary=MINE, tenant="a", noise=None) as memory,
    ):
        assert answers(memory) == answers(whole)
        assert memory.check() == []
        for told in (memory.opened, repr(memory.recall("tea").degraded), repr(memory.forget("theirs"))):
            assert "payroll" not in told
            assert "damaged" not in told.replace("damaged=()", "")
        assert memory.remember("more tea", id="theirs") == "theirs", "it is another record, of another cell"
        assert memory.export_to(tmp_path / "out.jsonl") == 3
        assert memory.check(repair=True) == []
        memory.rebuild()
        assert memory.forget(["mine", "theirs"]).ids == ("mine", "theirs")
    with Memory(tmp_path / memory_name(kind)) as owner:
        assert [each.key.id for each in owner.check() if each.key] == ["theirs"], "it lies there still"


@pytest.mark.parametrize("kind", KINDS)
def test_an_owner_goes_on_and_is_told(tmp_path: Path, kind: str) -> None:
    path = damaged(tmp_path, kind)
    broken = b"ecret payroll words"
    with Memory(path, noise=None) as memory:
        assert [hit.id for hit in memory.recall("payroll", boundary=THEIRS).hits] == ["other"]
        assert memory.recall("payroll", boundary=THEIRS).degraded == (
            "record 'theirs' is damaged and set aside; forget it",
        )
        assert "set aside, since it is damaged: 1 ('theirs' of tenant 'b')" in memory.opened
        assert {hit.id for hit in memory.recall("tea", boundary=MINE).hits} == {"mine", "too"}
        assert memory.recall("tea", boundary=MINE).degraded == ()
        assert [each.key.id for each in memory.check() if each.key] == ["theirs"]
        assert memory.export_to(tmp_path / "out.jsonl") == 3
        memory.rebuild()
        memory.remember("rice", id="new", tenant="b", boundary_class="secret")
        memory.update("other", topic="pay", boundary=THEIRS)
        assert memory.forget(where={"topic": "pay"}, boundary=THEIRS).ids == ("other",)
        for overwriting in (
            lambda: memory.remember("other words", id="theirs", tenant="b", boundary_class="secret"),
            lambda: memory.get("theirs", boundary=THEIRS),
        ):
            with pytest.raises(CorruptRecord, match="record 'theirs' is damaged and set aside; forget it"):
                overwriting()
        assert broken in path.read_bytes(), "nothing was written over it"
        memory.close()
    with Memory(path, noise=None) as memory:
        assert memory.forget("theirs", boundary=THEIRS).ids == ("theirs",)
        assert broken not in path.read_bytes()
        assert (memory.check(), "set aside" in memory.opened) == ([], False)
        memory.remember("said again", id="theirs", tenant="b", boundary_class="secret")
        assert memory.get("theirs", boundary=THEIRS).text == "said again"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bounded", [True, False])
def test_repair_removes_it_for_good_and_nothing_else(tmp_path: Path, kind: str, bounded: bool) -> None:
    path = damaged(tmp_path, kind)
    with Memory(path, boundary=THEIRS, tenant="b") if bounded else Memory(path) as memory:
        assert [each.key.id for each in memory.check(repair=True) if each.key] == ["theirs"]
        assert memory.check() == []
    with Memory(path) as memory:
        assert memory.check() == []
        assert memory.count(boundary=MINE), memory.count(boundary=THEIRS) == (2, 1)
    left = [file.name for file in tmp_path.rglob("*") if file.is_file() and b"ecret payroll words" in file.read_bytes()]
    assert left == []


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_repair_by_the_command(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = damaged(tmp_path, kind)

    def run(*arguments: str) -> tuple[int, str]:
        code = main([*arguments, "--memory", str(path)])
        return code, "".join(capsys.readouterr())

    code, said = run("check")
    assert (code, "1 problem found" in said) == (1, True)
    assert run("recall", "tea", "--tenant", "a")[0] == 0
    code, said = run("export", str(tmp_path / "out.jsonl"))
    assert (code, "left out: set aside, since it is damaged: 1 ('theirs' of tenant 'b')" in said) == (1, True), said
    code, said = run("backup", str(tmp_path / f"copy.{path.name}"))
    told = "copied as it is: set aside, since it is damaged: 1 ('theirs' of tenant 'b')"
    assert (code, told in said) == (1, True), said
    assert "written to" in said and (tmp_path / f"copy.{path.name}").exists(), "it is a backup all the same"
    code, said = run("check", "--repair")
    assert run("backup", str(tmp_path / f"whole.{path.name}"))[0] == 0
    assert (code, "1 problem repaired" in said) == (0, True), said
    assert run("check") == (0, "all is well\n")


POSITIONS = [*range(0, len(SECRET), 5), -180, -90, -60, -30]


@pytest.mark.parametrize("at", POSITIONS)
@pytest.mark.parametrize("bit", [0, 5])
def test_any_bit_of_a_row(tmp_path: Path, at: int, bit: int) -> None:
    """Wherever it lies in the row: the others are found, and a repair leaves a file that is sound."""
    path = damaged(tmp_path, "sqlite", flipped(SECRET.encode(), at, bit))
    with Memory(path, boundary=MINE, tenant="a") as memory:
        assert {hit.id for hit in memory.recall("tea").hits} == {"mine", "too"}
        assert memory.check() == []
    with Memory(path) as memory:
        assert memory.check() != []
        [left] = memory.records(boundary=THEIRS)
        memory.remember("more tea", tenant="a")
        memory.check(repair=True)
        assert memory.check() == []
        assert memory.records(boundary=THEIRS) == [left]
        assert memory.count(boundary=MINE) == 3


def test_what_sqlite_cannot_read_is_not_repaired_and_the_rest_can_be_exported(tmp_path: Path) -> None:
    """The bit says where a row's columns begin: SQLite finds the page malformed."""
    path = damaged(tmp_path, "sqlite", flipped(SECRET.encode(), -120, 0))
    with Memory(path) as memory:
        assert {hit.id for hit in memory.recall("tea", boundary=MINE).hits} == {"mine", "too"}
        assert memory.check() != []
        with pytest.raises(CorruptStore, match="SQLITE_CORRUPT"):
            memory.check(repair=True)
        assert {record.id for record in memory.records(boundary=MINE)} == {"mine", "too"}
        left = memory.export_to(tmp_path / "out.jsonl")
    with Memory(tmp_path / "new.db") as memory:
        assert memory.import_from(tmp_path / "out.jsonl") == left == 3
        assert memory.check() == []


def test_a_key_that_is_not_certain_is_told_to_the_owner_alone(tmp_path: Path) -> None:
    """The tenant's column reads "a" by damage; its content says "b"."""
    path = filled(tmp_path, "sqlite")
    with SqliteStore(path) as store, store._session.written() as connection:
        connection.execute("UPDATE claims SET tenant = 'a', boundary_class = 'public' WHERE id = 'theirs'")
    with Memory(path, boundary=MINE, tenant="a") as memory:
        assert memory.check() == []
        assert "set aside" not in memory.opened
        assert memory.recall("tea").degraded == ()
        assert memory.forget("theirs").ids == ()
    with Memory(path) as memory:
        assert [(each.key.id, each.sure) for each in memory.check() if each.key] == [("theirs", False)]
        assert memory.recall("tea", boundary=MINE).degraded == ()
        assert memory.forget("theirs", boundary=MINE).ids == ("theirs",)
        assert memory.check() == []


def test_a_row_that_was_lost_is_told_and_repaired(tmp_path: Path) -> None:
    path = filled(tmp_path, "sqlite")
    with SqliteStore(path) as store, store._session.written() as connection:
        connection.execute("DELETE FROM claims WHERE id = 'theirs'")
    with Memory(path) as memory:
        assert {hit.id for hit in memory.recall("tea", boundary=MINE).hits} == {"mine", "too"}
        memory.remember("more tea", tenant="a")
        assert memory.check()
        memory.check(repair=True)
        assert memory.check() == []
        assert memory.count(boundary=MINE) == 3


def test_a_damaged_vector_costs_that_vector(tmp_path: Path) -> None:
    embedder = HashingEmbedder(16)
    path = tmp_path / "memory.db"
    with Memory(path, embedder=embedder) as memory:
        memory.remember_many([{"id": "a", "text": "a cup of tea"}, {"id": "b", "text": "a bowl of rice"}])
    with SqliteStore(path) as store, store._session.written() as connection:
        connection.execute(
            "UPDATE claim_vectors SET embedding = zeroblob(64) WHERE number = (SELECT max(number) FROM claim_vectors)"
        )
    with Memory(path, embedder=embedder) as memory:
        assert [hit.id for hit in memory.recall("tea", profile="dense").hits][:1] == ["a"]
        assert memory.count() == 2
        assert [each.where for each in memory.check()] == ["claim_vectors"]
        assert memory.embed().made == 1
        assert memory.check() == []


@pytest.mark.parametrize("path", [None, "memory.db", "memory.jsonl"])
def test_a_record_that_no_index_takes_in_is_set_aside(
    tmp_path: Path, path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = Partition._put

    def refuses(self: Partition, records: list[Record], embeddings: list[bytes | None], *made: Any) -> None:
        if any(record.text == "too much" for record in records):
            raise LimitExceeded("terms: 9 are over the limit of 8")
        put(self, records, embeddings, *made)

    monkeypatch.setattr(Partition, "_put", refuses)
    with Memory(None if path is None else tmp_path / path, noise=None) as memory:
        memory.remember_many(
            [{"id": "a", "text": "tea"}, {"id": "big", "text": "too much"}, {"id": "c", "text": "tea!"}]
        )
        assert {record.id for record in memory.records()} == {"a", "c"}
        assert memory.recall("tea").degraded == ("record 'big' is damaged and set aside; forget it",)
        [problem] = memory.check()
        assert (problem.where, problem.key.id if problem.key else "") == ("index", "big")
        assert "cannot be indexed (terms: 9 are over the limit of 8)" in problem.message
        memory.remember("rice", id="d")
        memory.rebuild()
        assert {record.id for record in memory.records()} == {"a", "c", "d"}
        assert memory.forget("big").ids == ("big",)
        assert memory.check() == []
        memory.remember("too much", id="big")
        assert len(memory.check(repair=True)) == 1
        assert memory.check() == []
        memory.remember("enough", id="big")
        assert memory.get("big").text == "enough"


def test_where_nothing_can_be_indexed_all_is_set_aside_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose fault that is nobody can tell; to raise it would have every other tenant's calls fail."""

    def refuses(self: Partition, records: list[Record], embeddings: list[bytes | None], *made: Any) -> None:
        raise LimitExceeded("nothing is taken in")

    with Memory() as memory:
        with monkeypatch.context() as patched:
            patched.setattr(Partition, "_put", refuses)
            ids = memory.remember_many(["tea", "rice"])
            assert [each.key.id for each in memory.check() if each.key] == sorted(ids)
            assert "nothing is taken in" in memory.check()[0].message and not memory.recall("tea")
        memory.rebuild()
        assert [hit.text for hit in memory.recall("tea")] == ["tea"] and memory.check() == []


@pytest.mark.parametrize("changes", [
    {"text": "other words"}, {"tags": ["hot"]}, {"session_id": "s"}, {"archived_by": "x"}, {"importance": 0.5},
    {"metadata": {"room": "kitchen"}}, {"expires_at": 9e9},
])  # fmt: skip
def test_a_check_compares_what_the_indexes_hold(changes: dict[str, Any]) -> None:
    with Memory(embedder=HashingEmbedder(16)) as memory:
        stored = {"text": "a cup of tea", "tags": ["cold"], "metadata": {"room": "hall"}, "importance": 0.1,
                  "session_id": "t", "expires_at": 8e9}  # fmt: skip
        memory.remember_many([{"id": "a", **stored}, {"id": "b", "text": "rice"}])
        assert memory.check() == []
        record = memory.get("a").completed(**changes)
        partition = memory._engine.indexes["default"]
        partition.put([record], [partition.vectors(["a"])[0].tobytes()])
        assert [(each.where, each.key.id if each.key else "") for each in memory.check()] == [("index", "a")]
        memory.rebuild()
        assert memory.check() == []


def test_a_check_compares_vectors_too() -> None:
    with Memory(embedder=HashingEmbedder(16)) as memory:
        memory.remember_many([{"id": "a", "text": "tea"}, {"id": "b", "text": "rice"}])
        partition = memory._engine.indexes["default"]
        partition.put([memory.get("a")], [partition.vectors(["b"])[0].tobytes()])
        assert [each.key.id for each in memory.check() if each.key] == ["a"]
        partition.put([memory.get("a")], [None])
        assert [each.key.id for each in memory.check() if each.key] == ["a"]


def test_damage_that_comes_under_an_open_handle(tmp_path: Path) -> None:
    path = filled(tmp_path, "sqlite with saved indexes")
    with Memory(path) as memory:
        with SqliteStore(path) as other, other._session.written() as connection:
            connection.execute("UPDATE claims SET content = replace(content, 'payroll', 'Payroll') WHERE id = 'theirs'")
        assert {hit.id for hit in memory.recall("secret payroll", boundary=THEIRS).hits} == {"other"}
        assert memory.recall("payroll", boundary=THEIRS).degraded
        assert memory.forget("theirs", boundary=THEIRS).ids == ("theirs",)
        assert memory.check() == []


def test_a_text_file_keeps_a_damaged_line_byte_for_byte(tmp_path: Path) -> None:
    path = damaged(tmp_path, "jsonl")
    [line] = [each for each in path.read_bytes().splitlines(keepends=True) if b"payroll words" in each]
    with Memory(path, noise=None) as memory:
        for number in range(3):
            memory.remember(f"tea {number}", tenant="a")
        memory.forget("too", boundary=MINE)
    assert line in path.read_bytes().splitlines(keepends=True)
    head = json.loads(path.read_bytes().splitlines()[0])
    assert head["records"] == len(path.read_bytes().splitlines()) - 1


def test_a_text_file_goes_on_saying_that_lines_were_lost(tmp_path: Path) -> None:
    path = filled(tmp_path, "jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with Memory(path, noise=None) as memory:
        memory.remember("more tea", tenant="a")
    with Memory(path, noise=None) as memory:
        [problem] = memory.check()
        assert "4 records, but line 1 says 5" in problem.message
        assert len(memory.check(repair=True)) == 1
        assert memory.check() == []


def test_a_generation_lacks_what_is_set_aside_and_is_used_all_the_same(tmp_path: Path) -> None:
    path = damaged(tmp_path, "sqlite")
    with Memory(path) as memory:
        assert memory._engine.indexes.save(at_least=0)
    with Memory(path) as memory:
        assert memory.opened.startswith("opened generation ")
        assert "1 ('theirs' of tenant 'b')" in memory.opened
        assert {record.id for record in memory.records(boundary=THEIRS)} == {"other"}


def test_a_generation_that_lacks_what_is_sound_is_not_used(tmp_path: Path) -> None:
    path = filled(tmp_path, "sqlite with saved indexes")
    with Memory(path) as memory:
        indexes = memory._engine.indexes
        store = indexes._durable
        assert store is not None
        indexes["b"].remove([("theirs", ("project", "secret"))])
        assert not indexes._holds_what_is_stored(store)
        assert indexes._holds_what_is_stored(store), "it was taken in meanwhile"


def line_of(path: Path, mark: bytes) -> bytes:
    [found] = [line for line in path.read_bytes().splitlines(keepends=True) if mark in line]
    return found


@pytest.mark.parametrize("how", ["damaged", "without a key", "doubled"])
def test_damage_under_an_open_text_file_is_followed_and_so_is_its_repair(tmp_path: Path, how: str) -> None:
    path = filled(tmp_path, "jsonl")
    theirs = line_of(path, SECRET.encode())
    written = {
        "damaged": theirs.replace(b"payroll", b"payr\xefll"),
        "without a key": b'{"id": "th\n',
        "doubled": theirs + theirs,
    }[how]
    sound = 4 if how == "doubled" else 3
    with Memory(path) as memory, Memory(path) as other, Memory(path, boundary=MINE, tenant="a") as elsewhere:
        assert (other.check(), "set aside" in other.opened) == ([], False)
        path.write_bytes(path.read_bytes().replace(theirs, written))
        for each in (memory, other):
            assert {hit.id for hit in each.recall("tea", boundary=MINE).hits} == {"mine", "too"}
            assert each.export_to(tmp_path / f"{id(each)}.jsonl") == sound
            assert "set aside, since it is damaged: " in each.opened
            assert each.check() != []
        assert elsewhere.remember("a bowl of rice", id="rice") == "rice", "others write on, and keep what is damaged"
        assert (elsewhere.check(), "set aside" in elsewhere.opened) == ([], False)
        assert other.check() != []
        memory.check(repair=True)
        for each in (memory, other):
            assert each.check() == []
            assert each.count(boundary=MINE) + each.count(boundary=THEIRS) == sound + 1
            assert "set aside" not in each.opened


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_bounded_is_told_of_its_own(tmp_path: Path, kind: str) -> None:
    with Memory(damaged(tmp_path, kind), boundary=THEIRS, tenant="b") as memory:
        assert [hit.id for hit in memory.recall("payroll").hits] == ["other"], (
            "saved indexes learn of it when they read"
        )
        assert memory.opened.endswith("; set aside, since it is damaged: 1 ('theirs' of tenant 'b'); `check` says more")
        assert [each.key.id for each in memory.check() if each.key] == ["theirs"]


def test_a_repair_inside_a_boundary_keeps_a_record_whose_vector_is_damaged(tmp_path: Path) -> None:
    path, embedder = tmp_path / "memory.db", HashingEmbedder(16)
    with Memory(path, embedder=embedder) as memory:
        memory.remember_many([{"id": "a", "text": "a cup of tea"}, {"id": "b", "text": "a bowl of rice"}])
    with SqliteStore(path) as store, store._session.written() as connection:
        connection.execute(
            "UPDATE claim_vectors SET embedding = zeroblob(64) WHERE number = (SELECT max(number) FROM claim_vectors)"
        )
    with Memory(path, embedder=embedder, boundary={"tenant": "default"}) as memory:
        memory.check(repair=True)
        assert sorted(record.id or "" for record in memory.records()) == ["a", "b"]


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_are_made_of_what_is_sound(tmp_path: Path, kind: str) -> None:
    with Memory(damaged(tmp_path, kind)) as memory:
        assert memory.embed(HashingEmbedder(16)).made == 3
        assert [hit.id for hit in memory.recall("payroll", boundary=THEIRS, profile="dense").hits] == ["other"]


@pytest.mark.parametrize("kind", ["in process", "memory.jsonl", "memory.db"])
@pytest.mark.parametrize("value", [None, [], {}, ()])
def test_records_of_a_tenant_none_of_which_can_be_indexed_are_no_matter_of_others(
    kind: str, value: object, tmp_path: Path
) -> None:
    store = InProcessStore() if kind == "in process" else open_store(tmp_path / kind)
    memory = Memory(store=store)
    memory.remember("Ann lives in Oslo.", id="b")
    wrong = [Record(text="note", id=id, tenant="other", scope="s", boundary_class="internal") for id in ("1", "2")]
    for record in wrong:
        object.__setattr__(record, "invariant", value)  # as a version before wrote it
    store.write(wrong, [])
    for opened in (memory, Memory(store=store)):
        assert [hit.id for hit in opened.recall("where does Ann live?")] == ["b"]
        assert opened.remember("Bob has a cat.", id="c") == "c"
        assert {each.key.id for each in opened.check() if each.key} == {"1", "2"}
    memory.check(repair=True)
    assert memory.check() == [] and [record.id for record in memory.records()] == ["b", "c"]


@pytest.mark.parametrize("value", [None, [], {}, (), "", 0, 1, "yes"])
def test_whether_a_record_is_a_standing_rule_is_yes_or_no(value: object, tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.remember("Ann lives in Rome.", id="a")
        for write in (
            lambda: memory.update("a", invariant=value),
            lambda: memory.remember({"text": "x", "invariant": value}),
            lambda: memory.remember_many([{"text": str(number), "invariant": value} for number in range(2)]),
        ):
            with pytest.raises(TypeError, match=r"^invariant must be bool"):
                write()
        assert [record.text for record in memory.records()] == ["Ann lives in Rome."] and memory.check() == []
