"""The answers of a recall: hits, dropped rows, what was degraded, timings, and a receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from ..errors import InvalidArgument
from ..frozen import Document, of_plain, plain
from ..profiles.profile import Profile
from ..ranking.candidates import Candidates, Dropped
from ..ranking.explanation import Explanation, Step
from ..records import Record

_SHOWN = 3  # hits, where an answer is shown on a line


@dataclass(frozen=True, slots=True, repr=False)
class Hit(Document):
    """One record that answers the query.

    Attributes:
        id, score, record: the record, and what it scored; scores of two questions cannot be compared.
        explanation: there when it was asked for.
        strength: how probable it is that the memory knows what was asked about, by this record alone, 0 to 1: the same
            number means the same in every question. None of profiles that have no scale for it; `auto` has one.

    """

    id: str
    score: float
    record: Record
    explanation: Explanation | None = None
    strength: float | None = None

    @property
    def text(self) -> str:
        """The record's text."""
        return self.record.text

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The record's metadata: data of the user's own, as it was given."""
        return self.record.metadata

    def __hash__(self) -> int:
        """Return a hash of record and score: an explanation has none."""
        return hash((self.record, self.score))

    def __repr__(self) -> str:
        """Show id and score, and how the text begins."""
        strength = "" if self.strength is None else f", strength={self.strength:.2f}"
        return f"Hit({self.id!r}, score={self.score:.4f}{strength}, text={snippet(self.record.gist(), 60)!r})"


@dataclass(frozen=True, slots=True)
class Receipt(Document):
    """What was asked, of what, and what came out: enough to ask again and compare.

    `profile` is its name, and `settings` the whole of it: two profiles of one name are told apart. `mode` is how
    vectors were searched; None if they were not. `vector` is a digest of the vector that the caller gave. `routing` is
    what the gate of the profile decided, None of a profile without one. `digests` are of the records of the hits, by
    which a replay tells which of them changed. `operators` are the phrases and words of the question that records had
    to hold, or must not: "phrase", "must" and "must_not"; None where none were read.
    """

    version: str
    query: str | tuple[str, ...]
    profile: str
    k: int
    boundary: Mapping[str, Any]
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None
    analyzer: str
    preset: str
    hypervectors: str
    records: int
    escalated: bool
    hits: tuple[tuple[str, str], ...]
    embedder: str | None = None
    mode: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: tuple[str, ...] = ()
    filter: Mapping[str, Any] | None = None
    vector: str | None = None
    settings: Profile | None = None
    routing: Mapping[str, Any] | None = None
    digests: tuple[str, ...] = ()
    min_strength: float | None = None
    operators: Mapping[str, Any] | None = None
    as_of: float | None = None
    include_superseded: bool = False
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class TraceCandidate(Document):
    """A candidate of a retriever: where the record belongs ("session" or "kb"), its scores, and why."""

    id: str
    store: str
    raw_score: float
    normalised_score: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Strategy(Document):
    """A retriever that ran, and whether it used up its budget of work."""

    name: str
    candidates: tuple[TraceCandidate, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class Trace(Document):
    """How an answer came about.

    Attributes:
        purpose: what the answer is for: the act, if one was given.
        strategies: the retrievers that ran, in order, with what they proposed.
        escalated: whether a retriever beyond the first was asked.
        unit_types: the kinds of records among the hits: "atomic", "composite", "aggregate".
        considered: how many records lie inside the boundary.
        proofs: what was derived, or stated, that bears on the query; the most telling first.

    """

    purpose: str | None
    strategies: tuple[Strategy, ...]
    escalated: bool
    unit_types: tuple[str, ...]
    considered: int
    proofs: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class AnswerTable(Candidates):
    """The candidate table of an answer: the hits' rows and columns, and why the other candidates are none.

    `str(table)` draws it for a terminal, with the beginnings of the texts and, where they were asked for, explanations.
    """

    hits: tuple[Hit, ...] = ()
    receipt: Receipt | None = None
    timings: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    skipped: str | None = None

    def __str__(self) -> str:
        """Draw the table for a terminal: hits with their columns, dropped rows with their reasons."""
        told = Candidates.lines(self)
        lines: list[str] = []
        if self.receipt is not None:
            steps = ", ".join(f"{name} {value:.0f} us" for name, value in self.timings.items())
            lines.append(f"{self.receipt.profile}: {len(self.hits)} of {self.receipt.records} records  ({steps})")
        for line, hit in zip(told, self.hits, strict=False):
            lines += [line, f"     {snippet(hit.text)}"]
            if hit.explanation is not None:
                lines += ["     " + each for each in str(hit.explanation).splitlines()[1:]]
        lines += told[len(self.hits) :]
        return "\n".join([*lines, *([f"not searched: {self.skipped}"] if self.skipped is not None else [])])


class Account:
    """The table and the receipt of an answer, made when somebody first asks for them.

    Most callers want the hits. What these are made of is kept, so that they are the same whenever they are made.
    """

    __slots__ = ("_draw", "_drawn", "_write", "_written")

    def __init__(self, draw: Callable[[Receipt | None], AnswerTable], write: Callable[[], Receipt]) -> None:
        self._draw, self._write = draw, write
        self._drawn: AnswerTable | None = None
        self._written: Receipt | None = None

    def receipt(self) -> Receipt:
        """Return what was asked and what came out."""
        if self._written is None:
            self._written = self._write()
        return self._written

    def table(self) -> AnswerTable:
        """Return the table of the hits."""
        if self._drawn is None:
            self._drawn = self._draw(self.receipt())
        return self._drawn

    def bare(self) -> AnswerTable:
        """Return the table without the receipt, which takes longer to write than all the rest."""
        return self._drawn if self._drawn is not None else self._draw(None)

    def __reduce__(self) -> tuple[Callable[[AnswerTable, Receipt], Account], tuple[AnswerTable, Receipt]]:
        """Be copied as what it gives."""
        return _made, (self.table(), self.receipt())


def _made(table: AnswerTable, receipt: Receipt) -> Account:
    account = Account(lambda receipt: table, lambda: receipt)
    account.table()
    return account


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recall(Document):
    """The answer to a query. Iterating gives the hits, best first.

    Attributes:
        hits: best first.
        degraded: what could not be done as asked; empty when all went well.
        account: makes `table`, `receipt` and `dropped`.
        timings: microseconds by step. The only part that differs between equal calls with the same `now`.
        trace: which retrievers ran, what they proposed, and the proofs; with `explain=True` only.
        skipped: why nothing was searched, where the query needs no memory (`adaptive`); None if it was searched.
        routing: what the gate of the profile decided, as in the receipt, and `latency_ms` of its stages, which differ
            between equal calls; None of a profile without a gate.

    """

    hits: tuple[Hit, ...]
    degraded: tuple[str, ...]
    account: Account
    timings: Mapping[str, float] = field(default_factory=dict)
    trace: Trace | None = None
    skipped: str | None = None
    routing: Mapping[str, Any] | None = None

    @property
    def table(self) -> AnswerTable:
        """The candidate table of the hits; its columns are the account of their scores, and `str` draws it."""
        return self.account.table()

    @property
    def receipt(self) -> Receipt:
        """What was asked and what came out."""
        return self.account.receipt()

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """(id, reason) of the candidates that are no hits.

        With `explain=True` of all that the legs propose; without, of those that were looked at before the hits were
        certain.
        """
        return self.table.dropped

    def __eq__(self, other: object) -> bool:
        """Return whether another answer says the same; timings do not count."""
        if not isinstance(other, Recall):
            return NotImplemented
        mine, theirs = (
            (each.hits, each.degraded, each.trace, each.skipped, each.receipt, each.table) for each in (self, other)
        )
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]  # it holds columns, which change for nobody but are no values

    def __repr__(self) -> str:
        """Show how many hits there are, the first of them, and what could not be done."""
        strength = "" if self.strength is None else f", strength={self.strength:.2f}"
        more = "".join(
            f", {name}={value!r}"
            for name in ("degraded", "skipped")
            if (value := getattr(self, name)) not in ((), None)
        )
        shown = [*map(repr, self.hits[:_SHOWN]), *(["..."] if len(self.hits) > _SHOWN else [])]
        return f"Recall({len(self.hits)} hits{strength}{more}: [{', '.join(shown)}])"

    def _repr_html_(self) -> str:
        """Show the hits as a table in a notebook."""
        from .showing import table

        names = ["", "id", "score", "strength", "text"]
        rows = [(at, hit.id, hit.score, hit.strength, hit.record.gist()) for at, hit in enumerate(self.hits, 1)]
        return table(f"{len(self.hits)} hits", names, rows)

    @property
    def strength(self) -> float | None:
        """How probable it is that the memory knows what was asked about, 0 to 1: by the best of what may be found.

        What a filter leaves out, or belongs to another user, is no evidence; how much a word weighs follows from all
        records inside the boundary. None of profiles that have no scale for it; `auto` has one.
        """
        told = self._figures().get("strength")
        return None if told is None else float(told["best"])

    @property
    def sufficient(self) -> bool:
        """Whether the evidence is enough to answer from: a hit is there, and the answer as strong as was asked for."""
        return bool(self.hits)

    @property
    def nearest(self) -> tuple[str, ...]:
        """The ids of what came nearest, best first, three at most: the hits, or what was too weak to be one."""
        if self.hits:
            return tuple([hit.id for hit in self.hits[:3]])
        return tuple([row.id for row in self.dropped if row.reason.startswith("strength ")][:3])

    def _figures(self) -> Mapping[str, Any]:
        return {} if self.skipped is not None else self.account.bare().figures

    @property
    def covers_roles(self) -> bool:
        """Whether the roles that were needed are there.

        There is a hit; and no role is needed, or a hit has a needed one, or there are two hits at least.
        """
        roles = self.receipt.needed_roles
        if not self.hits or not roles or len(self.hits) > 1:
            return bool(self.hits)
        return self.hits[0].record.role in roles

    def __iter__(self) -> Iterator[Hit]:
        """Give the hits, best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Return how many hits there are: an answer without any is false."""
        return len(self.hits)

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        """Return the hit at a place, 0 the best, or a slice of them as a tuple."""
        return self.hits[place]

    def __contains__(self, what: object) -> bool:
        """Return whether a record is a hit, by its id; or a hit is one of these."""
        if isinstance(what, str):
            return any(hit.id == what for hit in self.hits)
        return what in self.hits

    def to_pandas(self) -> Any:
        """Return the hits as a `pandas.DataFrame`, one a row, best first; pandas is imported for it.

        Columns are id, score, strength, text, created_at (in UTC), tenant, scope, boundary_class, kind, topic, user_id,
        session_id and metadata.

        Raises:
            MissingExtra: pandas is not installed.

        """
        from .showing import frame

        return frame(self.hits)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the hits as an Arrow stream, the columns as in `to_pandas`, metadata as JSON.

        So whoever speaks the PyCapsule interface of Arrow takes an answer as it is: `pyarrow.table(recall)`,
        `polars.DataFrame(recall)`. Nothing has to be installed for it here; a schema that is asked for is passed over,
        as the interface allows.
        """
        from .arrow import stream
        from .showing import columns

        return stream(columns(self.hits))

    def _form(self) -> dict[str, Any]:
        """Return everything but the timings: equal for equal answers, byte for byte."""
        table = self.table._form()
        del table["receipt"]  # stands in the table, too, and once is enough
        return {
            "hits": table.pop("hits"),
            "strength": self.strength,
            "nearest": list(self.nearest),
            **table,
            "trace": plain(self.trace),
            "receipt": plain(self.receipt),
        }

    @classmethod
    def _read(cls, given: Mapping[str, Any], where: str) -> Recall:
        """Return the answer of a form; "strength" and "nearest" are what its other parts say."""
        own = {name: value for name, value in given.items() if name not in ("strength", "nearest", "trace")}
        table = AnswerTable._read(own, where)
        if table.receipt is None:
            raise InvalidArgument(f"{where}: lacks 'receipt'; give what `to_dict` returned")
        trace = of_plain(Trace | None, given.get("trace"), f"{where}.trace")
        account = _made(table, table.receipt)
        return cls(
            table.hits, table.degraded, account, trace=trace, skipped=table.skipped, routing=table.receipt.routing
        )

    def explain(self) -> str:
        """Return `str(recall.table)`; write that instead."""
        import warnings

        warnings.warn("Recall.explain is now str(recall.table)", DeprecationWarning, stacklevel=2)
        return str(self.table)


def snippet(text: str, width: int = 88) -> str:
    r"""Return the beginning of a text on one line, control characters shown as blanks.

    >>> snippet("two\nlines")
    'two lines'
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text[: width * 4]).split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
