"""Raw scores on a common scale: bounds are kept on both sides."""

import pytest

from byheart.ranking.normalisation import clamped, top_or_one


@pytest.mark.parametrize(
    ("cosine", "value"), [(-1.0, 0.0), (-0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.0 + 2**-52, 1.0), (3.0, 1.0)]
)
def test_a_cosine_enters_a_score_between_0_and_1(cosine: float, value: float) -> None:
    assert clamped(cosine) == value


def test_only_what_lies_above_1_is_divided() -> None:
    assert top_or_one([]) == []
    assert top_or_one([1.0, 0.5]) == [1.0, 0.5] and top_or_one([0.8, -0.4]) == [0.8, -0.4]
    assert top_or_one([4.0, 2.0, -2.0]) == [1.0, 0.5, -0.5]
