"""Patterns of texts: noise, queries that need no memory, signals of the ingestion gate.

Thin over the core, where the patterns are tables and run in time linear in the text. They are compiled at the first
call; `silence` and `asking` alone are of Python. Each profile is somebody's rules by name: "byheart" and "strict" are
the corrected ones; the others are the letter of the systems that they were written for. Not here: what follows.

    is_noise                why a text is not worth keeping; NoiseFilter takes patterns of your own
    should_skip_retrieval   whether a query can do without the memory; AdaptiveRetrieval likewise
    gate_signals            what a text shows to the gate; GatePatterns likewise
    asks, is_reply          whether a message asks and states nothing; whether it is a short reply
    says_nothing            in which way a message says nothing at all

>>> should_skip_retrieval("go ahead").reason
'skip: continuation'
"""

from .._core import (
    AdaptiveRetrieval,
    GatePatterns,
    GateSignals,
    NoiseFilter,
    RetrievalDecision,
    gate_signals,
    is_noise,
    should_skip_retrieval,
)
from .asking import asks, is_reply
from .silence import says_nothing

__all__ = [
    "AdaptiveRetrieval",
    "GatePatterns",
    "GateSignals",
    "NoiseFilter",
    "RetrievalDecision",
    "asks",
    "gate_signals",
    "is_noise",
    "is_reply",
    "says_nothing",
    "should_skip_retrieval",
]
