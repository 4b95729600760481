"""What: `import byheart` in a fresh process, less a bare interpreter; and the modules that take the longest.

Eleven processes of each kind in turns, medians.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time

from harness import emit, note, pin, row

PROCESSES = 11
LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")


def milliseconds(program: str) -> float:
    """Return how long a fresh interpreter takes to run a program."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return (time.perf_counter() - start) * 1000


def slowest(count: int = 8) -> dict[str, float]:
    """Return the modules with the largest time of their own, in milliseconds."""
    command = [sys.executable, "-X", "importtime", "-c", "import byheart"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stderr.splitlines()
    own = {match[4]: int(match[1]) / 1000 for line in lines if (match := LINE.match(line))}
    return dict(sorted(own.items(), key=lambda item: -item[1])[:count])


def main() -> None:
    """Measure."""
    pin()
    note("import byheart")
    milliseconds("import byheart")  # compiles to bytecode what is not compiled yet
    spent = []
    for _ in range(PROCESSES):
        bare = milliseconds("pass")
        spent.append(milliseconds("import byheart") - bare)
    emit(row("import", "import byheart, less a bare interpreter", "ms", {"byheart": [statistics.median(spent)]}))
    emit({"area": "import parts", "case": "own time of the slowest modules, ms", "parts": slowest()})


if __name__ == "__main__":
    main()
