"""The three files of a collection, written of conversations: a document is a turn, or a whole session."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidArgument
from .conversations import Conversation, Question, Session

BY = ("turn", "session")
FALLBACKS = ("none", "first")


@dataclass(slots=True)
class Converted:
    """What was written.

    Attributes:
        documents, queries, judgements: how many lines of each file.
        unanswerable: questions that nothing answers, by their author's word.
        unjudged: other questions for which the file names no answer; they count in no mean.
        first_session: questions of that kind which were given the first session as their answer.

    """

    documents: int = 0
    queries: int = 0
    judgements: int = 0
    unanswerable: int = 0
    unjudged: int = 0
    first_session: int = 0

    def lines(self) -> list[str]:
        """Return what to tell people.

        >>> Converted(documents=3, queries=2, judgements=1, unanswerable=1).lines()
        ['3 documents, 2 queries, 1 judgements', '1 queries that nothing answers']
        """
        notes = {
            "queries that nothing answers": self.unanswerable,
            "queries without an answer in the file: they count in no mean": self.unjudged,
            "queries without an answer in the file: the first session counts as theirs": self.first_session,
        }
        head = f"{self.documents} documents, {self.queries} queries, {self.judgements} judgements"
        return [head, *(f"{count} {what}" for what, count in notes.items() if count)]


def write(
    conversations: Iterable[Conversation], folder: Path, *, by: str = "turn", fallback: str = "none"
) -> Converted:
    """Write a collection, one conversation at a time, and return the counts. What fails midway leaves no folder."""
    if by not in BY or fallback not in FALLBACKS:
        raise InvalidArgument(f"by, fallback: are {by!r} and {fallback!r}; use one of {BY} and one of {FALLBACKS}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidArgument(f"{folder}: is there and not empty; a collection gets a folder of its own")
    folder.mkdir(parents=True, exist_ok=True)
    done = Converted()
    try:
        with (
            (folder / "corpus.jsonl").open("w", encoding="utf-8", newline="\n") as corpus,
            (folder / "queries.jsonl").open("w", encoding="utf-8", newline="\n") as queries,
            (folder / "qrels.tsv").open("w", encoding="utf-8", newline="\n") as qrels,
        ):
            for conversation in conversations:
                for document in _documents(conversation, by):
                    corpus.write(json.dumps(document, ensure_ascii=False) + "\n")
                    done.documents += 1
                for question in conversation.questions:
                    queries.write(json.dumps(_query(conversation, question), ensure_ascii=False) + "\n")
                    done.queries += 1
                    for id in _gold(conversation, question, by, fallback, done):
                        qrels.write(f"{question.id}\t{id}\t1\n")
                        done.judgements += 1
    except BaseException:
        shutil.rmtree(folder)
        raise
    return done


def _documents(conversation: Conversation, by: str) -> Iterable[dict[str, Any]]:
    for session in conversation.sessions:
        common = {"conv": conversation.id, "session": session.id}
        common |= {} if session.date is None else {"date": session.date}
        if by == "session":
            yield {"id": session.id, "text": _text(session), **common}
        else:
            for turn in session.turns:
                yield {"id": turn.id, "speaker": turn.speaker, "text": turn.text, **common}


def _text(session: Session) -> str:
    return "\n".join(f"{turn.speaker}: {turn.text}" for turn in session.turns)


def _query(conversation: Conversation, question: Question) -> dict[str, Any]:
    told: dict[str, Any] = {"id": question.id, "text": question.text, "conv": conversation.id}
    told |= {} if question.type is None else {"category": question.type}
    return told if question.answerable else told | {"answerable": False}


def _gold(conversation: Conversation, question: Question, by: str, fallback: str, done: Converted) -> list[str]:
    """Return the documents that answer a question, and count what there is to tell of it."""
    if not question.answerable:
        done.unanswerable += 1
        return []
    right = question.turns if by == "turn" else question.sessions
    if not right and fallback == "first" and conversation.sessions:
        done.first_session += 1
        first = conversation.sessions[0]
        right = frozenset({first.id} if by == "session" else {turn.id for turn in first.turns})
    done.unjudged += not right
    return sorted(right)
