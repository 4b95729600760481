"""What: is this text noise, does this query need the memory, what does this turn show to the gate. Corpus: turns of the
English corpus, seed 7, and their first eight words as queries; then texts made to be slow. Compare: the `re` of Python
with the patterns of `byheart.reference`, compiled before; it stops at the first that decides, which a table cannot.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Sequence

import corpora
from harness import busy, emit, in_turns, note, per_call, pin, row

import byheart
from byheart.patterns import gate_signals
from byheart.reference import adaptive, gate, noise

PYTHON_RE = f"Python re {platform.python_version()}"
FLAGS = re.ASCII | re.IGNORECASE
Call = Callable[[str], object]


def python_noise() -> Call:
    """Return the rules of profile 1.0.11 one after the other."""
    found = [re.compile(pattern, FLAGS).search for _, _, pattern in noise.PROFILES["1.0.11"]]
    return lambda text: any(search(text) for search in found)


def python_adaptive() -> Call:
    """Return the rules of profile 1.0.11 one after the other: those that force, then those that skip."""
    rules = adaptive.PROFILES["1.0.11"]
    found = [re.compile(pattern, FLAGS).search for _, name, pattern in rules if name != "emoji"]
    emoji = adaptive.emoji() | set(" \t\n")
    return lambda query: any(search(query) for search in found) or set(query) <= emoji


def python_gate() -> Call:
    """Return all patterns of profile 1.3.5, counted where they count."""
    rows = gate.PROFILES["1.3.5"]
    there = [re.compile(row.pattern, row.flags).search for row in rows if "P" not in row.weights]
    counted = [re.compile(row.pattern, row.flags).finditer for row in rows if "P" in row.weights]
    return lambda text: (
        sum(search(text) is not None for search in there),
        [sum(1 for _ in find(text)) for find in counted],
    )


CALLS: dict[str, tuple[Call, Callable[[], Call]]] = {
    "noise": (lambda text: byheart.is_noise(text, "1.0.11"), python_noise),
    "adaptive retrieval": (lambda text: byheart.should_skip_retrieval(text, "1.0.11"), python_adaptive),
    "gate signals": (lambda text: gate_signals(text, "1.3.5"), python_gate),
}


def decisions(turns: list[str], queries: list[str]) -> None:
    """Measure a decision about an everyday text."""
    for name, (ours, theirs) in CALLS.items():
        texts = queries if name == "adaptive retrieval" else turns
        rival = theirs()

        def timed(call: Call, texts: Sequence[str] = texts) -> Callable[[], float]:
            return lambda: per_call(call, texts, seconds=0.2)

        samples = in_turns({"byheart": timed(ours), PYTHON_RE: timed(rival)})
        characters = sum(map(len, texts)) / len(texts)
        kind = "query" if texts is queries else "turn"
        emit(row("patterns", f"{name}, a {kind}", "us", samples, characters=round(characters)))


BOMBS = (
    "i don't ",
    "what did i ",
    "user asked for ",
    "query - > ",
    "good  ",
    "\n",
    " \t",
    "a/",
    "a (",
    "a.b ",
    "``",
    "use x ",
    "at x:",
    "at ",
    "func ",
    "e",
    "1",
    "https:/",
    "[cron:",
    "Conversation info (untrusted metadata):\n",
    "find -",
    "好的 ",
)
"""Repeated, each of these keeps some pattern hoping to the end of the text."""


def growth(call: Call, size: int) -> float:
    """Return the worst of the bombs: how many times longer twice the text takes, plain and behind another beginning."""
    worst = 0.0
    for bomb in BOMBS:
        for opening in ("", "hello "):
            once = opening + bomb * (size // len(bomb))
            twice = opening + bomb * (2 * size // len(bomb))
            shorter = min(busy(lambda text=once: call(text), 0.01) for _ in range(3))
            longer = min(busy(lambda text=twice: call(text), 0.01) for _ in range(3))
            worst = max(worst, longer / shorter)
    return worst


def bombs() -> None:
    """Measure how time grows with hostile texts: 64 kB for byheart, 1 kB for `re`, which would not end otherwise."""
    for name, (ours, theirs) in CALLS.items():
        rival = theirs()
        turns = {"byheart": lambda ours=ours: growth(ours, 65_536), PYTHON_RE: lambda rival=rival: growth(rival, 1_024)}
        emit(
            row("patterns", f"{name}, time of 2 n over n, worst of {len(BOMBS)} bombs", "x", in_turns(turns, rounds=1))
        )


def main() -> None:
    """Measure everyday texts, then hostile ones."""
    pin()
    note("patterns")
    turns = corpora.load("english", 10_000)[:2_000]
    decisions(turns, [" ".join(turn.split()[:8]) for turn in turns])
    bombs()


if __name__ == "__main__":
    main()
