"""Reports of measurements: tables on the terminal, all numbers in a file, progress meanwhile."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..errors import InvalidArgument
from .progress import Progress
from .render import clean, show, show_json

T = TypeVar("T")


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """Add the output for programs: into a file, or in place of the tables."""
    parser.add_argument("--json", metavar="FILE", help="write all numbers; - prints them in place of the tables")


def report(args: argparse.Namespace, numbers: Callable[[], Mapping[str, Any]], tables: Callable[[], str]) -> None:
    """Print the tables, and write the numbers where `--json` says; `-` prints the numbers in place of the tables."""
    if args.json == "-":
        show_json(numbers())
        return
    if args.json:
        write_json(args.json, numbers())
    show(clean(tables()))


def shown(label: str, steps: Iterable[T], total: int) -> Iterator[T]:
    """Loop with a progress bar on a terminal."""
    with Progress(label, max(1, total)) as bar:
        for step in steps:
            yield step
            bar.step()


def write_json(file: str, value: Any) -> None:
    """Write numbers into a file, the same bytes for the same numbers."""
    write_text(file, json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def write_text(file: str, text: str) -> None:
    """Write a text into a file."""
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InvalidArgument(f"{file}: cannot be written ({error.strerror})") from None
