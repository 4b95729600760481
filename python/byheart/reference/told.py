"""Words over all fields as one, and what was told around a record in its conversation.

The records are a dict of `Turn`. A conversation is what shares cell and name; its order is by time, then by id, in
which numbers count as numbers, then by cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from . import lexical


@dataclass(frozen=True)
class Turn:
    """A record: terms by field, cell, conversation (or None), time, whether it is a question, and how much it asks."""

    fields: Mapping[str, Sequence[str]]
    cell: str = ""
    conversation: object = None
    time: float | None = None
    asks: bool = False
    asking: float = 0.0


@dataclass(frozen=True)
class Around:
    """What was told before and after, and the whole conversation, as shares of what the question's words weigh."""

    before: float
    after: float
    whole: float


def asks(text: str) -> bool:
    """Return whether a text asks something: a question mark ends a word in it, or is one that ends every question.

    >>> asks("Tea? Or coffee."), asks('Said "why?"'), asks("See /page?id=7"), asks("何時？")
    (True, True, False, True)
    """
    for at, character in enumerate(text):
        behind = text[at + 1 :].lstrip("\"'\u201d\u2019)]")[:1]
        if character in "\uff1f\u061f" or (character == "?" and (not behind or behind.isspace())):
            return True
    return False


def asking(text: str) -> float:
    """Return which share of a message asks, by characters and in hundredths, if it ends in a question; 0 if not.

    >>> asking("Ann: I was in Rome. And you?"), asking("And you? I was in Rome."), asking("Why? :)")
    (0.36, 0.0, 1.0)
    """
    name, colon, rest = text.partition(": ")
    if colon and len(name) <= 21 and "A" <= name[0:1] <= "Z" and all(each.isalnum() or each == "_" for each in name):
        text = rest
    sentences, last = [], ""
    for at, character in enumerate(text):
        last += character
        ends = character in ".!?" and text[at + 1 : at + 2].isspace()
        if ends or character in "\u3002\uff01\uff1f\n":
            sentences.append(last.strip())
            last = ""
    sentences = [each for each in (*sentences, last.strip()) if any(map(str.isalnum, each))]
    if not sentences or not _is_question(text):
        return 0.0
    asked = sum(len(each) for each in sentences if _is_question(each))
    return max(round(asked / sum(map(len, sentences)), 2), 0.01) if asked else 0.0


def _is_question(text: str) -> bool:
    for character in reversed(text[-64:]):
        if character.isalnum() or character in "?\uff1f\u061f.!\u2026\u3002\uff01":
            return character in "?\uff1f\u061f"
    return False


def in_telling(id: str) -> tuple[tuple[int, int, str], ...]:
    """Return what puts ids in the order of telling: numbers in them count as numbers, and come before all else.

    >>> sorted(["D1:10", "D1:2", "D1:x", "D1:02"], key=lambda id: (in_telling(id), id))
    ['D1:02', 'D1:2', 'D1:10', 'D1:x']
    """
    parts = re.findall(r"[0-9]+|[^0-9]", id, re.DOTALL)
    plain = [part.lstrip("0") if part[0] in "0123456789" else None for part in parts]
    return tuple(
        (1, 0, part) if digits is None else (0, len(digits), digits) for part, digits in zip(parts, plain, strict=True)
    )


def joined(fields: Mapping[str, Sequence[str]], weights: Mapping[str, int]) -> tuple[str, ...]:
    """Return the terms of all fields, each as often as its field weighs.

    >>> joined({"title": ["tea"], "text": ["pot"]}, {"title": 2, "text": 1})
    ('tea', 'tea', 'pot')
    """
    return tuple(term for name, weight in weights.items() for term in fields.get(name, ()) for _ in range(weight))


def documents(turns: Mapping[str, Turn], weights: Mapping[str, int]) -> dict[str, lexical.Document]:
    """Return records of one field."""
    return {id: lexical.Document({"all": joined(turn.fields, weights)}, turn.cell) for id, turn in turns.items()}


@dataclass(frozen=True)
class Saturation:
    """k1 and b."""

    k1: float
    b: float


