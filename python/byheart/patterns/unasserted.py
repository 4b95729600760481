"""Unasserted statements: conditions, wishes, hearsay, plans that nobody has made, and what was so once.

"If it rains, the wedding will be moved to Lake House" does not move it, and "I almost switched my bank to Monzo"
changes no bank. What says so of a thing takes the place of no plain statement of it, however late it is told. A guess,
in English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .asking import asks

_MAYBE: Final = expression(
    r"""(?:^|[.!?]\ )\W*(?:(?:even|only|what)\ )?(?:if|unless)\b|\b(?:would(?:n['’]?t)?|might|could\ have|almost|nearly
        |some\ ?day|one\ day
        |(?:think|dream|talk)ing\ (?:about|of)|consider(?:s|ed|ing)?|wish(?:es|ed)?|hop(?:e|es|ed|ing)\ (?:to|that|for)
        |rumou?rs?|supposedly|allegedly|asked\ (?:whether|if|me)|wonder(?:s|ed|ing)?|turned\ down|declined|rejected
        |refused|imagin(?:e|ed|ing)|dream(?:s|ed|t)?|in\ case|tempted|pretend(?:s|ed|ing)?|jok(?:e|es|ed|ing))\b
    |['’]d\ (?:love|like|rather|prefer|move|buy|take)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_ONCE: Final = expression(
    r"""\b(?:used\ to\ (?!it\b|that\b|this\b|the\b)|before\ that|back\ then|in\ those\ days|formerly|previously
        |as\ (?:a|an)\ (?:child|kid|boy|girl|baby|teen\w*|student)
        |when\ (?:i|we|he|she|they)\ (?:was|were)\ (?:a|young|small))\b
    |\bonce\ upon\b""",
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=2048)  # the same texts are found again and again
def is_unasserted(text: str) -> bool:
    """Return whether a text says that something may be so, or was so once, and not that it is.

    >>> [is_unasserted(text) for text in ("If it rains, we meet inside.", "I'd love a MacBook.", "Could it be moved?")]
    [True, True, True]
    >>> is_unasserted("It used to cost 12 dollars."), is_unasserted("We moved it to Thursday.")
    (True, False)
    """
    return may_be_so(text) or _ONCE.search(text) is not None or asks(text)


def may_be_so(text: str) -> bool:
    """Return whether a text says what may be, and not what is.

    >>> may_be_so("If it rains, we meet inside."), may_be_so("We meet inside.")
    (True, False)
    """
    return _MAYBE.search(text) is not None
