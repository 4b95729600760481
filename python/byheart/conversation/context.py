"""The context of a prompt: rules, the last turns, and what a recall finds, packed under one budget.

Precedence: invariants, always whole; the end of the conversation, if asked for; what the recall found, on what
is left. Costs and reasons are in the receipt. The recall is the caller's; the quoting is `byheart.ranking.quoting`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, cast

from .._core import Analyzer
from ..frozen import copier, maker
from ..index.turns import Told, bundle_of
from ..light.classes import dataclass
from ..ranking.budget import ACCEPTED, OVER_BUDGET, POLICIES, fit, total
from ..ranking.quoting import HIT, INVARIANT, RECENT, Quoted, assemble, shortened, written
from ..recall.answers import Recall
from ..recall.question import Question
from ..records import Record
from ..storage import key_of
from ..storage.attempts import attempts
from .behind import Expanded, worths
from .candidates import Candidate
from .filling import CUT, OUTDATED, Beside, Choice, Part, fill, in_order, ranked
from .invariants import check_fit
from .leaning import leaned
from .newer import behind_later, newer_first, told_along
from .packing import Packing, Recent, Tokens, packing
from .passages import passage
from .receipts import Charge, Context, ContextEntry
from .recent_tail import Turn, recent_tail

if TYPE_CHECKING:
    from ..words import EntryKind

__all__ = ["Packing", "Recent", "Tokens", "pack", "packing"]

_entry, _entry_of, _charge, _charge_of = maker(Quoted), copier(Quoted), maker(Charge), copier(Charge)

FRAME = "frame"
EXPANDED = "expanded"
_LOOK, _LOOK_MORE = 64, 4  # so many turns are looked at first, and so many times as many if they do not decide


@dataclass(frozen=True, slots=True)
class _Item:
    """Something that costs: an entry, or the frame of a kind."""

    kind: str
    id: str
    cost: float
    entry: Quoted | None = None
    score: float | None = None
    beside: str | None = None
    cut: bool = False


def pack(
    question: Question,
    how: Packing,
    invariants: Sequence[Record],
    told: Callable[[int], Told] | None,
    recall: Callable[[Question], Recall],
    moment: Callable[[], int],
    beside: Callable[[Question, Sequence[Record], int], Sequence[Beside]],
    behind: Callable[[Question, Sequence[tuple[Record, float]]], Sequence[Expanded]],
    analyzer: Analyzer,
) -> Context:
    """Return the context of a question.

    Args:
        question: what was asked.
        how: budget and form.
        invariants: what has to be in, in their author's order.
        told: gives the end of the conversation: so many turns at least, none of them an invariant; None for none.
        recall: answers the question; is asked to leave out the turns that are in already.
        moment: tells moments of the memory apart: as long as it gives the same number, nothing has changed.
        beside: gives what was told around records, as far as the question may find it, so many steps away at most.
        behind: gives the archived turns behind the summaries among hits.
        analyzer: of words, by which the question's terms were made.

    Raises:
        InvariantBudgetError: the invariants cost more than the budget.
        StoreBusy: others went on with the conversation during each of several attempts.

    """
    fixed = _section(how, INVARIANT, [(record, None) for record in invariants], 1)
    check_fit([item.cost for item in fixed], how.budget)
    known = {record.id for record in invariants}
    for _ in attempts("read the end of a conversation"):
        begun = moment() if told is not None else 0
        tail, missed = _tail(how, fixed, len(invariants) + 1, told)
        kept = [item.id for item in tail if item.entry is not None]
        narrowed = replace(question, exclude=question.exclude | set(kept))
        answer = recall(narrowed)
        if told is None or moment() == begun or _tail(how, fixed, len(invariants) + 1, told) == (tail, missed):
            break  # else a turn might be told twice: word for word, and by a summary that was made meanwhile
    found = [(hit.record, hit.score) for hit in answer.hits if hit.id not in known]
    doubled = [hit.record for hit in answer.hits if hit.id in known]
    if how.filling is not None:
        expanded = behind(narrowed, found)
        gone = {key_of(summary) for summary, _, _ in expanded}
        shown = [(record, score) for record, score in found if key_of(record) not in gone]
        around = beside(narrowed, _deciding(how, [record for record, _ in shown]), how.filling.reach)
        turns = [
            (Candidate(turn, None, summary.id), worth)
            for (summary, _, told), own in zip(expanded, worths(question, expanded, analyzer, how.filling), strict=True)
            for turn, worth in zip(told, own, strict=True)
        ]
        candidates = [each for each in ranked(shown, around, how.filling, turns) if each.record.id not in known]
        candidates = behind_later(candidates, shown, question.text)
        leaning = leaned(candidates, question.text, how.filling.leaning, analyzer)
        ordered, newer = newer_first(leaning, shown)
        anew = newer, told_along(ordered, newer, question.text)
        packed = _filled(
            how, [*fixed, *tail], ordered, anew, [summary for summary, _, _ in expanded],
            lambda text, room, cost, least: passage(text, room, cost, least, question.text, analyzer.terms),
        )  # fmt: skip
        return _context(how, fixed, tail, missed, packed, doubled, answer)
    hits = _section(how, HIT, found, len(invariants) + len(kept) + 1)
    return _context(how, fixed, tail, missed, _fitted(how, [*fixed, *tail], hits), doubled, answer)


def _deciding(how: Packing, found: Sequence[Record]) -> Sequence[Record]:
    """Return the hits beside which it is worth looking: up to the first that would not fit if all before it were in."""
    spent = 0.0
    for place, record in enumerate(found, 1):
        spent += _price(how, place, record)
        if spent > how.budget:
            return found[:place]
    return found


def _section(how: Packing, kind: str, members: Iterable[tuple[Record, float | None]], first: int) -> list[_Item]:
    """Return the items of a section, its frame first if that counts; none if the section is empty."""
    items = []
    for number, (record, score) in enumerate(members, first):
        entry = _quoted(how, number, kind, record)
        items.append(_Item(kind, entry.id, how.cost(entry), entry, score))
    if items and how.count_frame:
        items.insert(0, _Item(FRAME, kind, how.frame_cost(kind)))
    return items


def _quoted(how: Packing, number: int, kind: str, record: Record) -> Quoted:
    whole = shortened(record.gist(), flatten=how.flatten and kind == HIT)
    text = shortened(whole, characters=how.characters) if kind == HIT else whole
    source, speaker = record.provenance.get("source_name"), record.metadata.get("role")  # a turn's speaker
    return _entry(
        number=number,
        id=record.id or "",
        text=text,
        kind=kind,
        role=speaker if isinstance(speaker, str) else record.role,
        source=source if isinstance(source, str) else None,
        time=record.created_at,
        again=record.seen_at if (record.seen_at or 0.0) > (record.created_at or 0.0) else None,
        length=len(whole) if len(text) < len(whole) else None,
        topic=record.titled(),
    )


def _hit_text(how: Packing, record: Record) -> str:
    """Return what is shown of a hit where nothing is left out for want of room."""
    return shortened(record.gist(), flatten=how.flatten, characters=how.characters)


def _price(how: Packing, number: int, record: Record) -> float:
    """Return what a hit costs, by this number."""
    return how.cost(_quoted(how, number, HIT, record)) if how.count_frame else how.tokens.count(_hit_text(how, record))


def _tail(
    how: Packing, fixed: Sequence[_Item], first: int, told: Callable[[int], Told] | None
) -> tuple[list[_Item], list[tuple[str, float]]]:
    """Return the section of the last turns, and those that the budget leaves no room for, with their costs.

    No more turns are looked at than decide it: where the tail ends before the first of them, and all its bundles are
    whole, those before it change nothing.
    """
    if how.recent is None or told is None:
        return [], []
    wanted = max(_LOOK, 2 * how.recent.least)
    while True:
        end = told(wanted)
        items, whole, costs = _tail_of(how, fixed, first, end)
        inside = {item.id for item in items if item.entry is not None}
        bundles = {bundle_of(turn) for turn in end.turns if turn.id in {*whole, *inside}}
        if end.whole or (len(whole) < len(end.turns) and not bundles & end.begun_before):
            return items, [(id, costs[id]) for id in whole if id not in inside]
        wanted *= _LOOK_MORE


def _tail_of(
    how: Packing, fixed: Sequence[_Item], first: int, end: Told
) -> tuple[list[_Item], tuple[str, ...], dict[str, float]]:
    """Return the section of the last turns, the tail that there would be without the budget, and what turns cost.

    Where the last turns that were asked for do not fit, there are fewer of them: the newest, bundles whole.
    """
    assert how.recent is not None, "asked only where a tail is wanted"
    wanted, turns = how.recent, end.turns
    if not turns:
        return [], (), {}
    costs = {turn.id or "": _turn_cost(how, first + end.total, turn) for turn in turns}
    told = [Turn(turn.id or "", costs[turn.id or ""], bundle_of(turn)) for turn in turns]
    frame_cost = [how.frame_cost(RECENT)] if how.count_frame else []
    room = max(how.budget - total([*(item.cost for item in fixed), *frame_cost]), 0)

    def section(least: int) -> list[_Item]:
        ids = set(recent_tail(told, least, min(wanted.budget, room)).recent)
        return _section(how, RECENT, [(turn, None) for turn in turns if turn.id in ids], first)

    def too_much(least: int) -> bool:
        items = [*fixed, *section(least)]
        return len(fit([item.cost for item in items], how.budget).accepted) < len(items)

    best = bisect_left(range(min(wanted.least, len(turns)) + 1), True, key=too_much) - 1
    items = [] if best < 0 else section(best)
    return items, recent_tail(told, wanted.least, wanted.budget).recent, costs


def _turn_cost(how: Packing, last: int, turn: Record) -> float:
    """Return what a turn costs whose number is not known yet: at most that of the last of all."""
    return how.cost(_quoted(how, last, RECENT, turn)) if how.count_frame else how.tokens.count(turn.text)


@dataclass(frozen=True, slots=True)
class _Packed:
    """The outcome for all items: those that are in, in reading order, and the charge of each, without its number.

    Beside the charge of a hit that is in stands its item; beside that of one that is out, or behind, nothing.
    """

    inside: Sequence[_Item]
    rows: Sequence[tuple[_Item | None, Charge]]


def _fitted(how: Packing, before: Sequence[_Item], hits: Sequence[_Item]) -> _Packed:
    """Return the hits that fit behind what is known to, in their order."""
    items = [*before, *hits]
    costs = [item.cost for item in items]
    fitted = fit(costs, how.budget)
    needed = len(before) + (1 if hits and how.count_frame else 0)
    if how.policy != POLICIES[0] and len(fitted.accepted) >= needed:  # nothing passes over a frame that does not fit
        fitted = fit(costs, how.budget, how.policy)
    rows = [
        (item, Charge(None, item.id, item.kind, row.cost, row.spent, row.reason))
        for item, row in zip(items, fitted.rows, strict=True)
    ]
    return _Packed([item for item, row in rows if row.reason == ACCEPTED], rows)


def _filled(
    how: Packing,
    before: Sequence[_Item],
    candidates: Sequence[Candidate],
    anew: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]],
    expanded: Sequence[Record],
    part: Part,
) -> _Packed:
    """Return what fits of hits and of what was told beside them, as it is read; `anew` is as `fill` takes it.

    Numbers are not known before all is chosen: each costs what it does with the last number there can be. Where an
    estimate of one's own says that smaller numbers cost more, the worst go until all fits.
    """
    assert how.filling is not None, "asked only where a context is filled"
    last = sum(item.entry is not None for item in before) + len(candidates)
    packed = _fitted(how, before, [_Item(FRAME, HIT, how.frame_cost(HIT))] if candidates and how.count_frame else [])
    if any(charge.reason != ACCEPTED for _, charge in packed.rows):
        return packed
    spent = total(charge.tokens for _, charge in packed.rows)

    # Once each: they are asked for again and again, and most hits do not fit.
    prices = {id(candidate): _price(how, last, candidate.record) for candidate in candidates}

    @cache
    def whole(at: int) -> Quoted:
        return _quoted(how, last, HIT, shown[at].record)

    def entry(candidate: Candidate, number: int, part: str | None) -> Quoted:
        own = whole(id(candidate))
        if part is None:
            return _entry_of(own, {"number": number})
        return _entry_of(own, {"number": number, "text": part, "length": own.length or len(own.text)})

    def cost(candidate: Candidate, part: str | None) -> float:
        return total([prices[id(candidate)] if part is None else how.cost(entry(candidate, last, part))])

    def text(candidate: Candidate) -> str:
        return _hit_text(how, candidate.record)

    shown = {id(candidate): candidate for candidate in candidates}
    newer, along = anew
    choices = fill(candidates, newer, how.budget, spent, cost, text, how.filling, part, along)
    while True:
        chosen = {id(choice.candidate): choice for choice in choices if choice.text is not None}
        ordered = [chosen[id(each)] for each in in_order([choice.candidate for choice in chosen.values()])]
        items = {
            id(choice.candidate): _hit(choice, own, how.cost(own))
            for number, choice in enumerate(ordered, last - len(candidates) + 1)
            for own in [entry(choice.candidate, number, _part_of(choice))]
        }
        if not items or total([spent, *(item.cost for item in items.values())]) <= how.budget:
            break
        worst = max(place for place, choice in enumerate(choices) if choice.text is not None)
        choices[worst] = replace(choices[worst], text=None, reason=OVER_BUDGET)
    rows: list[tuple[_Item | None, Charge]] = [*packed.rows]
    for choice in choices:
        candidate = choice.candidate
        item = items.get(id(candidate))
        price = prices[id(candidate)] if item is None else item.cost
        spent = spent if item is None else total([spent, price])
        id_, worth = candidate.record.id or "", candidate.worth
        rows.append((item, _charge(None, id_, HIT, price, spent, choice.reason, candidate.beside, worth)))
    for summary in expanded:
        rows.append((None, Charge(None, summary.id or "", HIT, _price(how, last, summary), spent, EXPANDED)))
    return _Packed([*packed.inside, *items.values()], rows)


def _part_of(choice: Choice) -> str | None:
    return choice.text if choice.reason == CUT else None


def _hit(choice: Choice, entry: Quoted, cost: float) -> _Item:
    return _Item(HIT, entry.id, cost, entry, choice.candidate.score, choice.candidate.beside, choice.reason == CUT)


def _context(
    how: Packing,
    fixed: Sequence[_Item],
    tail: Sequence[_Item],
    missed: Sequence[tuple[str, float]],
    packed: _Packed,
    doubled: Sequence[Record],
    answer: Recall,
) -> Context:
    """Return what is in with its numbers, the block and the receipt."""
    quoted: list[Quoted] = []
    entries: list[ContextEntry] = []
    numbers: dict[int, int] = {}
    for item in packed.inside:
        if item.entry is None:
            continue
        number = numbers[id(item)] = len(entries) + 1
        quoted.append(_entry_of(item.entry, {"number": number}))
        text, tokens = item.entry.text, how.tokens.count(item.entry.text)
        kind = cast("EntryKind", item.kind)
        entries.append(ContextEntry(number, item.id, text, kind, item.score, tokens, item.cut, item.beside))
    charges = [
        charge if (at := numbers.get(id(item))) is None else _charge_of(charge, {"number": at})
        for item, charge in packed.rows
    ]
    spent = charges[-1].spent if charges else 0
    at = len(fixed)
    begun = charges[at - 1].spent if at else 0
    charges[at:at] = [Charge(None, id, RECENT, cost, begun, OVER_BUDGET) for id, cost in missed]
    for record in doubled:
        tokens = how.tokens.count(record.text)
        charges.append(Charge(None, key_of(record).id, HIT, tokens, spent, INVARIANT))
    blocks = [written(entry) for entry in quoted]
    return Context(
        text=assemble(quoted, blocks),
        entries=tuple(entries),
        tokens=total(entry.tokens for entry in entries),
        frame_tokens=_frame_tokens(how, quoted, blocks, [entry.tokens for entry in entries]),
        budget=how.budget,
        receipt=tuple(charges),
        degraded=(*answer.degraded, *_outdated(charges)),
        skipped=answer.skipped,
        recall=answer,
    )


def _outdated(charges: Sequence[Charge]) -> Iterator[str]:
    """Give the note of what is out since something newer is."""
    out = sum(charge.reason == OUTDATED for charge in charges)
    if out:
        what = "record is" if out == 1 else "records are"
        yield f"budget: {out} {what} left out, since a newer one that says otherwise did not fit; give more tokens"


def _frame_tokens(how: Packing, entries: Sequence[Quoted], blocks: Sequence[str], texts: Sequence[float]) -> float:
    """Return what a block costs beside the texts of its entries, which cost so much and are written so."""
    own = [max(how.tokens.count(f"{block}\n") - text, 0) for block, text in zip(blocks, texts, strict=True)]
    return total([*own, *(how.frame_cost(kind) for kind in dict.fromkeys(entry.kind for entry in entries))])
