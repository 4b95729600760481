"""Codes, versions and settings that a question asks about: "error LF-999", "v3.6.0", "SMTP_PASSWORD", "ticket 4711".

One stands for one thing, and another one for another, however alike they look: what a text says of LF-207 is no answer
about LF-999. Only where the best text says another one of the same kind, and none says the one asked about, is nothing
known of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..light.classes import dataclass
from ..light.expressions import expression
from .numbered_things import says_thing, things_asked, things_in

if TYPE_CHECKING:
    from .properties import Text

_CODE: Final = expression(
    r"(?<![\w.-])([A-Za-z]{1,10})((?:[-_][A-Za-z0-9]{1,12})*[-_][0-9]{2,}|[0-9]{3,})(?![\w-])(?!\.[0-9])"
)
_VERSION: Final = expression(r"(?<![\w.-])([vV]?)([0-9]{1,4}(?:\.[0-9]{1,6}){1,2})(?![\w-])(?!\.[0-9])")
_DAY: Final = expression(r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}|[0-9]+\.[0-9]+")
_SETTING: Final = expression(r"(?<![\w.-])([A-Z][A-Z0-9]*)((?:_[A-Z0-9]+)+)(?![\w-])")
_MARKS: Final = expression("[-_]")
_NUMBERED: Final = expression(
    r"\b(ticket|issue|bug|case|order|invoice|quote|extension|ext|room|part|job|build|pr|http"
    r"|(?:exit|error|status)(?:\s+code)?|errno|bestellung|rechnung|auftrag|vorgang"
    r"|zimmer|raum)\s*(?:(?:no\.?|nr\.?|number|nummer)?\s*#?\s*([0-9]{3,9})|#\s*([0-9]{2}))(?![\w-])(?![.,:][0-9])"
    r"(?!\s+(?!(?:is|was|has|status|means|says)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
"""What has a number by which it is called: "ticket 4711", "order #88"; "order 200 chairs" has none."""
_THING: Final = "thing "
"""Before the kind of what has a number for a name: "room 14" is no code, and needs no three digits."""
_PARTS: Final = expression("[A-Za-z]+|[0-9.]+")
_BETWEEN: Final = r"[\W_]{0,3}"
_WORD: Final = expression(r"(?<![\w.-])[A-Za-z\u00c0-\u024f]{3,}(?![\w-])")
_ASKING: Final = """
    what which who when where why how the was were are does did has have had can could will would should may for from
    with about and our your this that there any was wer wie wann warum welche welcher welches der die das ist sind mit
    für von
"""
_ONLY_ASKS: Final = frozenset(_ASKING.split())
_FEW: Final = 3
"""So many other words has a question that asks about a code: more are a message that was pasted, or say what it is."""
_RELEASES: Final = """
    version versions release releases released changelog change changes changed new news fix fixes fixed bug bugs
    feature features update updates updated upgrade upgraded note notes introduced added removed come out date ship
    shipped happened neu neue neues ge\u00e4ndert \u00e4nderungen
