"""What byheart does, shown on real text: the language reference that every Python ships.

`byheart demo` (or `make demo`) remembers its pages in chunks, asks questions in plain English under both
profiles, and shows scores, one explanation, an escalation, a boundary, and how long it all takes here.
Everything but the times is the same on every run of the same Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter

from .answers import Recall, snippet
from .ingestion.chunking import chunk_text
from .knowledge import source_id
from .memory import Memory
from .records import Record

QUESTIONS = (
    "how do I make sure that a file is closed again after an error?",
    "does comparing by identity differ from comparing by equality?",
    "how are default values of function parameters evaluated?",
    "can I loop over several lists and leave the loop early?",
    "what happens when two classes inherit from the same base class?",
    "how do I write a string with a formatted number in it?",
    "which names does an import statement bind?",
    "how can an object be called like a function?",
)
MISSPELLED = "corotines suspnded"
REPEATS = 25


def pages() -> Iterator[Record]:
    """Yield the language reference as records: one for each chunk, its page's title as the topic."""
    from pydoc_data.topics import topics

    for name, text in sorted(topics.items()):
        title, _, body = text.partition("\n")
        for chunk in chunk_text(body.lstrip("*=-\n"), source_id(name)):
            yield Record(text=chunk.text, id=f"{name}-{chunk.index:03d}", topic=title, created_at=0.0)


def run(*, quick: bool = False) -> None:
    """Run the demonstration; `quick` asks two questions instead of eight."""
    memory = Memory()
    records = list(pages())
    start = perf_counter()
    memory.remember_many(records)
    seconds = perf_counter() - start
    characters = sum(len(record.text) for record in records)
    _title("Remember")
    print(f"{len(records)} records, {characters / 1e6:.2f} million characters of Python's language reference,")
    print(f"remembered and indexed in {seconds * 1000:.0f} ms.")
    _title("Recall, in plain English")
    for question in QUESTIONS[: 2 if quick else None]:
        _ask(memory, question)
    _title("Why: every score can be recomputed by hand")
    best = memory.recall(QUESTIONS[0], k=1).hits[0]
    print(memory.explain(QUESTIONS[0], best.id))
    _title("Escalation: when words find too little, hypervectors are asked as well")
    _show_escalation()
    _title("Boundaries: a search knows only its cells")
    _show_boundary()
    _title("How long a recall takes on this machine")
    _show_times(memory, 5 if quick else REPEATS)


def _title(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def _ask(memory: Memory, question: str) -> None:
    """Show what the narrow profile finds, and what the wider one finds besides."""
    print(f"\n? {question}")
    shown: set[str] = set()
    for profile in ("kb-fast", "kb-balanced"):
        answer = memory.recall(question, profile=profile)
        more = [hit for hit in answer if hit.id not in shown]
        print(f"  {profile}: {len(answer)} hits" + (f", the first {min(2, len(more))} beyond those:" if shown else ""))
        for hit in more[: 2 if shown else 3]:
            print(f"    {hit.score:.3f}  {hit.record.topic}")
            print(f"           {snippet(hit.text, 84)}")
        shown.update(hit.id for hit in answer)


def _show_escalation() -> None:
    memory = Memory(hypervectors="subwords")
    memory.remember("A coroutine is suspended at every await expression", id="coroutines")
    memory.remember("A generator yields one value after another", id="generators")
    memory.remember("A decorator wraps a function at its definition", id="decorators")
    print(f"query, misspelled on purpose: {MISSPELLED}")
    for profile in ("kb-fast", "kb-balanced"):
        answer = memory.recall(MISSPELLED, profile=profile)
        asked = "words and hypervectors" if answer.receipt.escalated else "words only"
        found = ", ".join(f"{hit.id} ({hit.score:.3f})" for hit in answer) or "nothing"
        print(f"  {profile:<12} {asked:<23} {found}")


def _show_boundary() -> None:
    memory = Memory()
    memory.remember("Ann takes her tea with lemon", id="ann-tea", tenant="ann")
    memory.remember("Bob takes his tea with milk", id="bob-tea", tenant="bob")
    for tenant in ("ann", "bob", "nobody"):
        answer: Recall = memory.recall("who takes tea?", boundary={"tenant": tenant})
        found = ", ".join(f"{hit.text!r} ({hit.score:.3f})" for hit in answer) or "nothing"
        print(f"  as {tenant:<7} {found}")


def _show_times(memory: Memory, repeats: int) -> None:
    for profile in ("kb-fast", "kb-balanced"):
        times = []
        for _ in range(repeats):
            for question in QUESTIONS:
                start = perf_counter()
                memory.recall(question, profile=profile)
                times.append((perf_counter() - start) * 1e6)
        print(f"  {profile:<12} median {median(times):6.0f} us over {len(times)} recalls, the whole call included")
