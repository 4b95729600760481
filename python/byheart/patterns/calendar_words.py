"""The names of months and days of the week, in English, German, French and Spanish: the one table of them.

The abbreviations are those of English and German. "Mai" and "mayo" are months, and "may" is one, too, besides what it
is otherwise: whoever reads it looks at what stands around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

ENGLISH_MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
                         "october", "november", "december")  # fmt: skip
ENGLISH_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
GERMAN_MONTHS: Final = ("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
                        "november", "dezember")  # fmt: skip
GERMAN_WEEKDAYS: Final = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")


def _numbered(names: Sequence[str], first: int) -> Mapping[str, int]:
    return {name: number for number, each in enumerate(names, first) for name in each.split()}


EUROPEAN_MONTHS: Final = _numbered(
    ("januar jänner janvier enero gennaio", "februar feber février fevrier febrero febbraio", "märz mars marzo",
     "april avril abril aprile", "mai mayo maggio", "juni juin junio giugno", "juli juillet julio luglio",
     "august août aout agosto", "september septembre septiembre setiembre settembre", "oktober octobre octubre ottobre",
     "november novembre noviembre", "dezember décembre decembre diciembre dicembre"), 1,
)  # fmt: skip
"""The months of German, French, Spanish and Italian by their names, 1 to 12."""
EUROPEAN_WEEKDAYS: Final = _numbered(
    ("montag lundi lunes lunedì lunedi", "dienstag mardi martes martedì martedi",
     "mittwoch mercredi miércoles mercoledì mercoledi", "donnerstag jeudi jueves giovedì giovedi",
     "freitag vendredi viernes venerdì venerdi", "samstag sonnabend samedi sábado sabato",
     "sonntag dimanche domingo domenica"), 0,
)  # fmt: skip
"""The days of the week in these languages, Monday being 0."""
SHORT_MONTHS: Final = _numbered(
    ("jan jän", "feb", "mar mär mrz", "apr", "", "jun", "jul", "aug", "sep sept", "oct okt", "nov", "dec dez"), 1
)
"""Abbreviations of months, without their points."""
SHORT_WEEKDAYS: Final = _numbered(("mon", "tue tues", "wed", "thu thur thurs", "fri", "sat", "sun"), 0)
SHORT_GERMAN_WEEKDAYS: Final = _numbered(("mo", "di", "mi", "do", "fr", "sa", "so"), 0)
MONTHS: Final[Mapping[str, int]] = {**_numbered(ENGLISH_MONTHS, 1), **EUROPEAN_MONTHS}
"""The months of all five languages by their names."""
WEEKDAYS: Final[Mapping[str, int]] = {**_numbered(ENGLISH_WEEKDAYS, 0), **EUROPEAN_WEEKDAYS}
