"""The counts of a memory read back from a mapping: each part has its kind."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory
from byheart.errors import InvalidArgument
from byheart.memory.upkeep import Stats

KINDS: dict[str, tuple[Any, str]] = {
    "records": ("1", "int"), "cells": ([], "mapping"), "boundary": ("x", "mapping"), "analyzer": (1, "str"),
    "preset": (None, "str"), "hypervectors": ([], "str"), "embedder": (3, "str"), "vectors": (1.5, "int"),
    "version": (1, "str"),
}  # fmt: skip


def test_every_part_is_asked() -> None:
    told = Memory().stats()
    assert set(told) == set(KINDS) and Stats.from_dict(told.to_dict()) == told


@pytest.mark.parametrize("name", KINDS)
def test_a_part_of_another_kind_is_named(name: str) -> None:
    wrong, kind = KINDS[name]
    with pytest.raises(InvalidArgument, match=rf"^Stats\.{name}: must be a {kind}, not {type(wrong).__name__}"):
        Stats.from_dict({**Memory().stats().to_dict(), name: wrong})
