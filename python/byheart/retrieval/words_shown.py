"""Terms that `words` looks for, and what an explanation says of each: of a stem or kind, light, read for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..patterns.kinds import saying
from ..patterns.state_words import state_words
from .marked_terms import MARK

if TYPE_CHECKING:
    from .._core import Analyzer
    from ..ranking.explanation import Part
    from ..records import Record
    from .protocol import LegQuery


class Terms(NamedTuple):
    """What is looked for.

    Attributes:
        terms: in order, each of an inflected word with its stem behind the mark.
        near: those that words which no record holds are read as, misspelled ones, parts of compounds and other
            spellings, each with such a word.
        stems: of inflected words, by their terms.

    """

    terms: Sequence[str]
    near: Mapping[str, str] = {}
    stems: Mapping[str, str] = {}


def parts_shown(parts: Sequence[Part], asked: LegQuery, record: Record | None, terms: Terms) -> tuple[Part, ...]:
    """Return the parts of a sum over terms, each with how its term is meant."""
    light, same = {term for term in terms.terms if term.startswith(MARK)}, _read_as(asked)
    shown = [_same(_read(_marked(part, light), terms.near), same) for part in parts]
    if record is not None and asked.settings is not None:
        said, analyzer = "\n".join(record.indexed().values()), asked.settings.analyzer
        shown = [_said(part, said, analyzer) for part in shown]
    return tuple([_inflected(part, terms.stems) for part in shown])


def _marked(part: Part, light: set[str]) -> Part:
    """Return a part that says if its term is light: then the question's words weigh no more for it."""
    is_light = f"{MARK}{part.name.partition(':')[2]}" in light
    return replace(part, detail=f"{part.detail}, light: no part of what the words weigh") if is_light else part


def _read(part: Part, near: Mapping[str, str]) -> Part:
    """Return a part that says if its term was read for another one, which no record holds."""
    word = near.get(part.name.partition(":")[2])
    return part if word is None else replace(part, detail=f"{part.detail}, read for {word!r}, which no record holds")


def _read_as(asked: LegQuery) -> Mapping[str, str]:
    """Return the terms of other ways of writing a value of the question, each with the question's own."""
    if asked.settings is None:
        return {}
    terms, read_as = asked.settings.analyzer.terms, asked.question.read_as
    return {term: each.words for each in read_as for term in terms(each.text) if term not in terms(each.words)}


def _same(part: Part, same: Mapping[str, str]) -> Part:
    """Return a part that says if its term is of another way of writing a value."""
    words = same.get(part.name.partition(":")[2])
    return part if words is None else replace(part, detail=f"{part.detail}, read for {words!r}, which says the same")


def _said(part: Part, text: str, analyzer: Analyzer) -> Part:
    """Return a part that says by which other words the record has its term, as kinds and bases are."""
    term = part.name.partition(":")[2]
    words = saying(term, text, analyzer) or list(
        dict.fromkeys(sign for verb, sign in state_words(text).items() if term in analyzer.terms(verb))
    )
    return replace(part, detail=f"{part.detail}, said by {', '.join(map(repr, words))}") if words else part


def _inflected(part: Part, stems: Mapping[str, str]) -> Part:
    """Return a part that says if the stem of its term counts as the term."""
    stem = stems.get(part.name.partition(":")[2])
    return part if stem is None else replace(part, detail=f"{part.detail}, or its stem {stem!r}")
