"""The hits of an answer as an Arrow stream, through Arrow's C data interface and its capsules.

`pyarrow.table(recall)`, `polars.DataFrame(recall)` and whoever else speaks that protocol take an answer as it is. The
stream gives one batch. The buffers of a column are the core's until the consumer lets go of that column, which may
outlive the batch that it came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._core import arrow_stream


class Column(NamedTuple):
    """A column of a batch: its name, what its values are ("text", "float" or "time"), and these, None for none."""

    name: str
    kind: str
    values: Sequence[Any]


def stream(columns: Sequence[Column]) -> object:
    """Return the capsule of a stream that gives these columns as one batch.

    What is allocated goes when the consumer releases what it took, or the capsule if nobody takes it.
    """
    return arrow_stream([(each.name, each.kind, list(each.values)) for each in columns])
