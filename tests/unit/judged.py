"""Judged collections made up on the spot: what the tests of evaluation share."""

from __future__ import annotations

import json
from pathlib import Path

SUBJECTS = ("kettle", "engine", "garden", "violin", "harbour", "lantern", "saddle", "orchard")

TURNS = [
    ("c1", 1, "1:00 pm on 8 May, 2023", "Ann", "I bought a red bicycle in Turku on Monday."),
    ("c1", 1, "1:00 pm on 8 May, 2023", "Ben", "My grandmother taught me to bake rye bread."),
    ("c1", 2, "9:30 am on 1 June, 2023", "Ann", "The bicycle was stolen from the station yesterday."),
    ("c1", 2, "9:30 am on 1 June, 2023", "Ben", "That is awful, I told the police about it."),
    ("c2", 1, "8:00 pm on 2 July, 2023", "Eve", "Our choir sings in the old cathedral every Sunday."),
    ("c2", 1, "8:00 pm on 2 July, 2023", "Kim", "I play the cello, but nobody has heard me yet."),
]
QUESTIONS = [
    ("c1/q0", "c1", "What colour was the bicycle that Ann bought?", "single-hop", ["c1/0"]),
    ("c1/q1", "c1", "What happened to the bicycle of Ann, bought in Turku?", "multi-hop", ["c1/0", "c1/2"]),
    ("c1/q2", "c1", "Who taught Ben to bake rye bread?", "single-hop", ["c1/1"]),
    ("c2/q0", "c2", "Where does the choir sing on Sunday?", "single-hop", ["c2/4"]),
]


def write(folder: Path, corpus: list[dict], queries: list[dict], qrels: list[tuple[str, str, int]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in (("corpus", corpus), ("queries", queries)):
        text = "\n".join(json.dumps(item) for item in items)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "qrels.tsv").write_text("".join(f"{a}\t{b}\t{c}\n" for a, b, c in qrels), encoding="utf-8")
    return folder


def subjects(folder: Path, unanswerable: bool = False) -> Path:
    """Write 40 documents and 8 queries, each answered by one document; and one query of words that none has."""
    corpus = [
        {"id": f"{subject}{number}", "title": subject, "text": f"The {subject} number {number} was mended in spring."}
        for subject in SUBJECTS
        for number in range(5)
    ]
    queries = [{"id": subject, "text": f"when was the {subject} mended", "category": "when"} for subject in SUBJECTS]
    queries += [{"id": "none", "text": "zebra xylophone", "answerable": False}] * unanswerable
    return write(folder, corpus, queries, [(subject, f"{subject}0", 1) for subject in SUBJECTS])


def conversations(folder: Path) -> Path:
    """Write two conversations of three sessions with four questions."""
    corpus = [
        {"id": f"{conv}/{at}", "conv": conv, "session": session, "date": date, "speaker": speaker, "text": text}
        for at, (conv, session, date, speaker, text) in enumerate(TURNS)
    ]
    queries = [{"id": id, "conv": conv, "text": text, "category": type} for id, conv, text, type, _ in QUESTIONS]
    return write(folder, corpus, queries, [(id, gold, 1) for id, _, _, _, golds in QUESTIONS for gold in golds])
