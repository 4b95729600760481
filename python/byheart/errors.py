"""Everything that byheart raises, drawn as a tree.

    ByheartError
    ├── InvalidArgument (also a ValueError)      an argument is outside its domain
    │   ├── DimensionMismatch                    vectors of different lengths
    │   ├── DuplicateId                          one id twice in one call, or for two records
    │   ├── AmbiguousId                          an id that records of several cells bear
    │   ├── UnknownField                         a field that records do not have
    │   ├── UnknownProfile                       a profile that does not exist
    │   ├── UnknownProvider                      a provider of rerankers that is not registered
    │   ├── UnknownRole                          a role that nobody in a conversation has
    │   ├── CannotHonour                         an option that the profile of a recall can make nothing of
    │   ├── NoiseRefused                         a text that says nothing worth keeping
    │   ├── InvalidPolicy                        a policy that cannot be read, or breaks a rule of policies
    │   ├── CalibrationMismatch                  coefficients of another leg, model or policy
    │   └── FingerprintMismatch                  vectors of another embedding model
    ├── LimitExceeded (also a ValueError)        a documented limit; checked before anything is allocated
    ├── InvariantBudgetError                     what is always given does not fit into a token budget
    ├── BoundaryViolation (also a PermissionError)   a call asked for more than the memory was opened for
    ├── PolicyMissing                            no policy is in force, and what was asked for needs one
    ├── PolicyConflict                           a policy was to take the place of another one than that in force
    ├── RecordNotFound (also a KeyError)         no such record inside the boundary
    ├── ContextExpired                           an active context is used after its time
    ├── VersionMismatch                          a record is not in the version that the caller had read
    ├── CorruptIndex                             bytes of an index are damaged
    ├── IndexNotMade                             an index that is made on first use was asked before
    ├── CorruptRecord                            a stored record is damaged
    ├── UnsupportedFormat                        written by another version
    ├── StoreBusy                                another process holds the store
    ├── MissingExtra (also an ImportError)       an optional package is not installed
    ├── RerankFailed                             a reranker gave no scores; recall goes on without them
    ├── ModelError                               a model's files, or the vectors it gave, cannot be used
    ├── SqlFunctionError                         a function of SQL does not give the figure that it must
    ├── SummaryError                             a summariser gave nothing that can stand for its turns
    └── StoreError                               a store's file could not be opened, read or written
        ├── ReadOnlyStore                        a store that was opened for reading was asked to write
        ├── StoreReplaced                        another file has come in the place of the one that was opened
        └── CorruptStore (also a CorruptRecord)  a store's file as a whole is damaged, or its medium cannot be read

Wrong types raise Python's own TypeError. Each message says what is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_MOST: Final = 20_000  # characters: a hundred files that cannot be read are named


class ByheartError(Exception):
    """The base of every error of this package. A message of more than 20,000 characters is told without its middle."""

    def __str__(self) -> str:
        """Give the message: what somebody gave may stand in it, however long that is."""
        told = Exception.__str__(self)
        return told if len(told) <= _MOST else f"{told[: _MOST // 2]} … {told[len(told) + 3 - _MOST // 2 :]}"


class InvalidArgument(ByheartError, ValueError):
    """An argument is outside its documented domain."""


class DimensionMismatch(InvalidArgument):
    """Vectors of different lengths cannot be compared."""


class DuplicateId(InvalidArgument):
    """One id occurs twice in one call, or another record bears it whose place may not be taken."""


class AmbiguousId(InvalidArgument):
    """Records of several cells bear this id, and the call is about one of them; the message says what names it.

    Attributes:
        id: the id.
        cells: scope and class of each record.
        by: what is to be done, in the arguments that the call takes.

    """

    def __init__(self, id: str, cells: Iterable[tuple[str, str]], by: str = "name one of them by cell=") -> None:
        self.id, self.cells, self.by = id, tuple(cells), by
        named = ", ".join(f"({scope!r}, {boundary_class!r})" for scope, boundary_class in self.cells)
        super().__init__(f"id {id!r}: {len(self.cells)} records bear it, in the cells {named}; {by}")

    def __reduce__(self) -> tuple[type[AmbiguousId], tuple[str, tuple[tuple[str, str], ...], str]]:
        """Be pickled by what the error was made of."""
        return AmbiguousId, (self.id, self.cells, self.by)


class UnknownField(InvalidArgument):
    """A field that records or an index do not have."""


class UnknownProfile(InvalidArgument):
    """A profile that does not exist."""


class UnknownProvider(InvalidArgument):
    """A provider of rerankers that is not registered."""


class UnknownRole(InvalidArgument):
    """A role that nobody in a conversation has; the message names the nearest one."""


class CannotHonour(InvalidArgument):
    """An option that the profile of a recall can make nothing of; the message says what does."""


class NoiseRefused(InvalidArgument):
    """A text is noise by the patterns that the memory goes by; the message names the rule, and how to keep it."""


class InvalidPolicy(InvalidArgument):
    """A policy cannot be read, or breaks a rule of policies; the message names the place in it."""


class CalibrationMismatch(InvalidArgument):
    """Coefficients were fitted for another leg, another model or another policy; the message names both."""


class FingerprintMismatch(InvalidArgument):
    """Vectors of one embedding model meet another model; the message names both."""


class LimitExceeded(ByheartError, ValueError):
    """A documented limit was exceeded; nothing was changed."""


class InvariantBudgetError(ByheartError):
    """The invariants alone need more tokens than the budget has; they are never truncated, so nothing was made."""


class BoundaryViolation(ByheartError, PermissionError):
    """A call asked for more than the boundary that the memory was opened with."""


class PolicyMissing(ByheartError):
    """No policy is in force, and what was asked for needs one; apply one first."""


class PolicyConflict(ByheartError):
    """A policy was to take the place of another one than that in force; read that one, and change it."""


class ContextExpired(ByheartError):
    """An active context is used after its time; activate again."""


class RecordNotFound(ByheartError, KeyError):
    """No record with this id lies inside the boundary."""


class VersionMismatch(ByheartError):
    """A record was to be changed in one version and is stored in another; read it again, and change that.

    Attributes:
        id: of the record.
        expected, stored: the versions.

    """

    def __init__(self, id: str, expected: str, stored: str) -> None:
        self.id, self.expected, self.stored = id, expected, stored
        super().__init__(
            f"record {id!r}: was to be changed in version {expected!r}, and is stored in version {stored!r};"
            " read it again"
        )

    def __reduce__(self) -> tuple[type[VersionMismatch], tuple[str, str, str]]:
        """Be pickled by what the error was made of."""
        return VersionMismatch, (self.id, self.expected, self.stored)


class CorruptIndex(ByheartError):
    """Bytes that should hold an index are damaged; rebuild it from the records."""


class IndexNotMade(ByheartError):
    """An index was asked that is made on first use; a memory makes it and asks again, so that no verb raises this."""


class CorruptRecord(ByheartError):
    """A stored record is damaged."""


class UnsupportedFormat(ByheartError):
    """The data was written by another version of byheart."""


class StoreBusy(ByheartError):
    """Another process holds the store."""


class MissingExtra(ByheartError, ImportError):
    """A package that only an extra of byheart brings is not installed; the message names the extra."""


class RerankFailed(ByheartError):
    """A reranker gave no scores; `reason` says why in a few words, without keys, and is fit for a reply."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ModelError(ByheartError):
    """The files of a model are missing or damaged, or the vectors that it gave cannot be used."""


class SqlFunctionError(ByheartError):
    """A function of SQL does not give the figure that it must, or a database cannot make it."""


class SummaryError(ByheartError):
    """A summariser gave no text, or a confidence that is none; the message names the summariser."""


class StoreError(ByheartError):
    """A store's file could not be opened, read or written; what was asked for is whole, or was not done at all."""


class ReadOnlyStore(StoreError):
    """A store that was opened for reading, lies where nothing can be written or has several names, was asked to write.

    Also where a crash amid a write has left what has to be taken back before anything can be read.
    """


class StoreReplaced(StoreError):
    """The file of an open store was moved, removed or replaced by another; nothing was read of that one, or written.

    A text file that was replaced is read instead: people and other processes write it so.
    """


class CorruptStore(StoreError, CorruptRecord):
    """A store's file is damaged as a whole, or its medium cannot be read: SQLite does not tell these apart."""
