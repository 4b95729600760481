"""The command line that benches of vectors share: which collections, which models, and where numbers go."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from byheart.errors import InvalidArgument
from byheart.evaluation import datasets


def options_of(program: str, description: str, names: Iterable[str]) -> argparse.Namespace:
    """Return what was typed; end with a line on standard error where no folder of collections is named."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", default=os.environ.get("BYHEART_DATA"), help="folder of collections")
    parser.add_argument("--minilm", type=Path, help="folder of MiniLM; without it only WordLlama is measured")
    parser.add_argument("--cache", type=Path, help="keep vectors here between runs")
    parser.add_argument("--out", type=Path, help="write all numbers here, as JSON")
    parser.add_argument("--only", action="append", choices=sorted(names), help="these collections only")
    options = parser.parse_args()
    if not options.data:
        sys.exit(f"{program}: no collections; give --data DIR or set BYHEART_DATA")
    return options


def collections(program: str, options: argparse.Namespace, names: Iterable[str]) -> Iterator[datasets.Collection]:
    """Give the collections that were asked for; end with a line on standard error at one that cannot be read."""
    for name in options.only or names:
        try:
            yield datasets.load(Path(options.data) / name)
        except InvalidArgument as error:
            sys.exit(f"{program}: {error}")
