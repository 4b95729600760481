"""Rendering for a terminal: texts, times and counts, as text or JSON; no control character gets through."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

_COMMANDING = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")  # what JSON leaves as it is, and terminals obey

_TYPED = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": r"\\", "'": r"\'"}


def clean(text: str, kept: str = "\n") -> str:
    r"""Return a text without control characters, line ends apart, so that it cannot command a terminal.

    >>> clean("red\x1b[31m\nnext")
    'red [31m\nnext'
    """
    return "".join(c if c.isprintable() or c in kept else " " for c in text)


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join(clean(text).split())


def shown_id(id: str) -> str:
    r"""Return an id as it is; one that a line cannot show as it is, as a shell takes it again.

    >>> print(shown_id("src-1::chunk-000"), shown_id("a\nb"))
    src-1::chunk-000 $'a\nb'
    """
    if id == one_line(id) and not id.startswith("$'"):
        return id
    return "$'" + "".join(map(_typed, id)) + "'"


def _typed(letter: str) -> str:
    """Return a letter as it is typed between $' and '."""
    if letter in _TYPED:
        return _TYPED[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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

    def marked(self, text: str) -> str:
        """Return what was asked for."""
        return self._in("1;33", text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours else text


def show(text: str) -> None:
    """Print lines that are already clean."""
    sys.stdout.write(text + "\n")


def show_json(value: Any) -> None:
    """Print a value as JSON: sorted keys, two blanks deep; letters as they are where the output can hold them."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    told = json.dumps(value, sort_keys=True, ensure_ascii=not utf8, allow_nan=False, indent=2)
    show(_COMMANDING.sub(lambda found: f"\\u{ord(found[0]):04x}", told))


def of_text(text: str) -> str:
    r"""Return a text with its lines and tabs, and the joiners of some scripts, and no other control character.

    >>> of_text("one\ttwo\x1b[2J")
    'one\ttwo [2J'
    """
    return clean(text, kept="\n\t\u200c\u200d")


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
