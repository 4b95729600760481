"""A pipe in the place of a text memory was waited for: nobody writes to it, and the opening never came back."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreError

WAITING = 60.0  # a hundred times what it takes


@pytest.mark.skipif(os.name != "posix", reason="pipes with names")
@pytest.mark.parametrize("read_only", [True, False])
def test_a_pipe_in_the_place_of_a_text_memory_is_refused_at_once(tmp_path: Path, read_only: bool) -> None:
    os.mkfifo(tmp_path / "notes.jsonl")
    told: list[BaseException] = []

    def opens() -> None:
        try:
            Memory(tmp_path / "notes.jsonl", read_only=read_only)
        except BaseException as error:
            told.append(error)

    thread = threading.Thread(target=opens, daemon=True)
    thread.start()
    thread.join(WAITING)
    [error] = told
    assert isinstance(error, StoreError)
    assert "notes.jsonl: is no regular file" in str(error)
