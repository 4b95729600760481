"""The words of a question that only ask: function words of nine European languages, and what people say to be polite.

The analyser drops English stop words from records and questions alike. Those of other languages stay in records, where
few other words tell one record from another; a question leaves them out for `auto` alone, once it is known to be in one
of the languages: then "la" and "está" decide no longer which record is the best.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from ..light.expressions import expression
from ..patterns.letters import small_words
from .plain_forms import is_article

if TYPE_CHECKING:
    from .._core import Analyzer

_ASKING: Final = {  # words with which a question begins, in few languages
    "de": """
        wer wen wem wessen wann wo woher wohin warum wieso weshalb welche welcher welches welchen welchem wieviel
        wie
    """,
    "fr": """
        qui quel quelle quels quelles où quand combien pourquoi lequel laquelle lesquels lesquelles est-ce
        qu'est-ce
    """,
    "es": "qué quién quiénes cuál cuáles dónde cuándo cómo cuánto cuánta cuántos cuántas adónde",
    "it": "chi dove quando perché quale quali quanto quanta quanti quante cosa cos'è dov'è com'è qual",
    "pt": "quem qual quais onde quando quanto quanta quantos quantas porquê",
    "nl": "wie waar wanneer waarom welke hoeveel hoe",
    "sv": "vem vad var när varför vilken vilket vilka hur",
    "da": "hvem hvad hvor hvornår hvorfor hvilken hvilket hvilke hvordan",
    "ru": """
        кто кого кому кем что чего чему чем где куда откуда когда как какой какая какое какие каких какую каким сколько
        почему зачем чей чья чьё чье чьи чью
    """,
}
_OTHERS: Final = {
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen keinem
        keiner ist sind war waren wird werden wurde wurden hat haben hatte hatten habe hast habt bin bist seid sein kann
        kannst können könnt könntest könnten
        konnte soll sollen muss müssen darf will ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen
        sich mein meine meinen meinem meiner dein deine deinen deiner ihre ihren ihrem ihrer seine seinen seinem
        seiner unser unsere unseren unserem unserer von zu zum zur mit bei aus auf für über unter nach vor im am
        an in um durch gegen ohne bis seit zwischen als dass daß wenn weil ob auch noch nur schon sehr mehr dann
        denn doch da dort hier man was so heißt heißen heisst heissen
        vom beim ins ans fürs
    """,
    "fr": """
        le la les un une des du de au aux et ou mais ne pas plus que ce cet cette ces se sa son ses mon ma mes ton
        ta tes notre nos votre vos leur leurs je tu il elle on nous vous ils elles me te lui y en est sont était
        étaient être été suis es sommes êtes a ai as ont avons avez avait avaient avoir fait fut sera serait dans
        par pour sur sous avec sans chez vers entre depuis pendant avant après si comme donc dont car ni quoi très
        aussi qu s'appelle s'appellent appelle comment
    """,
    "es": """
        el la los las lo un una unos unas de del al a en y o u pero no ni que se su sus mi mis tu tus nuestro
        nuestra nuestros nuestras yo él ella ellos ellas nosotros usted ustedes me te le les nos es son era eran
        fue fueron ser está están estaba estaban estar estoy hay había ha han he has haber hemos tiene tienen
        tengo tienes tenemos por
        para con sin sobre entre desde hasta hacia según cuando donde como quien quienes cual porque si este esta
        esto estos estas ese esa eso esos esas aquel aquella muy más también ya llama llaman
    """,
    "it": """
        il lo la i gli le un uno una del dello della dei degli delle di al allo alla ai agli alle a da dal dalla
        dai dalle in nel nella nei nelle con su sul sulla sui sulle per tra fra e ed o ma non che ci si se mi ti
        vi lui lei noi voi loro io tu mio mia miei mie tuo tua suoi sua suo sue nostro nostra vostro vostra è sono
        era erano ero sei siamo siete essere stato stata ha hanno ho hai abbiamo avete aveva avevano avere fu
        questo questa questi queste quello quella quelli quelle anche più come dopo prima chiama chiamano
    """,
    "pt": """
        o a os as um uma uns umas de do da dos das no na nos nas em ao à aos às e ou mas não que se seu sua seus
        suas meu minha meus minhas teu tua nosso nossa eu tu ele ela eles elas nós vocês você me te lhe é são era
        eram foi foram ser está estão estava estavam estar há tem têm tinha tinham ter por para com sem sobre
        entre desde até pelo pela pelos pelas como porque este esta isto esse essa isso aquele aquela aquilo muito
        mais também já chama chamam
    """,
    "nl": """
        de het een en of maar niet geen is zijn was waren wordt worden werd werden heeft hebben had hadden ben
        bent kan kunnen kon moet moeten mag wil zal zullen zou ik jij je hij zij ze wij we jullie u mij me jou hem
        haar ons hun mijn jouw onze van te ten ter met bij uit op voor over onder na naar door tegen zonder tot
        sinds tussen in aan om als dat die dit deze dan toen omdat want ook nog al er daar hier wat zo heet heten
    """,
    "sv": """
        en ett den det de dem och eller men inte är var blev blir har hade ha kan kunde ska skulle måste jag du
        han hon vi ni mig dig honom henne oss er min mitt mina din ditt dina sin sitt sina hans hennes vår vårt
        våra av till från med på i för om under över efter före mellan utan hos som att när då där här också bara
        mycket mer heter
    """,
    "da": """
        en et den det de dem og eller men ikke er var blev bliver har havde kan kunne skal skulle må vil ville jeg
        du han hun vi mig dig ham hende os min mit mine din dit dine sin sit sine hans hendes vores deres af til
        fra med på i for om under over efter før mellem uden hos som at når da der her også kun meget mere hedder
    """,
    "ru": """
        и в во не он на я с со а то все она так его но да ты к ко у же вы за бы по только её ее мне было вот от меня ещё
        еще нет о об из ему ли если уже или ни быть был была были буду будет будут до вас вам там себя себе ей они тут
        есть надо для мы тебя тебе их нас нам без под этот эта это эти этого этой того тот та те мой моя моё мое мои
        моего моей моих моим мою твой твоя твои твою наш наша наше наши нашего нашей нашу ваш ваша ваши вашу свой свою
        свои про при через над после перед между здесь очень тоже зовут
    """,
}
_FIRST: Final = {language: frozenset(words.split()) for language, words in _ASKING.items()}
_KNOWN: Final = {language: _FIRST[language].union(words.split()) for language, words in _OTHERS.items()}

