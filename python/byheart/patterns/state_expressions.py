"""The forms of states as regular expressions: `state_forms` has them in writing, `states` reads sentences by them.

What each of these would hold many times over is held once, or not at all where a sentence has no use for it: compiled
as they are written, some would take a tenth of a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Final

from ..light.expressions import expression
from .state_forms import STATES
from .stating import DAYS

_ADVERBS = """just|finally|recently|now|currently|still|actually|already|officially|only|about|again|really
    |jetzt|nun|gerade|aktuell|noch|wieder|immer|nur|endlich|seit\\ \\w+|maintenant|désormais|actuellement|enfin|toujours
    |récemment|ahora|ya|actualmente|por\\ fin|todavía|adesso|ora|attualmente|finalmente|ancora|agora|atualmente"""
_LEADS = """so|well|hey|hi|oh|btw|by\\ the\\ way|(?:good|big|sad)\\ news|news|fyi|guess\\ what|update|and|but|also|yes
    |ok|okay|sadly|unfortunately|yesterday|today|recently|(?:last|this)\\ \\w+
    |(?:a|two|three)\\ (?:days?|weeks?|months?)\\ ago
    |übrigens|leider|hallo|gestern|heute|letzte\\w*\\ \\w+|diese\\w*\\ \\w+|vor\\ \\w+\\ \\w+
    |au\\ fait|malheureusement|hier|aujourd'hui|por\\ cierto|bueno|ayer|hoy|la\\ semana\\ pasada|ieri|oggi|ontem|hoje"""
_ENDS = rf"""(?=\s*(?:$|[.,;:!?)])|\s+(?:(?:\d{{1,2}}\ (?:day|week|month|year)s?\ ago
    |last|this|today|yesterday|recently|now|since|a\ (?:few|couple|week|month|year)
    |two|three|in|on\ (?-i:[A-Z])\w+|and|because|again|with|as
    |for\ (?:good|love|work|study|studies|school|uni\w*|college|the|a|my|our|his|her|their)
    |ago|earlier|over\ the|seit|im|am|letzte\w*|gestern
    |heute|jetzt|und|vor|diese\w*|la\ semaine|en|le|hier|depuis|il\ y\ a|et|cette|ce|aujourd'hui|maintenant
    |la\ semana|el|ayer|hoy|desde|hace|y|esta|este|ahora|la\ settimana|ieri|oggi|questa|na\ semana|ontem|hoje|há|agora
    |{"|".join(sorted(DAYS))})\b))"""
_UPPER = "[A-ZÀ-ÖØ-Þ]"
_NAME = rf"(?-i:{_UPPER}[\w'-]*(?:[ ]{_UPPER}[\w'-]*){{0,3}}?)"
OF: Final = r"(?:my|our|mein\w*|unser\w*|m(?:on|a)|notre|mi|nuestr[oa]|(?:il\ |la\ )?mi[oa]|(?:o\ |a\ )?(?:meu|minha))"
_WHO = rf"(?:{OF}\ [\w-]+(?:\ {_NAME})?|{_NAME})"
_MATES: Final = {
    "<mate_en>": "(?:girlfriend|boyfriend|partner|wife|husband|fianc[ée]e?)",
    "<mate_de>": "(?:freund(?:in)?|partner(?:in)?|mann|frau|verlobte[rn]?)",
    "<mate_fr>": "(?:copine?|copain|compagn(?:e|on)|mari|femme|fiancée?)",
    "<mate_es>": "(?:novi[oa]|pareja|espos[oa]|marido|mujer|prometid[oa])",
}
_PARTS: Final = {
    "<who>": _WHO, "<n>": r"\d{1,3}", "<o>": _NAME, "<a>": rf"(?:\d+[a-z]?\ )?{_NAME}(?:\ \d+[a-z]?\b)?",
    "<j>": r"[\w-]+(?:\ (?:of\ |for\ )?[\w-]+){0,3}?", "<m>": r"[€$£]?\ ?\d[\d.,]*\d?k?\b",
    "<s>": r"(?:self-employed|freelanc(?:e|ing)|retired|unemployed|out\ of\ work)\b",
    "<l>": r"the\ [\w-]+(?:\ (?-i:[A-Z])[\w-]*)*", "<t>": r"[^.;!?]{1,80}", "<g>": r"[\w-]+(?:\ [\w-]+){0,2}?",
    "<f>": r"[\w-]+(?:\ [\w-]+){0,2}?", "<i>": "", "<we>": "",
}  # fmt: skip
_WEIGHT = r"\ ?(?:kg|kilos?|lbs?|pounds?|pfund|stone)\b"
_LAX = r"[^,.;!?]{1,60}"
_TOKEN: Final = expression(r"\w+")
_BARS: Final = expression(r"\\.|[(|)]")


