"""A declared model: the vectors of a memory that gets each of them from its caller, and makes none itself."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InvalidArgument, ModelError
from .fingerprint import Fingerprint
from .protocol import Vectors


class GivenVectors:
    """What a memory goes by whose vectors are made elsewhere: a model's name, and how wide its vectors are.

    It stands where an embedder does, so that the vectors of two models never meet. Asked for a vector it fails, and
    says what to do.

    Args:
        name: of the model, as you call it; another name is another model.
        dimensions: components of a vector, 1 to 4,096.

    Raises:
        InvalidArgument: the name is empty, or there are no such dimensions.

    >>> GivenVectors.parse("text-embedding-3-small:1536").dimensions
    1536

    """

    makes_vectors = False
    """No text is ever embedded by it."""

    def __init__(self, name: str, dimensions: int) -> None:
        self._fingerprint = Fingerprint(name, dimensions, True, "", "", "given by the caller")

    @classmethod
    def parse(cls, declared: str) -> GivenVectors:
        """Return what `NAME:DIMENSIONS` declares."""
        if not isinstance(declared, str):
            raise TypeError(f"vectors must be str, such as 'my-model:384', not {type(declared).__name__}")
        name, colon, dimensions = declared.rpartition(":")
        if not (colon and name and dimensions.isascii() and dimensions.isdecimal() and len(dimensions) < 6):
            raise InvalidArgument(f"vectors: is {declared[:80]!r}; give NAME:DIMENSIONS, such as 'my-model:384'")
        return cls(name, int(dimensions))

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""
        return self._fingerprint.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        """Return the name under which the vectors are kept."""
        return self._fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Fail: the caller gives the vectors.

        Raises:
            ModelError: always.

        """
        raise ModelError(f"model {self._fingerprint.family!r} is declared alone; give each text's vector by vector=")

    embed_queries = embed_documents
