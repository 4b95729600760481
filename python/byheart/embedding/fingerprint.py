"""The fingerprint of a model: kept with the vectors that it made, and compared before they meet others.

Two vectors can be compared only if the same model made them in the same way. So a store keeps one line of text,
and whoever opens it with an embedder of another line is refused. A query's prefix is part of it: vectors of documents
made for one prefix do not answer to another.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import FingerprintMismatch, InvalidArgument, ModelError
from ..light.classes import dataclass
from ..validation import check_text

if TYPE_CHECKING:
    from .protocol import Embedder

MAX_DIMENSIONS = 4_096
MAX_FIELD_BYTES = 1_024


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Everything that decides what a text's vector is.

    `str(fingerprint)` is its canonical form, one line of ASCII; `Fingerprint.parse` reads it back. Two fingerprints are
    equal if and only if their lines are.

    Attributes:
        family: the model's name, such as "all-MiniLM-L6-v2"; not empty.
        dimensions: components of a vector, 1 to 4,096.
        normalised: whether the model's own rows have unit length (or are zero).
        document_prefix: what is put before each document, "" for nothing.
        query_prefix: likewise before each query.
        version: a digest of the weights and of every setting that changes vectors; not empty.

    Raises:
        InvalidArgument: a field is outside these ranges.

    >>> made = Fingerprint("hashing", 256, True, "", "", "1")
    >>> print(made)
    {"family":"hashing","dimensions":256,"normalised":true,"document_prefix":"","query_prefix":"","version":"1"}
    >>> Fingerprint.parse(str(made)) == made
    True

    """

    family: str
    dimensions: int
    normalised: bool
    document_prefix: str
    query_prefix: str
    version: str

    def __post_init__(self) -> None:
        """Check every field."""
        for name in ("family", "document_prefix", "query_prefix", "version"):
            value = getattr(self, name)
            if not isinstance(value, str):
                raise TypeError(f"{name} must be str, not {type(value).__name__}")
            check_text(name, value, MAX_FIELD_BYTES)
        for name in ("family", "version"):
            if not getattr(self, name):
                raise InvalidArgument(f"{name}: is empty; a fingerprint names it")
        if not isinstance(self.normalised, bool):
            raise TypeError(f"normalised must be bool, not {type(self.normalised).__name__}")
        check_dimensions(self.dimensions)

    def __str__(self) -> str:
        """Return the canonical line."""
        return _line(self)

    @classmethod
    def parse(cls, line: str) -> Fingerprint:
        """Return the fingerprint that a canonical line names.

        Raises:
            InvalidArgument: the text is no such line, letter for letter.

        >>> Fingerprint.parse("hashing, 256")
        Traceback (most recent call last):
            ...
        byheart.errors.InvalidArgument: fingerprint: 'hashing, 256' is no canonical line

        """
        try:
            named = json.loads(line)
            found = cls(**named) if isinstance(named, dict) else None
        except (ValueError, TypeError, RecursionError):  # InvalidArgument is a ValueError
            found = None
        if found is None or str(found) != line:
            raise InvalidArgument(f"fingerprint: {line!r} is no canonical line")
        return found


@lru_cache(maxsize=64)
def _line(fingerprint: Fingerprint) -> str:
    """Return the canonical line; kept, since every recall over vectors names its model."""
    return json.dumps(asdict(fingerprint), separators=(",", ":"), ensure_ascii=True)


def check_dimensions(dimensions: int) -> None:
    """Refuse a number of dimensions that is no int from 1 to 4,096."""
    if isinstance(dimensions, bool) or not isinstance(dimensions, int):
        raise TypeError(f"dimensions must be int, not {type(dimensions).__name__}")
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise InvalidArgument(f"dimensions: is {dimensions}; it must lie between 1 and {MAX_DIMENSIONS}")


def check_width(embedder: Embedder) -> None:
    """Refuse an embedder of another width than its fingerprint says: what it makes would be taken for another's.

    Raises:
        ModelError: it is one.

    """
    dimensions, said = embedder.dimensions, embedder.fingerprint.dimensions
    if dimensions != said:
        raise ModelError(f"embedder: has {dimensions} dimensions, but its fingerprint says {said}")


def check_fingerprint(stored: Fingerprint, given: Fingerprint) -> None:
    """Refuse to let vectors of two models meet.

    Args:
        stored: what made the vectors that are there.
        given: what would make the next ones.

    Raises:
        FingerprintMismatch: they differ; the message says in what, and names both.

    >>> stored = Fingerprint("hashing", 256, True, "", "", "1")
    >>> check_fingerprint(stored, stored)
    >>> check_fingerprint(stored, Fingerprint("hashing", 128, True, "", "", "1"))
    Traceback (most recent call last):
        ...
    byheart.errors.FingerprintMismatch: embedding model: dimensions is 256 in what is stored, 128 in what ...

    """
    values = [(field.name, getattr(stored, field.name), getattr(given, field.name)) for field in fields(Fingerprint)]
    differing = [
        f"{name} is {old!r} in what is stored, {new!r} in what is given" for name, old, new in values if old != new
    ]
    if differing:
        advice = "open with the model that made the vectors, or embed anew"
        raise FingerprintMismatch(
            f"embedding model: {'; '.join(differing)}; {advice}. Stored: {stored}. Given: {given}"
        )
