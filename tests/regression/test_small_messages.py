"""Small things that a stranger met: messages that were wrong, and calls that were taken though they meant nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart import profiles
from byheart.errors import InvalidArgument, LimitExceeded, StoreError, UnknownProfile
from byheart.memory.settings import Settings
from byheart.validation import check_text


def test_a_text_that_is_too_long_is_told_in_one_unit() -> None:
    with pytest.raises(LimitExceeded, match=r"text length in bytes: 11 or more is over the limit of 10$"):
        check_text("text", "x" * 11, 10)


def test_nothing_is_meant_that_is_far_from_what_was_written(tmp_path: Path) -> None:
    with pytest.raises(UnknownProfile) as caught:
        profiles.get("nope")
    assert "did you mean" not in str(caught.value)
    file = tmp_path / "byheart.toml"
    file.write_text('[profiles.mine]\nbase = "auto"\nmax_results = 3\n')
    with pytest.raises(UnknownProfile, match="router, mine; did you mean 'mine'"):
        Settings.read(file).profile("mina")


def test_a_closed_memory_is_not_entered() -> None:
    memory = byheart.Memory()
    memory.close()
    with pytest.raises(StoreError, match="the memory is closed"), memory:
        raise AssertionError("the block is not run")


@pytest.mark.parametrize("given", [{"tenant": " "}, {"scope": "  "}, {"relations": [" "]}, {"single_valued": [""]}])
def test_a_blank_name_is_refused(given: Any) -> None:
    with pytest.raises(InvalidArgument, match=f"{next(iter(given))}: is (blank|empty)"):
        byheart.Memory(**given)


def test_a_declared_model_is_no_embedder_that_failed() -> None:
    memory = byheart.Memory(vectors="mine:3")
    memory.remember("a gate", vector=[1, 0, 0])
    [said] = memory.recall("gate", profile="dense").degraded
    assert "failed" not in said and "which was declared alone; give the question's by vector=" in said
