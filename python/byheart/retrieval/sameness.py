"""The sameness of records: what makes two of them one said twice, one fact in two values, or nearly the same.

Each has a mark, a number that the directory keeps in order, so that whoever remembers a record finds its like in a
time that does not grow with the memory. Marks tell candidates alone: whoever finds one compares the records. They hold
the cell and the owner, so that what lies in other cells, or is another user's, is never looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._core import stop_words, symbol_key
from ..knowledge import HASHED_FIELDS, lowered, sha256
from ..light.expressions import expression
from ..patterns import asks
from ..records import SUMMARY, Record
from . import plain_facts
from .filter.canonical import Value

if TYPE_CHECKING:
    from .symbolic import Vocabulary

SAID: Final = "said mark"
"""The field of the directory that records have in common which say the same; no filter of a user can name it."""

WHOLE: Final = "said whole mark"
"""The field that records with metadata have in common which say the same with the same metadata; likewise."""

STATED: Final = "fact mark"
"""The field that facts have in common which say something of one subject in one relation; likewise."""

OPENING: Final = "opening mark"
"""The field that short statements have in common which begin alike; likewise."""

MARKS: Final = (SAID, WHOLE, STATED, OPENING)

_TURN, _DURABLE = "turn", "memory"
_ANSWERING = ("assistant", "system", "tool")
_LEAST_WORDS, _MOST_WORDS, _MOST_CHARACTERS = 3, 12, plain_facts.MOST_CHARACTERS
_MOST_VALUE = 3  # words
_OVERLAP = 0.6
_PUNCTUATION = ".,;:!?\"'()[]"

_CORRECTING: Final = expression(
    r"^(?:(?:sorry|oops|wait|correction|i mean|entschuldigung)[,:;.!]? |(?:no|nope|nein)[,:;.!] )+"
)
_BY_THE_WAY: Final = frozenset({"now", "actually", "currently", "nowadays", "jetzt", "nun", "doch", "inzwischen"})
_NUMBERS: Final = frozenset(
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty",
     "forty", "fifty", "zwei", "drei", "vier", "f\u00fcnf", "sechs", "sieben", "acht", "neun", "zehn")
)  # fmt: skip
_SMALL: Final = frozenset(stop_words())

_OWNING = ("scope", "boundary_class", "user_id", "session_id", "kind", "valid_from", "valid_to")
_SAYING = HASHED_FIELDS
_owning, _saying = attrgetter(*_OWNING), attrgetter(*_SAYING)
_found_by = attrgetter("tenant", "scope", "user_id", "session_id")
_NOTHING = (None,) * len(_SAYING)
_MOST_REMEMBERED = 2_000  # characters
_MOST_KEPT = 256
_KEPT: dict[int, tuple[Record, tuple[str, ...], Mapping[str, tuple[Value, ...]]]] = {}
"""The marks of the last records, by identity: whoever remembers one asks for them more than once."""


class Fact(NamedTuple):
    """What a record states, as facts are compared; `stated` if somebody said so in fields, else it was read."""

    subject: str
    relation: str
    object: str
    stated: bool


def owner_of(record: Record) -> tuple[str | None, str | None, str | None]:
    """Return whose record it is: scope, class and user."""
    return record.scope, record.boundary_class, record.user_id


def one_owner(one: Record, other: Record) -> bool:
    """Return whether two records are found by the same readers: of one tenant and scope, user and session.

    Of their classes see the verb: a duplicate may make what it repeats stricter.
    """
    return _found_by(one) == _found_by(other)


def goes_with(record: Record) -> tuple[str, str | None] | None:
    """Return with what a record goes, if it goes with something: then nothing else may rest on it unseen.

    A turn goes with its session, a durable copy with its turn, a summary with each of its sources, and what stands in
    a file with the file.

    >>> goes_with(Record(text="tea")), goes_with(Record(text="tea", kind="memory", provenance={"source_id": "t"}))
    (None, ('memory', 't'))

    """
    if record.kind in (_TURN, SUMMARY):
        return record.kind, None
    turn = record.provenance.get("source_id")
    if record.kind == _DURABLE and isinstance(turn, str):
        return record.kind, turn
    source = record.provenance.get("source_name")
    return None if source is None else ("source", str(source))


def identity(record: Record) -> str:
    r"""Return what two records have in common that are one, said twice: whose they are, and what they say.

    Texts are compared to the letter, but for white space at their ends: a password in other letters is another one,
    and so is code that is indented otherwise. Data alone is what a record without a text says.

    >>> identity(Record(text=" tea is hot\n")) == identity(Record(text="tea is hot", importance=0.5))
    True
    >>> identity(Record(text="tea")) in (identity(Record(text="Tea")), identity(Record(text="tea", user_id="bob")))
    False

    """
    own, said = _owning(record), _saying(record)
    if said == _NOTHING and record.text and record.provenance.get("source_name") is None:
        return f"{own!r}\0{record.text.strip()}"
    source = record.provenance.get("source_name")
    claim = record.claim or (record.text if record.text != record.procedure else "")
    more = record.text if record.text not in (claim, record.procedure) else ""
    data = "" if record.text else record.canonical_data()
    texts = [claim if name == "claim" else text for name, text in zip(_SAYING, said, strict=True)]
    if not any((*texts[:2], *texts[3:], more, data)) and source is None:
        return f"{own!r}\0{claim.strip()}"
    return "\0".join((repr(own), *((text or "").strip() for text in (claim, *texts, more)), repr(source), data))


def are_one(one: Record, other: Record) -> bool:
    """Return whether two records say the same of the same owner, in words or as a fact, and nothing of it contradicts.

    What was told in a session at two times was told twice: turns are kept apart.
    """
    if one.session_id is not None and one.created_at is not None and one.created_at != other.created_at:
        return False
    if not agree(one.metadata, other.metadata) or goes_with(one) != goes_with(other):
        return False
    return identity(one) == identity(other) or (one.subject is not None and _triple(one) == _triple(other))


def agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether no key that two records have in their metadata has another value in one than in the other.

    >>> agree({"room": "hall"}, {"floor": 2}), agree({"invoice": 1}, {"invoice": 2}), agree({"n": 1}, {"n": True})
    (True, False, False)

    """
    return all(_written(value) == _written(other[key]) for key, value in one.items() if key in other)


