"""The enforcement of a policy on records: what is let in, as what, and what of it is ever seen."""
# docs/sources.md: B1.15.12, B1.16.1, B1.16.6.

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ...errors import BoundaryViolation
from ...knowledge import digest
from ...records import Record, Revision
from ..redaction import Detector
from .model import Policy
from .trees import walked
from .validating import Validator

NAMES = (
    "id", "tenant", "scope", "session_id", "user_id", "links", "source_ids", "archived_by", "parent_unit_ids",
    "child_unit_ids", "derived_from_unit_ids", "superseded_by", "supersedes", "contradicts", "near_duplicates",
)  # fmt: skip
"""The fields that hold names by which records are found: nothing in them is hidden, and none may be a secret."""
CLOSED = ("boundary_class", "ku_type")
"""The fields that hold one of a few words, and no text of anybody's."""


def _of(*forms: str) -> tuple[str, ...]:
    """Return the fields of a record that hold texts in one of these forms; a field that is new is among them."""
    return tuple(each.name for each in fields(Record) if each.type in forms and each.name not in (*NAMES, *CLOSED))


TEXTS, LISTS = _of("str", "str | None"), _of("tuple[str, ...]")
MAPPINGS, CHANGES = _of("Mapping[str, Any]"), _of("tuple[Revision, ...]")
"""The fields of a record that are looked at, by their form."""
_OWN_WORDS = frozenset({"remembered", "replaced", "updated", *(each.name for each in fields(Record))})  # of changes
_REMEMBERED = 8_192  # texts and records whose redaction is kept, so that what is read again costs a look
_LONGEST_KEPT = 4_096


