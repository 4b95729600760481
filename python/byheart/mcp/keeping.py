"""The tools that take something in: `pce.memory.upsert`, `feedback`, `observe`."""
# docs/sources.md: B1.18, B1.18.7.

from __future__ import annotations

from typing import Any

from ..activation.feedback import SIGNALS
from ..activation.observing import MAX_BYTES, MOST_DAYS, SOURCES, USUAL_DAYS
from ..memory.claiming import KINDS
from ..validation import CLASSES
from . import claims
from .pce import KB, OUTSIDE, check_scopes, failing, ids_of, in_force
from .schemas import closed, number, or_null, several, text, whole
from .showing import moment
from .tool import PCE, Answer, Arguments, Call, Tool

_STRING: dict[str, Any] = {"type": "string"}
_VERSION = or_null(_STRING)
_CLASS: dict[str, Any] = {"type": "string", "enum": list(CLASSES)}


def _upsert(call: Call, arguments: Arguments) -> Answer:
    check_scopes(in_force(call), arguments.get("scope"))
    known = {entity["id"]: entity.get("canonical_key", entity["name"]) for entity in arguments.get("entities", ())}
    relations = [
        {**relation, **{end: known.get(relation[end], relation[end]) for end in ("src_id", "dst_id")}}
        for relation in arguments.get("relations", ())
    ]
    kept = call.memory.upsert(
        arguments["text"], provenance=arguments["provenance"],
        boundary_class=arguments.get("boundary_class", call.service.boundary_class), kind=arguments.get("kind"),
        scope=arguments.get("scope"), entities=arguments.get("entities", ()), relations=relations,
        content_hash=arguments.get("content_hash"), **ids_of(call),
    )  # fmt: skip
    data = {
        "id": kept.id,
        "new": kept.new,
        "content_hash": kept.content_hash,
        "boundary_class": kept.boundary_class,
        "redacted": kept.redacted,
        "similar_existing": [{"id": id, "similarity": cosine} for id, cosine in kept.similar_existing],
        "policy_version": kept.policy_version,
        "superseded": list(kept.superseded),
    }
    return Answer(data)


def _feedback(call: Call, arguments: Arguments) -> Answer:
    in_force(call)
    said = call.memory.feedback(
        arguments["claim_id"], arguments["signal"], score=arguments.get("score"), **ids_of(call)
    )
    data = {
        "ok": True,  # a signal that was not taken in is an error
        "id": said.id,
        "claim_id": said.claim_id,
        "signal": said.signal,
        "new": said.new,
        "utility": said.utility,
        "confidence": said.confidence,
        "superseded_by": said.superseded_by,
        "policy_version": call.service.version(),
    }
    return Answer(data)


_SAYS_WHERE = ("source_id", "boundary_class", "actor", "tags", "provenance", "ttl_days")


def _observe(call: Call, arguments: Arguments) -> Answer:
    in_force(call)
    options = {name: arguments[name] for name in _SAYS_WHERE if name in arguments}
    options.setdefault("boundary_class", call.service.boundary_class)
    kept = call.memory.observe(arguments["source_type"], arguments["content"], **options, **ids_of(call))
    data = {
        "observation_id": kept.id,
        "effective_boundary_class": kept.boundary_class,
        "content_stored": kept.content is not None,
        "content_redacted": kept.content is not None and kept.account.get("count", 0) > 0,
        "expires_at": moment(kept.expires_at),
        "policy_version": call.service.version(),
    }
    return Answer(data)


TOOLS = (
    Tool(
        name="pce.memory.upsert",
        group=PCE,
        title="Upsert",
        description=(
            "Keep a claim that later work needs, and where it comes from; the same text is kept once. Secrets and "
            "small talk are refused."
        ),
        arguments=closed(
            {
                "text": text(64 * KB),
                "provenance": claims.PROVENANCE,
                "kind": {"type": "string", "enum": list(KINDS)},
                "scope": claims.SCOPE,
                "boundary_class": _CLASS,
                "entities": several(claims.ENTITY, 64, "What it is about."),
                "relations": several(claims.RELATION, 64, "What it relates: ids of entities, or their names."),
                "content_hash": text(71, pattern="^sha256:[0-9a-f]{64}$"),
            },
            ["text", "provenance"],
        ),
        result=closed(
            {
                "id": _STRING,
                "new": {"type": "boolean"},
                "content_hash": _STRING,
                "boundary_class": _CLASS,
                "redacted": {"type": "integer", "description": "Places that were hidden."},
                "similar_existing": several(
                    closed({"id": _STRING, "similarity": {"type": "number"}}, ["id", "similarity"])
                ),
                "policy_version": _VERSION,
                "superseded": several(_STRING, None, "Ids of claims that no longer hold, since this one does."),
            },
            [
                "id",
                "new",
                "content_hash",
                "boundary_class",
                "redacted",
                "similar_existing",
                "policy_version",
                "superseded",
            ],
        ),
        handler=_upsert,
        changes=True,
        max_bytes=64 * KB,
        seconds=10.0,
        envelope=True,
        codes=failing("UPSERT_FAILED"),
        misfits=OUTSIDE,
    ),
    Tool(
        name="pce.memory.feedback",
        group=PCE,
        title="Feedback",
        description="Say that a claim was helpful, harmful, outdated or a duplicate, after you have used it.",
        arguments=closed(
            {
                "claim_id": text(512),
                "signal": {"type": "string", "enum": list(SIGNALS)},
                "score": number(-1, 1),
            },
            ["claim_id", "signal"],
        ),
        result=closed(
            {
                "ok": {"type": "boolean"},
                "id": _STRING,
                "claim_id": _STRING,
                "signal": _STRING,
                "new": {"type": "boolean", "description": "The same within a minute of the clock counts once."},
                "utility": {"type": "number"},
                "confidence": {"type": "number"},
                "superseded_by": or_null(_STRING),
                "policy_version": _VERSION,
            },
            ["ok", "id", "claim_id", "signal", "new", "utility", "confidence", "superseded_by", "policy_version"],
        ),
        handler=_feedback,
        changes=True,
        destructive=True,
        max_bytes=4 * KB,
        seconds=3.0,
        envelope=True,
        codes=failing("FEEDBACK_FAILED"),
    ),
    Tool(
        name="pce.memory.observe",
        group=PCE,
        title="Observe",
        description="Keep something seen or heard for some days, hidden parts left out, before it becomes a claim.",
        arguments=closed(
            {
                "source_type": {"type": "string", "enum": list(SOURCES)},
                "content": text(MAX_BYTES),
                "source_id": text(512),
                "boundary_class": _CLASS,
                "actor": text(256),
                "tags": several(text(64), 16),
                "provenance": claims.PROVENANCE,
                "ttl_days": whole(1, MOST_DAYS, default=USUAL_DAYS),
            },
            ["source_type", "content"],
        ),
        result=closed(
            {
                "observation_id": text(pattern="^obs_[A-Za-z0-9]+$"),
                "effective_boundary_class": _CLASS,
                "content_stored": {"type": "boolean"},
                "content_redacted": {"type": "boolean"},
                "expires_at": or_null(_STRING),
                "policy_version": _VERSION,
            },
            ["observation_id", "effective_boundary_class", "content_stored", "content_redacted", "expires_at"],
        ),
        handler=_observe,
        changes=True,
        idempotent=False,
        max_bytes=3 * MAX_BYTES,  # the content, as JSON may write it, and what is said beside it
        seconds=10.0,
        envelope=True,
    ),
)
