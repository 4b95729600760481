"""Chatter: messages that state nothing, though they have words: fillers, laughter, thanks, keys pressed at random.

A message is chatter if it is made of such words and phrases alone, all of one language: one word of a matter, a number
or a name, and it is none. Wider than `silence`, whose messages are archived: chatter is a turn like any other, and is
not kept for good. Japanese has no blanks: there whole phrases count.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal
from unicodedata import normalize

from ..light.expressions import expression
from .asking import asks, is_reply
from .silence import MOST_WORDS, says_nothing

Chatter = Literal["fillers", "keyboard"]
"""In which way a message states nothing."""

MOST_CHARACTERS: Final = 400
"""A longer message states something."""

_COMMON = """ok okay okey k kk hm mhm mm ah oh aha uh huh um uhm uff hey hi hello hallo lol lmao rofl omg wtf btw
    xd haha wow yay oops ouch ugh meh whoa brb afk bye ciao super sorry test testing gotcha mind"""
_ENGLISH = """i me my mine you your yours he him his she her hers it its we us our ours they them their this that
    these those the a an and or but so if then than because while as at by for from in into of off on onto out
    over to up with without about after before again all any both each else even ever every few just more most
    much many no nor not only other others own same some such too very there here now still yet already also
    always never maybe perhaps rather quite pretty really actually basically literally totally absolutely
    definitely certainly probably honestly seriously obviously exactly indeed right wrong true sure fine good
    great nice cool awesome amazing lovely wonderful fantastic excellent perfect brilliant incredible beautiful
    sweet funny hilarious fun crazy weird interesting exciting helpful kind best better bad worse worst alright
    well welcome yes yeah yep yup nope nah please thanks thank thankyou thx cheers mate dude man bro guys buddy
    folks girl oh whatever anyway anyways one ones once thing things stuff way lot lots bit kinda sorta gonna
    wanna gotta lemme what who which when where why how am is are was were be been being do does did doing done
    have has had having can could will would shall should may might must cant couldnt wont wouldnt shouldnt dont
    doesnt didnt isnt arent wasnt werent hasnt havent hadnt im ive id ill youre youve youd youll hes shes theyre
    theyve weve were lets thats theres heres whats hows whos its itll thatll know knew think thinking thought
    mean meant guess suppose see saw seen look looks looking sound sounds seem seems say says said saying tell
    telling told ask asking talk talking hear heard listen listening feel feels agree disagree understand
    understood get gets got give go goes going come on back wait hold hang let make makes made laugh laughed
    smile try take win keep love loved like liked hope wish worry worries bet believe kidding joking matter
    matters happen happened happens idea question answer point sense wonder please min sec second moment minute
    aw aww awww hooray congrats congratulations glad proud happy excited something anything nothing everything
    someone anyone everyone somebody nobody everybody"""
_GERMAN = """ich du er sie es wir ihr mich dich mir dir uns euch ihm ihn ihnen das dies der die den dem des dieser
    diese dieses ein eine einen einem einer und oder aber denn doch ja nein nee nö halt mal so also na naja ach
    ooh gut gute guten besser schön schöner super toll tolle klasse prima genau stimmt wohl schon auch nur noch
    wieder gleich da hier dann jetzt ist bin bist sind war waren hab habe haben hat hatte hätte kann kannst
    könnte muss will würde wird werde mach mache machen macht machs geht gehts weiß weiss weißt wusste nicht
    nichts kein keine keinen ahnung ehrlich gesagt sagen sag eigentlich vielleicht natürlich klar alles moment
    momentchen sekunde danke bitte gern gerne tschüss lustig witzig egal passt echt wirklich sehr zu viel mehr
    was wie wer wo wenn dass weil ganz richtig wahr hoffe glaube denke dachte meine meinst meinte verstehe
    verstanden lass sehen schau gefällt freut freu spaß quatsch"""
_FRENCH = """je tu il elle on nous vous ils elles me te se le la les un une des du de et ou mais donc car ne pas
    plus rien ce c cest ca cela ça ci est suis es sommes êtes sont était as a ai avons avez ont oui non si bien
    bon bonne daccord vois voit sais sait crois pense dis dit comprends compris vrai merci beaucoup quand même
    grave alors voilà ah euh hein très trop super génial cool chouette drôle marrant exactement sûr peutêtre
    peut être y dans pour avec sans sur qui que quoi comment tout tous toi moi lui jai tas taime jaime ouais bah
    ben mdr désolé pardon attends"""
_SPANISH = """yo tú tu él ella nosotros me te se le lo la los las el un una unos unas y o pero de del que no sí si
    ya muy más tan bien bueno buena buenos qué como cómo eso esto esa ese es está estoy son era fue ser hay he
    ha claro vale gracias muchas muchísimas por para todo con sin aquí allí pues entonces perfecto genial exacto
    verdad creo sé sabes sabe digo veo entiendo entendido nada igual luego mi mí oye mira risa gracioso graciosa
    espera momento perdón"""
_LANGUAGES: Final = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH)

_DAYS = """later soon tomorrow then tonight around there monday tuesday wednesday thursday friday saturday sunday
    next_week next_time in_a_bit"""
_HELP = (
    "(?:the|your|all_your|all_the|this|that)_(?:help|support|advice|tip|tips|info|reminder|answer|explanation)"
    "(?:_(?:with|on|about)_(?:the|my|this|that)_[a-z]+)?"
)
_PHRASES = rf"""(?:see|talk|speak|catch|c)_(?:you|ya|u|to_you|up)_(?:{"|".join(_DAYS.split())})
    (?:have_a_)?(?:good|great|nice|lovely|sweet)_(?:night|day|evening|morning|afternoon|weekend|one|dreams|luck|job|work)
    take_care take_your_time no_problem no_worries of_course by_the_way long_time_no_see well_done my_bad
    (?:thinking|think)_out_loud (?:wrong|other)_(?:window|chat|tab|person) been_there
    (?:thank|thanks)(?:_you)?(?:_so_much|_very_much|_a_lot|_again)?_for_{_HELP} never_mind forget_(?:it|about_it)
    bis_(?:morgen|bald|später|dann|gleich|nachher|montag|nächste_woche) gute_nacht guten_(?:morgen|tag|abend)
    schönen_(?:tag|abend|feierabend) schönes_wochenende kein_problem keine_ahnung alles_klar zum_glück vielen_dank
    à_(?:demain|bientôt|plus|plus_tard|tout_à_lheure|lundi) bonne_(?:nuit|journée|soirée|chance|idée) pas_de_souci
    pas_de_problème je_ten_prie bien_sûr
    hasta_(?:luego|pronto|mañana|el_lunes) (?:buenos|buenas)_(?:noches|tardes|días) de_nada no_pasa_nada por_favor
    por_supuesto nos_vemos(?:_mañana|_luego)?"""
_THANKS: Final = "thank"
"""What stands where a phrase may have any word: "thanks for your help with the boat"."""
_LAUGHS = r"""(?:ha|he|hi|ja|je|ho|ah){2,}[hjs]?|b?wa(?:ha)+|[xz]d+|l+o+l+|h+m+|m+h*m+|a+h+|o+h+|a+w+|u+h+|e+h+|w+o+w+
    |ye+a*h*|no+|so+|ok+|y+a+y+|u+g+h+"""
_JAPANESE = r"""なるほど|そう(?:なんだ|なん|だ)?(?:です)?(?:か|ね|よ)*|すごい(?:です)?(?:ね|よ)*|うん+|うー+ん|ええ
    |はい|いいえ|まあ|ちょっと(?:待って|考えさせて)(?:ください|ね)?|(?:わかり|分かり)ました|わかった|了解(?:です|しました)?|あの
    |えっと|えー?と?|へえ+|本当(?:に|です)?(?:か|ね)*|ほんと(?:に|です)?(?:か|ね)*|いいですね|いいね|面白い(?:です)?(?:ね)?
    |楽しい(?:です)?(?:ね)?|笑+|[wｗ]+
    |おやすみ(?:なさい)?|また(?:明日|後で|ね|あした)|お疲れ(?:様|さま)?(?:です|でした)?|よかった(?:です)?(?:ね)?|大丈夫(?:です)?
    |ごめん(?:なさい|ね)?|すみません|もちろん(?:です)?|確かに|やった|おはよう(?:ございます)?|ありがとう(?:ございます|ございました)?
    |こんにちは|こんばんは|どうも|ですね|だね|よね"""

_ROWS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl;", "zxcvbnm", "yxcvbnm")
_VOWELS: Final = expression(r"[aeiouyàâäáåæéèêëíîïóôöòøúùûü]")
_LETTERS: Final = expression(r"[a-z;]+")
_WORD: Final = expression(r"[^\W_]+")
_MARKS: Final = expression(r"[\W_]+")
_KEY_SIGNS: Final = expression(r"[a-zäöü]+;?")
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019\u2018`\u00b4")
_AS_WORDS: Final = {
    code: sign.lower() if (sign := chr(code)).isalnum() else "" if sign in "'`" else " " for code in range(128)
}
"""Of ASCII, what leaves its words parted by blanks: `_WORD` finds the same in `_plain`, in twice the time."""
_KANA: Final = expression(r"[\u3040-\u30ff\u4e00-\u9fff]")


@lru_cache(maxsize=64)
def chatter(text: str) -> Chatter | None:
    """Return in which way a message states nothing; None if it states something.

    >>> [chatter(text) for text in ("haha that's a good one", "asdf asdf", "see you tomorrow", "à demain")]
    ['fillers', 'keyboard', 'fillers', 'fillers']
    >>> [chatter(text) for text in ("I am vegan", "It's 42.", "Tuesday", "see you at the harbour", "")]
    [None, None, None, None, None]

    """
    if len(text) > MOST_CHARACTERS:
        return None
    plain = _plain(text)
    if not plain.isascii() and _KANA.search(plain):
        said = _MARKS.sub("", plain)
        return "fillers" if said and _is_made_of(_patterns()[2], said) else None
    words = text.translate(_AS_WORDS).split() if text.isascii() else _WORD.findall(plain)
    if not words:
        return None
    if len(words) <= MOST_WORDS and says_nothing(text) is not None:
        return "fillers"
    thanks = _THANKS in plain
    matter = next(filter(_is_of_a_matter, words), "")
    if matter and not (thanks or ";" in plain) and _is_no_key(matter):
        return None  # as most messages, by the first word that no language's chatter has, and no keys are
    if _is_pressed_at_random(plain) and not any(map(str.isdecimal, words)):
        return "keyboard"
    if matter and not thanks:
        return None
    left = _patterns()[0].sub(" ", " ".join(words)).split()
    return "fillers" if any(all(w in known or _is_laugh(w) for w in left) for known in _fillers()) else None


@lru_cache(maxsize=4096)  # the words that begin what people say are few
def _is_of_a_matter(word: str) -> bool:
    """Return whether a word is in no language's chatter, and no laughter."""
    return word not in _in_chatter() and not _is_laugh(word)


