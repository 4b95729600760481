"""The operators of a question: phrases and words that a record must hold, or must not.

    "the annual report"          these words, one behind the other
    +kettle                      this word
    -draft, -"first draft"       not this word, not this phrase

An operator begins the text, or stands after white space; what it asks for begins right behind the mark. A word goes
on to the next white space, a phrase to the next quotation mark, straight or typographic. All else is
plain text: hyphens and quotation marks inside words, a quotation mark without a partner, the dashes of lists,
apostrophes, signs before digits, such as -5 (write -"5"), options of commands that are one letter, such as -n (write
-"n"), and all marks of a text of several lines: that was pasted,
as a traceback or a list is, and not typed as a question.

They are exact. A record holds a phrase if one of the texts that are searched of it (`Record.indexed`) has the words of
the phrase in their order, with no other word between them. Words are those of the memory's analyser before stop words
go and before stems are made: upper and lower case and compatibility forms (NFKC) are the same, marks around words do
not count, and a hyphen parts words. So `+cat` finds "the Cat's bowl" and not "cats". In writing without spaces, such
as Japanese, a phrase is any part of the text. Where a phrase has no word ("--"), it is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache, reduce
from itertools import islice
from operator import or_
from typing import Any
from unicodedata import normalize

from .._core import Analyzer
from .._core import opened as _opened
from ..errors import LimitExceeded
from ..light.classes import dataclass
from ..light.expressions import expression
from ..patterns.listed_numbers import all_listed
from ..records import Record
from .identifiers import ADDRESS, JOINED, begins_with_a_letter, has_humps, is_measured, is_number, is_part, parted
from .marked_terms import MARK
from .plain_forms import OTHERS, is_article, without_elisions, without_unseen

MAX_OPERATORS = 64
"""Different ones in a question."""

_QUOTES = '"\uff02\u201c\u201d\u201e\u201f\u00ab\u00bb'
_MARK = expression(f"[+{_QUOTES}-]")
_OPERATOR = expression(
    rf"(?<!\S)(?:(?P<before>[+-]?)[{_QUOTES}](?=[^\s{_QUOTES}])(?P<phrase>[^{_QUOTES}]*)[{_QUOTES}]"
    rf"|(?P<sign>[+-])(?!(?<=-)[A-Za-z][.,;:!?)\]}}]*(?:[\s{_QUOTES}]|\Z))(?P<word>[^\W\d_][^\s{_QUOTES}]*))"
)
_ENDS = ".,;:!?)]}"  # of a sentence: a word before them ends there
_BLANKS = expression(r"[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class Clause:
    """One operator.

    Attributes:
        text: the phrase or word, as it was written.
        words: of it, each as records are compared with it.
        terms: what the index of words knows of it, each as a word and as a part of one; a record that holds the
            phrase has one of each group.
        kind: "phrase", "must" or "must_not".
        quoted: whether it was written in quotation marks.

    """

    text: str
    words: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...] = field(compare=False)
    kind: str = "phrase"
    quoted: bool = field(default=True, compare=False)

    def __str__(self) -> str:
        """Return the operator as it may be written."""
        said = f'"{self.text}"' if self.quoted else self.text
        return {"phrase": "", "must": "+", "must_not": "-"}[self.kind] + said


@dataclass(frozen=True, slots=True)
class Operators:
    """The operators of one question.

    Attributes:
        written: the question as it was asked.
        plain: what is searched for: without marks, and without what must not be found.
        wanted: what each record must hold.
        unwanted: what none may hold.
        analyzer: of the memory.
        names: what each must hold as it is written here, capital letters and all.

    """

    written: str
    plain: str
    wanted: tuple[Clause, ...]
    unwanted: tuple[Clause, ...]
    analyzer: Analyzer = field(compare=False)
    names: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All of them, those that are wanted first."""
        return (*self.wanted, *self.unwanted)

    def lacking(self, record: Record) -> list[str]:
        """Return what a record says wrongly, in words; nothing if it may be found.

        >>> asked = parse('"blue kettle" -old', Analyzer())
        >>> asked.lacking(Record(text="An old kettle, blue")), asked.lacking(Record(text="A blue kettle"))
        (['does not hold "blue kettle"', 'holds what -old excludes'], [])
        """
        [held] = holding([record], self.clauses, self.analyzer)
        lacking = [f"does not hold {clause}" for n, clause in enumerate(self.wanted) if not held >> n & 1]
        lacking += [f"does not hold {name!r} as a name" for name in self._unnamed(record)] if not lacking else []
        others = enumerate(self.unwanted, len(self.wanted))
        return lacking + [f"holds what {clause} excludes" for n, clause in others if held >> n & 1]

    def admit(self, records: Sequence[Record]) -> list[bool]:
        """Return for each record whether it may be found: it holds all that is wanted, and nothing else."""
        right = (1 << len(self.wanted)) - 1
        held = holding(records, self.clauses, self.analyzer)
        if not self.names:
            return [each == right for each in held]
        return [each == right and not self._unnamed(record) for each, record in zip(held, records, strict=True)]

    def _unnamed(self, record: Record) -> list[str]:
        """Return the names that a record does not hold as they are written."""
        texts = record.indexed().values() if self.names else ()
        return [name for name in self.names if not any(re.search(rf"\b{name}\b", text) for text in texts)]

    def admits(self, record: Record) -> bool:
        """Return whether a record may be found."""
        return self.admit([record])[0]

    def __str__(self) -> str:
        """Return the operators as they may be written."""
        return " ".join(map(str, self.clauses))

    def to_dict(self) -> dict[str, Any]:
        """Return the operators as a JSON-able mapping: the texts of each kind.

        >>> parse('tea "blue kettle" +spring -old', Analyzer()).to_dict()
        {'phrase': ['blue kettle'], 'must': ['spring'], 'must_not': ['old']}
        """
        kinds = ("phrase", "must", "must_not")
        return {kind: [clause.text for clause in self.clauses if clause.kind == kind] for kind in kinds}


