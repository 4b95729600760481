"""Summaries without a model: what passes for one, functions, extracts, and what a summary preserves."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.errors import DimensionMismatch, DuplicateId, InvalidArgument, LimitExceeded, ModelError, SummaryError
from byheart.summarising import (
    ExtractiveSummariser,
    FunctionSummariser,
    Preservation,
    Summariser,
    Summary,
    Turn,
    check_turns,
    confidence_of,
    extract,
    extractive_count,
    preservation,
)

TURNS = [Turn("a", " the kettle "), Turn("b", "is hot"), Turn("c", "at last\n")]


# ---- a summary


@pytest.mark.parametrize("text", ["", " \n\t", None, b"tea"])
def test_a_summary_has_a_text(text: Any) -> None:
    with pytest.raises(SummaryError, match=r"by hand: gave .*text"):
        Summary(text, 0.5, "by hand", ("a",))


@pytest.mark.parametrize("confidence", [-0.1, 1.1, math.nan, math.inf, True, None, "0.5"])
def test_a_summary_has_a_confidence(confidence: Any) -> None:
    with pytest.raises(SummaryError, match="by hand: gave the confidence"):
        Summary("tea", confidence, "by hand", ("a",))


def test_a_summary_can_be_stored() -> None:
    with pytest.raises(SummaryError, match="by hand: text: holds a lone surrogate"):
        Summary("tea \ud800", 0.5, "by hand", ("a",))


@pytest.mark.parametrize(
    ("turns", "error"),
    [
        ([], InvalidArgument),
        ("tea", TypeError),
        (None, TypeError),
        (["tea"], TypeError),
        ([("a", None)], TypeError),
        ([("a", "tea", "hot")], TypeError),
        ([("", "tea")], InvalidArgument),
        ([("a", "\udfff")], InvalidArgument),
        ([("a", "tea"), ("a", "hot")], DuplicateId),
        ([("i" * 513, "tea")], LimitExceeded),
        ([("a", "x" * 10_000_001)], LimitExceeded),
    ],
)
def test_turns_are_checked_before_anything_runs(turns: Any, error: type[Exception]) -> None:
    def called(_: Sequence[Turn]) -> tuple[str, float]:
        raise AssertionError("the function ran")

    for summariser in (FunctionSummariser(called, "called"), ExtractiveSummariser(HashingEmbedder())):
        assert isinstance(summariser, Summariser)
        with pytest.raises(error):
            summariser.summarise(turns)


@pytest.mark.parametrize(
    ("turns", "named"), [("tea", "str"), (None, "NoneType"), (7, "int"), ([["a", "tea"]], "list"), ([{}], "dict")]
)
def test_what_is_no_turn_is_named(turns: Any, named: str) -> None:
    with pytest.raises(TypeError, match=f"not {named}$"):
        check_turns(turns)


def test_pairs_are_turns() -> None:
    assert check_turns(iter([("a", "tea")])) == (Turn("a", "tea"),)


# ---- confidence


def test_confidence_is_the_geometric_mean_of_probabilities() -> None:
    assert confidence_of([math.log(0.5), math.log(0.125)]) == pytest.approx(0.25, abs=1e-15)
    assert confidence_of(np.float32([-1, -3])) == confidence_of([-2]) == pytest.approx(math.exp(-2), abs=1e-15)
    assert confidence_of([-1e308, -1e308]) == confidence_of([-math.inf]) == 0.0
    assert confidence_of(iter([])) == 0.0


@pytest.mark.parametrize("value", [0.1, math.nan, math.inf, None, "x", True])
def test_what_is_no_log_probability_is_refused(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="log-probability 1: is"):
        confidence_of([-1.0, value])


# ---- functions


def answering(answer: Any) -> FunctionSummariser:
    return FunctionSummariser(lambda turns: answer, "mine")


def test_a_function_gets_the_turns_in_their_order() -> None:
    seen: list[Sequence[Turn]] = []

    def joined(turns: Sequence[Turn]) -> tuple[str, float]:
        seen.append(turns)
        return "\n" + " ".join(turn.text.strip() for turn in turns) + " ", 0.25

    summary = FunctionSummariser(joined, "joined").summarise(TURNS)
    assert seen == [tuple(TURNS)]
    assert summary == Summary("the kettle is hot at last", 0.25, "joined", ("a", "b", "c"))


@pytest.mark.parametrize(
    ("sureness", "confidence"),
    [(1, 1.0), (0.0, 0.0), (np.float32(0.5), 0.5), ([0.0], 1.0), ([], 0.0), (np.zeros(3), 1.0), ((-745.0,), 5e-324)],
)
def test_a_function_gives_a_confidence_or_log_probabilities(sureness: Any, confidence: float) -> None:
    assert answering(("tea", sureness)).summarise(TURNS).confidence == confidence


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (("", 0.5), "mine: gave a blank text"),
        ((" \n", [-1.0]), "mine: gave a blank text"),
        (("tea", math.nan), "mine: gave the confidence nan"),
        (("tea", 1.5), "mine: gave the confidence 1.5"),
        (("tea", -0.5), "mine: gave the confidence -0.5"),
        (("tea", True), "mine: gave the confidence True"),
        (("tea", [math.nan]), "mine: gave a log-probability 0: is nan"),
        (("tea", [-1.0, 0.5]), "mine: gave a log-probability 1: is 0.5"),
        (("tea", "0.5"), "mine: gave str for a confidence"),
        (("tea", None), "mine: gave NoneType for a confidence"),
        (("tea",), "mine: returned tuple"),
        ((None, 0.5), "mine: returned tuple"),
        ("tea", "mine: returned str"),
        (None, "mine: returned NoneType"),
    ],
)
def test_a_wrong_answer_names_the_summariser(answer: Any, said: str) -> None:
    with pytest.raises(SummaryError, match=said):
        answering(answer).summarise(TURNS)


def test_what_a_function_raises_is_the_callers() -> None:
    def failing(turns: Sequence[Turn]) -> tuple[str, float]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        FunctionSummariser(failing, "failing").summarise(TURNS)


@pytest.mark.parametrize(("name", "error"), [("", InvalidArgument), (" ", InvalidArgument), (None, TypeError)])
def test_a_summariser_has_a_name(name: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="name"):
        FunctionSummariser(lambda turns: ("tea", 1.0), name)


def test_a_function_is_called() -> None:
    with pytest.raises(TypeError, match="callable"):
        FunctionSummariser("tea", "mine")  # type: ignore[arg-type]


# ---- extracts


def test_an_extract_is_the_turns_nearest_to_the_middle() -> None:
    summary = extract(TURNS, [[1, 0], [0.75, 0.25], [0, 1]], 0.5)
    assert (summary.text, summary.source_ids, summary.method) == ("the kettle is hot", ("a", "b"), "extractive")
    assert not summary.truncated


def test_an_extract_may_be_the_turns_that_say_the_most_different_words() -> None:
    said = ["tea is hot", "the tea is hot", "the sea is cold and green", "cold tea"]
    turns = [Turn(f"t{at}", text) for at, text in enumerate(said)]
    assert extract(turns, [[1.0]] * 4, 0.5, choice="words").source_ids == ("t0", "t2")
    assert ExtractiveSummariser(HashingEmbedder(), 0.25, choice="words").summarise(turns).text == said[2]
    with pytest.raises(InvalidArgument, match="choice: is 'best'; use 'middle' or 'words'"):
        extract(turns, [[1.0]] * 4, choice="best")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="choice: is 'best'"):
        ExtractiveSummariser(HashingEmbedder(), choice="best")  # type: ignore[arg-type]


def test_an_extract_of_blank_turns_is_refused() -> None:
    with pytest.raises(SummaryError, match="extractive: gave a blank text"):
        extract([Turn("a", " "), Turn("b", "tea")], [[1.0], [0.5]])  # equal cosines: the first is chosen


def test_turns_without_a_vector_score_nothing() -> None:
    summary = extract(TURNS, [None, [0.0, 0.0, 0.0], [1.0, 0.0]], 0.4)
    assert (summary.source_ids, summary.confidence) == (("a", "b"), 0.0)  # the middle has three dimensions, all zero
    summary = extract(TURNS, [None, [2.0, 0.0], [1.0]], 0.1)
    assert (summary.source_ids, summary.confidence) == (("b",), 1.0)
    assert extract(TURNS, [None] * 3).confidence == 0.0


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        ([[1.0]] * 2, "vectors: are 2 for 3 turns"),
        ([[1.0], [math.nan], [1.0]], "vector of turn 1: holds NaN"),
        ([[1.0], [1.0], [math.inf]], "vector of turn 2: holds NaN, an infinity"),
        ([[1e39], [1.0], [1.0]], "vector of turn 0: .* float32 cannot hold"),
        ([[[1.0]], [1.0], [1.0]], r"vector of turn 0: has shape \(1, 1\)"),
        (["tea", [1.0], [1.0]], "vector of turn 0: is no vector"),
        ([[1.0, [2.0]], [1.0], [1.0]], "vector of turn 0: is no vector"),
    ],
)
def test_vectors_that_are_none_are_refused(vectors: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        extract(TURNS, vectors)


def test_vectors_of_any_type_of_number_are_taken() -> None:
    rows = np.array([[1, 0], [3, 1], [0, 4]])
    expected = extract(TURNS, rows.tolist())
    for dtype in ("int8", "float16", "float32", "float64"):
        assert extract(TURNS, list(rows.astype(dtype))) == expected


@pytest.mark.parametrize("turns", [0, -1])
def test_no_turns_have_no_extract(turns: int) -> None:
    with pytest.raises(InvalidArgument, match="at least one"):
        extractive_count(turns)


@pytest.mark.parametrize("density", [0.0, -0.1, 1.01, math.nan])
def test_a_summariser_is_given_a_share(density: float) -> None:
    with pytest.raises(InvalidArgument, match="density"):
        ExtractiveSummariser(HashingEmbedder(), density)


@pytest.mark.parametrize("density", [None, "0.4", True])
def test_a_share_is_a_number(density: Any) -> None:
    with pytest.raises(TypeError, match="density must be a number"):
        ExtractiveSummariser(HashingEmbedder(), density)


class OneHot:
    """Embeds a text as the unit vector of its length; tells which mode it was asked in."""

    dimensions = 16
    fingerprint = Fingerprint("one hot", 16, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return np.eye(16, dtype=np.float32)[[len(text) for text in texts]]

    def embed_queries(self, texts: Sequence[str]) -> Any:
        raise AssertionError("turns are documents")


def test_turns_are_embedded_as_documents_and_as_they_are() -> None:
    turns = [Turn("a", "tea "), Turn("b", "tea"), Turn("c", "hot ")]
    assert ExtractiveSummariser(OneHot(), 0.6).summarise(turns).source_ids == ("a", "c")


def test_an_embedder_that_fails_is_not_hidden() -> None:
    class Broken(OneHot):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            return np.full((len(texts), 16), np.nan, np.float32)

    with pytest.raises(ModelError, match="text 0: holds NaN"):
        ExtractiveSummariser(Broken()).summarise(TURNS)


# ---- preservation


def test_a_written_summary_is_accepted_by_its_alignment_alone() -> None:
    found = preservation([0.0, 1.0], [[1.0, 0.0], [-1.0, 0.5]])
    assert (found.alignment, found.accepted(), found.accepted(1.1)) == (1.0, True, False)
    assert found.confidence == (1.0 + found.coverage) / 2
    assert (Preservation(0.649, 1.0).accepted(), Preservation(0.65, 0.0).accepted()) == (False, True)


def test_the_final_confidence_is_mostly_preservation() -> None:
    found = Preservation(alignment=0.9, coverage=0.7)
    assert found.final_confidence() == found.confidence == pytest.approx(0.8, abs=1e-15)
    assert found.final_confidence(0.0) == pytest.approx(0.64, abs=1e-15)
    assert Preservation(1.0, 1.0).final_confidence(1.0) == 1.0
    assert Preservation(-1.0, 0.0).confidence == 0.0


@pytest.mark.parametrize("own", [-0.1, 1.1, math.nan])
def test_a_confidence_of_its_own_is_a_share(own: float) -> None:
    with pytest.raises(InvalidArgument, match="own"):
        Preservation(1.0, 1.0).final_confidence(own)


@pytest.mark.parametrize(
    ("summary", "vectors", "error"),
    [
        ([1.0], [], InvalidArgument),
        ([1.0], [[1.0, 0.0]], DimensionMismatch),
        ([1.0, 0.0], [[1.0, 0.0], None], DimensionMismatch),
        ([math.nan], [[1.0]], InvalidArgument),
        ([1.0], [[math.inf]], InvalidArgument),
        (None, [[1.0]], InvalidArgument),
    ],
)
def test_preservation_is_of_vectors_of_one_model(summary: Any, vectors: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        preservation(summary, vectors)


def test_nothing_preserves_nothing() -> None:
    assert preservation([0.0, 0.0], [[1.0, 0.0]]) == Preservation(0.0, 0.0)
