"""A folder of notes as a memory: read it, ask it, and read it again after a note has changed.

The command `byheart import notes --memory notes.db` does the same and skips what has not changed.
"""

from pathlib import Path

import byheart
from byheart.ingestion.sources import find_sources, read_source
from byheart.knowledge import source_id

NOTES = {
    "kettle.md": "# Kettle\n\nThe kettle is descaled every spring, with vinegar.\n",
    "garden/beans.md": "# Beans\n\nBeans are sown in May, after the last frost.\n",
}


def read(memory: byheart.Memory, folder: Path) -> int:
    """Take every note in, in place of what it said before; return how many records there are."""
    sources = find_sources(folder, base=folder)
    memory.replace_sources({source.name: read_source(source, source_id(source.name)) for source in sources})
    return int(memory.stats()["records"])


def main() -> None:
    """Write two notes, ask, change one, ask again."""
    folder = Path("notes")
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    with byheart.Memory("notes.db") as memory:
        print(f"records: {read(memory, folder)}")
        hit = memory.recall("when are beans sown?").hits[0]
        print(f"{hit.record.provenance['source_name']}: {hit.text}")
        assert "May" in hit.text

        (folder / "garden/beans.md").write_text("# Beans\n\nBeans are sown in June here.\n", encoding="utf-8")
        read(memory, folder)
        assert "June" in memory.recall("when are beans sown?").hits[0].text
        assert not [record for record in memory.records() if "frost" in record.text]


if __name__ == "__main__":
    main()
