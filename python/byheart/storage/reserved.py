"""The reserved tenant: where a store keeps rows that are no records of anybody, such as events and policies.

They are put, guarded, erased and checked as records are, by any store, since they are stored as records. But no index
takes them in, no boundary can name them, and no verb that lists or exports records sees them.
"""

from __future__ import annotations

from ..boundary import RESERVED_TENANT
from .protocol import Key

JOURNAL = RESERVED_TENANT
OBSERVATIONS = "observations"
"""What the ids begin with of the rows that keep what somebody said, and which `forget` removes as it does records."""


def is_reserved(key: Key) -> bool:
    """Return whether a key is of such a row.

    >>> is_reserved(Key("default", "project", "internal", "a"))
    False
    """
    return key.tenant == JOURNAL


def what_to_do(key: Key) -> str:
    """Return what to say of a damaged record or row: what it is, and how it is removed.

    >>> print(what_to_do(Key("default", "project", "internal", "a")))
    record 'a' of tenant 'default' is damaged; forget it
    >>> print(what_to_do(Key(JOURNAL, "default", "internal", "observations/obs_1")))
    observation 'obs_1' of tenant 'default' is damaged; forget it

    """
    if not is_reserved(key):
        return f"record {key.id!r} of tenant {key.tenant!r} is damaged; forget it"
    kind, _, id = key.id.partition("/")
    if kind == OBSERVATIONS:
        return f"observation {id!r} of tenant {key.scope!r} is damaged; forget it"
    return f"row {key.id!r} of the journal of tenant {key.scope!r} is damaged; check(repair=True) removes it"
