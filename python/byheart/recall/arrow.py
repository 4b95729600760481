"""The hits of an answer as an Arrow stream, through Arrow's C data interface and its capsules, by `ctypes` alone.

`pyarrow.table(recall)`, `polars.DataFrame(recall)` and whoever else speaks that protocol take an answer as it is. The
stream gives one batch. The buffers of a column are ours until the consumer lets go of that column, which may outlive
the batch that it came in; `_HELD` has them until then, and nothing after.

The layouts are those of https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from .._core import arrow_stream

_NULLABLE: Final = 2
_EIO: Final = 5
_HELD: Final[dict[int, tuple[Any, ...]]] = {}  # what exported structures point to, by the number they are known by
_NUMBERS: Final = count(1)


class _Schema(c.Structure):
    """`struct ArrowSchema`."""


class _Array(c.Structure):
    """`struct ArrowArray`."""


class _Stream(c.Structure):
    """`struct ArrowArrayStream`."""


_SchemaRelease = c.CFUNCTYPE(None, c.POINTER(_Schema))
_ArrayRelease = c.CFUNCTYPE(None, c.POINTER(_Array))
_StreamRelease = c.CFUNCTYPE(None, c.POINTER(_Stream))
_GetSchema = c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Schema))
_GetNext = c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Array))
_GetLastError = c.CFUNCTYPE(c.c_void_p, c.POINTER(_Stream))

_Schema._fields_ = [
    ("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_char_p), ("flags", c.c_int64),
    ("n_children", c.c_int64), ("children", c.POINTER(c.POINTER(_Schema))), ("dictionary", c.POINTER(_Schema)),
    ("release", _SchemaRelease), ("private_data", c.c_void_p),
]  # fmt: skip
_Array._fields_ = [
    ("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
    ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(_Array))),
    ("dictionary", c.POINTER(_Array)), ("release", _ArrayRelease), ("private_data", c.c_void_p),
]  # fmt: skip
_Stream._fields_ = [
    ("get_schema", _GetSchema), ("get_next", _GetNext), ("get_last_error", _GetLastError),
    ("release", _StreamRelease), ("private_data", c.c_void_p),
]  # fmt: skip


class Column(NamedTuple):
    """A column of a batch: its name, what its values are ("text", "float" or "time"), and these, None for none."""

    name: str
    kind: str
    values: Sequence[Any]


_FORMATS: Final[Mapping[str, bytes]] = {"text": b"U", "float": b"g", "time": b"tsu:UTC"}


def stream(columns: Sequence[Column]) -> object:
    """Return the capsule of a stream that gives these columns as one batch.

    What is allocated goes when the consumer releases what it took, or the capsule if nobody takes it.
    """
    number = next(_NUMBERS)
    _HELD[number] = (tuple(columns), [])
    return arrow_stream(_FUNCTIONS, number, _end)


def _fill_schema(out: _Schema, format: bytes, name: bytes, children: Sequence[_Schema] = ()) -> None:
    """Fill the structure of a consumer; what it points to is held until it is released."""
    number = next(_NUMBERS)
    pointers = (c.POINTER(_Schema) * len(children))(*map(c.pointer, children))
    _HELD[number] = (children, pointers, format, name)
    out.format, out.name, out.metadata, out.flags = format, name, None, _NULLABLE if name else 0
    out.n_children, out.children, out.dictionary = len(children), pointers, None
    out.release, out.private_data = _RELEASE_SCHEMA, number


def _fill_array(out: _Array, length: int, nulls: int, buffers: Sequence[Any], children: Sequence[_Array] = ()) -> None:
    number = next(_NUMBERS)
    addresses = (c.c_void_p * len(buffers))(*(None if each is None else c.addressof(each) for each in buffers))
    pointers = (c.POINTER(_Array) * len(children))(*map(c.pointer, children))
    _HELD[number] = (children, pointers, tuple(buffers), addresses)
    out.length, out.null_count, out.offset, out.n_buffers = length, nulls, 0, len(buffers)
    out.n_children, out.buffers, out.children, out.dictionary = len(children), addresses, pointers, None
    out.release, out.private_data = _RELEASE_ARRAY, number


def _column(column: Column) -> _Array:
    """Return a column with buffers of its own."""
    values, made = column.values, _Array()
    nulls = sum(value is None for value in values)
    if column.kind == "text":
        texts = [b"" if value is None else value.encode() for value in values]
        ends = [0]
        for text in texts:
            ends.append(ends[-1] + len(text))
        buffers = [_validity(values, nulls), _numbers(c.c_int64, ends), _bytes(b"".join(texts))]
    else:
        numbers = [0 if value is None else value for value in values]
        buffers = [_validity(values, nulls), _numbers(c.c_double if column.kind == "float" else c.c_int64, numbers)]
    _fill_array(made, len(values), nulls, buffers)
    return made


def _validity(values: Sequence[Any], nulls: int) -> Any:
    """Return the bits of the values that are there; None where all are."""
    if not nulls:
        return None
    bits = bytearray((len(values) + 7) // 8)
    for place, value in enumerate(values):
        if value is not None:
            bits[place // 8] |= 1 << place % 8
    return _bytes(bytes(bits))


def _bytes(data: bytes) -> Any:
    return (c.c_char * max(8, len(data))).from_buffer_copy(data.ljust(8, b"\0"))


def _numbers(kind: Any, numbers: Sequence[Any]) -> Any:
    return (kind * max(1, len(numbers)))(*numbers)


def _give_schema(asked: Any, out: Any) -> int:
    try:
        columns, _ = _HELD[asked.contents.private_data]
        children = [_Schema() for _ in columns]
        for child, column in zip(children, columns, strict=True):
            _fill_schema(child, _FORMATS[column.kind], column.name.encode())
        _fill_schema(out.contents, b"+s", b"", children)
    except Exception:  # no exception passes through C
        return _EIO
    return 0


def _give_next(asked: Any, out: Any) -> int:
    try:
        columns, given = _HELD[asked.contents.private_data]
        if given:
            out.contents.release = _ArrayRelease()  # the end
            return 0
        given.append(True)
        _fill_array(out.contents, len(columns[0].values), 0, [None], [_column(each) for each in columns])
    except Exception:  # no exception passes through C
        return _EIO
    return 0


def _no_error(asked: Any) -> None:
    """Say nothing more than the number does."""


def _release(pointer: Any, nothing: Any) -> None:
    """Let go of a structure: of its children that nobody has taken, then of what it points to; it says so."""
    structure = pointer.contents
    for place in range(structure.n_children):
        child = structure.children[place]
        if child.contents.release:
            child.contents.release(child)
    structure.release = nothing
    _HELD.pop(structure.private_data, None)


def _release_schema(pointer: Any) -> None:
    _release(pointer, _SchemaRelease())


def _release_array(pointer: Any) -> None:
    _release(pointer, _ArrayRelease())


def _release_stream(pointer: Any) -> None:
    _HELD.pop(pointer.contents.private_data, None)
    pointer.contents.release = _StreamRelease()


def _end(number: int) -> None:
    """Let go of a stream that nobody took."""
    _HELD.pop(number, None)


def _address(function: Any) -> int:
    return c.cast(function, c.c_void_p).value or 0


# What C calls; each lives as long as the module, whatever a consumer still holds.
_GIVE_SCHEMA: Final = _GetSchema(_give_schema)
_GIVE_NEXT: Final = _GetNext(_give_next)
_NO_ERROR: Final = _GetLastError(_no_error)
_RELEASE_SCHEMA: Final = _SchemaRelease(_release_schema)
_RELEASE_ARRAY: Final = _ArrayRelease(_release_array)
_RELEASE_STREAM: Final = _StreamRelease(_release_stream)
_FUNCTIONS: Final = (_address(_GIVE_SCHEMA), _address(_GIVE_NEXT), _address(_NO_ERROR), _address(_RELEASE_STREAM))
