"""The tables of README.md, from the numbers that `run.py` has kept.

python benches/stores/page.py            # to standard output
python benches/stores/page.py --write    # between the markers of README.md
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import above  # noqa: F401
import report

HERE = Path(__file__).resolve().parent
BEGIN = "<!-- tables: begin; written by page.py -->"


def tables(kept: Mapping[str, Any]) -> str:
    """Return the tables of one run."""
    about = dict(kept["about"])
    failed = about.pop("failed")
    text = f"### {about.pop('records'):,} records\n\n"
    text += "".join(f"- {name}: {value}\n" for name, value in about.items()) + "\n"
    text += report.area(kept["rows"], missing="-")
    lines = [
        (name, kept["versions"][name] or about["byheart"], told["promise"], told["vectors"])
        for name, told in kept["told"].items()
    ]
    text += report.table(("store", "version", "durable when a record's call returns", "vectors are found by"), lines)
    return text + "".join(f"Left out: {name}: {why}.\n\n" for name, why in failed.items())


def main() -> None:
    """Print the page's tables, or write them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="put them into README.md")
    wanted = parser.parse_args()
    files = sorted(HERE.glob("results-*.json"), key=lambda path: int(path.stem.partition("-")[2]))
    text = "".join(tables(json.loads(path.read_text(encoding="utf-8"))) for path in files)
    if wanted.write:
        report.write(HERE / "README.md", text.rstrip("\n") + "\n", BEGIN)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
