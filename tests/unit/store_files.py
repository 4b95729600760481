"""Records, keys and vectors to put into a store file, and what is read from it: what the tests of stores share."""

import os
import struct
from collections.abc import Iterable
from typing import Any

import pytest

from byheart.records import Record
from byheart.storage import Key
from byheart.storage.sqlite import SqliteStore

posix_only = pytest.mark.skipif(os.name != "posix", reason="permission bits and links as POSIX has them")


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def keys(ids: Iterable[str], tenant: str = "t") -> list[Key]:
    return [key(id, tenant) for id in ids]


def record(key: str, text: str = "some text", tenant: str = "t", **fields: Any) -> Record:
    return Record(id=key, text=text, tenant=tenant, scope="s", boundary_class="internal", **fields)


def vector(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def texts(store: SqliteStore) -> dict[str, str]:
    return {str(found.id): found.text for found in store.load()}
