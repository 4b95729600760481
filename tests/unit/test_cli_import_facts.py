"""Records of their own for the facts of a section: `byheart import --facts` of files that were imported before."""

from pathlib import Path

from .conftest import Run
from .test_cli import records, write
from .test_cli_import_again import SYNC, hide, lying, named


@SYNC
def test_the_facts_of_a_chunk_that_was_moved_are_not_published(
    run: Run, memory_file: Path, sync: tuple[str, ...]
) -> None:
    write(memory_file.parent, {"n/a.md": "Rain causes floods."})
    run("import", "n")
    hide(memory_file, named(memory_file, "Rain causes floods."))
    run("import", *sync, "--facts", "n")
    assert lying(memory_file) == [("Rain causes floods.", "secret")]


def test_a_section_that_stays_says_whether_facts_of_it_stand_beside_it(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.md": "# Weather\nIt rained. Rain causes floods.\n"})
    for facts, kind in (((), None), (("--facts",), "composite"), ((), None)):
        run("import", "--sync", *facts, "a.md")
        found = {record.ku_type: record for record in records(memory_file)}
        assert set(found) == {kind, "atomic"} if facts else {kind}
        chunk = found[kind]
        assert chunk.child_unit_ids == ((found["atomic"].id,) if facts else ())
