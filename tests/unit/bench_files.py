"""A dataset of questions with sessions, made up on the spot: what the tests of arms share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SAID = {
    "tea": "Green tea is brewed at eighty degrees. The deadline for the tea order is Friday.",
    "kettle": "The kettle was descaled in spring, and the tea tastes better since.",
    "garden": "We usually plant the beans in May, next to the tea bushes.",
    "violin": "My violin was tuned yesterday. I play it before tea.",
    "train": "The train to Turku leaves at noon.",
}
ASKED = (
    # Words of many sessions: the first stage finds enough. A word of one session: it does not.
    ("q1", "How is green tea brewed?", "facts", "at eighty degrees", ["tea"]),
    ("q2", "When does the train to Turku leave?", "times", "at noon", ["train"]),
    ("q3", "Who tuned the violin?", "facts", "nobody says", ["violin"]),
    ("q4", "Turku", "places", "a town", ["train", "garden"]),
    ("q5", "When was the kettle descaled?", "times", "in spring", ["kettle"]),
)
SECRET = "eighty degrees"
"""Words of a session and of a ground truth, which no receipt may hold."""


def dataset(name: str = "tea time") -> dict[str, Any]:
    """Return the dataset: all its questions have one history, but for the last one."""
    questions = []
    for id, question, type, answer, relevant in ASKED:
        kept = ["kettle", "violin"] if id == "q5" else list(SAID)
        sessions = [
            {
                "session_id": session,
                "messages": [{"role": "user", "content": SAID[session], "ts": f"2026-05-0{at}T10:00:00Z"}],
                "metadata": {"priority": "p1"} if session == "violin" else {},
            }
            for at, session in enumerate(kept, 1)
        ]
        questions.append(
            {"question_id": id, "question": question, "question_type": type, "ground_truth": answer}
            | {"relevant_session_ids": relevant, "sessions": sessions}
        )
    return {"name": name, "questions": questions}


def write(folder: Path, told: dict[str, Any] | None = None, name: str = "bench.json") -> Path:
    """Write a dataset into a file, and return that."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(dataset() if told is None else told), encoding="utf-8")
    return path
