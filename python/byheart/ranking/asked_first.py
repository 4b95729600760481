"""Answers before what is none: of rows that fit about as well, those whose texts say that they do not answer go behind.

Words do not tell a denial from what it denies, nor whose fact a record tells, nor that a value is new, nor the first of
several from the last. So the texts of the first rows are looked at: what says of something else that it is not so goes
behind what says so (`patterns.denying`), what another person has behind what the asker has, or who is named
(`patterns.subjects`), the contrary way behind the one that is asked for (`patterns.opposites`), another thing of the
kind behind what is asked for (`patterns.qualifying`), an older value behind one that is said to be new
(`patterns.renewing`), what does not say the property that is asked for behind what may (`patterns.property_order`), how
a thing is behind what it is (`patterns.complements`), an assistant's echo behind what it repeats (`patterns.echoing`),
and a note behind one that was told later and gives as much (`patterns.told_anew`); and where the first or the last is
asked for, those that say as much of the question stand in the order of their times (`patterns.order_asked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from ..boundary import id_of
from ..light.classes import dataclass
from ..records import SUMMARY, Record
from .algebra import Stage, StageContext
from .candidates import Candidates, RowKey
from .near_pairs import FAIRLY, IN_QUESTION
from .time_apart import TimeApart
from .told_later import APART, NAMED_TIME, NEARLY_AS_WELL

if TYPE_CHECKING:
    from ..patterns.order_asked import Asked
    from ..patterns.rather import Rather

LOOKED_AT: Final = 10
"""So many of the first rows are looked at; where the first or the last is asked for, all."""
MOST_WITH_LABEL: Final = 120
"""Characters: of longer texts none is looked at; of these the rules look at no more than 90 behind a label."""
MUCH_LESS: Final = 0.3
"""A row with less than this share of another one's score does not go before it; what says that it is new needs less."""

Why = Mapping[RowKey, tuple[RowKey, str]]
_DENIES: Final = "that one says of something else the contrary of what the question asks for"
_OF_ANOTHER: Final = "that one is of somebody whom the question does not ask about"
_OF_ITS_OWN: Final = "that one is of another thing of the kind, by a word that the question does not say"
_SAYS_NO_PROPERTY: Final = "that one does not say what the question asks for of whom it asks"
_LACKS_THE_KIND: Final = "that one holds nothing of the kind that the question asks for"
_OF_THE_CONTRARY: Final = "that one speaks of the contrary way: from there, and not to it, or the like"
_RENEWS: Final = "was said later, and says that what it gives is new"
_ECHOED: Final = "that one is the assistant's, and says nothing of it but courtesies and what this one says"
_TOLD_ANEW: Final = "was said later, and gives as much of what the question asks for"
_FEW_BEFORE: Final = frozenset({_RENEWS, _OF_ANOTHER})
"""By these rules few rows may go before others, and it costs little to see which."""
_ELSEWHERE: Final = "is of the time that the question names; that one lies elsewhere, and has words of it alone"


class Told(NamedTuple):
    """A row that is looked at: its score and its record."""

    key: RowKey
    score: float
    record: Record

    @property
    def text(self) -> str:
        """What it says."""
        return self.record.text

    @property
    def is_of_file(self) -> bool:
        """Whether it stands in a file, which was told to nobody."""
        return self.record.provenance.get("source_name") is not None

    @property
    def made(self) -> float:
        """When it was told first."""
        return float("-inf") if self.record.created_at is None else self.record.created_at

    @property
    def said(self) -> float:
        """When it was told last."""
        return self.made if self.record.seen_at is None else self.record.seen_at


