"""The vector of a question: made once for all attempts of a recall, with those of other texts that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING

from ..index import vectors as embeddings
from ..ranking.curves import is_measured
from ..retrieval.question import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder

_AT_ONCE = 64  # texts that an embedder is given at a time


class Together:
    """The vectors of several questions, made some at a time when one of them is first asked for.

    An embedder gives a text the same bytes whatever else is in the batch (`byheart.embedding.Embedder`), so that a
    question has the vector that it would have alone. Where a batch fails, each of its questions asks alone: so those
    fail that have to, and say why.
    """

    def __init__(self, questions: Iterable[Question]) -> None:
        self._texts = list(dict.fromkeys(each.text for each in questions if each.vector is None))
        self._places = {text: place for place, text in enumerate(self._texts)}
        self._turn = Lock()
        self._embedder: Embedder | None = None
        self._made: dict[str, NDArray[np.float32] | None] = {}

    def of(self, embedder: Embedder, text: str) -> NDArray[np.float32] | None:
        """Return the vector of the text of one of the questions; None where it has to be asked for alone."""
        with self._turn:
            if embedder is not self._embedder:
                self._embedder, self._made = embedder, {}
            if text not in self._made:
                start = self._places.get(text, 0) // _AT_ONCE * _AT_ONCE
                batch = self._texts[start : start + _AT_ONCE]
                try:
                    self._made.update(zip(batch, embeddings.of_queries(embedder, batch), strict=True))
                except Exception:  # whatever a caller's embedder raises: those that fail alone say so
                    self._made.update(dict.fromkeys(batch))
            return self._made.get(text)


class QuestionVector:
    """The question's vector: made when it is first asked for, and once for all attempts of a recall; or why it is not.

    An attempt that has the lock of the indexes does not wait for an embedder that was asked before.
    """

    def __init__(
        self,
        question: Question,
        together: Together | None = None,
        active: Callable[[], str | None] = lambda: None,
        measure: Callable[[Embedder], float] = lambda embedder: 0.0,
    ) -> None:
        """Start without one.

        Args:
            question: whose it is.
            together: makes it with those of other questions.
            active: looks up the model of the store's vectors.
            measure: gives the cosine that texts with nothing in common reach by an embedder.

        """
        self._question, self._together, self._active, self._measure = question, together, active, measure
        self._embedder: Embedder | None = None
        self.made: NDArray[np.float32] | None = question.vector
        self.failed: str | None = None
        self.unmeasured: str | None = None
        self._others: dict[str, NDArray[np.float32] | None] = {}

    def by(self, embedder: Embedder | None) -> QuestionVector:
        """Have this embedder make it; what another one made is of another model."""
        if embedder is not self._embedder:
            self._embedder, self.made, self.failed = embedder, self._question.vector, None
            self.unmeasured = None
            self._others = {}
        return self

    def missing_ones(self) -> str:
        """Return how records come by vectors that they lack."""
        if self._embedder is not None and self._active() not in (None, str(self._embedder.fingerprint)):
            return "others have made vectors of another model since; open the memory anew with that one"
        if self._embedder is None or embeddings.makes_vectors(self._embedder):
            return "Memory.embed makes them"
        return "remember them again under their ids, with vector="

    @property
    def family(self) -> str | None:
        """The family of the embedder's model; None without one."""
        return None if self._embedder is None else self._embedder.fingerprint.family

    def unrelated(self) -> float:
        """Return the cosine that texts with nothing in common reach by a model that nobody has measured; 0 by others.

        Where that cannot be found out, it is 0, too, and `unmeasured` says why.
        """
        embedder = self._embedder
        if embedder is None or is_measured(embedder.fingerprint.family) or not embeddings.makes_vectors(embedder):
            return 0.0
        if self.unmeasured is None:
            try:
                return self._measure(embedder)
            except Exception as error:  # whatever a caller's embedder raises
                told = "which cosines unrelated texts have is not known, and all above .2 count"
                self.unmeasured = f"{told}: {_why(embedder, error)}; give the embedder an attribute `unrelated`"
        return 0.0

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
                    self.failed = _why(self._embedder, error)
            self._others[text] = made
        return self._others[text]

    def get(self) -> NDArray[np.float32] | None:
        """Return the vector; None without an embedder, or where it failed."""
        if self.made is None and self.failed is None:
            if self._embedder is None:
                self.failed = "the memory has no embedder; the answer rests on words"
                return None
            try:
                text, together = self._question.text, self._together
                self.made = None if together is None else together.of(self._embedder, text)
                if self.made is None:
                    self.made = embeddings.of_query(self._embedder, text)
            except Exception as error:  # whatever a caller's embedder raises: this leg fails, and the answer says so
                self.failed = _why(self._embedder, error)
        return self.made


def _why(embedder: Embedder, error: Exception) -> str:
    """Return why there is no vector, in words."""
    if embeddings.makes_vectors(embedder):
        from ..boundary.redaction.reasons import reason_of  # its detectors are compiled where an embedder failed

        return f"the embedder failed ({reason_of(error)})"
    family = embedder.fingerprint.family
    return (
        f"the memory makes no vectors of the model {family!r}, which was declared alone; give the question's by vector="
    )
