"""Files of profiles as they are read: how deep a name may go, and what is no name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from byheart.errors import InvalidArgument
from byheart.profiles import get
from byheart.profiles.files import changed, read_toml


def test_a_name_of_more_than_a_hundred_parts_is_refused_and_dots_elsewhere_are_not(tmp_path: Path) -> None:
    path = tmp_path / "byheart.toml"
    path.write_text(".".join("a" * 101) + " = 1\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="more than 100 parts; write fewer dots"):
        read_toml(path)
    numbers = [0.5] * 150
    lines = "\n".join(f"n{at} = 0.5" for at in range(150))
    path.write_text(f"# {'.' * 200}\nnumbers = {numbers}\n{lines}\n", encoding="utf-8")
    told = read_toml(path)
    assert told.pop("numbers") == numbers and told == {f"n{at}": 0.5 for at in range(150)}


@pytest.mark.parametrize("changes", [[("max_results", 3)], "max_results", 3])
def test_changes_that_are_no_mapping_are_named(changes: Any) -> None:
    with pytest.raises(TypeError, match=r"^changes must be "):
        changed(get("auto"), changes)