_OF_ENGLISH: Final = """
    comment man war hat die den am pour car son come dove con sin era van hoe met men till dig var des mi de la le el
"""
_ENGLISH_TOO: Final = frozenset(_OF_ENGLISH.split())
"""These tell no language by themselves: they are English words, too, or stand in names."""

_FEW: Final = 4
_TELLING: Final = {
    "de": "mein meine meinen meinem meiner meines dein deine unser unsere unserem unseren beim vom zum zur",
    "fr": "j'ai c'est notre nos",
    "es": "tengo tienes nuestro nuestra nuestros nuestras",
    "it": "ho nostro nostra nostri nostre c'è",
    "nl": "mijn jouw onze hoeveel",
    "sv": "mitt mina vårt våra",
}
_ALONE: Final = {language: frozenset(words.split()) for language, words in _TELLING.items()}
"""What tells the language of a question of so few words by itself."""

_BEGINS: Final = {"de": ("was ",)}
"""How a question begins in a language, and a statement of English does not."""

_WORD: Final = expression(r"[^\W\d_]{2,}(?:-ce\b)?|[à-ÿ]")
_APART: Final = {code: " " for code in range(128) if not chr(code).isalpha()}
_ASIAN: Final = expression("[\u0900-\u097f\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_LETTERS: Final = expression(r"[^\W\d_]+")
_AROUND: Final = "¿¡?!.,;:\"'()[]«»“”„…"
_HINTS: Final = ("please", "pls", "thank", "you ", "tell ", "remind ", "show ", "know", "wonder")
"""What one of the polite forms has in it."""
_POLITE: Final = expression(
    r"^\W*(?:(?:hi|hello|hey)(?: there)?\W+)?(?:please\W+)?"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|remind|show|check|give|say|find(?: out)?|look up)"
    r"|(?:tell|remind|show) (?=me\b|us\b)|do you (?:still )?(?:know|remember|recall)"
    r"|(?:i|we)(?: want| need| would like| ?['’]d like) to know|(?:i|we)(?: wonder| ?['’]m wondering))\b"
    r"|^\W*please\b|\b(?:please|pls|thanks|thank you)\W*$",
    re.IGNORECASE,
)
_AMOUNT: Final = expression(
    r"\b(?:how (?:old|many|much|often|soon)|wie (?:alt|viele?|oft)"
    r"|(?:what|which) (?:kind|sort|type)s? of|what (?:happen(?:s|ed)|(?:will|would) happen) (?:if|when|to|with))\b",
    re.IGNORECASE,
)
"""So one asks for an age, an amount or a kind: "old" tells a phone that is old from Leo, who turned five."""
_AMOUNTS: Final = ("how ", "wie ", " of", "happen")
_LEFT: Final = expression(r"\b(how (?:much|many)\b.*\S) left(?=\W*\Z)", re.IGNORECASE)
"""What is left of something is no leaving."""


