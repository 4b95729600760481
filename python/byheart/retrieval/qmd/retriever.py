"""The search: each line asks words, vectors or both, and the lists are fused by weighted reciprocal ranks.

A question with typed lines is QMD's. Marks of its lines are kept to by looking at the texts of what was found, best
first, until enough are left; not further than the best 1,024 of a list. Marks of a plain text are operators of the
question, as in every profile (`byheart.retrieval.operators`), unless the recall takes them as plain text.
"""
# docs/sources.md: A3.7.1, A3.7.2, A3.7.5, A3.7.9.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...ranking.explanation import Explanation, Part
from ...ranking.qmd import fusion, scores
from ...ranking.qmd.syntax import Line, Typed, parse
from ...validation import check_share
from ..columns import Columns
from ..dense import Dense
from ..protocol import Found, IndexedRetriever, LegQuery
from ..question import Question
from ..selection import Hits
from .expansion import Expander, expanded

MODES: Final = ("hybrid", "words", "vectors")
_SETTINGS: Mapping[str, Any] = {"mode": "hybrid", "min_score": 0.0}
DEEPEST: Final = 1_024

_WORDS, _VECTORS = Columns(), Dense()


@dataclass(frozen=True, slots=True)
class _List:
    """One list of the fusion: its retriever, the line of the question it is for, and its weight."""

    retriever: IndexedRetriever
    asked: LegQuery
    weight: float
    hits: Hits

    @property
    def ids(self) -> list[str]:
        """What was found, best first."""
        return [row for row, _ in self.hits]


class Qmd(IndexedRetriever):
    """Words by column and vectors by QMD's rules; a composition of these indexes, with none of its own.

    Settings of a leg: "mode" is "hybrid", "words" (plain BM25) or "vectors"; "min_score" drops what is fused below it,
    at the end.

    Args:
        name: what legs call it.
        expander: words questions anew where words alone are not sure; None: nobody does.

    """

    borrows = _WORDS.name

    def __init__(self, name: str = "qmd", expander: Expander | None = None) -> None:
        self.name, self._expander = name, expander

    takes = _SETTINGS

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse another mode than there are, and what is no share."""
        if settings["mode"] not in MODES:
            raise InvalidArgument(f"mode: is {settings['mode']!r}; use one of {', '.join(MODES)}")
        check_share("min_score", settings["min_score"])

    def reads(self, query: str) -> bool:
        """Return whether a question has typed lines."""
        read = parse(query)
        return read.typed or read.expand or read.intent is not None

    def search(self, asked: LegQuery) -> Found:
        """Return the best of the lists together."""
        mode = asked.options.get("mode", "hybrid")
        if mode not in MODES:
            raise InvalidArgument(f"mode: is {mode!r}; use one of {', '.join(MODES)}")
        degraded: list[str] = []
        lists = self._lists(asked, mode, degraded)
        fused = _fused(lists, asked)
        count = len(fused)
        said = asked.selection.said
        if asked.counted and asked.selection.filter != said:  # whether others are asked depends on no filter
            whole = replace(asked, selection=replace(asked.selection, filter=said), counted=False)
            count = len(_fused(self._lists(whole, mode, []), asked))
        top = fused[0][1] if fused else None
        answered = any(listed.hits for listed in lists) or mode != "vectors" or _embeds(asked)
        return Found(fused, top, count, evidence=lists, degraded=tuple(degraded), answered=answered)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return the ranks that a score is made of, each with the raw score of its search."""
        if score is None:
            return None
        parts, best = [], 0
        for listed in found.evidence:
            if id in listed.ids:
                rank = listed.ids.index(id) + 1
                best = rank if not best else min(best, rank)
                value = fusion.contribution(rank, listed.weight)
                detail = f"{listed.weight:g} / ({fusion.K_RRF} + rank {rank})"
                parts.append(Part(listed.retriever.name, value, detail, _inner(listed, id, rank)))
        parts.append(Part("best rank", fusion.place_bonus(best), f"rank {best} in one of the lists"))
        return Explanation(id, score, tuple(parts), sum_of(parts))

    def _lists(self, asked: LegQuery, mode: str, degraded: list[str]) -> list[_List]:
        """Return what each search of the question found."""
        question = asked.question
        read = parse(question.text) if question.is_typed else Typed((Line("plain", question.text),))
        lists: list[_List] = []
        for number, line in enumerate(read.lines):
            weight = fusion.ORIGINAL if number == 0 or line.kind == "plain" else fusion.EXPANDED
            lists += _asked(asked, line, mode, weight, degraded, as_given=read.plain)
        wants = read.expand or not read.typed
        if self._expander is not None and wants and mode == "hybrid" and not _sure(lists, read):
            further, failed = expanded(self._expander, read.text, read.intent)
            if failed is not None:
                degraded.append(f"{self.name}: {failed}")
            for line in further:
                lists += _asked(asked, line, mode, fusion.EXPANDED, degraded, as_given=False)
        return lists


