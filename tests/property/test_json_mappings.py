"""Mappings of plain JSON: those that are looked at come back as those that are written and read."""

from __future__ import annotations

import json
import math
from typing import Any
from unittest.mock import patch

from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from byheart.errors import ByheartError
from byheart.validation import mappings

from ..counts import examples

LONG = 1_001
names = st.sampled_from(["a", "b", "é", "n" * LONG, "m"])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
odd = st.sampled_from(
    [2**63, -(2**63), "x" * LONG, "\ud800", -0.0, 1e308, math.inf, math.nan, b"a", [], {}, [math.inf]]
)


def outcome(given: Any) -> tuple[str, str]:
    try:
        kept = mappings.json_mapping("metadata", given)
    except (ByheartError, TypeError, ValueError) as error:
        return type(error).__name__, str(error)
    return "kept", json.dumps(kept)


@settings(max_examples=examples(1_000))
@given(st.dictionaries(names | st.just(1), leaves | odd, max_size=3))
@example({"a": True, "b": 1, "c": 1.0})
@example({f"{number:03}": "x" * 1_000 for number in range(70)})
def test_what_is_looked_at_is_what_is_written_and_read(given: dict[Any, Any]) -> None:
    with patch.object(mappings, "_FEW", -1):
        slow = outcome(given)
    quick = outcome(given)
    event(slow[0])
    assert quick == slow
