"""The pinned ln, exp and asin: bit patterns of Java's StrictMath (which is fdlibm), and the C library close by."""

from __future__ import annotations

import hashlib
import math
import random
import struct
from collections.abc import Callable

import pytest

from byheart.reference.mathematics import asin, exp, ln

# Argument and result, as the bits of doubles. The last rows of each stand on both sides of a branch.
LN = [
    (0x0000000000000001, 0xC0874385446D71C3),  # 4.9E-324
    (0x000012688B70E62B, 0xC0864E69394D9508),  # 1.0E-310
    (0x3FE0000000000000, 0xBFE62E42FEFA39EF),  # 0.5
    (0x3FEFFFFFCA501ACB, 0xBE7AD7F2B1049B9F),  # 0.9999999
    (0x3FF0000000000000, 0x0000000000000000),  # 1.0
    (0x3FF000001AD7F29B, 0x3E7AD7F2847B6492),  # 1.0000001
    (0x3FF3333333333333, 0x3FC7565011E49675),  # 1.2
    (0x3FF6666666666666, 0x3FD588C2D913348E),  # 1.4
    (0x3FF8000000000000, 0x3FD9F323ECBF984C),  # 1.5
    (0x4000000000000000, 0x3FE62E42FEFA39EF),  # 2.0
    (0x400000000D6BF94D, 0x3FE62E4319D22C7E),  # 2.0000001
    (0x4006666666666666, 0x3FF0795235C1EA1B),  # 2.8
    (0x4002AAAAAAAAAAAB, 0x3FEB1D10670AAE9A),  # 2.3333333333333335
    (0x4010000000000000, 0x3FF62E42FEFA39EF),  # 4.0
    (0x4024000000000000, 0x40026BB1BBB55516),  # 10.0
    (0x7E37E43C8800759C, 0x4085963447F87FB5),  # 1.0E300
    (0x3FEFFFFDFFFFFFFF, 0xBEB0000080080556),  # 0.9999990463256835
    (0x3FEFFFFE00000000, 0xBEB0000080000555),  # 0.9999990463256836
    (0x3FF00000FFFFFFFF, 0x3EAFFFFEFFE00AAD),  # 1.0000009536743162
    (0x3FF0000100000000, 0x3EAFFFFF00000AAB),  # 1.0000009536743164
    (0x3FF61479FFFFFFFF, 0x3FD49D018EE476F7),  # 1.3799991607666013
    (0x3FF6147A00000000, 0x3FD49D018EE476FA),  # 1.3799991607666016
    (0x3FF6A09BFFFFFFFF, 0x3FD62E3C34EA818C),  # 1.4142112731933592
    (0x3FF6A09C00000000, 0x3FD62E3C34EA818E),  # 1.4142112731933594
    (0x3FF6B851FFFFFFFF, 0x3FD67129BE9D3C0B),  # 1.420000076293945
    (0x3FF6B85200000000, 0x3FD67129BE9D3C0E),  # 1.4200000762939453
]
EXP = [
    (0xC087480000000000, 0x0000000000000001),  # -745.0
    (0xC087240000000000, 0x0000000000000033),  # -740.5
    (0xC086240000000000, 0x000E6CF6D08897AC),  # -708.5
    (0xC03E400000000000, 0x3D34835BD010A41B),  # -30.25
    (0xBFF0000000000000, 0x3FD78B56362CEF38),  # -1.0
    (0xBFE0000000000000, 0x3FE368B2FC6F960A),  # -0.5
    (0xBFD5C28F5C28F5C3, 0x3FE6C6D28E50EBB6),  # -0.34
    (0x0000000000000000, 0x3FF0000000000000),  # 0.0
    (0x3E112E0BE826D695, 0x3FF000000044B830),  # 1.0E-9
    (0x3FB999999999999A, 0x3FF1AEC7B35A00D4),  # 0.1
    (0x3FD5C28F5C28F5C3, 0x3FF67AAA532108BE),  # 0.34
    (0x3FE0000000000000, 0x3FFA61298E1E069C),  # 0.5
    (0x3FF0000000000000, 0x4005BF0A8B14576A),  # 1.0
    (0x3FF07AE147AE147B, 0x40066895344FCDCC),  # 1.03
    (0x3FF0A3D70A3D70A4, 0x4006A23C87AF69E8),  # 1.04
    (0x4004000000000000, 0x40285D6FD931E0BB),  # 2.5
    (0x4034000000000000, 0x41BCEB088B68E804),  # 20.0
    (0x4056300000000000, 0x47F070C68E479C40),  # 88.75
    (0x40862D999999999A, 0x7FED75AE7A50EE14),  # 709.7
    (0x3FD62E42FFFFFFFF, 0x3FF6A09E66DBC8D9),  # 0.34657359123229975
    (0x3FD62E4300000000, 0x3FF6A09E66DBC8DA),  # 0.3465735912322998
    (0x3FF0A2B1FFFFFFFF, 0x4006A09E0D126A08),  # 1.03972053527832
    (0x3FF0A2B200000000, 0x4006A09E0D126A0A),  # 1.0397205352783203
]
ASIN = [
    (0xBFF0000000000000, 0xBFF921FB54442D18),  # -1.0
    (0xBFEFAE147AE147AE, 0xBFF6DE3C6F33D51D),  # -0.99
    (0xBFE0000000000000, 0xBFE0C152382D7366),  # -0.5
    (0xBFD3333333333333, 0xBFD380159E14F6FF),  # -0.3
    (0x0000000000000000, 0x0000000000000000),  # 0.0
    (0x3E112E0BE826D695, 0x3E112E0BE826D695),  # 1.0E-9
    (0x3E45798EE2308C3A, 0x3E45798EE2308C3A),  # 1.0E-8
    (0x3FD0000000000000, 0x3FD02BE9CE0B87CD),  # 0.25
    (0x3FDFFFFF94A03595, 0x3FE0C151FA2F5E31),  # 0.4999999
    (0x3FE0000000000000, 0x3FE0C152382D7366),  # 0.5
    (0x3FE279A74590331E, 0x3FE3B2028082E8D6),  # 0.577350269189626
    (0x3FE6A09E667F3BCD, 0x3FE921FB54442D19),  # 0.7071067811865476
    (0x3FECCCCCCCCCCCCD, 0x3FF1EA93705FA172),  # 0.9
    (0x3FEF0A3D70A3D70A, 0x3FF5342538981EC8),  # 0.97
    (0x3FEF5C28F5C28F5C, 0x3FF5ED690583BE07),  # 0.98
    (0x3FEFFFFFFFFFFFFF, 0x3FF921FB50442D18),  # 0.9999999999999999
    (0x3FF0000000000000, 0x3FF921FB54442D18),  # 1.0
    (0x3FEF3332FFFFFFFF, 0x3FF58C2AE9AB49E8),  # 0.9749999046325682
    (0x3FEF333300000000, 0x3FF58C2AE9AB49EA),  # 0.9749999046325684
]


