"""The vectors that a memory file holds: whose they are, how they are searched, and how many records have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..errors import ByheartError
from ..storage import VectorStore, is_in_process, is_text, open_store
from .render import one_line
from .wording import in_words

if TYPE_CHECKING:
    from ..embedding import Fingerprint

_NO_EMBEDDER: Final = "the memory has no embedder"


def lacking(file: str, records: int) -> str | None:
    """Return what to do about records without a vector in a file that has a model; None if there is nothing to do."""
    with _model(file) as (store, model):
        if store is None or model is None:
            return None
        blank = records - sum(1 for _ in store.vectors(str(model)))
    if blank <= 0:
        return None
    option = _option(model)
    way = f"give them with {option} and --vector" if _is_given(model) else f"`byheart embed {option}` makes them"
    return f"{file}: {blank} of {records} records have no vector of {model.family!r}; {way}"


def notes(degraded: Iterable[str], file: str) -> list[str]:
    """Return what was not as asked of a file, a line each; without an embedder, how the vectors there are searched.

    >>> notes(["dense: the memory has no embedder; the answer rests on words"], ":memory:")
    ['note: dense: the memory has no embedder; the answer rests on words']
    """
    return [f"note: {one_line(_with_model(in_words(reason), file))}" for reason in degraded]


def _with_model(note: str, file: str) -> str:
    if _NO_EMBEDDER not in note:
        return note
    try:
        with _model(file) as (_, model):
            pass
    except ByheartError:  # the answer stands all the same
        return note
    return note if model is None else f"{note}; its vectors are of {model.family!r}, and searched with {_option(model)}"


@contextmanager
def _model(file: str) -> Iterator[tuple[VectorStore | None, Fingerprint | None]]:
    """Open a file to read whose vectors it holds; a text file holds none."""
    if is_in_process(file) or is_text(file):
        yield None, None
        return
    from ..embedding import Fingerprint

    store = open_store(file, read_only=True)
    try:
        model = store.model()
        yield store, None if model is None else Fingerprint.parse(model)
    finally:
        store.close()


def _option(model: Fingerprint) -> str:
    """Return the option that names a model on a command line; of one in a folder, nobody knows where that is."""
    from ..embedding.named import name_of

    if _is_given(model):
        return f"--vectors {model.family}:{model.dimensions}"
    return f"--embedder {name_of(model) or 'FOLDER'}"


def _is_given(model: Fingerprint) -> bool:
    """Return whether vectors are made elsewhere, and given one by one."""
    from ..embedding.given import GivenVectors

    return GivenVectors(model.family, model.dimensions).fingerprint == model
