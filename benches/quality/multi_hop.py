"""Does closure over facts find what no word of the question names, and what does it cost?

What: questions whose answer takes 1, 2 or 3 facts in a row, asked of memories of 1,000 to 100,000 stated facts; those
of 3 name both ends ("why is A relevant for D?") or one ("what is A relevant for?"). An answer is complete when all
facts of its row are among the hits (k = 8 for every profile). Measured for kb-fast, kb-balanced, kb-thinkingdb with and
without its gap, and the closure alone, also with stated facts allowed to crowd derived ones out (the original's
letter). Times are medians over the questions: of a whole recall, and of the closure alone.
On: generated sentences about things, `--degree` of them about each (2.5 and 4 in the table), the answers' things
included, in eight relations. One thing in four has a name of two words and shares the second with three others. With
--hubs, one fact in fifty is about one of ten things that everything has to do with.

    python benches/quality/multi_hop.py [--facts 1000 10000] [--degree 4] [--hubs]
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from time import perf_counter_ns

from byheart import Memory, Record
from byheart._core import Closure
from byheart.profiles import KB_BALANCED, KB_FAST, KB_THINKINGDB, EscalatingConfig, Profile
from byheart.retrieval.symbolic import Vocabulary, fact_of, goal

SEED = 7
K = 8
QUESTIONS = 60  # of each number of hops
SYLLABLES = [
    "ba",
    "kel",
    "mir",
    "tos",
    "vun",
    "dra",
    "sil",
    "gor",
    "pax",
    "len",
    "qui",
    "zor",
    "fen",
    "hal",
    "jin",
    "wex",
]
PHRASES = ["uses", "provides", "depends on", "supports", "is relevant for", "is part of", "mentions", "causes"]
KINDS = ["1 hop", "2 hops", "3 hops, both ends", "3 hops, one end"]
UNCUT = replace(EscalatingConfig.of("kb-thinkingdb"), name="kb-thinkingdb, gap 0", gap=0.0).profile()
PROFILES = [KB_FAST, KB_BALANCED, KB_THINKINGDB, UNCUT]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the records that answer it together."""

    text: str
    kind: str
    gold: frozenset[str]


class World:
    """Sentences and questions about things with names."""

    def __init__(self, facts: int, degree: float, hubs: bool) -> None:
        self.random = Random(SEED)
        things = self.names(int(2 * facts / degree))
        popular = things[:10] if hubs else []
        self.sentences: list[str] = []
        self.asked: list[Asked] = []
        free = iter(things[10:])
        for kind in KINDS:
            for _ in range(QUESTIONS):
                self.row(kind, [next(free) for _ in range(int(kind[0]) + 1)])
        while len(self.sentences) < facts:
            subject, object = self.random.sample(things, 2)
            if popular and self.random.random() < 0.02:
                object = self.random.choice(popular)
            self.sentences.append(f"{subject} {self.random.choice(PHRASES)} {object}.")

    def names(self, count: int) -> list[str]:
        """Return different names; every fourth has a second word, which four of them share."""
        words = ["".join(parts).title() for parts in product(SYLLABLES, repeat=5 if count > 50_000 else 4)]
        self.random.shuffle(words)
        shared = iter(words[count:])
        names, second = [], ""
        for at in range(count):
            second = next(shared) if at % 16 == 0 else second
            names.append(f"{words[at]} {second}" if at % 4 == 0 else words[at])
        self.random.shuffle(names)
        return names

    def row(self, kind: str, things: Sequence[str]) -> None:
        """Add a question and the facts that answer it."""
        phrases = ["uses", "provides", "is relevant for"][: len(things) - 1]
        text = {
            "1 hop": f"What does {things[0]} use?",
            "2 hops": f"Which capability does {things[0]} have?",
            "3 hops, both ends": f"Why is {things[0]} relevant for {things[-1]}?",
            "3 hops, one end": f"What is {things[0]} relevant for?",
        }[kind]
        first = len(self.sentences)
        self.sentences += [f"{things[at]} {phrase} {things[at + 1]}." for at, phrase in enumerate(phrases)]
        gold = frozenset(f"f{at}" for at in range(first, len(self.sentences)))
        self.asked.append(Asked(text, kind, gold))


def median_time(answer: Callable[[Asked], object], asked: Sequence[Asked]) -> float:
    """Return the median time of an answer in microseconds."""
    times = []
    for one in asked:
        start = perf_counter_ns()
        answer(one)
        times.append((perf_counter_ns() - start) / 1000)
    return statistics.median(times)


def measure(facts: int, degree: float, hubs: bool) -> None:
    """Print the rows of the table for one size."""
    world = World(facts, degree, hubs)
    memory = Memory()
    memory.remember_many([Record(text=text, id=f"f{at}", created_at=0.0) for at, text in enumerate(world.sentences)])
    vocabulary = Vocabulary()
    index = vocabulary.new_index()
    stated = [(f"f{at}", fact_of(Record(text=text))) for at, text in enumerate(world.sentences)]
    index.add([id for id, fact in stated if fact], [fact for _, fact in stated if fact])
    for profile in PROFILES:

        def recall(asked: Asked, profile: Profile = profile) -> list[str]:
            return [hit.id for hit in memory.recall(asked.text, K, profile)]

        found = {asked: set(recall(asked)) for asked in world.asked}
        print(f"| {facts:,} | {profile.name} | {complete(found)} | {median_time(recall, world.asked):.0f} |")
    for name, first in (("closure alone", 1.0), ("closure, original's letter", 0.0)):

        def search(asked: Asked, first: float = first) -> Closure:
            put = goal(asked.text)
            return index.search(put.terms, put.text, K, options={"derived_first": first})

        answers = {asked: search(asked) for asked in world.asked}
        found = {asked: set(answer.ids) for asked, answer in answers.items()}
        local = statistics.median(answer.counters["facts"] for answer in answers.values())
        spent = median_time(search, world.asked)
        print(f"| {facts:,} | {name} ({local:.0f} facts) | {complete(found)} | {spent:.0f} |")


def complete(found: Mapping[Asked, set[str]]) -> str:
    """Return the share of complete answers for each kind of question, as cells of a table."""
    shares = []
    for kind in KINDS:
        whole = [asked.gold <= ids for asked, ids in found.items() if asked.kind == kind]
        shares.append(f"{sum(whole) / len(whole):.2f}")
    return " | ".join(shares)


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--facts", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--degree", type=float, default=2.5)
    parser.add_argument("--hubs", action="store_true")
    options = parser.parse_args()
    print(f"| facts | | {' | '.join(KINDS)} | µs |\n|---|---|---|---|---|---|---|")
    for facts in options.facts:
        measure(facts, options.degree, options.hubs)


if __name__ == "__main__":
    main()
