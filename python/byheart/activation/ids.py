"""Ids in plain content: which a row of the journal names, and digests in the place of forgotten ones."""
# docs/sources.md: decision 28.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..boundary import cell_key
from ..knowledge import digest

ID_KEYS = frozenset({"id", "ids", "claim_id", "below", "items", "duplicate_of", "superseded_by"})
"""The names under which content holds ids of records."""
_FORGOTTEN = "forgotten:"


def id_digest(id: str, cell: tuple[str, str, str]) -> str:
    """Return what stands for the id of a forgotten record of a cell: tenant, scope and class.

    >>> id_digest("a", ("default", "project", "internal"))[:10]
    'forgotten:'
    """
    tenant, scope, boundary_class = cell
    return _FORGOTTEN + digest("\x1f".join((tenant, cell_key(scope, boundary_class), id)))[:32]


def named_in(content: Any, ids: bool = False) -> Iterator[str]:
    """Give the ids that content names.

    >>> sorted(named_in({"below": {"ids": ["a"]}, "items": [{"claim_id": "b"}], "policy_version": "1.0.0"}))
    ['a', 'b']
    """
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield from named_in(value, key in ID_KEYS)
    elif isinstance(content, list):
        for value in content:
            yield from named_in(value, ids)
    elif ids and isinstance(content, str):
        yield content


def renamed(content: Any, names: Mapping[str, str], ids: bool = False) -> Any:
    """Return content with other names in the place of ids.

    >>> renamed({"ids": ["a", "b"], "word": "a"}, {"a": "forgotten:1"})
    {'ids': ['forgotten:1', 'b'], 'word': 'a'}
    """
    if isinstance(content, Mapping):
        return {key: renamed(value, names, key in ID_KEYS) for key, value in content.items()}
    if isinstance(content, list):
        return [renamed(value, names, ids) for value in content]
    return names.get(content, content) if ids and isinstance(content, str) else content
