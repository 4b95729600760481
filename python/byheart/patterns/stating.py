"""Statements worth keeping: a time, number, name, preference, plan, request, change or fact in a message.

Words and forms of English, German, French, Spanish and Japanese: a guess, and a generous one. Not here: whether
a message states anything at all (`chatter`, `asking`), and whether that is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, get_args
from unicodedata import normalize

from ..light.expressions import expression
from ..words import Stated
from .calendar_words import ENGLISH_WEEKDAYS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from .in_ascii import InAscii

KINDS: Final[tuple[Stated, ...]] = get_args(Stated)

MOST_CHARACTERS: Final = 2_000
"""So much of a message is looked at."""

_NUMBER_WORDS = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
    dozen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert
    tausend deux trois quatre cinq sept huit neuf dix onze douze vingt trente quarante cinquante cent mille dos
    tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cuarenta cincuenta cien mil"""
NUMBER_WORDS: Final = frozenset(_NUMBER_WORDS.split())
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_EACH = [f"{day}s" for day in (*ENGLISH_WEEKDAYS, *GERMAN_WEEKDAYS)]
DAYS: Final = frozenset([*MONTHS, *WEEKDAYS, *_EACH, *_ORDINALS.split()]) - {"may", "mai", "mayo"}
"""The words for days, months and ordinals that, as numbers do, give a statement its value."""

_TIMES = rf"""\b(?:{"|".join(sorted(DAYS - {"second", "first", "third", "mars"}))})\b
    |\b(?:today|tonight|tomorrow|yesterday|noon|midnight|birthday|anniversary|weekly|daily|monthly|yearly)\b
    |\b(?:in|of|since|until|before|by|next|last|this|early|late)\ may\b|\bmay\ \d|\b\d+(?:st|nd|rd|th)?\ (?:of\ )?may\b
    |\b(?:next|last|this|every|each)\ (?:week|month|year|morning|evening|night|weekend|spring|summer|autumn|fall
        |winter)\b
    |\b(?:week|month|year|day)s?\ ago\b|\bthe\ (?:first|second|third|fourth|fifth)\b|o.?clock\b
    |\b(?:heute|morgen|übermorgen|gestern|geburtstag)\b|\b(?:nächste|letzte|diese|jede)[nmrs]?\ (?:woche|monat|jahr
        |tag)\b
    |\b(?:demain|hier|aujourd.hui|anniversaire)\b|\b(?:semaine|mois|an(?:née)?s?)\ (?:prochaine?|dernière?)\b
        |\bdepuis\b
    |\b(?:mañana|ayer|hoy|cumpleaños)\b|\b(?:semana|mes|año)\ (?:que\ viene|pasad[oa]|próxim[oa])\b
    |(?:今日|明日|昨日|来週|来月|来年|先週|先月|去年|今週|今月|毎日|毎週|毎朝|誕生日|曜日|[0-9]+[月日時年分])"""
_NUMBERS = rf"""\d|\b(?:{"|".join(sorted(NUMBER_WORDS - {"once"}))})\b"""
_NAMES = r"""\b(?:called|named|name\ is|names\ are|hei(?:ß|ss)(?:t|e|en)|nennt\ sich|mappelle|s?appelle|se\ llama
        |me\ llamo)\b
    |(?:という名前|と呼)"""
_PREFERENCES = r"""\bi(?:\ really|\ also|\ still|\ just|\ absolutely|\ do)?\ (?:like|love|prefer|enjoy|hate|dislike
        |adore|loathe|miss|collect)\b
    |\bi\ (?:cant|cannot|could\ never|dont|never)\ (?:stand|like|eat|drink|enjoy|wear|use)\b|\bid\ rather\b
        |\bi\ would\ rather\b
    |\b(?:favou?rite|allerg|fan\ of|keen\ on|fond\ of|terrified|afraid\ of|scared\ of|vegan|vegetarian)
    |^(?:oh\ |and\ |but\ )?no\ (?:more\ )?(?:\w+\ (?:and|or)\ )?(?:dairy|gluten|(?:pea)?nuts?|meat|pork|beef|fish
        |shellfish|seafood|sugar|alcohol|milk|cheese|eggs?|soy|wheat|onions?|garlic|coriander|mushrooms?|olives?|lactose
        |caffeine|coffee|(?:window|middle|aisle)\ seats?|(?:phone\ )?calls?|emojis?),?\ (?:for\ (?:me|us)|please)\b
    |^(?:and\ |but\ )?(?:please\ )?(?:always|never)\ (?:use|book|call|answer|reply|write|send|order|buy|put|add|give|ask
        |tell|show|speak|remind|share|include|format|round|schedule|suggest|recommend|cook|serve|mention)\b
    |\bkeep\ (?:your\ |the\ |all\ |my\ )?(?:answers?|replies|responses?|messages?|emails?|texts?)\ [a-z]
    |\b(?:vertrage|verträgt|vertragen|vertrag)\ (?:leider\ |gar\ |aber\ )?kein|\bduz(?:e|t|en)\ (?:mich|uns)\b
    |^bitte\ (?:immer|nie|niemals)\b
    |\bich\ (?:mag|liebe|hasse|bevorzuge|verabscheue)\b|\b(?:lieblings|am\ liebsten|allergisch)|\b(?:esse|trinke
        |nehme)\ (?:gern|lieber|kein)
    |\bj(?:e\ )?(?:ne\ )?(?:naime|aime|adore|préfère|déteste)\b|\bpréféré
    |\b(?:me\ gustan?|me\ encantan?|prefiero|odio|detesto|favorit[oa])\b
    |(?:が好き|が嫌い|が苦手|の方が|アレルギー)"""
