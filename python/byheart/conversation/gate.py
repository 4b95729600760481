"""The ingestion gate: is a turn worth remembering for good.

A convex mixture of two branches. The conversational one asks whether a text is new, comes back and states facts; the
technical one whether it is specific, decides something and has structure. What the text shows comes from
`patterns.gate_signals`; the hits of the two searches are handed in. Pure: no store, no clock, no write. The noise
filter goes before the gate, and the gate before the write, so that a turn never finds itself. A message that asks, or
is a short reply, is not promoted, whatever its score, unless the settings say so. What the house makes of the rest is
said in `verdict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final

from ..errors import InvalidArgument
from ..frozen import Document, carried, check_keys, maker, of_plain, plain
from ..light.classes import dataclass
from ..patterns import GatePatterns, GateSignals, asks, gate_signals, is_reply
from ..validation import (
    MAX_ITEMS,
    check_at_least_one,
    check_between,
    check_finite,
    check_one_of,
    check_share,
    counted,
    keep_plain,
)
from ..words import GatePatternProfile, Stated, TokenUnit, TurnedDown, words_of

THRESHOLD, SOURCE_THRESHOLD = 0.30, 0.35
"""From which score on a text is promoted, here and where the gate comes from.

What is new and shows nothing else scores 0.35, so that there the last bit of a cosine decides; at 0.30 it passes as
long as the five nearest known records have a mean cosine of at most 1/7. By the score alone, without `verdict`, of
locomo-dev's turns 8 to 11 % pass (hashed and static vectors), and 12 to 16 % of those that questions are about; at 0.35
4 to 5 % and 6 to 8 %, at 0.20 57 to 81 % and hardly more of these than of others, 60 to 86 %, questions among them.
"""

NEW = 0.35
"""The score of what is new and shows nothing else."""

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class GateSettings:
    """The numbers of the gate, each with its source's value but for the threshold. Checked when made.

    Attributes:
        conversational: weights of novelty, repetition and density; they sum to 1.
        technical: weights of specificity, actionability and structure; they sum to 1.
        threshold: a text is promoted from here on, this value included; see `SOURCE` for the source's.
        technicality_norm: divides the sum of T; what is not positive counts as 1.5.
        repeated_from: a turn at this cosine or above counts as the same thing said before; five of them make F = 1.
        known_from: a durable record at this cosine or above counts as already known; three of them make S = 1.
        turn_hits: how many of the best turn hits are looked at.
        durable_hits: how many of the best durable hits are looked at.
        clamp_negative: a cosine below 0 counts as 0 in H.
        profile: of the patterns, "strict" or "1.3.5".
        token_unit: of the estimator under P, "byte" or "codepoint".
        keeps_questions: whether a message that asks, or is a short reply, is promoted by its score as any other;
            without it, it is not: asked again, it would come before the fact that answers it.
        keeps_chatter: whether a message that states nothing ("never mind", "asdf") is promoted by its score as any
            other; of this and the next `byheart.conversation.verdict` makes its word, and `gate` alone nothing.
        keeps_statements: whether a message that states something (`byheart.patterns.stating`) which no durable record
            near it says is worth at least what is new and shows nothing else, 0.35, whatever its score.

    >>> GateSettings(threshold=0.5).threshold
    0.5

    """

    conversational: tuple[float, float, float] = (0.35, 0.40, 0.25)
    technical: tuple[float, float, float] = (0.40, 0.35, 0.25)
    threshold: float = THRESHOLD
    technicality_norm: float = 1.5
    repeated_from: float = 0.80
    repeated_cap: int = 5
    known_from: float = 0.85
    known_cap: int = 3
    turn_hits: int = 10
    durable_hits: int = 5
    clamp_negative: bool = True
    profile: GatePatternProfile = "strict"
    token_unit: TokenUnit = "byte"
    keeps_questions: bool = False
    keeps_chatter: bool = False
    keeps_statements: bool = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        keep_plain(self)
        for what in ("conversational", "technical"):
            weights = counted(f"weights of the {what} branch", getattr(self, what), MAX_ITEMS)
            object.__setattr__(self, what, weights)
            for weight in weights:
                check_share(f"weight of the {what} branch", weight)
            if len(weights) != 3 or abs(math.fsum(weights) - 1.0) > _TOLERANCE:
                raise InvalidArgument(f"{what}: {weights} are not three weights that sum to 1")
        check_share("threshold", self.threshold)
        check_finite("technicality_norm", self.technicality_norm)
        for what in ("repeated_from", "known_from"):
            check_between(what, getattr(self, what), -1.0, 1.0)
        check_one_of("profile", self.profile, words_of(GatePatternProfile))
        check_one_of("token_unit", self.token_unit, words_of(TokenUnit))
        for what in ("repeated_cap", "known_cap", "turn_hits", "durable_hits"):
            check_at_least_one(what, getattr(self, what))


DEFAULT = GateSettings()
SOURCE = GateSettings(threshold=SOURCE_THRESHOLD, keeps_questions=True, keeps_chatter=True, keeps_statements=False)
"""The gate to the letter of its source."""


@dataclass(frozen=True, slots=True)
class Gate(Document):
    """What the gate decided, and everything that it is made of.

    Attributes:
        score: G.
        conversational: G_conv.
        technical: G_tech.
        novelty: H, 1 where nothing durable is near.
        repetition: R = F * (1 - S).
        frequency: F, how often the like was said.
        saturation: S, how much of it is known.
        signals: T, D_nl, P, A, D_tech and the patterns behind them.
        threshold: what the score was held against.
        turned_down: why it is not promoted, whatever its score: "question", "reply" or "chatter"; None if that decides.
        stated: what it states that is not known yet ("time", "plan", ...), so that it is worth what is new at least.

    """

    score: float
    conversational: float
    technical: float
    novelty: float
    repetition: float
    frequency: float
    saturation: float
    signals: GateSignals
    threshold: float
    turned_down: TurnedDown | None = None
    stated: tuple[Stated, ...] = ()

    @property
    def promoted(self) -> bool:
        """Is the text worth keeping? The threshold itself is enough."""
        return self.turned_down is None and self.worth >= self.threshold

    @property
    def worth(self) -> float:
        """What is held against the threshold: the score, and of a statement that is not known yet at least `NEW`."""
        return max(self.score, NEW) if self.stated else self.score

    def to_metadata(self) -> dict[str, float]:
        """Return the numbers under the names that records keep them by."""
        return {name: figure(self) for name, figure in _KEPT.items()}


_KEPT: Final[Mapping[str, Callable[[Gate], float]]] = {
    "gating_score": attrgetter("score"),
    "gating_t": attrgetter("signals.technicality"),
    "gating_h": attrgetter("novelty"),
    "gating_r": attrgetter("repetition"),
    "gating_d": attrgetter("signals.natural_density"),
    "gating_p": attrgetter("signals.specificity"),
    "gating_a": attrgetter("signals.actionability"),
    "gating_dtech": attrgetter("signals.technical_density"),
    "gating_gconv": attrgetter("conversational"),
    "gating_gtech": attrgetter("technical"),
    "gating_input_freq": attrgetter("frequency"),
    "gating_mem_saturation": attrgetter("saturation"),
}
NAMES: Final = frozenset(_KEPT)
"""The keys of metadata that the numbers of a gate are kept by."""


def gate(
    text: str,
    turn_hits: Iterable[float] = (),
    durable_hits: Iterable[float] = (),
    *,
    settings: GateSettings = DEFAULT,
    patterns: GatePatterns | None = None,
) -> Gate:
    """Return the gating scalar of a text, with all its signals.

    Args:
        text: what was said.
        turn_hits: cosines of the turns nearest to it, the turn itself left out.
        durable_hits: cosines of the durable records nearest to it.
        settings: weights, thresholds and the profile of the patterns.
        patterns: a table with patterns of your own, in place of the profile's.

    Raises:
        InvalidArgument: a cosine is not finite, or the text holds a lone surrogate.
        LimitExceeded: the text has more than 10 MB.

    >>> gate("hello").score, gate("hello").promoted
    (0.35, True)
    >>> gate("I prefer dark mode", durable_hits=[0.95, 0.9, 0.9]).promoted
    False
    >>> gate("Which mode do I prefer?").turned_down
    'question'

    """
    unit, norm = settings.token_unit, settings.technicality_norm
    if patterns is None:
        signals = gate_signals(text, settings.profile, norm=norm, token_unit=unit)
    else:
        signals = patterns.signals(text, norm=norm, token_unit=unit)
    turns = _best("turn_hits", turn_hits, settings.turn_hits)
    durable = _best("durable_hits", durable_hits, settings.durable_hits)
    novelty = 1.0 - _mean([max(hit, 0.0) for hit in durable] if settings.clamp_negative else durable)
    frequency = min(_at_least(settings.repeated_from, turns) / settings.repeated_cap, 1.0)
    saturation = min(_at_least(settings.known_from, durable) / settings.known_cap, 1.0)
    repetition = frequency * (1.0 - saturation)
    conversational = _weighted(settings.conversational, (novelty, repetition, signals.natural_density))
    parts = (signals.specificity, signals.actionability, signals.technical_density)
    technical = _weighted(settings.technical, parts)
    score = mix(signals.technicality, conversational, technical)
    return _gate(
        score, conversational, technical, novelty, repetition, frequency, saturation, signals, settings.threshold,
        None if settings.keeps_questions else _turned_down(text),
    )  # fmt: skip


_gate = maker(Gate)


def mix(technicality: float, conversational: float, technical: float) -> float:
    """Return (1 - T) * G_conv + T * G_tech, held between the two branches against rounding.

    >>> mix(0.5, 0.3, 0.9), mix(1.0, 0.3, 0.9)
    (0.6, 0.9)
    """
    check_share("technicality", technicality)
    mixed = (1.0 - technicality) * conversational + technicality * technical
    low, high = sorted((conversational, technical))
    return min(max(mixed, low), high)


def _turned_down(text: str) -> TurnedDown | None:
    if is_reply(text):
        return "reply"
    return "question" if asks(text) else None


def _best(what: str, hits: Iterable[float], most: int) -> list[float]:
    """Return the highest cosines, highest first: the order in which they are handed in does not matter."""
    cosines = [float(hit) for hit in hits]
    for cosine in cosines:
        if not math.isfinite(cosine):
            raise InvalidArgument(f"{what}: {cosine} is no cosine")
    return sorted((min(max(cosine, -1.0), 1.0) for cosine in cosines), reverse=True)[:most]


def _mean(values: list[float]) -> float:
    """Return the mean, 0 of nothing; added up in order, since `sum` differs between versions of Python."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values) if values else 0.0


def _at_least(least: float, hits: list[float]) -> int:
    return len([hit for hit in hits if hit >= least])


def _weighted(weights: tuple[float, float, float], parts: tuple[float, float, float]) -> float:
    total = 0.0
    for weight, part in zip(weights, parts, strict=True):
        total += weight * part
    return total


_SIGNALS = ("technicality", "natural_density", "specificity", "actionability", "technical_density")


def _written(signals: GateSignals) -> dict[str, Any]:
    """Return the signals as documents hold them."""
    return {name: plain(getattr(signals, name)) for name in (*_SIGNALS, "tokens", "counts")}


def _read(given: Mapping[str, Any], where: str) -> GateSignals:
    """Return the signals that a document holds."""
    hints = {**dict.fromkeys(_SIGNALS, float), "tokens": int, "counts": tuple[tuple[str, int], ...]}
    check_keys(where, given, hints)
    parts = {name: of_plain(hint, given.get(name), f"{where}.{name}") for name, hint in hints.items()}
    return GateSignals.of([parts[name] for name in _SIGNALS], parts["tokens"], parts["counts"])


carried(GateSignals, _written, _read)
