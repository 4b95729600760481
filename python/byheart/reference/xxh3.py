"""xxh3-64 with seed 0: the hash under every random hypervector.

Written from the published specification (Yann Collet's xxHash), for inputs of every length. All arithmetic is
on unsigned 64-bit integers. Of use for naming things evenly; no protection against someone who wants a clash.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFFFFFFFFFF
_PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_STRIPE = 64
_STRIPES_A_BLOCK = (len(_SECRET) - _STRIPE) // 8


def xxh3_64(data: bytes) -> int:
    """Return the 64-bit hash of the bytes.

    >>> hex(xxh3_64(b""))
    '0x2d06800538d394c2'
    """
    length = len(data)
    if length == 0:
        return _avalanche_xxh64(_word(_SECRET, 56) ^ _word(_SECRET, 64))
    if length <= 3:
        return _up_to_3(data)
    if length <= 8:
        return _up_to_8(data)
    if length <= 16:
        return _up_to_16(data)
    if length <= 128:
        return _up_to_128(data)
    if length <= 240:
        return _up_to_240(data)
    return _longer(data)


def _up_to_3(data: bytes) -> int:
    combined = data[0] << 16 | data[len(data) // 2] << 24 | data[-1] | len(data) << 8
    return _avalanche_xxh64(combined ^ _half(_SECRET, 0) ^ _half(_SECRET, 4))


def _up_to_8(data: bytes) -> int:
    swapped = _half(data, len(data) - 4) | _half(data, 0) << 32
    x = swapped ^ _word(_SECRET, 8) ^ _word(_SECRET, 16)
    x ^= _rotate(x, 49) ^ _rotate(x, 24)
    x = x * 0x9FB21C651E98DF25 & _MASK
    x ^= (x >> 35) + len(data)
    x = x * 0x9FB21C651E98DF25 & _MASK
    return x ^ x >> 28


def _up_to_16(data: bytes) -> int:
    low = _word(data, 0) ^ _word(_SECRET, 24) ^ _word(_SECRET, 32)
    high = _word(data, len(data) - 8) ^ _word(_SECRET, 40) ^ _word(_SECRET, 48)
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    return _avalanche(len(data) + swapped + high + _fold(low, high))


def _up_to_128(data: bytes) -> int:
    """Mix pairs of 16 bytes from both ends inwards; only the sum counts, so the order does not."""
    total = len(data) * _PRIME64[0]
    for pair in range((len(data) - 1) // 32 + 1):
        total += _mix_16(data, 16 * pair, 32 * pair)
        total += _mix_16(data, len(data) - 16 * (pair + 1), 32 * pair + 16)
    return _avalanche(total)


def _up_to_240(data: bytes) -> int:
    total = len(data) * _PRIME64[0]
    for chunk in range(8):
        total += _mix_16(data, 16 * chunk, 16 * chunk)
    total = _avalanche(total)
    for chunk in range(8, len(data) // 16):
        total += _mix_16(data, 16 * chunk, 16 * (chunk - 8) + 3)
    total += _mix_16(data, len(data) - 16, 136 - 17)
    return _avalanche(total)


def _longer(data: bytes) -> int:
    """Feed eight lanes with stripes of 64 bytes; after each block of 16 stripes scramble the lanes."""
    lanes = [_PRIME32[2], *_PRIME64[:4], _PRIME32[1], _PRIME64[4], _PRIME32[0]]
    for stripe in range((len(data) - 1) // _STRIPE):
        place = stripe % _STRIPES_A_BLOCK
        _accumulate(lanes, data, _STRIPE * stripe, 8 * place)
        if place == _STRIPES_A_BLOCK - 1:
            _scramble(lanes)
    _accumulate(lanes, data, len(data) - _STRIPE, len(_SECRET) - _STRIPE - 7)
    total = len(data) * _PRIME64[0]
    for pair in range(4):
        key = 11 + 16 * pair
        total += _fold(lanes[2 * pair] ^ _word(_SECRET, key), lanes[2 * pair + 1] ^ _word(_SECRET, key + 8))
    return _avalanche(total)


def _accumulate(lanes: list[int], data: bytes, at: int, secret_at: int) -> None:
    for lane in range(8):
        value = _word(data, at + 8 * lane)
        keyed = value ^ _word(_SECRET, secret_at + 8 * lane)
        lanes[lane ^ 1] = lanes[lane ^ 1] + value & _MASK
        lanes[lane] = lanes[lane] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & _MASK


def _scramble(lanes: list[int]) -> None:
    for lane in range(8):
        x = lanes[lane]
        x ^= x >> 47
        x ^= _word(_SECRET, len(_SECRET) - _STRIPE + 8 * lane)
        lanes[lane] = x * _PRIME32[0] & _MASK


def _mix_16(data: bytes, at: int, secret_at: int) -> int:
    return _fold(
        _word(data, at) ^ _word(_SECRET, secret_at),
        _word(data, at + 8) ^ _word(_SECRET, secret_at + 8),
    )


def _fold(a: int, b: int) -> int:
    """Return the halves of the 128-bit product, XORed."""
    product = a * b
    return product & _MASK ^ product >> 64


def _avalanche(x: int) -> int:
    x &= _MASK
    x ^= x >> 37
    x = x * 0x165667919E3779F9 & _MASK
    return x ^ x >> 32


def _avalanche_xxh64(x: int) -> int:
    x ^= x >> 33
    x = x * _PRIME64[1] & _MASK
    x ^= x >> 29
    x = x * _PRIME64[2] & _MASK
    return x ^ x >> 32


def _rotate(x: int, count: int) -> int:
    return (x << count | x >> 64 - count) & _MASK


def _half(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")