class Rules:
    """What a question asks of the order of rows.

    Args:
        question: the text.
        named: whether a time is named: that says which of several is asked for.
        now: when the question is asked; None: nothing is said of what lies in a time.

    """

    def __init__(self, question: str, *, named: bool = False, now: float | None = None) -> None:
        from ..patterns.order_asked import order_asked  # its patterns are compiled for the first question

        self.order = None if named else order_asked(question)
        self._question, self._named = question, named
        self._apart = TimeApart(question, now) if named and now is not None else None

    def moves(self, rows: Sequence[Told]) -> bool:
        """Return whether one of the first rows goes before another one, or may: of an order all rows decide."""
        return (self.order is not None and not _is_said(rows, self.order)) or bool(self._by_texts(rows)[1])

    @property
    def looked_at(self) -> int | None:
        """How many rows are looked at; None: all."""
        return LOOKED_AT if self.order is None else None

    def arranged(self, rows: Sequence[Told]) -> tuple[list[Told], Why]:
        """Return rows in order, and before which each was put, and why."""
        final, passed = self._by_texts(rows)
        return (final, passed) if self.order is None else _in_order(final, passed, self.order)

    def _by_texts(self, rows: Sequence[Told]) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
        """Return rows in order, each before the first that its text goes before, and which that is."""
        if self._apart is not None:
            final, passed = _in_time(rows, self._apart)
            if passed:
                return final, passed
        return self._by_rules(rows)

    def _by_rules(self, rows: Sequence[Told]) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
        sides = self._sides(rows)
        if not sides:
            return list(rows), {}
        final: list[int] = []
        passed: dict[RowKey, tuple[RowKey, str]] = {}
        for row in range(len(rows)):
            place, why = _place(row, final, rows, sides)
            if place < len(final):
                passed[rows[row].key] = rows[final[place]].key, why
            final.insert(place, row)
        return [rows[row] for row in final], passed

    def _sides(self, rows: Sequence[Told]) -> list[_Sides]:
        """Return what the rows say by each rule by which one of them may go before another one."""
        texts = [_read(row.record.text) if _is_short(row.record) else None for row in rows]
        may = list(map(any, zip(*(text.may for text in texts if text is not None), strict=True)))
        found = []
        for may_decide, (_, rule_of, why) in zip(may, _rules(), strict=False):
            rule = rule_of(self._question) if may_decide and not (self._named and why == _RENEWS) else None
            if rule is None:
                continue
            before = _each(rule.front, texts) if why in _FEW_BEFORE else None
            behind = _each(rule.back, texts) if before is None or before else ()
            if behind and before is None:
                before = _each(rule.front, texts)
            if behind and before and not (why == _SAYS_NO_PROPERTY and self._is_said_otherwise(rows, before)):
                found.append(_Sides(why, rule.decides, before, behind))
        return [*found, *self._echoed(rows, texts), *self._told_anew(rows, texts)]

    def _echoed(self, rows: Sequence[Told], texts: Sequence[_Read | None]) -> Iterator[_Sides]:
        """Yield what users said, and what the assistant did."""
        echoes = _each_by(rows, texts, lambda row: row.record.metadata.get("role") == "assistant")
        own = _each_by(rows, texts, lambda row: row.record.metadata.get("role") == "user") if any(echoes) else ()
        if any(own):
            from ..patterns.echoing import says_less

            yield _Sides(_ECHOED, lambda one, other: says_less(other, one, self._question), own, echoes)

    def _told_anew(self, rows: Sequence[Told], texts: Sequence[_Read | None]) -> Iterator[_Sides]:
        """Yield the short notes, if one of them was told later than one above it, and fits nearly as well."""
        if not rows or self._named or self.order is not None:
            return
        notes = [
            None if text is None or row.record.speaker else text.text for row, text in zip(rows, texts, strict=True)
        ]
        older = [None if row.record.session_id else text for row, text in zip(rows, notes, strict=True)]
        least = IN_QUESTION * rows[0].score
        if not any(
            other.score >= NEARLY_AS_WELL * row.score and text is not None and _is_later(other, row)
            for at, row in enumerate(rows)
            if older[at] is not None and row.score >= least
            for other, text in zip(rows[at + 1 :], notes[at + 1 :], strict=True)
        ):
            return
        from ..patterns.told_anew import told_anew  # compiled where something was told later

        anew = told_anew(self._question)
        if anew is not None:
            yield _Sides(_TOLD_ANEW, anew, notes, older)

    def _is_said_otherwise(self, rows: Sequence[Told], before: Sequence[Any]) -> bool:
        """Return whether a row may say the property asked for that may not go before others: then none does."""
        from ..patterns.property_order import may_say_it

        return not any(before) or any(
            each is None and may_say_it(self._question, row.text) for row, each in zip(rows, before, strict=True)
        )


def _is_short(record: Record) -> bool:
    """Return whether a record says so little that a rule may look at it, be there a label or not."""
    return len(record.text) <= MOST_WITH_LABEL and record.kind != SUMMARY


