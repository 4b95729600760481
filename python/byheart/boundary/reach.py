"""The reach of a memory: what it may ever see. The one place where that is decided, for reads and writes alike.

A call's boundary narrows the reach. What is counted, named, replaced or told lies inside it; and what is true of a
store as a whole (how its indexes were opened, which of its files went) is told to those alone who see all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ..errors import BoundaryViolation
from ..light.classes import dataclass
from ..validation import CLASSES
from . import Boundary


@dataclass(frozen=True, slots=True)
class Reach:
    """What a memory may ever see.

    Attributes:
        ceiling: the boundary that it was opened with; None for all of every tenant.

    >>> Reach(Boundary("alice", classes=("public",))).holds("alice", "project", "secret"), Reach().sees_all
    (False, True)

    """

    ceiling: Boundary | None = None

    @property
    def sees_all(self) -> bool:
        """Whether nothing lies outside."""
        return self.ceiling is None

    def holds(self, tenant: str, scope: str, boundary_class: str) -> bool:
        """Return whether a record of this tenant, scope and class lies inside."""
        ceiling = self.ceiling
        return ceiling is None or (tenant == ceiling.tenant and ceiling.holds(scope, boundary_class))

    def of(self, tenant: str) -> Boundary:
        """Return what can be seen of a tenant: all, what the memory was opened for, or nothing."""
        if self.ceiling is None:
            return _all_of(tenant)
        return self.ceiling if tenant == self.ceiling.tenant else Boundary(tenant, scopes=(), classes=())

    def boundaries(self, tenants: Iterable[str]) -> list[Boundary]:
        """Return what can be seen, a boundary a tenant; `tenants` are those that have records."""
        return [self.of(tenant) for tenant in tenants] if self.ceiling is None else [self.ceiling]

    def check(self, what: str, tenant: str, scope: str, boundary_class: str) -> None:
        """Refuse to write where nothing can be seen.

        Raises:
            BoundaryViolation: it lies outside.

        """
        if not self.holds(tenant, scope, boundary_class):
            raise BoundaryViolation(
                f"{what}: tenant {tenant!r}, scope {scope!r}, class {boundary_class!r} "
                "lies outside the boundary that the memory was opened with"
            )

    def check_whole(self, what: str) -> None:
        """Refuse what would change the store for all who use it.

        Raises:
            BoundaryViolation: the memory sees a part of it.

        """
        if not self.sees_all:
            raise BoundaryViolation(f"{what}; open the memory without a boundary for that")


@lru_cache(maxsize=1_024)
def _all_of(tenant: str) -> Boundary:
    """Return the boundary of all of a tenant; each record that is written asks for it."""
    return Boundary(tenant, classes=CLASSES)
