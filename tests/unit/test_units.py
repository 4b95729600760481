"""Sentences that state a fact become units below their chunk, and a closure finds its way through a document."""

from pathlib import Path

import byheart
from byheart.ingestion.sources import Source, read_source
from byheart.ingestion.units import with_fact_units

TEXT = """# Tools
AchillesIDE uses Ploinky. Nobody knows why.

# Ploinky
Ploinky provides sandboxing. Sandboxing is relevant for secure execution! It is quick.
"""


def read(folder: Path, text: str = TEXT, **options: bool) -> list[byheart.Record]:
    path = folder / "tools.md"
    path.write_text(text, encoding="utf-8")
    return read_source(Source(path, "tools.md"), "src-1", **options)


def test_chunks_become_composites_with_their_facts_below(tmp_path: Path) -> None:
    records = read(tmp_path, facts=True)
    chunks = [record for record in records if record.ku_type == "composite"]
    units = [record for record in records if record.ku_type == "atomic"]
    assert [unit.text for unit in units] == [
        "AchillesIDE uses Ploinky.",
        "Ploinky provides sandboxing.",
        "Sandboxing is relevant for secure execution!",
    ]
    assert [(unit.subject, unit.relation, unit.confidence) for unit in units][2] == ("Sandboxing", "relevant_for", 0.9)
    assert sorted(id for chunk in chunks for id in chunk.child_unit_ids) == sorted(unit.id for unit in units)
    assert all(unit.parent_unit_ids[0] in {chunk.id for chunk in chunks} for unit in units)
    for unit in units:
        assert TEXT[unit.provenance["char_start"] : unit.provenance["char_end"]] == unit.text
    assert len({record.id for record in records}) == len(records)


def test_without_the_wish_there_are_only_chunks(tmp_path: Path) -> None:
    assert all(record.ku_type is None and record.subject is None for record in read(tmp_path))


def test_a_sentence_that_two_chunks_share_is_taken_once(tmp_path: Path) -> None:
    text = " ".join(f"Part{number} depends on Part{number + 1}." for number in range(200))
    chunks = read(tmp_path, text)
    assert len(chunks) > 2
    units = [record for record in with_fact_units(chunks) if record.ku_type == "atomic"]
    assert [unit.subject for unit in units] == [f"Part{number}" for number in range(200)]


def test_underlined_headings_are_no_part_of_a_fact(tmp_path: Path) -> None:
    text = "Tools in\nuse\n===\nAchillesIDE uses Ploinky.\n\nRain causes floods\n---\nPloinky provides sandboxing.\n"
    units = [record for record in read(tmp_path, text, facts=True) if record.ku_type == "atomic"]
    assert [(unit.subject, unit.text) for unit in units] == [
        ("AchillesIDE", "AchillesIDE uses Ploinky."),
        ("Ploinky", "Ploinky provides sandboxing."),
    ]


def test_a_closure_goes_through_a_document(tmp_path: Path) -> None:
    memory = byheart.Memory()
    memory.remember_many(read(tmp_path, facts=True))
    answer = memory.recall("why is AchillesIDE relevant for secure execution?", profile="kb-thinkingdb", explain=True)
    assert answer.trace is not None
    assert any("derived: AchillesIDE relevant_for secure execution" in proof.text for proof in answer.trace.proofs)
