"""A transaction whose connection is closed amid it: what broke the block off comes up, and nothing else."""

from pathlib import Path

import pytest

from byheart import Memory
from byheart.storage.sqlite import SqliteStore


def test_an_interrupt_amid_a_transaction_of_a_closed_connection_comes_up_as_it_is(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.remember("Tea steeps for three minutes.", id="tea")
    store = SqliteStore(tmp_path / "m.db")
    connection = store._session.pair.open_writer()
    with pytest.raises(KeyboardInterrupt), store._session.pair.transaction(connection):
        connection.close()
        raise KeyboardInterrupt
    store.close()
    with Memory(tmp_path / "m.db") as memory:
        assert [record.id for record in memory.records()] == ["tea"]