@lru_cache(maxsize=256)
def content_of(query: str, analyzer: Analyzer) -> str:
    """Return a question without the words that only ask; as it is where no word would be left.

    Function words are left out of a question in one of the languages. An analyser that keeps English stop words keeps
    these, too.

    >>> from byheart import Analyzer
    >>> [content_of(query, Analyzer()) for query in ("¿Dónde está la lavadora?", "Où est l'école ?", "Wo ist das?")]
    ['lavadora?', "l'école ?", 'Wo ist das?']
    >>> [content_of(query, Analyzer()) for query in ("remind me about Quentin please?", "the man in the war")]
    ['me about Quentin', 'the man in the war']
    >>> [content_of(query, Analyzer()) for query in ("How old is Leo?", "What kind of tea is it?", "Wie oft?")]
    ['is Leo?', 'tea is it?', 'Wie oft?']
    """
    if "+english+" not in analyzer.name:
        return query
    lower = query.lower() if query.isascii() else normalize("NFKC", query).lower()
    said = query
    if any(map(lower.__contains__, _HINTS)) and _POLITE.search(query) is not None:
        said = " ".join(_POLITE.sub(" ", query).split())
    if any(map(lower.__contains__, _AMOUNTS)):
        said = " ".join(_AMOUNT.sub(" ", _LEFT.sub(r"\1", said)).split())
    if (language := language_asked(query, analyzer)) is not None:
        from .courtesies import without_courtesies  # compiled where a question is in one of the languages

        said, known = without_courtesies(said, language), function_words_of(language)
        said = " ".join(token for token in said.split() if not _is_one_of(known, token))
    if has_asian(said):
        from .asking_asian import without_asking  # its patterns are compiled where a question needs them

        said = without_asking(said)
    return query if said == query or not analyzer.terms(said) else said


def _is_one_of(known: frozenset[str], token: str) -> bool:
    """Return whether a word is one of some, or two of them with an apostrophe between, as "j'ai"."""
    word = normalize("NFKC", token).lower().replace("\u2019", "'").strip(_AROUND)
    article, apostrophe, rest = word.partition("'")
    return word in known or (bool(apostrophe) and is_article(article) and rest in known)


