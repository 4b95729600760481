"""Scores below the smallest normal number were lost where a segment's slots are walked, and kept where lists are."""

import pytest

import byheart
from byheart.reference import lexical


@pytest.mark.parametrize("records", [3, 40, 2_000])
@pytest.mark.parametrize("weight", [1e-308, 1e-310, 5e-324])
def test_a_weight_that_makes_scores_subnormal(records: int, weight: float) -> None:
    fields = {"text": weight}
    index, model = byheart.LexicalIndex(fields), {}
    for number in range(records):
        terms = ["fox"] if number % 20 == 0 else ["owl"] * (1 + number % 3)
        index.add([f"r{number}"], [{"text": " ".join(terms)}])
        model[f"r{number}"] = lexical.Document({"text": terms})
    for query in (["fox"], ["owl"], ["fox", "owl"]):
        expected = lexical.search(model, query, fields, k=7)
        assert list(index.search(query, 7)) == expected
        assert list(index.search(query, 7, boosts={"x": 1e6})) == expected
