"""What is read on demand: the rows that were named are read together, each once; any other by itself."""

from __future__ import annotations

from collections.abc import Sequence

from byheart.ranking.candidates import RowKey
from byheart.recall.on_demand import Vectors


def test_rows_are_read_together_and_once() -> None:
    asked: list[list[RowKey]] = []

    def read(keys: Sequence[RowKey]) -> list[str]:
        asked.append(list(keys))
        return [f"vector of {key}" for key in keys]

    vectors = Vectors(read)
    assert vectors.of("alone") == "vector of alone"
    vectors.expect(("alone", "a", "b"))
    assert [vectors.of(key) for key in ("b", "a", "alone")] == ["vector of b", "vector of a", "vector of alone"]
    assert asked == [["alone"], ["a", "b"]]
