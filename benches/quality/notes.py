"""Notes that nobody chose rules on: are the right ones first, and is nothing said of what they do not say?

Four sets under `notes/`, each of 150 short texts as people and agents tell them over ten months, 120 questions with the
texts that answer them, and 60 questions about the same people and things that no text answers. They were written, read
through and mended by authors who had seen neither the code nor what it answers. A line is `auto` as it is, then without
one of its parts. First, MRR: of the known questions, whatever the strength; refused: known ones with an empty answer;
answered: unknown ones with one.

    python benches/quality/notes.py [--only home team agent mixed] [--parts]
                                    [--embedder none|hashing|wordllama] [--minilm FOLDER]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from auto import embedder_of

from byheart import Memory, Profile, profiles
from byheart.embedding import Embedder

NOTES = Path(__file__).parent / "notes"
SETS = ("home", "team", "agent", "mixed")
NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
K = 10
Patches = Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Measured:
    """What a set comes to."""

    known: int
    unknown: int
    first: int
    mrr: float
    refused: int
    answered: int


def rows_of(name: str, what: str) -> list[dict[str, Any]]:
    """Return the records, the known or the unknown questions of a set."""
    text = (NOTES / name / f"{what}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def told(name: str, embedder: Embedder | None) -> Memory:
    """Return a memory that was told a set."""
    memory = Memory(embedder=embedder)
    for row in rows_of(name, "records"):
        memory.remember(row["text"], id=row["id"], created_at=datetime.fromisoformat(row["time"]).replace(tzinfo=UTC))
    return memory


def measured(name: str, profile: Profile | str, embedder: Embedder | None) -> Measured:
    """Return what a set comes to with a profile."""
    memory, now = told(name, embedder), NOW.timestamp()
    known, unknown = rows_of(name, "known"), rows_of(name, "unknown")
    places, refused = [], 0
    for row in known:
        ids = [hit.id for hit in memory.recall(row["question"], K, profile, now=now, min_strength=0.0)]
        places.append(next((place for place, id in enumerate(ids, 1) if id in row["gold"]), None))
        refused += not memory.recall(row["question"], K, profile, now=now)
    mrr = sum(1 / place for place in places if place is not None) / len(known)
    answered = sum(bool(memory.recall(row["question"], K, profile, now=now)) for row in unknown)
    return Measured(len(known), len(unknown), places.count(1), mrr, refused, answered)


def parts() -> Iterator[tuple[str, Patches, Profile]]:
    """Give `auto` without each of its parts that look at words and texts: what to patch, and the profile."""
    auto = profiles.get("auto")

    def without(stage: str) -> Profile:
        return replace(auto, stages=tuple(each for each in auto.stages if type(each).__name__ != stage))

    def never(*given: object) -> bool:
        return False

    def nothing(*given: object) -> None:
        return None

    def none(*given: object) -> list[str]:
        return []

    rules = "byheart.patterns"
    said, pass_ = "byheart.ranking.property_said", "byheart.recall.absolute"
    yield "ordinary texts", [("byheart.retrieval.words.BESIDE", 0.0)], auto
    yield "function words", [("byheart.retrieval.words.function_words", none)], auto
    yield "verbs of states", [("byheart.retrieval.words.marked_states", none)], auto
    for rule in ("denying", "subjects", "qualifying", "renewing"):
        yield rule, [(f"{rules}.{rule}.may_decide", never)], auto
    yield "property order", [(f"{rules}.property_order.answers_rather", nothing)], auto
    yield "first and last", [(f"{rules}.order_asked.order_asked", nothing)], auto
    yield "unsaid properties", [(f"{said}.unsaid", nothing), (f"{pass_}.may_lack_a_property", never)], auto
    yield "kinds of answers", [(f"{said}.unheld", nothing), (f"{pass_}.may_lack_a_kind", never)], auto
    yield "other words", [("byheart.recall.by_sentence.in_other_words", nothing)], auto
    yield "named times", [], without("NamedTime")
    yield "near duplicates", [], without("NearDuplicatesBeside")


def forget_answers() -> None:
    """Have byheart forget what it keeps of functions, be it a function that is patched: else a part stays."""
    for name, module in list(sys.modules.items()):
        if name.startswith("byheart"):
            for kept in list(vars(module).values()):
                clear = getattr(kept, "cache_clear", None)
                if callable(clear):
                    clear()


def line(
    title: str,
    names: Sequence[str],
    patches: Patches = (),
    profile: Profile | str = "auto",
    embedder: Embedder | None = None,
) -> str:
    """Return the line of a table."""
    with ExitStack() as stack:
        for target, new in patches:
            stack.enter_context(patch(target, new))
        stack.callback(forget_answers)
        forget_answers()
        found: Mapping[str, Measured] = {name: measured(name, profile, embedder) for name in names}
    said = [f"{each.first}, {each.mrr:.3f}, {each.refused}, {each.answered}" for each in found.values()]
    return f"| {title} | {' | '.join(said)} |"


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--parts", action="store_true", help="without each part, too")
    parser.add_argument("--embedder", default="none", choices=("none", "hashing", "wordllama"))
    parser.add_argument("--minilm", type=Path)
    wanted = parser.parse_args()
    embedder = embedder_of(wanted.embedder, wanted.minilm)
    print(f"| first of 120, MRR, refused, answered of 60 | {' | '.join(wanted.only)} |")
    print(f"|---|{'---|' * len(wanted.only)}")
    print(line("`auto`", wanted.only, embedder=embedder), flush=True)
    print(line("`kb-balanced`", wanted.only, profile="kb-balanced", embedder=embedder), flush=True)
    if wanted.parts:
        for title, patches, profile in parts():
            print(line(f"without {title}", wanted.only, patches, profile, embedder), flush=True)


if __name__ == "__main__":
    main()
