"""The columns that stages read of records: ages in days of 86,400 seconds."""

from __future__ import annotations

import pytest

from byheart.ranking.algebra import StageContext
from byheart.ranking.features import FEATURES
from byheart.records import Record


@pytest.mark.parametrize("column", ["age_days", "days_since_access"])
def test_a_day_has_86_400_seconds(column: str) -> None:
    record = Record(text="Tea.", created_at=0.0, accessed_at=0.0)
    assert FEATURES[column].of_record(record, StageContext(now=864_000.0, k=1)) == 10.0
