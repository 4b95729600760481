"""A file of named sections, each with its length and checksum: how an index generation lies on disk.

    magic (8 bytes), then for each section: name length (u16), name (UTF-8), payload length (u64), CRC-32 of name and
    payload (u32), payload; at the end a section named "" without payload. All numbers are little-endian.

Every length is checked against what is there before it is believed, and nothing is copied before its checksum is
right: a hostile file costs its own size and one error.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from ..errors import CorruptIndex, LimitExceeded

MAGIC = b"bhgen\x00\x00\x01"
_NAME, _PAYLOAD = struct.Struct("<H"), struct.Struct("<QI")
Section = tuple[str, bytes]


def written(sections: Iterable[Section]) -> Iterator[bytes]:
    """Give the bytes of a file of these sections, piece by piece.

    >>> dict(read(b"".join(written([("a", b"one"), ("b", b"")]))))
    {'a': b'one', 'b': b''}
    """
    yield MAGIC
    for name, payload in (*sections, ("", b"")):
        label = name.encode()
        if len(label) > 0xFFFF:
            raise LimitExceeded(f"section name length in bytes: {len(label)} is over the limit of 65535")
        checksum = zlib.crc32(payload, zlib.crc32(label))
        yield b"".join((_NAME.pack(len(label)), label, _PAYLOAD.pack(len(payload), checksum)))
        yield payload


def read(data: bytes) -> Iterator[Section]:
    """Give the sections of a file.

    Raises:
        CorruptIndex: the bytes are no such file, or a section is cut off or damaged; names it.

    """
    if data[: len(MAGIC)] != MAGIC:
        raise CorruptIndex("index generation: the file does not begin as one; it is of another kind or version")
    view, at = memoryview(data), len(MAGIC)
    while True:
        name, payload, at = _section(view, at)
        if name == "":
            if at != len(data) or payload:
                raise CorruptIndex("index generation: bytes follow its end")
            return
        yield name, bytes(payload)


def _section(view: memoryview, at: int) -> tuple[str, memoryview, int]:
    (size,), at = _unpacked(_NAME, view, at)
    label, at = _take(view, at, size)
    (length, checksum), at = _unpacked(_PAYLOAD, view, at)
    payload, at = _take(view, at, length)
    if zlib.crc32(payload, zlib.crc32(label)) != checksum:
        raise CorruptIndex(f"index generation: the checksum of section {bytes(label)!r} is wrong")
    try:
        return str(label, "utf-8"), payload, at
    except UnicodeDecodeError:
        raise CorruptIndex(f"index generation: section name {bytes(label)!r} is not UTF-8") from None


def _unpacked(layout: struct.Struct, view: memoryview, at: int) -> tuple[tuple[int, ...], int]:
    raw, at = _take(view, at, layout.size)
    return layout.unpack(raw), at


def _take(view: memoryview, at: int, length: int) -> tuple[memoryview, int]:
    end = at + length
    if end > len(view):
        raise CorruptIndex(f"index generation: cut off at byte {len(view)}; {end} were promised")
    return view[at:end], end
