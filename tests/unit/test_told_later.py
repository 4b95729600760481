"""Statements of later sessions go before earlier ones that hold the question's words as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory
from byheart.patterns.replacing import holding_later
from byheart.ranking.told_later import later_first, moves_any

DAY = 86_400.0
START = 1.76e9


def told(*turns: str, one_session: bool = False, users: str = "") -> Memory:
    """Return a memory of turns, each of a day, and of a session of its own unless it is all one."""
    memory = Memory()
    for day, text in enumerate(("My bike is blue.", *turns, "Soup is ready, and the table is set.")):
        at = START + day * DAY
        user = users[day] if users else "u"
        session = f"{user}{0 if one_session else day}"
        memory.ingest_turn(text, session_id=session, user_id=user, created_at=at, now=at)
    return memory


def found(memory: Memory, question: str, k: int = 5, days: int = 30) -> list[str]:
    return [hit.text for hit in memory.recall(question, k, user_id="u", now=START + days * DAY)]


GATE, OPEN = "The north gate is closed for now.", "Painters are done, the north gate is open."
PAIRS = [
    ("What about the north gate?", GATE, OPEN),
    (
        "When is the choir rehearsal?",
        "The choir rehearsal is planned for June.",
        "The choir rehearsal won't take place.",
    ),
    ("Who leads the book club?", "Ulf leads the book club.", "Ann leads the book club now."),
    ("Wer ist unser Trainer?", "Unser Trainer ist Bernd.", "Bernd hat aufgehört, unser Trainer heißt Sven."),
]


@pytest.mark.parametrize(("question", "older", "newer"), PAIRS)
def test_a_statement_of_a_later_session_that_fits_as_well_comes_first(question: str, older: str, newer: str) -> None:
    memory = told(older, newer)
    assert found(memory, question)[:2] == [newer, older]
    assert found(memory, question, 1) == [newer]
    first = memory.recall(question, user_id="u", now=START + 30 * DAY)[0]
    assert "was said later, " in str(memory.explain(question, first.id, user_id="u", now=START + 30 * DAY))


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Which gate was closed before?", GATE, OPEN),
        (
            "When is Rosa's birthday party?",
            "Rosa's birthday party is on 3 June.",
            "Paul's birthday party is on 9 July.",
        ),
        ("Who is my dentist?", "My dentist is Dr. Vogel.", "The dentist moved my appointment to 9 May."),
        ("Is the north gate open?", "The north gate is open.", "When will the north gate be open?"),
    ],
)
def test_one_that_answers_something_else_does_not(question: str, older: str, newer: str) -> None:
    assert found(told(older, newer), question)[0] == older


@pytest.mark.parametrize("explain", [False, True])
def test_one_that_says_less_of_the_question_stays_behind(*, explain: bool) -> None:
    older, newer = "The north gate is open on Sundays.", "The north gate is green."
    memory, question = told(older, newer), "Is the north gate open on Sundays?"
    hits = memory.recall(question, user_id="u", now=START + 30 * DAY, min_strength=0.0, explain=explain)
    assert {older, newer} <= {hit.text for hit in hits}
    assert all("in another session" not in str(hit.explanation) for hit in hits)


@pytest.mark.parametrize(("one_session", "users"), [(True, ""), (False, "uubu")])
def test_of_one_session_and_of_another_user_none_goes_before(one_session: bool, users: str) -> None:
    memory, question = told(GATE, OPEN, one_session=one_session, users=users), "What about the north gate?"
    for hit in memory.recall(question, user_id="u", now=START + 30 * DAY):
        assert "was said later" not in str(memory.explain(question, hit.id, user_id="u", now=START + 30 * DAY))


def test_scores_stay_and_a_smaller_k_is_a_prefix() -> None:
    memory = told(GATE, OPEN)
    whole = memory.recall("Is the north gate open?", 9, user_id="u", now=START + 30 * DAY)
    for k in range(1, 4):
        few = memory.recall("Is the north gate open?", k, user_id="u", now=START + 30 * DAY)
        assert [(hit.id, hit.score) for hit in few] == [(hit.id, hit.score) for hit in whole][:k]


def test_who_asks_for_a_time_gets_one_that_adds_a_time_alone() -> None:
    older, newer = "The dentist wants to see me.", "The dentist has time on 9 May."
    assert holding_later("When is the dentist?")(newer, older) and not holding_later("Who is the dentist?")(
        newer, older
    )
    assert holding_later("Who is the coach?")("From May on Ann is the coach.", "The coach is Ulf.")


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("What is the parking fee?", "The parking fee is 40 euros a month.", "The parking fee is 55 euros from May."),
        ("Which locker do I have?", "I have locker 17 at the pool.", "I have locker 31 at the pool since 2 June."),
        ("Wie hoch ist mein Gehalt?", "Mein Gehalt ist 3000 Euro.", "Mein Gehalt ist 3200 Euro ab 1. Juli."),
        ("Quel est le tarif ?", "Le tarif est de 12 euros.", "Le tarif est de 14 euros depuis janvier 2026."),
    ],
)
def test_a_new_amount_with_a_date_beside_it_is_no_time_alone(question: str, older: str, newer: str) -> None:
    assert holding_later(question)(newer, older)
    assert found(told(older, newer), question, days=400)[0] == newer


@pytest.mark.parametrize("time", ["9 May", "the 9th of May", "Friday at 9", "9.5.2027", "May 9, 2027"])
def test_a_number_of_a_date_is_part_of_a_time_alone(time: str) -> None:
    assert not holding_later("Is the exam hard?")(f"The exam takes place on {time}.", "The exam is hard.")
    assert not holding_later("How much is the exam?")(f"The exam is on {time}.", "The exam costs 90 euros.")


def test_each_goes_before_the_first_that_it_is_later_than() -> None:
    pairs = {("c", "b"), ("b", "a")}
    assert later_first(["a", "b", "c"], "abc", lambda *two: two in pairs) == (["c", "b", "a"], {"c": "b", "b": "a"})
    assert later_first(["a", "b", "c"], "abc", lambda *two: two == ("c", "a")) == (["c", "a", "b"], {"c": "a"})
    assert later_first(["a", "b", "c"], "ab", lambda *two: True) == (["b", "a", "c"], {"b": "a"})


def test_what_the_session_says_in_which_is_asked_stays_before_what_another_one_says_later() -> None:
    memory, rooms = Memory(), ("kitchen", "bathroom")
    for day, room in enumerate(rooms):
        text = f"For the {room} we have a budget of {5 + 4 * day}000 euros."
        memory.ingest_turn(text, session_id=room, user_id="u", created_at=START + day * DAY, now=START + day * DAY)
    for asked, first in {"kitchen": "kitchen", "bathroom": "bathroom", None: "bathroom"}.items():
        for explain in (False, True):
            hits = memory.recall(
                "What budget do we have?", user_id="u", session_id=asked, now=START + 9 * DAY, explain=explain
            )
            assert first in hits[0].text, (asked, explain)


BOSS, NEW_BOSS = "My boss is Ingrid.", "Ingrid left the company, my new boss is Farid."
LISTENS = "As a boss Farid listens to me."  # which says of no change


def copies(hours: float, newer: str = NEW_BOSS) -> Memory:
    """Return a memory of two sessions that were compacted: what they said stands in durable copies alone."""
    memory = Memory()
    for session, text, at in (("a", BOSS, START), ("b", newer, START + 3_600 * hours)):
        memory.ingest_turn(text, session_id=session, user_id="u", created_at=at, now=at)
        memory.ingest_turn(f"I like whales {session}.", session_id=session, user_id="u", created_at=at + 9, now=at + 9)
    for session in "ab":
        memory.compact(session, force=True)
    return memory


@pytest.mark.parametrize("explain", [False, True])
def test_of_durable_copies_whose_sessions_were_compacted_the_later_comes_first(explain: bool) -> None:
    memory, question = copies(24), "Who is my boss?"
    hits = memory.recall(question, user_id="u", now=START + 30 * DAY, explain=explain).hits
    assert [hit.text for hit in hits[:2]] == [NEW_BOSS, BOSS]
    assert {hit.record.kind for hit in hits[:2]} == {"memory"} and {hit.record.session_id for hit in hits[:2]} == {None}


def test_of_copies_of_one_afternoon_nobody_knows_whether_it_was_one_session() -> None:
    assert found(copies(2, LISTENS), "Who is my boss?")[0] == BOSS
    assert found(copies(48, LISTENS), "Who is my boss?")[0] == LISTENS


@given(
    st.permutations("abcdefgh"),
    st.sets(st.sampled_from("abcdefgh")),
    st.sets(st.tuples(*[st.sampled_from("abcdefgh")] * 2)),
)
def test_each_goes_before_the_first_that_it_was_told_later_than(
    ordered: list[str], among: set[str], pairs: set[tuple[str, str]]
) -> None:
    def plainly(later: Callable[[str, str], bool]) -> tuple[list[str], dict[str, str]]:
        final, passed = list[str](), dict[str, str]()
        for row in ordered:
            found = [key for key in final if row in among and key in among and later(row, key)]
            if found:
                passed[row] = found[0]
            final.insert(final.index(found[0]) if found else len(final), row)
        return final, passed

    def later(one: str, key: str) -> bool:
        return (one, key) in pairs

    found = later_first(ordered, among, later)
    assert found == plainly(later)
    assert moves_any(ordered, among, later) is bool(found[1])


def test_no_pair_is_looked_at_behind_the_first_that_moves() -> None:
    looked: list[tuple[int, int]] = []

    def later(one: int, key: int) -> bool:
        looked.append((one, key))
        return one == 3

    assert moves_any(range(1_000), range(1_000), later)
    assert len(looked) == 4
