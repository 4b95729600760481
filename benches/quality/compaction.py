"""Compaction: how much it keeps of what questions ask, by who summarises; gold turns of LoCoMo in a prompt's block.

Conversations are told turn by turn and every session is compacted after it, each time by another choice of turns; the
same questions are asked of each. The share of turns that are kept is the same for all choices, 0.4.

    python benches/quality/compaction.py --data ../shared/data/locomo-dev [--durable none]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from byheart import Analyzer
from byheart.embedding import HashingEmbedder
from byheart.evaluation.datasets import load
from byheart.evaluation.replay import replay
from byheart.summarising import ExtractiveSummariser, Summariser, Summary, Turn, extractive_count
from byheart.words import Durable, words_of

BUDGETS = (500, 1_000, 2_000)
ANALYZER = Analyzer()
NONE = "not compacted"


class Chosen:
    """Keeps the turns that a rule puts first, in their own order."""

    def __init__(self, name: str, order: Callable[[Sequence[Turn]], list[int]]) -> None:
        self.name, self._order = name, order

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return the summary."""
        kept = sorted(self._order(turns)[: extractive_count(len(turns))])
        return Summary(" ".join(turns[at].text for at in kept), 1.0, self.name, tuple(turns[at].id for at in kept))


def first(turns: Sequence[Turn]) -> list[int]:
    """Return the turns as they were said."""
    return list(range(len(turns)))


def longest(turns: Sequence[Turn]) -> list[int]:
    """Return the turns by how many different words they have."""
    terms = [len(set(ANALYZER.terms(turn.text))) for turn in turns]
    return sorted(range(len(turns)), key=lambda at: (-terms[at], at))


SUMMARISERS: dict[str, Callable[[], Summariser | None]] = {
    NONE: lambda: None,
    "nearest to the middle": lambda: ExtractiveSummariser(HashingEmbedder()),
    "first": lambda: Chosen("first", first),
    "longest": lambda: Chosen("longest", longest),
    "most different words": lambda: ExtractiveSummariser(HashingEmbedder(), choice="words"),
}


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", choices=SUMMARISERS, default=list(SUMMARISERS))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--durable", choices=words_of(Durable), default="gate", help="which turns are copied for good")
    wanted = parser.parse_args()
    collection = load(wanted.data)
    print("| summariser | " + " | ".join(f"{budget:,}" for budget in BUDGETS) + " |\n|---|" + "---|" * len(BUDGETS))
    for name in wanted.only:
        done = replay(
            collection, ["auto"], budgets=BUDGETS, compaction=[name != NONE], summariser=SUMMARISERS[name](),
            preset="default", durable=wanted.durable, limit=wanted.limit,
        )  # fmt: skip
        print(f"| {name} | " + " | ".join(f"{run.gold_share:.3f}" for run in done.runs) + " |", flush=True)


if __name__ == "__main__":
    main()
