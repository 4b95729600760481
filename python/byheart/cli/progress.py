"""A progress bar for work that takes a while: on a terminal only, a few times a second, gone when the work is done."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, TextIO

from .render import one_line

SECONDS_BETWEEN: Final = 0.1
_BAR: Final = 24


class Progress:
    """A bar on standard error, for a `with` block; silent where that is no terminal.

    Args:
        label: what is being done.
        total: how many steps there are, at least one.
        stream, clock: where to draw, and the seconds that limit how often.

    """

    def __init__(
        self, label: str, total: int, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._label, self._total, self._clock = label, total, clock
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty()
        self._drawn_at: float | None = None
        self._done = 0

    def step(self, detail: str = "", steps: int = 1) -> None:
        """Count steps that are done; `detail` names what comes next."""
        self._done += steps
        now = self._clock()
        if not self._shown or (self._drawn_at is not None and now - self._drawn_at < SECONDS_BETWEEN):
            return
        self._drawn_at = now
        filled = _BAR * min(self._done, self._total) // self._total
        bar = "#" * filled + "." * (_BAR - filled)
        line = f"{self._label} [{bar}] {self._done}/{self._total} {one_line(detail)}"
        width = shutil.get_terminal_size((80, 24)).columns - 1
        self._stream.write(f"\r\x1b[K{line[:width]}")
        self._stream.flush()

    def __enter__(self) -> Progress:
        """Return the bar."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the bar."""
        if self._drawn_at is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
