r"""Patterns that a policy brings, as detectors: found by an automaton in linear time, whatever somebody wrote.

The syntax is that of the crate `regex`: neither look-around nor back-references, which need more than linear time, and
`\d`, `\w` and `\b` are those of ASCII. A pattern that needs more than its steps for a text ends in an error, so that
nothing goes on unlooked at.
"""
# docs/sources.md: B1.16.2, B1.16.4.

from __future__ import annotations

from ..._core import find_spans
from ...errors import InvalidArgument, InvalidPolicy, LimitExceeded
from ...light.classes import dataclass
from .letters import Span


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""A detector of what a pattern finds. Checked when made.

    Attributes:
        name: of the rule, for messages.
        find: the pattern, at most 10,000 characters.
        as_written: it looks at the text as it is written beside its compatibility form, which is all that the other
            detectors see: a pattern may name full-width characters.

    Raises:
        InvalidPolicy: it is no pattern that can be used; the message says why.

    >>> Pattern("employee", r"(?i)emp-\d{4}")("See EMP-1234.")
    [(4, 12)]

    """

    name: str
    find: str

    as_written = True

    def __post_init__(self) -> None:
        """Compile the pattern."""
        self("")

    def __call__(self, text: str) -> list[Span]:
        """Return where the pattern stands in a text.

        Raises:
            InvalidPolicy: it needs too many steps for this text.

        """
        try:
            return find_spans(self.find, text)
        except (InvalidArgument, LimitExceeded) as error:
            raise InvalidPolicy(f"redaction rule {self.name!r}: {error}") from None
