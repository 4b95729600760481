"""The answer to a question that names a time and asks for nothing else: "what happened in May?", "昨日何があった？".

No word of it is in the records it is about, so that no search finds them; their times do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..light.expressions import expression
from ..ranking.agreement import cut, drop_duplicates
from ..ranking.candidates import Candidates, RowKey, join
from ..ranking.dates import Period, periods, without_times
from ..ranking.strength import CERTAIN, of_nothing
from ..retrieval.asking_words import says_only
from ..retrieval.filter.canonical import Canonical, all_of, any_of
from .naming_times import asks_for_the_past, naming_rows

if TYPE_CHECKING:
    from .._core import Analyzer
    from .queries import Queries

_GENERAL: Final = """
    anything diary did discuss do doing done entry event everything go happen journal log mention new news note on
    record remember said say something stuff summarise summarize summary talk tell thing told up went work write
    written wrote
"""
"""Words that ask what there is, whatever it is."""
_GENERAL_EUROPEAN: Final = {language: frozenset(words.split()) for language, words in {
    "de": """
        alles besprochen erzählt etwas gab gemacht geredet gesagt geschah geschehen getan gewesen los neues notiert
        passiert passierte hab habe haben habt hatte hatten
    """,
    "fr": "a ai avons c ce d dit fait fais faits l n passé passe quelque chose qu raconté parlé j avez s",
    "it": """
        accaduto c capitato cosa detto fatto ho abbiamo l parlato qualcosa raccontato successo tutto impegni programma
        previsto
    """,
    "es": """
        algo dicho dije dijimos dijo hablamos hablé hecho hice hicimos hizo ocurrió pasado pasó plan planes previsto
        sucedió todo
    """,
}.items()}  # fmt: skip
_SECOND: Final = 0.5
"""What names a time counts where the question asks for the past, and what is of it where the question does not."""
_SAID_AGAIN: Final = 4  # times as many records are looked at as hits are wanted: some say the same
_AROUND: Final = expression(
    r"(?:(?:a|one|1|half a) year|.* (?:and a )?half \w+|half an? \w+) (?:ago|back|earlier)|一年前|半年前"
)
"""Names a moment that lies so far back, and the time around it."""
_GENERAL_JAPANESE: Final = expression(
    r"(?:に|の|は)*(?:何|なに|どんな)(?:こと|話|予定)?(?:が|を|か)?(?:あった|ありました|起きた|起きました|した|しました"
    r"|話した|話しました|言った|ある|あります|する|します|入ってい(?:る|ます))?(?:か|の)*"
    r"|(?:に|の|は)*予定(?:が|を|は)?(?:何(?:か|が)?|ですか|教えて|ある|あります)*(?:か|の)*"
)


def by_time(queries: Queries, now: float | None, found: Sequence[RowKey], *, scaled: bool) -> Candidates | None:
    """Return the table of what is of the time that a question names; None where that is no answer.

    Each record of that time is what was asked for: it scores 1, and is as strong where the profile has a scale for
    that; the newest come first, before what was only said again then. The time of a record is when it begins to
    hold, or else when it was said, be it again. What names the time itself ("The plumber comes on Friday.") scores
    half as much, and has a third of the places behind them; it goes before them where the question does not ask for
    the past. Where nothing is of that time and no record says its words, the table is empty: "The last bus leaves
    at 23:10." says nothing of last week.

    Args:
        queries: what the legs were asked.
        now: the time of the question.
        found: the rows that its words find, the best first.
        scaled: whether answers of the profile have a strength.

    """
    text, k = queries.question.text, queries.question.k
    named = () if now is None else periods(text, now)
    analyzer = queries.sources.partition.settings.analyzer
    if now is None or not named or not asks_nothing_else(without_times(text, now), analyzer):
        return None
    partition = queries.sources.partition
    inside = queries.selection.both(any_of(map(_within, named))).rows(partition.core, queries.cells)
    rows = sorted(row for row in inside if partition.findable(row, queries.cells))
    times = zip(rows, *(partition.column_of(name, rows) for name in _TIMES), strict=True)
    at = {row: _time(begins, made, again, named) for row, begins, made, again in times}
    newest = sorted(rows, key=lambda row: (at[row][0], _order(at[row][1], named)))[: _SAID_AGAIN * k]
    words = ", ".join(period.words for period in named)
    if not newest:
        question = queries.question
        is_said = any(each.text for each in question.read_as)
        if question.min_strength == 0.0 or is_said or naming_rows(found, named, queries, relative=True):
            return None  # some record says the time, as it is written here or otherwise
        queries.degrade(f"the question asks for a time alone, and nothing is of {words}")
        return join({"time": []}).with_figures({"strength": of_nothing()} if scaled else {})
    is_past = asks_for_the_past(text)
    ahead = frozenset[RowKey]() if is_past else queries.question.saying  # a day of that time
    naming = naming_rows([row for row in found if row not in at or row in ahead], named, queries)
    past = 1.0 if is_past or not naming else _SECOND
    told = [row for row in newest if row not in naming]
    first, rest = (told, naming) if past == 1.0 else (naming, told)
    rows = [*first, *rest]
    table = join({"time": [(row, 1.0) for row in rows]})
    of_time = [past if row in at and row not in naming else None for row in rows]
    table = table.scored("told", "add", of_time, detail=f"{past:g}: of {words}")
    if naming:
        names = 1.0 + _SECOND - past
        operands = [names if row in naming else None for row in rows]
        table = table.scored("named", "add", operands, detail=f"{names:g}: names {words}")
    hashes = partition.hashes(rows)
    table = _shared(drop_duplicates(table, [hashes[row] for row in rows]), set(rest), k)
    table = table.with_note(f"the question asks for a time alone: what is of {words} is found, the newest first")
    return table.with_figures({"strength": CERTAIN}) if scaled else table


def _order(at: float, named: Sequence[Period]) -> float:
    """Return by what records are ordered: the newest come first, or those that lie nearest to a year ago."""
    if len(named) == 1 and _AROUND.fullmatch(named[0].words):
        return abs(at - (named[0].start + named[0].end) / 2)
    return -at


def _shared(table: Candidates, rest: set[RowKey], k: int) -> Candidates:
    """Return the first `k` rows, of which a third is left to those of the rest, as far as there are so many."""
    behind = sum(key in rest for key in table.keys)
    room = k - min(behind, k // 3)
    out = [row for row, key in enumerate(table.keys) if key not in rest][room:]
    return cut(table.drop(dict.fromkeys(out, f"beyond k ({k})")), k)


def _within(period: Period) -> Canonical:
    """Return the filter for the records of a period: what began to hold then, or else was said then, be it again."""
    begins, made, again = (("range", name, period.start, True, period.end, False) for name in _TIMES)
    return any_of([begins, all_of([("exists", "valid_from", False), any_of([made, again])])])


_TIMES: Final = ("valid_from", "created_at", "seen_at")


def _time(begins: float | None, made: float | None, again: float | None, named: Sequence[Period]) -> tuple[bool, float]:
    """Return whether a record was only said again then, and its time: what is said often tells less of a day."""
    first = made if begins is None else begins
    if again is None or (first is not None and any(each.start <= first < each.end for each in named)):
        return False, first or 0.0
    return True, again


def asks_nothing_else(rest: str, analyzer: Analyzer) -> bool:
    """Return whether what is left of a question without its times asks for no subject."""
    said = set(analyzer.terms(_GENERAL_JAPANESE.sub(" ", rest)))
    return said <= _general(analyzer) or says_only(rest, _GENERAL_EUROPEAN)


@lru_cache(maxsize=16)
def _general(analyzer: Analyzer) -> frozenset[str]:
    return frozenset(analyzer.terms(_GENERAL))