class _Read(NamedTuple):
    """A text without its label, and whether it is one by which each of the rules may decide, be asked what may."""

    text: str
    may: tuple[bool, ...]


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _read(text: str) -> _Read:
    from ..patterns.labels import without_label

    said = without_label(text)
    return _Read(said, tuple(may(said) for may, _, _ in _rules()))


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Callable[[str], bool], Callable[[str], Rather[Any, Any] | None], str], ...]:
    """Return of each rule by which texts it may decide, what tells them apart by a question, and why."""
    from ..patterns import (
        answers_sought,
        complements,
        denying,
        opposites,
        property_order,
        qualifying,
        renewing,
        subjects,
    )  # fmt: skip

    return (
        (denying.may_decide, denying.answers_rather, _DENIES),
        (subjects.may_decide, subjects.answers_rather, _OF_ANOTHER),
        (opposites.may_decide, opposites.answers_rather, _OF_THE_CONTRARY),
        (qualifying.may_decide, qualifying.answers_rather, _OF_ITS_OWN),
        (renewing.may_decide, renewing.renews, _RENEWS),
        (bool, property_order.answers_rather, _SAYS_NO_PROPERTY),
        (bool, answers_sought.answers_rather, _LACKS_THE_KIND),
        (bool, complements.answers_rather, _LACKS_THE_KIND),
    )


def _each_by(rows: Sequence[Told], texts: Sequence[_Read | None], of: Callable[[Told], bool]) -> list[str | None]:
    """Return the texts of some rows, without their labels; None of all others."""
    return [text.text if text is not None and of(row) else None for row, text in zip(rows, texts, strict=True)]


def _each(says: Callable[[str], object], texts: Sequence[_Read | None]) -> Sequence[Any]:
    """Return what each text says by one side of a rule; () if none says anything."""
    found = [None if text is None else says(text.text) for text in texts]
    return () if all(each is None for each in found) else found


class _Sides(NamedTuple):
    """What rows say by a rule: that may go before another one, and that may go behind."""

    why: str
    decides: Callable[[Any, Any], bool]
    before: Sequence[Any]
    behind: Sequence[Any]


def _place(row: int, above: Sequence[int], rows: Sequence[Told], sides: Sequence[_Sides]) -> tuple[int, str]:
    """Return where a row goes among those above it, and why there."""
    mine = [side for side in sides if side.before[row] is not None]
    if mine:
        for place, other in enumerate(above):
            for side in mine:
                behind = side.behind[other]
                if (
                    behind is not None
                    and rows[row].score >= FAIRLY * rows[other].score
                    and _may(rows[row], rows[other], side.why)
                    and side.decides(side.before[row], behind)
                ):
                    return place, side.why
    return len(above), ""


def _may(one: Told, other: Told, why: str) -> bool:
    """Return whether one row may go before another one, by all that is no text: times, scores, and who says so."""
    if why in (_RENEWS, _TOLD_ANEW):
        return _is_later(one, other) and (why == _RENEWS or one.score >= NEARLY_AS_WELL * other.score)
    if why == _ECHOED:
        return one.score >= NEARLY_AS_WELL * other.score and one.record.user_id == other.record.user_id
    if why in (_SAYS_NO_PROPERTY, _LACKS_THE_KIND) and one.record.speaker is not None:
        return False
    if why == _LACKS_THE_KIND:
        session = other.record.session_id
        is_beside = session is not None and one.record.session_id == session  # its answer may be a turn of that session
        return other.record.speaker is None and not is_beside and one.score >= NEARLY_AS_WELL * other.score
    of_whom = why not in (_OF_ANOTHER, _SAYS_NO_PROPERTY) or other.record.speaker is None  # "my" is of who speaks
    return of_whom and one.score >= MUCH_LESS * other.score


def _is_later(one: Told, other: Told) -> bool:
    """Return whether a row was told clearly later than another one, by the same user, and not found in a file."""
    if one.is_of_file or other.is_of_file:
        return False
    return one.said - other.said >= APART and one.record.user_id == other.record.user_id


def _in_time(rows: Sequence[Told], apart: TimeApart) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
    """Return rows with those of the time asked for before those that have words of it and lie elsewhere."""
    elsewhere = {row.key for row in rows if apart.says_it_elsewhere(row.record)}
    final: list[Told] = []
    passed: dict[RowKey, tuple[RowKey, str]] = {}
    for row in rows:
        place = len(final)
        if elsewhere and row.key not in elsewhere and apart.lies_in_it(row.record):
            place = next(
                (
                    at
                    for at, other in enumerate(final)
                    if other.key in elsewhere
                    and row.score >= FAIRLY * other.score
                    and apart.says_as_much(row.record, other.record)
                ),
                place,
            )
        if place < len(final):
            passed[row.key] = final[place].key, _ELSEWHERE
        final.insert(place, row)
    return final, passed


