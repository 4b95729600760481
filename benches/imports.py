"""What: `import byheart` in a fresh process, less a bare interpreter; and the modules that take the longest.

Eleven processes of each kind in turns, medians of processor time: files are in the cache, so that it is all there is.
"""

from __future__ import annotations

import re
import resource
import statistics
import subprocess
import sys

from harness import emit, note, pin, row

PROCESSES = 11
LINE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")


def milliseconds(program: str) -> float:
    """Return the processor time that a fresh interpreter takes to run a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def slowest(count: int = 10) -> dict[str, float]:
    """Return the modules with the largest time of their own, in milliseconds: medians of eleven processes."""
    command = [sys.executable, "-X", "importtime", "-c", "import byheart"]
    own: dict[str, list[float]] = {}
    for _ in range(PROCESSES):
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stderr.splitlines()
        for match in filter(None, map(LINE.match, lines)):
            own.setdefault(match[2], []).append(int(match[1]) / 1000)
    medians = {name: statistics.median(times) for name, times in own.items()}
    shown = dict(sorted(medians.items(), key=lambda item: -item[1])[:count])
    return shown | {"all other modules, the interpreter's own among them": sum(medians.values()) - sum(shown.values())}


def main() -> None:
    """Measure."""
    pin()
    note("import byheart")
    milliseconds("import byheart")  # files into the cache, and to bytecode what is not
    spent = []
    for _ in range(PROCESSES):
        bare = milliseconds("pass")
        spent.append(milliseconds("import byheart") - bare)
    emit(row("import", "import byheart, less a bare interpreter", "ms", {"byheart": [statistics.median(spent)]}))
    emit({"area": "import parts", "case": "own time of the slowest modules, ms", "parts": slowest()})


if __name__ == "__main__":
    main()
