"""The pinned ln, exp and asin: the same bits on every machine.

The C library's functions differ in the last place from one system to the next, and a score must not. These
are the algorithms of fdlibm 5.3 (Sun, 1995, freely usable), step by step in its order, on IEEE 754 doubles;
the core carries the same ones. Java's `StrictMath` is specified by them too, which makes it a witness.

Not here: speed, and any function that no score needs.
"""

from __future__ import annotations

import math
import struct

_LN2_HIGH = 6.93147180369123816490e-01  # 3FE62E42 FEE00000: k * _LN2_HIGH is exact for |k| < 2000
_LN2_LOW = 1.90821492927058770002e-10  # 3DEA39EF 35793C76
_ONE_BY_LN2 = 1.44269504088896338700e00  # 3FF71547 652B82FE
_HALF_PI_HIGH = 1.57079632679489655800e00  # 3FF921FB 54442D18
_HALF_PI_LOW = 6.12323399573676603587e-17  # 3C91A626 33145C07
_QUARTER_PI = 7.85398163397448278999e-01  # 3FE921FB 54442D18

_EXP_OVERFLOWS_ABOVE = 7.09782712893383973096e02
_EXP_VANISHES_BELOW = -7.45133219101941108420e02


def ln(x: float) -> float:
    """Return the natural logarithm of x, within one unit in the last place.

    Args:
        x: any double. ln(0) is -inf, ln(inf) is inf; a negative number or NaN gives NaN.

    >>> ln(2.0)
    0.6931471805599453

    """
    if x == 0.0:
        return -math.inf
    if math.isnan(x) or x < 0.0:
        return math.nan
    if x == math.inf:
        return x
    k, mantissa, f = _split(x)
    if (2 + mantissa) & 0xFFFFF < 3:  # |f| < 2**-20: two terms of the series are enough
        rest = f * f * (0.5 - 0.33333333333333333 * f)
        if k == 0:
            return f - rest
        return k * _LN2_HIGH + k * _LN2_LOW if f == 0.0 else k * _LN2_HIGH - ((rest - k * _LN2_LOW) - f)
    s = f / (2.0 + f)
    series = _ln_series(s * s)
    if (mantissa - 0x6147A) | (0x6B851 - mantissa) > 0:  # 1 + f between 1.38 and 1.42: f is large, save its square
        half_square = 0.5 * f * f
        if k == 0:
            return f - (half_square - s * (half_square + series))
        return k * _LN2_HIGH - ((half_square - (s * (half_square + series) + k * _LN2_LOW)) - f)
    if k == 0:
        return f - s * (f - series)
    return k * _LN2_HIGH - ((s * (f - series) - k * _LN2_LOW) - f)


def _split(x: float) -> tuple[int, int, float]:
    """Return k, the upper 20 bits of the mantissa, and f with x = 2**k * (1 + f) and sqrt(2)/2 < 1 + f < sqrt(2)."""
    k = 0
    if x < 2.0**-1022:
        k, x = -54, x * 2.0**54
    bits = _bits(x)
    k += (bits >> 52) - 1023
    mantissa = (bits >> 32) & 0xFFFFF
    halve = (mantissa + 0x95F64) & 0x100000  # set when 1 + f would exceed sqrt(2)
    k += halve >> 20
    high = mantissa | (halve ^ 0x3FF00000)
    return k, mantissa, _double(high << 32 | bits & 0xFFFFFFFF) - 1.0


def _ln_series(z: float) -> float:
    """Return R(z), with ln(1 + f) = f - s * (f - R), s = f / (2 + f), z = s * s."""
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = 2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)
    return z * (6.666666666666735130e-01 + w * odd) + even


def exp(x: float) -> float:
    """Return e to the power x, within one unit in the last place.

    Args:
        x: any double. Above 709.78 the result is inf, below -745.13 it is 0.0; NaN stays NaN.

    >>> exp(1.0)
    2.7182818284590455

    """
    if math.isnan(x):
        return x
    if x > _EXP_OVERFLOWS_ABOVE:
        return math.inf
    if x < _EXP_VANISHES_BELOW:
        return 0.0
    size = (_bits(x) >> 32) & 0x7FFFFFFF
    if size < 0x3E300000:  # |x| < 2**-28
        return 1.0 + x
    k, high, low = _whole_powers(x, size)
    if k:
        x = high - low
    t = x * x
    series = 6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08)
    c = x - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * series))
    if k == 0:
        return 1.0 - ((x * c) / (c - 2.0) - x)
    y = 1.0 - ((low - (x * c) / (2.0 - c)) - high)
    return math.ldexp(y, k) if k >= -1021 else math.ldexp(y, k + 1000) * 2.0**-1000


def _whole_powers(x: float, size: int) -> tuple[int, float, float]:
    """Return k, high and low with x = k * ln 2 + (high - low) and |high - low| <= ln 2 / 2."""
    sign = -1 if x < 0.0 else 1
    if size <= 0x3FD62E42:  # |x| <= ln 2 / 2
        return 0, x, 0.0
    if size < 0x3FF0A2B2:  # |x| < 3 / 2 * ln 2
        return sign, x - sign * _LN2_HIGH, sign * _LN2_LOW
    k = int(_ONE_BY_LN2 * x + 0.5 * sign)
    return k, x - k * _LN2_HIGH, k * _LN2_LOW


def asin(x: float) -> float:
    """Return the angle in [-pi/2, pi/2] whose sine is x, within one unit in the last place.

    Args:
        x: a double; outside [-1, 1], and for NaN, the result is NaN.

    >>> asin(1.0)
    1.5707963267948966

    """
    size = abs(x)
    if not size <= 1.0:
        return math.nan
    if size == 1.0:
        return x * _HALF_PI_HIGH + x * _HALF_PI_LOW
    if size < 2.0**-27:
        return x
    if size < 0.5:
        return x + x * _asin_series(x * x)
    t = (1.0 - size) * 0.5  # asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2))
    series = _asin_series(t)
    s = math.sqrt(t)
    if _bits(size) >> 32 >= 0x3FEF3333:  # |x| > 0.975
        angle = _HALF_PI_HIGH - (2.0 * (s + s * series) - _HALF_PI_LOW)
    else:
        w = _double(_bits(s) & 0xFFFFFFFF00000000)
        correction = (t - w * w) / (s + w)
        p = 2.0 * s * series - (_HALF_PI_LOW - 2.0 * correction)
        q = _QUARTER_PI - 2.0 * w
        angle = _QUARTER_PI - (p - q)
    return angle if x > 0.0 else -angle


def _asin_series(t: float) -> float:
    """Return (asin(x) - x) / x for t = x * x, as a quotient of two polynomials."""
    p = 2.01212532134862925881e-01 + t * (
        -4.00555345006794114027e-02 + t * (7.91534994289814532176e-04 + t * 3.47933107596021167570e-05)
    )
    p = t * (1.66666666666666657415e-01 + t * (-3.25565818622400915405e-01 + t * p))
    q = 2.02094576023350569471e00 + t * (-6.88283971605453293030e-01 + t * 7.70381505559019352791e-02)
    return p / (1.0 + t * (-2.40339491173441421878e00 + t * q))


def _bits(x: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def _double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
