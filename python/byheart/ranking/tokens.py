"""Estimates of how many tokens a text has, without a tokenizer: two rules, never one for the other.

`HostTokens` is for budgets: what a prompt will cost. `GateTokens` is for the gate alone, which divides by it. They are
two types, so that a checker sees a swap.
"""
# docs/sources.md: A1.3.

from __future__ import annotations

import math
import re
from functools import cache

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..light.expressions import expression
from ..validation import check_text

DENSE = 1.6
"""Characters a token, where a character of Chinese, Japanese or Korean occurs."""

MEDIUM = 2.5
"""The same for Cyrillic, Arabic and Hebrew."""

SPARSE = 4.0
"""The same for everything else."""

_RANGES = {
    "original": ("\u4e00-\u9faf\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3", "\u0400-\u04ff\u0600-\u06ff\u0590-\u05ff"),
    "extended": (
        "\u1100-\u11ff\u3000-\u30ff\u3130-\u318f\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff",
        "\u0400-\u052f\u0590-\u06ff\u0750-\u077f\u0870-\u08ff\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f\ufb1d-\ufdff\ufe70-\ufefe",
    ),
}


@cache
def _classes(script_ranges: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    dense, medium = _RANGES[script_ranges]
    return expression(f"[{dense}]"), expression(f"[{medium}]")


@dataclass(frozen=True, slots=True)
class HostTokens:
    """The host's estimator: the length, divided by 1.6, 2.5 or 4.0, rounded up.

    Attributes:
        unit: what the length counts: "codepoint", or "utf16" as JavaScript does.
        script_ranges: "original", or "extended", which knows punctuation, rare and full-width characters too.
        mixture: divide each character by its own script's number; without it, one character decides for the whole text.

    >>> HostTokens().count("hello"), HostTokens().count("abc世"), HostTokens(mixture=True).count("abc世")
    (2, 3, 2)

    """

    # docs/sources.md: A1.3.1 to A1.3.4.

    unit: str = "codepoint"
    script_ranges: str = "original"
    mixture: bool = False

    def __post_init__(self) -> None:
        """Check the names."""
        if self.unit not in ("codepoint", "utf16"):
            raise InvalidArgument(f'unit: {self.unit!r} is unknown; use "codepoint" or "utf16"')
        if self.script_ranges not in _RANGES:
            raise InvalidArgument(f'script_ranges: {self.script_ranges!r} is unknown; use "original" or "extended"')

    def count(self, text: str) -> int:
        """Return the estimate; 0 for an empty text.

        Raises:
            LimitExceeded: the text has more than 10 MB.

        """
        check_text("text", text)
        if text.isascii():
            return math.ceil(len(text) / SPARSE)  # all the others lie behind
        dense, medium = _classes(self.script_ranges)
        length = len(text) if self.unit == "codepoint" else len(text.encode("utf-16-le")) // 2
        if self.mixture:
            few, some = len(dense.findall(text)), len(medium.findall(text))
            return math.ceil(few / DENSE + some / MEDIUM + (length - few - some) / SPARSE)
        return math.ceil(length / (DENSE if dense.search(text) else MEDIUM if medium.search(text) else SPARSE))


@dataclass(frozen=True, slots=True)
class GateTokens:
    """The gate's estimator: a quarter of the length, rounded down, at least 1.

    Attributes:
        unit: what the length counts: "byte" of UTF-8, the rule of its source, or "codepoint".

    >>> GateTokens().count("界界界界"), GateTokens(unit="codepoint").count("界界界界")
    (3, 1)

    """

    # docs/sources.md: A1.3.5.

    unit: str = "byte"

    def __post_init__(self) -> None:
        """Check the name."""
        if self.unit not in ("byte", "codepoint"):
            raise InvalidArgument(f'unit: {self.unit!r} is unknown; use "byte" or "codepoint"')

    def count(self, text: str) -> int:
        """Return the estimate.

        Raises:
            LimitExceeded: the text has more than 10 MB.

        """
        check_text("text", text)
        return max((len(text) if self.unit == "codepoint" else len(text.encode())) // 4, 1)