@lru_cache(maxsize=4096)
def _is_no_key(word: str) -> bool:
    """Return whether a word is of plain letters that are not keys pressed at random."""
    return word.isascii() and word.isalpha() and not _is_pressed(word)


@lru_cache(maxsize=64)
def states(sentence: str) -> bool:
    """Return whether a sentence is no chatter, no reply and no question.

    >>> states("I am vegan."), states("Haha."), states("Yes."), states("Is it far?")
    (True, False, False, False)
    """
    return not (is_reply(sentence) or asks(sentence)) and chatter(sentence) is None


def _plain(text: str) -> str:
    """Return a text as its words are looked up: without case and apostrophes."""
    if text.isascii():
        return text.lower().replace("'", "").replace("`", "")
    return normalize("NFKC", text).casefold().translate(_APOSTROPHES)


_DEFINITES = "the my our his her their der die das dem den mein meine le la les mon ma el los las"
_DEFINITE: Final = frozenset(_DEFINITES.split())
MOST_SMALL_TALK: Final = 6
"""Words of a message that may be small talk."""


def is_small_talk(text: str) -> bool:
    """Return whether a message is short, of fillers of one language by half, and names no certain thing.

    Of a message of which nothing else is known that is worth keeping, it says that it is none: `Stated` comes first. In
    other languages no message is small talk.

    >>> is_small_talk("yeah that tracks"), is_small_talk("Sono allergico alle noci"), is_small_talk("no, the red one")
    (True, False, False)

    """
    if len(text) > MOST_CHARACTERS:
        return False
    words = _WORD.findall(_plain(text))
    if not 0 < len(words) <= MOST_SMALL_TALK or any(map(str.isdecimal, words)):
        return False
    return any(
        2 * sum(w in known or _is_laugh(w) for w in words) >= len(words)
        and not any(one in _DEFINITE and other not in known for one, other in pairwise(words))
        for known in _fillers()
    )


