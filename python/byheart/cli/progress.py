"""A progress bar on standard error: only on a terminal, and redrawn at most ten times a second."""

from __future__ import annotations

import sys
from time import monotonic

WIDTH = 30
INTERVAL = 0.1


class Progress:
    """Counts steps towards a total; use it as a context manager."""

    def __init__(self, total: int, unit: str) -> None:
        """Start at 0 of `total`."""
        self.total, self.unit, self.done = total, unit, 0
        self._drawn = 0.0
        self._visible = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line."""
        if self._visible and self._drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def step(self, name: str) -> None:
        """Count one more, and redraw if it is time to."""
        self.done += 1
        now = monotonic()
        if not self._visible or (now - self._drawn < INTERVAL and self.done < self.total):
            return
        self._drawn = now
        filled = WIDTH * self.done // max(self.total, 1)
        bar = "█" * filled + "·" * (WIDTH - filled)
        print(f"\r\033[K{bar} {self.done}/{self.total} {self.unit}  {name[:40]}", end="", file=sys.stderr, flush=True)
