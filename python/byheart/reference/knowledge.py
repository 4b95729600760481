"""Knowledge units: their roles and acts, how they are named, and when two are the same."""
# docs/sources.md: B1.30.

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

ROLE_DEFAULT_ACTS: Mapping[str, tuple[str, ...]] = {
    "Comparison": ("compare",),
    "Explanation": ("explain",),
    "Procedure": ("implement",),
    "Definition": ("define",),
    "Evaluation": ("evaluate",),
    "Diagnostic": ("diagnose",),
    "Constraint": ("verify",),
    "Narrative": ("explain", "describe"),
    "Description": ("describe",),
}
"""What a unit of a role is good for when it does not say so itself."""
# docs/sources.md: B1.30.8.

ACT_ROLES: Mapping[str, tuple[str, ...]] = {
    "compare": ("Comparison", "Evaluation"),
    "explain": ("Explanation", "Diagnostic", "Narrative"),
    "recommend": ("Comparison", "Evaluation", "Procedure"),
    "diagnose": ("Diagnostic", "Explanation"),
    "implement": ("Procedure", "Constraint"),
    "verify": ("Constraint", "Definition"),
    "define": ("Definition", "Explanation"),
    "evaluate": ("Evaluation", "Comparison", "Narrative"),
    "identify": ("Narrative", "Description", "Definition"),
    "describe": ("Description", "Narrative", "Explanation"),
}
"""The roles that serve an act, the best first."""
# docs/sources.md: B1.30.9.

ROLES = tuple(ROLE_DEFAULT_ACTS)
ACTS = tuple(ACT_ROLES)

_HASHED = ("role", "topic", "claim", "procedure", "condition", "subject", "relation", "object")


def unit_id(source_id: str, chunk: int, unit: int) -> str:
    """Return the id of a unit of a chunk; the numbers have three digits, or more when they must.

    >>> unit_id("src-001", 2, 1000)
    'src-001::chunk-002::unit-1000'
    """
    return f"{source_id}::chunk-{chunk:03d}::unit-{unit:03d}"


def section_id(source_id: str, section: int) -> str:
    """Return the id of a section of a source."""
    return f"{source_id}::section-{section:03d}"


def summary_id(source_id: str) -> str:
    """Return the id of a source's summary."""
    return f"{source_id}::source-summary"


def source_id(name: str, taken: Collection[str] = ()) -> str:
    """Return the id of a source: `src-` and 12 hex digits of its name's SHA-256, then `-1`, `-2`... if taken.

    >>> source_id("notes.md"), source_id("notes.md", {"src-754b6dc3f872"})
    ('src-754b6dc3f872', 'src-754b6dc3f872-1')
    """
    plain = "src-" + hashlib.sha256(name.encode()).hexdigest()[:12]
    chosen = plain
    tries = 0
    while chosen in taken:
        tries += 1
        chosen = f"{plain}-{tries}"
    return chosen


def content_hash(unit: Mapping[str, object]) -> str:
    """Return the SHA-256, in hex, of what a unit says; equal means duplicate.

    Its role, topic, claim, procedure, condition, subject, relation and object, each empty when absent, are
    joined by U+001F.

    >>> content_hash({"claim": "a"}) == content_hash({"claim": "a", "id": "x"}) != content_hash({"topic": "a"})
    True
    """
    said = [str(unit.get(name) or "") for name in _HASHED]
    return hashlib.sha256("\x1f".join(said).encode()).hexdigest()
