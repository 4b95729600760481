"""The saving of a store file's indexes: off the caller's path, and at the end."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from threading import Thread
from typing import TYPE_CHECKING

from ..errors import ByheartError
from ..storage import FileStore, Store
from .indexes import Indexes

if TYPE_CHECKING:
    from pathlib import Path

    from .saved import Saved

# Catching up with so many changes takes less time than anybody notices; a generation is not worth its bytes before.
MIN_CHANGES = 1_000


def of(store: Store, settings: Mapping[str, object]) -> Saved | None:
    """Return where the indexes of a store are saved; None if it is not a file."""
    if not isinstance(store, FileStore):
        return None
    from .saved import Saved

    return Saved(store, settings)


class Saver:
    """Saves indexes in a thread of its own once much has changed, and at the end what has changed since."""

    def __init__(self, indexes: Indexes, saved: Saved | None) -> None:
        """Start no thread yet."""
        self._indexes, self._saved = indexes, saved
        self._thread: Thread | None = None

    def nudge(self) -> None:
        """Have the indexes saved if a fifth has changed since the last time, and nobody is saving already.

        Few records are indexed anew in less time than a generation takes, however much has changed before.
        """
        if self._saved is None or (self._thread is not None and self._thread.is_alive()):
            return
        records = self._indexes.records()
        if min(self._indexes.sequence - self._saved.sequence, records) >= max(MIN_CHANGES, records // 5):
            self._thread = Thread(target=self._save, name="byheart-saver", daemon=True)
            self._thread.start()

    def finish(self) -> None:
        """Wait for the thread, and save if a twentieth has changed."""
        self._indexes.in_haste = True
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._saved is not None:
            self._save(max(MIN_CHANGES, self._indexes.records() // 20))

    def alone(self) -> AbstractContextManager[None]:
        """Keep generations from being written, here and elsewhere, while what they hold is erased."""
        return nullcontext() if self._saved is None else self._saved.alone()

    def erase(self) -> list[Path]:
        """Remove every generation, if any are kept, and return the files; the caller holds `alone`."""
        return [] if self._saved is None else self._saved.erase()

    def _save(self, at_least: int = MIN_CHANGES) -> None:
        """Save; what goes wrong costs the next opening its time and nothing else, and is noted."""
        try:
            self._indexes.save(at_least=at_least)
        except (ByheartError, OSError) as error:
            if self._saved is not None:
                self._saved.passed_over.append(f"not saved: {error}")
