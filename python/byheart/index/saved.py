"""Generations of the indexes of a durable store: what to save, whether what lies there is of this store, and when."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from ..errors import CorruptIndex, StoreError
from ..storage.beside import INDEXES, beside
from ..storage.locking import hold, hold_if_there
from ..storage.protocol import FileStore
from ..storage.sections import Section
from .generations import Generations

_TENANTS, _WITNESS = "tenants", "witness"
_LOCK_SECONDS = 30.0
_LOCK = ".lock"
_OLDER = ".indexes"


class SavedIndexes(NamedTuple):
    """A generation that is of this store: up to which change, and the sections of each tenant's partition."""

    sequence: int
    tenants: dict[str, dict[str, bytes]]


class Saved:
    """The generations of one store file, in the folder `<file>.byheart-indexes` beside it.

    Builds before this one kept them in `<file>.indexes`. What is recognised there as a generation is erased with the
    others, and when a new one is written; it is never read, and nothing else in that folder is touched.

    Args:
        store: the store.
        settings: what else the indexes depend on: analyser, presets, the model of the vectors.

    Attributes:
        sequence: the change that the newest generation is up to; 0 without one.
        passed_over: why files that lie there were not used.

    """

    def __init__(self, store: FileStore, settings: Mapping[str, object]) -> None:
        self._store = store
        self.sequence = 0
        self.passed_over: list[str] = []
        self.of(settings)

    def of(self, settings: Mapping[str, object]) -> None:
        """Look for and write generations of these settings from now on; the caller is alone."""
        identity = json.dumps(settings, sort_keys=True)
        label, path = hashlib.sha256(identity.encode()).hexdigest(), self._store.path
        self._hides = settings.get("redaction")
        hidden = None if self._hides is None else str(self._hides)
        self._generations = Generations(beside(path, INDEXES), label, self.passed_over, hidden)
        self._older = Generations(beside(path, _OLDER), label)
        self.sequence = 0

    def newest(self) -> SavedIndexes | None:
        """Return the newest generation that is whole and of this store's own history."""
        files = self._generations.listed()
        up_to = self._store.sequence()  # asked last: what was there by now is of changes that the store has had
        found = self._generations.newest(up_to, files)
        if not self._store.read_only:
            self._generations.drop_newer(up_to)  # of a history that a restored backup has undone
        if found is None:
            return None
        if not self._store.bears_out(found.sections.get(_WITNESS, b"")):
            self.passed_over.append(f"generation {found.sequence}: the store has no such history")
            return None
        try:
            opened = SavedIndexes(found.sequence, _tenants(found.sections))
        except (CorruptIndex, ValueError, RecursionError) as error:
            self.passed_over.append(f"generation {found.sequence}: {error}")
            return None
        self.sequence = found.sequence
        return opened

    def pass_over(self, why: str) -> None:
        """Note why the generation that was taken is of no use; the next one written takes its place."""
        self.passed_over.append(why)
        self.sequence = 0

    def write(self, sequence: int, tenants: Mapping[str, Sequence[Section]]) -> bool:
        """Write a generation, if the store can bear witness to that change; the caller holds `alone`."""
        witness = self._store.witness(sequence)
        if witness is None or self._store.read_only:
            return False
        self._generations.write(sequence, _sections(witness, tenants))
        self.sequence = sequence
        self._erase_older()
        return True

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the turn to write generations, or to erase what they hold. Of a store that is only read nobody has it.

        Raises:
            StoreBusy: another process has it, and has not given it back in time.
            StoreError: the folder of the generations cannot be made, or not be written.

        """
        if self._store.read_only:
            yield
            return
        folder = self._generations.folder
        with ExitStack() as turn:
            try:
                self._generations.make_folder()
                turn.enter_context(hold(folder / _LOCK, _LOCK_SECONDS))
                if self._has_older():
                    turn.enter_context(hold_if_there(self._older.folder / _LOCK, _LOCK_SECONDS))
            except OSError as error:
                raise StoreError(f"{folder}: {error.strerror or error}") from error
            yield

    def erase(self) -> list[Path]:
        """Remove every generation; the caller holds `alone`. Return the files.

        Raises:
            StoreError: one of them cannot be removed.

        """
        if self._store.read_only:
            return []
        self.sequence = 0
        try:
            return [*self._generations.erase(), *self._erase_older()]
        except OSError as error:
            raise StoreError(f"{self._generations.folder}: {error.strerror or error}; a generation is left") from error

    def erase_unlike(self) -> None:
        """Remove the generations of texts in which something else was hidden than is now; the caller holds `alone`."""
        for path in self._generations.unlike():
            path.unlink(missing_ok=True)

    def has_unlike(self) -> bool:
        """Return whether there are such generations, and they are to go: something is hidden now."""
        return self._hides is not None and not self._store.read_only and bool(self._generations.unlike())

    def notes(self) -> list[str]:
        """Return what its owner has to know: a link lies where older builds saved indexes, and is not followed."""
        if not self._older.folder.is_symlink():
            return []
        name = self._older.folder.name
        return [f"{name}: a link, where older builds saved indexes; forgetting does not reach what lies there"]

    def _has_older(self) -> bool:
        folder = self._older.folder
        return folder.is_dir() and not folder.is_symlink()

    def _erase_older(self) -> list[Path]:
        """Remove what older builds saved, as far as it is recognised; folder and lock stay, others may wait on it."""
        return self._older.erase(marked=True) if self._has_older() else []


def _sections(witness: bytes, tenants: Mapping[str, Sequence[Section]]) -> Iterator[Section]:
    yield _WITNESS, witness
    yield _TENANTS, json.dumps(list(tenants)).encode()
    for number, sections in enumerate(tenants.values()):
        for name, payload in sections:
            yield f"{number}/{name}", payload


def _tenants(sections: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    names = json.loads(sections.get(_TENANTS, b"null"))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CorruptIndex("it does not name its tenants")
    found: dict[str, dict[str, bytes]] = {name: {} for name in names}
    for label, payload in sections.items():
        number, slash, name = label.partition("/")
        if slash and number.isdecimal() and int(number) < len(names):
            found[names[int(number)]][name] = payload
    return found
