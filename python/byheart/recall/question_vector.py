"""The vector of a question: made once for all attempts of a recall, with those of other texts that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..index import vectors as embeddings
from ..retrieval.question import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder


class QuestionVector:
    """The question's vector: made when it is first asked for, and once for all attempts of a recall; or why it is not.

    An attempt that has the lock of the indexes does not wait for an embedder that was asked before.
    """

    def __init__(self, question: Question) -> None:
        self._question = question
        self._embedder: Embedder | None = None
        self.made: NDArray[np.float32] | None = question.vector
        self.failed: str | None = None
        self._others: dict[str, NDArray[np.float32] | None] = {}

    def by(self, embedder: Embedder | None) -> QuestionVector:
        """Have this embedder make it; what another one made is of another model."""
        if embedder is not self._embedder:
            self._embedder, self.made, self.failed = embedder, self._question.vector, None
            self._others = {}
        return self

    @property
    def family(self) -> str | None:
        """The family of the embedder's model; None without one."""
        return None if self._embedder is None else self._embedder.fingerprint.family

    def of(self, text: str) -> NDArray[np.float32] | None:
        """Return the vector of another text that is asked for; None without an embedder, or where it failed."""
        if text == self._question.text and self._question.vector is None:
            return self.get()
        if text not in self._others:
            made = None
            if self._embedder is None:
                self.failed = self.failed or "the memory has no embedder; the answer rests on words"
            else:
                try:
                    made = embeddings.of_query(self._embedder, text)
                except Exception as error:  # as above
                    self.failed = f"the embedder failed ({type(error).__name__}: {error})"
            self._others[text] = made
        return self._others[text]

    def get(self) -> NDArray[np.float32] | None:
        """Return the vector; None without an embedder, or where it failed."""
        if self.made is None and self.failed is None:
            if self._embedder is None:
                self.failed = "the memory has no embedder; the answer rests on words"
                return None
            try:
                self.made = embeddings.of_query(self._embedder, self._question.text)
            except Exception as error:  # whatever a caller's embedder raises: this leg fails, and the answer says so
                self.failed = f"the embedder failed ({type(error).__name__}: {error})"
        return self.made
