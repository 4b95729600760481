"""The verdict on a text under a policy: allowed, allowed with parts hidden, or denied, and why.

First what detectors find is hidden; then the invariants are asked, about what is left. Nothing is allowed for want of
an
answer: without a policy, without a detector that a class needs, or where a rule cannot be told, the verdict is a
denial.
"""
# docs/sources.md: B1.15.6, B1.15.7, B1.15.10, B1.15.11.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from ...errors import InvalidArgument
from ...frozen import Document
from ...light.classes import dataclass
from ...validation import check_class, check_text, strings
from ..redaction import DETECTORS, SECRETS, Detector, Pattern, Redacted, Redactor
from .allowing import matches, strictest, strongest
from .model import Policy

INVARIANT_BROKEN = "I(B) violation"
_PII = frozenset({"email", "phone", "card", "name", "address"})


@dataclass(frozen=True, slots=True)
class Verdict(Document):
    """What a policy says about a text.

    Attributes:
        decision: "allow", "redact" or "deny".
        reason: why, in a few words.
        redacted: the text as it may go on, where the decision is "redact" or "allow"; None where it is denied.
        policy_version: of the policy that decided; None without one.
        effective_class: the class asked about, raised to "secret" by a secret in the text.
        broken: the names of the invariants that do not hold.
        escalation: what the class asks for beyond the decision.
        account: what was hidden, as counts and digests.

    """

    decision: str
    reason: str
    redacted: str | None = None
    policy_version: str | None = None
    effective_class: str | None = None
    broken: tuple[str, ...] = ()
    escalation: str | None = None
    account: Mapping[str, Any] = field(default_factory=dict)

    @property
    def allowed(self) -> bool:
        """Whether the text may go on, as it stands in `redacted`."""
        return self.decision != "deny"

    def audit(self, **known: Any) -> dict[str, Any]:
        """Return the row of the audit: the decision with its reason, counts and digests, and what the caller knows.

        >>> row = Verdict("deny", "no policy is in force").audit(actor="agent", tool="search", ts=0.0)
        >>> row["decision"], row["redacted_count"]
        ('denied', 0)
        """
        words = {"allow": "allowed", "redact": "redacted", "deny": "denied"}
        return {
            **known,
            "decision": words[self.decision],
            "reason": self.reason,
            "policy_version": self.policy_version,
            "boundary_class": self.effective_class,
            "redacted_count": self.account.get("count", 0),
            "hashes_of_PII": list(self.account.get("digests", ())),
        }


