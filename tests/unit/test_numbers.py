"""Numbers that are given in types of others: what is too large for any number is infinite, with its sign."""

from __future__ import annotations

from fractions import Fraction

from byheart.validation import plain_number


def test_a_fraction_that_no_float_can_hold_is_infinite() -> None:
    assert plain_number(Fraction(10**400)) == float("inf")
    assert plain_number(Fraction(-(10**400))) == float("-inf")
