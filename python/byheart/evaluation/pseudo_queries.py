"""Pseudo queries: a few words out of a claim, which ask for the claim that they were taken from.

They need no judge. The words stand in the claim side by side, and in no other one of its conversation, so that one
claim is the right answer. From where in the claim they are taken is drawn by a digest of its id: the same on every run.
"""
# docs/sources.md: B1.21.1, B1.21.2, B1.21.3.

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..errors import InvalidArgument
from ..knowledge import lowered
from ..ranking.activation.question_form import token_spans
from .datasets import Collection, Document, Query
from .splits import EIGHT_ONE_ONE, part_of

WORDS: Final = 5
"""Words of a pseudo query. Two characters of Chinese, Japanese or Korean count as one."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The pseudo queries of some parts of a collection's claims.

    Attributes:
        parts: by part, the collection with these queries in the place of its own. Every document can be found.
        short: claims of these parts that have too few words.
        common: claims of these parts of which all words stand side by side in other claims too.

    """

    parts: Mapping[str, Collection]
    short: int
    common: int


def draw(collection: Collection, parts: Iterable[str] = ("valid", "test"), words: int = WORDS) -> Drawn:
    """Return a pseudo query for each claim of the parts, where the claim has words of its own.

    Args:
        collection: whose documents are the claims.
        parts: of eight, one and one tenths by a digest of the claim's id: "train", "valid", "test".
        words: how many stand side by side.

    Raises:
        InvalidArgument: there is no such part, or fewer than one word is wanted.

    >>> texts = [f"The kettle number {word} is descaled in spring." for word in ("one", "two", "three", "four")]
    >>> claims = Collection("c", tuple(Document(f"d{number}", text) for number, text in enumerate(texts)), (), {})
    >>> drawn = draw(claims, ("train",))
    >>> drawn.parts["train"].queries[0].text, drawn.parts["train"].grades["d0"]
    ('one is descaled in spring', {'d0': 1})

    """
    wanted = tuple(parts)
    unknown = [part for part in wanted if part not in EIGHT_ONE_ONE]
    if unknown:
        raise InvalidArgument(f"parts: there is no part {unknown[0]!r}; there are {', '.join(EIGHT_ONE_ONE)}")
    if words < 1:
        raise InvalidArgument(f"words: is {words}; a pseudo query has one at least")
    lots = {each.id: part for each in collection.documents if (part := part_of(each.id)) in wanted}
    held = _held(collection.documents, lots, words)
    asked: dict[str, list[Query]] = {part: [] for part in wanted}
    short = common = 0
    for document in collection.documents:
        if document.id not in lots:
            continue
        grams = ngrams(document.text, words)
        text = _own(document, grams, held)
        if text is None:
            short, common = short + (not grams), common + bool(grams)
            continue
        asked[lots[document.id]].append(Query(document.id, text, document.conversation))
    made = {
        part: replace(
            collection,
            name=f"{collection.name}, claims of {part}",
            queries=tuple(queries),
            grades={query.id: {query.id: 1} for query in queries},
        )
        for part, queries in asked.items()
    }
    return Drawn(made, short, common)


def ngrams(text: str, words: int = WORDS) -> list[str]:
    """Return what stands in a text over so many words side by side, letter by letter, from each word on.

    >>> ngrams("See https://example.org, Ann!", 3), ngrams("See you", 3)
    (['See https://example', 'https://example.org', 'example.org, Ann'], [])
    """
    spans = list(token_spans(text))
    return [text[begin:end] for (begin, _), (_, end) in zip(spans, spans[words - 1 :], strict=False)]


_Named = tuple[str | None, str]  # a conversation, and words as they are compared


def _held(documents: Sequence[Document], lots: Mapping[str, str], words: int) -> Counter[_Named]:
    """Return in how many claims of its conversation each n-gram of the claims that are asked for stands."""
    sought: set[_Named] = set()
    for document in documents:
        if document.id in lots:
            sought.update((document.conversation, lowered(gram)) for gram in ngrams(document.text, words))
    held: Counter[_Named] = Counter()
    for document in documents:
        named = {(document.conversation, lowered(gram)) for gram in ngrams(document.text, words)}
        held.update(named & sought)
    return held


def _own(document: Document, grams: Sequence[str], held: Mapping[_Named, int]) -> str | None:
    """Return the first n-gram from a place that was drawn, going round, which no other claim has; None without one."""
    if not grams:
        return None
    first = int.from_bytes(hashlib.sha256(document.id.encode()).digest()[8:16]) % len(grams)
    going_round = (*grams[first:], *grams[:first])
    return next((gram for gram in going_round if held[document.conversation, lowered(gram)] == 1), None)
