"""Names that are imported when they are first asked for: the types of answers and arguments that few programs name.

`byheart.Context` is taken from here, and signatures speak of `kinds.Context`: what reads annotations while a program
runs (`typing.get_type_hints`, `inspect.signature`) finds the type, and `import byheart` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..activation.contexts import ActiveContext as ActiveContext
    from ..activation.events import EventLog as EventLog
    from ..activation.governing import PolicyLike as PolicyLike
    from ..activation.observing import Observation as Observation
    from ..activation.receipts import DecayReceipt as DecayReceipt
    from ..activation.receipts import FeedbackReceipt as FeedbackReceipt
    from ..activation.receipts import UpsertReceipt as UpsertReceipt
    from ..activation.results import Found as Found
    from ..boundary.policy import Applied as Applied
    from ..boundary.policy import Policy as Policy
    from ..boundary.policy import Verdict as Verdict
    from ..conversation.context import Recent as Recent
    from ..conversation.context import Tokens as Tokens
    from ..conversation.filling import Filling as Filling
    from ..conversation.gate import GateSettings as GateSettings
    from ..conversation.receipts import CompactReceipt as CompactReceipt
    from ..conversation.receipts import Context as Context
    from ..conversation.receipts import ContextEntry as ContextEntry
    from ..conversation.receipts import TurnReceipt as TurnReceipt
    from ..conversation.recent_tail import RecentTail as RecentTail
    from ..embedding import Embedder as Embedder
    from ..index.receipts import EmbedReceipt as EmbedReceipt
    from ..retrieval.filter import Filter as Filter
    from ..retrieval.filter import Where as Where
    from ..retrieval.filter import field as field
    from ..retrieval.filter.canonical import Value as Value
    from ..summarising import Summariser as Summariser
    from ..writing.receipts import ForgetReceipt as ForgetReceipt
    from ..writing.receipts import RememberReceipt as RememberReceipt
    from .backing_up import BackupReceipt as BackupReceipt
    from .fields import RecordFields as RecordFields
    from .histories import Happened as Happened
    from .options import RecallOptions as RecallOptions
    from .owners import Session as Session
    from .owners import User as User
    from .page import Page as Page
    from .settings import Settings as Settings
    from .upkeep import Stats as Stats
    from .vector_like import VectorLike as VectorLike

_HOMES: Final = {
    "activation.contexts": ("ActiveContext",),
    "activation.events": ("EventLog",),
    "activation.governing": ("PolicyLike",),
    "activation.observing": ("Observation",),
    "activation.receipts": ("DecayReceipt", "FeedbackReceipt", "UpsertReceipt"),
    "activation.results": ("Found",),
    "boundary.policy": ("Applied", "Policy", "Verdict"),
    "conversation.context": ("Recent", "Tokens"),
    "conversation.filling": ("Filling",),
    "conversation.gate": ("GateSettings",),
    "conversation.receipts": ("CompactReceipt", "Context", "ContextEntry", "TurnReceipt"),
    "conversation.recent_tail": ("RecentTail",),
    "embedding": ("Embedder",),
    "index.receipts": ("EmbedReceipt",),
    "memory.backing_up": ("BackupReceipt",),
    "memory.fields": ("RecordFields",),
    "memory.histories": ("Happened",),
    "memory.options": ("RecallOptions",),
    "memory.owners": ("Session", "User"),
    "memory.page": ("Page",),
    "memory.settings": ("Settings",),
    "memory.upkeep": ("Stats",),
    "memory.vector_like": ("VectorLike",),
    "retrieval.filter": ("Filter", "Where", "field"),
    "retrieval.filter.canonical": ("Value",),
    "summarising": ("Summariser",),
    "writing.receipts": ("ForgetReceipt", "RememberReceipt"),
}
"""Modules of this package, and the names that are taken from each."""


def __getattr__(name: str) -> object:
    """Import the module that has a name, and keep the name."""
    for home, names in _HOMES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"byheart.{home}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
