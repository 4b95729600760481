"""The operators of a question, by their definition: read letter by letter, and a look at all words of every record.

A record is a plain mapping, as in `byheart.reference.memory`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .memory import LEXICAL_WEIGHTS, acts_of, claim_of
from .text import terms

QUOTES = '"＂“”„‟«»'
ENDS = ".,;:!?)]}"
PART = "\ua7fb"
# What stands before an apostrophe.
ARTICLES = ("c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
            "un", "gl", "all", "dall", "dell", "nell", "sull", "quell", "quest")  # fmt: skip
DIGITS = "0123456789"
SMALL, CAPITALS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Read:
    """What is searched for, and the phrases that a record must hold, or must not."""

    plain: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def read(query: str, *, mode: str = "unicode") -> Read:
    """Return a question without its operators, and these.

    >>> read('the "blue kettle" -old +spring -5')
    Read(plain='the blue kettle spring -5', wanted=('blue kettle', 'spring'), unwanted=('old',))
    """
    if any(end in query.strip() for end in ("\n", "\r")):  # several lines are a text that somebody pasted
        return Read(query, (), ())
    plain, wanted, unwanted = "", list[str](), list[str]()
    at = 0
    while at < len(query):
        sign, text, end = _operator(query, at) if at == 0 or query[at - 1].isspace() else ("", "", at)
        if not words(text, mode=mode):  # a phrase without a word is plain text as a whole, to its closing mark
            end = max(end, at + 1)
            plain += query[at:end]
            at = end
            continue
        if sign == "-":
            unwanted.append(text)
        else:
            wanted.append(text)
            plain += text
        at = end
    if not wanted and not unwanted:
        return Read(query, (), ())
    return Read(_closed_up(plain), tuple(wanted), tuple(unwanted))


def _operator(query: str, at: int) -> tuple[str, str, int]:
    """Return the sign and the text of the operator at a place, and where it ends; no text if there is none."""
    sign = query[at] if query[at] in "+-" else ""
    start = at + len(sign)
    first = query[start : start + 1]
    if first and first in QUOTES:
        inside = start + 1
        end = inside
        while end < len(query) and query[end] not in QUOTES and query[end] not in "\n\r":
            end += 1
        closed = end < len(query) and query[end] in QUOTES
        if closed and end > inside and not query[inside].isspace():
            return sign, query[inside:end], end + 1
        return "", "", at
    if sign and first.isalnum() and not first.isdecimal():
        end = start
        while end < len(query) and not query[end].isspace() and query[end] not in QUOTES:
            end += 1
        word = query[start:end].rstrip(ENDS)
        if sign == "-" and len(word) == 1 and word.lower() in SMALL:  # an option of a command
            return "", "", at
        return sign, word, end
    return "", "", at


def _closed_up(text: str) -> str:
    """Return a text with one blank where several blanks and tabs stood, and none at its ends."""
    kept = ""
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] in " \t":
            end += 1
        if end - at >= 2:
            kept += " "
            at = end
        else:
            kept += text[at]
            at += 1
    return kept.strip()


def words(text: str, *, mode: str = "unicode") -> list[str]:
    """Return the words of a text: of those that hyphens and other marks join the parts, none stemmed, none left out.

    >>> words("The well-known foxes"), words("東京都")
    (['the', 'well', 'known', 'foxes'], ['東', '東京', '京', '京都', '都'])
    """
    composed = unicodedata.normalize("NFC", text)
    found = terms(_opened(_without_elisions(composed)), mode=mode, stem=False, stop_words=None)
    return [word for word in found if "-" not in word or (mode == "ascii" and word[0] in "0123456789")]


def _without_elisions(text: str) -> str:
    """Return a text with a blank for the apostrophe between an article of French or Italian and its word."""
    said = list(text)
    for at, sign in enumerate(text):
        if sign not in "'’":
            continue
        start, end = at, at + 1
        while start and text[start - 1].isalpha():
            start -= 1
        while end < len(text) and text[end].isalpha():
            end += 1
        article, word = text[start:at].lower(), text[at + 1 : end]
        before, behind = text[max(start - 2, 0) : start], text[end : end + 2]
        within = _in_word(before[-1:] or " ") or (before[-1:] in ("'", "’") and _in_word(before[:-1] or " "))
        goes_on = _in_word(behind[:1] or " ") or (behind[:1] in ("'", "’") and _in_word(behind[1:] or " "))
        marked = any("\u0300" <= near <= "\u036f" for near in before[-1:] + behind[:1])
        is_latin = all(letter in SMALL + CAPITALS or "\u00c0" <= letter <= "\u024f" for letter in word)
        if article in ARTICLES and 2 <= len(word) <= 56 and is_latin and not (within or goes_on or marked):
            said[at] = " "
    return "".join(said)


def _opened(text: str) -> str:
    """Return a text with blanks in the place of the marks that join words, where one of the two is a plain word.

    What is none, as an identifier or 3.14, gets a sign that no text has, so that it is no word by itself.
    """
    opened, at = "", 0
    while at < len(text):
        start = at
        while at < len(text) and not text[at].isspace():
            at += 1
        opened += " ".join(map(_opened_run, _listed(text[start:at]).split(" "))) + text[at : at + 1]
        at += 1
    return opened


def _listed(run: str) -> str:
    """Return what stands between white space with the numbers of lists apart; beside a word they have a semicolon."""
    is_named = any(sign in SMALL + CAPITALS or "\u00aa" <= sign <= "\u058f" for sign in run)
    said = list(run)
    for at in range(1, len(run) - 1):
        if run[at] not in ",;|" or run[at - 1] not in DIGITS or run[at + 1] not in DIGITS:
            continue
        if run[at] != "," or _is_between_numbers(run, at):
            said[at] = run[at] if is_named and run[at] != "," else ";" if is_named else " "
    return "".join(said)


def _is_between_numbers(run: str, comma: int) -> bool:
    """Return whether the comma at a place parts two numbers."""
    start = end = comma
    while start and (run[start - 1] in DIGITS or (run[start - 1] in ".," and run[start - 2 : start - 1] in [*DIGITS])):
        start -= 1
    while end < len(run) and (run[end] in DIGITS or (run[end] in ".," and run[end + 1 : end + 2] in [*DIGITS])):
        end += 1
    number = run[start:end]
    is_behind = start > 1 and run[start - 1] in "-:/" and run[start - 2] in DIGITS
    if is_behind or (run[start - 1 : start] == "[" and run[end : end + 1] == "]"):
        return True
    whole, point, places = number.rpartition("." if number.rfind(".") > number.rfind(",") else ",")
    if point == ".":
        return not _is_grouped(whole, ",", (2, 3))
    is_decimal = whole.isdecimal() and not (len(whole) > 3 and len(places) > 2)
    is_pointed = "." in whole and _is_grouped(whole, ".", (3,))
    return not (is_decimal or is_pointed or _is_grouped(number, ",", (2, 3)))


def _is_grouped(number: str, mark: str, lengths: Sequence[int]) -> bool:
    """Return whether marks part digits into groups of thousands, those between of such lengths."""
    first, *others = number.split(mark)
    if not all(map(_is_whole, (first, *others))):
        return False
    return len(first) <= 3 and all(len(each) in lengths for each in others) and others != [] and len(others[-1]) == 3


def _opened_run(run: str) -> str:
    """Return what stands between white space, opened."""
    first = next((place for place, sign in enumerate(run) if _in_word(sign)), len(run))
    last = next((place for place in range(len(run), 0, -1) if _in_word(run[place - 1])), 0)
    words, marks, at = [""], list[str](), first
    while at < last:
        end = at
        while end < last and not _in_word(run[end]):
            end += 1
        if end > at and any(map(_joins, run[at:end])):
            marks.append(run[at:end])
            words.append("")
        else:
            end = max(end, at + 1)
            words[-1] += run[at:end]
        at = end
    has_letters = any(word[0].isalpha() and word[0] < "\u0590" and len(word) <= 64 for word in words if word)
    at = 1
    while has_letters and at < len(words):  # numbers such as 3.5 are one word
        if (
            marks[at - 1] in (".", ",")
            and _is_decimal(words[at - 1].split("-")[-1])
            and _is_whole(words[at].split("-")[0])
        ):
            words[at - 1 : at + 1] = [words[at - 1] + marks.pop(at - 1) + words[at]]
        else:
            at += 1
    plain = []
    for place, word in enumerate(words):
        is_number = len(word) <= 64 and _is_decimal(word)
        beside = "".join(marks[place - 1 : place] if place else []) + "".join(marks[place : place + 1])
        is_lone = len(word) > 2 and not has_letters and marks != [] and all(sign in ":/" for sign in beside)
        ends_in_digit = place > 0 and words[place - 1][-1].isdecimal()
        is_named = has_letters and not (ends_in_digit and marks[place - 1] in (".", ","))
        goes_on = ends_in_digit and marks[place - 1][-1] in ".," and word[0].isdecimal()
        plain.append((_is_known(word) and not goes_on) or (is_number and (is_named or is_lone)))
    said = words[0]
    for place, mark in enumerate(marks):
        one, other = words[place], words[place + 1]
        if one[-1] >= "\u0590" or other[0] >= "\u0590" or not (plain[place] or plain[place + 1]):
            said += mark + other
        else:
            is_part = plain[place] or _is_address(said.rpartition(" ")[2])
            said += ("" if is_part else PART) + " " + ("" if plain[place + 1] else PART) + other
    return run[:first] + said + run[last:] if first < last else run


def _is_address(word: str) -> bool:
    """Return whether a word is an address of four numbers."""
    numbers = word.split(".")
    return len(numbers) == 4 and all(number != "" and set(number) <= set("0123456789") for number in numbers)


def _is_whole(word: str) -> bool:
    return word != "" and all(sign in "0123456789" for sign in word)


def _is_decimal(word: str) -> bool:
    return all(_is_whole(part) for part in word.replace(",", ".").split("."))


def _is_known(word: str) -> bool:
    """Return whether a word is made of plain ones by hyphens and underscores, and of numbers behind hyphens."""
    pieces = word.split("-")
    named = [piece for piece in pieces if len(pieces) == 1 or not _is_decimal(piece)]
    return named != [] and all(_is_found(piece) for piece in named)


def _is_found(piece: str) -> bool:
    """Return whether a word has humps, or begins with digits and is no part of a time, or is of plain ones."""
    owner = piece[:-2] if piece.endswith(("'s", "’s")) else piece
    whole = owner.replace("_", "")
    if whole.isalnum() and owner[0].isalpha() and owner[0] < "\u0590" and len(owner) <= 64 and _has_a_hump(owner):
        return True
    digits = len(piece) - len(piece.lstrip("0123456789"))
    behind = piece[digits:]
    if digits and behind and len(piece) <= 64 and behind.isascii() and behind.isalnum():
        is_of_time = digits == 2 and (
            behind == "Z" or (behind[0] == "T" and _is_whole(behind[1:]) and len(behind) == 3)
        )
        return not is_of_time
    return all(_is_plain(part) for part in piece.split("_"))


def _has_a_hump(word: str) -> bool:
    """Return whether a capital begins a new piece of a word."""
    for at in range(1, len(word)):
        before, sign, behind = word[at - 1], word[at], word[at + 1 : at + 2]
        if sign in CAPITALS and (before in SMALL or before in "0123456789"):
            return True
        if sign in CAPITALS and before in CAPITALS and behind and behind in SMALL:
            return True
    return False


def _is_plain(word: str) -> bool:
    """Return whether a word is one of letters, and perhaps digits, in one piece."""
    if len(word) > 64 or not word[:1].isalpha() or word[0] >= "\u0590":
        return False
    for at, sign in enumerate(word):
        behind = word[at + 1 : at + 2]
        is_within = (sign in "'’" and behind.isalnum()) or "\u0300" <= sign <= "\u036f"
        if not (sign.isalnum() or is_within):
            return False
    return not _has_a_hump(word)


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _joins(sign: str) -> bool:
    """Return whether a sign is a mark: punctuation or a symbol that is no letter in disguise, nor within words."""
    plain = unicodedata.normalize("NFKC", sign)
    is_letter = any(letter.isalnum() for letter in plain)
    return sign not in "-'’" and unicodedata.category(sign)[0] in ("P", "S") and not is_letter


def holds(text: str, phrase: str, *, mode: str = "unicode") -> bool:
    """Return whether a text has the words of a phrase one behind the other.

    >>> holds("An old, blue kettle", "Blue Kettle"), holds("A blue old kettle", "blue kettle")
    (True, False)
    >>> holds("in /share/report_2024.pdf", "report_2024.pdf"), holds("in /share/report_2024.pdf", "2024.pdf")
    (True, False)
    """
    said, sought = words(text, mode=mode), words(phrase, mode=mode)
    return any(_same(said[at : at + len(sought)], sought) for at in range(len(said) - len(sought) + 1))


def _same(said: Sequence[str], sought: Sequence[str]) -> bool:
    """Return whether words are those of a phrase; at its ends, one that is no word by itself may be joined to more."""
    inner, last = sought[1:-1], len(sought) - 1
    if last < 1:
        return list(said) == list(sought)
    begins = said[0] == sought[0] or (sought[0].endswith(PART) and said[0] == PART + sought[0])
    ends = said[last] == sought[last] or (sought[last].startswith(PART) and said[last] == sought[last] + PART)
    return begins and said[1:-1] == inner and ends


def passes(record: Mapping[str, object], asked: Read, *, mode: str = "unicode") -> bool:
    """Return whether a record may be found: each phrase that it must hold stands in one of its texts, and no other."""
    texts = _texts(record)
    return all(any(holds(text, phrase, mode=mode) for text in texts) for phrase in asked.wanted) and not any(
        holds(text, phrase, mode=mode) for text in texts for phrase in asked.unwanted
    )


def by_marks(records: Sequence[Mapping[str, object]], asked: Read, *, mode: str = "unicode") -> list[tuple[str, float]]:
    """Return id and score of what the marks of a question find where a search for the rest of it finds nothing.

    Where no word of the rest is searched for, that is what passes, in order of ids; each scores 1. Else nothing is.

    >>> band = {"id": "band", "text": "We saw The Who.", "claim": "We saw The Who."}
    >>> by_marks([band], read('"the who"')), by_marks([band], read('"the who" concert'))
    ([('band', 1.0)], [])
    """
    if not asked.wanted or terms(asked.plain, mode=mode):
        return []
    return sorted((str(record["id"]), 1.0) for record in records if passes(record, asked, mode=mode))


def _texts(record: Mapping[str, object]) -> Sequence[str]:
    """Return the texts that are searched of a record."""
    texts = {name: str(record.get(name) or "") for name in LEXICAL_WEIGHTS}
    texts["claim"] = claim_of(record)
    texts["utility_acts"] = " ".join(acts_of(record))
    return list(texts.values())
