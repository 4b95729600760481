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
from .frozen.pickled import keep_form as _keep_form
from .memory import Memory
from .patterns import is_noise, should_skip_retrieval
from .profiles import Profile, escalating
from .ranking import fusion
from .ranking.explanation import Explanation, Part
from .recall.answers import Recall
from .recall.hits import Hit
from .recall.receipt import Receipt
from .records import Record
from .rules import Rule

if TYPE_CHECKING:
    from .memory.kinds import (
        BackupReceipt,
        CompactReceipt,
        Context,
        ContextEntry,
        DecayReceipt,
        EmbedReceipt,
        FeedbackReceipt,
        Filter,
        ForgetReceipt,
        Happened,
        Page,
        RecallOptions,
        RecordFields,
        RememberReceipt,
        Session,
        Settings,
        Stats,
        TurnReceipt,
        UpsertReceipt,
        User,
        Where,
        field,
    )

    CascadeIndex = DenseIndex

_keep_form()
STOP_WORDS = frozenset(stop_words())

__all__ = [
    "STOP_WORDS",
    "Analyzer",
    "BackupReceipt",
    "Boundary",
    "ByheartError",
    "CompactReceipt",
    "Context",
    "ContextEntry",
    "DecayReceipt",
    "DenseIndex",
    "EmbedReceipt",
    "Explanation",
    "FeedbackReceipt",
    "Filter",
    "ForgetReceipt",
    "Happened",
    "Hit",
    "HyperVector",
    "HypervectorIndex",
    "LexicalIndex",
    "Memory",
    "Page",
    "Part",
    "Profile",
    "Ranking",
    "Recall",
    "RecallOptions",
    "Receipt",
    "Record",
    "RecordFields",
    "RememberReceipt",
    "Rule",
    "Session",
    "Settings",
    "Stats",
    "SymbolicIndex",
    "TurnReceipt",
    "UpsertReceipt",
    "User",
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


def __dir__() -> list[str]:
    """List the public names, and the modules that the guides speak of."""
    return sorted((*__all__, "errors", "profiles", "ranking", "storage"))


def __getattr__(name: str) -> object:
    """Import on use what most programs never name."""
    if name in __all__:
        from .memory import kinds

        return getattr(kinds, name)
    if name == "CascadeIndex":
        import warnings

        warnings.warn("CascadeIndex is now called DenseIndex", DeprecationWarning, stacklevel=2)
        return DenseIndex
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
