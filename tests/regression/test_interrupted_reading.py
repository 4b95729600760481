"""A handler of signals that reads amid a reading is refused, and the reading that it interrupted went on as damaged."""

from pathlib import Path

import pytest

from byheart.errors import StoreBusy
from byheart.storage.sqlite import SqliteStore


def test_a_reading_goes_on_after_another_within_it_was_refused(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:

        def interrupted(_: object) -> str:
            with pytest.raises(StoreBusy, match="this thread is reading already; a signal's handler cannot read as we"):
                store.witness(0)
            return "what was read"

        assert store._session.snapshot(interrupted) == "what was read"
        assert store.sequence() == 0, "and so does the next one"
