"""A lock that another user made is what cannot be opened: the memory was named, which may be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreError
from byheart.storage.beside import LOCK


def test_what_the_system_refuses_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(tmp_path / "notes.jsonl", noise=None) as memory:
        memory.remember("tea", id="tea")
        opened = os.open

        def shut(path: object, *rest: int, **more: int) -> int:
            if str(path).endswith(LOCK):
                raise PermissionError(13, "Permission denied", path)
            return opened(path, *rest, **more)  # type: ignore[call-overload, no-any-return]

        monkeypatch.setattr(os, "open", shut)
        with pytest.raises(StoreError, match=rf"notes\.jsonl{LOCK}: Permission denied"):
            memory.remember("rice", id="rice")
        monkeypatch.undo()
        memory.remember("rice", id="rice")
