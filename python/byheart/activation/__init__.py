"""Activation's memory of itself: what was called up, what was said of it, and what follows.

    contexts   active contexts: what a question called up, until they expire
    events     the log: append-only, without texts; of what is forgotten, digests
    feedback   signals, what they add, and the merging of duplicates
    critic     decay of utility and quality, from an anchor
    observing  what was seen or heard: kept, hidden, or kept as a digest
    governing  policies of a tenant: which one holds, and the applying of another
    journal    the rows in which a store keeps all these
    ids        ids in the content of rows, and what stands for those of forgotten records
    results    what a search found
    receipts   what a verb of this room says it did

The ranking itself is `ranking/activation`.
"""

from .contexts import ActiveContext, Item
from .critic import Anchored
from .events import Event, EventLog
from .feedback import SIGNALS, Feedback, Merge, Standing, after, merged, representative
from .observing import Observation, observed

__all__ = [
    "SIGNALS",
    "ActiveContext",
    "Anchored",
    "Event",
    "EventLog",
    "Feedback",
    "Item",
    "Merge",
    "Observation",
    "Standing",
    "after",
    "merged",
    "observed",
    "representative",
]
