"""A dataset in the bench's own format: questions with sessions in one JSON file, and beside it where they are from.

Whatever it was read of, other benches of this format can read it then, and so can `histories.read`. Histories that
questions share are written with each of them, so that a large collection is better sampled first.
"""
# docs/sources.md: A3.6.4, A3.6.7.

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...conversation.roles import USER, known_role
from ...errors import InvalidArgument
from ..converters import sessions
from ..converters.conversations import Session, Turn
from .histories import Dataset


def as_bench(dataset: Dataset) -> dict[str, Any]:
    """Return a dataset as the bench's format has it. A speaker that is no role of that stands before what was said.

    Raises:
        InvalidArgument: it cannot be told in this format; the message says where.

    """
    histories = [[_session(each) for each in held] for held in dataset.histories]
    told = {
        "name": dataset.name,
        "questions": [
            {
                "question_id": asked.id,
                "question": asked.text,
                "ground_truth": asked.ground_truth or "",
                "question_type": asked.type or "unknown",
                "relevant_session_ids": list(asked.relevant),
                "sessions": [each for each in histories[asked.history] if each["messages"]],
            }
            for asked in dataset.questions
        ],
    }
    wrong = list(sessions.problems(told))
    if wrong:
        raise InvalidArgument(f"{dataset.name}: cannot be told as questions with sessions; {'; '.join(wrong[:5])}")
    return told


def save(path: str | Path, dataset: Dataset, parameters: Mapping[str, Any]) -> None:
    """Write a dataset, and beside it `<file>.meta.json`: which one it was read of, and how it was drawn.

    Raises:
        InvalidArgument: it cannot be told in this format, or written.

    """
    told, file = as_bench(dataset), Path(path)
    source = {"name": dataset.name, "sha256": dataset.sha256}
    counts = {"left_out": dict(dataset.left_out), "first_session": dataset.first_session}
    try:
        _write(file, told)
        _write(file.with_name(f"{file.name}.meta.json"), {"source": source, **counts, "parameters": dict(parameters)})
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be written ({error.strerror})") from None


def _session(session: Session) -> dict[str, Any]:
    messages = [_message(turn, session.date) for turn in session.turns if turn.text.strip()]
    return {"session_id": session.id, "messages": messages, "metadata": dict(session.metadata)}


def _message(turn: Turn, date: str | None) -> dict[str, Any]:
    role = known_role(turn.speaker)
    said = turn.text if role or not turn.speaker else f"{turn.speaker}: {turn.text}"
    told = {"role": role or USER, "content": said}
    return told if date is None else told | {"ts": date}


def _write(file: Path, told: Mapping[str, Any]) -> None:
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    file.write_text(text, encoding="utf-8", newline="\n")
