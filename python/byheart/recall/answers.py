"""The answer of a recall: hits, what was degraded, timings, trace, and table and receipt when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, overload

from ..errors import InvalidArgument
from ..frozen import Document, of_plain, plain
from ..light.classes import dataclass
from ..ranking.candidates import Dropped
from .answer_table import Account, AnswerTable, account_of
from .hits import Hit
from .receipt import Receipt
from .trace import Trace

_SHOWN = 3  # hits, where an answer is shown on a line


# No subclass of `collections.abc.Sequence`: polars takes one of those row by row, and asks for no Arrow stream.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recall(Document):
    """The answer to a query. Iterating gives the hits, best first; `hits` is a tuple of them.

    Attributes:
        hits: best first, by score; but in `auto` a newer one stands before one that says nearly the same, if it fits
            the question about as well, and other such ones right behind it. Explanations tell which were moved.
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

        The same number in every question. It is about the topic, not about the answer: over "Leo is allergic to cats"
        the question "is Leo allergic to nuts?" is strong, and whether a hit answers is for its reader to say. But where
        an English question asks for a property, such as an age, a price or a name, and no text about what has it may
        say one, it is low: over that sentence "how old is Leo?" is weak. It is fitted on English: of other languages
        little words count as words, and it may be too high.

        What a filter leaves out, or belongs to another user, is no evidence; how much a word weighs follows from all
        records inside the boundary. None of profiles that have no scale for it; `auto` has one.
        """
        told = self._figures().get("strength")
        return None if told is None else float(told["best"])

    @property
    def sufficient(self) -> bool:
        """Whether there is a hit: in `auto`, whether the answer is as strong as was asked for.

        With vectors of a model that nobody has measured no answer is emptied, since true synonyms would go with what
        has nothing to do with the question. Then this is true where the words alone are strong enough.

        As `strength` it is about the topic: true says that the memory seems to know what was asked about, not that it
        holds the answer, which is for its reader to say; but a property that no text may say is not known. It is fitted
        on English: of other languages little words count as words, so that an answer may seem stronger than it is.
        """
        if not self.hits:
            return False
        told = self._figures().get("strength")
        return told is None or float(told["best"]) >= float(told.get("enough", told["floor"]))

    @property
    def nearest(self) -> tuple[str, ...]:
        """The ids of what came nearest, best first, three at most: the hits, or what was too weak to be one."""
        if self.hits:
            return tuple([hit.id for hit in self.hits[:3]])
        return tuple([row.id for row in self.dropped if row.reason.startswith(("strength ", "near, "))][:3])

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
        return isinstance(what, Hit) and what in self.hits

    def __reversed__(self) -> Iterator[Hit]:
        """Give the hits, best last."""
        return reversed(self.hits)

    def index(self, what: Hit | str, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a hit, or of the first one with an id.

        Raises:
            ValueError: it is none of these.

        """
        for place, hit in enumerate(self.hits[start:stop], slice(start, stop).indices(len(self.hits))[0]):
            if what in (hit, hit.id):
                return place
        raise ValueError(f"{what!r} is no hit of this answer")

    def count(self, what: Hit | str) -> int:
        """Return how many hits are this one, or have this id: an id may lie in several cells."""
        return sum(what in (hit, hit.id) for hit in self.hits)

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
        told = table.figures.get("strength", {"best": 0.0, "floor": 0.0})
        if not isinstance(told, Mapping) or any(type(told.get(name)) not in (int, float) for name in ("best", "floor")):
            raise InvalidArgument(f"{where}.figures.strength: must be a mapping with the numbers 'best' and 'floor'")
        trace = of_plain(Trace | None, given.get("trace"), f"{where}.trace")
        account = account_of(table, table.receipt)
        return cls(
            table.hits, table.degraded, account, trace=trace, skipped=table.skipped, routing=table.receipt.routing
        )

    def explain(self) -> str:
        """Return `str(recall.table)`; write that instead."""
        import warnings

        warnings.warn("Recall.explain is now str(recall.table)", DeprecationWarning, stacklevel=2)
        return str(self.table)
