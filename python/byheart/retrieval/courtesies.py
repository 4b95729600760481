"""Courtesies that lead to a question: "Pourriez-vous me rappeler ...", "Kannst du mir nochmal sagen, ...".

They say nothing of what is asked, and one word of them that records hold too, such as "dire", decides which is found.
In German, French, Spanish and Italian; those of English stand in `asking_words`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression

_LEADS: Final = {
    "de": r"""
        (?:k[öo]nn(?:t?est|t?en|t)|kannst|w[üu]rde?st|w[üu]rden|magst)\ (?:du|sie|ihr)
            (?:\ (?:mir|uns|bitte|nochmal|noch|mal|einmal|eben|kurz|vielleicht|freundlicherweise))*
            \ (?:sagen|verraten|nennen|zeigen|heraussuchen|raussuchen|mitteilen|(?:daran\ )?erinnern)\b[,:]?
        |(?:sag(?:en\ sie)?|zeig(?:en\ sie)?|verrate|nenn(?:e|en\ sie)?)\ (?:mir|uns)(?:\ (?:bitte|nochmal|mal))*\b[,:]?
        |(?:wei(?:ß|ss)t\ du|wissen\ sie|erinnerst\ du\ dich)(?:\ (?:noch|vielleicht|zufällig|daran))*\b[,:]?
        |ich\ (?:möchte|würde|wüsste|will)(?:\ (?:gern|gerne|mal|bitte))*(?:\ wissen)?\b[,:]
    """,
    "fr": r"""
        (?:est-ce\ que\ )?(?:(?:tu|vous)\ )?(?:peux|pouvez|pourrais|pourriez)(?:[-\ ](?:tu|vous))?
            (?:\ s['’]il\ (?:te|vous)\ pla[iî]t)?(?:\ (?:me|nous|m['’]))?\ ?
            (?:rappeler|redire|dire|indiquer|donner|retrouver|trouver|confirmer)\b
        |(?:rappelle|dis|donne|redis)[-\ ]moi\b|(?:rappelez|dites|donnez|redites)[-\ ]moi\b
        |je\ (?:voudrais|veux|souhaite|souhaiterais|aimerais)\ savoir\b
        |(?:tu\ te|vous\ vous)\ (?:souviens|souvenez)\ (?:de\b)?
        |(?:tu\ sais|sais[-\ ]tu|savez[-\ ]vous|vous\ savez)\b
    """,
    "es": r"""
        (?:me\ )?(?:podr[ií]as?|puedes?|podr[ií]ais|pod[ée]is)(?:\ (?:usted|por\ favor))?
            \ (?:recordar|decir|buscar|dar|confirmar)(?:me|nos)?\b
        |ser[ií]as?\ tan\ amable\ de\ (?:decir|recordar)(?:me|nos)\b
        |(?:recu[ée]rdame|recu[ée]rdeme|dime|d[ií]game)\b|(?:quisiera|quiero|me\ gustar[ií]a)\ saber\b
        |(?:sabes|sabe|te\ acuerdas\ de|recuerdas)\b
    """,
    "it": r"""
        (?:mi\ )?(?:potrebbe|potresti|puoi|pu[òo]|potete)(?:\ (?:per\ favore|per\ piacere))?
            \ (?:ricordar|dir|dar|cercar|confermar)(?:mi|ci|e)\b
        |(?:ricordami|mi\ ricordi|mi\ ricorda|dimmi|mi\ dici|mi\ dice|mi\ sai\ dire)\b
        |(?:vorrei|voglio|mi\ piacerebbe)\ sapere\b|(?:ti\ ricordi|sai|si\ ricorda)\b
    """,
}
_ENDS: Final = {
    "de": r"bitte(?:\ schön|\ sehr)?|danke(?:\ (?:schön|dir|ihnen))?|vielen\ dank",
    "fr": r"s['’]il\ (?:te|vous)\ pla[iî]t|svp|stp|merci(?:\ (?:bien|beaucoup|d['’]avance))?",
    "es": r"por\ favor|porfa|(?:muchas\ )?gracias",
    "it": r"per\ (?:favore|piacere|cortesia)|grazie(?:\ mille)?",
}
_GREETINGS: Final = (
    r"(?:hallo|hi|hey|guten\ (?:tag|morgen|abend)|bonjour|salut|bonsoir|hola|buenos\ días|buenas|ciao|salve|buongiorno)"
)


def without_courtesies(said: str, language: str) -> str:
    """Return a question without the courtesies of its language before and behind what it asks; as it is without any.

    >>> without_courtesies("Könnten Sie mir bitte sagen, wie unser Kater heißt?", "de")
    'wie unser Kater heißt?'
    >>> without_courtesies("¿Podría recordarme cómo se llama nuestra perra, por favor?", "es")
    'cómo se llama nuestra perra'
    >>> without_courtesies("Kann ich das Auto haben?", "de")
    'Kann ich das Auto haben?'
    """
    if language not in _LEADS:
        return said
    before, behind = _forms(language)
    found = behind.sub("", before.sub("", said, count=1)).strip()
    return found if any(map(str.isalnum, found)) else said


@lru_cache(maxsize=len(_LEADS))
def _forms(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    ends = _ENDS[language]
    before = rf"^\W*(?:{_GREETINGS}\b\W*)?(?:(?:{ends})\b\W*)?(?:{_LEADS[language]}|(?<=\w\W){ends})(?:\W+|$)"
    flags = re.VERBOSE | re.IGNORECASE
    return expression(before, flags), expression(rf"[\s,]*\b(?:{ends})\W*$", flags)