"""
_OF_RELEASES: Final = frozenset(_RELEASES.split())
"""Beside a version these ask about the release: that of a package is one of several things that a text says of it."""
_MOST_SAID: Final = 20_000
"""A longer text is not looked through: it is taken to say the code."""

Named = tuple[str, str]
"""A kind, which those of one family share, and the code itself, as it is compared."""


@dataclass(frozen=True, slots=True)
class CodeAsked:
    """The codes that a question asks about, as it writes them and as they are compared.

    `alone`: it has no other word but those that ask.
    """

    written: tuple[str, ...]
    names: tuple[Named, ...]
    alone: bool = False

    @property
    def label(self) -> str:
        """What no text says."""
        return " or ".join(self.written)

    def is_said_plainly(self, texts: Iterable[Text]) -> bool:
        """Return whether of each kind one of the codes is said by one of some texts."""
        return not self._unsaid(list(texts))

    def is_unsaid(self, texts: Sequence[Text]) -> bool:
        """Return whether of a kind none of the codes is said, and the best text says others of it.

        Where nothing but the code is asked about, one of the texts that does is enough.
        """
        unsaid = self._unsaid(texts)
        looked_at = texts if self.alone else texts[:1]
        return any(kind in unsaid for each in looked_at for kind in _kinds_in(each.text))

    def _unsaid(self, texts: Sequence[Text]) -> set[str]:
        """Return the kinds of which no text says any of the codes."""
        unsaid = {kind for kind, _ in self.names}
        for each in texts:
            unsaid -= {
                named[0]
                for written, named in zip(self.written, self.names, strict=True)
                if named[0] in unsaid and _says(each.text, written, named)
            }
        return unsaid


@lru_cache(maxsize=128)
def code_asked(question: str) -> CodeAsked | None:
    """Return the codes that a question asks about, or the things with a number; None of one that names none.

    >>> from byheart.patterns.properties import Text
    >>> asked = code_asked("What does error LF-999 mean?")
    >>> asked.label, asked.is_unsaid([Text("LF-207: no paper.")]), asked.is_unsaid([Text("LF-207 or LF 999.")])
    ('LF-999', True, False)
    >>> code_asked("What is new in v3.6.0?").is_unsaid([Text("Release 3.5.1 mends the scheduler.")])
    True
    >>> code_asked("pip install pydantic==2.9.2") is None
    True
    >>> code_asked("Who is on the top-10 list?").is_unsaid([Text("The top-20 list: Ann.")])
    False
    """
    found = list(_codes(question, typed=True)) or [
        (written, (f"{_THING}{label}", number)) for written, (label, number) in things_asked(question)
    ]
    if not found:
        return None
    written = {part.lower() for each, _ in found for part in _PARTS.findall(each)}
    beside = {word.lower() for word in _WORD.findall(question)} - _ONLY_ASKS - written
    if len(beside) > _FEW or (found[0][1][0] == "version" and not beside <= _OF_RELEASES):
        return None
    return CodeAsked(tuple(written for written, _ in found), tuple(named for _, named in found), not beside)


@lru_cache(maxsize=1024)  # the same texts are found again and again
def codes_in(text: str) -> tuple[Named, ...]:
    """Return the codes that a text says, as they are compared.

    >>> codes_in("CVE-2026-0117 and LH2084, v3.4.0 since 2.8.1, SMTP_HOST on 3.5.2024")
    (('cve', 'cve20260117'), ('lh', 'lh2084'), ('version', '3.4.0'), ('version', '2.8.1'), ('SMTP', 'SMTP_HOST'))
    """
    return tuple(named for _, named in _codes(text))


def _codes(text: str, *, typed: bool = False) -> Iterator[tuple[str, Named]]:
    """Yield the codes of a text as they are written, and as they are compared; `typed`: maybe in small letters."""
    for found in _CODE.finditer(text):
        letters = found[1]
        if letters.isupper() or (typed and letters.islower()):
            yield found[0], (letters.lower(), _MARKS.sub("", found[0]).lower())
    for found in _VERSION.finditer(text):
        if found[1] or not _DAY.fullmatch(found[2]):
            yield found[0], ("version", found[2])
    for found in _NUMBERED.finditer(text):
        yield found[0], (found[1].lower(), found[2] or found[3])
    for found in _SETTING.finditer(text):
        if not found[2].replace("_", "").isdigit():
            yield found[0], (found[1], found[0])


def _kinds_in(text: str) -> Iterator[str]:
    yield from (kind for kind, _ in codes_in(text))
    yield from (f"{_THING}{label}" for label, _ in things_in(text))


def _says(text: str, written: str, named: Named) -> bool:
    if named[0].startswith(_THING):
        return len(text) > _MOST_SAID or says_thing(text, (named[0].removeprefix(_THING), named[1]))
    if len(text) > _MOST_SAID or any(_is_one(named, other) for other in codes_in(text)):
        return True
    return _in_words(written).search(text) is not None


def _is_one(asked: Named, said: Named) -> bool:
    """Return whether a code is the one that is asked about; of a version, one of its series, and 3.4 is 3.4.0."""
    if asked[0] != said[0]:
        return False
    if asked[0] != "version":
        return asked[1] == said[1]
    return said[1] == asked[1] or said[1].startswith(f"{asked[1]}.") or f"{said[1]}.0" == asked[1]


@lru_cache(maxsize=128)
def _in_words(written: str) -> re.Pattern[str]:
    """Return what finds a code whose parts stand apart, as in "LF 999", or "the SMTP password"."""
    if (numbered := _NUMBERED.fullmatch(written)) is not None:
        return re.compile(rf"(?<![\w.,-]){numbered[2] or numbered[3]}(?![\w-])(?![.,][0-9])")
    parts = [re.escape(part) for part in _PARTS.findall(written) if part.lower() != "v"]
    return re.compile(rf"(?<![^\W_]){_BETWEEN.join(parts)}(?![^\W_])(?!\.[0-9])", re.IGNORECASE)
