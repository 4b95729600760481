"""Rules by which the text of a row goes before that of another one: what each says, and which of two may.

Of most questions no rule has anything to say, and of most texts few; so each text is looked at once, and two of them
are compared only where one may go before, and the other behind (`patterns.rather`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..records import SUMMARY, Record
from .candidates import RowKey
from .near_pairs import FAIRLY, IN_QUESTION
from .told_later import APART, NEARLY_AS_WELL
from .told_rows import MUCH_LESS, Told

if TYPE_CHECKING:
    from ..patterns.rather import Rather

MOST_WITH_LABEL: Final = 120
"""Characters: of longer texts none is looked at; of these the rules look at no more than 90 behind a label."""

WITHOUT_THE_VERB: Final = 0.4
"""What was told anew, perhaps by another verb, has so much of the older one's score."""
_DENIES: Final = "that one says of something else the contrary of what the question asks for"
_OF_ANOTHER: Final = "that one is of somebody whom the question does not ask about"
_OF_ITS_OWN: Final = "that one is of another thing of the kind, by a word that the question does not say"
_SAYS_NO_PROPERTY: Final = "that one does not say what the question asks for of whom it asks"
_LACKS_THE_KIND: Final = "that one holds nothing of the kind that the question asks for"
_IS_NOT_OF_NOW: Final = "that one asks itself, or tells what was"
_OF_THE_CONTRARY: Final = "that one speaks of the contrary way: from there, and not to it, or the like"
_THE_OTHER_WAY: Final = "that one says it the other way round: of whom it is done to, that they do it"
_RENEWS: Final = "was said later, and says that what it gives is new"
_STATE_NOW: Final = "was said later, and says what became of that"
_IS_OVER: Final = "was said later, and says that what that one says is over"
_TO_COME: Final = "that one says what is to come, and this one what is so"
_ECHOED: Final = "that one is the assistant's, and says nothing of it but courtesies and what this one says"
_TOLD_ANEW: Final = "was said later, and gives as much of what the question asks for"
_TOLD_OTHERWISE: Final = "was said later, and gives by another verb what the question asks for"
_LEAST: Final = {
    _RENEWS: 0.0,
    _STATE_NOW: 0.0,
    _IS_OVER: 0.0,
    _TOLD_ANEW: NEARLY_AS_WELL,
    _TOLD_OTHERWISE: WITHOUT_THE_VERB,
}
"""So much of the other one's score has what goes before it by these rules."""
_FEW_BEFORE: Final = frozenset({_RENEWS, _OF_ANOTHER, _STATE_NOW, _IS_OVER})
"""By these rules few rows may go before others, and it costs little to see which."""