def parse(query: str, analyzer: Analyzer) -> Operators | None:
    """Return the operators of a question; None of one without any.

    Raises:
        LimitExceeded: there are more than 64 different ones.

    >>> parse('the "blue kettle" -"first draft"', Analyzer()).plain
    'the blue kettle'
    >>> parse('well-known, -5 degrees, 5" wide - and "no end', Analyzer()) is None
    True

    """
    if _MARK.search(query) is None or _is_pasted(query):  # as in most questions
        return None
    clauses: dict[Clause, None] = {}
    known: dict[str, Clause | None] = {}

    def read(found: re.Match[str]) -> str:
        written = found[0]
        if written not in known:
            known[written] = _clause(found, analyzer)
        clause = known[written]
        if clause is None:
            return found[0]
        clauses.setdefault(clause)
        if len(clauses) > MAX_OPERATORS:
            raise LimitExceeded(
                f"query: more than {MAX_OPERATORS} phrases and words with + or -; ask with operators=False to have "
                "such marks taken as plain text"
            )
        return "" if clause.kind == "must_not" else clause.text

    plain = _OPERATOR.sub(read, query)
    if not clauses:
        return None
    wanted = tuple(clause for clause in clauses if clause.kind != "must_not")
    unwanted = tuple(clause for clause in clauses if clause.kind == "must_not")
    return Operators(query, _BLANKS.sub(" ", plain).strip(), wanted, unwanted, analyzer)


def _is_pasted(query: str) -> bool:
    """Return whether a text has several lines."""
    lines = query.strip()
    return "\n" in lines or "\r" in lines


def _clause(found: re.Match[str], analyzer: Analyzer) -> Clause | None:
    """Return the operator that was found; None if it asks for no word."""
    quoted = found["phrase"] is not None
    text, sign = (found["phrase"], found["before"]) if quoted else (found["word"].rstrip(_ENDS), found["sign"])
    words = tuple(words_of(text, analyzer))
    if not words:
        return None
    kind = "must_not" if sign == "-" else "phrase" if quoted else "must"
    return Clause(text, words, tuple(dict.fromkeys(_groups(text, words, analyzer))), kind, quoted)


def _groups(text: str, words: Sequence[str], analyzer: Analyzer) -> Iterator[tuple[str, ...]]:
    """Give groups of terms; a record that holds the phrase has one of each: the word alone, or as part of a run."""
    whole = analyzer.terms(opened(text))
    joined = {term: word for word in words if "_" in word and MARK not in word for term in analyzer.terms(word)}
    # Of a number behind a hyphen the index may have more: "1.4" of "setup-1.4.exe".
    numbers = {part for term in whole if "-" in term for part in term.split("-") if _is_digits(part)}
    for term in _parted(whole, analyzer):
        if term in numbers:
            continue
        if term in joined:  # the index has its parts, but not the whole of one that stands in a run
            parts = analyzer.terms(joined[term].replace("_", " "))
            yield from ((term, MARK + part, MARK + term) for part in parts)  # whole if it has humps
        elif MARK not in term and not is_article(term):
            yield term, MARK + term


def words_of(text: str, analyzer: Analyzer) -> list[str]:
    """Return the words of a text in order, as phrases are compared: neither stemmed nor without stop words.

    Runs of writing without spaces are cut into characters, each followed by the pair that it begins: so a part of such
    a run is a part of this list, too.

    >>> words_of("The well-known Cat's bowl", Analyzer()), words_of("東京都", Analyzer())
    (['the', 'well', 'known', 'cat', 'bowl'], ['東', '東京', '京', '京都', '都'])
    """
    return _parted(_whole(analyzer.name).terms(opened(text)), analyzer)


