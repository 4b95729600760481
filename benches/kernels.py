"""Runs the Rust benchmarks (divan) and hands over their medians as rows. Needs cargo; compiles them first.

python benches/kernels.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from harness import emit, note

ROOT = Path(__file__).resolve().parent.parent
NAME = re.compile(r"^([│├╰─ ]*)([^\s│├╰─]\S*)")


def medians(text: str) -> Iterator[tuple[str, str, str]]:
    """Give (name, median time, median throughput or "") of every leaf of divan's tree, by the columns of its head."""
    path: list[str] = []
    values: list[str] = []
    first, median, mean = 0, 0, 0
    for line in [*text.splitlines(), "end"]:
        named = NAME.match(line[:first] if first else line)
        if named is not None and values:
            yield " ".join(path[1:]), *(*values, "")[:2]
            values = []
        if "fastest" in line:
            first, median, mean = (line.index(word) for word in ("fastest", "median", "mean"))
        if named is not None:
            path[len(named[1]) // 3 :] = [named[2]]
        value = line[median:mean].strip(" │")
        if value and "fastest" not in line:
            values.append(value)


def main() -> None:
    """Run both."""
    for bench in ("kernels", "text"):
        note(f"divan: {bench}")
        command = ["cargo", "bench", "--locked", "--quiet", "--bench", bench, "--", "--max-time", "2"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.stderr.write(done.stderr)
            raise SystemExit(f"the Rust benchmark {bench!r} failed")
        found = list(medians(done.stdout))
        assert len(found) >= 5, "divan prints another tree than this program reads"
        for name, time, throughput in found:
            emit({"area": "kernels", "bench": bench, "case": name, "time": time, "throughput": throughput})


if __name__ == "__main__":
    main()
