"""Adapters of policies and redaction: allow tags, classes, decisions, rules, times to live, the published patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.boundary.policy import DEFAULT_POLICY, decide, matches, seconds_of, strictest, strongest
from byheart.boundary.redaction import Redactor
from byheart.knowledge import text_hash

from .registry import feature


@feature("pce.allow_match", "policy_pattern", "requested_tag")
def _allow_match(given: Mapping[str, Any]) -> bool:
    return matches(given["policy_pattern"], given["requested_tag"])


@feature("pce.allowed_classes", "allow")
def _allowed_classes(given: Mapping[str, Any]) -> list[str]:
    return list(DEFAULT_POLICY.allowed_classes(given["allow"]))


@feature("pce.class_max", "classes")
def _class_max(given: Mapping[str, Any]) -> str:
    return strictest(given["classes"])


@feature("pce.precedence", "decisions")
def _precedence(given: Mapping[str, Any]) -> str:
    return strongest(given["decisions"])


@feature("pce.rule", "expr", "env")
def _rule(given: Mapping[str, Any]) -> str:
    return decide(given["expr"], given["env"])


@feature("pce.ttl", "ttl")
def _ttl(given: Mapping[str, Any]) -> int | None:
    return seconds_of(given["ttl"])


@feature("pce.redact", "text", "rules")
def _redact(given: Mapping[str, Any]) -> dict[str, Any]:
    found = Redactor(given["rules"], literal=True).redact(given["text"])
    return {"text": found.text, "count": found.count}


@feature("pce.content_hash", "text")
def _content_hash(given: Mapping[str, Any]) -> str:
    return text_hash(given["text"])
