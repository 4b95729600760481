"""What is read on demand: the rows that were named are read together, each once; any other by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from byheart.ranking.candidates import RowKey
from byheart.recall.on_demand import Records, Vectors
from byheart.records import Record


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


def test_records_are_a_mapping_of_what_is_there() -> None:
    asked: list[list[RowKey]] = []

    def read(keys: Sequence[RowKey]) -> list[Record | None]:
        asked.append(list(keys))
        return [None if key == "gone" else Record(text=f"text of {key}") for key in keys]

    records = Records(read)
    records.expect(("a", "gone", "b"))
    assert (len(records), list(records), records.held("a")) == (0, [], None), "nothing is read before it is asked for"
    assert records["b"].text == "text of b"
    with pytest.raises(KeyError) as missing:
        records["gone"]
    assert missing.value.args == ("gone",)
    assert (len(records), list(records), "gone" in records) == (2, ["a", "b"], False)
    assert records["alone"].text == "text of alone"
    assert records.load(["alone", "gone", "new"])[1:] == [None, Record(text="text of new")]
    assert asked == [["a", "gone", "b"], ["alone"], ["new"]], "each once"
