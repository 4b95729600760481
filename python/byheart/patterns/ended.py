"""Ends: whether a text says that something is over which an older one says is so: "I gave up tennis".

Neither has the other's verb, so that words alone put "I play tennis on Mondays" first where somebody asks "Do I play
tennis?". What was told last is asked for. A guess, in English and German.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .asking import asks
from .denying import denies
from .qualifying import qualifies
from .rather import MOST_SAID, Rather
from .saying import SMALL, Said, said
from .subjects import says_own
from .unasserted import is_unasserted
from .updating import MOST_CHARACTERS

_OVER: Final = expression(
    r"""\b(?:quit|quits|gave\ up|given\ up|giving\ up|stopped|ended|finished|dropped\ out|resigned|retired|left
        |broke\ up|split\ up|(?:got|were|are|is|was)\ divorced|separated|expired|sold|gave\ away|threw\ (?:out|away)
        |got\ rid\ of|handed\ in|returned|uninstalled|deleted|removed|shut\ down|closed\ down|cancell?ed|moved\ out
        |(?:is|are|was|were)\ (?:gone|over|done|dead|stolen)|died|passed\ away
        |aufgehört|aufgegeben|gekündigt|beendet|verkauft|geschieden|getrennt|vorbei|weg)\b""",
    re.VERBOSE,
)
_MENDED: Final = expression(
    r"""\b(?:recovered|healed|cured|repaired|fixed|mended|solved|resolved|sorted|works?\ again|working\ again
        |back\ (?:up|online|to\ normal)|repariert|behoben|geheilt|gelöst|läuft\ wieder|geht\ wieder)\b""",
    re.VERBOSE,
)
_TROUBLE: Final = expression(
    r"""\b(?:brok\w+|down|leak\w*|ill|sick|hurt\w*|injur\w+|out\ of\ order|faulty|defect\w*|bugs?|issues?
        |problems?|fail\w*|outage|stuck|jammed|blocked|cold|flu|fever|pain\w*|ach(?:e|es|ing)|crash\w*
        |kaputt|defekt|krank|undicht\w*|störung)\b""",
    re.VERBOSE,
)
"""What can be mended: of a bike that is repaired nobody need be told whether somebody has it."""
_NOT_YET: Final = expression(
    r"\b(?:yet|will|going\ to|wants?\ to|plans?\ to|need(?:s|ed)?\ to|has\ to|have\ to|should|must|can|tr(?:y|ies|ied)"
    r"|about\ to|until|till|again\ (?:next|on)|soon|tomorrow|tonight|next|wird|werden|will|soll|muss|noch|bald|bis)\b"
)
_WHETHER: Final = expression(
    r"\W*(?:(?:and|so|hey|hi|und|also),? )?(?:do|does|am|is|are|have|has|(?:is|are|am)n't|don't|doesn't"
    r"|bin|bist|ist|sind|hab|habe|hat|haben"
    r"|(?!wh|how|wann|wo)\w{2,}(?:e|st|t|en) (?:ich|wir|er|sie|es))\b(?! there)",
    re.IGNORECASE,
)
"""Asks whether something is so."""
_STILL_SAID: Final = "still currently already really now yet anymore noch immer jetzt"
_STILL: Final = frozenset(map(porter_stem, _STILL_SAID.split()))
_WORDS: Final = expression(r"[^\W_][\w'-]*|[.,;:!?]")
_MAY_FOLLOW_SAID: Final = """
    last today yesterday early late ago altogether completely entirely finally recently years months weeks works working
    läuft geht . , ; : ! ?
"""
_MAY_FOLLOW: Final = SMALL.union(_MAY_FOLLOW_SAID.split())
_ALIKE: Final = 6
"""Letters by which a word is taken for a form of another one: "allergy" and "allergic"."""
_MOST_OTHERS: Final = 1
"""So many words of the older text may the newer one lack of those that the question has: the verb, mostly."""


class _End(NamedTuple):
    """A text that says that something is over, and what it says."""

    text: str
    said: Said
    is_mended: bool


class _So(NamedTuple):
    """A text that says that something is so, and whether that is some trouble."""

    said: Said
    is_trouble: bool


@lru_cache(maxsize=2048)  # the same texts are found again and again
def may_decide(text: str) -> bool:
    """Return whether a text may say that something is over: where none does, no question need be looked at.

    >>> may_decide("I gave up tennis."), may_decide("I will give up tennis."), may_decide("I never gave up tennis.")
    (True, False, False)
    """
    plain = lowered(text)
    if len(text) > MOST_SAID or (_OVER.search(plain) or _MENDED.search(plain)) is None:
        return False
    return _NOT_YET.search(plain) is None and denies(text) is False and not is_unasserted(text)


def answers_rather(question: str) -> Rather[_End, _So] | None:
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
    asked = said(short)
    about = frozenset(asked.about) - _STILL
    own = says_own(short)

    def over(text: str) -> _End | None:
        if not may_decide(text) or says_own(text) != own:
            return None
        return _End(text, said(text), _OVER.search(lowered(text)) is None)

    def so(text: str) -> _So | None:
        if len(text) > MOST_SAID or may_decide(text) or asks(text):
            return None
        return _So(said(text), _TROUBLE.search(lowered(text)) is not None)

    def decides(newer: _End, one: _So) -> bool:
        older = one.said
        known = about & frozenset(older.about)
        new = frozenset(newer.said.about)
        if newer.is_mended and not one.is_trouble:
            return False
        if not known & new or len(known - new) > _MOST_OTHERS or len(known) * 2 < len(about):
            return False
        if newer.said.names - older.names - asked.names or newer.said.values - older.values:
            return False
        both = about | frozenset(older.about)
        return not (_is_part(newer.text, known & new, both) or qualifies(newer.text, known & new, both))

    return Rather(over, so, decides)


def _is_part(text: str, known: frozenset[str], about: frozenset[str]) -> bool:
    """Return whether a text speaks of something else by a word that is known: a tennis racket is no tennis."""
    words, beginnings = _WORDS.findall(lowered(text)), {stem[:_ALIKE] for stem in about}
    return any(
        porter_stem(word.removesuffix("'s")) in known
        and following not in _MAY_FOLLOW
        and porter_stem(following)[:_ALIKE] not in beginnings
        and _OVER.match(following) is None
        and _MENDED.match(following) is None
        for word, following in pairwise(words)
    )