def _in_order(
    rows: list[Told], passed: dict[RowKey, tuple[RowKey, str]], asked: Asked
) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
    """Return rows with those that say most of what a question asks about in the order of their times.

    What says less, and was found by the word of the order, goes behind them.
    """
    from ..patterns.order_asked import held, owes_it

    of = [row for row in rows if row.record.kind != SUMMARY and not row.is_of_file]
    says = {row.key: len(held(asked, row.text)) for row in of}
    most = max(says.values(), default=0)
    if most == 0 or _is_said(rows, asked):
        return rows, passed
    fitting = [row for row in of if says[row.key] == most]
    least = MUCH_LESS * max(row.score for row in fitting)
    fitting = [row for row in fitting if row.score >= least]
    keys = {row.key for row in fitting}
    last = max(place for place, row in enumerate(rows) if row.key in keys)
    lacking = [row for row in rows[:last] if 2 * says.get(row.key, most) <= most and owes_it(asked, row.text)]
    in_order = iter(sorted(fitting, key=lambda row: row.made if asked.order == "first" else -row.said))
    kept = [row for row in rows[: last + 1] if row not in lacking]
    final = [*(next(in_order) if row.key in keys else row for row in kept), *lacking, *rows[last + 1 :]]
    return final, {**passed, **_passed_by(rows, final, keys, asked.order)}


def _is_said(rows: Sequence[Told], asked: Asked) -> bool:
    """Return whether a row that fits has the words of the order itself."""
    from ..patterns.order_asked import says_it

    least = MUCH_LESS * max((row.score for row in rows), default=0.0)
    return any(row.score >= least and row.record.kind != SUMMARY and says_it(asked, row.text) for row in rows)


def _passed_by(before: Sequence[Told], after: Sequence[Told], keys: set[RowKey], order: str) -> Why:
    """Return before which row each was put that stands where its score would not have put it."""
    was = {row.key: place for place, row in enumerate(before)}
    why = f"the question asks for the {order}"
    found: dict[RowKey, tuple[RowKey, str]] = {}
    for place, row in enumerate(after):
        other = next((each for each in after[place + 1 :] if was[each.key] < was[row.key]), None)
        if other is not None:
            found[row.key] = other.key, why if other.key in keys else f"{why}, of which that one says less"
    return found


@dataclass(frozen=True, slots=True)
class AskedFirst(Stage):
    """Puts rows whose texts answer a question before those whose texts say that they cannot. Rows keep their scores."""

    name: ClassVar[str] = "asked first"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order; as it is where no text decides."""
        final = self._arranged(table, context)[0]
        if final == list(table.keys[: len(final)]):
            return table
        places = {key: row for row, key in enumerate(table.keys)}
        return table.reordered([*(places[key] for key in final), *range(len(final), len(table.keys))])

    def standing(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> tuple[str, ...]:
        """Return before which row one was put, and why."""
        passed = self._arranged(before, context)[1].get(key)
        return () if passed is None else (f"stands before {id_of(passed[0])}: {passed[1]}",)

    def _arranged(self, table: Candidates, context: StageContext) -> tuple[list[RowKey], Why]:
        """Return the first rows in order; none where no rule holds. What is worked out for explanations is kept."""
        known: tuple[Candidates, tuple[list[RowKey], Why]] | None = context.made.get(self.name)
        if known is None or known[0] is not table:
            known = context.made[self.name] = table, _of_table(table, context)
        return known[1]


def _of_table(table: Candidates, context: StageContext) -> tuple[list[RowKey], Why]:
    rules = Rules(context.query, named=any(table.columns.get(NAMED_TIME, ())), now=context.now)
    if len(table.keys) < 2:
        return [], {}
    keys = table.keys[: rules.looked_at]
    found = context.related([id_of(key) for key in keys])
    told = {key: found.get(id_of(key)) if context.row_of(id_of(key)) == key else None for key in keys}
    rows = [
        Told(key, score, record)
        for key, score in zip(keys, table.scores(), strict=False)
        if (record := told[key]) is not None
    ]
    if len(rows) < len(keys):
        return [], {}
    final, passed = rules.arranged(rows)
    return [row.key for row in final], passed
