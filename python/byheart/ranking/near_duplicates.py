"""Near-duplicates side by side: statements that differ in one value come together, the newer first.

"I live in Rome" and "I live in Paris", of one owner: which of them holds is a guess, and a guess hides nothing. When
one is a hit, those that it is linked with stand beside it, found or not, so that a reader sees both. Who asks for Rome
gets Rome first: the newer one goes before the other only if it fits the question about as well, be it with what was
told around it or by itself, since what is said three times in one talk has more around it; or if it says plainly that
what the other one says has changed, and has a tenth of its score: "The flight was moved to 9:15" lacks words of "When
does my flight leave?". "I moved to Uppsala" has none of "Where do I live?", and says that a state is another one: it
needs no score. A change that does not give what is asked for, as "The landlord raised the rent" for "Who is my
landlord?", stays where its score puts it, or behind the older one. The newer one is what was said last: who moved back
to Rome said so again, be that counted or kept as a turn of its own. Where the question names a time, what lies nearer
to it counts as newer. Of many that are connected, those that fit about as well as the best of them share their places,
the newest first; and so do those that begin alike and hold as much of the question, linked or not (`one_form`).

What was told in a later session and holds the question's words as well is put first, too (`told_later`). An older one,
and one of the same form, that fits less well than what stands between stays where it is: "Ann cleaned the bathroom" is
not asked for. Where what others stand in the place of is found, too, what holds now counts as newer than that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, NamedTuple

from ..boundary import id_of
from ..light.classes import dataclass
from ..records import SUMMARY
from .algebra import Stage, StageContext
from .candidates import Candidates, RowKey
from .explanation import shown
from .features import FORM
from .near_groups import Newness, connected, newest_first, side_by_side
from .near_pairs import ABOUT_AS_WELL, FAIRLY, answering, changing, fits_as_well, stating_anew
from .near_rows import brought_in, newness_of, twins_of
from .one_form import Forms, forms_of
from .summaries import says_as_much, summaries_behind
from .told_later import NEARLY_AS_WELL, SESSION, candidates_of, later_first, moves_any, told_later

KIND = "kind"
SUPERSEDED_BY = "superseded_by"
NEAR = "near_duplicates"
"""The field by which records name those that say nearly the same."""
LATE = "newer near-duplicates stand there"
"""Why a row goes again that was brought in."""
OWN = ("word_share", "meaning")
"""The columns of what a row says itself."""


class _Arranged(NamedTuple):
    """The table with what was brought in, and its rows in order.

    What comes late is dropped. The groups are the rows that are connected.
    """

    table: Candidates
    ordered: Sequence[RowKey]
    late: Sequence[RowKey]
    groups: Sequence[Sequence[RowKey]]
    newness: Newness
    changed: Callable[[RowKey, RowKey], bool]
    later: Callable[[RowKey, RowKey], bool]
    alone: Callable[[RowKey, RowKey], bool]
    linked: Callable[[RowKey, RowKey], bool]
    forms: Forms
    summaries: Collection[RowKey]


@dataclass(frozen=True, slots=True)
class NearDuplicatesBeside(Stage):
    """Puts the newest near-duplicates of each row beside it: before it those that are newer and fit about as well.

    The newer one is what was said last.

    Rows keep their scores, and all others their order. One that nothing found stands behind the row, at its score; what
    may not be found is not brought in.
    """

    name: ClassVar[str] = "near duplicates"
    inputs: ClassVar[tuple[str, ...]] = ("created_at", "seen_at", "length", FORM)
    words: ClassVar[tuple[str, ...]] = (SESSION, KIND)
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order, with what is brought in; as it is where no row has a near-duplicate."""
        arranged = self._arranged(table, context)
        if arranged is None:
            return table
        ordered, late = arranged.ordered, arranged.late
        places = {key: row for row, key in enumerate(arranged.table.keys)}
        table = arranged.table.reordered([places[key] for key in (*ordered, *late)])
        return table.drop(dict.fromkeys(range(len(ordered), len(table.keys)), LATE))

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return whose score a row has that was brought in."""
        score = after.row(key).get("near_duplicate")
        if score is None:
            return {}
        near = _near(before, twins_of(before), context)
        of = next(row for row in before.keys if id_of(key) in near.get(row, ()))
        return {"near_duplicate": f"{shown(score)}: the score of {id_of(of)}, which says nearly the same"}

    def standing(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> tuple[str, ...]:
        """Return before or behind which row one was put, where its score would not have put it."""
        arranged = self._arranged_once(before, context)
        if arranged is not None and key not in before.keys:
            return self._standing_of_brought_in(arranged, after, key)
        if arranged is not None and (passed := _summary_passed(arranged, before, after, key)) is not None:
            return (f"stands before {id_of(passed)}, a summary that says no more of the question itself",)
        kin = next((group for group in arranged.groups if key in group), ()) if arranged is not None else ()
        if arranged is None or not kin:
            return ()
        group = [row for row in arranged.ordered if row in kin]
        was, at = before.keys.index(key), after.keys.index(key)
        above, behind = before.keys[:was], {*after.keys[at + 1 :]}
        passed = next((other for other in above if other in behind and other in group), None)
        if passed is not None and (why := self._why_before(arranged, after, key, passed)):
            return (f"stands before {id_of(passed)}{_alike(arranged, key, passed)}: {why}",)
        if passed is not None and (third := _between(arranged, kin, key, passed)) is not None:
            return (f"stands before {id_of(passed)}: was said later, and both say nearly the same as {id_of(third)}",)
        strangers = {*before.keys}.difference(group)
        if {*above} & strangers == {*after.keys[:at]} & strangers or key == group[0]:
            return ()
        return (f"stands behind {id_of(group[0])}{_alike(arranged, key, group[0])}",)

    @staticmethod
    def _standing_of_brought_in(arranged: _Arranged, after: Candidates, key: RowKey) -> tuple[str, ...]:
        """Return before which row one was put that no search found; behind what names it, it needs no reason."""
        behind = after.keys[after.keys.index(key) + 1 :]
        passed = next((row for row in behind if arranged.linked(key, row) and arranged.changed(key, row)), None)
        why = "was said later, and says plainly what has changed"
        return () if passed is None else (f"stands before {id_of(passed)}, which says nearly the same: {why}",)

    def _arranged_once(self, table: Candidates, context: StageContext) -> _Arranged | None:
        """Return what `_arranged` does; it is made once for all rows of a table that are explained."""
        known: tuple[Candidates, _Arranged | None] | None = context.made.get(self.name)
        if known is None or known[0] is not table:
            known = context.made[self.name] = table, self._arranged(table, context)
        return known[1]

    @staticmethod
    def _why_before(arranged: _Arranged, after: Candidates, key: RowKey, other: RowKey) -> str | None:
        """Return why a row stands before another one; None if that has to do with a third."""
        newness = arranged.newness
        if arranged.alone(key, other):
            return "gives what the question asks for, and what was said later does not"
        if newness[key] <= newness[other]:
            return None
        linked = arranged.linked(key, other) or arranged.forms.together(key, other)
        nearer, holds = (newness[key][of] > newness[other][of] for of in (0, 1))
        came = "lies nearer to a time that the question names" if nearer else "holds now" if holds else "was said later"
        whys = "scores about as high", "says about as much of the question itself"
        for why, scores in zip(whys, _scores(after), strict=True):
            if linked and fits_as_well(scores, key, other):
                figures = f"{shown(scores[key])} >= {shown(ABOUT_AS_WELL)} x {shown(scores[other])}"
                return f"{came}, and {why} ({figures})"
        if arranged.changed(key, other):
            scores, _ = _scores(after)
            if scores[key] < FAIRLY * scores[other]:
                return f"{came}, and says plainly that this state is another one now"
            figures = f"{shown(scores[key])} >= {shown(FAIRLY)} x {shown(scores[other])}"
            return f"{came}, and says plainly what has changed ({figures})"
        if arranged.later(key, other):
            scores, _ = _scores(after)
            figures = f"{shown(scores[key])} >= {shown(NEARLY_AS_WELL)} x {shown(scores[other])}"
            return f"{came}, in another session, and says as much of the question's words ({figures})"
        return None

    def _arranged(self, table: Candidates, context: StageContext) -> _Arranged | None:
        """Return the rows in order; None where none has a near-duplicate."""
        twins = twins_of(table)
        near = _near(table, twins, context) if context.says(NEAR) else {}
        summaries = {key for key, kind in context.said(KIND, table.keys).items() if kind == SUMMARY}
        replaced, forms = _replaced(table, context), forms_of(table)
        may_move = near or summaries or replaced or forms.ties or forms.alike
        if not may_move and not candidates_of(table):
            return None
        table, beside = brought_in(table, near, context)
        at = newness_of(table, beside, twins, replaced, context)
        scores = _scores(table)
        later, candidates = told_later(table, scores[0], at, context), set(candidates_of(table))
        if not may_move and not moves_any(table.keys, candidates, later):
            return None
        links = _links(table, near, replaced)
        changed = changing(scores[0], links, at, context)
        states_anew = stating_anew(changed, context)
        answers = answering(scores[0], links, at, context)

        def fits(one: RowKey, key: RowKey) -> bool:
            return any(fits_as_well(each, one, key) for each in scores)

        def as_well(one: RowKey, key: RowKey) -> bool:
            if one in beside:
                return states_anew(one, key)
            return (fits(one, key) and answers(one, key)) or changed(one, key)

        def linked(one: RowKey, key: RowKey) -> bool:
            return one in links.get(key, ()) or key in links.get(one, ())

        def alone(one: RowKey, key: RowKey) -> bool:
            return one not in beside and at[one] < at[key] and fits(one, key) and not answers(one, key)

        def goes_before(one: RowKey, key: RowKey) -> bool:
            return (at[one] > at[key] and as_well(one, key)) or alone(one, key)

        def leads(one: RowKey, key: RowKey) -> bool:
            return states_anew(one, key) if one in beside else not fits(one, key) and changed(one, key)

        def fits_less(one: RowKey, key: RowKey, other: RowKey) -> bool:
            is_of_one = one in forms.of and forms.of[one] == forms.of.get(key)
            stays = one not in beside and (is_of_one or at[one] < at[key])
            return stays and not fits(one, other) and not changed(one, key)

        ordered = side_by_side(table.keys, links, beside, at, goes_before, fits_less)
        late = [key for key in beside if key not in ordered]
        groups = connected(table.keys, links)
        found = [[key for key in group if key not in beside] for group in groups]
        for each in (forms.ties, forms.alike, found):
            ordered = newest_first(ordered, each, at, as_well)
        final, passed = later_first(ordered, candidates, later)
        final = summaries_behind(final, summaries, scores[1], leads)
        groups = connected(table.keys, _with_groups(links, forms, passed))  # for explanations
        return _Arranged(table, final, late, groups, at, changed, later, alone, linked, forms, summaries)


def _links(
    table: Candidates, near: Mapping[RowKey, Sequence[str]], replaced: Mapping[RowKey, str]
) -> dict[RowKey, set[RowKey]]:
    """Return of rows those that each names, as what says nearly the same or as what stands in its place."""
    keys_of: dict[str, RowKey] = {}
    for key in table.keys:
        keys_of.setdefault(id_of(key), key)
    links = {key: {keys_of[id] for id in ids if id in keys_of} - {key} for key, ids in near.items()}
    for key, id in replaced.items():
        links[key] = links.get(key, set()) | {keys_of[id]}
    return links


def _replaced(table: Candidates, context: StageContext) -> dict[RowKey, str]:
    """Return the rows in whose place another one stands that is found, too, and which that is."""
    if not context.says(SUPERSEDED_BY):
        return {}
    ids = {id_of(key) for key in table.keys}
    said = context.said(SUPERSEDED_BY, table.keys)
    return {key: str(by) for key, by in said.items() if by in ids}


def _with_groups(
    links: Mapping[RowKey, set[RowKey]], forms: Forms, passed: Mapping[RowKey, RowKey]
) -> dict[RowKey, set[RowKey]]:
    """Return links, and what else rows have in common that share their places or were put before each other."""
    both = {key: set(others) for key, others in links.items()}
    for first, *others in (*forms.ties, *forms.alike):
        both.setdefault(first, set()).update(others)
    for key, other in passed.items():
        both.setdefault(key, set()).add(other)
    return both


def _alike(arranged: _Arranged, one: RowKey, other: RowKey) -> str:
    """Return what to say of two rows that are linked, or of one form."""
    of = arranged.forms.of
    is_of_one = one in of and of[one] == of.get(other)
    return ", which says nearly the same" if is_of_one or arranged.linked(one, other) else ""


def _between(arranged: _Arranged, kin: Sequence[RowKey], one: RowKey, other: RowKey) -> RowKey | None:
    """Return a row that says nearly the same as each of two; None if the first was not said later than the second."""
    if arranged.newness[one] <= arranged.newness[other]:
        return None

    def is_alike(row: RowKey) -> bool:
        return all(arranged.linked(row, each) or arranged.forms.together(row, each) for each in (one, other))

    return next((row for row in kin if row not in (one, other) and is_alike(row)), None)


def _summary_passed(arranged: _Arranged, before: Candidates, after: Candidates, key: RowKey) -> RowKey | None:
    """Return the first summary before which a row stands, where its score would have put it behind."""
    _, own = _scores(after)
    above, behind = before.keys[: before.keys.index(key)], after.keys[after.keys.index(key) + 1 :]
    return next((row for row in above if row in behind and says_as_much(key, row, arranged.summaries, own)), None)


def _near(table: Candidates, twins: Mapping[str, str], context: StageContext) -> dict[RowKey, list[str]]:
    """Return the ids of the near-duplicates of those rows that have any; for one that was dropped that of its twin."""
    named = {key: context.listed(NEAR, key) for key in table.keys}
    return {key: [twins.get(str(id), str(id)) for id in ids] for key, ids in named.items() if ids}


def _scores(table: Candidates) -> tuple[dict[RowKey, float], dict[RowKey, float]]:
    """Return the scores of rows, and those of what they say themselves."""
    none = (None,) * len(table.keys)
    words, meaning = (table.columns.get(name, none) for name in OWN)
    own = {key: (words[row] or 0.0) + (meaning[row] or 0.0) for row, key in enumerate(table.keys)}
    return dict(zip(table.keys, table.scores(), strict=True)), own
