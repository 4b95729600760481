"""The packing of a context: its budget and form, and what its parts cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.budget import POLICIES, exactly, fit
from ..ranking.quoting import Quoted, check_characters, frame, written
from ..ranking.tokens import GateTokens, HostTokens
from ..validation import check_between, check_one_of
from .filling import FILL, Filling
from .recent_tail import BUDGET, LEAST_TURNS, recent_tail

FIRST_FIT = POLICIES[1]


class Tokens(Protocol):
    """What a text costs: `HostTokens`, or the tokenizer of a model behind the same method."""

    def count(self, text: str) -> float:
        """Return the cost, at least 0."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A tokenizer of a caller's own, whose counts are looked at before anything is made of them."""

    own: Tokens

    def count(self, text: str) -> float:
        """Return what it counts.

        Raises:
            InvalidArgument, TypeError: that is no cost (see `byheart.ranking.budget.exactly`).

        """
        counted = self.own.count(text)
        exactly("tokens.count(text)", counted)
        return counted


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
    filling: Filling | None = None

    def cost(self, entry: Quoted) -> float:
        """Return what an entry costs: its text, or with the tags around it too."""
        bare = self.tokens.count(entry.text)
        if not self.count_frame:
            return bare
        return max(self.tokens.count(f"{written(entry)}\n"), bare)  # an estimate may say that more text costs less

    def frame_cost(self, kind: str) -> float:
        """Return what stands around the entries of a kind costs."""
        return self.tokens.count("".join(f"{part}\n" for part in frame(kind)))


def packing(
    budget: float | None,
    *,
    fraction: float,
    policy: str | Filling,
    tokens: Tokens | None,
    count_frame: bool,
    flatten: bool,
    characters: int | None,
    recent: Recent | bool,
) -> Packing:
    """Return how to pack, or raise the one error that says what is wrong with it."""
    if budget is None:
        raise InvalidArgument("budget: is missing; give tokens, or open the memory with context_budget")
    fraction = check_between("fraction", fraction, 0.0, 1.0)
    for name, switch in (("count_frame", count_frame), ("flatten", flatten)):
        if not isinstance(switch, bool):
            raise TypeError(f"{name} must be bool, not {type(switch).__name__}")
    _check_tokens(tokens)
    filling = policy if isinstance(policy, Filling) else None
    if filling is None:
        policy = check_one_of("policy", policy, (*POLICIES, FILL))
        filling = Filling() if policy == FILL else None
    order = FIRST_FIT if filling is not None else str(policy)
    fit((), budget, order)  # checks the budget
    check_characters(characters)
    if isinstance(recent, bool):
        recent_turns = Recent() if recent else None
    elif isinstance(recent, Recent):
        recent_turns = recent
    else:
        raise TypeError(f"recent must be bool or Recent, not {type(recent).__name__}")
    whole = budget if fraction == 1.0 else budget * fraction
    counting = HostTokens() if tokens is None else Counted(tokens)
    return Packing(whole, order, counting, count_frame, flatten, characters, recent_turns, filling)


def _check_tokens(tokens: Any) -> None:
    """Refuse what is no tokenizer; a text or a list has a `count` too, of its own parts, and would say 0 of all."""
    if isinstance(tokens, GateTokens):
        raise TypeError(
            "tokens must estimate what a prompt costs, as HostTokens does; GateTokens is for the gate alone"
        )
    of_parts = isinstance(tokens, (Sequence, type))
    if tokens is not None and (of_parts or not callable(getattr(tokens, "count", None))):
        given = f"the class {tokens.__name__}; give one made of it" if isinstance(tokens, type) else ""
        raise TypeError(
            "tokens must be an object with a method count(text) that says what a text costs, as HostTokens() has,"
            f" not be {given or type(tokens).__name__}"
        )
