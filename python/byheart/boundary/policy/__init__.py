"""Policies: who may see what, what is hidden, and which rules always hold, as data with a version.

    text        JSON, and the part of YAML that says the same
    reading     from a text to a policy whose every part was checked
    model       the policy, and the cells that it opens to a call
    allowing    allow tags and what they open; which decision and which class wins
    rule        the rule language of invariants
    retrieval   the parameters of activation
    validating  the verdict on a text
    enforcing   the policy on records: what is let in, and what of it is seen
    applying    one policy after another: versions, dry runs, layers
    version     Semantic Versioning

A policy only narrows: what a memory was opened for stays its limit.

>>> DEFAULT_POLICY.allowed_classes(["tool:contact-lookup"])
('public', 'internal', 'pii')
"""

from __future__ import annotations

from typing import Any

from .allowing import allowed_classes, matches, strictest, strongest
from .applying import Applied, PolicyHistory, layered
from .enforcing import Enforcer
from .model import ClassRule, Invariant, Policy, RedactionRule, ScopeRule, seconds_of
from .reading import load_policy, read_policy
from .retrieval import Retrieval, of_environment
from .rule import Rule, RuleError, decide
from .validating import Validator, Verdict

DEFAULT: dict[str, Any] = {
    "version": "0.1.0",
    "name": "base",
    "scopes": {
        "session": {"ttl": "7d", "max_tokens": 20_000},
        "project": {"ttl": "120d", "max_tokens": 50_000},
        "principle": {"ttl": "inf", "max_tokens": 100_000},
    },
    "boundary_classes": {
        "public": {"allow": ["*"]},
        "internal": {"allow": ["answer:task", "tool:*"]},
        "pii": {
            "allow": ["tool:contact-lookup"],
            "redact": ["name", "email", "phone"],
            "escalation": "human_review",
        },
        "secret": {"allow": [], "escalation": "deny"},
    },
    "invariants": [
        {
            "name": "no_destructive_change",
            "applies_to": ["principle", "project"],
            "rule": "api.breaking_change == false",
        },
        {"name": "pii_not_in_prompt", "applies_to": ["*"], "rule": "prompt.contains_pii == false"},
    ],
    "redact_policies": {"default": {"rules": [{"name": name} for name in ("email", "card", "phone", "secret")]}},
}
"""The usual policy, as a mapping to start one's own from."""

DEFAULT_POLICY = read_policy(DEFAULT)

__all__ = [
    "DEFAULT",
    "DEFAULT_POLICY",
    "Applied",
    "ClassRule",
    "Enforcer",
    "Invariant",
    "Policy",
    "PolicyHistory",
    "RedactionRule",
    "Retrieval",
    "Rule",
    "RuleError",
    "ScopeRule",
    "Validator",
    "Verdict",
    "allowed_classes",
    "decide",
    "layered",
    "load_policy",
    "matches",
    "of_environment",
    "read_policy",
    "seconds_of",
    "strictest",
    "strongest",
]
