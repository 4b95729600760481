"""The context of a prompt: rules, the last turns, and what a recall finds, packed under one budget.

Precedence: invariants, always whole; the end of the conversation, if asked for; what the recall found, on what
is left. Costs and reasons are in the receipt. The recall is the caller's; the quoting is `byheart.ranking.quoting`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..errors import InvalidArgument
from ..index.turns import Told, bundle_of
from ..ranking.budget import ACCEPTED, OVER_BUDGET, POLICIES, fit, total
from ..ranking.quoting import HIT, INVARIANT, RECENT, Quoted, assemble, check_characters, frame, shortened, written
from ..ranking.tokens import GateTokens, HostTokens
from ..recall.answers import Recall
from ..recall.question import Question
from ..records import Record
from ..storage.attempts import attempts
from .invariants import check_fit
from .receipts import Charge, Context, ContextEntry
from .recent_tail import BUDGET, LEAST_TURNS, Turn, recent_tail

FRAME = "frame"
_LOOK, _LOOK_MORE = 64, 4  # so many turns are looked at first, and so many times as many if they do not decide


class Tokens(Protocol):
    """What a text costs: `HostTokens`, or the tokenizer of a model behind the same method."""

    def count(self, text: str) -> float:
        """Return the cost, at least 0."""


@dataclass(frozen=True, slots=True)
class Recent:
    """How much of the end of a conversation stands in a context.

    Attributes:
        least: the last turns that are taken whatever they cost, as long as the budget of the context allows it.
        budget: tokens up to which the tail then grows backwards.

    """

    least: int = LEAST_TURNS
    budget: float = BUDGET

    def __post_init__(self) -> None:
        """Check both."""
        recent_tail((), self.least, self.budget)


@dataclass(frozen=True, slots=True)
class Packing:
    """How a context is packed, checked."""

    budget: float
    policy: str
    tokens: Tokens
    count_frame: bool
    flatten: bool
    characters: int | None
    recent: Recent | None

    def cost(self, entry: Quoted) -> float:
        """Return what an entry costs: its text, or with the tags around it too."""
        return self.tokens.count(f"{written(entry)}\n" if self.count_frame else entry.text)

    def frame_cost(self, kind: str) -> float:
        """Return what stands around the entries of a kind costs."""
        return self.tokens.count("".join(f"{part}\n" for part in frame(kind)))


def packing(
    budget: float | None,
    *,
    fraction: float,
    policy: str,
    tokens: Tokens | None,
    count_frame: bool,
    flatten: bool,
    characters: int | None,
    recent: Recent | bool,
) -> Packing:
    """Return how to pack, or raise the one error that says what is wrong with it."""
    if budget is None:
        raise InvalidArgument("budget: is missing; give tokens, or open the memory with context_budget")
    if isinstance(fraction, bool) or not isinstance(fraction, (int, float)):
        raise TypeError(f"fraction must be a number, not {type(fraction).__name__}")
    if not 0.0 <= fraction <= 1.0:
        raise InvalidArgument(f"fraction: is {fraction}; give a share from 0 to 1")
    for name, switch in (("count_frame", count_frame), ("flatten", flatten)):
        if not isinstance(switch, bool):
            raise TypeError(f"{name} must be bool, not {type(switch).__name__}")
    if tokens is not None and not callable(getattr(tokens, "count", None)):
        raise TypeError(f"tokens must have a method count(text), as HostTokens has, not be {type(tokens).__name__}")
    if isinstance(tokens, GateTokens):
        raise TypeError(
            "tokens must estimate what a prompt costs, as HostTokens does; GateTokens is for the gate alone"
        )
    fit((), budget, policy)  # checks both
    check_characters(characters)
    if isinstance(recent, bool):
        recent_turns = Recent() if recent else None
    elif isinstance(recent, Recent):
        recent_turns = recent
    else:
        raise TypeError(f"recent must be bool or Recent, not {type(recent).__name__}")
    whole = budget if fraction == 1.0 else budget * fraction
    return Packing(whole, policy, tokens or HostTokens(), count_frame, flatten, characters, recent_turns)


@dataclass(frozen=True, slots=True)
class _Item:
    """Something that costs: an entry, or the frame of a kind."""

    kind: str
    id: str
    cost: float
    entry: Quoted | None = None
    score: float | None = None


def pack(
    question: Question,
    how: Packing,
    invariants: Sequence[Record],
    told: Callable[[int], Told] | None,
    recall: Callable[[Question], Recall],
    moment: Callable[[], int],
) -> Context:
    """Return the context of a question.

    Args:
        question: what was asked.
        how: budget and form.
        invariants: what has to be in, in their author's order.
        told: gives the end of the conversation: so many turns at least, none of them an invariant; None for none.
        recall: answers the question; is asked to leave out the turns that are in already.
        moment: tells moments of the memory apart: as long as it gives the same number, nothing has changed.

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
        answer = recall(replace(question, exclude=question.exclude | set(kept)))
        if told is None or moment() == begun or _tail(how, fixed, len(invariants) + 1, told) == (tail, missed):
            break  # else a turn might be told twice: word for word, and by a summary that was made meanwhile
    found = [(hit.record, hit.score) for hit in answer.hits if hit.id not in known]
    hits = _section(how, HIT, found, len(invariants) + len(kept) + 1)
    doubled = [hit.record for hit in answer.hits if hit.id in known]
    return _context(how, fixed, tail, missed, hits, doubled, answer)


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
    return Quoted(
        number=number,
        id=record.id or "",
        text=text,
        kind=kind,
        role=speaker if isinstance(speaker, str) else record.role,
        source=source if isinstance(source, str) else None,
        time=record.created_at,
        length=len(whole) if len(text) < len(whole) else None,
    )


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


