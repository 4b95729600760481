"""`byheart demo`: remember a real text, ask it questions, and show how the answers came about.

The text is the part of Python's own manual that every interpreter carries (`pydoc_data.topics`), so nothing is
downloaded. Apart from the times, the same interpreter prints the same lines every time.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterator, Mapping
from typing import Final, TextIO

from .._core import Analyzer
from ..errors import InvalidArgument
from ..ingestion.chunking import chunk_text, sentences
from ..memory.memory import Memory
from ..recall.hits import Hit, snippet
from ..records import Record

WIDTH: Final = 100
PROFILES: Final = ("kb-fast", "auto")
QUESTIONS: Final = (
    "When are default parameter values evaluated?",
    "Can I change a variable of an enclosing function?",
    "What does the lambda keyword create?",
    "How do I set a breakpoint in the debugger?",
    "How do I iterate over something asynchronously?",
    "Which operators bind more tightly than multiplication?",
    "Are tuples immutable?",
    "How can an object be called like a function?",
)
MISSPELLED: Final = "exseption groop"

_TITLE = re.compile(r"^(?P<title>\S.*)\n(?P<line>[*=\-~^]{3,})\n", re.MULTILINE)


def run(out: TextIO, *, quick: bool = False) -> None:
    """Write the demonstration to `out`, in lines of at most 100 characters; `quick` asks less and measures less.

    Raises:
        InvalidArgument: this Python was installed without the text of its manual.

    """
    questions = QUESTIONS[:3] if quick else QUESTIONS
    records = list(passages(_manual()))
    begin = time.perf_counter()
    memory = Memory(hypervectors="subwords")
    memory.remember_many(records)
    seconds = time.perf_counter() - begin
    _say(out, f"byheart remembered {len(records)} passages of this Python's own manual in {seconds:.2f} s.")
    _say(out, "No network, no model, no file: this memory lives in this process and ends with it.")
    _ask(out, memory, questions)
    _explain(out, memory, questions[0])
    _escalate(out, memory)
    _measure(out, memory, questions, repeats=5 if quick else 100)
    _separate(out)
    _heading(out, "Your turn")
    _say(out, 'byheart remember "The kettle is descaled every spring." --memory me.db')
    _say(out, "byheart import FOLDER --memory me.db")
    _say(out, 'byheart recall "when is the kettle descaled?" --memory me.db --explain')


def passages(topics: Mapping[str, str]) -> Iterator[Record]:
    r"""Yield the passages of a manual, each once: topics are cut at underlined titles, then into chunks.

    >>> manual = {"tea": "Tea\n***\n\nA drink.\n\nGreen\n=====\n\nA kind of it."}
    >>> [(record.id, record.topic, record.text) for record in passages(manual)]
    [('tea-01', 'Tea', 'A drink.'), ('tea-02', 'Green', 'A kind of it.')]
    """
    seen: set[str] = set()
    for name in sorted(topics):
        number = 0
        for title, body in _sections(topics[name]):
            for chunk in chunk_text(body, name):
                if chunk.text in seen:
                    continue  # some topics quote others whole
                seen.add(chunk.text)
                number += 1
                yield Record(id=f"{name}-{number:02d}", topic=title or name, text=chunk.text)


def _manual() -> Mapping[str, str]:
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise InvalidArgument("demo: this Python came without its manual (pydoc_data); try another one") from None
    return dict(topics)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield (title, body) of a text with underlined titles; the part before the first title has none."""
    title, start = "", 0
    for found in _TITLE.finditer(text):
        if len(found["line"]) < len(found["title"]):
            continue  # a rule in a table, not an underlined title
        yield title, text[start : found.start()]
        title, start = found["title"], found.end()
    yield title, text[start:]


def _ask(out: TextIO, memory: Memory, questions: tuple[str, ...]) -> None:
    _heading(out, "Questions")
    _say(out, "kb-fast looks for words and gives at most 3 hits. auto, the default, gives at most 10, and none")
    _say(out, "where the memory seems to know nothing. A hit is shown as: score, id, topic, and the sentence")
    _say(out, "that has most of the question's words.")
    for question in questions:
        _say(out, "", question)
        fast, balanced = (memory.recall(question, profile=profile).hits for profile in PROFILES)
        _say(out, f"  {PROFILES[0]}: {len(fast)} hits")
        _hits(out, question, fast)
        if balanced[: len(fast)] == fast:
            rest = balanced[len(fast) :]
            _say(out, f"  {PROFILES[1]}: the same{f' and {len(rest)} more, the next one is' if rest else ''}")
            _hits(out, question, rest[:1])
        else:
            _say(out, f"  {PROFILES[1]}: {len(balanced)} hits")
            _hits(out, question, balanced)


