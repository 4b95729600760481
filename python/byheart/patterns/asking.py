"""The asking message: one that asks and states nothing, in English and German; elsewhere by its mark.

Kept for good, a question comes back whenever it is asked again, above the fact that answers it. A message asks if each
of its sentences does: "I forgot my code. What is it?" states something, and so does "When I was ten, I lived in Rome".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from ..records import SUMMARY, Record

MOST_CHARACTERS: Final = 2_000
"""A longer message asks for nothing alone."""

_PRONOUNS = r"(?:i|you|we|they|he|she|it|there|any\w*|some(?:one|body)|every(?:one|body))"
_SUBJECTS = rf"(?:{_PRONOUNS}|my|your|our|his|her|their|its|the|this|that|these|those|an?)"
_BE = r"(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had)"
_QUESTIONS = rf"""(?:what|who|whom|whose|why|how|which(?!\ is\b))\b(?!\ {_SUBJECTS}\b)
    |(?:what|who|where|when|why|how)['\u2019]?s\b
    |(?:when|where|how|why|what)\ {_BE}(?:n['\u2019]t)?\b
    |(?:is|are|was|were|can|could|would|should|shall|will|has)(?:n['\u2019]t)?\ {_SUBJECTS}\b
    |(?:am|may|do|does|did|have|had|must)(?:n['\u2019]t)?\ {_PRONOUNS}\b
    |does\ (?:my|your|our|his|her|their|the|this|that)\b
    |(?:tell|show|give|find|help)\ (?:me|us)\b|remind\ (?:me|us)\ (?!to\b|that\b)
    |recommend\b|suggest\b|explain\b|describe\b|summari[sz]e\b|look\ up\b|search\ for\b|let\ me\ know\b
    |list\ (?:my|all|the|every|some)\b|(?:any|got\ any)\ (?:idea|tip|suggestion|recommendation|advice|news)s?\b
    |i\ wonder\b|i(?:['\u2019]d|\ would)\ like\ to\ know\b|i\ want\ to\ know\b"""
_FRAGEN_SUBJEKT = r"(?:du|ich|er|sie|es|wir|ihr|man|der|die|das|mein\w*|dein\w*|unser\w*|euer|eure\w*|ein|eine)"
_FRAGEN_VERB = r"""(?:ist|sind|bin|bist|war|waren|hat|habe|haben|hatte|kann|kannst|k[oö]nnen|soll|sollte|muss|darf|mag
    |will|wei[sß]+t?|macht?|machst|kostet|hei[sß]+t|meinst|gibt|geht|wird|f[uü]r|mache|esse|trinke|fahre|fliege|hei[sß]e)"""
_FRAGEN = rf"""(?:wer|wen|wem|wessen|wann|woher|wohin|warum|wieso|weshalb|womit|wof[uü]r|wor[uü]ber|wieviele?
        |welche[rsnm]?)\b(?!\ (?:ich|du|wir|ihr|man)\b)
    |(?:was|wie|wo)\ {_FRAGEN_VERB}\b|wie\ (?:viele?|lange|oft|weit|alt|gro[sß]+|hoch|teuer|sp[aä]t)\b
    |(?:ist|sind|war|hast|habe|hat|kannst|k[oö]nntest|kann|wei[sß]+t|soll|sollte|darf|magst|m[oö]chtest|gibt|wird|muss)
        \ {_FRAGEN_SUBJEKT}\b
    |(?:sage?|erz[aä]hle?|zeige?|gib|hilf|nenne?|erkl[aä]re?|finde|suche?|empf[ie]e?hle?|schlage?)\ (?:mir|uns)\b
    |erinnere?\ mich\ (?!daran,?\ dass\b)"""
_POLITE = (
    r"(?:(?:hey|hi|hello|so|and|but|ok|okay|well|please|pls|also|then|now|sorry|um+|hallo|und|aber|bitte|na),?\ )*"
)
_BEGIN = """what who whom whose why how which where when is are was were can could would should shall will has am
    may do does did have had must tell show give find help remind recommend suggest explain describe summari
    look search let list any got wer wen wem wessen wann woher wohin warum wieso weshalb womit wof wor
    wieviel welche wie wo ist sind war hast habe hat kann konn weis soll darf magst mocht gibt wird muss sag
    erz zeig gib hilf nenn erkl finde such empf schlag erinner"""
_BEGINS: Final = tuple(_BEGIN.split())
"""With one of these begins the first word of every question in ASCII, but for "I wonder"."""
_BEFORE: Final = frozenset(re.findall(r"[a-z]+", _POLITE))
_ASKS: Final = expression(rf"{_POLITE}(?:{_QUESTIONS}|{_FRAGEN})", re.IGNORECASE | re.VERBOSE)
_MARKED: Final = expression(r"(?:[?？؟]|か。|(?:です|ます|した|ません|でしょう)か)[\s\"'»“”’)\]）」』!！?？]*$")
_QUESTION_MARKS: Final = "?\uff1f\u061f"
_ENDING: Final = f"{_QUESTION_MARKS}.!\u2026\u3002\uff01"
_LONGEST_END: Final = 64  # characters, of marks behind a last word
# `[.!?]\s+|[。！？]\s*|\n+`, by the one character with which each begins: so a text is looked through at once.
_ENDS: Final = expression(r"[.!?。！？\n](?:(?<=[.!?])\s+|(?<=[。！？])\s*|(?<=\n)\n*)")

_SAID: Final = """yes no yeah yep yup nope nah ok okay sure please maybe exactly correct indeed absolutely definitely
    agreed right true false thanks thank you fine good great cool nice perfect alright ja nein jo doch klar genau gut
    danke bitte gerne vielleicht oui non si sí da net tak nie はい いいえ うん ううん ええ いや そう そうです そうですね
    はいそうです もちろん わかりました 分かりました 是 是的 不是 对 對 好 不 네 아니요"""
_REPLIES: Final = frozenset(_SAID.split())
_MOST_REPLY = 4  # words
_WORD: Final = expression(r"[^\W_]+")


_KEEPS: Final = expression(
    r"\b(?:remember|note|keep in mind|make a note|write down|remind me|merken|notieren|erinnern)\b"
    r",?\s+(?:that|dass|daran|to|of the fact)\s+\w+\s+\w",
    re.IGNORECASE,
)


def asks_to_keep(text: str) -> bool:
    """Return whether a message asks to keep what it says itself.

    >>> asks_to_keep("Can you remember that I eat no nuts?"), asks_to_keep("Do you remember my code?")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and asks(text) and _KEEPS.search(text) is not None


_SPEAKER: Final = expression(r"^[A-Z]\w{0,20}: ")


def unlabelled(text: str) -> str:
    """Return a message without the name of who says it, as transcripts have it in front.

    >>> unlabelled("Ann: Hello!"), unlabelled("at 7: Hello!")
    ('Hello!', 'at 7: Hello!')
    """
    return text if (said := _SPEAKER.match(text)) is None else text[said.end() :]


_MOST_OF_NOTHING: Final = 200
_NOTHING_KNOWN: Final = expression(
    r"""\W*(?:(?:(?:i'm|i\ am)\ )?(?:sorry|afraid|unfortunately|apologies|hm+|no)\b\W*(?:but\ )?)*
        (?:i'm\ not|we're\ not
            |(?:i|we)\ (?:do\ not|don't|have\ not|haven't|can't|cannot|could\ not|couldn't|have\ no|am\ not|are\ not))
        (?:\ (?:currently|yet|actually|really|seem\ to|have|know|see|find|recall|remember|sure|aware|record)){0,3}\b
        (?!.*,?\ \b(?:but|however|though|only|yet|except)\b)[^.;:!?]*+[.!?]?
        (?:\ (?:sorry|could\ you|can\ you|would\ you|do\ you|please|let\ me\ know)\b[^.;:!?]*+[.!?]*+)*+\W*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=16)  # as `_asks`
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a message, by the marks at their ends.

    >>> sentences("Wow! How was it?  ")
    ('Wow!', 'How was it?')
    """
    return tuple([part for each in _sentences(text.strip()) if (part := each.strip())])


def asks(text: str) -> bool:
    """Return whether a message asks, and states nothing beside.

    >>> [asks(text) for text in ("What's my code?", "recommend me a tea shop", "Wann ist mein Termin", "何時ですか。")]
    [True, True, True, True]
    >>> [asks(text) for text in ("My code is 4711. Got it?", "When I was ten, I lived in Rome.", "Remind me to pay.")]
    [False, False, False]

    """
    return len(text) <= MOST_CHARACTERS and not _states_at_once(text) and _asks(text)


def asked_share(text: str) -> float:
    """Return which share of a message asks, by characters and in hundredths, if it ends in a question; 0 if not.

    >>> [asked_share(text) for text in ("Ann: I was in Rome. And you?", "And you? I was in Rome.", "Why? \U0001f642")]
    [0.36, 0.0, 1.0]
    """
    if not _is_question(text):
        return 0.0
    parts = [part for part in sentences(unlabelled(text)) if _WORD.search(part)]
    asking = sum(len(part) for part in parts if _is_question(part))
    return max(round(asking / sum(map(len, parts)), 2), 0.01) if asking else 0.0


def share_asking(record: Record) -> float:
    """Return which share of a record asks, if it was said in a session and ends in a question; else 0.

    An assistant that says that it does not know says no more of it than who asked did.

    >>> share_asking(Record(text="I was in Rome. And you?", session_id="s")), share_asking(Record(text="And you?"))
    (0.36, 0.0)
    >>> share_asking(Record(text="I have no plumber on file.", session_id="s", metadata={"role": "assistant"}))
    1.0
    """
    told = record.session_id or record.provenance.get("session_id")  # the durable copy of what was said has it there
    if told is None or record.kind == SUMMARY:
        return 0.0
    owns_up = record.metadata.get("role") == "assistant" and knows_nothing(record.text)
    return 1.0 if owns_up else asked_share(record.text)


def knows_nothing(text: str) -> bool:
    """Return whether a message says that who says it does not know, and nothing else.

    >>> [knows_nothing(text) for text in ("I don't have an electrician on file for you.", "Sorry, I don't know Al.")]
    [True, True]
    >>> knows_nothing("I'm not sure who that is.")
    True
    >>> [knows_nothing(text) for text in ("I don't know Al, but Bo is his brother.", "We have no milk. Ann has.")]
    [False, False]
    """
    return len(text) <= _MOST_OF_NOTHING and _NOTHING_KNOWN.fullmatch(text.replace("\u2019", "'")) is not None


def _states_at_once(text: str) -> bool:
    """Return whether a text of ASCII surely does not ask: no mark, and a first word with which no question begins."""
    if "?" in text or not text.isascii():
        return False
    first = _WORD.search(text)
    return first is None or _is_first_of_none(first[0].lower())


@lru_cache(maxsize=4096)  # the words that begin what people say are few
def _is_first_of_none(word: str) -> bool:
    """Return whether neither a question nor a reply, nor what stands before a question, begins with a word."""
    return not (word in _REPLIES or word in _BEFORE or word == "i" or word.startswith(("um", *_BEGINS)))


@lru_cache(maxsize=16)  # whoever takes a message in asks for this more than once
def _asks(text: str) -> bool:
    found = False
    for part in map(str.strip, _sentences(text.strip())):
        if part and not is_reply(part):
            found = True
            if not (_is_marked(part) or (_may_ask(part) and _ASKS.match(part.lstrip("\"'¿(« ")))):
                return False
    return found


def _may_ask(part: str) -> bool:
    """Return whether a sentence may begin as a question does: of most statements the first word tells."""
    if not part.isascii():
        return True
    for found in _WORD.finditer(part.lower()):
        word = found[0]
        if word == "i" or word.startswith(_BEGINS):
            return True
        if word not in _BEFORE and not word.startswith("um"):
            return False
    return False


def _sentences(text: str) -> Iterator[str]:
    """Give what the ends of sentences part, one by one: of most messages the first one tells."""
    begins = 0
    for end in _ENDS.finditer(text):
        mark, after = end.span()
        yield text[begins : mark if text[mark] == "\n" else mark + 1]
        begins = after
    yield text[begins:]


def _is_question(text: str) -> bool:
    """Return whether a text ends with a question mark, but for quotes, brackets, faces and the like behind it."""
    for character in reversed(text[-_LONGEST_END:]):
        if character in _ENDING or character.isalnum():
            return character in _QUESTION_MARKS
    return False


def _is_marked(part: str) -> bool:
    """Return whether a sentence ends with a mark that asks; of ASCII there is one."""
    return ("?" in part or not part.isascii()) and _MARKED.search(part) is not None


def is_reply(text: str) -> bool:
    """Return whether a message is a short reply, which says something to whoever knows the question alone.

    >>> is_reply("Yes, please!"), is_reply("はい"), is_reply("Yes, at nine."), is_reply("")
    (True, True, False, False)

    """
    if len(text) > MOST_CHARACTERS:
        return False
    if text.isascii() and (first := _WORD.search(text)) is not None and first[0].lower() not in _REPLIES:
        return False  # as most messages
    words = 0
    for word in _WORD.finditer(text.casefold()):
        words += 1
        if words > _MOST_REPLY or word[0] not in _REPLIES:  # of most messages the first
            return False
    return words > 0
