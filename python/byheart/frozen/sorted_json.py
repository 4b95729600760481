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
    return line_writer(sort_keys=True, separators=(", ", ": "), allow_nan=False)


def line_writer(*, sort_keys: bool, separators: tuple[str, str], allow_nan: bool) -> Callable[[Any], str]:
    """Return what writes plain values, in no circle, as one line of JSON.

    The standard library makes an encoder in C for each line, which takes as long as to write a short one. Here it is
    made once, where there is one that works as it does today.

    >>> line_writer(sort_keys=False, separators=(",", ":"), allow_nan=True)(["é", {"b": 1.5, "a": None}])
    '["é",{"b":1.5,"a":null}]'
    """
    import json  # on use, as everywhere here

    plainly = json.JSONEncoder(ensure_ascii=False, separators=separators, sort_keys=sort_keys, allow_nan=allow_nan)
    in_items, in_pairs = separators
    try:
        made = getattr(json.encoder, "c_make_encoder")(  # noqa: B009 - another Python may have none
            None, plainly.default, getattr(json.encoder, "encode_basestring"),  # noqa: B009
            None, in_pairs, in_items, sort_keys, False, allow_nan,
        )  # fmt: skip
        in_c = "".join(made(_SAMPLE, 0)) == plainly.encode(_SAMPLE)
    except (AttributeError, TypeError):
        in_c = False
    return (lambda value: "".join(made(value, 0))) if in_c else plainly.encode


_SAMPLE = {"b": ["é\n", 1, 0.1, None, True, ()], "a": {}}
