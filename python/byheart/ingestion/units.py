"""Knowledge units: the sentences of a chunk that state a fact become records of their own.

A closure over facts needs short claims, one fact each; a chunk is too long to be one. So a chunk becomes a composite,
which states no fact itself, and each of its sentences from which a fact can be read becomes an atomic unit
below it. Sentences without a fact stay where they are: in the chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .._core import check_symbol, extract_fact
from ..errors import ByheartError
from ..knowledge import unit_id
from ..records import Record
from .chunking import sentences
from .headings import headings

CONFIDENCE = 0.9
"""How sure a fact is that was read from a sentence."""


def with_fact_units(chunks: Iterable[Record]) -> Iterator[Record]:
    """Yield each chunk of a source, as a composite if it has fact-bearing sentences, and those as units behind it.

    Chunks are records as `read_source` makes them, in the order of the text; a sentence that two of them share is taken
    once, with the first.

    >>> place = {"source_id": "src-1", "chunk_index": 0, "char_start": 0}
    >>> chunk = Record(text="It rained. Rain causes floods.", id=unit_id("src-1", 0, 0), provenance=place)
    >>> [(record.id, record.ku_type, record.text) for record in with_fact_units([chunk])][1]
    ('src-1::chunk-000::unit-001', 'atomic', 'Rain causes floods.')
    """
    taken: set[tuple[int, int]] = set()
    for chunk in chunks:
        units = list(_units(chunk, taken))
        if units:
            chunk = replace(chunk, ku_type="composite", child_unit_ids=tuple(unit.id or "" for unit in units))
        yield chunk
        yield from units


def _units(chunk: Record, taken: set[tuple[int, int]]) -> Iterator[Record]:
    number = 0
    for start, end in sentences(chunk.text):
        start = _behind_headings(chunk.text, start, end)
        place = (chunk.provenance["char_start"] + start, chunk.provenance["char_start"] + end)
        fact = extract_fact(chunk.text[start:end])
        if fact is None or place in taken or not (_is_symbol(fact[0]) and _is_symbol(fact[2])):
            continue
        taken.add(place)
        number += 1
        yield replace(
            chunk,
            text=chunk.text[start:end],
            id=unit_id(chunk.provenance["source_id"], chunk.provenance["chunk_index"], number),
            ku_type="atomic",
            parent_unit_ids=(chunk.id or "",),
            subject=fact[0],
            relation=fact[1],
            object=fact[2],
            confidence=CONFIDENCE,
            provenance={**chunk.provenance, "unit_index": number, "char_start": place[0], "char_end": place[1]},
        )


def _behind_headings(text: str, start: int, end: int) -> int:
    """Return where a sentence begins once the Markdown headings in front of it are left out."""
    while start < end:
        if text.startswith("#", start, end):
            line = text.find("\n", start, end)
            start = end if line < 0 else line + 1
        elif (first := next(headings(text[start:end]), None)) is not None and first.start == 0:
            start = min(start + first.end, end)
        else:
            break
    return start


def _is_symbol(text: str) -> bool:
    try:
        check_symbol("symbol", text)
    except ByheartError:
        return False
    return True
