"""The policies of a tenant in a store: their history, one row each, numbered; and applying one after the other.

The number of a row is the place of its policy in the history, so that of two that are applied at once one finds its
place taken, and looks again.
"""
# docs/sources.md: B1.15.9, B1.14.2.

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..boundary import Boundary
from ..boundary.policy import DEFAULT_POLICY, Applied, Policy, PolicyHistory, load_policy, read_policy
from ..boundary.policy.applying import Verify
from ..errors import InvalidPolicy
from ..records import Record
from ..storage import Key, Store
from ..storage.attempts import attempts
from ..validation import CLASSES, nearest
from .journal import POLICIES, Row, key_of_row

STORED, DEFAULT = "stored", "default"
_PUBLIC = CLASSES[:1]
_AT_ONCE = 8

Exchange = Callable[[Sequence[Record], Sequence[Key]], bool]
"""Puts rows where nothing is under their keys; returns whether it did."""

PolicyLike = str | os.PathLike[str] | Mapping[str, Any] | Policy
"""A policy, a mapping, a text (JSON or YAML), a file, or "default" or "stored"."""


def read(given: PolicyLike) -> Policy:
    """Return the policy that is given; "stored" is none of these.

    Raises:
        InvalidPolicy: it is none; the message names the place in it.

    >>> str(read("default").version)
    '0.1.0'

    """
    if isinstance(given, Policy):
        return given
    if isinstance(given, str) and given == DEFAULT:
        return DEFAULT_POLICY
    if isinstance(given, os.PathLike):
        try:
            return load_policy(given)
        except OSError as error:
            raise InvalidPolicy(f"policy: {os.fspath(given)!r} cannot be read ({error.strerror or error})") from None
    if isinstance(given, str) and given.strip() and not set(given) & set("{:\n"):  # a word, or the name of a file
        raise InvalidPolicy(
            f"policy: {given[:60]!r} is no policy{nearest(given, (DEFAULT, STORED))}; a file is given as a pathlib.Path"
        )
    return read_policy(given)


class Policies:
    """The history of one tenant's policies.

    Args:
        store: where it is.
        tenant: whose.
        verify: how signatures are checked; with it every policy needs one.

    """

    def __init__(self, store: Store, tenant: str, *, verify: Verify | None = None) -> None:
        self._store, self._tenant, self._verify = store, tenant, verify
        self._rows: list[Mapping[str, Any]] = []
        self.history = PolicyHistory(verify=verify)

    def refresh(self) -> bool:
        """Read what was applied since the last time, and return whether something was.

        Raises:
            InvalidPolicy: a row holds no policy, or its signature is wrong: nothing is in force that was not checked.

        """
        before = len(self._rows)
        while True:
            first = len(self._rows) + 1
            found = self._store.get([self._key(number) for number in range(first, first + _AT_ONCE)])
            new = [Row.of_record(record).content for record in found if record is not None]
            self._rows += new
            if len(new) < _AT_ONCE:
                break
        if len(self._rows) > before:
            self.history = PolicyHistory.of_rows(self._rows, verify=self._verify)
        return len(self._rows) > before

    def current(self) -> Policy | None:
        """Return the policy in force; None if there is none."""
        return self.history.current if self._rows else None

    def apply(
        self,
        policy: PolicyLike,
        exchange: Exchange,
        *,
        now: float,
        event: Callable[[Applied], Record | None] | None = None,
        **how: Any,
    ) -> Applied:
        """Return what applying a policy does; if it is to be in force, its row and the event are written at once.

        Args:
            policy: it.
            exchange: writes.
            now: when it comes into force.
            event: gives the row of the event that tells of it.
            how: the arguments of `PolicyHistory.apply`.

        """  # fmt: skip
        chosen = read(policy)
        for _ in attempts("apply a policy"):
            self.refresh()
            tried = PolicyHistory.of_rows(self._rows, verify=self._verify)
            applied = tried.apply(chosen, now=now, **how)
            rows = tried.to_rows()
            if len(rows) == len(self._rows):
                return applied
            key = self._key(len(rows))
            row = Row(POLICIES, _number(len(rows)), now, Boundary(self._tenant, None, _PUBLIC), rows[-1])
            told = None if event is None else event(applied)
            put = [row.to_record(), *([told] if told is not None else [])]
            if exchange(put, [key]):
                self.refresh()
                return applied
        raise AssertionError("attempts end with an error")

    def _key(self, number: int) -> Key:
        return key_of_row(POLICIES, _number(number), self._tenant, _PUBLIC[0])


def _number(number: int) -> str:
    return f"{number:08}"
