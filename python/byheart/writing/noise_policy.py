"""The noise policy of a memory: texts that are no more than noise are marked, or refused, or let be.

Greetings, denials and questions about the memory itself, said into it, come back later as if they were knowledge. The
patterns are those of `byheart.is_noise`, and what says nothing at all ("ok thanks") is noise by every profile; here it
is decided whose texts are judged, and what becomes of these. By default nothing is thrown away: a turn of a
conversation that is noise is kept and marked so, which decides its rank and that nothing is made of it; one that says
nothing at all is archived too. To refuse is the rule of the systems that the patterns come from, which are written for
what somebody said. A record that carries a fact, a claim or a procedure is knowledge that was put together on purpose:
it may be as short as "A uses B", and may say what nobody can remember.
"""
# docs/sources.md: A2.6.1, decision 24.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import InvalidArgument, NoiseRefused
from ..light.classes import dataclass
from ..patterns import is_noise, says_nothing
from ..patterns.asking import asks_to_keep
from ..records import Record
from ..validation import check_text, nearest, plain_text, renamed

MARK_NOISE, REFUSE_NOISE = "mark", "refuse"
MODES = (MARK_NOISE, REFUSE_NOISE)

MARK = "noise"
"""The key of metadata that says why a turn is noise."""

_EMPTY = "empty: it says nothing"
_ABOUT_MEMORY = "noise: meta: "


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a message.

    Attributes:
        reason: why it is noise; None if it is none.
        kept: whether it is kept.
        archived: whether it is kept where nothing finds it, since it says nothing at all.

    """

    reason: str | None = None
    kept: bool = True
    archived: bool = False


PLAIN: Final = Judged()
"""Of a message that is no noise."""


@dataclass(frozen=True, slots=True)
class NoisePolicy:
    """Judges noise.

    Attributes:
        mode: "mark" or "refuse" what is noise; None judges nothing.
        profile: of the patterns.

    Raises:
        InvalidArgument: there is no such mode, or no such profile.

    >>> NoisePolicy().judged("Hi Anna, my flight is on Tuesday."), NoisePolicy("refuse").judged("hello!").kept
    (Judged(reason=None, kept=True, archived=False), False)

    """

    mode: str | None = MARK_NOISE
    profile: str = "byheart"

    def __post_init__(self) -> None:
        """Look whether there are such a mode and such a profile."""
        if self.mode is not None and not isinstance(self.mode, str):
            raise TypeError(f"noise must be str or None, not {type(self.mode).__name__}")
        object.__setattr__(self, "mode", plain_text(self.mode))
        if self.mode is not None and self.mode not in MODES:
            raise InvalidArgument(
                f"noise: {self.mode!r} is none of {', '.join(MODES)}, or None{nearest(self.mode, MODES)}; "
                "a profile of patterns is given by noise_profile="
            )
        if self.profile is None:
            raise TypeError("noise_profile must be str, not NoneType")
        object.__setattr__(self, "profile", check_text("noise_profile", self.profile))
        try:
            is_noise("", self.profile)
        except InvalidArgument as error:
            raise renamed(error, "profile", "noise_profile") from None

    def check(self, record: Record, *, always: bool = False) -> None:
        """Refuse a record whose text is noise, if noise is refused, and the record judged by its text.

        Args:
            record: what is to be kept.
            always: refuse it where noise is only marked, too: for verbs whose own rule that is.

        Raises:
            NoiseRefused: names the rule, the profile and the beginning of the text.

        >>> NoisePolicy().check(Record(text="tea")), NoisePolicy("refuse").check(Record(claim="tea"))
        (None, None)

        """
        if not (self.mode == REFUSE_NOISE or (always and self.mode is not None)) or not judged(record):
            return
        reason = self._reason(record.text)
        if reason is not None:
            raise NoiseRefused(
                f"text {_beginning(record.text)!r}: is noise by profile {self.profile!r} ({reason}), and was not kept; "
                'to keep it, open the memory with noise="mark" or noise=None (byheart remember without --refuse-noise)'
            )

    def judged(self, message: str) -> Judged:
        """Return what is to become of a message of a conversation.

        >>> NoisePolicy().judged("HEARTBEAT 14:00"), NoisePolicy(None).judged("ok").reason
        (Judged(reason='noise: boilerplate: heartbeat', kept=True, archived=True), None)
        """
        if self.mode is None:
            return PLAIN
        silent = says_nothing(message)
        found = is_noise(message, self.profile) or silent if message.strip() else None
        rule = f"noise: {found}" if found is not None else None if message.strip() else _EMPTY
        if rule is not None and rule.startswith(_ABOUT_MEMORY) and self.mode == MARK_NOISE and asks_to_keep(message):
            rule = None  # it states something beside
        if self.mode == REFUSE_NOISE:
            return PLAIN if rule is None else Judged(rule, kept=False)
        return PLAIN if rule is None and silent is None else Judged(rule, archived=silent is not None)

    def _reason(self, text: str) -> str | None:
        """Return why a text is noise: by the profile, or since it says nothing at all; None if it is none."""
        return is_noise(text, self.profile) or says_nothing(text)

    def judged_anew(self, turn: Record) -> Record:
        """Return a turn that was marked, as its text is now: with another mark, or without, and found again.

        What a summary stands for stays as it is beside that.
        """
        if MARK not in turn.metadata:
            return turn
        now = self.judged(turn.text)
        own = turn.id if now.archived else None
        by = own if turn.archived_by in (None, turn.id) else turn.archived_by
        return turn.completed(metadata=marked(turn.metadata, now.reason), archived_by=by)


def marked(metadata: Mapping[str, Any], reason: str | None) -> dict[str, Any]:
    """Return the metadata of a turn with its mark, or without one.

    >>> marked({"role": "user"}, "noise: signs"), marked({"noise": "x", "n": 1}, None)
    ({'role': 'user', 'noise': 'noise: signs'}, {'n': 1})
    """
    others = {key: value for key, value in metadata.items() if key != MARK}
    return others if reason is None else {**others, MARK: reason}


def _beginning(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def judged(record: Record) -> bool:
    """Return whether a record is what somebody said, and no fact, claim or procedure, nor a title or data alone.

    >>> judged(Record(text="tea")), judged(Record(text="tea", topic="drinks")), judged(Record(claim="tea"))
    (True, True, False)
    """
    return bool(record.text) and not (record.claim or record.procedure or record.subject)