def _is_laugh(word: str) -> bool:
    return _patterns()[1].fullmatch(word) is not None


def _is_pressed_at_random(plain: str) -> bool:
    """Return whether some words of a text are keys pressed at random, and all others laughter or fillers."""
    fillers = _fillers()[0]
    for found in _KEY_SIGNS.finditer(plain):
        word = found[0]
        if not (word in fillers or _is_pressed(word) or _is_laugh(word)):
            return False  # as most messages, by the first word of a matter
    return any(map(_is_pressed, _KEY_SIGNS.findall(plain)))


def _is_pressed(word: str) -> bool:
    """Return whether a word is keys pressed at random: runs along a row, one letter again and again, or no vowel."""
    if len(word) < 3 or not _LETTERS.fullmatch(word):
        return False
    if len(word) >= 4 and len(set(word)) == 1:
        return True
    if len(word) >= 6 and not _VOWELS.search(word):
        return True
    if word[:_SHORTEST_RUN] not in _beginnings():  # as of most words: each run begins with a run of three keys
        return False
    return _is_made_of(_runs(), word) or _is_made_of(_runs(), word.removesuffix(";"))


_SHORTEST_RUN: Final = 3
"""Keys of a run along a row."""
_LONGEST_PART: Final = 32
"""Characters of a run along a row, or of a phrase of Japanese."""


