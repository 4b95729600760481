"""The algebra of stages: what a stage is, what it may know, and what it promises.

A stage is a pure function from candidate table to candidate table. It changes the score by a column of its own
(`Candidates.scored`), or drops rows with a reason, or reorders them. It declares what it reads, where the scores lie
after it, and which inputs the score rises or falls with; `violations` looks whether that is so. Make a stage of your
own by deriving from `Stage`, and put it into a `byheart.Profile`; `register_stage` lets a stored profile name it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from ..light.classes import dataclass
from ..patterns.asking import share_asking
from ..records import Record
from .candidates import Candidates, RowKey, apply
from .explanation import Change, Explanation, shown


class Topic(NamedTuple):
    """What a question says: the raw score of words of a record that says all of it, how many they are, how familiar.

    And whether a record says its time word by word.
    """

    most: float | None
    length: float
    familiarity: float
    dated: bool


@dataclass(frozen=True, slots=True)
class StageContext:
    """What stages may know of a recall beside the table. The clock is read before; nothing here does anything.

    Attributes:
        now: epoch seconds.
        k: the hits that the profile gives where a recall does not say how many; not what the recall asked for, since
            that only cuts.
        query: the text.
        length: how many words it has (`curves.words_in`).
        records: of every row, by key.
        query_vector: the query's embedding, or None.
        vector_of: a record's embedding by key, or None.
        session_id, user_id: for whom the recall is.
        deadline: a point of `time.monotonic()` by which the recall has to be over, or None.
        max_access_count: the greatest of the records inside the boundary.
        spread: how many records lie inside the boundary, and mean and sample deviation of a number that they have (a
            field of the directory; a record without one counts as 0; the deviation is None of fewer than two).
        unasked: the retrievers that could not look at all, such as vectors without an embedder.
        related: reads further records by id, as far as they lie inside the boundary, are alive and can be recalled;
            invariants among them, which are marked so.
        row_of: gives the key of the row that a related record gets: its id, or id and cell where others have the id.
        inside: how many records lie inside the boundary.
        tops: the best raw score by retriever, over all that it may search: a filter does not change it.
        bests: the same over what may be found.
        leasts: the worst raw score by retriever among the candidates of a search without a filter.
        model: the family of the model that made the question's vector; None without one.
        unrelated: gives the cosine that texts with nothing in common reach by it, where nobody has measured the model.
        min_strength: the least strength of an answer that is not empty, where the recall says it.
        mosts: the raw score by retriever of a record that says all that the question says, as often as it counts.
        familiarity: how much of the question the records speak about that may be found, 0 to 0.3.
        lift: gives how many times as much the best record by words says if it is much longer than others.
        words: by key, what rows say in a field of the directory that `Stage.words` names, as far as they say it; None:
            the records are asked.
        values: all that a row says in any field of the directory; None: its record is asked.
        says: whether a record inside the boundary says something in a field at all.
        content_hashes: the content hashes of rows, by key; a row that is no longer there is missing.
        admits: whether the operators of the question let a record through; None where nobody has looked for any.
        is_marked: whether it has operators: who says what records must hold asks for those that do.
        topic: of a question that names a time, how much it says, whatever words name the time; None for any other.
        saying: the rows whose records say a time or another value of the question, in whichever way they write it.
        moment: gives the time of the question, where it was not read before; None: it is not known.
        known_at: the time of which it is asked what was known: what was said again later was not.
        made: what stages have worked out for explanations, which ask again for each row.

    """

    now: float
    k: int
    query: str = ""
    length: float = 0.0
    records: Mapping[Any, Record] = field(default_factory=dict)
    query_vector: Any | None = None
    vector_of: Callable[[Any], Any | None] = lambda key: None
    session_id: str | None = None
    user_id: str | None = None
    deadline: float | None = None
    max_access_count: int = 0
    spread: Callable[[str], tuple[int, float, float | None]] = lambda column: (0, 0.0, None)
    unasked: frozenset[str] = frozenset()
    related: Callable[[Sequence[str]], Mapping[str, Record]] = lambda ids: {}
    row_of: Callable[[str], RowKey] = lambda id: id
    inside: int = 0
    tops: Mapping[str, float] = field(default_factory=dict)
    bests: Mapping[str, float] = field(default_factory=dict)
    leasts: Mapping[str, float] = field(default_factory=dict)
    mosts: Mapping[str, float] = field(default_factory=dict)
    familiarity: float = 0.0
    lift: Callable[[], float] = lambda: 1.0
    model: str | None = None
    unrelated: Callable[[], float] = lambda: 0.0
    min_strength: float | None = None
    words: Callable[[str, Sequence[RowKey]], Mapping[Any, Any]] | None = None
    values: Callable[[str, RowKey], Sequence[Any]] | None = None
    says: Callable[[str], bool] = lambda field: True
    content_hashes: Callable[[Sequence[RowKey]], Mapping[Any, str]] = lambda keys: {}
    admits: Callable[[Record], bool] | None = None
    is_marked: bool = False
    topic: Topic | None = None
    saying: frozenset[str] = frozenset()
    moment: Callable[[], float] | None = None
    known_at: float = math.inf
    made: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def said(self, field: str, keys: Sequence[RowKey]) -> Mapping[Any, Any]:
        """Return what rows say in a field, by key; those that say nothing, or are gone, are missing.

        Args:
            field: "source id" (which turn it was promoted from), or the name of a field of records.
            keys: of the rows.

        """
        if self.words is not None:
            return self.words(field, keys)
        held = [(key, self.records[key]) for key in keys if key in self.records]
        found = [(key, _OF_RECORD.get(field, attrgetter(field))(record)) for key, record in held]
        return {key: value for key, value in found if value is not None}

    def listed(self, field: str, key: RowKey) -> Sequence[Any]:
        """Return all that a row says in a field of several values."""
        if self.values is not None:
            return self.values(field, key)
        return tuple(getattr(self.records[key], field)) if key in self.records else ()


def _source_id(record: Record) -> str | None:
    named = record.provenance.get("source_id")
    return named if isinstance(named, str) else None


_OF_RECORD: Mapping[str, Callable[[Record], Any]] = {
    "source id": _source_id,
    "metadata.noise": lambda record: record.metadata.get("noise"),
    "asking": lambda record: share_asking(record) or None,
}


@dataclass(frozen=True, slots=True)
class Influence:
    """How far a stage can move a score by something other than what the text says.

    Attributes:
        column: of the stage.
        cause: "time", "importance", "length", "scope", "quality", "access" or "authority".
        operation: "add" or "multiply".
        least, greatest: the smallest and the largest operand.

    """

    column: str
    cause: str
    operation: str
    least: float
    greatest: float


class Stage(ABC):
    """A pure function from candidate table to candidate table, and what it promises.

    Attributes:
        name: what explanations and timings call it.
        inputs: the columns that it reads. Those named in `byheart.ranking.features.FEATURES` are filled in from the
            records before the stages run; "text" and "vector" stand for what `StageContext` gives.
        range: where the scores lie after it, if they lay in [0, 1] before; None if it changes no score.
        monotone: by input, +1 if the score never falls when this input rises, -1 if it never rises. "score" is the
            score before the stage.
        words: the fields of the directory of which it asks `StageContext.said`.
        bare: whether it looks at columns and hashes alone: neither at records nor at the time. A recall whose stages
            all are reads no more records than it gives back, and no clock.
        keeps_marks: whether it drops what the operators of the question do not let through. Retrievers of callers are
            then asked without them, so that such rows are told with this reason.
        reads_times: whether it looks at the time all the same, where the question has a word of a time in it.
        tells_sessions: whether it makes something of the session that a recall is for.

    """

    name: ClassVar[str]
    inputs: ClassVar[tuple[str, ...]] = ()
    range: ClassVar[tuple[float, float] | None] = None
    monotone: ClassVar[Mapping[str, int]] = {}
    words: ClassVar[tuple[str, ...]] = ()
    bare: ClassVar[bool] = False
    keeps_marks: ClassVar[bool] = False
    reads_times: ClassVar[bool] = False
    tells_sessions: ClassVar[bool] = False

    @property
    def reads_records(self) -> bool:
        """Whether it looks at records themselves: at what no column says."""
        return "text" in self.inputs

    @property
    def ranked(self) -> tuple[str, ...]:
        """The retrievers whose ranks it reads, in columns such as "lexical_rank"; where its settings name them."""
        return ()

    @abstractmethod
    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table after the stage."""

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return how the operands of one row came about, by column: with all numbers that they take.

        Asked for explanations alone: for a row of the table `after`, which the stage made of the one `before`. A column
        that is left out is told by the detail that `Candidates.scored` got. Of one without such, here stand the inputs.
        """
        row = before.row(key) if key in before.keys else {}
        read = ", ".join(f"{name} {shown(row[name])}" for name in self.inputs if name in row and name != "score")
        silent = [how.column for how in after.applied[len(before.applied) :] if not how.detail]
        return dict.fromkeys(silent, f"of {read}") if read else {}

    def standing(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> tuple[str, ...]:
        """Return why one row stands where its score has not put it; asked as `working` is."""
        return ()

    def influence(self) -> tuple[Influence, ...]:
        """Return how far the stage can move a score by time, importance and the like; () if it cannot."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return the stage as a JSON-able mapping: its class under "stage", and its settings by name."""
        names: list[str] = [spec.name for spec in fields(self)] if is_dataclass(self) else []
        settings = {name: _plain(getattr(self, name)) for name in names}
        return {"stage": type(self).__name__, **settings}


