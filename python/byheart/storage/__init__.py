"""The stores, where records live: the truth, of which every index is a cache.

A record is known by its cell and its id (`Key`). A store keeps records whole; it knows nothing of retrieval.
"""

from .in_process import InProcessStore
from .opening import is_text, open_store
from .protocol import (
    Changes,
    CheckedStore,
    DurableStore,
    FileStore,
    FollowedStore,
    GuardedStore,
    Key,
    Keys,
    NotedStore,
    Problem,
    SalvagingStore,
    Since,
    Store,
    Vectors,
    VectorStore,
    by_id,
    key_of,
    write_if,
)
from .reserved import JOURNAL, is_reserved

__all__ = [
    "JOURNAL",
    "Changes",
    "CheckedStore",
    "DurableStore",
    "FileStore",
    "FollowedStore",
    "GuardedStore",
    "InProcessStore",
    "Key",
    "Keys",
    "NotedStore",
    "Problem",
    "SalvagingStore",
    "Since",
    "Store",
    "VectorStore",
    "Vectors",
    "by_id",
    "is_reserved",
    "is_text",
    "key_of",
    "open_store",
    "write_if",
]
