"""The one line of JSON that plain values are written as, whatever the order in which their keys came."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def sorted_json() -> Callable[[Any], str]:
    """Return what writes plain values with sorted keys; to make it takes as long as a line.

    >>> sorted_json()({"b": 1, "a": "é"})
    '{"a": "é", "b": 1}'
    """
    import json  # on use, as everywhere here

    return json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False).encode
