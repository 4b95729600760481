"""The parts of identifiers: `getUserName` and `get_user_name` say "get user name", too, and `http.server` both words.

So do words that marks join without a space, and numbers that marks join to words: "eggs,milk", "tea/coffee",
`{"city":"Lyon"}`, "localhost:8080", "web:1.9.3".

And languages that are one letter and signs: "C++" and "C#" are more than "C". And words without their accents, since
many a question is typed without: "cafe" finds "café", too. And the bases of irregular forms (`word_forms`), and
function words that say something (`function_words`).

A part is found beside the whole word, by whoever looks at the field of parts: terms in it bear a mark, so that they are
no other field's terms.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from .function_words import function_words
from .word_forms import bases

if TYPE_CHECKING:
    from .._core import Analyzer

MARK: Final = "\ua7fb"
"""A letter that stands before the terms of parts, and in no text: analysis leaves such a word as it is."""

LONGEST: Final = 64
"""Longer words are no identifiers but hashes, keys and encoded bytes, whose parts say nothing."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f]|['’](?=[^\W_]))*")
_NUMBER: Final = re.compile(r"(?<!\w)(?<![0-9][.,])[0-9]+(?:[.,][0-9]+)*(?!\w)")
_HYPHENS: Final = str.maketrans("", "", "-'’")
_AROUND: Final = ".,;:!?()[]{}\"`<>*#=-'’"
OTHERS: Final = "\u0590"
"""From this letter on writing has no spaces, or signs between its letters, which part no words."""
# Each looks at a character once or twice, however a text is made: most texts hold no identifier, and end here.
_MAYBE: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|[^\W_](?:[^\w\s]|_)+[^\W_]|\b[A-Za-z](?:\+\+|#)")
_SIGNED: Final = re.compile(r"\b([A-Za-z])(\+\+|#)(?!\w)")
_SIGNS: Final = {"++": "plusplus", "#": "sharp"}

_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]+")
_WRITTEN: Final = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
                                 "ı": "i", "Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Þ": "TH"})  # fmt: skip


def unaccented(text: str) -> list[str]:
    """Return the words of Latin letters that have accents, without them, in order.

    >>> unaccented("The café in Zürich, groß; 東京")
    ['cafe', 'Zurich', 'gross']
    """
    if text.isascii():
        return []
    found = []
    for word in _LATIN.findall(text):
        if word.isascii() or len(word) > LONGEST:
            continue
        letters = unicodedata.normalize("NFKD", word.translate(_WRITTEN))
        plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
        if plain.isascii() and plain.isalpha():
            found.append(plain)
    return found


def parts_of(text: str) -> list[str]:
    """Return the parts of the identifiers in a text, and words that marks join, in order; one in one piece has none.

    >>> parts_of("Call getUserName or os.path.join_all, see HTTPServer.")
    ['get', 'User', 'Name', 'os', 'path', 'join', 'all', 'HTTP', 'Server']
    >>> parts_of("eggs,milk; tea/coffee, well-known, don't")
    ['eggs', 'milk', 'tea', 'coffee']
    >>> parts_of("localhost:8080/health at 12:30")
    ['localhost', 'health', '8080']
    >>> parts_of("C++, C# or C")
    ['Cplusplus', 'Csharp']
    """
    if _MAYBE.search(text) is None:
        return []
    found: list[str] = []
    for token in filter(_MAYBE.search, text.split()):
        words = _WORD.findall(token)
        is_joined = len(words) > 1 and not token.strip(_AROUND).translate(_HYPHENS).isalnum()
        before = len(found)
        for word in words:
            if len(word) > LONGEST or not word[0].isalpha() or word[0] >= OTHERS:
                continue
            pieces = _HUMP.split(word)
            if is_joined or len(pieces) > 1:
                found += pieces
        if is_joined and len(found) > before:
            found += [number for number in _NUMBER.findall(token) if len(number) <= LONGEST]
        found += [letter + _SIGNS[signs] for letter, signs in _SIGNED.findall(token)]
    return found


def is_part(word: str) -> bool:
    """Return whether a word is a part, and one in one piece, wherever marks join it to others.

    >>> [is_part(word) for word in ("kettle", "don't", "5", "getName", "get_name", "well-known")]
    [True, True, False, False, False, False]
    """
    if not word or len(word) > LONGEST or not word[0].isalpha() or word[0] >= OTHERS:
        return False
    return _WORD.fullmatch(word) is not None and _HUMP.search(word) is None


def marked(text: str, analyzer: Analyzer) -> str:
    """Return the terms of the parts, the words without accents, the bases and function words, each with the mark.

    They are one text, which is empty where there are none.

    >>> from byheart import Analyzer
    >>> marked("Call findUserName before.", Analyzer()).replace(MARK, "*")
    '*find *user *name *before'
    """
    parts, light = parts_of(text) + unaccented(text) + bases(text, analyzer), function_words(text, analyzer)
    if not (parts or light) or analyzer.terms(MARK + "a") != [MARK + "a"]:  # one of ASCII alone would drop the mark
        return ""
    return " ".join(MARK + term for term in [*analyzer.terms(" ".join(parts)), *light])


def all_marked(text: str, analyzer: Analyzer) -> str:
    """Return all terms of a text that can bear the mark, and those that `marked` gives it, each once.

    Runs of writing without spaces cannot: a letter before them parts them otherwise.

    >>> from byheart import Analyzer
    >>> all_marked("umbrella, well-known umbrellas", Analyzer()).replace(MARK, "*")
    '*umbrella *well *known *know'
    """
    terms = dict.fromkeys(analyzer.terms(" ".join([text, *parts_of(text), *unaccented(text), *bases(text, analyzer)])))
    marks = {term: MARK + term for term in terms}
    return " ".join(mark for mark in marks.values() if analyzer.terms(mark) == [mark])
