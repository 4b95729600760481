"""Reader of LongMemEval: a question with a haystack of dated sessions of its own, each a list of messages.

Turns that hold the answer bear `has_answer`; sessions are named in `answer_session_ids`. A question whose id ends in
"_abs" has no answer. Sessions are called `<question>-session-<number>`, from 1 on.
"""
# docs/sources.md: A3.6.11.

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...conversation.roles import known_role
from ...errors import InvalidArgument
from .conversations import Conversation, Question, Session, Turn, get, items, said


def read(path: Path) -> Iterator[Conversation]:
    """Give a conversation for each question of the file."""
    for number, item in enumerate(items(path)):
        yield _conversation(f"{path}[{number}]", item)


def _conversation(place: str, item: Any) -> Conversation:
    id = get(place, item, "question_id", str)
    haystack = get(place, item, "haystack_sessions", list)
    names = [str(name) for name in get(place, item, "haystack_session_ids", list, [])]
    dates = get(place, item, "haystack_dates", list, [])
    named = {str(name) for name in get(place, item, "answer_session_ids", list, [])}
    sessions, turns, gold = [], set(), set()
    for at, messages in enumerate(haystack):
        session = f"{id}-session-{at + 1}"
        spoken = []
        if not isinstance(messages, list):
            raise InvalidArgument(f"{place}.haystack_sessions[{at}]: is no list of messages")
        for number, message in enumerate(messages, 1):
            where = f"{place}.haystack_sessions[{at}][{number - 1}]"
            said_as = get(where, message, "role", str)
            turn = Turn(f"{session}/{number}", known_role(said_as) or said_as, get(where, message, "content", str))
            if turn.text.strip():
                spoken.append(turn)
                if message.get("has_answer") is True:
                    turns.add(turn.id)
                    gold.add(session)
        if at < len(names) and names[at] in named:
            gold.add(session)
        sessions.append(Session(session, str(dates[at]) if at < len(dates) else None, tuple(spoken)))
    text, type = get(place, item, "question", str), get(place, item, "question_type", str, "")
    answerable, answer = not id.endswith("_abs"), said(item, "answer")
    question = Question(id, text, type or None, frozenset(turns), frozenset(gold), answerable, answer)
    return Conversation(id, tuple(sessions), (question,))