class Enforcer:
    """A policy as a memory enforces it on its records.

    Ids, users and sessions are names by which records are found, and are left as they are: make none of an address.
    One that is a secret is refused.

    Args:
        policy: in force.
        detectors: your own by name, beside the built-in ones or in their place.
        key: of digests in accounts.

    Raises:
        InvalidPolicy: a rule names no detector.

    >>> from byheart.boundary.policy import DEFAULT_POLICY
    >>> enforcer = Enforcer(DEFAULT_POLICY)
    >>> enforcer.clean(Record(text="mail x@example.com", boundary_class="internal")).text
    'mail [email]'

    """

    def __init__(self, policy: Policy, *, detectors: Mapping[str, Detector] | None = None, key: bytes = b"") -> None:
        self.policy, self.validator = policy, Validator(policy, detectors=detectors, key=key)
        self._known: dict[tuple[str, str], tuple[str, bool]] = {}
        self._harmless: set[tuple[str, str]] = set()  # names that were looked at, each with a class
        self._cleaned: dict[int, tuple[Record, Record]] = {}
        for name in policy.classes:
            self.validator.redact("", name)  # a detector that there is none of is told now

    @property
    def identity(self) -> str:
        """What tells this policy's redaction from another's: indexes are made of what it leaves."""
        hidden = {name: list(rule.redact) for name, rule in sorted(self.policy.classes.items())}
        rules = [[rule.name, rule.replace, rule.find] for rule in self.policy.redaction]
        return digest(json.dumps([hidden, rules, [TEXTS, LISTS, MAPPINGS, CHANGES]], sort_keys=True))

    def clean(self, record: Record) -> Record:
        """Return a record without what the policy hides: the same one where there is nothing to hide."""
        held = self._cleaned.get(id(record))
        if held is not None and held[0] is record:
            return held[1]
        cleaned = self._looked_at(record)[0]
        if len(self._cleaned) >= _REMEMBERED:
            self._cleaned = {}
        self._cleaned[id(record)] = record, cleaned  # which keeps it, so that no other one gets its number
        return cleaned

    def clean_text(self, text: str, boundary_class: str = "internal") -> str:
        """Return a text of a class without what the policy hides.

        >>> from byheart.boundary.policy import DEFAULT_POLICY
        >>> Enforcer(DEFAULT_POLICY).clean_text("x@example.com")
        '[email]'
        """
        return self._hidden(text, boundary_class)[0]

    def asked_text(self, text: str) -> str:
        """Return what is left of a question to be searched for: a placeholder is no word of it.

        >>> from byheart.boundary.policy import DEFAULT_POLICY
        >>> Enforcer(DEFAULT_POLICY).asked_text("who is x@example.com?").split()
        ['who', 'is', '?']
        """
        return self.validator.redactor().left(text)

    def admit(self, record: Record, scope: str, boundary_class: str) -> Record:
        """Return a record as it may be written there: without what is hidden.

        Raises:
            BoundaryViolation: the class is secret, or none of the policy's or denied; or the record holds a secret,
                which makes it one.

        """
        if boundary_class == "secret":
            raise BoundaryViolation("boundary_class: 'secret' is not remembered under a policy; nothing was")
        rule = self.policy.classes.get(boundary_class)
        if rule is None or rule.escalation == "deny":
            raise BoundaryViolation(f"boundary_class: {boundary_class!r} is closed by policy {self.policy.version}")
        if scope not in self.policy.scopes:
            known = ", ".join(self.policy.scopes) or "none"
            raise BoundaryViolation(f"scope: {scope!r} is none of policy {self.policy.version}; there are: {known}")
        for field in NAMES:
            value = getattr(record, field)
            for name in (value,) if isinstance(value, str) else value or ():
                self.check_name(field, name, boundary_class)
        cleaned, secret = self._looked_at(record, boundary_class)
        if secret:
            raise BoundaryViolation(
                "record: holds a secret (a key, a token, a password), and is not remembered; leave that out"
            )
        return cleaned

    def lifetime(self, scope: str) -> int | None:
        """Return how many seconds a record of a scope lives that names no end; None: without end."""
        rule = self.policy.scopes.get(scope)
        return None if rule is None else rule.seconds

    def check_name(self, field: str, name: str, boundary_class: str) -> None:
        """Refuse a name, of what lies in a class, that is a secret: it would be kept as it is.

        Raises:
            BoundaryViolation: it is one; the message says the field alone.

        """
        asked = boundary_class, name
        if asked in self._harmless:
            return
        if self.validator.holds_secret(name, boundary_class):
            raise BoundaryViolation(
                f"{field}: holds a secret (a key, a token, a password), and names are kept as they are; use another one"
            )
        if len(self._harmless) >= _REMEMBERED:
            self._harmless = set()
        self._harmless.add(asked)

    def _looked_at(self, record: Record, boundary_class: str | None = None) -> tuple[Record, bool]:
        """Return a record without what is hidden, and whether a secret was among that."""
        name = boundary_class or record.boundary_class or "internal"
        changed: dict[str, Any] = {}
        secret = False

        def hide(text: str) -> str:
            nonlocal secret
            left, held = self._hidden(text, name)
            secret = secret or held
            return left

        for field in TEXTS:
            value = getattr(record, field)
            if value and (left := hide(value)) != value:
                changed[field] = left
        for field in LISTS:
            values = getattr(record, field)
            if values and (kept := tuple(map(hide, values))) != values:
                changed[field] = tuple(dict.fromkeys(kept))
        for field in MAPPINGS:
            tree = getattr(record, field)
            if tree and (seen := walked(tree, hide)) != tree:
                changed[field] = seen
        for field in CHANGES:
            revisions = getattr(record, field)
            if revisions and (told := tuple(_change(each, hide) for each in revisions)) != revisions:
                changed[field] = told
        return (record.completed(**changed) if changed else record), secret

    def _hidden(self, text: str, boundary_class: str) -> tuple[str, bool]:
        """Return what is left of a text, and whether it held a secret; looked at once while it is remembered."""
        asked = (boundary_class, text)
        found = self._known.get(asked)
        if found is None:
            made = self.validator.redact(text, boundary_class)
            found = made.text, made.holds_secret
            if len(text) <= _LONGEST_KEPT:
                if len(self._known) >= _REMEMBERED:
                    self._known = {}
                self._known[asked] = found
        return found


def _change(change: Revision, hide: Callable[[str], str]) -> Revision:
    """Return a change of a record with what is hidden in its words; those that a memory writes itself are none."""
    at, how, names = change
    if _OWN_WORDS.issuperset((how, *names)):  # as nearly all are
        return change
    return at, hide(how), tuple(map(hide, names))
