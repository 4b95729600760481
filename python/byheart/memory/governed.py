"""The policy of a memory: which one is in force, what it leaves to be seen, and whether another has come meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..boundary import Boundary
from ..errors import InvalidArgument, PolicyMissing
from ..light.classes import dataclass
from ..light.once import once
from ..recall.question import check_query
from ..storage import DelayedStore, FollowedStore, VectorStore, write_if
from ..validation import CLASSES, strings

if TYPE_CHECKING:  # most memories have no policy, and pay nothing for what policies need
    from ..activation.governing import Policies, PolicyLike
    from ..boundary.policy import Enforcer, Policy, Retrieval
    from ..boundary.policy.applying import Verify
    from ..boundary.redaction import Detector
    from ..profiles import Profile
    from ..retrieval.question import Query

STORED = "stored"

USUAL_TAGS = ("answer:task",)
"""What a process that names no tags is taken to be for: answering in the course of a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOptions:
    """What a memory with a policy is told beside it.

    Attributes:
        allow: the tags of this process, which open classes; a call may only narrow what they open.
        values: what invariants are asked about, such as {"network.egress": "none"}.
        detectors: your own by name, beside the built-in ones or in their place.
        verify: how signatures of policies are checked; with it every policy needs one.
        key: of digests in accounts of what was hidden.

    """

    allow: tuple[str, ...] = USUAL_TAGS
    values: Mapping[str, Any] = field(default_factory=dict)
    detectors: Mapping[str, Detector] = field(default_factory=dict)
    verify: Verify | None = None
    key: bytes = b""

    def __post_init__(self) -> None:
        """Check the tags."""
        object.__setattr__(self, "allow", strings("allow", self.allow))


