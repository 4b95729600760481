"""The policy: who may see what, what is hidden, which rules hold, and the parameters of activation.

It is data that was checked when it was read (`reading`), and never changes. What it comes to for a call is said by
`Policy.boundary` (the cells) and `validating` (a text).
"""
# docs/sources.md: B1.15.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from types import MappingProxyType
from typing import Any

from ...errors import InvalidArgument, InvalidPolicy
from ...knowledge import digest
from ...light.classes import dataclass
from ...light.expressions import expression
from ...validation import CLASSES, nearest, strings
from .. import Boundary
from .allowing import allowed_classes
from .retrieval import Retrieval
from .rule import Rule, RuleError
from .version import Version

SCOPES: tuple[str, ...] = ("session", "project", "principle")
"""From the fast layer to the slow one, which wins."""
ESCALATIONS: tuple[str | None, ...] = (None, "human_review", "deny")
"""From the mildest to the strictest."""
DAY = 86_400

_TTL = expression(r"([0-9]{1,6})d")


def seconds_of(ttl: str) -> int | None:
    """Return the seconds of a time to live such as "7d"; None for "inf", which has no end.

    Raises:
        InvalidPolicy: it is neither.

    >>> seconds_of("7d"), seconds_of("inf")
    (604800, None)

    """
    if ttl == "inf":
        return None
    found = _TTL.fullmatch(ttl) if isinstance(ttl, str) else None
    if found is None:
        raise InvalidPolicy(f"ttl: is {ttl!r}; write a number of days such as '7d', or 'inf'")
    return int(found[1]) * DAY


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """A scope: how long its records live, as it is written and in seconds, and how many tokens it may fill."""

    ttl: str = "inf"
    max_tokens: int | None = None

    @property
    def seconds(self) -> int | None:
        """How long its records live; None: without end."""
        return seconds_of(self.ttl)


@dataclass(frozen=True, slots=True)
class ClassRule:
    """A class: the tags that open it, the detectors that must look at its texts, and what happens beyond that."""

    allow: tuple[str, ...] = ()
    redact: tuple[str, ...] = ()
    escalation: str | None = None


@dataclass(frozen=True, slots=True)
class Invariant:
    """A rule that always holds in some scopes."""

    name: str
    rule: Rule
    scopes: tuple[str, ...] = SCOPES


