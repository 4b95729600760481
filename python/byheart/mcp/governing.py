"""The tools that are about the policy: the verdict on a text, and a policy held against the one in force.

An agent cannot widen what bounds it: a policy is only looked at, unless whoever started the process lets its tools
change it.
"""
# docs/sources.md: B1.15.9, B1.15.10, B1.18.

from __future__ import annotations

from typing import Any

from ..boundary.policy import read_policy
from ..errors import BoundaryViolation, InvalidPolicy, PolicyConflict
from . import claims
from .failures import Refused
from .pce import KB, OUTSIDE, check_scopes, failing, ids_of, in_force
from .schemas import closed, or_null, several, text
from .tool import PCE, Answer, Arguments, Call, Tool

_STRING: dict[str, Any] = {"type": "string"}
_FLAG: dict[str, Any] = {"type": "boolean"}


def _validate(call: Call, arguments: Arguments) -> Answer:
    scope = arguments.get("scope")
    check_scopes(in_force(call), scope)
    payload, own = arguments["payload"], call.memory._engine.governed.options.allow
    boundary_class = call.service.boundary_class
    verdict = call.memory.validate(payload, allow=own, scope=scope, boundary_class=boundary_class)
    if verdict.allowed and "allow" in arguments:
        # Tags of a call only close what those of the process open.
        verdict = call.memory.validate(payload, allow=arguments["allow"], scope=scope, boundary_class=boundary_class)
    data = {
        "allowed": verdict.allowed,
        "decision": verdict.decision,
        "reason": verdict.reason,
        "redacted": verdict.redacted,
        "effective_boundary_class": verdict.effective_class,
        "broken": list(verdict.broken),
        "escalation": verdict.escalation,
        "policy_version": verdict.policy_version,
    }
    return Answer(data)


def _apply(call: Call, arguments: Arguments) -> Answer:
    options = {name: arguments[name] for name in ("expected_version", "signature", "approver") if name in arguments}
    policy = read_policy(arguments["yaml"])  # a text, and no name of one: what it says is what is looked at
    looked_at = not call.service.admin or arguments.get("validate_only", False)
    try:
        done = call.memory.apply_policy(
            policy, dry_run=arguments.get("dry_run", False), validate_only=looked_at, **options, **ids_of(call)
        )
    except PolicyConflict as error:
        raise Refused("STATE_ERROR", str(error), policy_version=call.service.version()) from None
    applied = done.in_force
    data = {
        "version": str(done.policy.version),
        "applied": applied,
        "validate_only": looked_at,
        "previous": done.previous,
        "changes": list(done.changes),
        "breaking": done.breaking,
        "notes": list(done.policy.notes),
        "policy_version": call.service.version(),
    }
    words = None
    if not (applied or call.service.admin):
        words = f"policy {done.policy.version} is sound and was not applied: this server only looks at policies"
    return Answer(data, words)


TOOLS = (
    Tool(
        name="pce.boundary.validate",
        also=("pce.memory.boundary.validate", "pce_memory_boundary_validate"),
        group=PCE,
        title="Validate",
        description=(
            "Ask whether a text may go out before you send it. Where the answer is yes, `redacted` is what may: the "
            "text without what must be hidden."
        ),
        arguments=closed(
            {"payload": text(32 * KB), "allow": several(text(256), 64), "scope": claims.SCOPE}, ["payload"]
        ),
        result=closed(
            {
                "allowed": _FLAG,
                "decision": {"type": "string", "enum": ["allow", "redact", "deny"]},
                "reason": _STRING,
                "redacted": or_null(_STRING),
                "effective_boundary_class": or_null(_STRING),
                "broken": several(_STRING),
                "escalation": or_null(_STRING),
                "policy_version": or_null(_STRING),
            },
            ["allowed", "decision", "reason", "redacted", "policy_version"],
        ),
        handler=_validate,
        changes=False,
        max_bytes=32 * KB,
        seconds=5.0,
        envelope=True,
        codes={BoundaryViolation: "BOUNDARY_ERROR", **failing("BOUNDARY_ERROR")},
        misfits=OUTSIDE,
    ),
    Tool(
        name="pce.policy.apply",
        also=("pce.memory.policy.apply", "pce_memory_policy_apply"),
        group=PCE,
        title="Apply a policy",
        description=(
            "Look at a policy: whether it is sound, and what it would change. It comes into force only where whoever "
            "started this server allows that."
        ),
        arguments=closed(
            {
                "yaml": text(128 * KB),
                "dry_run": {**_FLAG, "default": False, "description": "Hold it against the one in force, no more."},
                "validate_only": {**_FLAG, "default": False, "description": "Look at it alone."},
                "expected_version": text(128, "The one that must be in force."),
                "signature": text(4_096),
                "approver": text(256),
            },
            ["yaml"],
        ),
        result=closed(
            {
                "version": _STRING,
                "applied": _FLAG,
                "validate_only": _FLAG,
                "previous": or_null(_STRING),
                "changes": several(_STRING),
                "breaking": _FLAG,
                "notes": several(_STRING),
                "policy_version": or_null(_STRING),
            },
            ["version", "applied", "validate_only", "previous", "changes", "breaking", "notes", "policy_version"],
        ),
        handler=_apply,
        changes=True,
        destructive=True,
        max_bytes=128 * KB,
        seconds=10.0,
        envelope=True,
        codes={InvalidPolicy: "INVALID_POLICY"},
    ),
)
