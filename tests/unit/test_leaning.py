"""The order of turns in a filled context: each thing that speaks for a turn, and what stays where it is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from byheart import Analyzer, Memory, Record, errors
from byheart._core import Handful
from byheart.conversation.candidates import Candidate
from byheart.conversation.filling import Filling
from byheart.conversation.leaning import Leaning, leaned

NONE = Leaning(near=0.0, kin=0.0, speaker=0.0, asking=0.0, rich=0.0)


WHOLE = Analyzer(stem=False, stop_words=None)


def turn(id: str, text: str, worth: float, session: str | None = "s", **given: Any) -> Candidate:
    record = Record(text=text, id=id, tenant="t", scope="p", boundary_class="internal", session_id=session,
                    created_at=float(len(given.pop("at", id))), **given)  # fmt: skip
    return Candidate(record, worth, None, worth)


def order(candidates: Sequence[Candidate], question: str, how: Leaning) -> list[str]:
    return [each.record.id or "" for each in leaned(candidates, question, how, WHOLE)]


def test_without_leaning_all_stays_as_it_is() -> None:
    given = [turn("a", "Ann: kettle?", 1.0), turn("b", "Bob: sea", 0.5), turn("c", "Ann: kettle", 0.4)]
    assert leaned(given, "what did Ann say of the kettle?", NONE, WHOLE) == given
    assert leaned([], "kettle", Leaning(), WHOLE) == []
    nothing = [turn("a", "kettle", 0.0), turn("b", "kettle kettle", 0.0)]
    assert leaned(nothing, "kettle", Leaning(), WHOLE) == nothing, (
        "where the best is worth nothing, so is a share of it"
    )


def test_what_was_told_around_a_turn_speaks_for_it() -> None:
    given = [
        turn("a", "sea", 1.0, "other"), turn("b", "tea", 0.5, "far"), turn("c", "cup", 0.45),
        turn("cc", "kettle", 0.4), turn("ccc", "hot", 0.35),
    ]  # fmt: skip
    assert order(given, "kettle", replace(NONE, near=0.2)) == ["a", "c", "ccc", "b", "cc"]
    found = {each.record.id: each.worth for each in leaned(given, "kettle", replace(NONE, near=0.2), WHOLE)}
    assert found == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.65, "cc": 0.4, "ccc": 0.55})


def test_further_turns_speak_less_and_the_fifth_nothing() -> None:
    row = [turn("x" * (at + 1), "kettle" if at == 0 else f"word{at}", 0.5) for at in range(6)]
    found = {each.record.id: each.worth for each in leaned(row, "kettle", replace(NONE, near=0.2), WHOLE)}
    more = [found["x" * (at + 1)] - 0.5 for at in range(6)]
    assert more == pytest.approx([0.0, 0.1, 0.07, 0.049, 0.0343, 0.0])


def test_words_shared_with_the_best_speak_for_a_turn() -> None:
    best = [turn(f"b{at}", f"kettle copper number{at}", 1.0 - at / 100) for at in range(10)]
    others = [turn("x", "sea shell", 0.3), turn("y", "copper pot", 0.29), turn("z", "shell of a snail", 0.28)]
    assert order([*best, *others], "kettle", replace(NONE, kin=0.15))[-3:] == ["y", "x", "z"]
    assert order([*best, *others], "copper kettle", replace(NONE, kin=0.15))[-3:] == ["x", "y", "z"], (
        "not the question's"
    )


def test_who_is_named_is_preferred() -> None:
    given = [turn("a", "Ann: sea", 1.0), turn("b", "Bob: kettle", 0.5), turn("c", "Ann: tea", 0.4)]
    assert order(given, "what did Ann like?", replace(NONE, speaker=0.15)) == ["a", "c", "b"]
    assert order(given, "what is liked?", replace(NONE, speaker=0.15)) == ["a", "b", "c"]


@pytest.mark.parametrize(("text", "first"), [("Is it blue?", "b"), ("青い？ ", "b"), ("Is it? Yes.", "a")])
def test_a_turn_that_ends_in_a_question_says_less(text: str, first: str) -> None:
    given = [turn("a", text, 1.0), turn("b", "It is blue.", 0.95)]
    assert order(given, "is it blue?", replace(NONE, asking=0.1))[0] == first


def test_rare_words_for_its_length_speak_for_a_turn() -> None:
    common = [turn(f"c{at}", "well well that is so nice", 0.5) for at in range(5)]
    rich = turn("r", "Lisbon harbour at dawn, ferry", 0.48)
    found = leaned([*common, rich], "kettle", replace(NONE, rich=0.1), WHOLE)
    assert found[0].record.id == "r" and found[0].worth == pytest.approx(0.53), "twice the usual at most"


def test_the_same_rare_words_speak_less_for_a_turn_that_takes_longer_to_say_them() -> None:
    common = [turn(f"c{at}", "well well that is so nice", 0.5) for at in range(5)]
    brief, wordy = turn("r", "Lisbon harbour ferry", 0.48), turn("rr", f"Lisbon harbour ferry{'.' * 400}", 0.48)
    found = {
        each.record.id: each.worth for each in leaned([*common, brief, wordy], "kettle", replace(NONE, rich=0.1), WHOLE)
    }
    assert found["r"] > 0.48 > found["rr"]


def test_what_is_no_turn_stays_where_it_stands() -> None:
    note, summary = turn("n", "A note.", 0.6, None), turn("s", "A summary.", 0.55, kind="summary")
    given = [turn("a", "Bob: sea", 1.0), note, turn("b", "Bob: tea", 0.58), summary, turn("c", "Ann: tea", 0.5)]
    found = leaned(given, "what did Ann say?", replace(NONE, speaker=0.15), WHOLE)
    assert [each.record.id for each in found] == ["a", "n", "c", "s", "b"]
    assert (found[1], found[3]) == (note, summary)


def test_a_durable_copy_counts_as_the_turn_that_it_is_of() -> None:
    copy = turn("d", "Ann: tea", 0.5, None, provenance={"session_id": "s", "source_id": "c"})
    given = [turn("a", "Bob: sea", 1.0), turn("b", "Bob: tea", 0.58), copy]
    assert order(given, "what did Ann say?", replace(NONE, speaker=0.15)) == ["a", "d", "b"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Leaning(near=1.1), "near: is 1.1"),
        (lambda: Leaning(kin=-0.1), "kin: is -0.1"),
        (lambda: Leaning(asking=1.0), "asking: is 1.0"),
        (lambda: Filling(deep=0), "deep: is 0"),
        (lambda: Filling(deep=1_000), "deep: is 1000"),
    ],
)
def test_what_is_no_leaning_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        make()
    with pytest.raises(TypeError, match="leaning must be a Leaning"):
        Filling(leaning="near")  # type: ignore[arg-type]


def test_texts_score_as_the_formula_says() -> None:
    said = ["tea tea sea", "tea", "sea cup cup cup", ""]
    texts = Handful(WHOLE, said)

    def idf(term: str) -> float:
        n = sum(term in other.split() for other in said)
        return math.log(1 + (len(said) - n + 0.5) / (n + 0.5))

    def slowly(wanted: Sequence[str], text: str) -> float:
        total = 0.0
        for term in wanted:
            often, length = text.split().count(term), len(text.split()) / 2.0
            total += idf(term) * often * 1.6 / (often + 0.6 * (0.7 + 0.3 * length))
        return total

    for wanted in (["tea", "cup"], ["tea", "unheard"], ["cup", "cup", "sea"]):
        most = 1.6 * sum(map(idf, wanted))
        assert texts.shares(wanted) == pytest.approx([slowly(wanted, text) / most for text in said])
    assert texts.lengths == [3, 1, 4, 0]
    assert Handful(WHOLE, ["", ""]).shares(["tea"]) == [0.0, 0.0] and texts.shares([]) == [0.0] * 4


def test_a_handful_of_no_texts_or_with_too_few_numbers() -> None:
    none = Handful(WHOLE, [])
    assert none.shares(["tea"]) == none.kin([], ["tea"]) == none.rich() == none.lengths == []
    with pytest.raises(errors.InvalidArgument, match="worth: has 1 numbers for 2 texts"):
        Handful(WHOLE, ["tea", "sea"]).kin([1.0], [])
    with pytest.raises(TypeError, match="texts must be a list, not one str"):
        Handful(WHOLE, "tea")


def test_a_context_says_by_what_worth_it_was_filled() -> None:
    memory = Memory()
    for at, text in enumerate(["Bob: the kettle is blue", "Ann: the kettle is red", "Bob: lovely, is it not?"]):
        memory.ingest_turn(text, session_id="s", user_id="u", id=f"t{at}", now=at, durable="none")
    context = memory.context("which kettle does Ann like?", 200, user_id="u")
    worth = [row.worth for row in context.receipt]
    assert None not in worth and worth == sorted(worth, key=lambda one: -(one or 0.0))
    assert next(row.id for row in context.receipt) == "t1"
    scores = {hit.id: hit.score for hit in memory.recall("which kettle does Ann like?", user_id="u")}
    assert all(entry.score == scores[entry.id] for entry in context.entries if entry.score is not None)
    plain = memory.context("which kettle does Ann like?", 200, user_id="u", policy="first_fit")
    assert {row.worth for row in plain.receipt} == {None}