@dataclass(frozen=True, slots=True)
class RedactionRule:
    """A detector by name, and what stands in the place of its finds; `find` is a pattern of the policy's own."""

    name: str
    replace: str
    find: str | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy in one version.

    Attributes:
        version: by Semantic Versioning.
        name: what it is called; None if it has no name.
        scopes: the scopes that there are, with their rules.
        classes: the classes that there are; one that is not named is closed.
        invariants: what always holds.
        redaction: what is looked for in every text, the earlier rule first.
        settings: the parameters of activation that it sets, by the names of `Retrieval`.
        calibration: coefficients of the legs, as they were written.
        meta: anything else about it.
        notes: what was accepted though it is not as it should be.

    """

    version: Version
    name: str | None = None
    scopes: Mapping[str, ScopeRule] = field(default_factory=dict)
    classes: Mapping[str, ClassRule] = field(default_factory=dict)
    invariants: tuple[Invariant, ...] = ()
    redaction: tuple[RedactionRule, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    calibration: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Close the mappings: a policy that was checked stays as it was."""
        for name in ("scopes", "classes", "settings", "calibration", "meta"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[type[Policy], tuple[Any, ...]]:
        """Be pickled and copied by what the policy was made of: closed mappings cannot be."""
        values = (getattr(self, each.name) for each in fields(self))
        return type(self), tuple(dict(each) if isinstance(each, MappingProxyType) else each for each in values)

    def retrieval(
        self, call: Mapping[str, Any] | None = None, environment: Mapping[str, Any] | None = None
    ) -> Retrieval:
        """Return the parameters of a call: its own, then the policy's, then the environment's, then the usual ones."""
        return Retrieval.of(call or {}, self.settings, environment or {})

    def allowed_classes(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Return the classes that tags open, without those that are denied altogether."""
        opened = allowed_classes({name: rule.allow for name, rule in self.classes.items()}, tags)
        return tuple(name for name in opened if self.classes[name].escalation != "deny")

    def scope_names(self, asked: Iterable[str] | None) -> tuple[str, ...]:
        """Return the scopes of a call, all of the policy's if it names none.

        Raises:
            InvalidArgument: the policy has no such scope.

        """
        if asked is None:
            return tuple(name for name in SCOPES if name in self.scopes)
        wanted = strings("scope", asked)
        for name in wanted:
            if name not in self.scopes:
                raise InvalidArgument(f"scope: {name!r} is none of the policy's{nearest(name, self.scopes)}")
        return tuple(name for name in SCOPES if name in wanted)

    def broken(self, scope: str | None, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the invariants of a scope (None: of every scope) that do not hold, or cannot be told."""
        applicable = (each for each in self.invariants if scope is None or scope in each.scopes)
        return tuple(each.name for each in applicable if not _holds(each.rule, values))

    def boundary(
        self,
        tags: Iterable[str],
        scopes: Iterable[str] | None = None,
        *,
        configured: Boundary,
        values: Mapping[str, Any] | None = None,
    ) -> Boundary:
        """Return the cells of a call: what its tags and scopes open, in what the memory was configured for.

        A scope of which an invariant is broken is closed. No cell means an empty answer.

        Args:
            tags: the call's allow tags.
            scopes: the call's scopes; None for all of the policy's.
            configured: what nothing may go beyond.
            values: what invariants are asked about.

        Raises:
            InvalidArgument: the policy has no such scope.

        """
        classes = [name for name in self.allowed_classes(tags) if name in configured.classes]
        wanted = self.scope_names(scopes)
        if configured.scopes is not None:
            wanted = tuple(name for name in wanted if name in configured.scopes)
        held = tuple(name for name in wanted if not self.broken(name, values or {}))
        return Boundary(configured.tenant, held, tuple(classes))

    def to_dict(self) -> dict[str, Any]:
        """Return the policy as the mapping from which it can be read again."""
        classes = {
            name: _filled(
                {"allow": list(rule.allow), "redact": list(rule.redact), "escalation": rule.escalation}, "allow"
            )
            for name, rule in sorted(self.classes.items(), key=lambda each: CLASSES.index(each[0]))
        }
        scopes = {
            name: _filled({"ttl": self.scopes[name].ttl, "max_tokens": self.scopes[name].max_tokens})
            for name in SCOPES
            if name in self.scopes
        }
        invariants = [{"name": i.name, "applies_to": list(i.scopes), "rule": i.rule.text} for i in self.invariants]
        rules = [_filled({"name": rule.name, "find": rule.find, "replace": rule.replace}) for rule in self.redaction]
        found: dict[str, Any] = {
            "version": str(self.version),
            "name": self.name,
            "meta": dict(self.meta),
            "scopes": scopes,
        }
        found |= {
            "boundary_classes": classes,
            "invariants": invariants,
            "redact_policies": {"default": {"rules": rules}},
        }
        found |= {"settings": dict(self.settings), "calibration": dict(self.calibration)}
        return _filled(found, "boundary_classes", "scopes", "redact_policies")

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Policy:
        """Return the policy that `to_dict` described, or that was written by hand (`read_policy`)."""
        from .reading import read_policy

        return read_policy(mapping)

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the policy says: equal policies have equal ones."""
        import json  # on use

        return digest(json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False, allow_nan=False))


def _holds(rule: Rule, values: Mapping[str, Any]) -> bool:
    try:
        return rule.holds(values)
    except (RuleError, RecursionError):
        return False


def _filled(mapping: dict[str, Any], *kept: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name in kept or value not in (None, [], {}, ())}