_PLANS = r"""\b(?:im|i\ am|were|we\ are|hes|shes|theyre|is|are)\ (?:\w+\ )?(?:going\ to|planning|moving|leaving
        |getting|starting|flying|travelling
        |traveling|visiting|thinking\ of|thinking\ about|looking\ for|working\ on|training|learning|saving|expecting
        |about\ to)\b
    |\b(?:i|we)\ (?:will|plan|want|need|have|decided|intend|hope|must|booked|signed)\ (?:to|up)\b|\b(?:i|we)(?:ll
        |\ will|\ must)\b
    |\b(?:i|we)\ (?:booked|bought|ordered|reserved|scheduled|applied|joined|adopted|started|finished|quit|stopped)\b
    |\b(?:ich|wir)\ (?:werden?|will|wollen|möchten?|plane|planen|muss|müssen|ziehen?|habe?n?\ vor)\b
    |\bje\ (?:vais|veux|dois|compte|pars)\b|\b(?:on\ va|nous\ allons)\b|\b(?:voy|vamos)\ a\b|\b(?:quiero|tengo\ que
        |pienso)\b
    |(?:つもり|予定|たいです|引っ越し)"""
_REQUESTS = r"""\b(?:remember|dont\ forget|do\ not\ forget|keep\ in\ mind|bear\ in\ mind|note\ to\ self|remind\ me
        |make\ a\ note
        |take\ note|for\ the\ record|note\ that|note\ down|write\ down|fyi|be\ aware)\b
    |\b(?:merk(?:e)?\ dir|vergiss\ nicht|denk(?:e)?\ (?:bitte\ )?daran|notiere?\ |erinnere?\ mich)
    |\b(?:souviens.?toi|noublie\ pas|noubliez\ pas|rappelle.?moi|note\ que|retiens)\b
    |\b(?:recuerda|recuérdame|no\ olvides|acuérdate|apunta|anota)\b
    |(?:覚えて|忘れないで|メモ)"""
CHANGES: Final = r"""\b(?:no\ longer|not\ any\ ?more|any\ ?more|moved|changed|cancell?ed|postponed|rescheduled
        |delayed|brought\ forward
        |pushed\ back|called\ off|instead|replaced|switched|renamed|became|becomes|turned\ into|used\ to|stopped|quit
        |from\ now\ on|new|now|as\ of|updated|corrected|extended|shortened|increased|decreased|reduced|dropped\ to
        |rose\ to
        |went\ up|went\ down|broke\ up|split\ up|got\ (?:married|divorced|engaged|fired|promoted|hired)|lost\ my
        |sold|closed)\b
    |\b(?:nicht\ mehr|kein\w*\ \w+\ mehr|jetzt|nun|verschoben|abgesagt|geändert|verlegt|stattdessen|ab\ sofort
        |neue?[rsnm]?)\b
    |\b(?:ne\ \w+\ plus|ny?\ \w+\ plus|nest\ plus|désormais|maintenant|changé|annulée?|reportée?|déplacée?|avancée?
        |nouve(?:au|lle))\b
    |\b(?:ya\ no|ahora|cambi(?:ó|ado|ada)|ha\ cambiado|cancelad[oa]|aplazad[oa]|pospuest[oa]|movid[oa]|nuev[oa])\b
    |(?:変わり|変わった|変更|キャンセル|中止|延期|新しい|になりました|に引っ越し|やめました)"""
"""What says that something is no more as it was."""
_FACTS = r"""^(?:i\ |we\ )?(?:just\ |finally\ )?got\ (?:an?|two|three|the|another)\ (?:\w+\ )?(?:dogs?|pupp\w+|cats?
        |kittens?|baby|job|promotion|raise|tattoo|car|bike|house|flat|apartment|visa|scholarship|licen[cs]e|degree|offer)\b
    |\b(?:im|i\ am|ive|i\ have|i\ had|we\ have|i\ own|i\ live|we\ live|i\ work|i\ study|i\ speak|i\ play
        |i\ drive|i\ wear|i\ take|i\ drink
        |i\ eat|i\ go\ to|i\ make|i\ teach|i\ grew\ up|i\ was\ born|i\ come\ from|i\ weigh|i\ pay|i\ used\ to
        |i\ cant)\ \w
    |\b(?:my|our)\ (?:\w+\ ){1,4}(?:is|are|was|were|has|have|lives?|works?|goes|comes|starts|leaves|died|loves?
        |likes?|hates?)\b
    |\b(?:password|passcode|pin|code|address|phone\ number|email)\b
    |\b(?:ich\ (?:bin|habe|wohne|arbeite|lebe|heiße|komme|spreche|spiele|fahre)|(?:mein|unser|meine
        |unsere)[rsnm]?\ \w+\ \w+)\b
    |\b(?:je\ suis|jai|jhabite|je\ travaille|je\ vis|mon\ \w+|ma\ \w+|mes\ \w+|notre\ \w+)\ \w
    |\b(?:soy|tengo|vivo|trabajo|mi\ \w+|mis\ \w+|nuestr[oa]\ \w+)\ \w
    |(?:私は|僕は|俺は|私の|住んで|働いて|があります|がいます)"""
