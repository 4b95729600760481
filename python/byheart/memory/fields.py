"""The fields of a record as keywords: what `remember` takes beside the text, and what `update` may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from ..words import Act, BoundaryClass, KnowledgeRole, Time, UnitType


class RecordChanges(TypedDict, total=False):
    """What `update` may change, each by its new value.

    Attributes:
        text: what it says; at most 10 MB.
        topic: its title.
        claim, procedure, condition: what it says, taken apart, as knowledge is written down.
        role, utility_acts, utility_note: what it is for: "Procedure", say, and the acts that it serves.
        subject, relation, object: the fact that it states; all three or none.
        scope, boundary_class: the cell where it lies.
        kind, category, tags: words of your own, which filters ask for; up to 64 tags.
        importance, confidence, quality, authority, decay_rate: shares, 0 to 1.
        utility: what it is worth, without bounds.
        access_count, accessed_at: how often it was used, and when last.
        expires_at: when it is found no more.
        valid_from, valid_to: from when it holds, and before when.
        superseded_by: the record that stands in its place.
        session_id, user_id, speaker: whose it is, and who said it.
        entities, links: what it is about, and what it points to.
        source_ids, archived_by: what a summary is of, and which summary stands for it.
        source_words: what the former say and the summary does not, as words: it is found by them, too.
        ku_type, parent_unit_ids, child_unit_ids, derived_from_unit_ids: what it is part of, and made of.
        recency_anchor, decayed_at: when it last helped, and when its worth was what it is.
        updated_at: when it was changed; without it, now.
        provenance: where it comes from, as plain JSON.
        metadata: data of your own, as plain JSON, which filters ask for by `metadata.KEY`.

    """

    text: str
    topic: str | None
    claim: str | None
    procedure: str | None
    condition: str | None
    role: KnowledgeRole | str | None
    utility_acts: Sequence[Act | str]
    utility_note: str | None
    subject: str | None
    relation: str | None
    object: str | None
    scope: str
    boundary_class: BoundaryClass
    kind: str | None
    category: str | None
    tags: Sequence[str]
    importance: float | None
    confidence: float | None
    quality: float | None
    authority: float | None
    decay_rate: float | None
    utility: float | None
    access_count: int
    accessed_at: Time | None
    expires_at: Time | None
    valid_from: Time | None
    valid_to: Time | None
    superseded_by: str | None
    session_id: str | None
    user_id: str | None
    speaker: str | None
    entities: Sequence[str]
    links: Sequence[str]
    source_ids: Sequence[str]
    source_words: str | None
    archived_by: str | None
    ku_type: UnitType | None
    parent_unit_ids: Sequence[str]
    child_unit_ids: Sequence[str]
    derived_from_unit_ids: Sequence[str]
    recency_anchor: Time | None
    decayed_at: Time | None
    updated_at: Time | None
    provenance: Mapping[str, Any]
    metadata: Mapping[str, Any]


class RecordFields(RecordChanges, total=False):
    """What `remember` takes: what `update` may change, and what stays as it is.

    Attributes:
        id: what it is known by; without one it is made.
        tenant: whose it is, where a memory holds several.
        created_at: when it was made; without it, now.
        supersedes: the records in whose place it stands, or the only one.

    """

    id: str | None
    tenant: str | None
    created_at: Time | None
    supersedes: Sequence[str]
