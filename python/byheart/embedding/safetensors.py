"""Reads safetensors: a header in JSON that names arrays, then their bytes. No length is believed unchecked.

Only float32 is read, which is what the models that `assemble` knows are kept in; other arrays are passed over.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError

_LENGTH_BYTES = 8


def read(data: bytes, what: str = "safetensors") -> dict[str, NDArray[np.float32]]:
    """Return the float32 arrays of a file by name; they share its bytes and cannot be written to.

    Args:
        data: the whole file.
        what: what messages call it.

    Raises:
        ModelError: the bytes are no such file; says where.

    >>> header = b'{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'
    >>> read(len(header).to_bytes(8, "little") + header + np.array([1, 2], "<f4").tobytes())
    {'a': array([1., 2.], dtype=float32)}

    """
    size = int.from_bytes(data[:_LENGTH_BYTES], "little")
    start = _LENGTH_BYTES + size
    if len(data) < start:
        raise ModelError(f"{what}: is cut off inside its header")
    try:
        entries = json.loads(data[_LENGTH_BYTES:start])
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{what}: its header is no JSON ({error})") from None
    if not isinstance(entries, dict):
        raise ModelError(f"{what}: its header is no JSON object")
    return {
        name: _array(data, start, name, entry, what)
        for name, entry in entries.items()
        if isinstance(entry, dict) and entry.get("dtype") == "F32"
    }


def _array(data: bytes, start: int, name: str, entry: dict[str, Any], what: str) -> NDArray[np.float32]:
    """Return one array, if its shape and its place agree with each other and with the file."""
    shape: Any = entry.get("shape")
    place: Any = entry.get("data_offsets")
    if not _whole(shape) or not _whole(place) or len(place) != 2:
        raise ModelError(f"{what}: the entry of {name!r} has no shape or no place")
    begin, end = place
    count = math.prod(shape)
    if end - begin != 4 * count or start + end > len(data):
        raise ModelError(f"{what}: the array {name!r} does not lie where the header says")
    array = np.frombuffer(data, "<f4", count, start + begin).reshape(shape)
    return array.astype(np.float32, copy=False)


def _whole(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)