_OTHERS_FACTS = r"""\b(?:he|she|we|they|hes|shes|theyre|weve|theyve)\ \w
    |\b(?:my|our)\ \w+\ \w
    |\b(?:the|his|her|their|your)\ (?:\w+\ ){1,3}(?:is|are|has|have|needs?|works?)\ \w
    |\b(?:er|sie|wir)\ \w+\ \w|\b(?:der|die|das|dein\w*|ihr\w*|sein\w*)\ \w+\ (?:ist|sind|hat|haben)\ \w
    |\b(?:il|elle|nous|ils|elles)\ \w+\ \w|\b(?:le|la|les|son|sa|ses)\ \w+\ (?:est|sont|a|ont)\ \w
    |\b(?:él|ella|nosotros|ellos|ellas)\ \w+\ \w|\b(?:el|la|los|las|su|sus)\ \w+\ (?:es|son|está|están|tiene)\ \w"""
_TABLES: Final[dict[Stated, str]] = {
    "number": _NUMBERS, "time": _TIMES, "name": _NAMES, "preference": _PREFERENCES, "plan": _PLANS,
    "request": _REQUESTS, "change": CHANGES, "fact": f"{_FACTS}\n    |{_OTHERS_FACTS}",
}  # fmt: skip

# The capital first, and then what stands before it: so a text is looked through at once.
_CAPITAL: Final = expression(
    r"[A-ZÀ-ÖØ-Þ](?<=[a-zà-öø-ÿß,;0-9] [A-ZÀ-ÖØ-Þ])[a-zà-öø-ÿ]+\b(?!['\u2019]?(?:m|ll|d|ve)\b)"
)
_IN_GERMAN = "ich und ist der das nicht wir ein eine mit auf für den dem"
_GERMAN_WORDS: Final = frozenset(_IN_GERMAN.split())
_GERMAN: Final = expression(rf"\b(?:{'|'.join(sorted(_GERMAN_WORDS))}|mein\w*)\b", re.IGNORECASE)
_WORDS: Final = expression("[a-z0-9_]+")


def stated(text: str) -> tuple[Stated, ...]:
    """Return what a message states that is worth keeping, in the order of `KINDS`.

    >>> stated("My flight to Oslo leaves at 7:40 on Friday."), stated("Loud music at the castle.")
    (('number', 'time', 'name', 'fact'), ())
    >>> stated("Ich mag keine Oliven."), stated("El vuelo sale el jueves."), stated("妹の誕生日は5月3日です。")
    (('preference',), ('time',), ('number', 'time'))

    """
    text = text[:MOST_CHARACTERS]
    if not text.isascii():
        text = normalize("NFKC", text)
    plain = " ".join(text.casefold().replace("'", "").replace("\u2019", "").split())
    found = {name.partition(_PLACE)[0] for each in _automata() for name in each.found(plain)}
    if "name" not in found and _CAPITAL.search(text) and not _is_german(text):  # German nouns have capitals
        found.add("name")
    return tuple(kind for kind in KINDS if kind in found)


def _is_german(text: str) -> bool:
    if text.isascii() and "mein" not in (plain := text.lower()):  # as most texts
        return not _GERMAN_WORDS.isdisjoint(_WORDS.findall(plain))
    return _GERMAN.search(text) is not None


_PLACE: Final = ":"  # stands behind the kind of a pattern, before its number
ALTERNATIVES: Final = expression(r"\n    \|")
"""What parts the alternatives of a table that stand on lines of their own."""


@lru_cache(maxsize=1)
def _automata() -> tuple[InAscii, InAscii]:
    """Return all patterns as automata of the core, which look at each letter once.

    Facts stand apart: theirs go on over several words. In one automaton with the others the states multiply, and do not
    fit into what it keeps of them.
    """
    return _automaton([kind for kind in _TABLES if kind != "fact"]), _automaton(["fact"])


def _automaton(kinds: Sequence[Stated]) -> InAscii:
    parts = ((kind, part) for kind in kinds for part in ALTERNATIVES.split(_TABLES[kind]))
    return InAscii((f"{kind}{_PLACE}{at}", part) for at, (kind, part) in enumerate(parts))