def has_asian(text: str) -> bool:
    """Return whether a text has Japanese, Chinese, Korean or Hindi writing in it.

    >>> has_asian("where is the café?"), has_asian("財布は?")
    (False, True)
    """
    return not text.isascii() and _ASIAN.search(text) is not None


def says_only(text: str, more: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a text says nothing but function words of one language, and others of that.

    >>> [says_only(text, {"de": frozenset({"passiert"})}) for text in ("Was ist passiert?", "was ist es wert?", "")]
    [True, False, False]
    """
    words = set(_LETTERS.findall(text.lower()))
    return bool(words) and any(words <= _KNOWN[language] | others for language, others in more.items())


@lru_cache(maxsize=16)
def _foreign(analyzer: Analyzer) -> frozenset[str]:
    """Return the function words that English does not have, but for single letters, which are parts of others."""
    words = frozenset[str]().union(*_KNOWN.values())
    return frozenset(word for word in words if not (len(word) == 1 and word.isascii()) and analyzer.terms(word))


def function_words_of(language: str) -> frozenset[str]:
    """Return the function words of a language, by its code."""
    return _KNOWN[language]


@lru_cache(maxsize=256)
def language_asked(query: str, analyzer: Analyzer) -> str | None:
    """Return the code of the language of a question, as `language_of`: it is asked for several times.

    A few words have seldom two function words among them: there one that stands in no other language is enough.

    >>> from byheart import Analyzer
    >>> [language_asked(query, Analyzer()) for query in ("beim Zahnarzt", "mijn kat", "a mein dish", "the zoo")]
    ['de', 'nl', None, None]
    """
    if (language := language_of(query, analyzer)) is not None or "+english+" not in analyzer.name:
        return language
    words = normalize("NFKC", query).lower().split()[: _FEW + 1]
    if len(words) > _FEW or not all(map(analyzer.terms, words)):  # an English function word has no term
        return None
    told = {language for language, own in _ALONE.items() if not own.isdisjoint(word.strip(_AROUND) for word in words)}
    return told.pop() if len(told) == 1 else None


def language_of(text: str, analyzer: Analyzer) -> str | None:
    """Return the code of the language other than English that the function words of a text are of; None for others.

    At least two of one language have to be there, or one that begins questions in no other; and more of them than of
    English. Words that both have count where no other English one is there. None for an analyser that keeps English
    stop words.

    >>> from byheart import Analyzer
    >>> [language_of(text, Analyzer()) for text in ("Meine Katzen und ich", "¿Dónde está?", "the man in the war")]
    ['de', 'es', None]
    """
    if "+english+" not in analyzer.name:
        return None
    if text.isascii() and _foreign(analyzer).isdisjoint(small_words(text)):
        return None
    lower = text.lower() if text.isascii() else normalize("NFKC", text).lower()
    words = _words(lower)
    foreign = words & _foreign(analyzer)
    if not foreign:
        return None
    english: set[str] = set()

    def speaking(language: str) -> int:
        known, others = foreign & _KNOWN[language], english - _KNOWN[language]
        tells = len(known) > 1 or lower.startswith(_BEGINS.get(language, ()))
        if not known or (known <= _ENGLISH_TOO and (others or not tells)):
            return 0
        said = known if others else words & _KNOWN[language]
        more = len(said) + (not known.isdisjoint(_FIRST[language]))
        return more if more > max(1, len(others)) else 0

    left = list(filter(speaking, _KNOWN))
    for word in sorted(
        words - foreign, key=len
    ):  # one more English word never tells for a language: mostly one is enough
        if not left:
            return None
        if not analyzer.terms(word):
            english.add(word)
            left = list(filter(speaking, left))
    return max(left, key=speaking) if left else None


def _words(lower: str) -> set[str]:
    """Return the words of a text in small letters; those of ASCII without an expression, in half the time."""
    if lower.isascii() and "-ce" not in lower:
        return set(lower.translate(_APART).split()).difference(ascii_lowercase)
    return set(_WORD.findall(lower))
