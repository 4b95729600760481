"""Files of other formats become collections; what they leave open is counted, and damage is named with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation.converters import convert
from byheart.evaluation.datasets import Collection, Query, load

LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": "gym",
        "question_type": "knowledge-update",
        "question": "When is the gym?",
        "question_date": "2023/05/22 (Mon) 09:00",
        "answer": "at seven",
        "answer_session_ids": ["b"],
        "haystack_session_ids": ["a", "b"],
        "haystack_dates": ["2023/05/20 (Sat) 15:08", "2023/05/21 (Sun) 00:51"],
        "haystack_sessions": [
            [{"role": "user", "content": "The gym is at six."}, {"role": "assistant", "content": " "}],
            [{"role": "user", "content": "It moved to seven.", "has_answer": True}],
        ],
    },
    {
        "question_id": "cat_abs",
        "question_type": "multi-session",
        "question": "What is my cat called?",
        "answer_session_ids": ["c"],
        "haystack_session_ids": ["c"],
        "haystack_sessions": [[{"role": "user", "content": "My dog is called Rex.", "has_answer": True}]],
    },
    {
        "question_id": "open",
        "question": "Who knows?",
        "haystack_sessions": [[{"role": "user", "content": "One."}], [{"role": "user", "content": "Two."}]],
    },
]
LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_10_date_time": "2:00 pm on 9 May, 2023",
            "session_10": [{"speaker": "Ben", "dia_id": "D10:5", "text": "Look!", "blip_caption": "a red kite"}],
            "session_2_date_time": "1:00 pm on 8 May, 2023",
            "session_2": [
                {"speaker": "Ann", "dia_id": "D2:1", "text": "I moved to Turku."},
                {"speaker": "Ben", "dia_id": "D2:2", "text": "Nice."},
            ],
        },
        "qa": [
            {"question": "Where?", "answer": "Turku", "evidence": ["D2:1; D10:05"], "category": 1},
            {"question": "When?", "evidence": ["D99:1"], "category": 5},
            {"question": "Why?", "evidence": []},
        ],
    }
]
CONVERSATIONS = [
    {
        "id": "x",
        "messages": [{"speaker": "User", "text": "My  tea is green."}, {"speaker": "Assistant", "text": "Ok."}],
    },
    {"messages": [{"speaker": "User", "text": "And my car is old."}]},
]
ITEM = {
    "question": "Which tea?",
    "answer": "green",
    "message_evidences": [{"speaker": "user", "text": "my tea is green."}],
}


def converted(folder: Path, format: str, content: Any, **options: str) -> tuple[Any, Collection]:
    source = folder / "source.json"
    source.write_text(json.dumps(content), encoding="utf-8")
    done = convert(format, source, folder / "made", **options)
    return done, load(folder / "made")


def test_longmemeval_by_turn(tmp_path: Path) -> None:
    done, found = converted(tmp_path, "longmemeval", LONGMEMEVAL)
    assert [document.id for document in found.documents] == [
        "gym-session-1/1",
        "gym-session-2/1",
        "cat_abs-session-1/1",
        "open-session-1/1",
        "open-session-2/1",
    ]
    first = found.documents[0]
    assert (first.conversation, first.session, first.speaker) == ("gym", "gym-session-1", "user")
    assert first.record().created_at == 1684595280.0
    assert found.grades == {"gym": {"gym-session-2/1": 1}}
    assert [query.answerable for query in found.queries] == [True, False, True]
    assert found.queries[0] == Query("gym", "When is the gym?", "gym", "knowledge-update")
    assert (done.unanswerable, done.unjudged, done.first_session) == (1, 1, 0)


def test_longmemeval_by_session_and_its_fallback(tmp_path: Path) -> None:
    done, found = converted(tmp_path, "longmemeval", LONGMEMEVAL, by="session", fallback="first")
    assert found.documents[1].text == "user: It moved to seven." and found.documents[1].speaker is None
    assert found.grades == {"gym": {"gym-session-2": 1}, "open": {"open-session-1": 1}}
    assert done.first_session == 1 and "1 queries without an answer in the file: the first session" in done.lines()[-1]


def test_a_session_counts_that_is_named_without_a_turn(tmp_path: Path) -> None:
    bare = [{**LONGMEMEVAL[0], "haystack_sessions": [[{"role": "user", "content": text}] for text in "ab"]}]
    done, found = converted(tmp_path, "longmemeval", bare, by="session")
    assert found.grades == {"gym": {"gym-session-2": 1}} and done.unjudged == 0


def test_locomo_mends_references_and_orders_sessions(tmp_path: Path) -> None:
    done, found = converted(tmp_path, "locomo", LOCOMO)
    assert [document.id for document in found.documents] == ["conv-1/D2:1", "conv-1/D2:2", "conv-1/D10:5"]
    assert found.documents[2].searched() == "Ben: Look! [shared image: a red kite]"
    assert found.documents[2].date == "2:00 pm on 9 May, 2023" and found.documents[2].session == "conv-1/10"
    assert found.grades == {"conv-1/q0": {"conv-1/D2:1": 1, "conv-1/D10:5": 1}}
    assert [query.type for query in found.queries] == ["multi-hop", "adversarial", None]
    assert (done.documents, done.queries, done.judgements, done.unjudged) == (3, 3, 2, 2)


@pytest.mark.parametrize(
    "content",
    [
        {"evidence_items": [{**ITEM, "conversations": CONVERSATIONS}]},
        [{"evidenceItems": [ITEM], "conversations": CONVERSATIONS, "contextSize": 2}],
        [{**ITEM, "conversations": CONVERSATIONS}],
    ],
)
def test_convomem_finds_messages_by_their_text(tmp_path: Path, content: Any) -> None:
    done, found = converted(tmp_path, "convomem", content)
    assert [document.searched() for document in found.documents] == [
        "user: My  tea is green.",
        "assistant: Ok.",
        "user: And my car is old.",
    ]
    assert found.grades == {"source/0": {"source/0/1/1": 1}} and done.unanswerable == 0


def test_a_folder_of_convomem_names_the_category_and_abstention_has_no_answer(tmp_path: Path) -> None:
    for category in ("user_evidence", "abstention_evidence"):
        folder = tmp_path / "core" / category / "1_evidence"
        folder.mkdir(parents=True)
        content = {"evidence_items": [{**ITEM, "conversations": CONVERSATIONS, "category": "Shopping"}]}
        (folder / "p1.json").write_text(json.dumps(content), encoding="utf-8")
    done = convert("convomem", tmp_path / "core", tmp_path / "made", by="session")
    found = load(tmp_path / "made")
    assert {query.type: query.answerable for query in found.queries} == {
        "user_evidence": True,
        "abstention_evidence": False,
    }
    assert list(found.grades) == ["user_evidence/1_evidence/p1/0"] and done.unanswerable == 1


def test_the_category_of_convomem_may_be_the_folder_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "core" / "abstention_evidence"
    folder.mkdir(parents=True)
    content = {"evidence_items": [{**ITEM, "conversations": CONVERSATIONS}]}
    (folder / "p1.json").write_text(json.dumps(content), encoding="utf-8")
    assert convert("convomem", tmp_path / "core", tmp_path / "made", by="session").unanswerable == 1


def test_a_turn_of_locomo_may_be_an_image_alone(tmp_path: Path) -> None:
    talk = json.loads(json.dumps(LOCOMO))
    del talk[0]["conversation"]["session_10"][0]["text"]
    _, found = converted(tmp_path, "locomo", talk)
    told = [document.searched() for document in found.documents]
    assert "Ben:  [shared image: a red kite]" in told, told


def history() -> dict[str, Any]:
    messages = [{"role": "user", "content": "My tea is green.", "ts": "2026-05-01T08:00:00Z"}]
    sessions = [{"session_id": "a", "messages": messages}, {"session_id": "b", "messages": messages * 2}]
    asked = {"question_id": "q", "question": "Which tea?", "question_type": "drinks", "ground_truth": "green"}
    return {"name": "teas", "questions": [{**asked, "relevant_session_ids": ["b"], "sessions": sessions}]}


def test_questions_with_sessions_by_turn_and_by_session(tmp_path: Path) -> None:
    for by, gold in (("turn", {"q/b/1": 1, "q/b/2": 1}), ("session", {"q/b": 1})):
        (tmp_path / by).mkdir()
        done, found = converted(tmp_path / by, "sessions", history(), by=by)
        assert found.grades == {"q": gold} and done.unjudged == 0
        assert found.documents[0].record().created_at == 1777622400.0
        assert found.queries[0].type == "drinks"


def test_every_problem_of_a_dataset_is_named(tmp_path: Path) -> None:
    wrong = history()
    (question,) = wrong["questions"]
    question["relevant_session_ids"] = ["b", "z"]
    question["sessions"][0] = {"session_id": "b", "messages": [{"role": "cat", "content": " "}]}
    wrong["questions"] += [dict(question, question=""), 3]
    del wrong["name"]
    with pytest.raises(InvalidArgument) as raised:
        converted(tmp_path, "sessions", wrong)
    for place in (
        "name: is missing",
        "questions[0].sessions[0].messages[0].role: is none of user, assistant, system, tool",
        "questions[0].sessions[0].messages[0].content: is missing or blank",
        "questions[0].sessions[1].session_id: 'b' is there twice",
        "questions[0].relevant_session_ids[1]: 'z' is no session of the question",
        "questions[1].question_id: 'q' is there twice",
        "questions[1].question: is missing or blank",
        "questions[2]: is no object",
    ):
        assert place in str(raised.value)
    for broken, place in (([], "is no object"), ({"name": "x"}, "questions: is no list")):
        with pytest.raises(InvalidArgument, match=place):
            converted(tmp_path, "sessions", broken)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        ("longmemeval", {"x": 1}, "source.json: holds no list"),
        ("longmemeval", [{}], r"source.json\[0\]: 'question_id' is missing, or no str"),
        ("longmemeval", [3], r"source.json\[0\]: 'question_id' is missing"),
        (
            "longmemeval",
            [{**LONGMEMEVAL[2], "haystack_sessions": [[{"role": "user"}]]}],
            r"haystack_sessions\[0\]\[0\]: 'content' is missing",
        ),
        ("longmemeval", [{**LONGMEMEVAL[2], "haystack_sessions": [3]}], r"haystack_sessions\[0\]: is no list"),
        ("locomo", [{"conversation": {}}], r"source.json\[0\]: 'qa' is missing"),
        ("locomo", [{"conversation": {"session_1": [{"text": ""}]}, "qa": []}], r"session_1\[0\]: 'dia_id' is missing"),
        ("convomem", [{}], r"source.json\[0\]: 'conversations' is missing"),
        ("convomem", {"evidence_items": [ITEM]}, r"evidence_items\[0\]: 'conversations' is missing"),
        ("other", [], "format: 'other' does not exist; there are longmemeval, locomo, convomem, sessions"),
    ],
)
def test_damage_is_named_with_its_place_and_leaves_nothing(
    tmp_path: Path, format: str, content: Any, message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message):
        converted(tmp_path, format, content)
    assert not (tmp_path / "made").exists()


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    for name, format in (("absent.json", "locomo"), ("absent.json", "convomem")):
        with pytest.raises(InvalidArgument, match="cannot be read"):
            convert(format, tmp_path / name, tmp_path / "made")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    for format in ("longmemeval", "convomem"):
        with pytest.raises(InvalidArgument, match=r"broken\.json: "):
            convert(format, tmp_path / "broken.json", tmp_path / "made")


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="is there and not empty"):
        converted(tmp_path, "locomo", LOCOMO)
    assert (tmp_path / "made" / "mine.txt").read_text(encoding="utf-8") == "mine"
    with pytest.raises(InvalidArgument, match="by, fallback"):
        convert("locomo", tmp_path / "source.json", tmp_path / "other", by="word")


@pytest.mark.parametrize("relevant", [None, [], "b", {}])
def test_a_question_names_the_sessions_that_answer_it(tmp_path: Path, relevant: object) -> None:
    wrong = history()
    wrong["questions"][0]["relevant_session_ids"] = relevant
    with pytest.raises(InvalidArgument, match=r"questions\[0\]\.relevant_session_ids: is no list with an id at least"):
        converted(tmp_path, "sessions", wrong)
