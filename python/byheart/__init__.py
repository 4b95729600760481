"""byheart: an embedded memory for agents.

It remembers text and recalls the few records that matter, deterministically, inside the caller's boundary,
with a score that can be recomputed by hand.

>>> memory = Memory()
>>> memory.remember("The kettle must be descaled every spring", id="kettle")
'kettle'
>>> memory.recall("when is the kettle descaled?").hits[0].id
'kettle'

`help(byheart.Memory)` is where to begin. Beside it: `Record`, what is remembered; `Recall` and `Hit`, what comes back;
`Boundary`, who may see what; `field` and `Filter`, which records may be found; `Profile` and `byheart.profiles`, how a
recall runs; `Settings`, a memory and its recalls in one file; `byheart.errors`, every exception. The indexes
(`LexicalIndex`, `DenseIndex`, `HypervectorIndex`, `SymbolicIndex`) can be held without a memory. The guides in `docs`
go on from there.
"""

from typing import TYPE_CHECKING

from ._core import (
    Analyzer,
    DenseIndex,
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
    from .memory.fields import RecordFields
    from .memory.options import RecallOptions
    from .memory.settings import Settings
    from .retrieval.filter import Filter, Where, field
    from .writing.receipts import ForgetReceipt

    CascadeIndex = DenseIndex

STOP_WORDS = frozenset(stop_words())

__all__ = [
    "STOP_WORDS",
    "Analyzer",
    "Boundary",
    "ByheartError",
    "Context",
    "ContextEntry",
    "DenseIndex",
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
    "RecallOptions",
    "Receipt",
    "Record",
    "RecordFields",
    "Rule",
    "Settings",
    "SymbolicIndex",
    "Where",
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
    "RecallOptions": "memory.options",
    "RecordFields": "memory.fields",
    "Settings": "memory.settings",
    "Where": "retrieval.filter",
    "field": "retrieval.filter",
}


def __getattr__(name: str) -> object:
    """Import on use what most programs never name."""
    if name in _ON_USE:
        from importlib import import_module

        return getattr(import_module(f".{_ON_USE[name]}", __name__), name)
    if name == "CascadeIndex":
        import warnings

        warnings.warn("CascadeIndex is now called DenseIndex", DeprecationWarning, stacklevel=2)
        return DenseIndex
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
