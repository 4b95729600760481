"""The protocol of summarisers, and the checks that every summary passes."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import NamedTuple, Protocol, runtime_checkable

from ..errors import ByheartError, DuplicateId, InvalidArgument, SummaryError
from ..light.classes import dataclass
from ..validation import check_id, check_text


class Turn(NamedTuple):
    """A turn of a conversation: the record's id, and what was said."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for a sequence of turns.

    Attributes:
        text: the summary, with no white space around it; never empty.
        confidence: between 0 and 1; what it measures is the summariser's to say.
        method: the summariser's name.
        source_ids: the turns that the text was made of, in their order. Of an extract these are the chosen ones.
        truncated: the summariser could not read all of the turns: the end of them was left out.

    Raises:
        SummaryError: the text is blank or holds a lone surrogate, or the confidence is no number from 0 to 1. The
            message names the method.

    >>> Summary("Ada asked for tea.", 0.75, "by hand", ("t1", "t2")).truncated
    False

    """

    text: str
    confidence: float
    method: str
    source_ids: tuple[str, ...]
    truncated: bool = False

    def __post_init__(self) -> None:
        """Refuse what no reader could use."""
        if not isinstance(self.text, str) or not self.text.strip():
            given = "a blank text" if isinstance(self.text, str) else f"{type(self.text).__name__} for a text"
            raise SummaryError(f"{self.method}: gave {given}; the turns stay as they are")
        try:
            check_text("text", self.text)
        except ByheartError as error:
            raise SummaryError(f"{self.method}: {error}") from None
        if not is_share(self.confidence):
            raise SummaryError(f"{self.method}: gave the confidence {self.confidence!r}; it must lie between 0 and 1")


@runtime_checkable
class Summariser(Protocol):
    """Turns to a summary. The same turns give the same summary."""

    @property
    def name(self) -> str:
        """Return what its summaries have as `method`."""

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return the summary of at least one turn, given in the order in which they were said.

        Raises:
            SummaryError: there is no text to summarise, or none came out; names the summariser.
            InvalidArgument, TypeError, LimitExceeded: the turns are refused.

        """


def check_turns(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the turns as a tuple that the caller no longer holds.

    Raises:
        InvalidArgument: there are none, or an id or a text is refused.
        DuplicateId: two have one id.
        TypeError: something is no turn, a pair of an id and a text.

    >>> check_turns([("t1", "good morning")])
    (Turn(id='t1', text='good morning'),)

    """
    if isinstance(turns, str) or not hasattr(turns, "__iter__"):
        raise TypeError(f"turns must be a list of Turn, not {type(turns).__name__}")
    found = []
    for row, turn in enumerate(turns):
        if not isinstance(turn, tuple) or len(turn) != 2 or not all(isinstance(part, str) for part in turn):
            raise TypeError(f"turn {row} must be a Turn(id, text), not {type(turn).__name__}")
        found.append(Turn(*turn))
        check_id(found[-1].id)
        check_text(f"text of turn {row}", found[-1].text)
    if not found:
        raise InvalidArgument("turns: there are none; a summary needs at least one")
    if len({turn.id for turn in found}) != len(found):
        raise DuplicateId("turns: two have the same id; a summary names each of its sources once")
    return tuple(found)


def check_summariser_name(name: str) -> str:
    """Return the name of a summariser: a text that is not blank."""
    if not isinstance(name, str):
        raise TypeError(f"name must be str, not {type(name).__name__}")
    check_text("name", name)
    if not name.strip():
        raise InvalidArgument("name: is blank; summaries are labelled with it")
    return name


def is_share(value: object) -> bool:
    """Return whether a value is a number from 0 to 1; NaN is not.

    >>> is_share(1), is_share(0.5), is_share(float("nan")), is_share(True)
    (True, True, False, False)

    """
    return isinstance(value, Real) and not isinstance(value, bool) and 0.0 <= float(value) <= 1.0