def sum_of(parts: Sequence[Part]) -> float:
    """Return the values of parts added up in their order."""
    total = 0.0
    for part in parts:
        total += part.value
    return total


def _fused(lists: Sequence[_List], asked: LegQuery) -> Hits:
    """Return the lists as one: the minimum score and the pool come last."""
    least = float(asked.options.get("min_score", 0.0))
    fused = fusion.rrf([listed.ids for listed in lists], [listed.weight for listed in lists])
    return [hit for hit in fused if hit[1] >= least][: asked.pool]


def _sure(lists: Sequence[_List], read: Typed) -> bool:
    """Return whether words alone are sure of their best hit."""
    words = [scores.fts_score(raw) for listed in lists if listed.retriever is _WORDS for _, raw in listed.hits[:2]]
    return scores.strong_signal(words[:2], read.intent)


def _asked(
    asked: LegQuery, line: Line, mode: str, weight: float, degraded: list[str], *, as_given: bool
) -> list[_List]:
    """Return the lists of a line: of words, of vectors, or of both."""
    made: list[_List] = []
    if line.kind in ("plain", "lex") and mode != "vectors" and line.text:
        terms = asked.question.terms if as_given else _terms(asked, line.text)
        question = asked.question if as_given else replace(asked.question, query=line.text, terms=terms)
        made.append(_searched(_WORDS, replace(asked, question=question), line, weight, degraded))
    if line.kind != "lex" and mode != "words" and line.text:
        embed: Callable[[], Any] = asked.embed if as_given else (lambda: asked.embed_text(line.text))
        question = asked.question if as_given else _worded(asked.question, line.text)
        if asked.settings is None or asked.settings.dimensions is None or embed() is None:
            if asked.settings is None or asked.settings.dimensions is None:
                embed()  # it says why there is no vector
            return made
        made.append(_searched(_VECTORS, replace(asked, question=question, embed=embed), line, weight, degraded))
    return made


def _searched(retriever: IndexedRetriever, asked: LegQuery, line: Line, weight: float, degraded: list[str]) -> _List:
    """Return the best of one search that a line admits."""
    pool = asked.pool
    admitted: dict[str, bool] = {}
    while True:
        of_own = replace(asked, pool=pool, counted=False, within=None, blank=False)
        hits = list(retriever.search(of_own).hits)
        if not line.constrained:
            return _List(retriever, of_own, weight, hits[: asked.pool])
        new = [row for row, _ in hits if row not in admitted]
        for row, record in zip(new, asked.records(new), strict=True):
            admitted[row] = record is not None and line.admits("\n".join(record.indexed().values()))
        kept = [hit for hit in hits if admitted[hit[0]]]
        if len(kept) >= asked.pool or len(hits) < pool:
            return _List(retriever, of_own, weight, kept[: asked.pool])
        if pool >= DEEPEST:
            degraded.append(f"{retriever.name}: only the best {pool} were looked at for what the question wants")
            return _List(retriever, of_own, weight, kept[: asked.pool])
        pool = min(pool * 4, DEEPEST)


def _terms(asked: LegQuery, text: str) -> Sequence[str]:
    if asked.settings is None:
        return text.split()
    return asked.settings.analyzer.terms(text)


def _worded(question: Question, text: str) -> Question:
    """Return a question with another text, of which no vector was given."""
    return replace(question, query=text, vector=None)


def _embeds(asked: LegQuery) -> bool:
    return asked.settings is not None and asked.settings.dimensions is not None and asked.embed() is not None


def _inner(listed: _List, id: str, rank: int) -> Explanation | None:
    found = Found(listed.hits)
    return listed.retriever.explain(listed.asked, found, id, listed.hits[rank - 1][1])
