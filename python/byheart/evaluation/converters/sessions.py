"""Reader of questions with sessions: one JSON object, each question with its own history and what answers it.

    {"name", "questions": [{"question_id", "question", "question_type"?, "ground_truth"?,
        "relevant_session_ids": [...],
        "sessions": [{"session_id", "messages": [{"role", "content", "ts"?}], "metadata"?}]}]}

The file is checked as a whole first, and the error names every place that is wrong. What answers is a session, so each
of its turns counts where documents are turns.
"""
# docs/sources.md: A3.6.4.

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ...conversation.roles import ROLES, known_role, role_of
from ...errors import InvalidArgument
from .conversations import Conversation, Question, Session, Turn, said

_TOLD: Final = 20  # problems that an error names


def read(path: Path) -> Iterator[Conversation]:
    """Give a conversation for each question of the file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # of JSON, and of UTF-8
        raise InvalidArgument(f"{path}: {error}") from None
    wrong = list(problems(found))
    if wrong:
        more = f"; and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise InvalidArgument(f"{path}: {'; '.join(wrong[:_TOLD])}{more}")
    for item in found["questions"]:
        yield _conversation(item)


def problems(found: Any) -> Iterator[str]:
    """Give what is wrong with a dataset, each with its place.

    >>> list(problems({"name": "", "questions": []}))
    ['name: is missing or blank', 'questions: is no list with a question at least']
    """
    if not isinstance(found, dict):
        yield "is no object with a name and questions"
        return
    if not _is_said(found.get("name")):
        yield "name: is missing or blank"
    questions = found.get("questions")
    if not isinstance(questions, list) or not questions:
        yield "questions: is no list with a question at least"
        return
    known: set[str] = set()
    for at, item in enumerate(questions):
        place = f"questions[{at}]"
        if not isinstance(item, dict):
            yield f"{place}: is no object"
            continue
        id = item.get("question_id")
        if isinstance(id, str) and id in known:
            yield f"{place}.question_id: {id!r} is there twice"
        known.add(str(id))
        yield from _of_question(place, item)


def _of_question(place: str, item: dict[str, Any]) -> Iterator[str]:
    for name in ("question_id", "question"):
        if not _is_said(item.get(name)):
            yield f"{place}.{name}: is missing or blank"
    sessions, relevant = item.get("sessions"), item.get("relevant_session_ids")
    names: list[Any] = []
    if not isinstance(sessions, list) or not sessions:
        yield f"{place}.sessions: is no list with a session at least"
    else:
        for at, session in enumerate(sessions):
            names.append(session.get("session_id") if isinstance(session, dict) else None)
            yield from _of_session(f"{place}.sessions[{at}]", session)
            if _is_said(names[-1]) and names[-1] in names[:-1]:
                yield f"{place}.sessions[{at}].session_id: {names[-1]!r} is there twice"
    if not isinstance(relevant, list) or not relevant:
        yield f"{place}.relevant_session_ids: is no list with an id at least"
        return
    for at, name in enumerate(relevant):
        if name not in names:
            yield f"{place}.relevant_session_ids[{at}]: {name!r} is no session of the question"


def _of_session(place: str, session: Any) -> Iterator[str]:
    if not isinstance(session, dict):
        yield f"{place}: is no object"
        return
    if not _is_said(session.get("session_id")):
        yield f"{place}.session_id: is missing or blank"
    messages = session.get("messages")
    if not isinstance(messages, list) or not messages:
        yield f"{place}.messages: is no list with a message at least"
        return
    for at, message in enumerate(messages):
        said = message if isinstance(message, dict) else {}
        role = said.get("role")
        if not isinstance(role, str) or known_role(role) is None:
            yield f"{place}.messages[{at}].role: is none of {', '.join(ROLES)}"
        if not _is_said(said.get("content")):
            yield f"{place}.messages[{at}].content: is missing or blank"


def _conversation(item: dict[str, Any]) -> Conversation:
    id, sessions = item["question_id"], []
    for session in item["sessions"]:
        name, messages = f"{id}/{session['session_id']}", session["messages"]
        turns = (Turn(f"{name}/{at}", role_of(each["role"]), each["content"]) for at, each in enumerate(messages, 1))
        date = next((each["ts"] for each in messages if isinstance(each.get("ts"), str)), None)
        metadata = session.get("metadata")
        sessions.append(Session(name, date, tuple(turns), metadata if isinstance(metadata, dict) else {}))
    gold = frozenset(f"{id}/{name}" for name in item["relevant_session_ids"])
    turns_of_gold = frozenset(turn.id for session in sessions if session.id in gold for turn in session.turns)
    type = item.get("question_type")
    named = type if isinstance(type, str) and type else None
    asked = Question(id, item["question"], named, turns_of_gold, gold, ground_truth=said(item, "ground_truth"))
    return Conversation(id, tuple(sessions), (asked,))


def _is_said(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