def the_one(record: Record, candidates: Iterable[Record]) -> Record | None:
    """Return of some records the one that says what a record does: with the same metadata, else the earliest."""
    found = [each for each in candidates if are_one(record, each)]
    if not found:
        return None
    return min(found, key=lambda each: (each.metadata != record.metadata, each.created_at or 0.0, each.id or ""))


def names(record: Record) -> list[tuple[object, ...]]:
    """Return what a record may have in common with one that says the same, either of which is enough."""
    said: list[tuple[object, ...]] = [(record.tenant, identity(record))]
    return said if record.subject is None else [*said, (record.tenant, *_triple(record))]


def _triple(record: Record) -> tuple[object, ...]:
    """Return what two facts have in common that are one: whose, what (the object to the letter), for which time."""
    fact = (symbol_key(record.subject or ""), record.relation, (record.object or "").strip())
    return (*owner_of(record), record.session_id, *fact, record.valid_from, record.valid_to)


def fact_of(record: Record, vocabulary: Vocabulary) -> Fact | None:
    """Return the fact of a record: its triple; else, in a relation of one value, the plain one of its text.

    >>> from byheart.retrieval.symbolic import Vocabulary
    >>> known = Vocabulary(single_valued=("lives_in",))
    >>> fact_of(Record(text="I now live in Rome."), known)
    Fact(subject='i', relation='lives_in', object='rome', stated=False)
    >>> fact_of(Record(text="Does she live in Rome?"), known) is None
    True

    """
    if record.subject and record.relation and record.object:
        return Fact(symbol_key(record.subject), record.relation, symbol_key(record.object), True)
    if record.metadata.get("role") not in (None, "user"):
        return None  # what an assistant says of itself
    if not vocabulary.single_valued or record.ku_type not in (None, "atomic") or record.kind == SUMMARY:
        return None
    found = plain_facts.read(record.claim or record.text, vocabulary.single_valued)
    return None if found is None else Fact(*found, stated=False)


def differ_in_value(one: Record, other: Record) -> bool:
    """Return whether two short statements of one speaker say the same of something, with another value.

    They differ in one place, by at most three words, and share three fifths of their words: "I live in Rome", "I live
    in Paris". It is a guess.

    >>> differ_in_value(Record(text="We meet at 3."), Record(text="We meet at four."))
    True
    >>> differ_in_value(Record(text="Ann lives in Rome"), Record(text="Bob lives in Paris"))
    False

    """
    if (owner_of(one), one.kind, one.topic, _speaker(one)) != (
        owner_of(other),
        other.kind,
        other.topic,
        _speaker(other),
    ):
        return False
    mine, theirs = statement(one), statement(other)
    if mine is None or theirs is None or mine == theirs:
        return False
    least = min(len(mine), len(theirs))
    before = next((at for at in range(least) if mine[at] != theirs[at]), least)
    after = next((at for at in range(least - before) if mine[-1 - at] != theirs[-1 - at]), least - before)
    values = mine[before : len(mine) - after], theirs[before : len(theirs) - after]
    shared = [*mine[:before], *(mine[len(mine) - after :] if after else ())]
    if not all(0 < len(value) <= _MOST_VALUE and _says(value) for value in values):
        return False
    return len(shared) >= _OVERLAP * max(len(mine), len(theirs)) and _says(shared)


def statement(record: Record) -> tuple[str, ...] | None:
    """Return the words of a record that is one short statement; None of anything else."""
    return _words(record.text) if may_state(record) else None


