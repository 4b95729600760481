"""The pieces of a document: where QMD cuts it, and which piece a reranker reads.

A cut goes where the structure is strongest near the wanted place, never inside fenced code. Lengths are code points.
"""
# docs/sources.md: A3.7.6, A3.7.8.

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ...errors import InvalidArgument
from ...light.expressions import expression

CHUNK: Final = 3600
OVERLAP: Final = 540
WINDOW: Final = 800
DECAY: Final = 0.7
SNIPPET_INTENT: Final = 0.3
CHUNK_INTENT: Final = 0.5
_FENCE: Final = 80.0
_BREAKS: Final = (
    *((expression(rf"\n#{{{level}}}(?!#)"), 110.0 - 10.0 * level) for level in range(1, 7)),
    (expression(r"\n```"), _FENCE),
    (expression(r"\n(?:---|\*\*\*|___)[ \t]*(?=\n)"), 60.0),
    (expression(r"\n\n"), 20.0),
    (expression(r"\n(?:[-*]|\d{1,9}\.)\s"), 5.0),
    (expression(r"\n"), 1.0),
)
_WORD = expression(r"[^\W_][\w'-]*")


class Break(NamedTuple):
    """A place where a document may be cut, and how good a place it is."""

    pos: int
    score: float


class Cut(NamedTuple):
    """Where a document is cut; the score is None where there was no break to choose."""

    pos: int
    score: float | None


class Piece(NamedTuple):
    """A piece of a document, and where it begins."""

    text: str
    pos: int


def cutoff(
    breaks: Iterable[Break],
    target: int,
    *,
    window: int = WINDOW,
    decay: float = DECAY,
    fences: Sequence[tuple[int, int]] = (),
) -> Cut:
    """Return the best break at most `window` before the target, or the target itself.

    A break is worth score * (1 - decay * (distance / window)^2); the first of equals is taken.

    Args:
        breaks: where a cut may go.
        target: where the piece would be full.
        window: how far back is looked.
        decay: what a break at the far end of the window has lost.
        fences: (start, end) of fenced code; strictly inside nothing is cut.

    Raises:
        InvalidArgument: the window is not above 0.

    >>> cutoff([Break(3600, 1.0), Break(3200, 100.0)], 3600)
    Cut(pos=3200, score=82.5)

    """
    if window <= 0:
        raise InvalidArgument(f"window: is {window}; it must be above 0")
    best = Cut(target, None)
    for pos, score in breaks:
        if not target - window <= pos <= target or any(start < pos < end for start, end in fences):
            continue
        share = (target - pos) / window
        worth = score * (1.0 - share * share * decay)
        if best.score is None or worth > best.score:
            best = Cut(pos, worth)
    return best


def break_points(text: str) -> list[Break]:
    r"""Return where a text may be cut, in order: headings, fences, rules, blank lines, list items, line ends.

    >>> break_points("a\n# b\nc")
    [Break(pos=1, score=100.0), Break(pos=5, score=1.0)]
    """
    found: dict[int, float] = {}
    for pattern, score in _BREAKS:
        for match in pattern.finditer(text):
            found.setdefault(match.start(), score)  # the strongest come first
    return [Break(pos, found[pos]) for pos in sorted(found)]


def code_fences(text: str) -> list[tuple[int, int]]:
    r"""Return (start, end) of fenced code; what is not closed goes on to the end.

    >>> code_fences("a\n```\nb\n```\nc"), code_fences("a\n```\nb")
    ([(1, 11)], [(1, 7)])
    """
    marks = [match.start() for match in re.finditer(r"\n```", text)]
    pairs = [(start, end + 4) for start, end in zip(marks[::2], marks[1::2], strict=False)]
    return pairs if len(marks) % 2 == 0 else [*pairs, (marks[-1], len(text))]


def pieces(text: str, *, size: int = CHUNK, overlap: int = OVERLAP, window: int = WINDOW) -> list[Piece]:
    """Return a text in pieces of at most `size`, each of which repeats the end of the one before.

    Raises:
        InvalidArgument: the overlap, or the window, leaves nothing to go on by.

    >>> [piece.pos for piece in pieces("x" * 7000)]
    [0, 3060, 6120]

    """
    if not 0 <= overlap < size or window <= 0 or window + overlap >= size:
        raise InvalidArgument("size: must be greater than overlap and window together")
    if len(text) <= size:
        return [Piece(text, 0)]
    breaks, fences = break_points(text), code_fences(text)
    made: list[Piece] = []
    start = 0
    while True:
        if start + size >= len(text):
            return [*made, Piece(text[start:], start)]
        end = cutoff(breaks, start + size, window=window, fences=fences).pos
        made.append(Piece(text[start:end], start))
        start = end - overlap


def terms(text: str) -> list[str]:
    """Return the words of a text that are longer than two characters, in lower case, each once.

    >>> terms("Is the Kettle descaled?")
    ['the', 'kettle', 'descaled']
    """
    return list(dict.fromkeys(word for word in _WORD.findall(text.lower()) if len(word) > 2))


def overlap_score(text: str, query: Sequence[str], intent: Sequence[str] = (), *, share: float = CHUNK_INTENT) -> float:
    """Return how many query terms stand in a text, and a share of how many terms of the intent do.

    >>> overlap_score("descale the kettle", ["kettle", "tea"], ["descale"])
    1.5
    """
    low = text.lower()
    own, meant = sum(term in low for term in query), sum(term in low for term in intent)
    return own + share * meant


def best_piece(parts: Sequence[Piece], query: str, intent: str | None = None, *, share: float = CHUNK_INTENT) -> Piece:
    """Return the piece with most of the query's words, the first of equals; a reranker reads it for the whole.

    >>> best_piece([Piece("hot tea", 0), Piece("the kettle", 8)], "where is the kettle?").pos
    8
    """
    asked, meant = terms(query), terms(intent or "")
    return max(parts, key=lambda part: overlap_score(part.text, asked, meant, share=share))
