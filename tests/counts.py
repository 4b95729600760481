"""How often a law is tried: a property's own number of examples, of which `make test` takes a share."""

from typing import Final

from hypothesis import settings

SHARE: Final = 10
"""`make test` tries one in so many of the examples that a property asks for; `make test-long` tries all."""
LEAST: Final = 25
"""No property that asks for more is tried less often than this."""


def examples(number: int) -> int:
    """Return how many examples a property gets that asks for `number` of them.

    All of them in `make test-long` and `make planted`, the least in `make mutants`, which runs a law once for each of
    its bugs; a share otherwise, which still looks somewhere new in each run.
    """
    profile = settings.get_current_profile_name()
    if profile in ("long", "first"):
        return number
    if profile == "mutants":
        return min(number, LEAST)
    return min(number, max(LEAST, number // SHARE))
