"""Activation's memory of itself: what was called up, what was said of it, and what follows.

    contexts   active contexts: what a question called up, until they expire
    events     the log: append-only, without texts; of what is forgotten, digests
    feedback   signals, what they add, and the merging of duplicates
    critic     decay of utility and quality, from an anchor
    observing  what was seen or heard: kept, hidden, or kept as a digest

Everything here is a value or a list of values; a store keeps the rows. The ranking itself is `ranking/activation`.
"""

from .contexts import ActiveContext, ActiveContexts, Item
from .critic import Anchored
from .events import Event, EventLog
from .feedback import SIGNALS, Feedback, FeedbackLog, Merge, Standing, after, merged, representative
from .observing import Observation, observed

__all__ = [
    "SIGNALS",
    "ActiveContext",
    "ActiveContexts",
    "Anchored",
    "Event",
    "EventLog",
    "Feedback",
    "FeedbackLog",
    "Item",
    "Merge",
    "Observation",
    "Standing",
    "after",
    "merged",
    "observed",
    "representative",
]
