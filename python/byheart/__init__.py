"""byheart: an embedded memory for agents.

It remembers text and recalls the few records that matter, deterministically, inside the caller's boundary,
with a score that can be recomputed by hand.

>>> memory = Memory()
>>> memory.remember("The kettle must be descaled every spring", id="kettle")
'kettle'
>>> memory.recall("when is the kettle descaled?").hits[0].id
'kettle'
"""

from typing import TYPE_CHECKING

from ._core import (
    Analyzer,
    CascadeIndex,
    HyperVector,
    HypervectorIndex,
    LexicalIndex,
    Ranking,
    SymbolicIndex,
    __version__,
    maximal_marginal_relevance,
    porter_stem,
    stop_words,
)
from .boundary import Boundary
from .errors import ByheartError
from .memory import Memory
from .patterns import is_noise, should_skip_retrieval
from .profiles import Profile, escalating
from .ranking import fusion
from .ranking.explanation import Explanation, Part
from .recall.answers import Hit, Recall, Receipt
from .records import Record
from .rules import Rule

if TYPE_CHECKING:
    from .conversation.receipts import Context, ContextEntry
    from .retrieval.filter import Filter, field
    from .writing.receipts import ForgetReceipt

STOP_WORDS = frozenset(stop_words())

__all__ = [
    "STOP_WORDS",
    "Analyzer",
    "Boundary",
    "ByheartError",
    "CascadeIndex",
    "Context",
    "ContextEntry",
    "Explanation",
    "Filter",
    "ForgetReceipt",
    "Hit",
    "HyperVector",
    "HypervectorIndex",
    "LexicalIndex",
    "Memory",
    "Part",
    "Profile",
    "Ranking",
    "Recall",
    "Receipt",
    "Record",
    "Rule",
    "SymbolicIndex",
    "__version__",
    "escalating",
    "field",
    "fusion",
    "is_noise",
    "maximal_marginal_relevance",
    "porter_stem",
    "should_skip_retrieval",
    "stop_words",
]


_ON_USE = {
    "Context": "conversation.receipts",
    "ContextEntry": "conversation.receipts",
    "Filter": "retrieval.filter",
    "ForgetReceipt": "writing.receipts",
    "field": "retrieval.filter",
}


def __getattr__(name: str) -> object:
    """Import on use what most programs never name."""
    if name in _ON_USE:
        from importlib import import_module

        return getattr(import_module(f".{_ON_USE[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
