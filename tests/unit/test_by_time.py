"""Questions that name a time and ask for nothing else are answered with what is of that time."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.ranking.curves import curve_of

NOW = "2026-03-15"
DIARY = {
    "2025-05-02": "Started the new job at Supercell.",
    "2025-05-17": "Ran the half marathon in 1:52.",
    "2025-06-02": "Bought a kettle.",
    "2026-03-14": "Planted the tomatoes.",
}


def diary(**options: object) -> Memory:
    memory = Memory(**options)  # type: ignore[arg-type]
    for day, text in DIARY.items():
        memory.remember(text, id=day, created_at=day)
    return memory


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what happened in May 2025?", ["2025-05-17", "2025-05-02"]),
        ("What did we do last May?", ["2025-05-17", "2025-05-02"]),
        ("what happened on 17 May 2025?", ["2025-05-17"]),
        ("anything new yesterday?", ["2026-03-14"]),
        ("yesterday", ["2026-03-14"]),
        ("2025年5月に何があった?", ["2025-05-17", "2025-05-02"]),
        ("昨日", ["2026-03-14"]),
        ("Was war im Mai 2025?", ["2025-05-17", "2025-05-02"]),
        ("Was haben wir gestern gemacht?", ["2026-03-14"]),
        ("Qu'est-ce qu'on a fait en juin 2025 ?", ["2025-06-02"]),
        ("¿Qué pasó en mayo de 2025?", ["2025-05-17", "2025-05-02"]),
        ("what happened since June 2025?", ["2026-03-14", "2025-06-02"]),
        ("what happened before 10 May 2025?", ["2025-05-02"]),
        ("what did we do between 10 May 2025 and 3 June 2025?", ["2025-06-02", "2025-05-17"]),
        ("02/06/2025", ["2025-06-02"]),
        ("what happened in May 2021?", []),  # nothing is of that time
        ("what did I do about taxes in May 2025?", []),  # something is asked for, and not known
        ("what happened?", []),
    ],
)
def test_a_time_alone_finds_what_is_of_it(question: str, days: list[str]) -> None:
    answer = diary().recall(question, now=NOW)
    assert [hit.id for hit in answer] == days
    assert answer.sufficient == bool(days)


def test_words_that_find_something_decide_alone() -> None:
    answer = diary().recall("which marathon did I do in May 2025?", now=NOW)
    assert [hit.id for hit in answer] == ["2025-05-17"] and "told" not in str(answer.table)


@pytest.mark.parametrize(
    "question",
    [
        "what did I do last week?", "what happened two days ago?", "what did I do in the last two months?",
        "two weeks ago", "what happened three days ago?", "Was ist vor zwei Tagen passiert?",
    ],
)  # fmt: skip
def test_where_nothing_is_of_a_time_its_words_find_nothing(question: str) -> None:
    memory = Memory(embedder=HashingEmbedder())
    for text in ("The last bus leaves at 23:10.", "We bought two lamps.", "Days are longer now.", "Zwei Tage Regen."):
        memory.remember(text, created_at="2025-02-11")
    answer = memory.recall(question, now="2025-06-17")
    assert (list(answer), answer.strength, answer.sufficient) == ([], curve_of(None).of(0.0), False)
    assert "the question asks for a time alone, and nothing is of" in answer.degraded[0]
    assert memory.recall(question, now="2025-06-17", min_strength=0.0), "the words alone are asked for"
    every = "Two weeks ago, in the last two months and the last week, three days ago, vor zwei Tagen."
    memory.remember(every, id="long ago", created_at="2024-01-01")
    assert not memory.recall(question, now="2025-06-17"), "it says the words of other days"
    memory.remember(every + " Still so.", id="said", created_at="2025-06-17")
    assert memory.recall(question, now="2025-06-17")[0].id == "said"


def test_with_an_embedder_too() -> None:
    answer = diary(embedder=HashingEmbedder()).recall("what happened in May 2025?", now=NOW)
    assert [hit.id for hit in answer] == ["2025-05-17", "2025-05-02"]


def test_the_answer_says_why() -> None:
    answer = diary().recall("what happened in May 2025?", now=NOW, explain=True)
    assert "the question asks for a time alone: what is of may 2025 is found, the newest first" in str(answer.table)
    assert [(hit.score, hit.strength) for hit in answer] == [(1.0, 1.0)] * 2


def test_only_what_may_be_found_and_each_thing_said_once() -> None:
    memory = Memory()
    memory.ingest_turn("hello!", role="user", user_id="a", session_id="s", created_at="2025-05-03", id="greeting")
    memory.ingest_turn("My sister moved to Rome.", role="user", user_id="a", session_id="s", created_at="2025-05-04")
    memory.ingest_turn("I bought a bike.", role="user", user_id="b", session_id="t", created_at="2025-05-05")
    memory.remember("The party is a surprise.", boundary_class="secret", created_at="2025-05-06")
    memory.remember("He moves in June.", created_at="2025-05-07", valid_from="2025-06-01")
    asked = "what happened in May 2025?"
    assert [hit.text for hit in memory.recall(asked, now=NOW)] == ["I bought a bike.", "My sister moved to Rome."]
    assert [hit.text for hit in memory.recall(asked, now=NOW, user_id="a")] == ["My sister moved to Rome."]
    assert not memory.recall(asked, now=NOW, user_id="c")
    assert [hit.text for hit in memory.recall(asked, 1, now=NOW)] == ["I bought a bike."]
    assert [hit.text for hit in memory.recall("what happened in June 2025?", now=NOW)] == ["He moves in June."]


def test_as_many_are_found_as_are_asked_for() -> None:
    memory = Memory()
    memory.remember_many({"text": f"note {at}", "created_at": "2025-05-02"} for at in range(250))
    asked = "what happened in May 2025?"
    assert [len(memory.recall(asked, k, now=NOW)) for k in (3, 249, 300)] == [3, 249, 250]


def test_profiles_by_name_find_what_their_sources_say() -> None:
    assert not diary().recall("what happened in May 2025?", now=NOW, profile="kb-fast")


LATE = 1_773_576_000.0  # the same day, as epoch seconds
TOPICS = ("roof", "tax return", "sourdough", "violin lesson", "beehive", "tram pass", "greenhouse", "choir")


@pytest.mark.parametrize("records", [80, 800, 3_200])
def test_a_time_that_is_named_takes_no_strength_from_a_topic_however_many_records_there_are(records: int) -> None:
    memory = Memory()
    memory.remember_many(
        {
            "text": f"The {TOPICS[at % 8]} was looked at by {('Ivo', 'Petra', 'Salma')[at % 3]}, entry {at}.",
            "created_at": LATE - (records - at) * 40 * 86_400.0 / records,
        }
        for at in range(records)
    )
    for asked in ("What about the beehive last week?", "beehive two weeks ago", "What of the beehive in March?"):
        found = memory.recall(asked, now=LATE)
        assert found.strength > 0.8 and all("beehive" in hit.text for hit in found), asked
    assert memory.recall("What about the pension last week?", now=LATE).hits == ()
    [first, *_] = memory.recall("What about the beehive last week?", now=LATE)
    answer = memory.recall("What about the beehive last week?", now=LATE, explain=True)
    assert answer[0].score == first.score == answer[0].explanation.recomputed()


@pytest.mark.parametrize(
    "asked", ["Am I free on 12 June?", "What am I doing on 12 June?", "Can I meet Paul on 12 June?"]
)
def test_a_record_that_says_the_time_word_by_word_answers_what_is_asked_of_it(asked: str) -> None:
    memory, day = Memory(), "2026-05-28"
    memory.remember_many({"text": f"The bike is blue, note {at}x.", "created_at": "2026-03-01"} for at in range(30))
    memory.remember("My dentist appointment is on 12 June at 9:00.", created_at="2026-03-20", id="dentist")
    for text in ("Lunch with Sara on 3 June.", "Tax return due on 2 June.", "Concert on 20 June.", "School on 12 May."):
        memory.remember(text, created_at="2026-03-21")
    assert memory.recall(asked, now=day)[0].id == "dentist"
    assert not memory.recall("What about the pension on 14 August?", now=day).sufficient


def planner() -> Memory:
    """A note for each of forty days, and what names times to come."""
    memory = Memory()
    for at in range(40):
        memory.remember(f"Note {at}: the {TOPICS[at % 8]} was fine.", created_at=LATE - at * 86_400.0)
    memory.remember("The plumber comes on Friday.", created_at="2026-03-10", id="plumber")
    memory.remember("We fly to Porto from 12 to 19 February.", created_at="2026-01-09", id="porto")
    return memory


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("What is on Friday?", "plumber"),
        ("What do I have on Friday?", "plumber"),
        ("Where are we in February?", "porto"),
        ("What will I do in February?", "porto"),
    ],
)
def test_what_names_the_time_goes_first_where_no_past_is_asked_for(asked: str, first: str) -> None:
    found = planner().recall(asked, now=LATE, explain=True)
    assert found[0].id == first and found[0].score == 1.0 and len(found) > 1
    assert {hit.score for hit in found[1:]} == {0.5}, "what was noted then is in, behind it"
    assert all(hit.explanation is not None and hit.explanation.recomputed() == hit.score for hit in found)
    assert "names" in str(found[0].explanation)


@pytest.mark.parametrize("asked", ["What did we do in February?", "What happened in February?"])
def test_what_names_the_time_is_in_where_the_past_is_asked_for(asked: str) -> None:
    found = planner().recall(asked, now=LATE)
    assert found[0].text.startswith("Note") and found[-1].id == "porto" and len(found) == 10
    alone = planner().recall(asked, 1, now=LATE)
    assert [hit.text[:4] for hit in alone] == ["Note"]


def test_a_day_as_seen_from_today_is_named_by_no_record() -> None:
    memory = planner()
    memory.remember("I painted the fence yesterday.", created_at="2025-09-01", id="fence")
    memory.remember("We met last Friday.", created_at="2025-09-01", id="met")
    assert "fence" not in memory.recall("What is new yesterday?", now=LATE)
    assert "met" not in memory.recall("What is new last Friday?", now=LATE)


STALE = [
    ("Yesterday I finished Middlemarch.", "What did I do yesterday?"),
    ("I fixed the bike today.", "What did I do today?"),
    ("Last week I visited Porto.", "What happened last week?"),
    ("Gestern habe ich die Steuererklärung abgegeben.", "Was habe ich gestern gemacht?"),
    ("昨日、新しいカメラを買いました。", "昨日は何をしましたか？"),
]


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("text", "question"), STALE)
def test_what_said_yesterday_a_year_ago_says_nothing_of_yesterday(text: str, question: str, how: str) -> None:
    memory = diary()
    if how == "turn":
        memory.ingest_turn(text, session_id="s", user_id="ann", created_at="2025-03-10")
    else:
        memory.remember(text, created_at="2025-03-10")
    answer = memory.recall(question, user_id="ann" if how == "turn" else None, now="2026-05-20")
    assert not answer.sufficient and not answer.hits and "nothing is of" in str(answer.degraded)


def test_what_says_yesterday_and_was_said_today_is_of_yesterday() -> None:
    memory = diary()
    memory.remember("Yesterday I finished Middlemarch.", created_at="2026-05-20T08:00:00Z")
    assert memory.recall("What did I do yesterday?", now="2026-05-20T12:00:00Z")[0].text.startswith("Yesterday")
