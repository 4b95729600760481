"""The reference's xxh3-64: pinned hashes of every kind of length, and the package of its author's code."""

from __future__ import annotations

import random

import pytest

from byheart.reference.xxh3 import xxh3_64

BYTES = bytes(range(256)) * 5


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, 0x2D06800538D394C2),
        (1, 0xC44BDFF4074EECDB),
        (2, 0xD6645FC3051A9457),
        (3, 0x5F4299FC161C9CBB),
        (4, 0x60DAB036A58211F2),
        (8, 0x3A1C2D7C85AF88F8),
        (9, 0xE9612598145BB9DC),
        (16, 0x8355E3A6F61770DB),
        (17, 0x9EF341A99DE37328),
        (32, 0x3523581FE96E4C05),
        (33, 0xE68C56BA88991E58),
        (64, 0x6187EB9089B0ED55),
        (65, 0x6928C76CE90422D0),
        (96, 0x278A3E12EA046DFB),
        (97, 0xE7220282DC4E14F4),
        (128, 0x85C6174C7FF4C46B),
        (129, 0xEC7642B431BA3E5A),
        (144, 0x028E1E35FF4C0A01),
        (240, 0x375A384D957FE865),
        (241, 0x02E8CD95421C6D02),
        (256, 0x9408A4433B952D71),
        (512, 0x1059105AD19BFA09),
        (1024, 0xA870F92984398D22),
        (1025, 0x78C86E91EE939852),
        (1088, 0x280D4E7CB6579EB6),
        (1089, 0x42F8401C93F322B4),
        (1280, 0x4844B009E164352E),
    ],
)
def test_pinned(length: int, expected: int) -> None:
    assert xxh3_64(BYTES[:length]) == expected


def test_same_as_the_package_for_all_lengths_to_600() -> None:
    xxhash = pytest.importorskip("xxhash", reason="the package xxhash is the witness here")
    draw = random.Random(1)
    for length in [*range(601), *(draw.randrange(600, 5000) for _ in range(50))]:
        data = draw.randbytes(length)
        assert xxh3_64(data) == xxhash.xxh3_64_intdigest(data), length
