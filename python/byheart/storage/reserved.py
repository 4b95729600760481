"""The reserved tenant: where a store keeps rows that are no records of anybody, such as events and policies.

They are put, guarded, erased and checked as records are, by any store, since they are stored as records. But no index
takes them in, no boundary can name them, and no verb that lists or exports records sees them.
"""

from __future__ import annotations

from ..boundary import RESERVED_TENANT
from .protocol import Key

JOURNAL = RESERVED_TENANT


def is_reserved(key: Key) -> bool:
    """Return whether a key is of such a row.

    >>> is_reserved(Key("default", "project", "internal", "a"))
    False
    """
    return key.tenant == JOURNAL
