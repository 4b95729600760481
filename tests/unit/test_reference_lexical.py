"""BM25 in the reference, with numbers worked out by hand."""

from __future__ import annotations

import math

import pytest

from byheart.reference.lexical import Document, explain, idf, search, term_score


def documents(**texts: str) -> dict[str, Document]:
    return {name: Document({"text": text.split()}) for name, text in texts.items()}


def test_idf() -> None:
    assert idf(1, 1) == 0.28768207245178085  # ln(4/3)
    assert idf(2, 1) == 0.6931471805599453  # ln(2)
    assert idf(10, 1) == 1.992430164690206  # ln(22/3)
    assert idf(5, 5) > 0.0


def test_term_score() -> None:
    assert term_score(1, 10, 10, 1.0) == 1.0
    assert term_score(1, 20, 10, 1.0) == 2.2 / 3.1  # norm 1.2 * (0.25 + 1.5)
    assert abs(term_score(3, 4, 8, 0.5) - 0.88) < 1e-15  # 3.3 / (3 + 1.2 * 0.625)
    assert term_score(2, 7, 3, 1.0, b=0.0, k1=0.9) == 1.9 * 2 / 2.9
    assert term_score(1, 10, 10, 1.0, weight=0.0) == 0.0


def test_one_field_by_hand() -> None:
    index = documents(a="red fox", b="red red", c="blue")
    # Lengths 2, 2, 1: avgdl 5/3. red: df 2 of 3, idf ln(1.5/2.5 + 1) = ln 1.6; fox: df 1, idf ln(2.5/1.5 + 1).
    norm = 1.2 * ((1.0 - 0.75) + (0.75 / (5 / 3)) * 2)
    red, fox = math.log(1.6), math.log(2.5 / 1.5 + 1.0)
    assert search(index, ["fox", "red"], {"text": 1.0}) == [
        ("a", pytest.approx(fox * 2.2 / (1 + norm) + red * 2.2 / (1 + norm), rel=1e-15)),
        ("b", pytest.approx(red * 2.2 * 2 / (2 + norm), rel=1e-15)),
    ]


def test_a_query_term_given_twice_counts_twice() -> None:
    index = documents(a="red fox", b="owl")
    (_, once), (_, twice) = search(index, ["fox"], {"text": 1.0})[0], search(index, ["fox", "fox"], {"text": 1.0})[0]
    assert twice == once + once


def test_fields_share_df_and_have_their_own_lengths() -> None:
    index = {
        "a": Document({"topic": ["fox"], "claim": ["owl", "owl", "owl"]}),
        "b": Document({"claim": ["fox"]}),
        "c": Document({}),
    }
    explanation = explain(index, ["fox"], "a", {"topic": 1.5, "claim": 1.0})
    (part,) = explanation.parts
    assert (part.field, part.term, part.tf, part.dl) == ("topic", "fox", 1, 1)
    assert part.avgdl == 1 / 3  # records without the field count
    assert part.idf == idf(3, 2)  # in any field
    assert explanation.score == part.score == term_score(1, 1, 1 / 3, idf(3, 2), weight=1.5)


def test_a_field_that_nobody_has_does_no_harm() -> None:
    assert search(documents(a="fox"), ["fox"], {"text": 1.0, "note": 2.0}) == [("a", idf(1, 1))]


def test_the_sum_runs_over_fields_then_query_terms() -> None:
    index = {"a": Document({"x": ["p", "q"], "y": ["q", "p"]}), "b": Document({"y": ["r"]})}
    explanation = explain(index, ["q", "p", "q"], "a", {"y": 0.3, "x": 0.7})
    assert [(part.field, part.term) for part in explanation.parts] == [
        ("y", "q"), ("y", "p"), ("y", "q"), ("x", "q"), ("x", "p"), ("x", "q"),
    ]  # fmt: skip
    total = 0.0
    for part in explanation.parts:
        total += part.score
    assert explanation.sum == total == explanation.score


def test_boost_by_label() -> None:
    index = {
        "a": Document({"text": ["fox"]}, label="Definition"),
        "b": Document({"text": ["fox"]}),
        "c": Document({"text": ["owl"]}, label="Definition"),
    }
    plain = search(index, ["fox"], {"text": 1.0})
    assert [name for name, _ in plain] == ["a", "b"]
    assert plain[0][1] == plain[1][1]
    boosted = search(index, ["fox"], {"text": 1.0}, boosts={"Definition": 1.3})
    assert boosted == [("a", plain[0][1] * 1.3), ("b", plain[1][1])]
    assert explain(index, ["fox"], "a", {"text": 1.0}, boosts={"Definition": 1.3}).boost == 1.3
    assert explain(index, ["fox"], "b", {"text": 1.0}, boosts={"Definition": 1.3}).boost is None
    assert search(index, ["fox"], {"text": 1.0}, boosts={"Definition": 0.0}) == [("b", plain[1][1])]


def test_a_low_score_is_a_score() -> None:
    ((name, score),) = search(documents(a="fox"), ["fox"], {"text": 1e-6})
    assert (name, score) == ("a", term_score(1, 1, 1.0, idf(1, 1), weight=1e-6))


def test_nothing_is_found_by_weight_zero_or_by_no_terms() -> None:
    index = documents(a="fox")
    assert search(index, ["fox"], {"text": 0.0}) == []
    assert search(index, [], {"text": 1.0}) == []
    assert search({}, ["fox"], {"text": 1.0}) == []
    assert explain(index, ["owl"], "a", {"text": 1.0}).score == 0.0


def test_ties_by_code_point_and_k() -> None:
    index = documents(b="fox", é="fox", B="fox", a="fox")
    assert [name for name, _ in search(index, ["fox"], {"text": 1.0})] == ["B", "a", "b", "é"]
    assert [name for name, _ in search(index, ["fox"], {"text": 1.0}, k=2)] == ["B", "a"]


def test_a_search_knows_only_its_cells() -> None:
    inside = {"a": Document({"text": ["fox"]}, "x"), "b": Document({"text": ["owl", "fox"]}, "y")}
    outside = {"c": Document({"text": ["fox"] * 9}, "z"), "d": Document({"text": ["ant"]}, "z")}
    weights = {"text": 1.0}
    alone = search(inside, ["fox"], weights)
    assert search(inside | outside, ["fox"], weights, cells={"x", "y"}) == alone != []
    assert search(inside | outside, ["fox"], weights) != alone
    assert search(inside, ["fox"], weights, cells=set()) == []
    with pytest.raises(KeyError):
        explain(inside | outside, ["fox"], "c", weights, cells={"x", "y"})