def may_state(record: Record) -> bool:
    """Return whether a record is a statement if its text is one."""
    text = record.text
    if len(text) > _MOST_CHARACTERS or record.metadata.get("role") in _ANSWERING:  # what an assistant says has a form
        return False
    return record.claim in (None, text) and not (record.procedure or record.subject)


@lru_cache(maxsize=64)  # of a turn and its copy, and of those beside them
def _words(text: str) -> tuple[str, ...] | None:
    """Return the words of a text that is one short statement."""
    if "\n" in text.strip():
        return None
    said = plain_facts.without_asides(lowered(text).rstrip(".!"))
    if (begins := _CORRECTING.match(said)) is not None:
        said = said[begins.end() :]
    words = [word.strip(_PUNCTUATION) for word in plain_facts.without_asides(said).split()]
    words = [word for word in words if word not in _BY_THE_WAY]
    short = _LEAST_WORDS <= len(words) <= _MOST_WORDS and all(words)
    return tuple(words) if short and not asks(text) else None  # last: most texts are longer


def opening(words: Sequence[str]) -> str | None:
    """Return how a statement begins: up to its first number, or the small words behind what it speaks of first.

    A number that comes before what the statement speaks of stands for any, with the word behind it.

    >>> opening("my favourite colour is dark green".split()), opening("i like tea".split())
    ('my favourite colour is', 'i like')
    >>> opening("i weigh 82 kg".split()), opening("i have two kids".split())
    ('i weigh', 'i have # kids')
    >>> opening("amber tea".split()) is None
    True

    """
    small, first, end = _SMALL, -1, 0
    for end, word in enumerate(words):
        if _is_number(word):
            return " ".join(words[:end] if first >= 0 else (*words[:end], "#", *words[end + 1 : end + 2]))
        if word not in small:
            first = end if first < 0 else first
        elif first >= 0:
            break
    else:
        return " ".join(words[:-1]) if 0 < first < len(words) - 1 else None
    while end < len(words) and words[end] in small:
        end += 1
    return " ".join(words[:end]) if end < len(words) else None


def _is_number(word: str) -> bool:
    return word in _NUMBERS or any(map(str.isdecimal, word))


def marks(record: Record, vocabulary: Vocabulary) -> Mapping[str, tuple[Value, ...]]:
    """Return the marks of a complete record, as the directory keeps them."""
    if len(record.text) > _MOST_REMEMBERED:
        return _marks(record, vocabulary)
    held = _KEPT.get(id(record))
    if held is not None and held[0] is record and held[1] == vocabulary.single_valued:
        return held[2]
    made = _marks(record, vocabulary)
    if len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    _KEPT[id(record)] = record, vocabulary.single_valued, made
    return made


def mark(record: Record, field: str, vocabulary: Vocabulary) -> float | None:
    """Return one of the marks of a complete record; None if it has none in that field.

    How a record begins is looked at alone: most are asked for that, and need no other one before they are indexed.
    """
    if field == OPENING:
        return opening_mark(record)
    held = marks(record, vocabulary).get(field)
    return None if held is None else float(held[0])


def opening_mark(record: Record) -> float | None:
    """Return the mark of how a record begins, if it is one short statement."""
    return _mark_of_opening(record.text, *owner_of(record)) if may_state(record) else None


@lru_cache(maxsize=512)  # asked for before a turn is indexed, and then; and twice of all candidates of a context
def _mark_of_opening(text: str, *owner: str | None) -> float | None:
    words = _words(text)
    begins = None if words is None else opening(words)
    return None if begins is None else _mark("\0".join(map(str, ("opening", *owner, begins))))


def _marks(record: Record, vocabulary: Vocabulary) -> Mapping[str, tuple[Value, ...]]:
    found: dict[str, tuple[Value, ...]] = {}
    if _is_said(record):
        said = identity(record)
        found[SAID] = (_mark(said),)
        if record.metadata:
            found[WHOLE] = (_mark(f"{said}\0{record.canonical_data()}"),)
    if (fact := fact_of(record, vocabulary)) is not None:
        found[STATED] = (_mark("\0".join(map(str, ("fact", *owner_of(record), fact.subject, fact.relation)))),)
    if (begins := opening_mark(record)) is not None:
        found[OPENING] = (begins,)
    return found


def _is_said(record: Record) -> bool:
    return record.kind not in (_TURN, SUMMARY)


def _written(value: object) -> str:
    """Return a value of metadata as it is stored: 1 and true are two values."""
    import json  # on use

    return value if isinstance(value, str) else "\0" + json.dumps(value, sort_keys=True)


def _mark(said: str) -> float:
    return float(int.from_bytes(sha256()(said.encode("utf-8", "surrogatepass")).digest()[:6]))


def _speaker(record: Record) -> tuple[str | None, object]:
    return record.said_by(), record.metadata.get("role")


def _says(words: Collection[str]) -> bool:
    return any(word not in _SMALL for word in words)