class TextRules:
    """What the texts of rows say by each rule, for a question.

    Args:
        question: the text.
        named: whether a time is named: then nothing that was told later goes before what it names.
        in_order: whether the first or the last is asked for.
        moment: gives the time of the question, if a text says when something begins.

    """

    def __init__(
        self, question: str, *, named: bool, in_order: bool, moment: Callable[[], float] | None = None
    ) -> None:
        self._question, self._named, self._in_order, self._moment = question, named, in_order, moment

    def arranged(self, rows: Sequence[Told]) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
        """Return rows in order, each before the first that its text goes before, and which that is."""
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
            rule = rule_of(self._question) if may_decide and not (self._named and why in _LEAST) else None
            if rule is None:
                continue
            before = _each(rule.front, texts) if why in _FEW_BEFORE else None
            behind = _each(rule.back, texts) if before is None or before else ()
            if behind and before is None:
                before = _each(rule.front, texts)
            if behind and before and not (why == _SAYS_NO_PROPERTY and self._is_said_otherwise(rows, before)):
                found.append(_Sides(why, rule.decides, before, behind))
        found += [*self._echoed(rows, texts), *self._told_anew(rows, texts)]
        to_come = list(self._to_come(rows, texts))
        for each in to_come:  # what is announced goes before nothing
            found = [side.without(each.behind) for side in found]
        return [*found, *to_come]

    def _to_come(self, rows: Sequence[Told], texts: Sequence[_Read | None]) -> Iterator[_Sides]:
        """Yield what texts say is so, and what others announce for a day behind the time of the question."""
        announce = [text is not None and text.announces for text in texts]
        if not any(announce) or self._moment is None or self._named:
            return
        from ..patterns.to_come import to_come_for

        rule = to_come_for(self._question)
        if rule is None:
            return
        now = self._moment()
        behind = [
            row.text if is_so and rule.is_announced(row.text, row.made, now) else None
            for row, is_so in zip(rows, announce, strict=True)
        ]
        before = _each(rule.front, texts) if any(behind) else ()
        if before:
            yield _Sides(_TO_COME, rule.decides, before, behind)

    def _echoed(self, rows: Sequence[Told], texts: Sequence[_Read | None]) -> Iterator[_Sides]:
        """Yield what users said, and what the assistant did."""
        echoes = _each_by(rows, texts, lambda row: row.record.metadata.get("role") == "assistant")
        own = _each_by(rows, texts, lambda row: row.record.metadata.get("role") == "user") if any(echoes) else ()
        if any(own):
            from ..patterns.echoing import says_less

            yield _Sides(_ECHOED, lambda one, other: says_less(other, one, self._question), own, echoes)

    def _told_anew(self, rows: Sequence[Told], texts: Sequence[_Read | None]) -> Iterator[_Sides]:
        """Yield the short notes, if one of them was told later than one above it, and fits nearly as well."""
        if not rows or self._named or self._in_order:
            return
        said = [row.said for row in rows]
        if max(said) - min(said) < APART:  # none was told clearly later
            return
        notes = [
            None if text is None or row.record.speaker else text.text for row, text in zip(rows, texts, strict=True)
        ]
        older = [None if row.record.session_id else text for row, text in zip(rows, notes, strict=True)]
        least = IN_QUESTION * rows[0].score
        if not any(
            said[later] - said[at] >= APART
            and notes[later] is not None
            and rows[later].score >= WITHOUT_THE_VERB * row.score
            and is_later(rows[later], row)
            for at, row in enumerate(rows)
            if older[at] is not None and row.score >= least
            for later in range(at + 1, len(rows))
        ):
            return
        from ..patterns.told_anew import told_anew  # compiled where something was told later

        anew = told_anew(self._question)
        if anew is not None:
            yield _Sides(_TOLD_ANEW, anew, notes, older)
            yield _Sides(_TOLD_OTHERWISE, anew.without_the_verb, notes, older)

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
    """A text without its label, by which of the rules it may decide, and whether it says when something begins."""

    text: str
    may: tuple[bool, ...]
    announces: bool


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _read(text: str) -> _Read:
    from ..patterns.labels import without_label
    from ..patterns.to_come import may_announce

    said = without_label(text)
    return _Read(said, tuple(may(said) for may, _, _ in _rules()), may_announce(said))


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Callable[[str], bool], Callable[[str], Rather[Any, Any] | None], str], ...]:
    """Return of each rule by which texts it may decide, what tells them apart by a question, and why."""
    from ..patterns import (
        answers_sought,
        code_states,
        complements,
        denying,
        doers,
        ended,
        of_now,
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
        (doers.may_decide, doers.answers_rather, _THE_OTHER_WAY),
        (qualifying.may_decide, qualifying.answers_rather, _OF_ITS_OWN),
        (renewing.may_decide, renewing.renews, _RENEWS),
        (code_states.may_decide, code_states.answers_rather, _STATE_NOW),
        (ended.may_decide, ended.answers_rather, _IS_OVER),
        (of_now.may_decide, of_now.answers_rather, _IS_NOT_OF_NOW),
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

    def without(self, others: Sequence[Any]) -> _Sides:
        """Return it without some rows among those that may go before others."""
        pairs = zip(self.before, others, strict=True)
        return self._replace(before=[None if other is not None else each for each, other in pairs])


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
    if why in _LEAST:
        return is_later(one, other) and one.score >= _LEAST[why] * other.score
    if why == _ECHOED:
        return one.score >= NEARLY_AS_WELL * other.score and one.record.user_id == other.record.user_id
    if why in (_SAYS_NO_PROPERTY, _LACKS_THE_KIND, _IS_NOT_OF_NOW) and one.record.speaker is not None:
        return False
    if why in (_LACKS_THE_KIND, _IS_NOT_OF_NOW):
        session = other.record.session_id
        is_beside = session is not None and one.record.session_id == session  # its answer may be a turn of that session
        return other.record.speaker is None and not is_beside and one.score >= NEARLY_AS_WELL * other.score
    of_whom = why not in (_OF_ANOTHER, _SAYS_NO_PROPERTY) or other.record.speaker is None  # "my" is of who speaks
    return of_whom and one.score >= MUCH_LESS * other.score


def is_later(one: Told, other: Told) -> bool:
    """Return whether a row was told clearly later than another one, by the same user, and not found in a file."""
    if one.is_of_file or other.is_of_file:
        return False
    return one.said - other.said >= APART and one.record.user_id == other.record.user_id
