"""Rendering for a terminal: hits, counts and explanations as text or JSON; no control character gets through."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

from ..recall.answers import Hit, Recall, snippet
from ..records import Record


def clean(text: str) -> str:
    r"""Return a text without control characters, line ends apart, so that it cannot command a terminal.

    >>> clean("red\x1b[31m\nnext")
    'red [31m\nnext'
    """
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join(clean(text).split())


class Style:
    """Colours where they are welcome: on a terminal, unless NO_COLOR is set (to anything) or the terminal is dumb."""

    def __init__(self, stream: TextIO) -> None:
        """Look at the stream once."""
        self.colours = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def bold(self, text: str) -> str:
        """Return what matters most."""
        return self._in("1", text)

    def dim(self, text: str) -> str:
        """Return what matters least."""
        return self._in("2", text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours else text


def show(text: str) -> None:
    """Print lines that are already clean."""
    sys.stdout.write(text + "\n")


def show_json(value: Any) -> None:
    """Print a value as JSON: sorted keys, two blanks deep; letters as they are where the output can hold them."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    show(json.dumps(value, sort_keys=True, ensure_ascii=not utf8, allow_nan=False, indent=2))


def recall_lines(answer: Recall) -> str:
    """Return the hits of a recall, score, id and topic on one line, the text on the next; and what was not as asked."""
    style, width = Style(sys.stdout), shutil.get_terminal_size((100, 24)).columns
    lines = [_hit_lines(rank, hit, style, width) for rank, hit in enumerate(answer.hits, 1)]
    if not lines:
        lines = [f"nothing found among {counted(answer.receipt.records, 'record')}"]
    return "\n".join([*lines, *(f"note: {one_line(reason)}" for reason in answer.degraded)])


def _hit_lines(rank: int, hit: Hit, style: Style, width: int) -> str:
    about = (hit.record.topic, hit.record.provenance.get("source_name"))
    notes = "".join(f"  {one_line(str(note))}" for note in about if note)
    text = snippet(hit.text, max(20, width - 5))
    return f"{rank:>3}. {style.bold(f'{hit.score:.4f}')}  {one_line(hit.id)}{style.dim(notes)}\n     {text}"


def records_lines(records: Sequence[Record], cursor: str | None) -> str:
    """Return records as they are kept, id, time and topic on one line, the text on the next; and where more begin."""
    style, width = Style(sys.stdout), shutil.get_terminal_size((100, 24)).columns
    lines = []
    for record in records:
        about = (written_at(record.created_at), record.topic, record.provenance.get("source_name"))
        notes = "".join(f"  {one_line(str(note))}" for note in about if note)
        lines.append(f"{style.bold(one_line(str(record.id)))}{style.dim(notes)}")
        lines.append(f"     {snippet(record.text, max(20, width - 5))}")
    return "\n".join(lines + [f"more behind --cursor {cursor}"] * (cursor is not None)) or "no records"


def written_at(seconds: float | None) -> str:
    """Return a time as ISO text in UTC; one that no calendar holds as seconds.

    >>> written_at(86400.0), written_at(-9e11), written_at(None)
    ('1970-01-02T00:00:00+00:00', '-900000000000.0', '')
    """
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return str(seconds)


def stats_lines(file: str, tenants: Mapping[str, Mapping[str, Any]]) -> str:
    """Return how many records there are, by tenant and cell, a line each."""
    number = sum(stats["records"] for stats in tenants.values())
    lines = [f"{one_line(file)}: {counted(number, 'record')} of {counted(len(tenants), 'tenant')}"]
    for tenant, stats in tenants.items():
        lines.append(f"  {one_line(tenant)}: {counted(stats['records'], 'record')}")
        lines += [f"    {one_line(cell)}: {size}" for cell, size in stats["cells"].items()]
    return "\n".join(lines)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "record"), counted(0, "record")
    ('1 record', '0 records')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
