"""A store file flipped, cut, spliced with its past: each answer is the right one, or a typed error (promise P3)."""

import random
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import ByheartError, CorruptRecord, StoreError
from byheart.records import Record
from byheart.storage import Key, Problem, Vectors
from byheart.storage.sqlite import SqliteStore

PAGE = 4096
SEED = 20_261_122


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def keys(ids: Iterable[str], tenant: str = "t") -> list[Key]:
    return [key(id, tenant) for id in ids]


def record(number: int, text: str) -> Record:
    end = {"expires_at": float(number)} if number % 5 == 0 else {}
    return Record(
        id=f"id-{number:02}", text=text, tenant="t", scope="s", boundary_class="internal", created_at=1.0, **end
    )


def embedding(number: int) -> bytes:
    return struct.pack("<32f", *(number + part / 64 for part in range(32)))


RECORDS = {f"id-{n:02}": record(n, f"the text of record {n} " * (1 + 40 * n % 260)) for n in range(24)}
REMOVED = [record(n, f"what was said in record {n} and taken back " * 30) for n in range(60, 66)]
VECTORS = {key(id): embedding(n) for n, id in enumerate(RECORDS)}


@pytest.fixture(scope="module")
def past_and_present(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Return the bytes of a store before and after a change, with as many pages in both."""
    path = tmp_path_factory.mktemp("store") / "memory.db"
    with SqliteStore(path) as store:
        other = [record(n, f"what record {n} said before " * (1 + 40 * n % 260)) for n in range(24)]
        store.write([*other, *REMOVED], [], Vectors("m", {key: embedding(99) for key in VECTORS}))
        store.write(list(RECORDS.values())[:12], [])
        past = path.read_bytes()
        store.write(list(RECORDS.values())[12:], [])
        store.write([], [key(str(one.id)) for one in REMOVED], Vectors("m", VECTORS))
        store.adopt("m")
    present = path.read_bytes()
    return past + bytes(len(present) - len(past)), present


def verdict(path: Path, data: bytes) -> str:
    """Return how a store with these bytes behaves; fails where an answer is wrong."""
    path.write_bytes(data)
    try:
        with SqliteStore(path, lock_seconds=0.0) as store:
            first = asked(lambda: store.vectors("m"))
            assert isinstance(first, ByheartError) or all(VECTORS[key] == one for key, one in first)
        with SqliteStore(path, lock_seconds=0.0) as store:
            served = each_record(store)
            whole = everything(store)
            problems = asked(store.check)
            if isinstance(problems, list) and not problems:
                assert served == len(RECORDS) and whole, "an error was met, and the check finds nothing"
    except StoreError:
        return "refused"
    return "as it was" if served == len(RECORDS) and whole else "others served" if served else "none served"


def each_record(store: SqliteStore) -> int:
    """Return how many records are served, asked for one by one; each is right, or named."""
    served = 0
    for id, expected in RECORDS.items():
        try:
            found = store.get(keys([id]))
            assert found == [expected], f"a wrong answer for {id}"
            served += 1
        except StoreError:
            pass
        except CorruptRecord as error:
            assert repr(id) in str(error), "the error does not name the record"
    for one in REMOVED:
        assert asked(lambda id=str(one.id): store.get(keys([id]))) != [one], "a record came back that was removed"
    return served


def everything(store: SqliteStore) -> bool:
    """Return whether all is served when all is asked for; if not, it is said what is wrong."""
    damaged: list[Problem] = []
    found = asked(lambda: store.load(damaged))
    if isinstance(found, list):
        assert all(RECORDS[str(one.id)] == one for one in found), "a wrong record was loaded"
        assert len(found) == len(RECORDS) or damaged, "records are missing, and nothing is said"
    assert damaged or isinstance(asked(store.load), list) == isinstance(found, list)
    vectors = asked(lambda: store.vectors("m", damaged=damaged))
    if isinstance(vectors, list):
        assert all(VECTORS[key] == one for key, one in vectors), "a wrong vector was loaded"
        assert len(vectors) == len(VECTORS) or damaged, "vectors are missing, and nothing is said"
    model = asked(store.model)
    assert model == "m" or isinstance(model, ByheartError), "a wrong model"
    ends = asked(lambda: store.expired(10.0))
    assert isinstance(ends, ByheartError) or set(ends) <= {key("id-00"), key("id-05"), key("id-10")}
    errors = [answer for answer in (found, vectors, model, ends) if isinstance(answer, ByheartError)]
    return not damaged and not errors


def asked(call: Callable[[], Any]) -> Any:
    """Return an answer, or the typed error that came instead."""
    try:
        return call()
    except ByheartError as error:
        return error


def test_the_undamaged_file_is_as_it_was(tmp_path: Path, past_and_present: tuple[bytes, bytes]) -> None:
    assert verdict(tmp_path / "memory.db", past_and_present[1]) == "as it was"


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=pytest.mark.long)])
def test_flipped_bits_are_never_returned(tmp_path: Path, past_and_present: tuple[bytes, bytes], one_in: int) -> None:
    _, data = past_and_present
    assert len(data) > 20 * PAGE
    header = list(range(100 * 8))
    places = header[::2] + random.Random(SEED).sample(range(800, len(data) * 8), 1_000)
    ends = Counter(verdict(tmp_path / "memory.db", flipped(data, place)) for place in places[::one_in])
    assert ends.total() == 1_400 // one_in
    assert ends["others served"] >= 200 // one_in, f"damage to one record should leave the others: {ends}"
    assert ends["refused"] >= 20 // one_in, ends


def flipped(data: bytes, bit: int) -> bytes:
    byte = bit // 8
    return data[:byte] + bytes([data[byte] ^ 1 << bit % 8]) + data[byte + 1 :]


def test_a_file_that_was_cut_is_never_taken_for_whole(tmp_path: Path, past_and_present: tuple[bytes, bytes]) -> None:
    _, data = past_and_present
    lengths = [*range(0, len(data), PAGE), *range(1, 4 * PAGE, 997), len(data) - 1]
    ends = Counter(verdict(tmp_path / "memory.db", data[:length]) for length in lengths)
    assert ends["as it was"] == 0, ends


def test_pages_that_came_back_or_changed_places_are_noticed(
    tmp_path: Path, past_and_present: tuple[bytes, bytes]
) -> None:
    past, data = past_and_present
    pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    old = [past[at : at + PAGE] for at in range(0, len(data), PAGE)]
    ends: Counter[str] = Counter()
    for number, page in enumerate(old):
        if page != pages[number]:
            ends[verdict(tmp_path / "memory.db", b"".join([*pages[:number], page, *pages[number + 1 :]]))] += 1
    assert ends["others served"] >= 10, f"most pages of the past hold records that were replaced: {ends}"
    for one, two in zip(range(1, len(pages)), range(2, len(pages)), strict=False):
        swapped = [*pages]
        swapped[one], swapped[two] = pages[two], pages[one]
        ends[verdict(tmp_path / "memory.db", b"".join(swapped))] += 1
    assert ends["others served"] >= 5, ends


def test_rows_that_were_exchanged_or_forged_are_named(tmp_path: Path, past_and_present: tuple[bytes, bytes]) -> None:
    import sqlite3

    path = tmp_path / "memory.db"
    for change in (
        "UPDATE claims SET content = (SELECT content FROM claims WHERE id = 'id-02') WHERE id = 'id-01'",
        "UPDATE claims SET (content, checksum) = (SELECT content, checksum FROM claims WHERE id = 'id-02')"
        " WHERE id = 'id-01'",
        "UPDATE claims SET id = 'id-99' WHERE id = 'id-01'",
        "UPDATE claims SET checksum = zeroblob(16) WHERE id = 'id-01'",
        "UPDATE claims SET number = 999999 WHERE id = 'id-01'",
        "DELETE FROM claims WHERE id = 'id-01'",
        "UPDATE state SET records = records - 1",
        "UPDATE models SET model = 'n'",
        "UPDATE claim_vectors SET claim = claim + 1",
    ):
        path.write_bytes(past_and_present[1])
        connection = sqlite3.connect(path)
        assert connection.execute(change).rowcount > 0
        connection.commit()
        connection.close()
        with SqliteStore(path) as store:
            assert asked(store.check), f"the check finds nothing wrong: {change}"
        assert verdict(path, path.read_bytes()) != "as it was"


def test_a_record_whose_checksum_is_none_can_be_forgotten_beside_a_damaged_one(
    tmp_path: Path, past_and_present: tuple[bytes, bytes]
) -> None:
    import sqlite3

    path = tmp_path / "memory.db"
    path.write_bytes(past_and_present[1])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE claims SET checksum = 7 WHERE id = 'id-01'")
    connection.execute("UPDATE claims SET checksum = randomblob(16) WHERE id = 'id-02'")
    connection.commit()
    connection.close()
    with SqliteStore(path) as store:
        store.write([], [key("id-01")])
        assert store.get([key("id-01"), key("id-03")]) == [None, RECORDS["id-03"]]


def test_a_damaged_record_can_be_forgotten_or_remembered_again(
    tmp_path: Path, past_and_present: tuple[bytes, bytes]
) -> None:
    path = tmp_path / "memory.db"
    at = past_and_present[1].rindex(b"the text of record 3 ")
    for healed in (True, False):
        path.write_bytes(flipped(past_and_present[1], at * 8))
        with SqliteStore(path) as store:
            with pytest.raises(CorruptRecord, match="'id-03' of tenant 't'"):
                store.load()
            store.write([RECORDS["id-03"]] if healed else [], [] if healed else [key("id-03")])
            assert store.check() == []
            assert len(store.load()) == len(RECORDS) - (not healed)
