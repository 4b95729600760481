"""Two processes on one file: both write at the same time, each sees what the other wrote, nothing is lost."""

import subprocess
import sys

import byheart

NOTES = 20


def write(name: str) -> None:
    """Remember some notes, one write each, as a process of its own."""
    with byheart.Memory("shared.db") as memory:
        for number in range(NOTES):
            memory.remember(f"Worker {name} saw comet {number}.", id=f"{name}-{number}", user_id=name)


def main() -> None:
    """Start two writers, read while they write, and count what is there."""
    with byheart.Memory("shared.db") as memory:
        writers = [subprocess.Popen([sys.executable, __file__, name]) for name in ("ann", "bob")]
        seen = len(memory.records())  # whatever has been written by now, each record whole
        assert [writer.wait() for writer in writers] == [0, 0]
        print(f"seen while they wrote: {seen}; in the end: {len(memory.records())}")
        assert len(memory.records()) == 2 * NOTES
        assert {hit.id for hit in memory.recall("who saw comet 7?", k=2)} == {"ann-7", "bob-7"}


if __name__ == "__main__":
    main() if len(sys.argv) == 1 else write(sys.argv[1])
