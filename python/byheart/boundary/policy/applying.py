"""The policies in force, one after the other: applying a new one, its version, and the history, which only grows.

Nothing here stores anything: a history is a value that is made of entries, and `to_rows` and `of_rows` carry it.
"""
# docs/sources.md: B1.15.9, B1.14.2.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...errors import InvalidPolicy, PolicyConflict, PolicyMissing
from ...frozen import Document
from ...light.classes import dataclass
from ...validation import epoch_seconds
from .allowing import common
from .model import ESCALATIONS, ClassRule, Policy, ScopeRule
from .reading import read_policy
from .version import Version

Verify = Callable[[str, str, str], bool]
"""Whether a signature is right: of the policy's digest, the signature, and the approver's name."""


@dataclass(frozen=True, slots=True)
class Applied(Document):
    """The outcome of applying a policy.

    Attributes:
        policy: the policy, as it was read.
        previous: the version before; None if it is the first.
        changes: what differs, one line each.
        breaking: whether one of them widens what is protected, or closes what was open.
        in_force: whether it is the policy from now on; not after a dry run.

    """

    policy: Policy
    previous: str | None
    changes: tuple[str, ...]
    breaking: bool
    in_force: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A policy that came into force, when, and by whom."""

    policy: Policy
    at: float
    approver: str | None = None
    signature: str | None = None


class PolicyHistory:
    """The policies that were in force, the newest last; a policy may take the place of the one before.

    Args:
        verify: how signatures are checked; with it, every policy needs one.

    >>> history = PolicyHistory()
    >>> first = {"version": "0.1.0", "boundary_classes": {"public": {"allow": ["*"]}}}
    >>> history.apply(first, now=0.0).in_force, str(history.current.version)
    (True, '0.1.0')

    """

    def __init__(self, *, verify: Verify | None = None) -> None:
        self._entries: list[Entry] = []
        self._verify = verify

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every policy that came into force, in order."""
        return tuple(self._entries)

    @property
    def current(self) -> Policy:
        """The policy in force.

        Raises:
            PolicyMissing: there is none.

        """
        if not self._entries:
            raise PolicyMissing("policy: none is in force; apply one first")
        return self._entries[-1].policy

    def apply(
        self,
        policy: str | Mapping[str, Any] | Policy,
        *,
        now: float,
        dry_run: bool = False,
        validate_only: bool = False,
        expected_version: str | None = None,
        signature: str | None = None,
        approver: str | None = None,
    ) -> Applied:
        """Return what applying a policy does, and do it unless told otherwise.

        Args:
            policy: its text, JSON or YAML, or a mapping.
            now: when it comes into force.
            dry_run: check everything, and change nothing.
            validate_only: check the policy by itself, whatever is in force; change nothing.
            expected_version: the version that must be in force, as the author saw it.
            signature: of the policy.
            approver: who stands for it.

        Raises:
            InvalidPolicy: it is none, its version is not above the one in force, or is too low for what it changes; or
                its signature is wrong or missing.
            PolicyConflict: another version is in force than was expected, or another policy has this version.

        """
        new, at = read_policy(policy), epoch_seconds("now", now)
        self._check_signature(new, signature, approver)
        before = self._entries[-1].policy if self._entries else None
        changes, breaking = differences(before, new) if before else ((), False)
        previous = str(before.version) if before else None
        if expected_version is not None and expected_version != previous:
            raise PolicyConflict(
                f"policy: expected version {expected_version} in force, and it is {previous or 'none'}"
            )
        if validate_only:
            return Applied(new, previous, changes, breaking, False)
        if before and before.version.precedence == new.version.precedence and before.digest == new.digest:
            return Applied(new, previous, (), False, not dry_run)  # the same again
        if before:
            _check_step(before.version, new.version, changes, breaking)
        if not dry_run:
            assert at is not None
            self._entries.append(Entry(new, at, approver, signature))
        return Applied(new, previous, changes, breaking, not dry_run)

    def _check_signature(self, policy: Policy, signature: str | None, approver: str | None) -> None:
        if self._verify is None:
            if signature is not None:
                raise InvalidPolicy("policy: has a signature, and nothing here can check it")
            return
        if signature is None or not self._verify(policy.digest, signature, approver or ""):
            raise InvalidPolicy("policy: its signature is missing or wrong")

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the history as JSON-able rows."""
        return [
            {"policy": entry.policy.to_dict(), "at": entry.at, "approver": entry.approver, "signature": entry.signature}
            for entry in self._entries
        ]

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]], *, verify: Verify | None = None) -> PolicyHistory:
        """Return the history of rows; one whose signature is no longer right is refused.

        Raises:
            InvalidPolicy: a row holds no policy, or its signature is missing or wrong.

        """
        history = cls(verify=verify)
        for row in rows:
            policy = read_policy(row["policy"])
            history._check_signature(policy, row.get("signature"), row.get("approver"))
            history._entries.append(Entry(policy, float(row["at"]), row.get("approver"), row.get("signature")))
        return history


def _check_step(before: Version, new: Version, changes: tuple[str, ...], breaking: bool) -> None:
    if new.precedence == before.precedence:
        raise PolicyConflict(f"policy: version {new} is in force with another content; raise the version")
    if new.precedence < before.precedence:
        raise InvalidPolicy(f"policy: version {new} is below {before}, which is in force")
    if breaking and not new.allows_breaking(before):
        raise InvalidPolicy(
            f"policy: {changes[0]}; that breaks what {before} promised, and needs a higher "
            f"{'major or minor' if before.major == 0 else 'major'} version than {new} has"
        )


def differences(before: Policy, new: Policy) -> tuple[tuple[str, ...], bool]:
    """Return what differs between two policies, what breaks something first, and whether something does.

    It breaks if a tag opens a class that it did not open, or no longer opens one; if something is no longer hidden,
    asked for or ruled out; or if a scope is gone. More that is hidden or ruled out breaks nothing, nor do other
    parameters.
    """
    breaks, mild = [], []
    for name in sorted({*before.classes, *new.classes}):
        old, now = before.classes.get(name, ClassRule()), new.classes.get(name, ClassRule())
        if set(old.allow) != set(now.allow):
            breaks.append(f"class {name} is open for other tags")
        if set(old.redact) - set(now.redact):
            breaks.append(f"class {name} hides less")
        elif set(old.redact) != set(now.redact):
            mild.append(f"class {name} hides more")
        if old.escalation != now.escalation:
            harder = ESCALATIONS.index(now.escalation) > ESCALATIONS.index(old.escalation)
            closes = now.escalation == "deny" and bool(old.allow)
            (mild if harder and not closes else breaks).append(
                f"class {name} escalates to {now.escalation or 'nobody'}"
            )
    rules = {each.name: (each.rule.text, each.scopes) for each in before.invariants}
    for each in new.invariants:
        if each.name not in rules:
            mild.append(f"invariant {each.name} is new")
        elif rules.pop(each.name) != (each.rule.text, each.scopes):
            breaks.append(f"invariant {each.name} is another")
    left = {each.name for each in before.invariants} - {each.name for each in new.invariants}
    breaks += [f"invariant {name} is gone" for name in sorted(left)]
    breaks += [f"scope {name} is gone" for name in sorted(set(before.scopes) - set(new.scopes))]
    hidden = {rule.name for rule in before.redaction} - {rule.name for rule in new.redaction}
    breaks += [f"{name} is no longer looked for" for name in sorted(hidden)]
    for what in ("scopes", "redaction", "settings", "calibration", "meta", "name"):
        if getattr(before, what) != getattr(new, what):
            mild.append(f"{what} differ" if what.endswith("s") else f"{what} differs")
    return (*breaks, *mild), bool(breaks)


def layered(base: Policy, *narrower: Policy) -> Policy:
    """Return a policy with those of a tenant or a project laid over it, which can narrow it and never relax it.

    A class is open for the tags that all open it for, hides what any hides, and has the strictest escalation; every
    invariant holds; the shortest time to live counts. Parameters of activation are those of the last that sets them.

    >>> base = read_policy({"version": "1.0.0", "boundary_classes": {"internal": {"allow": ["tool:*"]}}})
    >>> own = read_policy({"version": "1.0.0", "boundary_classes": {"internal": {"allow": ["*"], "redact": ["email"]}}})
    >>> layered(base, own).classes["internal"]
    ClassRule(allow=('tool:*',), redact=('email',), escalation=None)
    """
    for own in narrower:
        classes = {name: _class(rule, own.classes[name]) for name, rule in base.classes.items() if name in own.classes}
        scopes = {name: _scope(rule, own.scopes[name]) for name, rule in base.scopes.items() if name in own.scopes}
        known = {each.name: each for each in base.invariants}
        added = tuple(
            replace(each, name=f"{each.name} (own)") if each.name in known else each
            for each in own.invariants
            if known.get(each.name) != each
        )
        looked_for = {rule.name for rule in base.redaction}
        base = replace(
            base,
            classes=classes,
            scopes=scopes,
            invariants=(*base.invariants, *added),
            redaction=(*base.redaction, *(rule for rule in own.redaction if rule.name not in looked_for)),
            settings={**base.settings, **own.settings},
            calibration={**base.calibration, **own.calibration},
        )
    return base


def _class(one: ClassRule, other: ClassRule) -> ClassRule:
    escalation = max(one.escalation, other.escalation, key=ESCALATIONS.index)
    return ClassRule(common(one.allow, other.allow), tuple(dict.fromkeys((*one.redact, *other.redact))), escalation)


def _scope(one: ScopeRule, other: ScopeRule) -> ScopeRule:
    shorter = min(one, other, key=lambda rule: float("inf") if rule.seconds is None else rule.seconds)
    limits = [rule.max_tokens for rule in (one, other) if rule.max_tokens is not None]
    return ScopeRule(shorter.ttl, min(limits, default=None))
