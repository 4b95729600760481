"""The noise policy of a memory: texts that are no more than noise are not let in.

Greetings, denials and questions about the memory itself, said into it, come back later as if they were knowledge. The
patterns are those of `byheart.is_noise`; here it is decided whose texts they judge. They are written for what
somebody said. A record that carries a fact, a claim or a procedure is knowledge that was put together on purpose: it
may be as short as "A uses B", and may say what nobody can remember.
"""
# docs/sources.md: A2.6.1.

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NoiseRefused
from ..patterns import is_noise
from ..records import Record

_HEARTBEAT = "boilerplate: heartbeat"


@dataclass(frozen=True, slots=True)
class NoisePolicy:
    """Refuses noise.

    Attributes:
        profile: of the patterns; None lets everything in but what a host says to itself in a conversation.

    Raises:
        InvalidArgument: there is no such profile.

    >>> NoisePolicy().reason("hello there"), NoisePolicy(None).reason("hello there")
    ('boilerplate: greeting', None)

    """

    profile: str | None = "byheart"

    def __post_init__(self) -> None:
        """Look whether there is such a profile."""
        if self.profile is not None:
            is_noise("", self.profile)

    def reason(self, text: str) -> str | None:
        """Return which rule calls a text noise; None if it is none."""
        return None if self.profile is None else is_noise(text, self.profile)

    def check(self, record: Record) -> None:
        """Refuse a record whose text is noise, if it is judged by its text.

        Raises:
            NoiseRefused: names the rule, the profile and the beginning of the text.

        >>> NoisePolicy().check(Record(claim="tea"))

        """
        reason = self.reason(record.text) if judged(record) else None
        if reason is not None:
            raise NoiseRefused(
                f"text {_beginning(record.text)!r}: is noise by profile {self.profile!r} ({reason}), and was not kept; "
                "to keep it, open the memory with noise=None (byheart remember --keep-noise)"
            )

    def turned_away(self, message: str) -> str | None:
        """Return why a message of a conversation is no turn: it is empty, a heartbeat of the host, or noise.

        >>> NoisePolicy(None).turned_away("HEARTBEAT 14:00"), NoisePolicy().turned_away("The boat leaves at nine.")
        ('noise: boilerplate: heartbeat', None)
        """
        if not message.strip():
            return "empty: it says nothing"
        reason = is_noise(message, self.profile or "byheart")
        if self.profile is None and reason != _HEARTBEAT:
            return None
        return None if reason is None else f"noise: {reason}"


def _beginning(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def judged(record: Record) -> bool:
    """Return whether a record is what somebody said, and no fact, claim or procedure, nor a title or data alone.

    >>> judged(Record(text="tea")), judged(Record(text="tea", topic="drinks")), judged(Record(claim="tea"))
    (True, True, False)
    """
    return bool(record.text) and not (record.claim or record.procedure or record.subject)