def _context(
    how: Packing,
    fixed: Sequence[_Item],
    tail: Sequence[_Item],
    missed: Sequence[tuple[str, float]],
    hits: Sequence[_Item],
    doubled: Sequence[Record],
    answer: Recall,
) -> Context:
    """Fit the items and write the block; what is fixed is known to fit."""
    items = [*fixed, *tail, *hits]
    costs = [item.cost for item in items]
    fitted = fit(costs, how.budget)
    before = len(fixed) + len(tail) + (1 if hits and how.count_frame else 0)
    if how.policy != POLICIES[0] and len(fitted.accepted) >= before:  # nothing passes over a frame that does not fit
        fitted = fit(costs, how.budget, how.policy)
    charges: list[Charge] = []
    quoted: list[Quoted] = []
    entries: list[ContextEntry] = []
    for item, row in zip(items, fitted.rows, strict=True):
        number = None
        if item.entry is not None and row.reason == ACCEPTED:
            number = len(entries) + 1
            quoted.append(replace(item.entry, number=number))
            tokens = how.tokens.count(item.entry.text)
            entries.append(ContextEntry(number, item.id, item.entry.text, item.kind, item.score, tokens))
        charges.append(Charge(number, item.id, item.kind, row.cost, row.spent, row.reason))
    at = len(fixed)
    spent = charges[at - 1].spent if at else 0
    charges[at:at] = [Charge(None, id, RECENT, cost, spent, OVER_BUDGET) for id, cost in missed]
    for record in doubled:
        tokens = how.tokens.count(record.text)
        charges.append(Charge(None, record.id or "", HIT, tokens, fitted.spent, INVARIANT))
    return Context(
        text=assemble(quoted),
        entries=tuple(entries),
        tokens=total(entry.tokens for entry in entries),
        frame_tokens=_frame_tokens(how, quoted, [entry.tokens for entry in entries]),
        budget=how.budget,
        receipt=tuple(charges),
        degraded=answer.degraded,
        skipped=answer.skipped,
        recall=answer,
    )


def _frame_tokens(how: Packing, entries: Sequence[Quoted], texts: Sequence[float]) -> float:
    """Return what a block costs beside the texts of its entries, which cost so much."""
    whole = replace(how, count_frame=True)
    own = [max(whole.cost(entry) - text, 0) for entry, text in zip(entries, texts, strict=True)]
    return total([*own, *(how.frame_cost(kind) for kind in dict.fromkeys(entry.kind for entry in entries))])
