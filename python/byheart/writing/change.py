"""The change that a verb makes: records stored and removed, what must still be true for it, and vectors it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from ..index import vectors as embeddings
from ..light.classes import dataclass
from ..records import Record
from ..storage import Key, Vectors, VectorStore, key_of

if TYPE_CHECKING:
    from ..embedding import Embedder

Given = Mapping[int, bytes]
"""Vectors that the caller brought, by the place of their record in the call."""

Seen = Callable[[Record], bool]
"""Tells a record that a verb would have looked at, had it been there."""


@dataclass(slots=True)
class Change:
    """One write, and what must still stand for it.

    Attributes:
        put: the records to be stored, by key.
        expected: what was read, as it is stored, by key.
        absent: where nothing is stored.
        remove: what goes.
        made: whose vectors are made anew; the others' are kept.
        instead: in whose place what is put comes, as it is stored, by the key of what is put.
        copies: the durable copies that follow a record, as they are stored, by the key of what is put in their place.
        moved: from where the vector of a record comes that is kept, if the record lay in another cell.
        seen: tells a record that was looked for, as one of a kind: had somebody put one since, something else would
            have come out. None where nothing was looked for but what is named above.

    """

    put: dict[Key, Record]
    expected: dict[Key, Record] = field(default_factory=dict)
    absent: list[Key] = field(default_factory=list)
    remove: dict[Key, None] = field(default_factory=dict)
    made: dict[Key, Record] = field(default_factory=dict)
    instead: dict[Key, Record] = field(default_factory=dict)
    copies: dict[Key, Record] = field(default_factory=dict)
    moved: dict[Key, Key] = field(default_factory=dict)
    seen: Seen | None = None

    @property
    def removed(self) -> list[Key]:
        """What goes and is not put again."""
        return [key for key in self.remove if key not in self.put]

    def brought(self, old: Record, vector: bytes) -> dict[Key, bytes]:
        """Return a vector that the caller brings, by the key of what it is of, and have none made or kept there.

        That is what comes in the place of `old`, and the copies and turns that say the same.
        """
        said = next(self.put[key] for key, was in self.instead.items() if key_of(was) == key_of(old)).embedded()
        keys = [key for key in (*self.instead, *self.copies) if self.put[key].embedded() == said]
        for key in keys:
            self.made[key] = self.put[key]
            self.moved.pop(key, None)
        return dict.fromkeys(keys, vector)


class Known(dict[str, bytes]):
    """Vectors by text, made while no lock is held: an embedder may take as long as it likes.

    Args:
        embedder: makes them; None or one that makes none: nothing is ever lacking.

    """

    def __init__(self, embedder: Embedder | None) -> None:
        super().__init__()
        self._embedder = embedder
        self._lacking: list[str] = []

    def turn_to(self, embedder: Embedder | None) -> None:
        """Let go of what another embedder has made."""
        if embedder is not self._embedder:
            self.clear()
            self._embedder = embedder

    def lacks(self, texts: Iterable[str]) -> bool:
        """Return whether some texts have no vector yet, which is noted."""
        self._lacking = [] if not self._makes() else [text for text in dict.fromkeys(texts) if text not in self]
        return bool(self._lacking)

    def make(self, texts: Iterable[str] = ()) -> None:
        """Make the vectors that were lacking, and those of some more texts."""
        self._lacking += [text for text in dict.fromkeys(texts) if text not in self] if self._makes() else []
        if self._embedder is not None and self._lacking:
            self.update(zip(self._lacking, embeddings.of_texts(self._embedder, self._lacking), strict=True))
        self._lacking = []

    def vectors(
        self, store: VectorStore, change: Change, given: Mapping[Key, bytes], wanted: Mapping[Key, str]
    ) -> Vectors | None:
        """Return the vectors of what a change puts: brought, made of its text, or kept.

        Args:
            store: where those lie that are kept.
            change: what is put.
            given: those that the caller brought.
            wanted: the texts of those that are made.

        """
        embedder = self._embedder
        kept = embeddings.kept(store, list(change.moved.values()), embedder) if change.moved else None
        rows = dict(given)
        if kept is not None:
            rows.update({key: kept.rows[was] for key, was in change.moved.items() if was in kept.rows})
        if embedder is None:
            return None if kept is None else replace(kept, rows=rows)
        rows.update({key: self[text] for key, text in wanted.items() if text in self})
        return Vectors(str(embedder.fingerprint), rows) if rows else None

    def _makes(self) -> bool:
        return self._embedder is not None and embeddings.makes_vectors(self._embedder)
