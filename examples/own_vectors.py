"""Vectors of one's own: made elsewhere, of texts and of questions, and searched here.

Here they are three numbers each, written by hand: how much a text is about the kitchen, the garden, the sea.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import byheart
from byheart.embedding import Fingerprint
from byheart.errors import ByheartError

MADE_ELSEWHERE = {
    "The kettle is descaled every spring.": (0.9, 0.1, 0.0),
    "Beans are sown after the last frost.": (0.2, 0.9, 0.0),
    "The tide is low at noon.": (0.0, 0.1, 0.9),
}


class Given:
    """Hands out the vectors that there are, scaled to unit length."""

    dimensions = 3
    fingerprint = Fingerprint("by hand", 3, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the row of each text; of an unknown one a row of zeros, by which nothing finds it."""
        return np.array([unit(MADE_ELSEWHERE.get(text, (0.0, 0.0, 0.0))) for text in texts], np.float32).reshape(-1, 3)

    embed_queries = embed_documents


def unit(row: Sequence[float]) -> NDArray[np.float32]:
    """Return a row at unit length; zeros stay zeros."""
    length = float(np.linalg.norm(row)) or 1.0
    return np.array([value / length for value in row], np.float32)


def main() -> None:
    """Remember the texts, and ask by a vector."""
    with byheart.Memory("vectors.db", embedder=Given()) as memory:
        memory.remember_many([{"text": text, "id": text.split()[1]} for text in MADE_ELSEWHERE])

        def ask(vector: Any) -> list[str]:
            return [hit.id for hit in memory.recall("what do I plant?", profile="dense", vector=vector)]

        found = ask(unit((0.1, 1.0, 0.0)))
        print("nearest to the garden:", found)
        assert found[0] == "are"

        try:
            ask([1.0, 0.0])  # of another width
        except ByheartError as error:
            print(error)
        else:
            raise AssertionError("a vector of another width was searched for")


if __name__ == "__main__":
    main()
