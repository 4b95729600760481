"""The reader of the safetensors format: arrays by name, every length checked before it is believed.

A file is eight bytes (the length of the header, little-endian), the header (JSON: for each name a type, a shape, and
where its bytes begin and end) and the bytes. It holds no code. The file is read once, so that its digest is that of the
arrays.
"""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from ..light.classes import dataclass

_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "<i1", "I32": "<i4", "I64": "<i8"}
_MAX_HEADER_BYTES = 100_000_000  # the format's own limit


@dataclass(frozen=True, slots=True)
class Tensors:
    """The arrays of a file, read-only, and the SHA-256 of its bytes in hexadecimal digits."""

    arrays: dict[str, NDArray[Any]]
    digest: str


def read_tensors(path: Path) -> Tensors:
    """Return the arrays of a safetensors file.

    Raises:
        ModelError: the file is missing, damaged, or holds a type other than F16, F32, F64, I8, I32 and I64.

    >>> import tempfile
    >>> header = b'{"table":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "model.safetensors"
    ...     _ = file.write_bytes(len(header).to_bytes(8, "little") + header + np.float32([3, 4]).tobytes())
    ...     read_tensors(file).arrays["table"].tolist()
    [[3.0, 4.0]]

    """
    data = read_file(path)
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > min(len(data) - 8, _MAX_HEADER_BYTES):
        raise ModelError(f"{path}: is cut short, or no safetensors file")
    try:
        header = json.loads(data[8 : 8 + size])
    except (ValueError, RecursionError):
        raise ModelError(f"{path}: its header is no JSON; the file is damaged") from None
    if not isinstance(header, dict):
        raise ModelError(f"{path}: its header is no JSON object; the file is damaged")
    body = memoryview(data)[8 + size :]
    arrays = {name: _array(path, name, entry, body) for name, entry in header.items() if name != "__metadata__"}
    return Tensors(arrays, hashlib.sha256(data).hexdigest())


def read_file(path: Path) -> bytes:
    """Return the bytes of a model's file; raise ModelError naming it where that fails."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"{path}: cannot be read ({error.strerror}); a model is a folder of files, none is fetched"
        ) from None


def _array(path: Path, name: str, entry: object, body: memoryview) -> NDArray[Any]:
    """Return one array of a file, as a view of its bytes."""
    match entry:
        case {"dtype": str(kind), "shape": [*shape], "data_offsets": [int(first), int(last)]} if kind in _TYPES:
            pass
        case {"dtype": str(kind)} if kind not in _TYPES:
            raise ModelError(f"{path}: {name} has type {kind}; only {', '.join(_TYPES)} are read")
        case _:
            raise ModelError(f"{path}: {name} has no type, shape and place; the file is damaged")
    form = np.dtype(_TYPES[kind])
    whole = all(isinstance(length, int) and not isinstance(length, bool) and length >= 0 for length in shape)
    if not whole or len(shape) > 4 or not 0 <= first <= last <= len(body):
        raise ModelError(f"{path}: {name} lies outside the file, which is damaged")
    if math.prod(shape) * form.itemsize != last - first:
        raise ModelError(f"{path}: {name} has {last - first} bytes, which do not fill the shape {tuple(shape)}")
    return np.frombuffer(body[first:last], form).reshape(shape)
