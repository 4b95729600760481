"""The id of a turn: it takes no other record's place, whoever that is of."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory
from byheart.errors import DuplicateId


@pytest.mark.parametrize(
    "fields",
    [{"user_id": "ann", "boundary_class": "secret"}, {"user_id": "bob"}, {"session_id": "s", "user_id": "bob"}],
)
def test_a_turn_takes_the_place_of_no_record_that_is_none(fields: dict[str, Any]) -> None:
    with Memory() as memory:
        memory.remember("The vault code.", id="vault", **fields)
        with pytest.raises(DuplicateId, match="'vault'"):
            memory.ingest_turn("The boat is blue today.", session_id="s", user_id="bob", id="vault")
        [kept] = memory.records(boundary={"classes": ["internal", "secret"]})
        assert (kept.text, kept.kind) == ("The vault code.", None)
