"""A message that somebody said, checked, and its vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from ..index.whose import TURN, USER_ROLE
from ..records import Record
from ..storage import Vectors, key_of
from ..validation import check_id, check_text
from ..words import Duplicates, Durable, words_of
from ..writing.noise_policy import Judged, marked
from .gate import NAMES, GateSettings
from .roles import role_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder

_CHOICES = {"durable": words_of(Durable), "durable_duplicates": words_of(Duplicates)}


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
    judged: Judged = field(default_factory=Judged)

    def __post_init__(self) -> None:
        """Check what the record itself does not."""
        for name in ("text", "session_id", "role"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be str, not {type(getattr(self, name)).__name__}")
        for name in ("text", "session_id", "user_id", "role"):
            check_text(name, getattr(self, name))
            if name != "text" and getattr(self, name) is not None and not getattr(self, name).strip():
                raise InvalidArgument(f"{name}: is blank; say whose turn it is")
        object.__setattr__(self, "role", role_of(self.role))
        if self.id is not None:
            check_id(self.id)
        self._check_metadata()
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidArgument(f"{name}: {getattr(self, name)!r} is none of {', '.join(choices)}")
        if not isinstance(self.gate, GateSettings):
            raise TypeError(f"gate must be GateSettings, not {type(self.gate).__name__}")

    def _check_metadata(self) -> None:
        """Refuse keys that the memory writes itself: what somebody put there would be gone."""
        if not isinstance(self.metadata, Mapping):
            return  # the record refuses it
        for name in self.metadata:
            says_so = name == "role" and self.metadata[name] == self.role
            if (name in NAMES or name == "role") and not says_so:
                raise InvalidArgument(f"metadata: {name!r} is written by the memory; use another name for your own")

    @property
    def gated(self) -> bool:
        """Whether it may be remembered for good: it is what a known user said, and no noise."""
        said = self.role == USER_ROLE and self.user_id is not None
        return said and self.durable != "none" and self.judged.reason is None

    def record(self) -> Record:
        """Return the turn, still without an id if it was given none."""
        return Record(
            text=self.text, id=self.id, tenant=self.tenant, scope=self.scope, boundary_class=self.boundary_class,
            kind=TURN, session_id=self.session_id, user_id=self.user_id, created_at=self.created_at,
            metadata=marked({**self.metadata, "role": self.role}, self.judged.reason),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Embedded:
    """The one vector of a message, and of everything that is stored of it; None where there is none, and why."""

    by: Embedder | None
    vector: NDArray[np.float32] | None = None
    failure: str | None = None

    def of(self, records: Sequence[Record]) -> Vectors | None:
        """Return it as the vector of records."""
        if self.by is None or self.vector is None or not records:
            return None
        row = self.vector.astype("<f4", copy=False).tobytes()
        return Vectors(str(self.by.fingerprint), {key_of(record): row for record in records})