def _explain(out: TextIO, memory: Memory, question: str) -> None:
    _heading(out, "Why the first of them came first")
    best = memory.recall(question).hits[0]
    explanation = memory.explain(question, best.id)
    _say(out, *str(explanation).splitlines())
    same = explanation.recomputed() == best.score
    _say(out, f"Added up again from these parts, the score is {'the same, to the last bit' if same else 'another'}.")


def _escalate(out: TextIO, memory: Memory) -> None:
    _heading(out, "When words do not help")
    _say(out, f'Both words of "{MISSPELLED}" are misspelled, so words find nothing. auto then asks')
    _say(out, "hypervectors made of parts of words; nothing had to be trained.")
    for profile in PROFILES:
        answer = memory.recall(MISSPELLED, profile=profile)
        _say(out, f"  {profile}: {len(answer)} hits{', the first of them' if len(answer) > 3 else ''}")
        _hits(out, MISSPELLED, answer.hits[:3])


def _measure(out: TextIO, memory: Memory, questions: tuple[str, ...], *, repeats: int) -> None:
    _heading(out, "How long it took")
    for profile in PROFILES:
        _say(out, f"  {profile:<34} {_median(memory, questions, profile, repeats):7.0f} microseconds")
    escalated = _median(memory, (MISSPELLED,), PROFILES[1], repeats)
    _say(out, f"  {PROFILES[1] + ', asking hypervectors too':<34} {escalated:7.0f} microseconds")
    _say(out, f"Medians of {repeats} recalls of each question, on this machine, with this build.")


def _median(memory: Memory, questions: tuple[str, ...], profile: str, repeats: int) -> float:
    """Return the median time of a recall in microseconds."""
    times = []
    for question in questions * repeats:
        begin = time.perf_counter()
        memory.recall(question, profile=profile)
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


def _separate(out: TextIO) -> None:
    """Show that what another tenant has remembered is neither found nor counted."""
    _heading(out, "Two tenants in one memory")
    mine = Record(id="a1", text="The door code of the boat house is 4417.", tenant="anna")
    other = Record(id="b1", text="The boat house has a new roof.", tenant="ben")
    question = "What is the door code of the boat house?"
    shared, alone = Memory(), Memory()
    shared.remember_many([mine, other])
    alone.remember(other)
    _say(out, question)
    for tenant in ("anna", "ben"):
        _say(out, f"  asked for {tenant}")
        _hits(out, question, shared.recall(question, boundary={"tenant": tenant}).hits)
    _say(out, "  asked of a memory that holds nothing but Ben's record")
    _hits(out, question, alone.recall(question, boundary={"tenant": "ben"}).hits)
    _say(out, "What Anna remembers changes nothing that Ben can see: not a hit, not a digit of a score.")


def _hits(out: TextIO, question: str, hits: tuple[Hit, ...]) -> None:
    for hit in hits:
        head = f"    {hit.score:.4f}  {hit.id:<13}  "
        topic = f"{hit.record.topic}: " if hit.record.topic else ""
        _say(out, head + snippet(topic + _telling_sentence(hit.text, question), WIDTH - len(head)))


def _telling_sentence(text: str, question: str) -> str:
    """Return the sentence of a passage that has most of the question's words; the first such one."""
    terms, wanted = Analyzer().terms, set(Analyzer().terms(question))
    found = [text[start:end] for start, end in sentences(text)]
    return max(found, key=lambda sentence: len(wanted.intersection(terms(sentence))))


def _heading(out: TextIO, text: str) -> None:
    _say(out, "", text, "-" * len(text))


def _say(out: TextIO, *lines: str) -> None:
    out.writelines((line if len(line) <= WIDTH else line[: WIDTH - 1] + "…") + "\n" for line in lines)
