"""A message that somebody said, checked, and its vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ..errors import InvalidArgument
from ..index.whose import TURN, USER_ROLE
from ..light.classes import dataclass
from ..records import NAMES_OF_SOMEBODY, Record
from ..storage import Vectors, key_of
from ..validation import (
    as_mapping,
    check_class,
    check_id,
    check_name,
    check_one_of,
    check_text,
    json_mapping,
    one_form,
    plain_text,
)
from ..words import Duplicates, Durable, words_of
from ..writing.noise_policy import PLAIN, Judged, marked
from .gate import NAMES, GateSettings
from .roles import role_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder

_CHOICES = {"durable": words_of(Durable), "durable_duplicates": words_of(Duplicates)}
_NAMES: tuple[tuple[str, Callable[[Any], str]], ...] = (
    ("id", check_id), ("tenant", partial(check_name, "tenant")), ("scope", partial(check_name, "scope")),
    ("boundary_class", check_class),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, and what may become of it; `Memory.ingest_turn` says what the fields are. Checked when made."""

    text: str
    session_id: str
    user_id: str | None
    role: str
    id: str | None
    created_at: float
    tenant: str | None
    scope: str | None
    boundary_class: str | None
    metadata: Mapping[str, Any]
    durable: Durable
    durable_duplicates: Duplicates
    gate: GateSettings
    judged: Judged = PLAIN
    vector: Any = None

    def __post_init__(self) -> None:
        """Check what the record itself does not."""
        for name, said in (("text", self.text), ("session_id", self.session_id), ("role", self.role)):
            if not isinstance(said, str):
                raise TypeError(f"{name} must be str, not {type(said).__name__}")
        for name, each in (("text", self.text), ("session_id", self.session_id), ("user_id", self.user_id),
                           ("role", self.role)):  # fmt: skip
            plain = check_text(name, each)
            if name in NAMES_OF_SOMEBODY and plain is not None:
                plain = one_form(plain)
            if name != "text" and plain is not None and not plain.strip():
                raise InvalidArgument(f"{name}: is blank; say whose turn it is")
            if plain is not each:
                object.__setattr__(self, name, plain)
        object.__setattr__(self, "role", role_of(self.role))
        self._check_place()
        self._check_metadata()
        for name, choices in _CHOICES.items():
            given = getattr(self, name)
            if (word := check_one_of(name, given, choices)) is not given:
                object.__setattr__(self, name, word)
        if not isinstance(self.gate, GateSettings):
            raise TypeError(f"gate must be GateSettings, not {type(self.gate).__name__}")

    def _check_place(self) -> None:
        """Refuse names that no record has, and take others as plain texts."""
        for name, check in _NAMES:
            given = getattr(self, name)
            if given is not None and (plain := check(given)) is not given:
                object.__setattr__(self, name, plain)

    def _check_metadata(self) -> None:
        """Refuse keys that the memory writes itself: what somebody put there would be gone."""
        if not isinstance(self.metadata, Mapping):
            raise TypeError(f"metadata must be a mapping, not {type(self.metadata).__name__}")
        if any(type(name) is not str for name in self.metadata):
            object.__setattr__(self, "metadata", as_mapping("metadata", self.metadata))
        for name in self.metadata:
            says_so = name == "role" and plain_text(self.metadata[name]) == self.role
            if (name in NAMES or name == "role") and not says_so:
                raise InvalidArgument(f"metadata: {name!r} is written by the memory; use another name for your own")

    @property
    def gated(self) -> bool:
        """Whether it may be remembered for good: it is what a known user said, and no noise."""
        said = self.role == USER_ROLE and self.user_id is not None
        return said and self.durable != "none" and self.judged.reason is None

    def record(self) -> Record:
        """Return the turn, still without an id if it was given none; what a message does not check is checked here."""
        metadata = marked({**self.metadata, "role": self.role}, self.judged.reason)
        return _TURN.completed(
            text=self.text, id=self.id, tenant=self.tenant, scope=self.scope, boundary_class=self.boundary_class,
            session_id=self.session_id, user_id=self.user_id, created_at=self.created_at,
            metadata=json_mapping("metadata", metadata),
        )  # fmt: skip


_TURN: Final = Record(text="-", kind=TURN)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The one vector of a message, and of everything that is stored of it; None where there is none, and why."""

    by: Embedder | None
    vector: NDArray[np.float32] | None = None
    failure: str | None = None

    @property
    def is_lacking(self) -> bool:
        """Whether there is none although the memory has a model: one that makes none."""
        return self.vector is None and self.by is not None and self.failure is None

    def of(self, records: Sequence[Record]) -> Vectors | None:
        """Return it as the vector of records."""
        if self.by is None or self.vector is None or not records:
            return None
        row = self.vector.astype("<f4", copy=False).tobytes()
        return Vectors(str(self.by.fingerprint), {key_of(record): row for record in records})
