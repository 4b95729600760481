"""The words by which one asks for a property of something ("much", "current", "price"), and what is asked about so.

They say how one asks, and not about what: "how much is the rent?" is about the rent. Where no record holds such a word,
it says nothing about what a memory knows, and weighs nothing (`byheart.recall.as_searched`). Where it is held, it
counts as any word; but alone it is no answer where what is asked about is held by nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from ..light.expressions import expression
from ..patterns.letters import small_words

if TYPE_CHECKING:
    from .._core import Analyzer

_WORDS: Final = {
    "en": """
        much many often long old high big tall large far expensive
        current currently recent recently latest last first next still already yet ever lately nowadays presently
        moment days today anymore exact exactly actual actually
        deal cost costs price amount total charge charges fee
        name names called named number address appointment live lives
        forgot forget remember know tell told say said mention mentioned
        anything something everything anyone someone need
    """,
    "de": """
        viel viele hoch lange lang alt groß oft weit teuer genau derzeit aktuell aktuelle aktuellen aktueller gerade
        momentan zurzeit moment heute zuletzt letzte letzten letzter erste ersten nächste nächsten nächster
        kostet kosten kostete preis betrag name namen nummer adresse termin wohnt wohnen wohne genannt
        weiß weißt vergessen gesagt erzählt etwas alles brauche
    """,
    "fr": """
        coûte coûtent coûté coûter prix montant cher haut longtemps âge exactement actuel actuelle actuellement
        moment maintenant encore toujours déjà dernier dernière premier première prochain prochaine
        nom nommé numéro adresse rendez-vous habite habitent sais sait oublié dit quelque chose
    """,
    "es": """
        cuesta cuestan costó costar precio importe caro alto tiempo edad exactamente actual actualmente ahora
        momento todavía aún último última primero primera próximo próxima nombre número dirección cita
        vive viven sé sabe sabes olvidé olvidado dicho dije algo
    """,
    "it": """
        costa costano costato costare prezzo importo caro alto tempo età esattamente attuale attualmente adesso ora
        momento ancora già ultimo ultima primo prima prossimo prossima nome numero indirizzo appuntamento
        abita abitano vive so sai sa dimenticato detto qualcosa
    """,
    "pt": """
        custa custam custou custar preço valor caro alto tempo idade exatamente atual atualmente agora momento ainda
        último última primeiro primeira próximo próxima nome número endereço consulta mora vive sei sabe esqueci
        disse algo
    """,
    "nl": """
        veel lang oud hoog groot vaak ver duur kost kosten kostte prijs bedrag precies huidig huidige momenteel nu
        moment laatste eerste volgende naam nummer adres afspraak woont wonen weet vergeten gezegd iets
    """,
    "sv": """
        mycket många länge lång gammal hög stor ofta långt dyr kostar kostade pris exakt nuvarande just nu senaste
        sista första nästa namn nummer adress tid bor vet glömt sagt något
    """,
    "da": """
        meget mange længe lang gammel høj stor ofte langt dyr koster kostede pris præcis nuværende lige nu seneste
        sidste første næste navn nummer adresse tid bor ved glemt sagt noget
    """,
    "ru": """
        стоит стоят стоило цена дорого много долго точно сейчас текущий текущая последний последняя первый первая
        следующий имя номер адрес живёт живет знаю знаешь забыл забыла
    """,
}


_ENGLISH: Final = frozenset(_WORDS["en"].split())
_ALL: Final = frozenset(" ".join(_WORDS.values()).split())
"""Of a question in another language: "quanto custa" may be taken for Italian."""
_KINDS: Final = frozenset(("kind", "kinds", "type", "types", "sort", "sorts"))
"""Before "of" alone: "what is my blood type?" is about that."""
_MAYBE: Final = _ENGLISH | _KINDS
_AROUND: Final = "¿¡?!.,;:\"'()[]«»“”„…"


@lru_cache(maxsize=256)
def asked_by(text: str, language: str | None, analyzer: Analyzer) -> frozenset[str]:
    """Return the terms of the words of a question by which it asks, which may be in another language than English.

    None for an analyser that keeps English stop words.

    >>> from byheart import Analyzer
    >>> [sorted(asked_by(text, None, Analyzer())) for text in ("How much is the current rent?", "Who is on-call?")]
    [['current', 'much'], []]
    """
    if "+english+" not in analyzer.name:
        return frozenset()
    told = _ENGLISH if language is None else _ALL
    if text.isascii() and language is None and _MAYBE.isdisjoint(small_words(text)):  # as of most questions
        return frozenset()
    words = [word.strip(_AROUND) for word in normalize("NFKC", text).lower().split()]
    said = {word for word, then in pairwise(words) if then == "of" and word in _KINDS} if "of" in words else set[str]()
    said.update(told.intersection(words))
    return frozenset(analyzer.terms(" ".join(said))) if said else frozenset()


_OWN: Final = r"(?:my|our|the|your|his|her|their|a|an)"
_PROPERTY: Final = r"(?:(?:full|first|last|phone|mobile|e-?mail|postal|street) )?(?:name|number|phone|address|e-?mail)"
_FORMS: Final = (
    rf"what(?:['’]s| is| was| are) the {_PROPERTY} (?:of|for) ({_OWN} .+?)",
    rf"what(?:['’]s| is| was) ({_OWN} .+?)['’]s {_PROPERTY}",
    rf"what(?:['’]s| is| was| are) ({_OWN} .+?) (?:called|named)",
    rf"when(?:['’]s| is| was) ({_OWN} .+?) appointment",
    rf"when(?:['’]s| is| was) (?:{_OWN} )?(?:next )?appointment (?:with|at) ({_OWN} .+?)",
    rf"where (?:does|do|did) ({_OWN} .+?) live",
    rf"(?:how much|what) (?:does|do|did) ({_OWN} .+?) (?:cost|charge)(?: (?:me|us))?",
)
"""How one asks for a property alone, and of what: "what's the name of my lawyer?"."""


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(expression(rf"\W*{form}\W*", re.IGNORECASE) for form in _FORMS)


def asked_about(text: str) -> str | None:
    """Return what a question is about that asks for a property of it alone; None for one of another form.

    >>> asked_about("What's the name of my lawyer?"), asked_about("Where does the cat live?")
    ('my lawyer', 'the cat')
    >>> asked_about("Who chose the name?") is None
    True
    """
    return next((found[1] for form in _forms() if (found := form.fullmatch(text)) is not None), None)
