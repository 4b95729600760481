"""A file of named sections, each with its length and checksum: how an index generation lies on disk.

    magic (8 bytes), then for each section: name length (u16), name (UTF-8), payload length (u64), CRC-32 of name and
    payload (u32), payload; at the end a section named "" without payload. All numbers are little-endian.

Every length is checked against what is there before it is believed: a hostile file costs its own size and one error.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO

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


def read(file: bytes | BinaryIO) -> Iterator[Section]:
    """Give the sections of a file, one after the other.

    Raises:
        CorruptIndex: the bytes are no such file, or a section is cut off or damaged; names it.

    """
    source = _Source(BytesIO(file) if isinstance(file, bytes) else file)
    if source.size < len(MAGIC) or source.take(len(MAGIC)) != MAGIC:
        raise CorruptIndex("index generation: the file does not begin as one; it is of another kind or version")
    while True:
        name, payload = _section(source)
        if name == "":
            if source.at != source.size or payload:
                raise CorruptIndex("index generation: bytes follow its end")
            return
        yield name, payload


class _Source:
    """A file that is read from its beginning, and how much of it there is."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size, self.at = file.seek(0, os.SEEK_END), 0
        file.seek(0)

    def take(self, length: int) -> bytes:
        """Return the next bytes."""
        end = self.at + length
        found = self._file.read(length) if end <= self.size else b""
        if len(found) != length:
            raise CorruptIndex(f"index generation: cut off at byte {self.size}; {end} were promised")
        self.at = end
        return found


def _section(source: _Source) -> tuple[str, bytes]:
    (size,) = _NAME.unpack(source.take(_NAME.size))
    label = source.take(size)
    length, checksum = _PAYLOAD.unpack(source.take(_PAYLOAD.size))
    payload = source.take(length)
    if zlib.crc32(payload, zlib.crc32(label)) != checksum:
        raise CorruptIndex(f"index generation: the checksum of section {label!r} is wrong")
    try:
        return str(label, "utf-8"), payload
    except UnicodeDecodeError:
        raise CorruptIndex(f"index generation: section name {label!r} is not UTF-8") from None