def run(stages: Iterable[Stage], table: Candidates, context: StageContext) -> Candidates:
    """Run stages in order; the features that they read must be columns already (`features.gather`)."""
    for stage in stages:
        table = stage(table, context)
    return table


def explain(table: Candidates, key: RowKey) -> Explanation:
    """Return how a row of the table got its score: each column that changed it, in order."""
    row = table.keys.index(key)
    changes: list[Change] = []
    score = 0.0
    for column, operation, clamped, of, detail in table.applied:
        operand = table.columns[column][row]
        if operand is not None:
            score = apply(operation, score, operand, clamp=clamped)
            changes.append(Change(column, operation, operand, score, clamped, of, detail))
    return Explanation(table.ids[row], score, changes=tuple(changes))


def worst_case(stages: Iterable[Stage]) -> tuple[dict[str, float], dict[str, float]]:
    """Return how far causes other than the text can turn a ranking: factors and summands, by cause.

    The first says how many times as high a score may be as that of a record whose text fits equally well; the second
    by how much it may lie above it. A record may be outranked by that much and no more (see `docs/mathematics.md`).
    """
    factors: dict[str, float] = {}
    summands: dict[str, float] = {}
    for influence in (each for stage in stages for each in stage.influence()):
        if influence.operation == "add":
            summands[influence.cause] = summands.get(influence.cause, 0.0) + influence.greatest - influence.least
        else:
            ratio = influence.greatest / influence.least if influence.least > 0.0 else math.inf
            factors[influence.cause] = factors.get(influence.cause, 1.0) * ratio
    return factors, summands


