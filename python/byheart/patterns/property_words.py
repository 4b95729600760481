"""The words by which people say properties: that something is an age, a price, a job or a home, or may be."""

from __future__ import annotations

import re
from typing import Final

from ..light.expressions import expression
from .listed_words import ListedWords
from .plain_numbers import WORDS
from .saying import SMALL

PRICED: Final = expression(
    r"""\b(?:cost|pric|pay|paid|fee\b|fees\b|charg|bill|worth|cheap|expensive|spen[dt]|gratis|for\ free|budget|present\b
        |gift|donat|sponsor|borrow|tenner\b|fiver\b
        |on\ the\ house\b|included\b|inclusive\b|dear\b|complimentary\b|pricey\b|money\b|grand\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_OLD: Final = (
    r"old(?!\ (?!(?:as|and|but|now|enough|today|this|when|in|on|at|by|already|or|next|last|than"
    r"|man|woman|lady|people|age)\b)[a-z])"
)
"""An old friend may be young."""
_MADE: Final = (
    "built|rebuilt|founded|install(?:ed|ation)|issued|planted|established|made in|manufactured|opened in|bought"
    "|launched|set up|dat(?:es|ed|ing)|erected|constructed|printed|published|released|created|adopted|new in"
).replace(" ", r"\ ")
"""Of a thing, a year behind these says how old it is."""
AGED: Final = ListedWords(
    rf"""\b(?:{_OLD}|age[ds]?|aging|born|birth\w*|b-?day|turn(?:s|ed|ing)?\ (?:\d+|{WORDS})|years?\W+old|yrs|y/?o
        |(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:ieth|y-\w+)|teen\w*|toddler|newborn|infant|jahre|ans|años
        |anni|[a-z]+-year-old
        |\w*(?:twen|thir|for|fif|six|seven|eigh|nine)ties|\w+genarian|younger|older|elder\w*|candles|kindergarten
        |class\ of\ \d+|(?:\w+(?:st|nd|rd|th)|second)\ grade|(?:{WORDS})[\ -]something)\b
    |\b(?:push|approach|near|hit|reach|pass|ma(?:d|k)e\ it\ to)(?:e?s|ed|ing)?\ (?:\d+|{WORDS})
        (?=\W*$|[.,;!?)]|\ (?:last|this|next|now|today|and|in|on|but)\b)
    |(?:\b(?:his|her|my|their)|['’]s)\ \d+(?:st|nd|rd|th)(?=\W*$|[.,;!?)]|\ (?:is|was|will|last|next|this|in|on)\b)
    |\bcelebrat\w+\ .*\d+(?:st|nd|rd|th)\b|\ (?:his|her|their|my)\ \d0['’]?s\b
    |\d+-?y(?:ear|/?o)|\bat\ (?:\d{{1,2}}|(?:{WORDS}))\ (?:months?|weeks?|years?)\b
    |\b(?:moved|married|died|left|retired|started|finished|learn\w*)\b.*\bat
        \ (?:1[3-9]|[2-9]\d|\w+teen|\w+ty(?:-\w+)?)(?=\W*$|[.,;])
    |\b(?:was|were|is)\ (?:\d{{1,2}}|(?:{WORDS})(?:-\w+)?)\ when\b|,\ (?:\d{{1,2}}|(?:{WORDS}))\ (?:months?|weeks?)\b
    |(?:\b(?:am|is|are|was|were|be|just|about|almost|nearly|already|now)|['\u2019](?:m|s|re))
        \ (?:\w+ly\ |just\ |about\ |almost\ |already\ |now\ |still\ |like\ )?(?:\d{{1,3}}|(?:{WORDS})(?:-\w+)?)
        (?=\W*$|[.,;!?)]|\ (?:years?|yrs|months?|weeks?|and|now|today|this|next|in|but|already|or\ so
            |on\ (?:\w+days?|the|\d))\b)
    |[\w)],?\ \(?(?:aged?\ )?\d{{1,2}}\)?(?=[,)]|\W*$)
    |\b(?:{_MADE})\b[^.!?]*\b(?:1[0-9]|20)\d\d\b|\bfrom\ (?:1[0-9]|20)\d\d\b
    |\b(?:19|20)\d\d\ (?:model|make|vintage)\b|\byears?\ ago\b""",
    WORDS,
    re.VERBOSE | re.IGNORECASE,
)
BORN: Final = expression(
    r"\b(?:birth\w*|b-?day|born|turn(?:s|ed|ing)\ \w+|anniversary|celebrat\w*|party|big\ day|will\ be\ \w+\ on"
    r"|\d+(?:st|nd|rd|th)\ (?:is|was|will))\b",
    re.IGNORECASE,
)
DIGITS: Final = expression(
    r"\d(?:[\s()+/.-]*\d){3}|\b(?:ext|extension|dial|reach\w*|ends? in)\b.*\d"
    r"|\b(?:no|without an?) (?:tele|mobile |cell ?)?phone\b"
    r"|\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double)\b[ ,-]*){4}",
    re.IGNORECASE,
)
MAIL: Final = expression(r"@|\(at\)|\bat [\w.-]+ dot\b|\be-?mail(?: address)?(?: is|:| =)", re.IGNORECASE)
LIVES: Final = expression(
    r"""\b(?:live[ds]?|living|mov(?:e[ds]?|ing)|reloc\w+|settl\w+|resid\w+|stay(?:s|ed|ing)?|rent(?:s|ed|ing)?|home|house
        |houses|flat|apartment|condo|cottage|dorm|place|studio|overlooks?|address\w*|street|avenue|road|lane
        |native|based|from|hometown|grew
        |born|camps?|camping|dwell\w*|lodg\w+
        |inhabit\w*|occup(?:y|ies|ied)|return(?:s|ed|ing)?|(?:e|im)migrat\w+|share[sd]?|sharing|neighbou?rs?|bungalow
        |villa|farm\w*|attic|houseboat|boat|caravan|digs|cabin|loft|mansion|hut|barn|room|parents|next\ door
        |(?:went|go(?:es)?)\ back)\b
    |\bleft\ for\ [A-Z]
    |\b(?:is|are|am|lies|stands|sits|hangs)\ (?:\w+\ )?(?:in|at|on|near|behind|under|by)\b|,\ [A-Z]\w+
    |\b(?:works?|runs?|owns?|stud(?:y|ies)|teach(?:es)?)\b.*\ (?:in|at)\ [A-Z]""",
    re.VERBOSE,
)
ADDRESS: Final = expression(
    r"\b(?:address\w*|street|str|avenue|ave|road|rd|lane|square|live[ds]?|living|mov(?:es?|ed|ing)|resides?|home|zip"
    r"|postcode|house|flat|apartment|cottage|po box|box)\b"
    r"|(?-i:[A-Z]\w+\ (?:Way|Close|Drive|Court|Terrace|Hill|Gardens|Crescent|Place|Row)\b)",
    re.IGNORECASE,
)
NUMBERED: Final = expression(r"\d+[a-z]?,?\ [A-Z]|[A-Z]\w+\ \d+\b")
"""A house of a street: "14 Mill Lane", "Hafenweg 3"."""
OF_PAPERS: Final = expression(
    r"""\b(?:order|invoice|bill|ticket|repair|booking|reservation|ref(?:erence)?|case|job|serial|account|policy|claim|part
        |model|version|flight|train|size|page|item|sku|pin|code|card)s?(?:\ (?:no\.?|number|id))?
        \W{0,2}\ ?\#?[\w-]*\d[\w-]*""",
    re.VERBOSE | re.IGNORECASE,
)
"""Numbers of orders and the like, by which nobody is reached."""
WORKS: Final = expression(
    r"""\b(?:work\w*|jobs?|employ\w*|hir(?:e|es|ed|ing)|career|profession\w*|business|compan(?:y|ies)|freelanc\w*|retire\w*
        |intern\w*|trainee|apprentic\w*|runs|lead[s]?|led|head(?:s|ed)?|manag\w*|director|ceo|cto|cfo|founder|founded
        |teach\w*|owns|student|stud(?:y|ies)|unemployed|salary|shift|office|boss|for\ a\ living|trains|coach\w*|repairs
        |sells|builds|designs|writes|\w+(?:ist|eer|ologist)|duty|promoted|joined
        |qualified|tends\ bar|serv(?:es|ed)\ (?:in|on)|police|army|navy|air\ force|fire\ brigade|marketing|sales
        |finance|stall
        |\w+\ board
        |(?:a|the)\ (?:post|position|role)|drives\ an?\ (?:\w+\ )?(?:taxi|cab|bus|tram|train|lorry|truck|van
        |ambulance))\b
    |\w,\ (?:an?|our|my|the)\ \w+(?:\ \w+)?,
    |\b\w+s\ (?:for|at)\ (?:the\ )?[A-Z]
    |\b(?:is|are|am|was|as|became|becomes|['\u2019][sm])\ (?:an?|the|our|my|now)\ """,
    re.VERBOSE | re.IGNORECASE,
)
PHONE: Final = expression(
    r"\bphone(?:'?s| is|:| =) |\b(?:an?|new|old|bought|got|uses?|has|have) (?:\w+ )*phone", re.IGNORECASE
)
_DOES: Final = expression(r"(?:^|[.!?] |and )(?:[A-Z][\w-]+|[Hh]e|[Ss]he) (?P<verb>[a-z]+s) (?P<what>[a-z]+)")
_IN_OWN_TIME: Final = """is was has does goes says likes loves hates enjoys prefers adores dislikes wants wishes hopes
    needs knows thinks believes lives stays sleeps wears eats drinks smokes plays watches reads collects speaks keeps
    takes gets owes uses misses fears visits sees hears feels looks seems sounds snores meets comes arrives leaves
    weighs turns gives"""
_NO_WORK: Final = frozenset(_IN_OWN_TIME.split())
"""What people do, have or like in their own time."""


def is_done_for_a_living(text: str) -> bool:
    """Return whether a text says what somebody does with things of a kind again and again, for a living, or maybe so.

    >>> is_done_for_a_living("Ole mends shoes."), is_done_for_a_living("Ole likes shoes.")
    (True, False)
    >>> is_done_for_a_living("Ole mends his shoes.")
    False
    """
    return any(
        each["verb"] not in _NO_WORK and each["what"] not in SMALL and not each["what"].endswith("ly")
        for each in _DOES.finditer(text)
    )
