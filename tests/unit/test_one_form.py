"""Statements of one form that say the same of the same thing with another value: the newest first, however many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.recall import newest
from byheart.recall.newest import fills, forms_that_fill

DAY = 86_400.0
START = 1.767e9
Told = list[tuple[str, float]]


def noted(memory: Memory, told: Told) -> None:
    for number, (text, at) in enumerate(told):
        memory.remember(text, id=f"n{number:04}", user_id="u", created_at=at)


def noted_at_once(memory: Memory, told: Told) -> None:
    rows = enumerate(told)
    memory.remember_many(
        [{"text": text, "id": f"n{at:04}", "user_id": "u", "created_at": time} for at, (text, time) in rows]
    )


def noted_backwards(memory: Memory, told: Told) -> None:
    noted(memory, told[::-1])


def in_sessions(memory: Memory, told: Told) -> None:
    for number, (text, at) in enumerate(told):
        memory.ingest_turn(text, session_id=f"s{number}", user_id="u", created_at=at)


def in_one_session(memory: Memory, told: Told) -> None:
    for text, at in told:
        memory.ingest_turn(text, session_id="s", user_id="u", created_at=at)


WAYS = [noted, noted_at_once, noted_backwards, in_sessions, in_one_session]
WEIGHTS = [f"I weigh {90 - week / 10:.1f} kg today." for week in range(130)]


def weekly(texts: list[str]) -> Told:
    return [(text, START + 7 * DAY * week) for week, text in enumerate(texts)]


def asked(memory: Memory, question: str, k: int = 10, **options: Any) -> list[str]:
    return [hit.text for hit in memory.recall(question, k, user_id="u", now=START + 2_000 * DAY, **options)]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("many", [2, 10, 17, 18, 40, 130])
def test_of_a_value_that_is_told_every_week_the_newest_come_first(
    how: Callable[[Memory, Told], None], many: int
) -> None:
    memory = Memory()
    how(memory, weekly(WEIGHTS[:many]))
    newest = WEIGHTS[:many][:-11:-1]
    assert asked(memory, "how much do I weigh?") == newest
    assert asked(memory, "how much do I weigh?", 1) == newest[:1]
    assert asked(memory, "how much do I weigh?", explain=True) == newest


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("many", [17, 40])
def test_so_they_do_by_meaning_where_the_words_of_the_question_tell_most(
    how: Callable[[Memory, Told], None], many: int
) -> None:
    memory = Memory(embedder=HashingEmbedder())
    told = [f"The next retro of the gardeners is in room {room}." for room in range(many)]
    how(memory, weekly(told))
    memory.remember("The minutes are on a shelf.", user_id="u")
    assert asked(memory, "in which room is the next retro of the gardeners?") == told[:-11:-1]


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.db"])
def test_so_they_do_in_a_file_that_is_opened_again(tmp_path: Path, name: str) -> None:
    with Memory(tmp_path / name) as memory:
        in_sessions(memory, weekly(WEIGHTS[:30]))
    with Memory(tmp_path / name) as memory:
        assert asked(memory, "how much do I weigh?", 3) == WEIGHTS[29:26:-1]


RENTS = [f"My rent is {rent} euros." for rent in (900, 910, 915, 925, 930, 940, 955, 960, 975, 990, 1005, 1020)]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("question", ["how much is my rent?", "what is my rent now?", "what's my current rent?"])
def test_a_context_of_few_tokens_holds_the_newest(how: Callable[[Memory, Told], None], question: str) -> None:
    memory = Memory()
    how(memory, weekly(RENTS))
    assert asked(memory, question, 3) == RENTS[:-4:-1]
    for budget in (12, 25, 40):
        told = memory.context(question, budget, user_id="u", now=START + 99 * DAY)
        assert RENTS[-1] in [entry.text for entry in told.entries]


def test_who_asks_for_one_of_them_gets_that() -> None:
    memory = Memory()
    in_sessions(memory, weekly(WEIGHTS[:40]))
    assert asked(memory, "when did I weigh 88.3 kg?", 1) == ["I weigh 88.3 kg today."]


def test_another_user_and_a_filter_bring_in_no_others() -> None:
    memory = Memory()
    noted(memory, weekly(WEIGHTS[:40]))
    memory.remember("I weigh 55.5 kg today.", user_id="v", created_at=START + 1_000 * DAY)
    assert asked(memory, "how much do I weigh?", 1) == WEIGHTS[39:40]
    first = [f"n{number:04}" for number in range(20)]
    assert asked(memory, "how much do I weigh?", 1, where={"id": first}) == WEIGHTS[19:20]


def test_lines_of_a_form_keep_their_scores_and_leave_others_their_places() -> None:
    memory = Memory()
    lines = [(f"worker {number} started", START + number) for number in range(80)]
    noted(memory, lines)
    memory.remember("The worker who started the strike was heard.", id="z", user_id="u", created_at=START)
    hits = memory.recall("which worker started?", 100, user_id="u")
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True) and len(hits) == 81
    assert [hit.id for hit in hits if hit.id != "z"] == [f"n{number:04}" for number in reversed(range(80))]
    assert asked(memory, "when did worker 7 start?", 1) == ["worker 7 started"]


def chores() -> list[dict[str, Any]]:
    did = (("cleaned", "kitchen"), ("cleaned", "bathroom"), ("painted", "kitchen"))
    rows = [(week, who, *what) for week in (1, 2, 3) for who in ("Ann", "Bob", "Carl") for what in did]
    return [
        {
            "text": f"{who} {verb} the {room} in week {week}.",
            "created_at": START + at * DAY,
            "id": f"{at:02}",
            "user_id": "u",
        }
        for at, (week, who, verb, room) in enumerate(rows)
    ]


def test_what_fits_the_question_in_full_stands_before_what_is_linked_and_fits_half() -> None:
    memory = Memory()
    memory.remember_many(chores())
    full = [f"{who} cleaned the kitchen in week 3." for who in ("Carl", "Bob", "Ann")]
    for explain in (False, True):
        assert asked(memory, "who cleaned the kitchen in week 3?", explain=explain)[:3] == full
        cleaned = asked(memory, "who cleaned the kitchen?", 9, explain=explain)
        assert cleaned == [each["text"] for each in reversed(chores()) if "cleaned the kitchen" in each["text"]]


@pytest.mark.parametrize("forwards", [True, False])
def test_one_call_gives_the_same_links_and_answers_in_whatever_order_its_records_come(*, forwards: bool) -> None:
    known, memory = Memory(), Memory()
    known.remember_many(chores())
    if forwards:
        memory.remember_many(chores()[::-1])
    else:
        for each in (*chores()[5:], *chores()[:5]):
            memory.remember(each)
    links = [{each.id: each.near_duplicates for each in of.records()} for of in (known, memory)]
    assert links[0] == links[1] and any(links[0].values())
    for question in ("who cleaned the kitchen?", "who painted the kitchen in week 2?", "what did Bob clean?"):
        assert asked(known, question) == asked(memory, question)


def test_half_a_search_that_is_equal_may_go_on_behind_it() -> None:
    hits = [("a", 2.0), *((id, 1.0) for id in "bcd")]
    assert fills(hits, 4) and not fills(hits, 5) and not fills([*hits[:3], ("d", 0.5)], 4)
    assert forms_that_fill(hits, [7.0, 7.0, 7.0, None], 4) == (7.0,)
    assert forms_that_fill(hits, [7.0, 7.0, float("nan"), None], 4) == ()
    assert fills([("a", 1.0), ("b", 1.0)], 2) and not fills([("a", 1.0), ("b", 0.0)], 2)
    four = [("a", 2.0), ("b", 2.0), ("c", 1.0), ("d", 1.0)]
    assert fills([*four, ("e", 1.0)], 5) and not fills([(id, score - 1.0) for id, score in four], 4)
    assert forms_that_fill(four, [9.0, 9.0, 3.0, 3.0], 4) == (3.0,), "of the equal ones"
    assert forms_that_fill(hits, [None, None, None, None], 4) == ()
    assert forms_that_fill(hits, [7.0, 8.0, 8.0, 8.0], 5) == ()
    equal = [(f"h{at:02}", 1.0) for at in range(14)]
    assert forms_that_fill(equal[:6], [8.0, 7.0, 7.0, 7.0, 8.0, 9.0], 6) == (7.0, 8.0)
    twice = [each for form in (1.0, 2.0, 3.0, 4.0, 5.0) for each in (form, form)]
    assert forms_that_fill(equal, [*twice, 5.0, 6.0, None, None], 14) == (5.0, 1.0, 2.0, 3.0)


@pytest.mark.parametrize(("most", "is_found"), [(130, True), (129, False)])
def test_of_a_form_that_more_records_have_none_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, most: int, is_found: bool
) -> None:
    monkeypatch.setattr(newest, "MOST_OF_ONE", most)
    memory = Memory()
    noted_at_once(memory, weekly(WEIGHTS))
    assert (asked(memory, "how much do I weigh?")[0] == WEIGHTS[-1]) is is_found