def _is_made_of(part: re.Pattern[str], text: str) -> bool:
    """Return whether a text is parts one after the other.

    Looked for from each place where a part may end: where parts can be cut in two ways, as "wwww" can, a pattern of
    all of them tries every way to cut the text, of which there are twice as many with each character.
    """
    ends = {0}
    for end in range(1, len(text) + 1):
        starts = range(max(0, end - _LONGEST_PART), end)
        if any(start in ends and part.fullmatch(text, start, end) for start in starts):
            ends.add(end)
    return len(text) in ends


@lru_cache(maxsize=1)
def _runs() -> re.Pattern[str]:
    """Return the pattern of runs along rows, forward and back: of three to five keys, of which longer ones are made."""
    return expression("|".join(map(re.escape, sorted(set().union(*map(_runs_of, range(_SHORTEST_RUN, 6)))))))


@lru_cache(maxsize=1)
def _beginnings() -> frozenset[str]:
    """Return the shortest runs, with one of which every other one begins."""
    return frozenset(_runs_of(_SHORTEST_RUN))


def _runs_of(size: int) -> set[str]:
    runs = {row[at : at + size] for row in _ROWS for at in range(len(row) - size + 1)}
    return runs | {run[::-1] for run in runs}


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of phrases, laughter, and a phrase of Japanese; compiled when they are first needed."""
    phrases = "|".join(_PHRASES.split()).replace("_", " ")
    return (
        expression(rf"\b(?:{phrases})\b"),
        expression("".join(_LAUGHS.split())),
        expression("".join(_JAPANESE.split())),
    )


@lru_cache(maxsize=1)
def _fillers() -> tuple[frozenset[str], ...]:
    """Return the fillers of each language, with those that all have in common."""
    common = frozenset(_COMMON.split())
    return tuple(common.union(words.split()) for words in _LANGUAGES)


@lru_cache(maxsize=1)
def _in_chatter() -> frozenset[str]:
    """Return all words that chatter of any language may have, those of phrases too, which are spelled out there."""
    return frozenset().union(*_fillers(), _WORD.findall(_PHRASES))
