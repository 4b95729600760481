"""Reader of ConvoMem: evidence items, each a question with conversations of its own and the messages that answer it.

A file holds `evidence_items`, or is a list of cases with `evidenceItems` and the conversations that these share.
Messages are found by their text. The category of abstention has no answer, whatever it quotes. There are no dates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ...errors import InvalidArgument
from .conversations import Conversation, Question, Session, Turn, get, said

ABSTENTION: Final = "abstention_evidence"
CATEGORIES: Final = (
    "user_evidence", "assistant_facts_evidence", "changing_evidence", ABSTENTION, "preference_evidence",
    "implicit_connection_evidence",
)  # fmt: skip


def read(path: Path) -> Iterator[Conversation]:
    """Give a conversation for each evidence item of a file, or of all files below a folder."""
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    if not files:
        raise InvalidArgument(f"{path}: holds no .json file")
    for file in files:
        prefix = file.relative_to(path).with_suffix("").as_posix() if path.is_dir() else file.stem
        # The category of an item is the folder that its file lies in.
        folder = next((part for part in reversed(file.parts[:-1]) if part in CATEGORIES), None)
        for number, (place, item, shared) in enumerate(_cases(file)):
            yield _conversation(place, f"{prefix}/{number}", item, shared, folder)


def _cases(file: Path) -> Iterator[tuple[str, Any, list[Any] | None]]:
    """Give each item with its place, and the conversations that it shares with others, if any."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidArgument(f"{file}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # of JSON, and of UTF-8
        raise InvalidArgument(f"{file}: {error}") from None
    if isinstance(found, dict) and "evidence_items" in found:
        for at, item in enumerate(get(str(file), found, "evidence_items", list)):
            yield f"{file}.evidence_items[{at}]", item, None
        return
    for at, case in enumerate(found if isinstance(found, list) else [found]):
        place = f"{file}[{at}]"
        if isinstance(case, dict) and "question" in case:
            yield place, case, None
            continue
        shared = get(place, case, "conversations", list)
        for number, item in enumerate(get(place, case, "evidenceItems", list)):
            yield f"{place}.evidenceItems[{number}]", item, shared


def _conversation(place: str, id: str, item: Any, shared: list[Any] | None, folder: str | None) -> Conversation:
    told = get(place, item, "conversations", list) if shared is None else shared
    sessions = tuple(_session(f"{place}.conversations[{at}]", f"{id}/{at + 1}", one) for at, one in enumerate(told))
    evidence = get(place, item, "message_evidences", list, [])
    wanted = {_same(get(f"{place}.message_evidences[{at}]", one, "text", str)) for at, one in enumerate(evidence)}
    category = folder or item.get("category")
    gold = [(turn.id, session.id) for session in sessions for turn in session.turns if _same(turn.text) in wanted]
    question = Question(
        id,
        get(place, item, "question", str),
        category if isinstance(category, str) else None,
        frozenset(turn for turn, _ in gold),
        frozenset(session for _, session in gold),
        answerable=category != ABSTENTION,
        ground_truth=said(item, "answer"),
    )
    return Conversation(id, sessions, (question,))


def _session(place: str, id: str, conversation: Any) -> Session:
    messages: Sequence[Any] = get(place, conversation, "messages", list)
    turns = []
    for at, message in enumerate(messages):
        where = f"{place}.messages[{at}]"
        text = get(where, message, "text", str)
        if text.strip():
            turns.append(Turn(f"{id}/{at + 1}", get(where, message, "speaker", str).lower(), text))
    return Session(id, None, tuple(turns))


def _same(text: str) -> str:
    """Return a text as it is compared: white space and case do not count."""
    return " ".join(text.lower().split())
