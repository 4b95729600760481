"""The settings of stages: each is taken up to its bounds and refused behind them, by name."""

from __future__ import annotations

import math

import pytest

from byheart.errors import InvalidArgument
from byheart.ranking.registry import stage_from_dict

TINY, ABOVE_1 = 5e-324, 1.0 + 2**-52
DOMAINS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "a share": ((0.0, 0.5, 1.0), (-TINY, ABOVE_1, math.nan)),
    "a share below 1": ((0.0, 1.0 - 2**-53), (-TINY, 1.0, math.nan)),
    "a share between 0 and 1": ((TINY, 1.0 - 2**-53), (0.0, 1.0, math.nan)),
    "a cosine": ((-1.0, 0.0, 1.0), (-ABOVE_1, ABOVE_1, math.nan)),
    "at least 0": ((0.0, 1e300), (-TINY, math.inf, math.nan)),
    "above 0": ((TINY, 1e300), (0.0, math.inf, math.nan)),
    "at least 1": ((1, 10**9), (0, -1)),
    "0 to 1,000": ((0.0, 1_000.0), (-TINY, 1_000.1, math.nan)),
    "0 to 36,525": ((0.0, 36_525.0), (-TINY, 36_525.5, math.nan)),
    "a count to a million": ((0, 10**6), (-1, 10**6 + 1)),
    "0 to a million": ((0.0, 1e6), (-TINY, 1e6 + 1.0, math.nan)),
    "1 to a million": ((1.0, 1e6), (1.0 - 2**-53, 1e6 + 1.0, math.nan)),
    "0 to a milliard": ((0.0, 1e9), (-TINY, 1e9 + 1.0, math.nan)),
}
"""By name, what is taken and what is refused."""
SETTINGS = {
    "a share": "AbsoluteFusion.dense AbsoluteFusion.in_conversation Acceptance.at_least AlphaFusion.alpha "
    "AlphaFusion.alpha_short AlphaFusion.alpha_long DiverseEntities.trade_off GapPruning.gap Hops.floor "
    "NamedTime.share Cosine.weight ScopeWeight.weight ScopedRecency.weight SummaryQuality.weight MarkedNoise.factor "
    "ThisSession.bonus Fuse.vector_weight Fuse.words_weight HardMinimum.at_least MinimumScore.at_least Recency.weight "
    "Strength.floor Asking.less Neighbours.before Neighbours.after SpeakerNamed.share WholeSession.share",
    "a share below 1": "AbsoluteFusion.floor",
    "a share between 0 and 1": "Hops.decay",
    "a cosine": "CoarseFloor.floor DeferSimilar.threshold",
    "at least 0": "AgreementFusion.bonus ScoreFloor.at_least AuthorityWeight.rate KeywordBoost.kappa",
    "a count to a million": "Fuse.rank_constant",
    "0 to a million": "Recency.half_life_days TimeDecay.half_life_days ReinforcedTimeDecay.half_life_days "
    "ReinforcedTimeDecay.factor",
    "1 to a million": "ReinforcedTimeDecay.max_multiplier",
    "0 to a milliard": "LengthNormalisation.anchor",
    "above 0": "WorthWeight.half_life_days AnchoredWorth.half_life_days",
    "at least 1": "DiverseEntities.k DiverseEntities.entity_cap CoarseFloor.at_least SecondPass.k2",
    "0 to 1,000": "CoarseFloor.times",
    "0 to 36,525": "NamedTime.slack_days",
}
NEEDED = {"AgreementFusion": {"weights": {}}, "GapPruning": {"gap": 0.5}, "NamedTime": {"share": 0.5}}
CALLED = {
    "ScoreFloor.at_least": "min_score", "AgreementFusion.bonus": "agreement_bonus",
    "HardMinimum.at_least": "hard minimum", "MinimumScore.at_least": "minimum score",
}  # fmt: skip
"""Settings that an error calls as the profiles do."""
CASES = [(domain, setting) for domain, settings in SETTINGS.items() for setting in settings.split()]


@pytest.mark.parametrize(("domain", "setting"), CASES)
def test_a_setting_has_its_bounds(domain: str, setting: str) -> None:
    stage, name = setting.split(".")
    given, (takes, refuses) = {"stage": stage, **NEEDED.get(stage, {})}, DOMAINS[domain]
    for value in takes:
        assert getattr(stage_from_dict({**given, name: value}), name) == value
    for value in refuses:
        with pytest.raises(InvalidArgument, match=rf"\b{CALLED.get(setting, name)}\b"):
            stage_from_dict({**given, name: value})