def form_of(name: str, kind: str, sentence: str) -> re.Pattern[str]:
    """Return the forms of a state as the pattern by which a sentence is read: a match of it begins where that does.

    Args:
        name: the state.
        kind: "saying" for the forms that say it, "anew" for these with a name alone, "changing" for those of a change.
        sentence: what is to be read.

    """
    return _form(name, kind, adverbs=_has_adverb(sentence))


def _has_adverb(sentence: str) -> bool:
    """Return whether a sentence may have one of the adverbs that a form may hold; beyond ASCII it always may."""
    return not sentence.isascii() or not _adverbs().isdisjoint(_TOKEN.findall(sentence.lower()))


@cache
def _adverbs() -> frozenset[str]:
    """Return the words with which an adverb begins: those of them that are not the first ones do no harm."""
    return frozenset(_TOKEN.findall(_ADVERBS))


@cache
def _form(name: str, kind: str, *, adverbs: bool) -> re.Pattern[str]:
    """Return the forms as one pattern; most sentences have no adverb, and that for these has none, either."""
    forms = STATES[name]
    written = forms.changing if kind == "changing" else forms.saying
    if kind != "saying":
        written = _ending_together(re.sub(r"<([vgfoaslmj])>(?=\n\s*\||$)", r"<\1><ends>", written))
    for mark, text in (("<ends>", _ENDS), ("<adv>", rf"(?:(?:{_ADVERBS})\ )*" if adverbs else ""), *_MATES.items()):
        written = written.replace(mark, text)
    written = written.replace("<kg>", f"<n>(?:[.,]\\d)?{_WEIGHT}").replace("?P<kind>", "<kind>")
    count = iter(range(1, 1_000))
    parts = {**_PARTS, "<v>": _LAX if kind == "saying" else _NAME}
    pattern = re.sub("|".join(parts), lambda mark: f"(?P<{mark[0][1:-1]}{next(count)}>{parts[mark[0]]})", written)
    pattern = re.sub("<kind>", lambda mark: f"?P<kind{next(count)}>", pattern)
    return expression(rf"\W*(?:(?:{_LEADS})[,:!]?\ )*(?:{pattern})", re.VERBOSE | re.IGNORECASE)


def _ending_together(form: str) -> str:
    """Return a form in which alternatives side by side that end in the same way share their end: it is long."""
    parts = []
    for has_end, alternatives in groupby(_alternatives(form), lambda each: each.rstrip().endswith("<ends>")):
        if has_end:
            starts = "|".join(each.rstrip().removesuffix("<ends>") for each in alternatives)
            parts.append(f"(?:{starts})<ends>")
        else:
            parts.extend(alternatives)
    return "|".join(parts)


def _alternatives(form: str) -> Iterator[str]:
    """Give the alternatives of a form: what stands between the bars outside all brackets."""
    depth = begin = 0
    for found in _BARS.finditer(form):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] == "|" and not depth:
            yield form[begin : found.start()]
            begin = found.end()
    yield form[begin:]
