"""Reader of LoCoMo: long conversations of two people in dated sessions, with questions and the turns that answer them.

References to turns are mended where the file writes several into one text ("D8:6; D9:17"), a zero too many ("D30:05")
or a colon too many ("D:11:26"); those to turns that do not exist are left out. Where a picture was sent, its caption is
part of the turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from .conversations import Conversation, Question, Session, Turn, get, items, said

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_REFERENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def read(path: Path) -> Iterator[Conversation]:
    """Give the conversations of the file."""
    for number, item in enumerate(items(path)):
        yield _conversation(f"{path}[{number}]", item, number)


def _conversation(place: str, item: Any, number: int) -> Conversation:
    told = get(place, item, "conversation", dict)
    id = get(place, item, "sample_id", str, f"conversation-{number + 1}")
    found = sorted(int(name[1]) for name in map(_SESSION.fullmatch, told) if name is not None)
    sessions = []
    for at in found:
        where = f"{place}.conversation.session_{at}"
        messages = get(f"{place}.conversation", told, f"session_{at}", list)
        turns = tuple(_turn(f"{where}[{order}]", id, message) for order, message in enumerate(messages))
        date = told.get(f"session_{at}_date_time")
        sessions.append(Session(f"{id}/{at}", date if isinstance(date, str) else None, turns))
    home = {turn.id: session.id for session in sessions for turn in session.turns}
    asked = get(place, item, "qa", list)
    questions = (_question(f"{place}.qa[{order}]", id, order, each, home) for order, each in enumerate(asked))
    return Conversation(id, tuple(sessions), tuple(questions))


def _turn(place: str, conversation: str, message: Any) -> Turn:
    text, caption = get(place, message, "text", str, ""), message.get("blip_caption")
    if isinstance(caption, str):
        text += f" [shared image: {caption}]"
    id = f"{conversation}/{get(place, message, 'dia_id', str)}"
    return Turn(id, get(place, message, "speaker", str), text)


def _question(place: str, conversation: str, order: int, item: Any, home: dict[str, str]) -> Question:
    evidence = get(place, item, "evidence", list, [])
    turns = frozenset(f"{conversation}/{name}" for name in references(map(str, evidence))) & home.keys()
    category = item.get("category")
    type = CATEGORIES.get(category, None if category is None else str(category))
    text = get(place, item, "question", str)
    answer = said(item, "answer")
    gold = frozenset(home[turn] for turn in turns)
    return Question(f"{conversation}/q{order}", text, type, turns, gold, ground_truth=answer)


def references(evidence: Iterable[str]) -> list[str]:
    """Return the turns that texts refer to, mended.

    >>> references(["D8:6; D9:17", "D30:05", "D:11:26"])
    ['D8:6', 'D9:17', 'D30:5', 'D11:26']
    """
    return [f"D{int(session)}:{int(turn)}" for text in evidence for session, turn in _REFERENCE.findall(text)]
