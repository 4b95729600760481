"""The parts of identifiers: `getUserName` and `get_user_name` say "get user name", too, and `http.server` both words.

So do words that marks join without a space, and numbers that marks or underscores join to words: "eggs,milk",
"tea/coffee", `{"city":"Lyon"}`, "localhost:8080", "web:1.9.3", "ERR_1042"; and a number of three digits or an address
before or behind a colon or a slash, "10.0.4.17:6379", and those of lists (`patterns.listed_numbers`); a name of code
that marks join to something, "get_name(user)", and a version without its letter, "v3.4.0". And French and Italian words
behind an article or a pronoun that ends in an apostrophe, "l'école". And the letters and numbers of one word: "750W"
finds "750 W".

And languages that are one letter and signs: "C++" and "C#" are more than "C".

A part is found beside the whole word, by whoever looks at the field of parts (`marked_terms`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .._core import identifier_parts
from ..light.expressions import expression
from ..patterns.listed_numbers import listed
from .plain_forms import ARTICLES, LONGEST, OTHERS

_HUMP: Final = expression(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MIXED: Final = expression("[0-9]+[A-Za-z]+[0-9]*|[A-Za-z]+[0-9]+[A-Za-z]*")
_RUNS: Final = expression("[0-9]+|[A-Za-z]+")
_LONGEST_MIXED: Final = 24
_WORD: Final = expression(r"[^\W_](?:[^\W_]|[\u0300-\u036f]|['’](?=[^\W_]))*")
_NUMBER: Final = expression(r"(?<![^\W_])(?<![0-9][.,])[0-9]+(?:[.,][0-9]+)*(?![^\W_])")
_MEASURED: Final = expression(r"(?![0-9]{2}(?:T[0-9]{2}|Z)\Z)[0-9]+[A-Za-z][0-9A-Za-z]*")
_DIGITS_FIRST: Final = expression(r"(?<![^\W_])(?<![0-9][.,])[0-9]+[A-Za-z][0-9A-Za-z]*(?![^\W_])")
JOINED: Final = expression(r"\w+(?:[^\w\s]+\w+)+")
"""A run of words and marks without white space."""
_PIECES: Final = expression(r"([^\w\s]+)")
_WITHIN: Final = "-'’"  # words
_PARTING: Final = expression(r"[:/]+")
_NAME: Final = expression(r"[^\W_]\w*(?:\.\w+)*")
"""A name of code, with the modules that it is in."""
_VERSION: Final = expression(r"(?<![^\W_])[vV]([0-9]+(?:\.[0-9]+)+)(?![^\W_]|\.[0-9])")
ADDRESS: Final = expression(r"(?<![\w.])[0-9]+(?:\.[0-9]+){3}(?![\w.])")
"""An address of four numbers."""
_ELIDED: Final = expression(rf"(?:{'|'.join(ARTICLES)})['’](\w{{2,}})", re.IGNORECASE)
_HYPHENS: Final = str.maketrans("", "", "-'’")
_AROUND: Final = ".,;:!?()[]{}\"`<>*#=-'’"
_UNSPACED: Final = expression(
    r"[\s\u0e01-\u0e7f\u1100-\u11ff\u3005\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u3099\u309a"
    r"\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    r"\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\U00020000-\U0003fffd]+"
)
"""White space, and what analysis cuts into characters and pairs: a word that stands in it, as "DNA" in "DNAの", is one
by itself."""
# Each looks at a character once or twice, however a text is made: most texts hold no identifier, and end here.
_MAYBE: Final = expression(
    r"[0-9][A-Za-z]|[A-Za-z][0-9]|[a-z][A-Z]|[A-Z][A-Z][a-z]|[^\W_](?:[^\w\s]|_)+[^\W_]|\b[A-Za-z](?:\+\+|#)"
)
_SIGNED: Final = expression(r"\b([A-Za-z])(\+\+|#)(?!\w)")
_SIGNS: Final = {"++": "plusplus", "#": "sharp"}


def parts_of(text: str) -> list[str]:
    """Return the parts of the identifiers in a text, and words that marks join, in order; one in one piece has none.

    >>> parts_of("Call getUserName or os.path.join_all, see HTTPServer.")
    ['get', 'User', 'Name', 'os', 'path', 'join', 'all', 'HTTP', 'Server']
    >>> parts_of("eggs,milk; tea/coffee, well-known, don't")
    ['eggs', 'milk', 'tea', 'coffee']
    >>> parts_of("localhost:8080/health at 12:30, ERR_1042")
    ['localhost', 'health', '8080', 'ERR', '1042']
    >>> parts_of("10.0.4.17:6379 at 12:30, 3/2024"), parts_of("L'école d'Élodie, o'clock")
    (['10.0.4.17', '6379', '2024'], ['école', 'Élodie'])
    >>> parts_of("4711,4712; Anna,4711,13.99"), parts_of("1,250.00")
    (['4711', '4712;', 'Anna', '4711', '13.99'], [])
    >>> parts_of("750W, 40x60, LH2084, utf8 or IL2")
    ['750', 'W', '40', 'x', '60', 'LH', '2084', 'utf', '8']
    >>> parts_of("get_name(user)"), parts_of("since v3.4.0"), parts_of("self.getName")
    (['get', 'name', 'user', 'get_name'], ['v3', '3.4.0'], ['self', 'get', 'Name', 'getName'])
    >>> parts_of("5v/12v"), parts_of("Wi-Fi/2nd floor")
    (['5v', '12v', '12', 'v'], ['Wi', 'Fi', '2nd'])
    >>> parts_of("C++, C# or C")
    ['Cplusplus', 'Csharp']
    """
    found = identifier_parts(text)
    return parts_plainly(text) if found is None else found


def parts_plainly(text: str) -> list[str]:
    """Return what `parts_of` does, of text in any writing; where it is of ASCII alone the core finds the same.

    >>> parts_plainly("Où est getUserName?")
    ['get', 'User', 'Name']
    """
    if _MAYBE.search(text) is None:
        return []
    found: list[str] = []
    for token in filter(_MAYBE.search, _UNSPACED.split(text)):
        words = _WORD.findall(token)
        is_joined = len(words) > 1 and not token.strip(_AROUND).translate(_HYPHENS).isalnum()
        before = len(found)
        for word in words:
            if len(word) > LONGEST or not word[0].isalpha() or word[0] >= OTHERS:
                continue
            pieces = _HUMP.split(word)
            if is_joined or len(pieces) > 1:
                found += pieces
            if (elided := _ELIDED.match(word)) is not None:
                found.append(elided[1])
        apart = listed(token)
        if is_joined and len(found) > before:
            found += [number for number in _NUMBER.findall(apart) if len(number) <= LONGEST]
        elif len(words) > 1:
            found += [piece for piece in apart.split(" ") if len(piece) <= LONGEST] if " " in apart else []
            found += [word for run in JOINED.findall(apart) for word in _lone_numbers(run)]
        if is_joined:
            found += _names_within(token)
            found += [word for word in _DIGITS_FIRST.findall(token) if is_measured(word)]
        found += [number for number in _VERSION.findall(token) if len(number) <= LONGEST]
        found += [piece for word in words for piece in _letters_and_numbers(word)]
        found += [letter + _SIGNS[signs] for letter, signs in _SIGNED.findall(token)]
    return found


def _letters_and_numbers(word: str) -> list[str]:
    """Return the letters and the numbers of a word such as 750W, 40x60, LH2084 or utf8, or of its humps.

    Names of one or two letters with one digit, as IL2, are one word: "2" and "IL" are in too much else.

    That adds .0070 to nDCG@10 on scifact-train (.0013 to .0132), .0076 on cosqa-dev (.0009 to .0155), on locomo-dev
    nothing. Parting those names, too, gave .0011 (-.0044 to .0071) and .0081 (.0008 to .0170); "IL2" for "IL-2" beside
    it .0002 (-.0031 to .0038), and "email" for "e-mail" took .0099 (.0026 to .0173) from scifact-train.
    """
    pieces = _HUMP.split(word) if word[0].isalpha() else [word]
    mixed = [piece for piece in pieces if len(piece) <= _LONGEST_MIXED and _MIXED.fullmatch(piece) is not None]
    found: list[str] = []
    for piece in mixed:
        digits = sum(map(str.isdigit, piece))
        found += _RUNS.findall(piece) if digits > 1 or len(piece) - digits > 2 else ()
    return found


def _names_within(token: str) -> list[str]:
    """Return the names of code that other marks join to something, as in "get_name(user" or "self->getName()".

    And those that points join, if they have humps: `getName` of "self.getName".
    """
    names = _NAME.findall(token)
    is_one = len(names) == 1 and names[0] == token.strip(_AROUND)
    found: list[str] = []
    for name in names:
        if not is_one and _is_name(name):
            found.append(name)
        if "." in name:
            found += [piece for piece in name.split(".") if has_humps(piece)]
    return found


def has_humps(word: str) -> bool:
    """Return whether a word of letters, digits and underscores is made of several by its capitals.

    >>> has_humps("getName"), has_humps("GitHub"), has_humps("get_userName"), has_humps("get_name")
    (True, True, True, False)
    """
    is_word = word.replace("_", "").isalnum() and begins_with_a_letter(word)
    return is_word and _HUMP.search(word) is not None


def is_measured(word: str) -> bool:
    """Return whether a word is digits with letters behind them, and no part of the time of a log.

    >>> [is_measured(word) for word in ("12v", "2nd", "4b2", "12", "v12", "02T10", "00Z")]
    [True, True, True, False, False, False, False]
    """
    return len(word) <= LONGEST and _MEASURED.fullmatch(word) is not None


def _is_name(run: str) -> bool:
    return begins_with_a_letter(run) and ("." in run or "_" in run.strip("_") or _HUMP.search(run) is not None)


def _lone_numbers(run: str) -> list[str]:
    """Return the addresses, and the numbers that colons and slashes part, of a run that has no word of letters."""
    words, marks = parted(run)
    if not marks or any(map(begins_with_a_letter, words)):
        return []
    numbers = [word for place, word in enumerate(words) if is_number(place, words, marks, has_letters=False)]
    return [*ADDRESS.findall(run), *numbers]


def parted(run: str) -> tuple[list[str], list[str]]:
    """Return the words of a run, and the marks between them; hyphens and apostrophes join words to one.

    >>> parted("well-known,10.0:6379")
    (['well-known', '10', '0', '6379'], [',', '.', ':'])
    """
    words, marks = [""], list[str]()
    for place, piece in enumerate(_PIECES.split(run)):
        if place % 2 == 0:
            words[-1] += piece
        elif any(_is_mark(sign) for sign in piece if sign not in _WITHIN):
            words.append("")
            marks.append(piece)
        else:
            words[-1] += piece
    return words, marks


@lru_cache(maxsize=1_024)
def _is_mark(sign: str) -> bool:
    """Return whether a sign is punctuation or a symbol, and stands for no letter, as "℃" does."""
    if unicodedata.category(sign)[0] not in "PS":
        return False
    return not any(map(str.isalnum, unicodedata.normalize("NFKC", sign)))


def is_number(place: int, words: Sequence[str], marks: Sequence[str], *, has_letters: bool) -> bool:
    """Return whether a word of a run is a number that is a part.

    In a run that has a word of letters each whole number is. In any other, such as a time, one of three digits is that
    colons and slashes part from the others.

    >>> runs = ("web:80", "12:30", "3/2024", "2.718")
    >>> [[is_number(place, *parted(run), has_letters="w" in run) for place in (0, 1)] for run in runs]
    [[False, True], [False, False], [False, True], [False, False]]
    """
    word = words[place]
    if _NUMBER.fullmatch(word) is None or len(word) > LONGEST:
        return False
    before = marks[max(place - 1, 0) : place]
    if has_letters:
        return not (before and before[0] in (".", ",") and words[place - 1][-1].isdecimal())
    return len(word) > 2 and bool(marks) and all(map(_PARTING.fullmatch, [*before, *marks[place : place + 1]]))


def begins_with_a_letter(word: str) -> bool:
    """Return whether a word of a run begins with a letter, of writing that parts words."""
    return word[0].isalpha() and word[0] < OTHERS and len(word) <= LONGEST


def wholes_of(text: str) -> list[str]:
    """Return the words of a text that have parts, whole.

    >>> wholes_of("where is getUserName, or localhost:8080 in http.server?")
    ['getUserName,', 'localhost:8080', 'http.server?']
    """
    return [token for token in _UNSPACED.split(text) if parts_of(token)] if _MAYBE.search(text) is not None else []


def names_of_code(text: str) -> list[str]:
    """Return the names of code in a text that stand by themselves.

    >>> names_of_code("where is getUserName, `os.path.join` or MAX_SIZE, in web:1.9.3 and tea/coffee?")
    ['getUserName', 'os.path.join', 'MAX_SIZE']
    """
    if _MAYBE.search(text) is None:
        return []
    bare = (token.strip(_AROUND) for token in _UNSPACED.split(text))
    return [token for token in bare if _NAME.fullmatch(token) is not None and _is_name(token)]


def is_part(word: str) -> bool:
    """Return whether a word is a part, and one in one piece, wherever marks join it to others.

    >>> [is_part(word) for word in ("kettle", "don't", "5", "getName", "get_name", "well-known")]
    [True, True, False, False, False, False]
    """
    if not word or len(word) > LONGEST or not word[0].isalpha() or word[0] >= OTHERS:
        return False
    return _WORD.fullmatch(word) is not None and _HUMP.search(word) is None
