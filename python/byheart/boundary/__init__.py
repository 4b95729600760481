"""Boundaries: who may see what, and the cells that they are made of.

A record lies in one cell: its tenant, its scope and its boundary class. A boundary names one tenant, some or
all scopes and some classes, and is turned into the set of its cells before anything is searched. No cell
means an empty answer, never "all".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from ..errors import BoundaryViolation, InvalidArgument, RecordNotFound
from ..light.classes import dataclass
from ..validation import MAX_SCOPES, as_mapping, check_class, check_name, nearest, shortly, strings
from ..words import BoundaryClass

DEFAULT_CLASSES: tuple[BoundaryClass, ...] = ("internal", "public")
DEFAULT_TENANT = "default"
DEFAULT_SCOPE = "project"
DEFAULT_CLASS: BoundaryClass = "internal"


RESERVED_TENANT = "byheart:journal"
"""Under which stores keep what is no record: no boundary can name it, and no record can be put there."""

SEPARATOR = "\x1f"
"""Between scope and class in the key of a cell; names hold no control characters."""


def check_tenant(tenant: str) -> str:
    """Return a tenant; refuse one that no caller can have.

    Raises:
        InvalidArgument: it is the reserved one, or no name.

    """
    tenant = check_name("tenant", tenant)
    if tenant == RESERVED_TENANT:
        raise InvalidArgument(f"tenant: {tenant!r} is what a store keeps its own rows under; use another name")
    return tenant


@dataclass(frozen=True, slots=True)
class Boundary:
    """One tenant, the scopes (None: every one) and the classes that a call may see.

    >>> Boundary(tenant="alice", scopes=("session",)).classes
    ('internal', 'public')
    """

    tenant: str = DEFAULT_TENANT
    scopes: tuple[str, ...] | None = None
    classes: tuple[BoundaryClass, ...] = DEFAULT_CLASSES

    def __post_init__(self) -> None:
        """Check every name; lists become sorted tuples, so equal boundaries are equal values."""
        object.__setattr__(self, "tenant", check_tenant(self.tenant))
        if self.scopes is not None:
            object.__setattr__(self, "scopes", _names("scopes", self.scopes))
            for scope in self.scopes:
                check_name("scope", scope)
        object.__setattr__(self, "classes", _names("classes", self.classes))
        for name in self.classes:
            check_class(name)

    @classmethod
    def of_cell(cls, tenant: str, scope: str, boundary_class: str) -> Boundary:
        """Return the boundary that holds one cell alone.

        >>> Boundary.of_cell("alice", "session", "public").classes
        ('public',)
        """
        return cls(tenant, (scope,), cast("tuple[BoundaryClass]", (boundary_class,)))  # checked as every class is

    def holds(self, scope: str, boundary_class: str) -> bool:
        """Return whether a record of this scope and class (and of this tenant) lies inside."""
        return boundary_class in self.classes and (self.scopes is None or scope in self.scopes)

    def to_dict(self) -> dict[str, Any]:
        """Return the boundary as a JSON-able mapping, the form that calls accept too."""
        scopes = None if self.scopes is None else list(self.scopes)
        return {"tenant": self.tenant, "scopes": scopes, "classes": list(self.classes)}

    def in_words(self) -> str:
        """Return the boundary as a message names it.

        >>> Boundary(scopes=()).in_words()
        "tenant 'default', no scope, class internal, public"
        """
        scopes = "every scope" if self.scopes is None else _named("scope", self.scopes)
        return f"tenant {self.tenant!r}, {scopes}, {_named('class', self.classes)}"

    def lacks(self, id: str) -> RecordNotFound:
        """Return the error that says that no record with this id lies inside.

        The boundary named is the one that was asked about, which the caller knows, and nothing else.
        """
        return RecordNotFound(f"no record {id!r} lies inside the boundary ({self.in_words()})")


def resolve(asked: Boundary | Mapping[str, Any] | None, default: Boundary, ceiling: Boundary | None) -> Boundary:
    """Return the boundary of a call: what was asked for, which may only narrow the ceiling, or the default.

    Raises:
        BoundaryViolation: another tenant, scope or class than the memory was opened with.
        InvalidArgument: a mapping with other keys than tenant, scopes, classes.

    """
    if asked is None:
        return default
    boundary = asked if isinstance(asked, Boundary) else _from_mapping(asked, default)
    if ceiling is None:
        return boundary
    if boundary is asked and boundary.scopes is None and boundary.tenant == ceiling.tenant:
        boundary = Boundary(boundary.tenant, ceiling.scopes, boundary.classes)  # it names none: those that are open
    _check_narrower(boundary, ceiling)
    return boundary


def _from_mapping(asked: Mapping[str, Any], default: Boundary) -> Boundary:
    if not isinstance(asked, Mapping):
        raise TypeError(f"boundary must be a Boundary or a mapping, not {type(asked).__name__}")
    asked = as_mapping("boundary", asked)
    unknown = sorted(set(asked) - {"tenant", "scopes", "classes"}, key=str)
    if unknown:
        near = nearest(str(unknown[0]), ("tenant", "scopes", "classes"))
        raise InvalidArgument(f"boundary: unknown key {unknown[0]!r}; it has tenant, scopes and classes{near}")
    # A tenant of its own does not inherit the scopes of another one's default.
    tenant = asked.get("tenant", default.tenant)
    tenant = check_name("tenant", tenant)
    scopes = asked.get("scopes", default.scopes if tenant == default.tenant else None)
    return Boundary(tenant, scopes, asked.get("classes", default.classes))


def _check_narrower(boundary: Boundary, ceiling: Boundary) -> None:
    advice = "a call may only narrow the boundary that the memory was opened with"
    if boundary.tenant != ceiling.tenant:
        raise BoundaryViolation(f"boundary: tenant {boundary.tenant!r} is outside; {advice}")
    if ceiling.scopes is not None and (boundary.scopes is None or set(boundary.scopes) - set(ceiling.scopes)):
        raise BoundaryViolation(f"boundary: scopes {boundary.scopes} go beyond {ceiling.scopes}; {advice}")
    if set(boundary.classes) - set(ceiling.classes):
        raise BoundaryViolation(f"boundary: classes {boundary.classes} go beyond {ceiling.classes}; {advice}")


def home(tenant: str | None, scope: str | None, boundary: Boundary | None) -> tuple[str, str, str]:
    """Return the default cell of new records: as given, else the only one that the boundary allows, else the usual one.

    Args:
        tenant: the memory's, where it was given.
        scope: the same.
        boundary: what it was opened for; None for all.

    Raises:
        InvalidArgument: the boundary is of another tenant than the memory; or a name is blank.

    >>> home(None, None, Boundary("ann", ("notes",), ("public",))), home("ann", None, None)
    (('ann', 'notes', 'public'), ('ann', 'project', 'internal'))

    """
    for what, name in (("tenant", tenant), ("scope", scope)):
        if isinstance(name, str) and name.isspace():
            raise InvalidArgument(f"{what}: is blank; give a name, or leave it out")
    if boundary is None:
        return tenant or DEFAULT_TENANT, scope or DEFAULT_SCOPE, DEFAULT_CLASS
    if tenant not in (None, boundary.tenant):
        raise InvalidArgument(
            f"tenant, boundary: the memory is of tenant {tenant!r}, and its boundary of {boundary.tenant!r}; "
            "name one tenant in both, or leave tenant= out"
        )
    scopes, classes = boundary.scopes or (), boundary.classes
    only = scopes[0] if len(scopes) == 1 else DEFAULT_SCOPE
    return boundary.tenant, scope or only, classes[0] if len(classes) == 1 else DEFAULT_CLASS


CellLike = tuple[str, str] | Mapping[str, str]
"""A cell inside its tenant: (scope, class), or a mapping with `scope` and `boundary_class`."""


def check_cell(cell: CellLike | None) -> tuple[str, str] | None:
    """Return scope and class that a caller has named; None if he has named none.

    Raises:
        InvalidArgument: it is no pair, or has other keys; or a name in it is none.

    >>> check_cell({"scope": "s", "boundary_class": "secret"}), check_cell(("project", "public")), check_cell(None)
    (('s', 'secret'), ('project', 'public'), None)

    """
    if cell is None:
        return None
    if isinstance(cell, Mapping):
        cell = as_mapping("cell", cell)
        if set(cell) != {"scope", "boundary_class"}:
            raise InvalidArgument(f"cell: has the keys {sorted(map(str, cell))}; it has scope and boundary_class")
        scope, boundary_class = cell["scope"], cell["boundary_class"]
    elif isinstance(cell, (tuple, list)) and len(cell) == 2:
        scope, boundary_class = cell
    else:
        raise InvalidArgument(f"cell: is {shortly(cell)}; give (scope, class), or a mapping of both")
    return check_name("scope", scope), check_class(boundary_class)


def id_of(row: str) -> str:
    r"""Return the id of what is known by a row: an id, or id and cell where several cells have the id.

    >>> id_of("a"), id_of("a\x1fproject\x1fpublic")
    ('a', 'a')
    """
    return row.rsplit(SEPARATOR, 2)[0] if SEPARATOR in row else row


def cell_key(scope: str, boundary_class: str) -> str:
    """Return the name of a cell inside its tenant. Names hold no control characters, so keys cannot collide."""
    return f"{scope}{SEPARATOR}{boundary_class}"


def _named(what: str, names: tuple[str, ...]) -> str:
    return f"{what} {', '.join(names)}" if names else f"no {what}"


def _names(what: str, names: Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        raise TypeError(f"{what} must be a list of str, not one str")
    return tuple(sorted(set(strings(what, names, MAX_SCOPES))))