def saturation(average: float) -> Saturation:
    """Return k1 and b for records of so many terms on average: of short ones, length and repetition say little.

    >>> saturation(10.0), saturation(24.0), saturation(100.0)
    (Saturation(k1=0.6, b=0.3), Saturation(k1=0.8999999999999999, b=0.525), Saturation(k1=1.2, b=0.75))
    """
    share = min(max((average - 12.0) / (36.0 - 12.0), 0.0), 1.0)
    return Saturation(0.6 + (1.2 - 0.6) * share, 0.3 + (0.75 - 0.3) * share)


def saturation_of(texts: Mapping[str, lexical.Document]) -> Saturation:
    """Return k1 and b for some records of one field."""
    total = sum(len(text.fields["all"]) for text in texts.values())
    return saturation(total / len(texts) if texts else 0.0)


def familiarity(
    index: Mapping[str, lexical.Document],
    query: Sequence[str],
    found: Container[str] | None = None,
    idfs: Sequence[float] | None = None,
) -> float:
    """Return how much of a question the records of one field speak about that may be found, 0 to 0.3; None for all.

    The root of the share of these that hold a term, a mean over the terms by idf, 1 at least; as for records of 25
    terms, since longer ones hold more of them by chance; 0.3 at most, below which nearly all questions with an answer
    stay. What terms weigh (`idfs`, where that is not counted over these alone) and how long records are is counted over
    all.

    >>> tea = lexical.Document({"all": ("tea",) * 25})
    >>> familiarity({"a": tea, "b": tea}, ["tea"]), familiarity({"a": tea}, ["pot"])
    (0.3, 0.0)
    >>> familiarity({"a": tea, "b": lexical.Document({"all": ("pot",) * 25})}, ["tea"], {"b"})
    0.0
    """
    texts = [document.fields["all"] for document in index.values()]
    those = [document.fields["all"] for id, document in index.items() if found is None or id in found]
    if idfs is None:
        idfs = [lexical.idf(len(texts), sum(term in text for text in texts)) for term in query]
    weights = [max(each, 1.0) for each in idfs]
    held = [sum(term in text for text in those) for term in query]
    shares = sum((weight * (count / len(those)) for weight, count in zip(weights, held, strict=True) if count), 0.0)
    if not shares:
        return 0.0
    average = sum(map(len, texts)) / len(texts)
    return min(sqrt(shares / sum(weights, 0.0) / sqrt(sqrt(average / 25.0))), 0.3)


def finding(query: Sequence[str], light: Container[str]) -> list[str]:
    """Return the terms of a question that find; a light one only adds to the score of what another finds.

    >>> finding(["tea", "before", "tea"], {"before"})
    ['tea', 'tea']
    """
    return [term for term in query if term not in light]


def met(index: Mapping[str, lexical.Document], query: Sequence[str]) -> set[str]:
    """Return the records of one field that hold a term of these."""
    return {id for id, document in index.items() if not set(query).isdisjoint(document.fields["all"])}


def weight(
    index: Mapping[str, lexical.Document],
    query: Sequence[str],
    light: Container[str] = (),
    beside: lexical.Beside = lexical.NOTHING,
) -> float:
    """Return what the terms of a question that find weigh together: their idf, of which light ones are no part.

    >>> weight({"a": lexical.Document({"all": ("tea",)})}, ["tea", "over"], {"over"}) == lexical.idf(1, 1)
    True
    """
    rarity = lexical.idfs(index, query, {"all": 1.0}, beside=beside)
    total = 0.0
    for term in finding(query, light):
        total += rarity[term]
    return total


def shares(
    index: Mapping[str, lexical.Document],
    query: Sequence[str],
    how: Saturation,
    light: Container[str] = (),
    beside: lexical.Beside = lexical.NOTHING,
) -> dict[str, float]:
    """Return BM25 of records of one field, each as a share of what the question's words that find weigh."""
    most = weight(index, query, light, beside) * (how.k1 + 1.0)
    found = lexical.search(index, query, {"all": 1.0}, k1=how.k1, b=how.b, beside=beside)
    return {id: score / most if most else 0.0 for id, score in found}


