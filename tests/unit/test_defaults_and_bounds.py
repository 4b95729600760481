"""Defaults of receipts, and the lengths at which a policy's pattern is refused."""

from __future__ import annotations

import pytest

from byheart.boundary.policy.allowing import MAX_TAG, check_pattern
from byheart.errors import InvalidPolicy
from byheart.writing.receipts import ForgetReceipt, RememberReceipt


def test_a_receipt_of_what_was_remembered_says_once_and_nothing_besides() -> None:
    receipt = RememberReceipt("a", "new")
    assert (receipt.seen_count, receipt.superseded, receipt.superseded_by, receipt.near_duplicates) == (1, (), None, ())


@pytest.mark.parametrize(
    "name", ["missing", "files", "summaries", "released", "copies", "several", "untouched", "reinstated", "damaged"]
)
def test_a_receipt_of_what_was_removed_names_nothing_besides(name: str) -> None:
    assert getattr(ForgetReceipt(("a",)), name) == ()


@pytest.mark.parametrize("pattern", ["a", "*", "a" * 256])
def test_a_pattern_of_a_length_within_the_bounds_is_taken(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize("pattern", ["", "a" * 257])
def test_a_pattern_of_a_length_outside_the_bounds_is_refused_with_the_bound(pattern: str) -> None:
    assert MAX_TAG == 256
    with pytest.raises(InvalidPolicy, match="1 to 256 characters"):
        check_pattern(pattern)
