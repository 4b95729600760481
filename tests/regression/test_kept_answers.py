"""Answers, receipts and explanations as they were kept: whole, of made-up memories at a made-up time.

Who reads one goes by its numbers and names, so that none of them moves unseen. What is changed on purpose is written
anew: `python -m tests.regression.test_kept_answers`. Versions, ids that are drawn, and times of the clock are left out.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from byheart import Hit, Record

from .scenes import NOW, SCENES

KEPT = Path(__file__).with_name("answers")
DRAWN = re.compile(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{16,64}\b|\b[0-9A-HJKMNP-TV-Z]{26}\b")
LATEST = NOW + 5e6
"""Later times are the clock's."""
OF_CLOCK = re.compile(r"(?:_ms|_seconds|microseconds)$|^(?:took|timings|elapsed|account|bytes|version$)")


def plain(value: Any) -> Any:
    """Return a value as it is written down: what it is made of, without what is empty."""
    if isinstance(value, bool | int | str | None):
        return DRAWN.sub("<drawn>", value) if isinstance(value, str) else value
    if isinstance(value, float):
        return "<clock>" if value > LATEST else value
    if isinstance(value, Record):
        return plain({name: each for name, each in value.to_dict().items() if name != "schema_version"})
    if isinstance(value, Hit):
        return plain({name: each for name in ("id", "score", "explanation") if (each := getattr(value, name))})
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(each) for name, each in value.items() if not OF_CLOCK.search(str(name))}
    names = getattr(value, "__dataclass_fields__", None) or getattr(value, "_fields", None)
    if not names and type(value).__module__.startswith("byheart."):
        names = [each for each in dir(value) if not (each.startswith("_") or callable(getattr(value, each)))]
    if names:
        said = {name: each for name in names if (each := getattr(value, name, None)) not in (None, (), {})}
        return plain(said)
    if isinstance(value, Path):
        return value.name
    if isinstance(value, frozenset | set):
        return sorted(map(str, map(plain, value)))
    if hasattr(value, "__iter__"):
        return [plain(each) for each in value]
    return type(value).__name__


def lines(scene: str, folder: Path) -> Iterator[str]:
    """Yield a line for each call of a scene, and one for each part of a long answer."""
    for said, value in SCENES[scene](folder):
        yield f"# {said}"
        found = plain(value)
        if isinstance(found, list):
            parts = [json.dumps(each, ensure_ascii=False) for each in found]
        elif isinstance(found, dict):
            parts = [f"{name}: {json.dumps(each, ensure_ascii=False)}" for name, each in found.items()]
        else:
            parts = [json.dumps(found, ensure_ascii=False)]
        yield from parts


@pytest.mark.parametrize("scene", SCENES)
def test_all_that_is_answered_is_as_it_was_kept(scene: str, tmp_path: Path) -> None:
    there = (KEPT / f"{scene}.txt").read_text(encoding="utf-8").splitlines()
    assert len(there) > 15
    assert list(lines(scene, tmp_path)) == there


if __name__ == "__main__":
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            (KEPT / f"{scene}.txt").write_text("\n".join(lines(scene, Path(folder))) + "\n", encoding="utf-8")
