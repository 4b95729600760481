"""The stage that drops noise: which groups of patterns it looks at unless it is told otherwise."""

from __future__ import annotations

import pytest

from byheart.ranking.algebra import StageContext
from byheart.ranking.candidates import join
from byheart.ranking.scoring.selection import NoiseFilter
from byheart.records import Record

TEXTS = {
    "denial": "I don't have any data on that",
    "meta": "did I share it with you?",
    "boilerplate": "good evening",
    "said": "The kettle is descaled every spring.",
}


@pytest.mark.parametrize("off", [None, "denial", "meta", "boilerplate"])
def test_every_group_is_dropped_unless_it_is_switched_off(off: str | None) -> None:
    switches = {"denial": "filter_denials", "meta": "filter_meta", "boilerplate": "filter_boilerplate"}
    stage = NoiseFilter() if off is None else NoiseFilter(**{switches[off]: False})
    table = join({"words": [(id, 1.0) for id in TEXTS]})
    records = {id: Record(text=text, id=id) for id, text in TEXTS.items()}
    left = stage(table, StageContext(now=0.0, k=4, records=records))
    assert set(left.ids) == {"said"} | ({off} if off else set())
    assert len(left.dropped) == len(TEXTS) - len(left.ids)
