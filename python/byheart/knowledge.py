"""The vocabulary of knowledge units: roles, acts, ids and content hashes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from .words import Act, KnowledgeRole, UnitType, words_of

ROLES: tuple[str, ...] = words_of(KnowledgeRole)

# An act, and the roles of the records that serve it best (B1.30.9).
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

ACTS: tuple[str, ...] = words_of(Act)

# The acts of a record that names a role and no acts (B1.30.8).
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

# What a fact may say of two things; `Memory(relations=...)` adds to them (B1.40.1).
RELATIONS: tuple[str, ...] = (
    "uses",
    "provides",
    "has_capability",
    "depends_on",
    "part_of",
    "instance_of",
    "relevant_for",
    "supports",
    "mentions",
    "about",
    "causes",
)

# One statement, several, or a summary of children; only the first carries a fact (B1.30.1).
UNIT_TYPES: tuple[str, ...] = words_of(UnitType)

# What makes two records duplicates, in the order in which it is hashed (B1.30.11).
HASHED_FIELDS: tuple[str, ...] = (
    "role",
    "topic",
    "claim",
    "procedure",
    "condition",
    "subject",
    "relation",
    "object",
)


def digest(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes as 64 hex digits."""
    made: str = sha256()(text.encode()).hexdigest()
    return made


def digest_again(text: str) -> str:
    """Return what `digest` does, of a text that is asked for more than once: for its id, and when it is indexed."""
    return digest(text) if len(text) > _MOST_KEPT else _digest_lately(text)


_digest_lately = lru_cache(maxsize=16)(digest)


@lru_cache(maxsize=1)
def sha256() -> Callable[[bytes], Any]:
    """Return the hash function, which loads OpenSSL in some milliseconds: not before it is needed."""
    from hashlib import sha256 as made

    return made


def text_hash(text: str) -> str:
    r"""Return the hash under which two texts are one claim: "sha256:" and 64 hex digits.

    Of the text in its composed form (NFC), with one space for each run of white space, and none at the ends.

    >>> text_hash("a\tb\r\n") == text_hash(" a b"), text_hash("a b") == text_hash("ab")
    (True, False)
    """
    # docs/sources.md: B1.17.2.
    from unicodedata import normalize  # on use

    return "sha256:" + digest(" ".join(normalize("NFC", text).split()))


def lowered(text: str) -> str:
    r"""Return a text as texts are compared: compatibility forms unified (NFKC), lower case, single spaces.

    >>> lowered("  ＡＢＣ\u3000Kettle ")
    'abc kettle'
    """
    return _lowered(text) if len(text) > _MOST_KEPT else _lowered_lately(text)


def _lowered(text: str) -> str:
    if not text.isascii():
        from unicodedata import normalize  # on use

        text = normalize("NFKC", text)
    return " ".join(text.lower().split())


_lowered_lately = lru_cache(maxsize=16)(_lowered)  # whoever takes a text in asks for this more than once
_MOST_KEPT = 2_000  # characters


def text_mark(text: str) -> float:
    """Return a whole number below 2**32 that texts have in common which are the same once they are `lowered`.

    Others may share it: who finds two equal marks compares the texts.

    >>> text_mark("The  Kettle") == text_mark("the kettle"), text_mark("a") == text_mark("b")
    (True, False)
    """
    return _text_mark(text) if len(text) > _MOST_KEPT else _text_mark_lately(text)


def _text_mark(text: str) -> float:
    return float(_crc32()(lowered(text).encode("utf-8", "surrogatepass")))


@lru_cache(maxsize=1)
def _crc32() -> Callable[[bytes], int]:
    from zlib import crc32  # on use

    return crc32


_text_mark_lately = lru_cache(maxsize=16)(_text_mark)


def source_id(name: str, taken: Collection[str] = ()) -> str:
    """Return the id of a source: "src-" and 12 hex digits of its name's SHA-256; "-1", "-2" ... if taken.

    >>> source_id("notes.md")
    'src-754b6dc3f872'
    """
    base = "src-" + digest(name)[:12]
    if base not in taken:
        return base
    number = 1
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def is_imported(id: str, provenance: Mapping[str, Any]) -> bool:
    """Return whether an import wrote where a record comes from: the source's name and id, and the place in it.

    The id of a chunk begins with its place, so that a copy of its provenance makes no other record a chunk; a line may
    bring an id of its own.

    >>> here = {"source_name": "notes.md", "source_id": "src-1", "chunk_id": "src-1::chunk-000"}
    >>> is_imported("src-1::chunk-000::unit-000", here), is_imported("mine", here)
    (True, False)
    """
    if not all(isinstance(provenance.get(name), str) for name in ("source_name", "source_id")):
        return False
    chunk = provenance.get("chunk_id")
    return id.startswith(f"{chunk}::") if isinstance(chunk, str) else type(provenance.get("line")) is int


def chunk_id(source: str, chunk: int) -> str:
    """Return the id of a chunk of a source.

    >>> chunk_id("src-001", 2)
    'src-001::chunk-002'
    """
    return f"{source}::chunk-{chunk:03d}"


def unit_id(source: str, chunk: int, unit: int) -> str:
    """Return the id of a unit in a chunk; numbers have three digits, more where they need them.

    >>> unit_id("src-001", 2, 0)
    'src-001::chunk-002::unit-000'
    """
    return f"{chunk_id(source, chunk)}::unit-{unit:03d}"
