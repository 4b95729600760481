"""Changes that a store tells its followers, by the keys of what changed: all of them, few or many."""

from __future__ import annotations

import pytest

from byheart.storage import Key
from byheart.storage.log import _MANY, _compact


@pytest.mark.parametrize("many", [0, 1, _MANY - 1, _MANY, _MANY + 1, _MANY + 2, 2 * _MANY])
def test_no_key_is_lost_however_many_there_are(many: int) -> None:
    keys = {Key("t", "s", "internal", f"id {number}") for number in range(many)}
    kept = _compact(iter(keys))
    assert set(kept) == keys and len(kept) == many


def test_keys_that_come_twice_hide_none_behind_them() -> None:
    one, *others = (Key("t", "s", "internal", f"id {number}") for number in range(4))
    assert set(_compact(iter([*[one] * (_MANY + 1), *others]))) == {one, *others}
