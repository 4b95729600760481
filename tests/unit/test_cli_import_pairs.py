"""Which stored record a part of a file is when it is imported again: where several might be it, and with facts."""

import json
from pathlib import Path

import pytest

import byheart
from byheart.cli import main

from .conftest import Run
from .test_cli import records, write
from .test_cli_import_again import hide

FACTS = ("Rain causes floods.", "Wind causes waves.", "Ice causes falls.")


def facts(file: Path) -> dict[str, byheart.Record]:
    return {record.text: record for record in records(file) if record.ku_type == "atomic"}


def test_a_fact_that_comes_in_before_others_takes_the_number_of_none(run: Run, memory_file: Path) -> None:
    rain, wind, ice = FACTS
    write(memory_file.parent, {"a.md": f"# Weather\nIt is so. {rain} {wind}\n"})
    run("import", "--facts", "a.md")
    before = facts(memory_file)
    write(memory_file.parent, {"a.md": f"# Weather\nIt is so. {ice} {rain} {wind}\n"})
    run("import", "--facts", "a.md")
    now = facts(memory_file)
    assert set(now) == {*FACTS} and len({record.id for record in now.values()}) == 3
    assert {text: now[text].id for text in before} == {text: record.id for text, record in before.items()}


def test_facts_name_the_section_that_they_are_of_wherever_it_stands_now(run: Run, memory_file: Path) -> None:
    rain, wind, ice = FACTS
    write(memory_file.parent, {"a.md": f"# Rain\nIt is so. {rain}\n\n# Wind\nIt is so. {wind}\n"})
    run("import", "--facts", "a.md")
    write(memory_file.parent, {"a.md": f"# Wind\nIt is so. {wind}\n\n# Rain\nIt is so. {rain} {ice}\n"})
    run("import", "--facts", "a.md")
    chunks = {record.id: record for record in records(memory_file) if record.ku_type == "composite"}
    assert len(chunks) == 2 and set(facts(memory_file)) == {*FACTS}
    for fact in facts(memory_file).values():
        [chunk] = [chunks[id] for id in fact.parent_unit_ids]
        assert fact.text in chunk.text and fact.id in chunk.child_unit_ids


def test_facts_of_a_section_that_lies_in_another_cell_stay_in_it(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.md": f"# Rain\nIt is so. {FACTS[0]}\n"})
    run("import", "a.md")
    [chunk] = records(memory_file)
    hide(memory_file, chunk.id or "")
    run("import", "--facts", "a.md")
    assert [(record.id, record.boundary_class) for record in records(memory_file)] == [(chunk.id, "secret")]


@pytest.mark.parametrize("most", ["a.md", "b.md"])
def test_a_section_of_several_gone_files_is_that_of_the_file_of_which_most_is_here(
    run: Run, memory_file: Path, most: str
) -> None:
    [other] = {"a.md", "b.md"} - {most}
    tea, rice = "# Tea\nSteep it.\n", "# Rice\nRinse it.\n"
    write(memory_file.parent, {f"n/{most}": f"{tea}\n{rice}", f"n/{other}": f"{tea}\n# Beans\nSoak them.\n"})
    run("import", "n")
    [old] = [
        each
        for each in records(memory_file)
        if each.text == tea.strip() and each.provenance["source_name"] == f"n/{most}"
    ]
    for name in (most, other):
        (memory_file.parent / "n" / name).unlink()
    write(memory_file.parent, {"n/c.md": f"{tea}\n{rice}\n# Oats\nBoil them.\n"})
    run("import", "--sync", "n")
    assert [record.id for record in records(memory_file) if record.text == tea.strip()] == [old.id]


def test_of_lines_with_one_text_each_stays_with_what_else_it_says(run: Run, memory_file: Path) -> None:
    lines = [
        json.dumps({"text": "It is done in spring.", "topic": topic}) + "\n" for topic in ("kettle", "garden", "boat")
    ]
    write(memory_file.parent, {"a.jsonl": "".join(lines)})
    run("import", "a.jsonl")
    before = {record.topic: record.id for record in records(memory_file)}
    write(memory_file.parent, {"a.jsonl": "".join(reversed(lines))})
    run("import", "a.jsonl")
    assert {record.topic: record.id for record in records(memory_file)} == before and len(before) == 3


def test_a_file_that_is_left_as_it_was_counts_as_none_that_was_read(
    run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(memory_file.parent, {"n/a.txt": "The code is 4711.\n", "n/b.txt": "Tea.\n"})
    run("import", "n")
    [code] = [record.id for record in records(memory_file) if "code" in record.text]
    hide(memory_file, code or "")
    write(memory_file.parent, {"n/a.txt": "The code is 4712 by now.\n"})
    assert main(["import", "--sync", "n", "--json", "-m", str(memory_file)]) == 1
    done = json.loads(capsys.readouterr().out)
    assert ([each["source"] for each in done["skipped"]], done["sources"]) == (["n/a.txt"], 1)


def test_what_a_file_said_that_cannot_be_read_now_is_not_said_anew_by_another(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.txt": "Tea.\n", "n/b.txt": "The code is 4711.\n"})
    run("import", "n")
    [code] = [record.id for record in records(memory_file) if "code" in record.text]
    hide(memory_file, code or "")
    write(memory_file.parent, {"n/a.txt": "The code is 4711.\n"})
    (memory_file.parent / "n" / "b.txt").write_bytes(b"\xff\xfe\xff no text")
    assert "skipped: n/b.txt" in run("import", "--sync", "n", code=1)
    found = [(record.id, record.boundary_class) for record in records(memory_file) if "code" in record.text]
    assert found == [(code, "secret")]


def test_of_a_file_that_is_left_as_it_was_nothing_goes(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "# Code\nThe code is 4711.\n\n# Tea\nSteep it.\n", "n/b.txt": "Rice.\n"})
    run("import", "n")
    [code] = [record.id for record in records(memory_file) if "code" in record.text]
    hide(memory_file, code or "")
    write(memory_file.parent, {"n/a.md": "# Gate\nIt is open.\n"})
    assert "skipped: n/a.md" in run("import", "--sync", "n", code=1)
    assert {record.text.splitlines()[-1] for record in records(memory_file)} == {
        "The code is 4711.",
        "Steep it.",
        "Rice.",
    }