def opened(text: str) -> str:
    """Return a text with blanks in the place of marks that join words of which the index knows the parts.

    Short numbers among numbers, or those beside a point or a comma that belongs to none, are no parts that the index
    knows, nor is a word in parts by two underscores: each stays one with a sign that no text has, so that it is found
    together with a neighbour alone.

    >>> opened("kettle/bath—now, http.server 3.14 well-known don't")
    "kettle bath now, http server 3.14 well-known don't"
    >>> opened("error_code=E42;rate=3.5 x.org/kettle-manual.html setup-1.4.exe")
    'error_code E42 rate 3.5 x org kettle-manual html setup-1.4 exe'
    >>> opened("L'école d'Élodie")
    'L école d Élodie'
    >>> opened("kettle/5 or get__name/kettle at 12:30, 10.0.4.17:6379").replace(MARK, "*")
    'kettle 5 or get__name* kettle at 12:30, 10.0.4.17 6379'
    >>> opened("GitLab/GitHub, self.getName() and 5v/12v")
    'GitLab GitHub, self getName() and 5v 12v'
    """
    first, *rest = _opened(text, MARK)
    return first + "".join(opened_plainly(piece) if place % 2 == 0 else piece for place, piece in enumerate(rest))


def opened_plainly(text: str) -> str:
    """Return what `opened` does, which has the core look at what is of ASCII.

    >>> opened_plainly("l'été/kettle")
    'l été kettle'
    """
    if not text.isascii():
        text = normalize("NFC", text)  # an accent of its own would part the words
    return JOINED.sub(_parted_by_marks, all_listed(without_elisions(text)))


def _parted_by_marks(found: re.Match[str]) -> str:
    """Return a run of words and marks without white space, with blanks where it is parted."""
    words, marks = _with_decimals(*parted(found[0]))
    has_letters = any(map(begins_with_a_letter, words))
    parts = [
        (_is_known(word) and not _is_within_number(place, words, marks))
        or is_number(place, words, marks, has_letters=has_letters)
        for place, word in enumerate(words)
    ]
    said = words[0]
    for place, (mark, word) in enumerate(zip(marks, words[1:], strict=True)):
        before, part = parts[place], parts[place + 1]
        if (before or part) and said[-1:] < OTHERS and word[:1] < OTHERS:
            said += " " if before or ADDRESS.fullmatch(said.rpartition(" ")[2]) else MARK + " "
            said += word if part else MARK + word
        else:
            said += mark + word
    return said


def _with_decimals(words: list[str], marks: list[str]) -> tuple[list[str], list[str]]:
    """Return the words of a run that has one of letters with numbers such as 3.5 in one piece, and the other marks."""
    if not any(map(begins_with_a_letter, words)):
        return words, marks
    whole, left = words[:1], list[str]()
    for mark, word in zip(marks, words[1:], strict=True):
        if mark in (".", ",") and _is_digits(word.partition("-")[0]) and _is_decimal(whole[-1].rpartition("-")[2]):
            whole[-1] += mark + word
        else:
            whole.append(word)
            left.append(mark)
    return whole, left


def _is_within_number(place: int, words: Sequence[str], marks: Sequence[str]) -> bool:
    """Return whether a word begins with a number that a point or comma joins to a digit: the index has it not alone."""
    before = marks[place - 1][-1] if place else ""
    return before in (".", ",") and words[place][0].isdecimal() and words[place - 1][-1].isdecimal()


def _is_digits(word: str) -> bool:
    """Return whether a word is a whole number."""
    return word.isascii() and word.isdigit()


def _is_decimal(word: str) -> bool:
    """Return whether a word is digits, but for points and commas."""
    return _is_digits(word.replace(",", "").replace(".", ""))


def _is_known(word: str) -> bool:
    """Return whether the index knows all parts of a word, in which hyphens and underscores may stand.

    >>> [_is_known(word) for word in ("tea", "error_code", "well-known", "covid-19", "getName", "2fa", "a__b", "5-6")]
    [True, True, True, True, True, True, False, False]
    """
    pieces = word.split("-")
    letters = [piece for piece in pieces if not (len(pieces) > 1 and _is_decimal(piece))]
    return letters != [] and all(map(_is_known_piece, letters))


def _is_known_piece(piece: str) -> bool:
    if has_humps(piece.removesuffix("'s").removesuffix("’s")) or is_measured(piece):
        return True
    return all(map(is_part, piece.split("_")))


@lru_cache(maxsize=16)
def _whole(name: str) -> Analyzer:
    """Return the analyser that keeps words whole: of the same mode, without stems and stop words."""
    return Analyzer(stem=False, stop_words=None, mode=name.partition("+")[0])


def _parted(terms: list[str], analyzer: Analyzer) -> list[str]:
    """Return terms without the hyphenated ones, whose parts stand behind them.

    In mode "ascii" a hyphenated term that begins with a digit has no parts.
    """
    by_letters = analyzer.name.startswith("ascii")
    return [term for term in terms if "-" not in term or (by_letters and term[0] in "0123456789")]


def holding(records: Sequence[Record], clauses: Sequence[Clause], analyzer: Analyzer) -> list[int]:
    """Return for each record which phrases and words it holds: bit n stands for clause n, of 64 at most."""
    texts = [[opened(without_unseen(text)) for text in record.indexed().values()] for record in records]
    phrases = [opened(clause.text) for clause in clauses]
    found = iter(analyzer.held([text for each in texts for text in each], phrases, MARK))
    return [reduce(or_, islice(found, len(each)), 0) for each in texts]
