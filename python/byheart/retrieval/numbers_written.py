"""The other ways in which a whole number is written: 68000, 68,000 and 68.000."""

from __future__ import annotations

import re
from typing import Final

_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3})+")
_PLAIN: Final = re.compile(r"[1-9]\d{3,11}")
_MARKS: Final = ("", ",", ".")


def written_otherwise(term: str) -> tuple[str, ...]:
    """Return a number of four digits or more as others write it; nothing for any other term.

    >>> written_otherwise("68,000"), written_otherwise("1250000")
    (('68000', '68.000'), ('1,250,000', '1.250.000'))
    >>> written_otherwise("3.14"), written_otherwise("2024.5"), written_otherwise("kettle")
    ((), (), ())

    """
    if not (term[:1].isdigit() and (_PLAIN.fullmatch(term) or _GROUPED.fullmatch(term))):
        return ()
    number = int(term.replace(",", "").replace(".", ""))
    forms = [f"{number:,}".replace(",", mark) for mark in _MARKS]
    return tuple(form for form in forms if form != term)