def double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def bits(x: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


@pytest.mark.parametrize(
    ("function", "argument", "result"),
    [(function, *row) for function, table in ((ln, LN), (exp, EXP), (asin, ASIN)) for row in table],
)
def test_bits(function: Callable[[float], float], argument: int, result: int) -> None:
    assert bits(function(double(argument))) == result, f"{function.__name__}({double(argument)!r})"


@pytest.mark.parametrize(
    ("function", "low", "high", "digest"),
    [
        (ln, 0.0, 4.0, "93419916ac4155819e2baedcc5d008b9f8a843dceaa9fbe27958f3a1000ca728"),
        (exp, -40.0, 40.0, "e700230d64291c2f24bb63b95bd259921e974d637e280c5557c8e1634112afba"),
        (asin, -1.0, 1.0, "63e15fa07326a0fea36e96a4e06675f081d9e164ef5ff8307e5c103debc0b170"),
    ],
)
def test_bits_of_20000_arguments(function: Callable[[float], float], low: float, high: float, digest: str) -> None:
    """The digest is that of StrictMath's answers, so that a coefficient's last digits count too."""
    draw = random.Random(7)
    answers = [function(low + (high - low) * draw.random()) for _ in range(20000)]
    assert hashlib.sha256(struct.pack("<20000d", *answers)).hexdigest() == digest


@pytest.mark.parametrize(
    ("function", "witness", "low", "high"),
    [
        (ln, math.log, 0.0, 3.0),
        (ln, math.log, 0.0, 1e12),
        (exp, math.exp, -2.0, 2.0),
        (exp, math.exp, -745.0, 709.0),
        (asin, math.asin, -1.0, 1.0),
    ],
)
def test_within_one_unit_of_the_c_library(
    function: Callable[[float], float], witness: Callable[[float], float], low: float, high: float
) -> None:
    draw = random.Random(20)
    for _ in range(2000):
        x = draw.uniform(low, high)
        assert abs(bits(function(x)) - bits(witness(x))) <= 1, x


def test_ln_at_the_ends() -> None:
    assert ln(0.0) == ln(-0.0) == -math.inf
    assert ln(math.inf) == math.inf
    assert math.isnan(ln(-1.0))
    assert math.isnan(ln(-math.inf))
    assert math.isnan(ln(math.nan))


def test_exp_at_the_ends() -> None:
    assert exp(math.inf) == exp(710.0) == math.inf
    assert exp(-math.inf) == exp(-746.0) == 0.0
    assert math.isnan(exp(math.nan))


def test_asin_at_the_ends() -> None:
    assert bits(asin(-0.0)) == bits(-0.0)
    assert math.isnan(asin(1.0000000000000002))
    assert math.isnan(asin(-math.inf))
    assert math.isnan(asin(math.nan))