def proposed(
    turns: Mapping[str, Turn],
    found: Sequence[tuple[str, float]],
    k: int,
    *,
    first: int = 20,
    reach: int = 2,
    among: Collection[str] | None = None,
    met: Collection[str] | None = None,
) -> list[tuple[str, float]]:
    """Return what a search for words proposes: its best, then what was told around the first ones, each with its score.

    Whose surroundings count is of all records; `among` says which of all that may be proposed, and `met` which hold a
    term that finds.

    >>> turns = {name: Turn({}, conversation="c") for name in "abc"}
    >>> proposed(turns, [("b", 2.0), ("c", 1.0)], 1)
    [('b', 2.0), ('a', 0.0), ('c', 1.0)]
    """
    may_be, scores = {id for id in turns if among is None or id in among}, dict(found)
    found = [hit for hit in found if met is None or hit[0] in met]
    best = [hit for hit in found if hit[0] in may_be][:k]
    known = {id for id, _ in best}
    in_order: dict[tuple[str, object], list[str]] = {}
    for id in sorted(turns, key=lambda id: _order(id, turns[id])):
        in_order.setdefault((turns[id].cell, turns[id].conversation), []).append(id)
    for id, _ in found[: min(k, first)]:
        if turns[id].conversation is None:
            continue
        ids = in_order[turns[id].cell, turns[id].conversation]
        at = ids.index(id)
        for other in (*ids[:at][::-1][:reach], *ids[at + 1 :][:reach]):
            if other in may_be and other not in known:
                known.add(other)
                best.append((other, scores.get(other, 0.0)))
    return best


def around(
    turns: Mapping[str, Turn],
    query: Sequence[str],
    weights: Mapping[str, int],
    *,
    turn: Saturation,
    session: Saturation,
    cosines: Mapping[str, float] | None = None,
    dense: float = 0.1,
    floor: float = 0.2,
    reach: int = 2,
    decay: float = 0.5,
    asked: float = 1.0,
    asked_all: float = 0.0,
    short: float = 24.0,
    light: Container[str] = (),
    beside: lexical.Beside = lexical.NOTHING,
) -> dict[str, Around]:
    """Return what stands around each record that is in a conversation.

    A turn counts by the share of its words, and by how far its cosine lies above the floor; `cosines` are those there
    are, `turn` and `session` say how repetitions and length count in each. One right before that asks counts `asked`
    times, what comes next is its answer, and `asked_all` times more by the share of it that does; less if
    the answer has more than `short` terms.
    """
    held = shares(documents(turns, weights), query, turn, light, beside)
    conversations: dict[tuple[str, object], list[str]] = {}
    for id, each in turns.items():
        if each.conversation is not None:
            conversations.setdefault((each.cell, each.conversation), []).append(id)
    texts = {}
    for number, ids in enumerate(conversations.values()):
        ids.sort(key=lambda id: _order(id, turns[id]))
        terms = tuple(term for id in ids for term in joined(turns[id].fields, weights))
        texts[str(number)] = lexical.Document({"all": terms})
    wholes = shares(texts, finding(query, light), session)

    def said(id: str) -> float:
        share, cosine = held.get(id, 0.0), (cosines or {}).get(id)
        if cosine is None:
            return share
        return share + dense * ((cosine - floor) / (1.0 - floor) if cosine > floor else 0.0)

    found = {}
    for number, ids in enumerate(conversations.values()):
        for place, id in enumerate(ids):
            before, after = ids[:place][::-1][:reach], ids[place + 1 :][:reach]
            earlier = [said(other) for other in before]
            if before:
                question, length = turns[before[0]], len(joined(turns[id].fields, weights))
                more = (asked - 1.0 if question.asks else 0.0) + asked_all * question.asking
                earlier[0] *= 1.0 + more * (short / length if length > short else 1.0)
            found[id] = Around(
                _faded(earlier, decay),
                _faded([said(other) for other in after], decay),
                wholes.get(str(number), 0.0),
            )
    return found


def _order(id: str, turn: Turn) -> tuple[object, ...]:
    name, _, cell = id.partition("\x1f")
    return (-float("inf") if turn.time is None else turn.time, in_telling(name), name, cell)


def _faded(shares: Sequence[float], decay: float) -> float:
    total, factor = 0.0, 1.0
    for share in shares:
        total += factor * share
        factor *= decay
    return total
