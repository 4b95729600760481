"""The stages of `hybrid` recall: from two lists to an order that minds age, importance, length and repetition.

    formulas    the factors and summands, as plain functions
    fuse        the lists become one score
    thresholds  what scores too little
    time        young records first, old ones last; how use keeps a record young
    weights     importance and length
    selection   what is noise, lacks a tag, or repeats what stands above it

Each stage is a frozen dataclass; turned off (0), it changes nothing. Put together in `byheart.profiles.hybrid`.
"""

from .fuse import Fuse
from .selection import DeferSimilar, MustContain, NoiseFilter
from .thresholds import HardMinimum, MinimumScore
from .time import Recency, ReinforcedTimeDecay, TimeDecay
from .weights import Importance, LengthNormalisation

__all__ = [
    "DeferSimilar",
    "Fuse",
    "HardMinimum",
    "Importance",
    "LengthNormalisation",
    "MinimumScore",
    "MustContain",
    "NoiseFilter",
    "Recency",
    "ReinforcedTimeDecay",
    "TimeDecay",
]
