"""The verbs of policies: what is in force and says of a text, applying another one, and the log. Bound to `Memory`."""
# docs/sources.md: B1.15.9, B1.15.10, B1.13.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import PolicyMissing
from ..recall.question import BoundaryLike
from ..records import Record
from ..storage import Key
from ..validation import call_time, check_labels, check_one_of
from ..words import BoundaryClass, Time, Topic
from . import kinds
from .engine import Handle


def policy(self: Handle) -> kinds.Policy | None:
    """Return the policy in force; None if there is none, or the memory was opened without."""
    self._engine.follow()
    return self._engine.governed.policy


def validate(
    self: Handle,
    payload: str,
    *,
    allow: Iterable[str] | None = None,
    scope: str | None = None,
    boundary_class: BoundaryClass = "internal",
    values: Mapping[str, Any] | None = None,
) -> kinds.Verdict:
    """Return what the policy says of a text: allowed, allowed with parts hidden, or denied, and why.

    First what must be hidden is hidden, then the invariants are asked about what is left. Without a policy every text
    is denied.

    Args:
        payload: the text.
        allow: tags of the call; None where it is about the text alone.
        scope: whose invariants hold; None for those of every scope.
        boundary_class: of the text.
        values: what invariants are asked about, beside those of this memory.

    Raises:
        InvalidArgument: the class or the scope does not exist.

    >>> from byheart import Memory
    >>> verdict = Memory(policy="default").validate("mail x@example.com", boundary_class="pii", scope="project")
    >>> verdict.allowed, verdict.redacted
    (True, 'mail [email]')

    """
    from ..boundary.policy import Validator

    engine = self._engine
    engine.follow()
    enforcer = engine.governed.enforcer
    validator = Validator(None) if enforcer is None else enforcer.validator
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"values must be a mapping, not {type(values).__name__}")
    known = {**engine.governed.options.values, **(values or {})}
    return validator.validate(payload, allow, scope, boundary_class=boundary_class, values=known)


def apply_policy(
    self: Handle,
    policy: kinds.PolicyLike,
    *,
    dry_run: bool = False,
    validate_only: bool = False,
    expected_version: str | None = None,
    signature: str | None = None,
    approver: str | None = None,
    now: Time | None = None,
    request_id: str | None = None,
    trace_id: str | None = None,
) -> kinds.Applied:
    """Have another policy be in force, here and for every memory of this tenant that goes by the store's policy.

    Policy and event are written at once. Indexes are made anew where other texts are hidden.

    Args:
        policy: it, as `Memory(policy=...)` takes it.
        dry_run: check everything, and change nothing.
        validate_only: check it by itself, whatever is in force; change nothing.
        expected_version: the version that must be in force.
        signature, approver: of the policy.
        now: when it comes into force; without it now.
        request_id, trace_id: kept with the event.

    Raises:
        PolicyMissing: the memory was opened without a policy.
        InvalidPolicy: it is none; or its version is not above that in force, or too low for what it changes.
        PolicyConflict: another version is in force than was expected.
        ReadOnlyStore: the memory is only read.

    >>> from byheart import Memory
    >>> memory = Memory(policy={"version": "0.1.0", "boundary_classes": {"public": {"allow": ["*"]}}})
    >>> done = memory.apply_policy({"version": "1.0.0", "boundary_classes": {"public": {"allow": ["answer:task"]}}})
    >>> done.previous, done.breaking, str(memory.policy.version)
    ('0.1.0', True, '1.0.0')

    """
    from . import telling

    approver, request_id, trace_id = check_labels(approver=approver, request_id=request_id, trace_id=trace_id)
    engine, at = self._engine, call_time(now)
    engine.follow()
    if not engine.governed.given:
        raise PolicyMissing('policy: the memory was opened without one; open it with Memory(policy="stored")')
    if not (dry_run or validate_only):
        engine.writer.commits.check_writable()

    def exchange(put: Sequence[Record], absent: Sequence[Key]) -> bool:
        with engine.writer.commits.planning(alone=True):
            return engine.writer.commits.exchange([], put, [], None, absent)

    def event(applied: kinds.Applied) -> Record:
        who = telling.Who(engine.governed.public, at, request_id, trace_id)
        told = {"version": str(applied.policy.version), "previous": applied.previous, "breaking": applied.breaking}
        with engine.indexes.lock:
            return telling.event_row(engine, "policy", {**told, "changes": len(applied.changes)}, who).to_record()

    applied = engine.governed.policies.apply(
        policy, exchange, now=at, event=event, dry_run=dry_run, validate_only=validate_only,
        expected_version=expected_version, signature=signature, approver=approver,
    )  # fmt: skip
    engine.follow()
    return applied


def events(self: Handle, topic: Topic | None = None, *, boundary: BoundaryLike | None = None) -> kinds.EventLog:
    """Return the log of what was done, the oldest first: events of calls that saw no more than may be seen.

    Args:
        topic: the only one, such as "search"; see `byheart.activation.events.TOPICS`.
        boundary: whose tenant's log.

    Raises:
        InvalidArgument: there is no such topic.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("Ann drinks green tea.")
    >>> found = memory.search("tea")
    >>> [event.topic for event in memory.events()], memory.events().fallback_share()
    (['schema', 'search'], 0.0)

    """
    from ..activation.events import TOPICS, Event, EventLog
    from ..activation.journal import EVENTS

    if topic is not None:
        topic = check_one_of("topic", topic, TOPICS)
    engine, inside = self._engine, self._engine.inside(boundary)
    rows = [row for row in engine.journal.rows(EVENTS, inside.tenant) if topic in (None, row.content["topic"])]
    return EventLog(Event(number, row.at, **row.content) for number, row in enumerate(rows, 1))
