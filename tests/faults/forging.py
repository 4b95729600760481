"""Index files taken apart and put together again with checksums that fit: damage that no checksum notices."""

import struct
import zlib

MAGIC = b"byheart\0"
HEADER = 24


def take_apart(data: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Return the kind and the (tag, payload) of each section."""
    kind, (count,) = data[8:12], struct.unpack("<I", data[16:20])
    sections, at = [], HEADER
    for _ in range(count):
        tag, (length,) = data[at : at + 4], struct.unpack("<Q", data[at + 4 : at + 12])
        sections.append((tag, data[at + 12 : at + 12 + length]))
        at += 12 + length + 4
    assert at == len(data)
    return kind, sections


def put_together(kind: bytes, sections: list[tuple[bytes, bytes]], version: int = 2) -> bytes:
    """Return the bytes of an index file with these sections, all checksums right."""
    out = checked(MAGIC + kind + struct.pack("<II", version, len(sections)))
    for tag, payload in sections:
        out += checked(tag + struct.pack("<Q", len(payload)) + payload)
    return out


def checked(block: bytes) -> bytes:
    """Return a block followed by its CRC-32."""
    return block + struct.pack("<I", zlib.crc32(block))


def varint(value: int) -> bytes:
    """Return a number in groups of seven bits, lowest first."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(value: str) -> bytes:
    """Return a length and UTF-8."""
    data = value.encode()
    return varint(len(data)) + data
