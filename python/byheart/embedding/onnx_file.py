"""The writer of ONNX models: nodes and named arrays become the bytes of a `ModelProto`, without the package onnx.

Only what byheart needs of the format: one graph, dense tensors, attributes that are whole numbers, real numbers, names
or lists of whole numbers. Equal graphs give equal bytes. ONNX is protobuf: every field is a key (field number and wire
type) and a value; the numbers below are those of onnx.proto3, IR version 8, operator set 17.

Not for: reading models, or changing them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument

Array: TypeAlias = NDArray[Any]
Attribute: TypeAlias = int | float | str | Sequence[int]
Shape: TypeAlias = Sequence[int | str]

IR_VERSION: Final = 8
OPERATOR_SET: Final = 17

# TensorProto.DataType
_TYPES: Final[Mapping[str, int]] = {"float32": 1, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11}
_VARINT, _BYTES, _FIXED32 = 0, 2, 5


class Graph:
    r"""A graph in the making: nodes are added in the order in which they run.

    >>> graph = Graph("double")
    >>> graph.input("x", "float32", ("n",))
    >>> graph.output(graph.node("Add", "x", "x", name="y"), "float32", ("n",))
    >>> graph.to_bytes()[:2]
    b'\x08\x08'

    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._tensors: dict[str, bytes] = {}

    def input(self, name: str, dtype: str, shape: Shape) -> None:
        """Declare an input; a dimension that is a name may have any length."""
        self._inputs.append(_value(name, dtype, shape))

    def output(self, name: str, dtype: str, shape: Shape) -> None:
        """Declare that a value, named here or by a node, is an output."""
        self._outputs.append(_value(name, dtype, shape))

    def constant(self, name: str, array: Array) -> str:
        """Keep an array in the model under a name, once, and return the name.

        Raises:
            InvalidArgument: the name stands for another array already.

        """
        made = _tensor(name, array)
        if self._tensors.setdefault(name, made) != made:
            raise InvalidArgument(f"constant {name!r}: stands for another array already")
        return name

    def node(self, operator: str, *inputs: str, name: str = "", **attributes: Attribute) -> str:
        """Add a node with one output, and return the output's name."""
        output = name or f"{operator}_{len(self._nodes)}"
        self.outputs(operator, *inputs, names=(output,), **attributes)
        return output

    def outputs(self, operator: str, *inputs: str, names: Sequence[str], **attributes: Attribute) -> None:
        """Add a node with outputs of these names."""
        parts = [_text(1, value) for value in inputs] + [_text(2, value) for value in names]
        parts += [_text(3, names[0]), _text(4, operator)]
        parts += [_field(5, _attribute(key, attributes[key])) for key in sorted(attributes)]
        self._nodes.append(b"".join(parts))

    def to_bytes(self) -> bytes:
        """Return the model's file."""
        return b"".join(self.parts())

    def parts(self) -> Iterator[bytes]:
        """Give the model's file in pieces, so that large weights are not copied once more."""
        body = [_field(1, node) for node in self._nodes] + [_text(2, self._name)]
        body += [_field(5, tensor) for tensor in self._tensors.values()]
        body += [_field(11, value) for value in self._inputs] + [_field(12, value) for value in self._outputs]
        yield _number(1, IR_VERSION) + _text(2, "byheart") + _field(8, _text(1, "") + _number(2, OPERATOR_SET))
        yield _key(7, _BYTES) + _varint(sum(map(len, body)))
        yield from body


def _varint(value: int) -> bytes:
    """Return a whole number in groups of seven bits, the lowest first; negative ones as 64 bits."""
    value &= (1 << 64) - 1
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _field(field: int, content: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(content)) + content


def _text(field: int, value: str) -> bytes:
    return _field(field, value.encode())


def _attribute(name: str, value: Attribute) -> bytes:
    """Return an AttributeProto: its name, its value in the field of its type, and the type."""
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    if isinstance(value, float):
        return _text(1, name) + _key(2, _FIXED32) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, 3)
    return _text(1, name) + b"".join(_number(8, each) for each in value) + _number(20, 7)


def _tensor(name: str, array: Array) -> bytes:
    """Return a TensorProto: its shape, type, name, and its numbers as little-endian bytes."""
    content = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    shape = b"".join(_number(1, size) for size in array.shape)
    return shape + _number(2, _TYPES[array.dtype.name]) + _text(8, name) + _field(9, content)


def _value(name: str, dtype: str, shape: Shape) -> bytes:
    """Return a ValueInfoProto: a name, and the type and shape of the tensor behind it."""
    sizes = b"".join(_field(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    tensor = _number(1, _TYPES[dtype]) + _field(2, sizes)
    return _text(1, name) + _field(2, _field(1, tensor))
