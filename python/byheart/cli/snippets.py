"""Snippets: the part of a text around the words of the question, as wide as the terminal, with these marked.

What a word of the question is, the analyzer says: "kettles" is marked where "kettle" was asked for, and "tea" is not
inside "steal". Wide letters, such as Japanese ones, take two columns, and marks above a letter none.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Final

from .._core import Analyzer
from .render import one_line

Span = tuple[int, int, str]
"""Begin and end of a word, and the term that it is."""

NARROWEST: Final = 20
_LOOKED_AT: Final = 40_000  # characters of a text


def columns() -> int:
    """Return how wide the terminal is; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def width_of(text: str) -> int:
    r"""Return how many columns a text takes.

    >>> width_of("tea"), width_of("お茶"), width_of("e\u0301")
    (3, 4, 1)
    """
    return sum(map(_width, text))


def _width(letter: str) -> int:
    if letter.isascii():
        return 1
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def beginning(text: str, width: int) -> str:
    r"""Return the beginning of a text on one line, in so many columns at most.

    >>> beginning("two\nlines", 20), beginning("a long text that does not fit", 20)
    ('two lines', 'a long text that do…')
    """
    width = max(NARROWEST, width)
    flat = one_line(text[: width * 4])
    return flat if width_of(flat) <= width and len(text) <= width * 4 else _cut(flat, width - 1).rstrip() + "…"


def _cut(text: str, width: int) -> str:
    """Return as much of a text as fits into so many columns; marks above its last letter stay with that."""
    taken = 0
    for at, letter in enumerate(text):
        taken += _width(letter)
        if taken > width:
            return text[:at]
    return text


def excerpt(text: str, query: str, width: int, mark: Callable[[str], str], analyzer: Analyzer | None = None) -> str:
    """Return the part of a text that says most of what was asked for, on one line, with its words marked.

    >>> long = "Rinse the rice. " * 9 + "Descale the kettles. " + "Rinse the rice. " * 9
    >>> excerpt(long, "kettle?", 40, lambda word: f"[{word}]")
    '…the [kettles]. Rinse the rice. Rinse the…'
    """
    width = max(NARROWEST, width)
    flat = one_line(text[:_LOOKED_AT])
    words = list(_words(flat, analyzer or Analyzer(), query))
    start = 0 if width_of(flat) <= width else _best(words, width)
    if start:
        start = _word_before(flat, start, width // 4)
    ahead = "…" if start else ""
    shown = flat[start:]
    if width_of(ahead + shown) > width:
        shown = _cut(shown, width - len(ahead) - 1).rstrip() + "…"
    return ahead + _marked(shown, [(begin - start, end - start) for begin, end, _ in words], mark)


def _best(words: list[Span], width: int) -> int:
    """Return where the part begins that has most different terms; the first such one."""
    best, most, last = 0, 0, 0
    for first, (begin, _, _) in enumerate(words):
        while last < len(words) and words[last][1] - begin <= width * 3 // 4:
            last += 1
        number = len({term for _, _, term in words[first : max(last, first + 1)]})
        if number > most:
            best, most = begin, number
    return best


def _word_before(text: str, at: int, most: int) -> int:
    """Return the beginning of a word before a place, so many columns before it at most."""
    begin = at
    while begin > 0 and width_of(text[begin - 1 : at]) <= most:
        begin -= 1
    if begin == 0:
        return 0
    gap = text.find(" ", begin, at)
    return begin if gap < 0 else gap + 1


def _marked(text: str, spans: Collection[tuple[int, int]], mark: Callable[[str], str]) -> str:
    parts, at = [], 0
    for begin, end in spans:
        if begin >= at and end <= len(text):
            parts += [text[at:begin], mark(text[begin:end])]
            at = end
    return "".join([*parts, text[at:]])


@cache
def _letters_and_runs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches letters that stand without blanks, and what matches these or a word; made on use."""
    from ..ingestion.chunking import CJK

    return re.compile(f"[{CJK}]+"), re.compile(rf"[{CJK}]+|(?:(?![{CJK}])\w)+(?:['’.](?:(?![{CJK}])\w)+)*")


def _words(text: str, analyzer: Analyzer, query: str) -> Iterator[Span]:
    """Yield the words of a text that were asked for.

    Text without blanks between its words is known by its pairs of letters; by single ones where no pair was asked for.
    """
    wanted = set(analyzer.terms(query))
    letters, runs = _letters_and_runs()
    alone = {term for term in wanted if letters.fullmatch(term)}
    pairs = {term for term in alone if len(term) == 2}
    singles = {term for term in alone if len(term) == 1 and not any(term in pair for pair in pairs)}
    known: dict[str, str | None] = {}
    for found in runs.finditer(text) if wanted else ():
        run = found[0]
        if letters.match(run):
            yield from _letters(run, found.start(), pairs, singles, analyzer)
            continue
        if run not in known:
            known[run] = next((term for term in analyzer.terms(run) if term in wanted), None)
        if (term := known[run]) is not None:
            yield (*found.span(), term)


def _letters(run: str, start: int, pairs: set[str], singles: set[str], analyzer: Analyzer) -> Iterator[Span]:
    """Yield the stretches of a run of letters that were asked for."""
    begin = end = -1
    for at in range(len(run)):
        pair = bool(pairs) and not pairs.isdisjoint(analyzer.terms(run[at : at + 2]))
        single = bool(singles) and not singles.isdisjoint(analyzer.terms(run[at]))
        if not pair and not single:
            continue
        if at > end:
            if end > begin:
                yield start + begin, start + end, run[begin:end]
            begin = at
        end = max(end, at + (2 if pair else 1))
    if end > begin:
        yield start + begin, start + end, run[begin:end]
