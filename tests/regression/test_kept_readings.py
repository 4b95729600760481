"""What is read in texts: each function that looks at a text alone, or at two, with what it makes of many texts.

A guess is a guess, and may become another one; but it is to be seen which. What is changed on purpose is written anew:
`python -m tests.regression.test_kept_readings`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from byheart.patterns.replacing import holding_later
from byheart.patterns.values_said import saying, values_said, ways_of
from byheart.ranking.dates import periods
from byheart.records import Record
from byheart.retrieval import sameness

from .scenes import NOW
from .texts import CHANGING, QUESTIONS, TEXTS

KEPT = Path(__file__).with_name("readings")
MODULES = [
    *(f"patterns.{name}" for name in (
        "amounts_said", "asking", "calendar_days_said", "chatter", "clock_times", "correcting", "letters", "places",
        "replacing", "saying", "silence", "states", "stating", "successors", "telephones", "updating", "values_said",
    )),
    *(f"boundary.redaction.{name}" for name in (
        "cards", "credentials", "fields", "letters", "mails", "persons", "telephones", "unsigned",
    )),
    "ranking.keywords", "ranking.told", "retrieval.identifiers", "retrieval.plain_facts", "retrieval.operators",
]  # fmt: skip
SAID = [each.value for text in ("18:30", "3 May", "1,020 euros", "15 percent", "+436641234567", "7 kg") for each in
        values_said(text)]  # fmt: skip
APART = {
    "luhn",
    "letters_of",
    "in_small_letters",
    "holding_later",
    "names",
    "check_variant",
    "begins_with_a_letter",
    "names_secret",
}
"""What takes digits alone, gives a function, or says of each text little else than the text."""
LONG = 100
"""Characters: of what is longer the beginning is kept, and a digest of all."""
OWN: dict[str, Callable[[str], Any]] = {
    "patterns.values_said.ways_of": lambda text: [list(ways_of(each.value)) for each in values_said(text)],
    "patterns.values_said.saying": lambda text: [
        (at, *each) for at, value in enumerate(SAID) for each in saying(value, text)
    ],
    "ranking.dates.periods": lambda text: periods(text, NOW),
    "retrieval.sameness.statement": lambda text: sameness.statement(Record(text=text.strip() or "-")),
    "retrieval.sameness.may_state": lambda text: sameness.may_state(Record(text=text.strip() or "-")),
    "retrieval.sameness.identity": lambda text: sameness.identity(Record(text=text.strip() or "-"))[:12],
}


def functions(count: int) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions of so many texts and nothing else, by name."""
    for name in MODULES:
        module = import_module(f"byheart.{name}")
        for called, function in sorted(vars(module).items()):
            if called.startswith("_") or called in APART or getattr(function, "__module__", None) != module.__name__:
                continue
            if callable(function) and not inspect.isclass(function):
                needed = [
                    each for each in inspect.signature(function).parameters.values() if each.default is each.empty
                ]
                if len(needed) == count and all(each.annotation == "str" for each in needed):
                    yield f"{name}.{called}", function
    if count == 1:
        yield from OWN.items()
    if count == 3:
        yield "patterns.replacing.holding_later", lambda newer, older, asked: holding_later(asked)(newer, older)


PLACES = {text: at for at, text in enumerate((*CHANGING, *QUESTIONS))}
"""Of two texts their numbers are kept."""
ONE, TWO, THREE = (dict(functions(count)) for count in (1, 2, 3))


def written(value: Any) -> str:
    """Return how a value is written, the same in every run: sets in order."""
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(map(written, value)))}}}"
    if isinstance(value, tuple | list | Iterator):
        return f"({', '.join(map(written, value))})"
    if is_dataclass(value):
        return written([getattr(value, each.name) for each in fields(value)])
    return repr(value)


def shown(value: Any) -> str:
    """Return how a value is shown; "" of what says nothing."""
    said = written(value)
    if said in ("None", "False", "()", "''", "{}"):
        return ""
    return said if len(said) <= LONG else f"{said[:LONG]} ... {sha256(said.encode()).hexdigest()[:12]}"


def readings(name: str) -> Iterator[str]:
    """Yield what a function makes of the texts; nothing of those of which it says nothing, or the text itself."""
    if name in ONE:
        asked: list[tuple[str, ...]] = [(text,) for text in TEXTS]
    else:
        pairs = [(one, other) for at, one in enumerate(CHANGING) for other in CHANGING[max(0, at - 2) : at + 3]]
        asked = list(pairs) if name in TWO else [(*pair, question) for pair in pairs for question in QUESTIONS]
    function = {**ONE, **TWO, **THREE}[name]
    for texts in asked:
        value = function(*texts)
        if value not in (texts[0], (texts[0],)) and (said := shown(value)):
            of = texts[0][:LONG] if name in ONE else " ".join(str(PLACES[text]) for text in texts)
            yield f"{of} -> {said}"


@pytest.mark.parametrize("name", [*ONE, *TWO, *THREE])
def test_texts_are_read_as_was_kept(name: str) -> None:
    assert list(readings(name)) == (KEPT / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_all_that_reads_texts_is_kept() -> None:
    assert len(ONE) > 50 and len(TWO) > 3 and len(THREE) > 3
    assert {file.stem for file in KEPT.iterdir()} == {*ONE, *TWO, *THREE}


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name in [*ONE, *TWO, *THREE]:
        (KEPT / f"{name}.txt").write_text("".join(f"{line}\n" for line in readings(name)), encoding="utf-8")