class Governed:
    """The policy of one memory.

    Args:
        store: where policies are kept.
        given: the policy; "stored" for the one that the store has, and every later one. None: there is none at all.
        options: what goes with it.
        tenant: whose policy it is.
        configured: what the memory was opened for; None if no boundary was given.
        read_only: the store is not written to.

    Raises:
        InvalidPolicy: it is none, or below the one in force.
        PolicyConflict: another policy of this version is in force.

    """

    def __init__(
        self,
        store: VectorStore,
        given: PolicyLike | None,
        options: PolicyOptions,
        *,
        tenant: str,
        configured: Boundary | None,
        read_only: bool,
    ) -> None:
        self._store, self.options, self._tenant, self._configured = store, options, tenant, configured
        self.enforcer: Enforcer | None = None
        self._sequence: int | None = None
        self._forced: Policy | None = None
        self._profiles: dict[Hashable, Profile] = {}
        self.given = given is not None
        if given is None:
            return
        if not (isinstance(given, str) and given == STORED):
            self._begin(given, read_only)
        self.look()

    @once
    def policies(self) -> Policies:
        """Return the history of the tenant's policies."""
        from ..activation.governing import Policies

        return Policies(self._store, self._tenant, verify=self.options.verify)

    @once
    def environment(self) -> Mapping[str, Any]:
        """Return the parameters that the environment sets, as it was when one was first asked for."""
        from ..boundary.policy import of_environment

        return of_environment(os.environ)

    def _begin(self, given: PolicyLike, read_only: bool) -> None:
        """Have the policy that was given be in force, unless it is already."""
        self.policies.refresh()
        if read_only:
            from ..activation.governing import read

            applied = self.policies.history.apply(read(given), now=time.time(), dry_run=True)
            self._forced = applied.policy
            return
        self.policies.apply(given, lambda put, keys: write_if(self._store, [], put, [], None, keys), now=time.time())
        if isinstance(self._store, DelayedStore):
            self._store.flush()  # who may see what is never a matter of milliseconds

    def changed(self) -> bool:
        """Return whether another policy is in force than the one that is enforced; quick where nothing was written."""
        if not self.given:
            return False
        store = self._store
        now = store.sequence() if isinstance(store, FollowedStore) else None
        if now is None or now != self._sequence:
            self._sequence = now
            self.policies.refresh()
        return self._wanted() != self.policy

    def look(self) -> None:
        """Enforce the policy that is in force now."""
        if self.changed():
            from ..boundary.policy import Enforcer

            policy = self._wanted()
            self._profiles = {}
            self.enforcer = (
                None if policy is None else Enforcer(policy, detectors=self.options.detectors, key=self.options.key)
            )

    def _wanted(self) -> Policy | None:
        """Return the policy to be enforced: the store's; of a store that is only read, the later of that and ours."""
        stored, own = self.policies.current(), self._forced
        if own is None or stored is None:
            return stored or own
        return stored if own.version.precedence < stored.version.precedence else own

    @property
    def policy(self) -> Policy | None:
        """The policy in force; None if there is none."""
        return None if self.enforcer is None else self.enforcer.policy

    @property
    def public(self) -> Boundary:
        """What everybody of the tenant may know of, such as that a policy was applied: it speaks of no record."""
        return Boundary(self._tenant, (), ())

    @property
    def version(self) -> str | None:
        """The version of the policy in force."""
        return None if self.policy is None else str(self.policy.version)

    def profile(self, name: Hashable, make: Callable[[], Profile]) -> Profile:
        """Return the profile of an activation by what it depends on beside the policy; made once."""
        found = self._profiles.get(name)
        if found is None:
            found = self._profiles[name] = make()
        return found

    def the_policy(self) -> Policy:
        """Return the policy in force.

        Raises:
            PolicyMissing: there is none.

        """
        if self.policy is None:
            raise PolicyMissing("policy: none is in force; open the memory with Memory(policy=...), or apply one")
        return self.policy

    def ceiling(self) -> Boundary | None:
        """Return what can be seen at most: what the memory was opened for, as far as the policy opens it."""
        if self.policy is None:
            return self._configured
        whole = self._configured or Boundary(self._tenant, None, CLASSES)
        return self.policy.boundary(self.options.allow, configured=whole, values=self.options.values)

    def narrowed(self, inside: Boundary, scope: Iterable[str] | None, allow: Iterable[str] | None) -> Boundary:
        """Return the boundary of a call that names scopes and tags, which can only narrow it.

        Raises:
            InvalidArgument: a scope that the policy does not have, or that lies outside.
            PolicyMissing: tags are named, and no policy says what they open.

        """
        if self.policy is not None:
            tags = self.options.allow if allow is None else strings("allow", allow)
            scopes = None if scope is None else strings("scope", scope)
            return self.policy.boundary(tags, scopes, configured=inside, values=self.options.values)
        if allow is not None:
            self.the_policy()
        if scope is None:
            return inside
        wanted = strings("scope", scope)
        outside = [name for name in wanted if inside.scopes is not None and name not in inside.scopes]
        if outside:
            raise InvalidArgument(f"scope: {outside[0]!r} lies outside the boundary of this memory")
        return Boundary(inside.tenant, wanted, inside.classes)

    def asked(self, query: Query) -> Query:
        """Return a question without what the policy hides: that goes to whatever searches, embeds and reranks.

        Nothing stands in its place, since that would be a word of every record in which something is hidden.
        """
        if self.enforcer is None:
            return query
        query = check_query(query)
        left = self.enforcer.asked_text
        if isinstance(query, str):
            return left(query)
        terms = [left(term) if isinstance(term, str) else term for term in query]
        return [term for term, given in zip(terms, query, strict=True) if term or not given]

    def told(self, query: Query) -> Query:
        """Return a question as receipts tell it: with a placeholder for each thing that the policy hides."""
        if self.enforcer is None:
            return query
        query = check_query(query)
        hide = self.enforcer.clean_text
        if isinstance(query, str):
            return hide(query)
        return [hide(term) if isinstance(term, str) else term for term in query]

    def retrieval(self, call: Mapping[str, Any] | None = None) -> Retrieval:
        """Return the parameters of an activation: the call's, then the policy's, the environment's, the usual ones."""
        from ..boundary.policy import Retrieval

        if self.policy is not None:
            return self.policy.retrieval(call, self.environment)
        return Retrieval.of(call or {}, self.environment)

    def check_names(self, boundary_class: str, **names: str | None) -> None:
        """Refuse names of what lies in a class that are secrets: they would be kept as they are.

        Raises:
            BoundaryViolation: one is.

        """
        if self.enforcer is not None:
            for field, name in names.items():
                self.enforcer.check_name(field, name or "", boundary_class)

    def clean(self) -> Callable[[Any], Any]:
        """Return what hides what must be hidden of a record."""
        return _as_it_is if self.enforcer is None else self.enforcer.clean


def _as_it_is(record: Any) -> Any:
    return record
