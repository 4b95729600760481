"""Replacement: whether for a question one statement stands in the place of an older one that it updates.

What `updating` links is a guess, and for one question the newer one of two holds, for another the older: "The dentist
moved my appointment" answers when it is, and not who the dentist is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from .another import is_of_another
from .correcting import corrected_value, corrects
from .denying import answers_rather as denying
from .doers import answers_rather as turned_round
from .exchange_asked import asks_for_exchanged
from .from_one_to_another import is_exchanged
from .leaving import takes_over
from .one_for_another import is_given_up, is_renamed, is_switched, names_anew, speak_of_one
from .places import gives_a_place, people, place_nouns
from .renewing import is_of_others
from .roots import of_one_root
from .saying import Said, said, statement
from .state_asked import asks_for_detail, asks_for_state
from .states import changes_state
from .subjects import answers_rather as of_another
from .subjects import says_own
from .successors import HOLDS_NOW
from .unasserted import is_unasserted
from .updating import MOST_CHARACTERS, is_change, put_out_by, succeeds, updates

_MOST_HOURS: Final = 24
MOST_LATER: Final = 90
"""Characters: of longer texts none is told later than another one."""
_OF_THE_PAST: Final = expression(
    r"\b(?:originally|previously|formerly|before|earlier|used\ to|use\ to|(?<!how\ )old|first|urspr\u00fcnglich"
    r"|fr\u00fcher|vorher|alte[rsn]?|avant|auparavant|ancien(?:ne)?|antes|antigu[oa])\b"
    r"|(?:以前|昔|最初|元々|元の|もともと|(?<![名午直目人以])前(?=の|は|に|、|まで))",
    re.VERBOSE,
)
_WHEN: Final = expression(
    r"\b(?:when|what\ (?:time|day|date)|which\ (?:day|date)|wann|wie\ ?viel\ uhr|quand|quel(?:le)?\ (?:heure|jour|date)"
    r"|cuándo|qué\ (?:hora|día|fecha))\b|(?:いつ|何時|何日|何曜日)",
    re.VERBOSE,
)
_WHO: Final = expression(
    r"\b(?:who|whom|whose|called|wer|wem|wen|wessen|hei(?:ß|ss)t|qui|s?appelle|quién|llama)\b|誰", re.VERBOSE
)
_HOW_MUCH: Final = expression(
    r"\b(?:how\ (?:much|many|old|tall|big|heavy|high|far)|costs?|price|(?:what|which)(?:'?s|\ is|\ are|\ was)?"
    r"\ (?:(?:my|our|the|his|her|their|current)\ )*(?:doses?|dosage|salary|wages?|weight|height|amount|fee)"
    r"|wie\ ?(?:viele?|alt|groß|schwer|hoch|weit)"
    r"|kostet|combien|coûte|cuánt[oa]s?|cuesta)\b|いくら",
    re.VERBOSE,
)
_WHERE: Final = expression(
    r"\b(?:where|(?:which|what)\ (?:place|city|town|country|room|hall|street|building|address)|location|venue|address"
    r"|wo|wohin|woher|adresse|où|a?dónde)\b|どこ",
    re.VERBOSE,
)
_WHY: Final = expression(r"\b(?:why|warum|wieso|weshalb|pourquoi|por\ qué)\b|(?:なぜ|どうして)", re.VERBOSE)
_BECAUSE: Final = expression(
    r"\b(?:because|since|due\ to|so\ that|weil|wegen|denn|parce\ que|porque)\b|ので", re.VERBOSE
)
_REASON: Final = expression(r",?\s(?:because|weil|parce que|porque)\b[^.;!?]*")
_WHETHER: Final = expression(
    r"^\W*(?:(?:is|are|am|was|were|do|does|did|will|can|has|have)(?:n't)?|ist|sind|habe|haben|hat|est-ce)\b", re.VERBOSE
)
_WHICH: Final = expression(
    r"(?:\b(?:which|what|welche[rsnm]?|was(?=\ (?:ist|sind|für|heißt|mag|esse|trinke|fahre|mache)\b)|quel(?:le)?s?|qué"
    r"|cuál(?:es)?)\b|何|どの|どれ)(?:\ (?P<thing>\w+))?",
    re.VERBOSE,
)
_BEING: Final = expression(r"\b(?:is|are|was|were|am|ist|sind|war|waren|est|sont|es|son)\b", re.IGNORECASE)
_HOW: Final = expression(r" (?:too|very|so|quite|really|rather|pretty)\b", re.IGNORECASE)
"""Behind "is" in what says how something is, and not what."""
_MOVING: Final = expression(r"moved|gezogen|déménagé|mud|引っ越し")
_PLACED_ANEW: Final = expression(r"moved|relocated|switched|changed|shifted|gezogen|déménagé|mud|引っ越し")
_REPLANNED: Final = expression("change of|planänderung|changement de|cambio d|mudança de")
_OVER: Final = expression(
    r"no\ longer|any\ ?more|any\ longer|after\ all|stopped|quit|g(?:ave|iven)\ up|broke\ up|split\ up|nicht\ mehr"
    r"|kein\w*\ \w+\ mehr|aufgehört|n\w*\ (?:\w+\ )?plus|arrêté|ya\ no|dejado\ de|dejó\ de|やめました",
    re.VERBOSE,
)
_OFF: Final = expression(
    r"cancel|called\ off|wont|will\ not|fell\ through|on\ hold|(?:is|are|put)\ off|postponed|abgesagt|fällt\ aus"
    r"|ausgefallen|verschoben|annul|report|aplazad|pospuest|キャンセル|中止|延期",
    re.VERBOSE,
)
_LATER: Final = expression(r"postponed|put\ off|verschoben|report|aplazad|pospuest|延期", re.VERBOSE)
"""Of these what takes place all the same."""


def takes_the_place(newer: str, older: str, question: str) -> bool:
    """Return whether a text says plainly that what an older one says has changed, and a question does not ask for that.

    The newer one speaks of nothing that the older one does not, or says what of that is exchanged ("from 14.9 to
    16.3"). Both give times, and the question asks when; or both give amounts, and it does not; or the newer one calls
    off what has a time; or it names what is replaced, and by what; or it says who holds a role now, or what something
    is called now; or that all of it is over. A question asks for the older one if it names what is replaced, or the
    past, or what that one speaks of in the place of something else.

    >>> old, new = "My flight to Oslo leaves at 7:40.", "The flight was moved to 9:15."
    >>> takes_the_place(new, old, "When does my flight leave?"), takes_the_place(new, old, "What leaves at 7:40?")
    (True, False)
    >>> takes_the_place("My mother's surgery was moved to May 3.", "My mother was born on June 1.", "Her birthday?")
    False

    """
    if is_unasserted(newer) and not is_unasserted(older):
        return False
    if asks_for_exchanged(newer, older, question):
        return True
    if is_exchanged(newer, older, question) and not _asks(_OF_THE_PAST, question):
        return True
    newer = _REASON.sub("", newer)  # "because she can't on Saturday" does not say that it is on Saturday still
    of_state = changes_state(newer, older)
    if (is_change(older) or not of_state) and is_of_another(newer, older, question):
        return False
    if corrects(newer, older):
        gone = said(older).values | said(older).names - set(said(newer).about)
        asked = said(question[:MOST_CHARACTERS])
        unasked = not gone & asked.values and not _asks(_OF_THE_PAST, question)
        value = corrected_value(newer) or ""
        if _asks(_WHERE, question) and not place_nouns(older).isdisjoint(lowered(value).split()):
            return unasked  # "hall C" of what is in hall B
        return unasked and gives_what_is_asked(f"it is {value}", older, question)
    if of_state:
        return not _asks(_OF_THE_PAST, question) and asks_for_state(newer, older, question)
    if not updates(newer, older) or asks_for_detail(newer, older, question):
        return False
    if takes_over(newer, older):
        unnamed = said(older).names.isdisjoint(said(question[:MOST_CHARACTERS]).about)
        return unnamed and _asks(_WHO, question) and not _asks(_OF_THE_PAST, question)
    new, old, asked = (said(text) for text in (statement(newer), statement(older), question[:MOST_CHARACTERS]))
    theirs = set(old.about).union(of_one_root(old.about))
    whom = speak_of_one(new, old)
    if whom and not new.times and any(map(_MOVING.match, new.changes)) and not _asks(_WHERE, question):
        return False  # somebody moved, and all else stands
    left = put_out_by(newer)
    is_left = bool(left) and left <= theirs | old.values
    if not new.changes or not (is_left or set(new.subject) <= theirs or new.object in theirs):
        return False
    gone, come = old.values - new.values, new.values - old.values
    asks_when = _asks(_WHEN, question)
    if is_left:
        fits, gone = asks_when == bool(left & old.times), left & old.values or left  # of "Kudu 2.7" the number
    elif succeeds(new, old):
        fits, gone = not asks_when, old.names - set(new.about)
    elif is_renamed(new, older):
        is_named = bool(new.names - theirs) or names_anew(newer, older)
        fits, gone = not asks_when and is_named, old.names - set(new.about)
    elif gone and come:
        both = (new.times or _may_be_times(new, old), old.times) if asks_when else (come - new.times, gone - old.times)
        fits = all(both)
    elif any(map(_REPLANNED.match, new.changes)) or is_switched(newer, older):
        fits, gone = not asks_when, old.names - set(new.about)
    elif _asks(_WHERE, question) and any(map(_PLACED_ANEW.match, new.changes)) and set(new.subject) <= theirs:
        fits, gone = bool(new.names - theirs), old.names - set(new.about)
    elif _asks(_WHERE, question) and gives_a_place(newer) and gives_a_place(older):
        fits, gone = place_nouns(newer) != place_nouns(older), place_nouns(older)
    elif new.values or not old.times:
        gone = old.names - set(new.about)
        fits = not asks_when and bool(old.names & set(new.about) - whom and new.names - theirs)
    else:
        fits = (asks_when or _asks(_WHETHER, question)) and any(map(_OFF.match, new.changes))
    if fits and not asks_when and not _asks(_WHETHER, question) and not answers_too(newer, older, question):
        return False
    if not (come or asks_when) and any(map(_OVER.fullmatch, new.changes)):
        is_all_over = theirs <= set(new.about)
        fits, gone = is_all_over or is_given_up(new, old, asked), frozenset()
    return bool(fits and not gone & (asked.values | set(asked.about)) and not _asks(_OF_THE_PAST, question))


def asks_whether(question: str) -> bool:
    """Return whether a question asks for yes or no.

    >>> asks_whether("Is the deploy freeze active?"), asks_whether("When is the deploy freeze?")
    (True, False)
    """
    return _asks(_WHETHER, question)


def asks_where(question: str) -> bool:
    """Return whether a question asks for a place."""
    return _asks(_WHERE, question)


@lru_cache(maxsize=64)  # of one question it is asked for each two texts that are linked
def _asks(kind: re.Pattern[str], question: str) -> bool:
    """Return whether a question asks for something of a kind."""
    return kind.search(lowered(question)) is not None


def answers_too(newer: str, older: str, question: str) -> bool:
    """Return whether a question that an older text answers may be answered by what says that something has changed.

    Not if it asks for the past; nor for a person, an amount, a time, a place or a reason, or for what has a name or a
    number, if the older one alone gives any.

    >>> old, new = "My landlord is Mr. Patel.", "The landlord raised the rent to 950."
    >>> answers_too(new, old, "Who is my landlord?"), answers_too(new, old, "Is my landlord nice?")
    (False, True)
    >>> answers_too("I live in Paris.", "I live in Rome.", "Where did I live before?")  # no word of change
    True

    """
    if is_unasserted(newer) and not is_unasserted(older):
        return False
    if not is_change(newer):
        known = set(said(older).about)
        return not _says_how(newer, known) or _says_how(older, known)
    if (is_asked := asks_for_exchanged(newer, older, question)) is not None:
        return is_asked
    if changes_state(newer, older):
        return not _asks(_OF_THE_PAST, question) and asks_for_state(newer, older, question)
    if asks_for_detail(newer, older, question):
        return False
    return not _asks(_OF_THE_PAST, question) and gives_what_is_asked(newer, older, question)


def gives_what_is_asked(newer: str, older: str, question: str) -> bool:
    """Return whether a newer text gives what a question asks for, or the older one does not either.

    >>> new, old = "The exam was moved to 24 March.", "The exam is on 17 March in hall B."
    >>> gives_what_is_asked(new, old, "When is the exam?"), gives_what_is_asked(new, old, "Where is the exam?")
    (True, False)
    >>> gives_what_is_asked("My laptop battery is weak.", "My laptop is a ThinkPad.", "Which laptop do I have?")
    False

    """
    new, old = said(newer), said(older)
    ended = any(_OFF.match(change) or _OVER.fullmatch(change) for change in new.changes)
    if _asks(_WHEN, question):
        return ended or bool(new.times) or not old.times or _may_be_times(new, old)
    if _asks(_HOW_MUCH, question):
        return bool(new.amounts) or not old.amounts
    of_question = said(question[:MOST_CHARACTERS])
    known = set(old.about).union(of_question.about)
    if _asks(_WHO, question) and old.names:
        left = put_out_by(newer)  # "changed from Sofia to Jonas", of whom both were named before
        is_over = ended and set(old.about) <= set(new.about)  # "Lena isn't the manager anymore."
        is_given = is_over or HOLDS_NOW in new.changes or bool(new.names - known)
        is_given = is_given or bool(left & old.names and new.names - left)
        return is_given and not any(map(_MOVING.match, new.changes))
    if ended and not any(map(_LATER.match, new.changes)):
        return True
    if _asks(_WHERE, question):
        moved = any(map(_PLACED_ANEW.match, new.changes)) and bool(new.names - known or not new.values)
        is_numbered = bool(new.amounts - old.amounts) and not place_nouns(older).isdisjoint(lowered(newer).split())
        return moved or is_numbered or gives_a_place(newer) or not gives_a_place(older)
    if _asks(_WHY, question):
        return _BECAUSE.search(lowered(newer)) is not None or _BECAUSE.search(lowered(older)) is None
    thing = _WHICH.search(lowered(question))
    if thing is None or not (old.names | old.values) - set(of_question.about) - of_question.values:
        return True
    noun = said(thing["thing"] or "").about
    if set(noun) <= set(old.about) and not set(noun) <= set(new.about):
        return False
    if noun and (left := put_out_by(newer)) and left <= set(old.about) | old.values:
        return True  # "switched from the violin to the cello", of whom another text says the violin and an age
    if _says_how(newer, known):
        return False
    same_kind = new.amounts or (new.times and not old.amounts)
    return bool(new.names - known or same_kind) or _is_about(newer, known)


def _may_be_times(new: Said, old: Said) -> bool:
    """Return whether what changed may be an hour: "changed to 8" of what was at 9."""
    hours = (value for value in new.values - old.values if value.isdecimal() and int(value) <= _MOST_HOURS)
    return bool(new.changes) and any(hours) and any(value[0].isdecimal() for value in old.times)


def _is_about(text: str, known: set[str]) -> bool:
    """Return whether a text says of something that is known what it is: "My favourite food is ramen now."."""
    being = _BEING.search(text)
    return being is not None and set(said(text[: being.start()]).about) <= known


def _says_how(text: str, known: set[str]) -> bool:
    """Return whether a text says of something that is known how it is: "My favourite food is too dear."."""
    being = _BEING.search(text)
    return being is not None and _HOW.match(text, being.end()) is not None and _is_about(text, known)


def holding_later(question: str) -> Callable[[str, str], bool]:
    """Return what tells of two texts that fit a question as well whether the later one answers it, for all they say.

    Both are short. Not where the past is asked for, nor by what asks itself, nor if the later one adds a time alone,
    which nobody asks for, or speaks of somebody else, or denies what is asked for, or does
    not give what is asked for where the earlier one does.

    >>> holding_later("Who is my dentist?")("The dentist moved it to 3 May.", "My dentist is Dr. Orr.")
    False
    >>> holding_later("Where do I work?")("My sister will work at the port.", "I work at the mill.")
    False
    >>> holding_later("Can we deploy on Fridays?")("Friday deploys are allowed again.", "Do not deploy on Fridays.")
    True

    """
    if _asks(_OF_THE_PAST, question):
        return lambda newer, older: False
    rules = [rule for rule in (denying(question), of_another(question), turned_round(question)) if rule is not None]
    states: dict[str, bool] = {}  # each is looked at beside several others

    def tells(text: str) -> bool:
        if text not in states:
            states[text] = len(text) <= MOST_LATER and not is_unasserted(text)
        return states[text]

    def holds(newer: str, older: str) -> bool:
        if not (tells(newer) and tells(older)):
            return False
        new, old = said(newer), said(older)
        adds = new.values - old.values
        adds_a_time = adds and adds <= new.times and not old.times
        named = new.names - set(old.about) - set(said(question[:MOST_CHARACTERS]).about)
        if adds_a_time and not named and not _asks(_WHEN, question):
            return False
        others = people(newer) - people(older) - people(question)
        if (others and not _asks(_WHO, question)) or any(rule(older, newer) for rule in rules):
            return False
        if not gives_what_is_asked(newer, older, question):
            return False
        asks_for_others = _asks(_WHO, question) and not says_own(question)  # "who drives the kids?"
        return asks_for_others or not is_of_others(newer, older, question)

    return holds
