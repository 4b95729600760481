"""A memory whose file was damaged, or whose writer was killed: what its verbs and the commands say of it."""

import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import byheart
from byheart.cli import main
from byheart.errors import ByheartError, CorruptStore, ReadOnlyStore

SEED = 20_261_122
DAMAGES = 600
VERBS: dict[str, Callable[[byheart.Memory], object]] = {
    "recall": lambda memory: memory.recall("kettle"),
    "check": lambda memory: memory.check(),
    "records": lambda memory: memory.records(),
    "repair": lambda memory: memory.check(repair=True),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a memory file with some records."""
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many([f"The kettle of house {number} is blue." for number in range(6)])
        memory.ingest_turn("I love green tea.", session_id="s", user_id="ann")
    return path


# ---- damage


def test_damage_that_sqlite_repeats_as_no_text_is_damage_of_the_store(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"CHECK (only = 1)") + 1] = 0xA5
    path.write_bytes(data)
    for read_only in (False, True):
        with pytest.raises(CorruptStore, match=r"memory\.db: the file is damaged"):
            byheart.Memory(path, read_only=read_only)
    for command in (["recall", "kettle"], ["check"], ["check", "--repair"], ["list"]):
        assert main([*command, "-m", str(path)]) == 2
        assert capsys.readouterr().err.startswith(f"byheart: {path}: the file is damaged")
    assert main(["doctor", "-m", str(path)]) == 1
    told = capsys.readouterr().err
    assert "the file is damaged" in told and "backup" in told and "--repair" not in told
    assert path.read_bytes() == data


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=pytest.mark.long)])
def test_some_damaged_bytes_end_in_a_typed_error_or_in_an_answer(path: Path, one_in: int) -> None:
    data, draw = path.read_bytes(), random.Random(SEED)
    schema = range(data.index(b"CREATE INDEX"), data.rindex(b"CREATE TABLE") + 200)
    written = [at for at, byte in enumerate(data) if byte]
    ends: Counter[str] = Counter()
    for _ in range(DAMAGES // one_in):
        damaged = bytearray(data)
        for _ in range(draw.randint(1, 5)):
            damaged[draw.choice(draw.choice([schema, written, range(len(data))]))] = draw.randrange(256)
        for verb in VERBS.values():
            shutil.rmtree(path.parent)
            path.parent.mkdir()
            path.write_bytes(damaged)
            ends[outcome(path, verb)] += 1
    assert ends.total() == len(VERBS) * (DAMAGES // one_in)
    assert ends["CorruptStore"] > ends.total() // 10 and ends["answered"] > ends.total() // 10, ends


def test_damaged_pages_are_not_said_to_be_repaired_and_the_way_out_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = with_a_damaged_page(tmp_path / "pages.db")
    with byheart.Memory(path) as memory:
        [problem] = memory.check()
        assert problem.message.startswith(f"{path}: pages of the file are damaged")
        assert "no repair mends that; export_to (`byheart export FILE`)" in problem.message
        with pytest.raises(CorruptStore, match=r"no record was changed, and no repair mends that; export_to"):
            memory.check(repair=True)
        assert memory.export_to(tmp_path / "all.jsonl") == 500
    assert main(["check", "--repair", "-m", str(path)]) == 1
    said = capsys.readouterr()
    assert "repaired" not in said.out and "pages of the file are damaged" in said.out
    assert "1 problem left; no repair mends that; export_to (`byheart export FILE`)" in said.err
    assert main(["doctor", "-m", str(path)]) == 1
    told = capsys.readouterr().err
    assert "byheart export FILE" in told and "--repair" not in told
    assert main(["export", str(tmp_path / "out.jsonl"), "-m", str(path)]) == 0
    assert byheart.Memory().import_from(tmp_path / "out.jsonl") == 500


@pytest.fixture(params=["one", "all"])
def lost(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a file of 300 records with one or all of their pages overwritten, so that they cannot be read."""
    path = tmp_path / "lost.db"
    with byheart.Memory(path) as memory:
        memory.remember_many([{"id": f"g{n:04d}", "text": f"giraffe number {n} eats leaves"} for n in range(300)])
    shutil.rmtree(f"{path}.byheart-indexes", ignore_errors=True)
    data, noise = path.read_bytes(), random.Random(SEED).randbytes(4_096)
    pages = [data[start : start + 4_096] for start in range(0, len(data), 4_096)]
    holding = [number for number, page in enumerate(pages) if b"giraffe number" in page]
    for gone in [holding] if request.param == "all" else [[number] for number in holding]:
        path.write_bytes(b"".join(noise if number in gone else page for number, page in enumerate(pages)))
        with suppress(ByheartError), byheart.Memory(path, read_only=True) as memory:
            if memory.count() == 0 if request.param == "all" else 0 < memory.count() < 300:
                return path
    raise AssertionError("no page is such a one")


def test_an_answer_says_that_a_part_of_the_file_could_not_be_read(lost: Path) -> None:
    """To who may see all of the store; of one with a boundary it is not known whether anything of its own is gone."""
    with byheart.Memory(lost) as memory:
        answers = [memory.recall("giraffe"), memory.recall("giraffe", k=1, profile="kb-fast"), memory.recall("zebra")]
        answers += [memory.recall("thanks!", adaptive=True), *memory.recall_many(["giraffe", "leaves"])]
        told = [each.degraded for each in answers] + [memory.context("giraffe", 200).degraded]
        for degraded in told:
            [note] = [each for each in degraded if "could not be read" in each]
            assert "`check`" in note and "export" in note and "backup" in note
    with byheart.Memory(lost, boundary={"tenant": "default"}) as memory:
        assert not [each for each in memory.recall("giraffe").degraded if "could not be read" in each]


def test_the_commands_say_that_a_part_of_the_file_could_not_be_read(
    lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["recall", "giraffe"], ["context", "giraffe", "--budget", "99"], ["list"], ["stats"], ["users"]):
        for form in ([], ["--json"]):
            main([*command, "-m", str(lost), *form])
            said = capsys.readouterr()
            notes = [line for line in said.err.splitlines() if line.startswith("note: ")]
            assert len(notes) == 1 and "`check`" in notes[0] and "export" in notes[0], (command, form, notes)
            assert "no records\n" not in said.out and "nothing found among 0 records\n" not in said.out


def test_an_export_that_left_something_out_says_how_much_and_does_not_end_well(
    lost: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["export", str(out), "-m", str(lost)]) == 1
    said = capsys.readouterr().err
    with byheart.Memory() as memory:
        read = memory.import_from(out)
    assert "left out: " in said and f"{read} records can be read and 300 were written" in said


def test_a_backup_of_a_damaged_file_names_the_memory_and_not_its_target(lost: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with byheart.Memory(lost) as memory, pytest.raises(CorruptStore, match="export") as raised:
        memory.backup(target)
    assert str(raised.value).startswith(f"{lost}: the file is damaged") and not target.exists()


def with_a_damaged_page(path: Path) -> Path:
    """Return a file of which one page is gone that no reading of its records needs."""
    with byheart.Memory(path) as memory:
        memory.remember_many([{"id": f"r{n}", "text": f"The kettle of house {n} is blue."} for n in range(500)])
    data, damaged = path.read_bytes(), path.with_name("damaged.db")
    for start in range(4_096, len(data), 4_096):
        damaged.write_bytes(data[:start] + bytes(4_096) + data[start + 4_096 :])
        with suppress(ByheartError), byheart.Memory(damaged) as memory:
            if [each.where for each in memory.check()] == ["file"] and "damaged" not in memory.opened:
                assert memory.count() == 500
                return damaged
        shutil.rmtree(f"{damaged}.byheart-indexes", ignore_errors=True)
    raise AssertionError("no page is such a one")


def outcome(path: Path, verb: Callable[[byheart.Memory], object]) -> str:
    """Return how a verb of a memory ended; an error that is not typed is raised."""
    try:
        with byheart.Memory(path) as memory:
            verb(memory)
    except ByheartError as error:
        return type(error).__name__
    return "answered"


# ---- a killed writer


@pytest.fixture
def killed(path: Path) -> Path:
    """Return a copy of a memory file as a writer leaves it that is killed once it has written over some pages."""
    copy = path.with_name("killed.db")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE claims SET content = zeroblob(20000)")
    for end in ("", "-journal"):
        shutil.copy(f"{path}{end}", f"{copy}{end}")
    writer.execute("ROLLBACK")
    writer.close()
    assert Path(f"{copy}-journal").read_bytes().startswith(bytes.fromhex("d9d505f920a163d7"))
    return copy


def test_what_a_killed_writer_left_is_explained_to_who_only_reads(
    killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = killed.read_bytes()
    with pytest.raises(ReadOnlyStore) as caught:
        byheart.Memory(killed, read_only=True).count()
    for part in ("killed.db: a process that wrote to it was stopped amid a write", "`byheart check`", "nothing that"):
        assert part in str(caught.value)
    assert main(["doctor", "-m", str(killed), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["todo"][0]
    assert "stopped amid a write" in told and "--repair" not in told and "backup" not in told
    assert told.count(str(killed)) == 1
    assert killed.read_bytes() == before, "neither has changed anything"


def test_who_may_write_takes_back_what_a_killed_writer_left(killed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-m", str(killed)]) == 0
    assert capsys.readouterr().out == "all is well\n"
    with byheart.Memory(killed, read_only=True) as memory:
        assert memory.count() == 8 and memory.recall("kettle").hits
