"""The reasons for an answer without hits: what marks left out, what was not searched for, what a limit left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ranking.agreement import BELOW_MINIMUM, ScoreFloor
from ..ranking.algebra import Stage
from ..ranking.candidates import Dropped
from ..retrieval.question import Question
from .admitted import Admitted

_TEXT = "operators=False takes marks as text"
_ONLY_COMMON = "no word of the question is searched for: all are very common ones; what holds one is found by +word"


def why_nothing(question: Question, marks: Admitted, *, proposed: bool, known: bool) -> Iterator[str]:
    """Give what to say of an answer without hits.

    Args:
        question: what was asked.
        marks: what became of its marks.
        proposed: whether any record was found, and then dropped.
        known: whether anything inside the boundary would be found but for marks and filters.

    """
    if marks.passing:
        held, records = question.operators, len(marks.passing)
        said = f"1 record passes {held}, but is" if records == 1 else f"{records:,} records pass {held}, but are"
        yield f"{said} no answer to the other words of the question; {_TEXT}"
    for clause, records in marks.left_out.items() if known else ():
        yield f"{str(clause)!r} left out {records:,} record{'' if records == 1 else 's'}; {_TEXT}"
    plain = question.operators is None and not question.terms and not question.is_typed and not question.is_hidden
    if plain and not proposed and question.text.strip():
        words = any(sign.isalnum() for sign in question.text)
        yield _ONLY_COMMON if words else "nothing of the question is searched for: it has neither a letter nor a digit"


def all_hidden(question: Question) -> tuple[str, ...]:
    """Return what to say of a question of which a policy leaves nothing to search for, whatever is found."""
    if not question.is_hidden:
        return ()
    return ("the policy hides what the question names; nothing else of it is searched for",)


def below_minimum(at_least: float) -> str:
    """Return what to say where all that was found scores too little.

    It does not say how many: an answer from the first rows of a search looks at no others (`byheart.recall.depth`).
    """
    return f"what was found was left out: it scores below the minimum of {at_least:g}"


def left_out(stages: Sequence[Stage], dropped: Sequence[Dropped]) -> Iterator[str]:
    """Give what to say of an answer without hits: which records were found that a limit on scores has left out.

    Args:
        stages: of the profile.
        dropped: what they have dropped.

    """
    from ..ranking.discovery.stages import CoarseFloor  # on use: most answers have hits
    from ..ranking.scoring.thresholds import MinimumScore

    for stage in stages:
        if isinstance(stage, ScoreFloor) and any(each.reason.startswith(BELOW_MINIMUM) for each in dropped):
            yield below_minimum(stage.at_least)
        elif isinstance(stage, (MinimumScore, CoarseFloor)):
            least = stage.floor if isinstance(stage, CoarseFloor) else stage.at_least
            records = sum(each.reason.startswith(stage.reason) for each in dropped)
            many = f"{records:,} records were found, and left out: they score"
            said = "1 record was found, and left out: it scores" if records == 1 else many
            if records:
                yield f"{said} {stage.reason} of {least:g}"