class Validator:
    """A policy with its detectors, ready to look at texts.

    Args:
        policy: the policy in force; None if there is none, and every text is denied.
        detectors: your own by name, beside the built-in ones or in their place. A pattern of the policy's own stands
            in the place of either.
        key: of the digests in accounts.

    Raises:
        InvalidPolicy: a redaction rule names no detector, or has a pattern that cannot be used.

    """

    def __init__(
        self, policy: Policy | None, *, detectors: Mapping[str, Detector] | None = None, key: bytes = b""
    ) -> None:
        self.policy = policy
        patterns = (
            {rule.name: Pattern(rule.name, rule.find) for rule in policy.redaction if rule.find} if policy else {}
        )
        self._detectors: dict[str, Detector] = {**DETECTORS, **(detectors or {}), **patterns}
        self._key = key
        self._redactors: dict[str, Redactor] = {}
        self._secrets: dict[str, Redactor] = {}  # by class, what looks for secrets alone
        if policy:
            self._redactor(())  # what every text is looked at with: its faults are told now

    def redact(self, text: str, boundary_class: str = "internal") -> Redacted:
        """Return a text of a class without what the policy hides.

        Raises:
            InvalidPolicy: the class needs a detector that there is none of.

        """
        return self.redactor(boundary_class).redact(text)

    def redactor(self, boundary_class: str = "internal") -> Redactor:
        """Return what hides what the policy hides in texts of a class. Errors as in `redact`."""
        return self._redactor(self._wanted(boundary_class))

    def holds_secret(self, text: str, boundary_class: str = "internal") -> bool:
        """Return whether a text of a class holds what makes it a secret; nothing else is looked for.

        >>> from byheart.boundary.policy import DEFAULT_POLICY
        >>> validator = Validator(DEFAULT_POLICY)
        >>> validator.holds_secret("sk-abcdefghijklmnop"), validator.holds_secret("x@example.com")
        (True, False)
        """
        secrets = self._secrets.get(boundary_class)
        if secrets is None:
            rules = [rule for rule in self._rules(self._wanted(boundary_class)) if rule[0] in SECRETS]
            secrets = self._secrets[boundary_class] = Redactor(rules, detectors=self._detectors)
        return secrets.finds(text)

    def _wanted(self, boundary_class: str) -> tuple[str, ...]:
        """Return the detectors that must look at texts of a class, whatever else does."""
        rule = self.policy.classes.get(boundary_class) if self.policy else None
        return rule.redact if rule else ()

    def _rules(self, wanted: tuple[str, ...]) -> list[tuple[str, str]]:
        always = [(rule.name, rule.replace) for rule in self.policy.redaction] if self.policy else []
        named = {name for name, _ in always}
        return [*always, *((name, f"[{name}]") for name in wanted if name not in named)]

    def _redactor(self, wanted: tuple[str, ...]) -> Redactor:
        cache = "\x1f".join(wanted)
        if cache not in self._redactors:
            self._redactors[cache] = Redactor(self._rules(wanted), detectors=self._detectors, key=self._key)
        return self._redactors[cache]

    def validate(
        self,
        payload: str,
        allow: Iterable[str] | None = None,
        scope: str | None = None,
        *,
        boundary_class: str = "internal",
        values: Mapping[str, Any] | None = None,
    ) -> Verdict:
        """Return the verdict on a text.

        Args:
            payload: the text.
            allow: the call's tags; None where the call is about the text alone, an empty list opens nothing.
            scope: whose invariants hold; None for those of every scope.
            boundary_class: of the text.
            values: what invariants are asked about. `prompt.contains_pii` is found out here, from what is left of the
                text; a caller can make it true, and never false.

        Raises:
            InvalidArgument: the class or the scope does not exist.

        >>> from byheart.boundary.policy import DEFAULT_POLICY
        >>> verdict = Validator(DEFAULT_POLICY).validate("mail x@example.com", boundary_class="pii", scope="project")
        >>> verdict.allowed, verdict.redacted
        (True, 'mail [email]')

        """
        payload, boundary_class = check_text("payload", payload), check_class(boundary_class)
        if self.policy is None:
            return Verdict("deny", "no policy is in force", effective_class=boundary_class)
        version = str(self.policy.version)
        if scope is not None:
            self.policy.scope_names([scope])
        rule = self.policy.classes.get(boundary_class)
        reason = self._closed(boundary_class, None if allow is None else strings("allow", allow))
        if rule is None or reason:
            return Verdict(
                "deny", reason, None, version, boundary_class, escalation=rule.escalation if rule else "deny"
            )
        try:
            redacted = self.redact(payload, boundary_class)
            left = self._contains_pii(redacted.text, rule.redact)
        except InvalidArgument as error:  # also what a detector of the caller's own raises of ours
            return Verdict("deny", f"redaction is impossible: {error}", None, version, boundary_class)
        effective = strictest([boundary_class, "secret"] if redacted.holds_secret else [boundary_class])
        broken = self.policy.broken(scope, _with_pii(values or {}, left))
        decisions = ["deny"] if broken else ["redact"] if redacted.count else ["allow"]
        decision = strongest(decisions)
        reason = {"deny": INVARIANT_BROKEN, "redact": f"{redacted.count} hidden", "allow": "allowed"}[decision]
        text = None if decision == "deny" else redacted.text
        return Verdict(decision, reason, text, version, effective, broken, rule.escalation, redacted.account())

    def _closed(self, boundary_class: str, allow: tuple[str, ...] | None) -> str:
        """Return why a class is closed to a call's tags; "" if it is open."""
        rule = self.policy.classes.get(boundary_class) if self.policy else None
        if rule is None:
            return f"class {boundary_class} is none of the policy's"
        if rule.escalation == "deny" or not rule.allow:
            return f"class {boundary_class} is denied"
        if allow is None or any(matches(pattern, tag) for pattern in rule.allow for tag in allow):
            return ""
        return f"no allow tag opens class {boundary_class}"

    def _contains_pii(self, text: str, wanted: tuple[str, ...]) -> bool:
        redactor = self._redactor(wanted)
        return bool(_PII & set(redactor.names)) and any(find.name in _PII for find in redactor.redact(text).finds)


def _with_pii(values: Mapping[str, Any], left: bool) -> dict[str, Any]:
    given = values.get("prompt.contains_pii", False)
    nested = values.get("prompt")
    if isinstance(nested, Mapping):
        given = given or nested.get("contains_pii", False)
    return {**values, "prompt.contains_pii": bool(given) or left}
