"""Generations beside a memory file, deleted, damaged, forged, of another store or time: same answers, or a rebuild."""

import itertools
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.storage.sections import read, written
from byheart.storage.sqlite import SqliteStore

from .forging import put_together, take_apart

EMBEDDER = HashingEmbedder(16)
QUERIES = ("red fox", "owl den", "tea", "")
PROFILES = ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense")
WHOLE = {"classes": ("public", "internal", "pii")}


@pytest.fixture
def path() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name) / "memory.db"


def opened(path: Path, **settings: object) -> byheart.Memory:
    return byheart.Memory(path, embedder=EMBEDDER, **settings)


def texts(first: int, count: int) -> list[dict[str, object]]:
    words = ("red", "fox", "owl", "den", "tea", "steep")
    return [
        {
            "id": f"r{number}",
            "text": f"{number} {words[number % 6]} {words[number % 5]} uses {words[number % 4]} {number}",
            "boundary_class": ("public", "internal", "pii")[number % 3],
            "scope": ("session", "project")[number % 2],
            "tenant": ("default", "other")[number % 7 == 0],
            "expires_at": 4e9 if number % 5 == 0 else None,
            "created_at": 1.0,
        }
        for number in range(first, first + count)
    ]


def answers(memory: byheart.Memory) -> str:
    """Return all that the memory answers, as JSON."""
    found = [
        memory.recall(query, profile=profile, boundary={"tenant": tenant, **boundary}, explain=True, now=2.0).to_dict()
        for query, profile in itertools.product(QUERIES, PROFILES)
        for tenant in ("default", "other")
        for boundary in ({}, WHOLE)
    ]
    return json.dumps([found, memory.stats(boundary=WHOLE), memory.stats()])


def fresh(path: Path) -> str:
    """Return the answers of indexes made of the records alone."""
    with SqliteStore(path) as store:
        plain = byheart.Memory(embedder=EMBEDDER)
        plain.remember_many(sorted(store.load(), key=lambda record: str(record.id)))
        return answers(plain)


def files(path: Path) -> list[Path]:
    return sorted(path.with_name(path.name + ".byheart-indexes").glob("generation-*"))


def saved(path: Path, first: int, count: int, **settings: object) -> Path:
    """Remember records, save a generation, and return it."""
    with opened(path, **settings) as memory:
        memory.remember_many(texts(first, count))
        assert memory._engine.indexes.save(at_least=0)
    return files(path)[-1]


def three_generations(path: Path) -> list[Path]:
    """Return three of one store, the older two put back, as a crash may leave them."""
    kept = []
    for step in range(3):
        newest = saved(path, 5 * step, 8)
        kept.append((newest, newest.read_bytes()))
    for name, content in kept:
        name.write_bytes(content)
    with opened(path) as memory:
        memory.remember_many(texts(100, 3))
    assert files(path) == [name for name, _ in kept]
    return files(path)


