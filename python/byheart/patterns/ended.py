"""Ends: whether a text says that something is over which an older one says is so: "I gave up tennis".

Neither has the other's verb, so that words alone put "I play tennis on Mondays" first where somebody asks "Do I play
tennis?". What was told last is asked for. It counts only where what ends is the thing itself, and of the same person:
"I sold my tennis racket" and "Ben gave up tennis" end nothing of mine. A guess, in English and German.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .asking import asks
from .denying import denies
from .qualifying import qualifies
from .rather import MOST_SAID, Rather
from .renewing import is_of_others
from .saying import said
from .subjects import says_own
from .unasserted import is_unasserted
from .updating import MOST_CHARACTERS

_SIGNS_SAID: Final = """
    quit gave given stopped sold rid cancelled canceled ended gone over repaired fixed mended solved resolved cured
    healed again divorced separated broke split aufgegeben aufgehört gekündigt verkauft abbestellt vorbei repariert
    behoben geheilt geschieden getrennt
"""
_SIGNS: Final = frozenset(_SIGNS_SAID.split())
"""Without one of these words a text ends nothing, and no expression is compiled for it."""
_OWN: Final = r"(?:(?:my|our|the|his|her|their|its|all|mein\w*|unser\w*|d(?:as|ie|en|er)|sein\w*|ihr\w*)\ )?"
_THING: Final = r"[\w'-]+(?:\ [\w'-]+)??"
_CLAUSE_ENDS: Final = r"""(?=[.,;!]|$|\ (?:last|in|on|this|for|because|after|since|when|and|years?|two|three
    |a\ \w+\ ago|yesterday|today|now)\b)"""
_GIVEN_UP: Final = expression(
    rf"""\b(?:quit|gave\ up|given\ up|stopped|sold|got\ rid\ of|cancell?ed|ended)\ (?:\w+ing\ )?
            {_OWN}(?P<thing>{_THING}){_CLAUSE_ENDS}
        |\b(?:habe|hat|haben)\ (?:mit\ )?{_OWN}(?P<german>[\w-]+)
            \ (?:aufgegeben|aufgehört|gekündigt|verkauft|abbestellt)\b""",
    re.VERBOSE,
)
"""Somebody ended it: what, as the last thing of its clause."""
_OVER: Final = expression(
    rf"""\b{_OWN}(?P<thing>{_THING})\ (?:
        (?:is|are|was|were|has\ been|have\ been)\ (?:now\ |finally\ |all\ )?
            (?P<how>gone|over|repaired|fixed|mended|solved|resolved|cured|healed)
        |(?P<again>works?\ again)
        |(?:ist|wurde|sind|wurden)\ (?:jetzt\ |wieder\ )?(?P<wie>vorbei|repariert|behoben|geheilt))\b""",
    re.VERBOSE,
)
"""It is over itself."""
_PARTED: Final = expression(
    r"""\b(?:(?:got|are|is|were|was)\ (?:divorced|separated)|(?:broke|split)\ up
        |(?:sind|ist)\ (?:geschieden|getrennt))\b""",
    re.VERBOSE,
)
_PAIRED: Final = expression(
    r"\b(?:married|wife|husband|partner|girlfriend|boyfriend|engaged|dating|together|couple|verheiratet|zusammen)\b"
)
_TROUBLE: Final = expression(
    r"""\b(?:brok\w+|down|leak\w*|hurt\w*|out\ of\ order|faulty|defect\w*|bugs?|issues?|problems?|fail\w*|outage|stuck
        |jammed|blocked|crash\w*|allergic|allergy|pain\w*|kaputt|defekt|undicht\w*|gestört|störung)\b""",
    re.VERBOSE,
)
"""What can be mended: of a bike that is repaired nobody need be told whether somebody has it."""
_NOT_YET: Final = expression(
    r"\b(?:yet|will|going\ to|wants?\ to|plans?\ to|need(?:s|ed)?\ to|has\ to|have\ to|should|must|can|tr(?:y|ies|ied)"
    r"|about\ to|until|till|again\ (?:next|on)|soon|tomorrow|tonight|next|one\ of"
    r"|wird|werden|soll|muss|noch|bald|bis)\b"
)
_WHETHER: Final = expression(
    r"\W*(?:(?:and|so|hey|hi|und|also),? )?(?:do|does|am|is|are|have|has|(?:is|are|am)n't|don't|doesn't"
    r"|bin|bist|ist|sind|hab|habe|hat|haben"
    r"|(?!wh|how|wann|wo)\w{2,}(?:e|st|t|en) (?:ich|wir|er|sie|es))\b(?! there)",
    re.IGNORECASE,
)
"""Asks whether something is so."""
_SUBJECT: Final = expression(
    r"\W*(?:\w+,? )??(?:do|does|am|is|are|have|has|isn't|aren't|doesn't|bin|ist|sind|hab|habe|hat|haben) "
    r"(?:the |my |our |your |his |her |der |die |das )?(?P<subject>\w+)"
)
"""Of whom or what it asks that."""
_STILL_SAID: Final = "still currently already really now yet anymore noch immer jetzt"
_STILL: Final = frozenset(map(porter_stem, _STILL_SAID.split()))
_MOST_LACKING: Final = 1
"""So many words that question and older text share may the newer one lack: the verb."""
_WORD: Final = expression(r"\w+")
_ALIKE: Final = 6
"""Letters by which a word is taken for a form of another one: "allergy" and "allergic"."""


class _End(NamedTuple):
    """A text that says that something is over: the words of what is, and of which kind the end is."""

    text: str
    things: tuple[str, ...]
    kind: str


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _ending(text: str) -> _End | None:
    """Return what a text says is over; None of most texts.

    >>> _ending("I gave up tennis.").things, _ending("I sold my tennis racket.").things
    (('tennis',), ('tennis', 'racket'))
    """
    plain = lowered(text)
    if len(text) > MOST_SAID or _SIGNS.isdisjoint(_WORD.findall(plain)) or _NOT_YET.search(plain) is not None:
        return None
    found = _GIVEN_UP.search(plain) or _OVER.search(plain)
    if found is None:
        kind, things = "parted", ()
        if _PARTED.search(plain) is None:
            return None
    else:
        named = found.groupdict()
        mended = named.get("again") or (named.get("how") or named.get("wie") or "") not in ("", "over", "vorbei")
        kind = "mended" if mended else "ended"
        things = tuple((named.get("thing") or named.get("german") or "").replace("'s", "").split())
    if denies(text) is not False or is_unasserted(text):
        return None
    return _End(text, things, kind)


def may_decide(text: str) -> bool:
    """Return whether a text may say that something is over: where none does, no question need be looked at.

    >>> may_decide("I gave up tennis."), may_decide("I will give up tennis."), may_decide("I never gave up tennis.")
    (True, False, False)
    """
    return _ending(text) is not None


def answers_rather(question: str) -> Rather[_End, str] | None:
    """Return what tells whether a later text says that what is asked about is over; None if that is not asked for.

    >>> rather = answers_rather("Do I play tennis?")
    >>> rather("I gave up tennis.", "I play tennis on Mondays.")
    True
    >>> rather("Ben gave up tennis.", "I play tennis on Mondays."), rather("I gave up golf.", "I play tennis.")
    (False, False)
    >>> answers_rather("When do I play tennis?") is None
    True
    """
    if _WHETHER.match(question) is None or not asks(question):
        return None
    short = question[:MOST_CHARACTERS]
    about = frozenset(said(short).about) - _STILL
    own, asked = says_own(short), _SUBJECT.match(lowered(short))
    subject = None if asked is None else porter_stem(asked["subject"])

    def over(text: str) -> _End | None:
        found = _ending(text)
        return found if found is not None and says_own(text) == own else None

    def so(text: str) -> str | None:
        return text if len(text) <= MOST_SAID and _ending(text) is None and not asks(text) else None

    def decides(newer: _End, older: str) -> bool:
        old = said(older)
        known = about & frozenset(old.about)
        if len(known) * 2 < len(about) or is_of_others(newer.text, older, short):
            return False
        of = frozenset(said(newer.text.replace("'s ", " ")).about)
        if not own and subject is not None and subject not in of:
            return False  # Ben is not Anna, nor the window the heating
        if newer.kind == "parted":
            return _PAIRED.search(lowered(older)) is not None
        if newer.kind == "mended" and _TROUBLE.search(lowered(older)) is None:
            return False
        beginnings, told = {stem[:_ALIKE] for stem in known}, {stem[:_ALIKE] for stem in of}
        if len(beginnings - told) > _MOST_LACKING:
            return False
        if not newer.things or not all(porter_stem(word)[:_ALIKE] in beginnings for word in newer.things):
            return False  # what ends is more than what is asked about: a tennis racket is no tennis
        new = said(newer.text)
        if new.names - old.names - said(short).names or new.values - old.values:
            return False
        return not qualifies(newer.text, known & frozenset(new.about), about | frozenset(old.about))

    return Rather(over, so, decides)
