"""The salvage of what is sound in a store: what is damaged is named and left where it is, and everything else is given.

Any store can be read so. One that tells damage apart itself (`SalvagingStore`) is asked to; of any other, records are
asked for one by one where several at once cannot be had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard
from weakref import WeakKeyDictionary

from ..errors import CorruptRecord, CorruptStore
from ..records import Record
from .protocol import Key, Problem, SalvagingStore, Store, VectorStore

_known: WeakKeyDictionary[Store, bool] = WeakKeyDictionary()


def _tells_damage(store: Store) -> TypeGuard[SalvagingStore]:
    """Return whether a store is a `SalvagingStore`; looked at once, since that takes as long as a search."""
    try:
        if (known := _known.get(store)) is None:
            known = _known[store] = isinstance(store, SalvagingStore)
        return known
    except TypeError:  # a store that cannot be referred to weakly, or has no hash
        return isinstance(store, SalvagingStore)


def all_records(store: Store, problems: list[Problem]) -> list[Record]:
    """Return every record that is sound.

    Args:
        store: where they lie.
        problems: takes what is wrong with the others.

    Raises:
        CorruptRecord: something is damaged, and the store cannot tell what.

    """
    return list(store.load(problems) if _tells_damage(store) else store.load())


def records(store: Store, keys: Sequence[Key], problems: list[Problem]) -> list[Record | None]:
    """Return the records of these keys, None where there is none that is sound.

    Args:
        store: where they lie.
        keys: of the records.
        problems: takes what is wrong, with the key that was asked for.

    """
    if _tells_damage(store):
        return store.get(keys, problems)
    try:
        return store.get(keys)
    except CorruptStore:
        raise
    except CorruptRecord:
        pass
    found: list[Record | None] = []
    for key in keys:
        try:
            found += store.get([key])
        except CorruptStore:
            raise
        except CorruptRecord as error:
            problems.append(Problem("records", str(error), key))
            found.append(None)
    return found


def vectors(store: VectorStore, model: str, keys: Sequence[Key] | None, problems: list[Problem]) -> dict[Key, bytes]:
    """Return the vectors of a model that are sound: of these records, or of all that have one.

    Args:
        store: where they lie.
        model: whose they are.
        keys: of the records; None for all.
        problems: takes what is wrong with the others.

    """
    if _tells_damage(store):
        return dict(store.vectors(model, keys, problems))
    return dict(store.vectors(model, keys))