def damages(chance: int) -> list[tuple[str, Callable[[bytes], bytes | None]]]:
    return [
        ("deleted", lambda data: None),
        ("flip", lambda data: data[:chance] + bytes([data[chance] ^ 4]) + data[chance + 1 :]),
        ("cut", lambda data: data[: len(data) // 2]),
        ("empty", lambda data: b""),
        ("longer", lambda data: data + b"\0"),
    ]


def test_every_subset_deleted_or_damaged_answers_as_a_fresh_build(path: Path) -> None:
    generations = three_generations(path)
    whole = [name.read_bytes() for name in generations]
    expected, seen = fresh(path), []
    for subset in itertools.product([False, True], repeat=3):
        for kind, damage in damages(200):
            for name, content, spoiled in zip(generations, whole, subset, strict=True):
                data = damage(content) if spoiled else content
                name.unlink(missing_ok=True)
                if data is not None:
                    name.write_bytes(data)
            with opened(path) as memory:
                assert answers(memory) == expected, (subset, kind)
                assert memory.check() == []
                sound = [name for name, spoiled in zip(generations, subset, strict=True) if not spoiled]
                if sound:
                    assert memory.opened == f"opened generation {int(sound[-1].name[28:48])}"
                else:
                    assert memory.opened.startswith("indexed 21 records")
                    assert kind == "deleted" or memory.opened.count(generations[0].name) == 1
            seen.append((subset, kind))
    assert len(seen) == 8 * 5


def test_a_generation_from_before_a_removal_brings_nothing_back(path: Path) -> None:
    generation = saved(path, 0, 12)
    content = generation.read_bytes()
    with opened(path) as memory:
        assert memory.forget(["r1", "r3"], boundary=WHOLE).ids == ("r1", "r3")
    assert files(path) == []
    generation.write_bytes(content)
    with opened(path) as memory:
        assert memory.opened == "indexed 10 records"
        assert answers(memory) == fresh(path)


def test_a_rebuild_is_done_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(path, 0, 20).write_bytes(b"no generation")
    with opened(path) as memory:
        assert memory.opened.startswith("indexed 20 records (generation-")
        assert memory._engine.indexes.save()
    with opened(path) as memory:
        assert memory.opened.startswith("opened generation")


def test_a_generation_of_another_store_is_not_taken(path: Path) -> None:
    """Also where settings, change number and file name are the same."""
    one, two = path.with_name("one.db"), path.with_name("two.db")
    mine = saved(one, 0, 12)
    theirs = saved(two, 30, 12)
    assert mine.name == theirs.name
    expected = fresh(one)
    shutil.copy(theirs, mine)
    with opened(one) as memory:
        assert "the store has no such history" in memory.opened
        assert answers(memory) == expected


def test_an_old_backup_restored_under_a_newer_generation(path: Path) -> None:
    saved(path, 0, 12)
    backup = path.read_bytes()
    newest = saved(path, 12, 12)
    path.write_bytes(backup)
    for _ in range(2):
        with byheart.Memory(path, embedder=EMBEDDER, preset="conversation") as memory:  # it cannot use it either
            assert len(memory._engine.indexes["default"]) < 12
    assert not newest.exists(), "it would be of the right number again, once enough has been written"
    with opened(path) as memory:
        assert answers(memory) == fresh(path)
        memory.remember_many(texts(50, 12))
    with opened(path) as memory:
        assert answers(memory) == fresh(path)


def test_a_generation_that_another_process_has_just_made_is_left_alone(path: Path) -> None:
    """What lies there when the folder is read is not newer than the store, however far that goes on meanwhile."""
    saved(path, 0, 12)
    with opened(path) as first, opened(path) as second:
        listed = first._engine.saved._generations.listed
        second.remember_many(texts(12, 5))

        def then_another_saves() -> object:
            found = listed()
            second._engine.indexes.save()
            return found

        first._engine.saved._generations.listed = then_another_saves
        first._engine.saved.newest()
        assert [int(name.name[28:48]) for name in files(path)] == [second._engine.indexes.sequence]


@pytest.mark.parametrize(
    "other",
    [
        {"embedder": HashingEmbedder(32), "reembed": True},
        {"embedder": None},
        {"embedder": EMBEDDER, "preset": "conversation"},
        {"embedder": EMBEDDER, "hypervectors": "tokens"},
        {"embedder": EMBEDDER, "analyzer": byheart.Analyzer(stem=False)},
    ],
    ids=["model", "no model", "preset", "hypervectors", "analyzer"],
)
def test_no_generation_of_another_model_or_settings_is_used(path: Path, other: dict[str, object]) -> None:
    generation = saved(path, 0, 12)
    label = generation.name[11:27]
    with byheart.Memory(path, **other) as memory:
        assert memory.opened.startswith("indexed 12 records")
        assert memory._engine.indexes.save(at_least=0)
        relabelled = next(name for name in files(path) if label not in name.name)
    shutil.copy(generation, relabelled)  # and under the name that would be right
    with byheart.Memory(path, **{**other, "reembed": False}) as memory:
        assert memory.opened.startswith("indexed 12 records")
        assert "of other settings" in memory.opened


def test_a_record_that_is_written_again_and_again_costs_no_generation(path: Path) -> None:
    """The last change before a generation is often the next to be replaced."""
    with opened(path) as memory:
        memory.remember_many(texts(0, 12))
        memory.remember("where we are", id="state")
        assert memory._engine.indexes.save(at_least=0)
        for turn in range(30):
            memory.remember(f"where we are at turn {turn}", id="state")
    with opened(path) as memory:
        assert memory.opened.startswith("opened generation")
        assert answers(memory) == fresh(path)


def test_after_a_change_of_models_generations_are_of_the_new_one(path: Path) -> None:
    other = HashingEmbedder(32)
    with opened(path) as memory:
        memory.remember_many(texts(0, 12))
        memory.embed(other)
        assert memory._engine.indexes.save(at_least=0)
        expected = [memory.recall(query, profile="dense", boundary=WHOLE, now=2.0).to_dict() for query in QUERIES]
    with byheart.Memory(path, embedder=other) as memory:
        assert memory.opened.startswith("opened generation")
        assert expected == [
            memory.recall(query, profile="dense", boundary=WHOLE, now=2.0).to_dict() for query in QUERIES
        ]
    with opened(path, reembed=True) as memory:
        assert memory.opened.startswith("indexed 12 records")
        assert answers(memory) == fresh(path)


# ---- forged: every checksum is right, and what it says is not


def sections_of(generation: Path) -> list[tuple[str, bytes]]:
    return list(read(generation.read_bytes()))


def forge(generation: Path, sections: list[tuple[str, bytes]]) -> None:
    generation.write_bytes(b"".join(written(sections)))


def structural(sections: list[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """Give files whose sections are missing, exchanged, empty, twice there, or of other JSON."""
    deep = b"[" * 100_000
    for number, (name, payload) in enumerate(sections):
        yield sections[:number] + sections[number + 1 :]
        for other in (b"", b"null", b"[]", b"{}", b"\xff", deep, b"[1]", b'["default"]', payload[:-1], payload * 2):
            if other != payload:
                yield [*sections[:number], (name, other), *sections[number + 1 :]]
        another = sections[(number + 1) % len(sections)][1]
        yield [*sections[:number], (name, another), *sections[number + 1 :]]
    for number, (name, payload) in enumerate(sections):
        if name.endswith("/partition"):
            for forged in partitions(payload):
                yield [*sections[:number], (name, forged), *sections[number + 1 :]]


def partitions(payload: bytes) -> Iterator[bytes]:
    """Give the indexes of a tenant whose own sections are missing, exchanged, empty, cut, or too long."""
    kind, inner = take_apart(payload)
    for number, (tag, content) in enumerate(inner):
        before, after = inner[:number], inner[number + 1 :]
        yield put_together(kind, [*before, *after])
        yield put_together(kind, [*before, (tag, content), (tag, content), *after])
        for other in (b"", content[:-1], content + b"\0", inner[(number + 1) % len(inner)][1]):
            if other != content:
                yield put_together(kind, [*before, (tag, other), *after])


def test_forged_sections_under_right_checksums_are_a_rebuild(path: Path) -> None:
    generation = saved(path, 0, 12)
    sections, expected, tried = sections_of(generation), fresh(path), 0
    for forged in structural(sections):
        forge(generation, forged)
        with opened(path) as memory:
            assert memory.opened.startswith("indexed 12 records ("), forged
            assert tried % 10 or answers(memory) == expected
        tried += 1
    assert tried >= 150


@pytest.mark.parametrize("version", [1, 3])
def test_a_generation_of_another_format_is_rebuilt_once(path: Path, version: int) -> None:
    generation = saved(path, 0, 12)
    sections, expected = sections_of(generation), fresh(path)
    other = {
        name: put_together(*take_apart(payload), version) if payload[:7] == b"byheart" else payload
        for name, payload in sections
    }
    assert sum(other[name] != payload for name, payload in sections) == 2, "one for each tenant"
    forge(generation, list(other.items()))
    with opened(path) as memory:
        assert memory.opened.startswith("indexed 12 records (")
        assert answers(memory) == expected
        assert memory._engine.indexes.save()
    with opened(path) as memory:
        assert memory.opened.startswith("opened generation ")


@pytest.mark.parametrize("parts", [10, pytest.param(50, marks=pytest.mark.long)])
def test_indexes_forged_under_right_checksums_raise_nothing_and_leave_the_boundary(path: Path, parts: int) -> None:
    """Postings that were forged by whoever may write the folder can be believed; nobody outside can be shown."""
    generation = saved(path, 0, 12)
    sections = sections_of(generation)
    outside = {record["id"] for record in texts(0, 12) if record["boundary_class"] == "pii"}
    rebuilt = tried = 0
    for number, (name, payload) in enumerate(sections):
        if payload[:7] != b"byheart":
            continue
        kind, inner = take_apart(payload)
        for part, (tag, content) in enumerate(inner):
            for at in range(zlib.crc32(tag) % 5, len(content), max(1, len(content) // parts)):
                changed = content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]
                index = put_together(kind, [*inner[:part], (tag, changed), *inner[part + 1 :]])
                forge(generation, [*sections[:number], (name, index), *sections[number + 1 :]])
                with opened(path) as memory:
                    rebuilt += memory.opened.startswith("indexed")
                    for profile in PROFILES:
                        for query in QUERIES[:2]:
                            found = memory.recall(query, profile=profile)
                            assert not {hit.id for hit in found} & outside
                    if tried % 8 == 0:
                        memory.remember("something new", id="new")
                        assert memory.forget("new").ids == ("new",)
                generation.unlink(missing_ok=True)
                tried += 1
    assert tried >= 8 * parts and rebuilt >= 2 * parts, (tried, rebuilt)


@pytest.mark.parametrize(
    "other",
    [
        [{**record, "boundary_class": "public"} for record in texts(0, 12)],
        [{**record, "scope": "principle"} for record in texts(0, 12)],
        [{**record, "tenant": "default"} for record in texts(0, 12)],
        [{**record, "id": f"x{number}"} for number, record in enumerate(texts(0, 12))],
        texts(0, 13),
        texts(0, 11),
    ],
    ids=["class", "scope", "tenant", "id", "one more", "one fewer"],
)
def test_a_whole_generation_of_other_records_is_a_rebuild(path: Path, other: list[dict[str, object]]) -> None:
    """Where a record lies is compared with the store at opening: nothing is shown to somebody outside."""
    generation = saved(path, 0, 12)
    with opened(path.with_name("other.db")) as memory:
        memory.remember_many(other)
        assert memory._engine.indexes.save(at_least=0)
    kept = dict(sections_of(generation))
    theirs = dict(sections_of(files(path.with_name("other.db"))[0]))
    forge(generation, list((theirs | {"header": kept["header"], "witness": kept["witness"]}).items()))
    with opened(path) as memory:
        assert memory.opened.startswith("indexed 12 records (") and "holds other records" in memory.opened
        for query, profile in itertools.product(QUERIES[:3], PROFILES):
            assert not any(hit.record.boundary_class == "pii" for hit in memory.recall(query, profile=profile))
        assert answers(memory) == fresh(path)


@pytest.mark.skipif(os.name != "posix", reason="pipes and links as POSIX has them")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "dangling link", "a file for the folder", "a loop"])
def test_what_is_no_regular_file_is_passed_over(path: Path, kind: str) -> None:
    generation = saved(path, 0, 12)
    expected, content = fresh(path), generation.read_bytes()
    generation.unlink()
    if kind == "pipe":
        os.mkfifo(generation)
    elif kind == "link":
        (path.with_name("elsewhere")).write_bytes(content)
        generation.symlink_to(path.with_name("elsewhere"))
    elif kind == "dangling link":
        generation.symlink_to(path.with_name("nowhere"))
    elif kind == "folder":
        generation.mkdir()
    else:
        shutil.rmtree(generation.parent)
        if kind == "a file for the folder":
            generation.parent.write_bytes(b"")
        else:
            generation.parent.symlink_to(generation.parent)
    with opened(path) as memory:
        assert memory.opened.startswith("indexed 12 records")
        assert answers(memory) == expected
        if generation.parent.is_dir():
            assert memory.forget(["r2"]).missing == ("r2",)
            assert memory.forget(["r3"]).ids == ("r3",)
            assert not any(name.is_file() for name in files(path))
        else:
            with pytest.raises(byheart.errors.StoreError, match="indexes"):
                memory.forget(["r3"])
            assert memory.recall("owl", boundary=WHOLE).hits
    assert kind != "link" or (path.with_name("elsewhere")).read_bytes() == content
