"""What was erased is gone from the bytes, also where pages split, fill and empty: with `secure_delete` alone it is not.

SQLite moves rows between pages and leaves copies behind; deleting a row later reaches one copy only. A store whose rows
are deleted, or whose texts stand in an index, fails this within a hundred changes.
"""

import random
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.records import Record
from byheart.storage import Key, Vectors
from byheart.storage.sqlite import SqliteStore

SIZES = (1, 40, 150, 400, 1_000, 3_900, 4_050, 9_000)
MARK = re.compile(rb"<mark\d{6}>")


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def marked(chance: random.Random, number: int) -> tuple[Record, bytes]:
    """Return a record with a mark in its text and one in its id, and a vector with a third."""
    text, id, vector = (f"<mark{3 * number + part:06}>" for part in range(3))
    return (
        Record(id=f"{chance.random()}{id}", text=text + "y" * chance.choice(SIZES), tenant="t", scope="s",
               boundary_class="internal", expires_at=chance.choice([None, 5.0])),
        (vector * 32).encode()[: chance.choice([64, 384])],
    )  # fmt: skip


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_no_mark_outlives_its_record(seed: int) -> None:
    chance = random.Random(seed)
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name,
        SqliteStore(Path(name) / "memory.db") as store,
    ):
        living: dict[str, set[bytes]] = {}
        count = 0
        for _ in range(100):
            vectors, put = {}, []
            for _ in range(chance.choice([1, 1, 5, 20])):
                count += 1
                record, vector = marked(chance, count)
                put.append(record)
                vectors[key(str(record.id))] = vector
            gone = chance.sample(sorted(living), min(len(living), chance.choice([0, 1, 3, 10])))
            store.write(put, [key(id) for id in gone], Vectors("m", vectors))
            for id in gone:
                del living[id]
            for one in put:
                text, id = one.text, str(one.id)
                living[id] = {text[:12].encode(), id[-12:].encode(), vectors[key(id)][:12]}
            left = b"".join(file.read_bytes() for file in Path(name).iterdir())
            remains = set(MARK.findall(left)) - set().union(*living.values())
            assert not remains, f"erased, and still in a file: {sorted(remains)[:5]}"
        assert count - len(living) >= 50, "too little was erased"
        assert store.check() == []
