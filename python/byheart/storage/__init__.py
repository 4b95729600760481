"""The stores, where records live: the truth, of which every index is a cache.

A record is known by its cell and its id (`Key`). A store keeps records whole; it knows nothing of retrieval.
"""

from .delay import Durability
from .in_process import InProcessStore
from .opening import at_home, is_in_process, is_text, open_store
from .protocol import (
    Changes,
    CheckedStore,
    DelayedStore,
    DurableStore,
    FileStore,
    FollowedStore,
    GroupedStore,
    GuardedStore,
    Key,
    Keys,
    NotedStore,
    Outcome,
    Problem,
    SalvagingStore,
    Since,
    Store,
    Vectors,
    VectorStore,
    Write,
    by_id,
    by_numbers,
    key_of,
    write_if,
)
from .reserved import JOURNAL, OBSERVATIONS, is_reserved

__all__ = [
    "JOURNAL",
    "OBSERVATIONS",
    "Changes",
    "CheckedStore",
    "DelayedStore",
    "Durability",
    "DurableStore",
    "FileStore",
    "FollowedStore",
    "GroupedStore",
    "GuardedStore",
    "InProcessStore",
    "Key",
    "Keys",
    "NotedStore",
    "Outcome",
    "Problem",
    "SalvagingStore",
    "Since",
    "Store",
    "VectorStore",
    "Vectors",
    "Write",
    "at_home",
    "by_id",
    "by_numbers",
    "is_in_process",
    "is_reserved",
    "is_text",
    "key_of",
    "open_store",
    "write_if",
]
