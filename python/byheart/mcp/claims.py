"""The showing of claims: scored items in both spellings of their parts, where they come from, and how they were scored.

An item says every part of its score in two spellings: that of activation (`score_final`, `features`, `g_breakdown`),
and that of its tools (`score`, `scores`).
"""
# docs/sources.md: B1.12, B1.18.3, B1.18.4.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..activation.contexts import Item
from ..activation.results import Found
from ..boundary.policy.model import SCOPES
from ..frozen import plain
from ..index.whose import ORIGIN
from ..records import Record
from ..validation import CLASSES
from .schemas import closed, number, or_null, several, text, whole
from .showing import moment

MOST_SHOWN = 65_536
"""Characters of a text in an item; `get` shows all of it."""

_STRING: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "number"}
_PART = or_null(_NUMBER)

PROVENANCE = closed(
    {
        "at": text(40, "When: ISO time with zone."),
        "actor": text(256),
        "git": closed(
            {
                "commit": text(40, pattern="^[0-9a-f]{7,40}$"),
                "repo": text(512),
                "url": text(2_048),
                "files": several(text(1_024), 256),
            }
        ),
        "url": text(2_048),
        "note": text(4_096),
        "signed": {"type": "boolean"},
    },
    ["at"],
)
"""Where something comes from, as tools are told it."""


def _unbounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without limits of size and form: what a record says was not written by a tool alone."""
    limits = ("minLength", "maxLength", "maxItems", "pattern")
    left = {name: value for name, value in schema.items() if name not in limits}
    return {name: _unbounded(value) if isinstance(value, Mapping) else value for name, value in left.items()}


ENTITY = closed(
    {"id": text(256), "type": {"type": "string", "enum": ["Actor", "Artifact", "Event", "Concept", "Policy"]},
     "name": text(256), "canonical_key": text(256)},
    ["id", "type", "name"],
)  # fmt: skip
RELATION = closed(
    {"id": text(256), "src_id": text(256), "dst_id": text(256), "type": text(128), "evidence_claim_id": text(512)},
    ["id", "src_id", "dst_id", "type"],
)

_G = {"util": _NUMBER, "conf": _NUMBER, "rec": _NUMBER, "quality": _NUMBER}
_SCORES = ("text", "vector", "combined", "utility", "confidence", "quality", "recency", "g")
_EVIDENCE = ("observation_id", "method", "note", "source_type", "source_id", "snippet", "recorded_at")

CLAIM = closed(
    {
        "id": _STRING,
        "text": _STRING,
        "kind": or_null(_STRING),
        "scope": _STRING,
        "boundary_class": {"type": "string", "enum": list(CLASSES)},
        "created_at": or_null(_STRING),
        "updated_at": or_null(_STRING),
    },
    ["id", "text", "scope", "boundary_class"],
)
SCORED = closed(
    {
        "id": _STRING,
        "text": _STRING,
        "rank": whole(1, 10_100),
        "score_final": _NUMBER,
        "features": closed(
            {"s_text": _PART, "s_vec": _PART, "S": _NUMBER, "g": closed(_G, ["util", "conf", "rec"])},
            ["s_text", "s_vec", "S", "g"],
        ),
        "g_breakdown": closed({"g": _NUMBER, **_G}, ["g", "util", "conf", "rec"]),
        "reason": _STRING,
        "claim": CLAIM,
        "score": _NUMBER,
        "scores": closed(dict.fromkeys(_SCORES, _PART), _SCORES),
        "evidences": several(closed(dict.fromkeys(_EVIDENCE, _STRING))),
    },
    ["id", "text", "rank", "score_final", "features", "g_breakdown", "reason", "claim", "score", "scores", "evidences"],
)
PARAMETERS = closed(
    {
        "alpha": number(0, 1),
        "k_txt": {"type": "integer"},
        "k_vec": {"type": "integer"},
        "k_final": {"type": "integer"},
        "rerank": closed({"use_quality": {"type": "boolean"}, "recency_half_life_days": _NUMBER}),
    }
)
SOURCES = several(closed({"claim_id": _STRING, **_unbounded(PROVENANCE)["properties"]}, ["claim_id"]))
META = closed(
    {
        "alpha": _NUMBER,
        "fallbacks": several(closed({"leg": _STRING, "why": _STRING, "used": _STRING})),
        "degraded": several(_STRING),
        "below_threshold": several(_STRING),
    },
    ["alpha", "fallbacks", "degraded", "below_threshold"],
)
SCOPE: dict[str, Any] = {"type": "string", "enum": list(SCOPES)}


def scored(item: Item, record: Record) -> dict[str, Any]:
    """Return an item of an answer with its record."""
    features = dict(item.breakdown)
    parts = dict(features["g"])
    g = parts.pop("value")
    shown = record.text[:MOST_SHOWN]
    return {
        "id": item.claim_id,
        "text": shown,
        "rank": item.rank,
        "score_final": item.score,
        "features": {**features, "g": parts},
        "g_breakdown": {"g": g, **parts},
        "reason": item.reason,
        "claim": {
            "id": item.claim_id,
            "text": shown,
            "kind": record.kind,
            "scope": record.scope,
            "boundary_class": record.boundary_class,
            "created_at": moment(record.created_at),
            "updated_at": moment(record.updated_at),
        },
        "score": item.score,
        "scores": {
            "text": features["s_text"],
            "vector": features["s_vec"],
            "combined": features["S"],
            "utility": parts["util"],
            "confidence": parts["conf"],
            "quality": parts.get("quality"),
            "recency": parts["rec"],
            "g": g,
        },
        "evidences": evidences(record),
    }


def evidences(record: Record) -> list[dict[str, str]]:
    """Return what stands for a claim, as far as it is said in words.

    >>> evidences(Record(text="tea", provenance={"evidence": [{"method": "rule", "note": "seen"}, "told"]}))
    [{'method': 'rule', 'note': 'seen'}, {'note': 'told'}]
    """
    said = record.provenance.get("evidence", ())
    found = [each if isinstance(each, Mapping) else {"note": each} for each in _list(said)]
    origin = record.provenance.get(ORIGIN)
    found += [] if origin is None else [{"observation_id": origin, "source_type": "observation", "source_id": origin}]
    rows = [{name: row[name] for name in _EVIDENCE if isinstance(row.get(name), str)} for row in found]
    return [row for row in rows if row]


def sources(found: Found) -> list[dict[str, Any]]:
    """Return where the claims of an answer come from: of each what the schema has a name for."""
    rows = []
    for item, record in zip(found.items, found.records, strict=True):
        known = _fitting(PROVENANCE, record.provenance)
        if known:
            rows.append({"claim_id": item.claim_id, **known})
    return rows


def _fitting(schema: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a value that its schema names, in the form that it wants."""
    kept: dict[str, Any] = {}
    for name, each in schema["properties"].items():
        said = value.get(name)
        if name == "at" and isinstance(said, (int, float)) and not isinstance(said, bool):
            said = moment(said)
        if each["type"] == "object" and isinstance(said, Mapping):
            said = _fitting(each, said) or None
        elif each["type"] == "array":
            said = [word for word in _list(said) if isinstance(word, str)] or None
        elif not isinstance(said, bool if each["type"] == "boolean" else str):
            said = None
        if said is not None:
            kept[name] = said
    return kept


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def meta(found: Found) -> dict[str, Any]:
    """Return what is known of an answer beside its items."""
    return {
        "alpha": found.alpha,
        "fallbacks": [plain(each) for each in found.fallbacks],
        "degraded": list(found.degraded),
        "below_threshold": list(found.below),
    }