def violations(stage: Stage, table: Candidates, context: StageContext, *, raise_by: float = 0.125) -> list[str]:
    """Return where a stage breaks its promises on one table, in words; nothing if it keeps them.

    Looked at: rows vanish with a reason only; scores lie in the range; the score is what the columns say; turning the
    rows round changes no score; and each input of `monotone`, raised in one row, moves that row's score the right way.
    The scores of the table have to lie in [0, 1].
    """
    after = stage(table, context)
    found = [f"{id}: vanished without a reason" for id in table.ids if id not in {*after.ids, *_dropped(after)}]
    scores = dict(zip(after.ids, after.scores(), strict=True))
    if stage.range is not None:
        low, high = stage.range
        found += [
            f"{id}: score {score} outside {stage.range}" for id, score in scores.items() if not low <= score <= high
        ]
    turned = stage(table.reordered(range(len(table.keys) - 1, -1, -1)), context)
    others = dict(zip(turned.ids, turned.scores(), strict=True))
    if stage.range is not None and others != scores:
        found.append("the order of the rows changes scores")
    for name, sign in stage.monotone.items():
        column = table.columns.get(name)
        for row, value in enumerate(column or ()):
            if value is not None:
                raised = stage(_raised(table, name, row, raise_by), context)
                before, now = scores.get(table.ids[row]), dict(zip(raised.ids, raised.scores(), strict=True))
                score = now.get(table.ids[row])
                if before is not None and score is not None and (score - before) * sign < 0.0:
                    found.append(f"{table.ids[row]}: {name} rose and the score went from {before} to {score}")
    return found


def _plain(value: Any) -> Any:
    """Return a setting as JSON can say it; an object is told by its name, and cannot be read back."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return {"object": str(getattr(value, "name", type(value).__name__))}


def _dropped(table: Candidates) -> set[str]:
    return {row.id for row in table.dropped if row.reason}


def _raised(table: Candidates, name: str, row: int, by: float) -> Candidates:
    values = list(table.columns[name])
    value = values[row]
    assert value is not None, "only rows that have the input are raised"
    values[row] = min(1.0, value + by) if name == "score" else value + by
    return table.with_column(name, values)
