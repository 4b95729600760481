"""Observations: what was seen or heard, before anybody makes a claim of it.

Redaction comes first. What holds a secret is kept as a digest, whatever was asked for, and its class is raised to
secret.
"""
# docs/sources.md: B1.18.7, B1.16.6.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from ..boundary.redaction import Redactor
from ..errors import InvalidArgument, LimitExceeded
from ..frozen import Document
from ..knowledge import digest
from ..light.classes import dataclass
from ..ranking.activation.formulas import DAY
from ..validation import check_class, check_one_of, check_text, epoch_seconds, json_mapping, short_words, shortly
from ..words import ObservationMode, ObservationSource, words_of

SOURCES: tuple[str, ...] = words_of(ObservationSource)
MODES: tuple[str, ...] = words_of(ObservationMode)
MAX_BYTES = 65_536
USUAL_DAYS = 30
MOST_DAYS = 90


@dataclass(frozen=True, slots=True)
class Observation(Document):
    """What was observed; `content` is None where only its digest is kept."""

    id: str
    source_type: str
    content: str | None
    content_digest: str
    content_length: int
    boundary_class: str
    created_at: float
    expires_at: float
    source_id: str | None = None
    actor: str | None = None
    tags: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    account: Mapping[str, Any] = field(default_factory=dict)


def observed(
    source_type: str,
    content: str,
    *,
    now: float,
    redactor: Redactor,
    mode: str = "redact",
    boundary_class: str | None = None,
    source_id: str | None = None,
    actor: str | None = None,
    tags: Iterable[str] = (),
    provenance: Mapping[str, Any] | None = None,
    ttl_days: int = USUAL_DAYS,
) -> Observation:
    """Return what is kept of something observed.

    Args:
        source_type: one of `SOURCES`.
        content: at most 65,536 bytes of UTF-8.
        now: when.
        redactor: what hides what must not be kept.
        mode: "raw" keeps it as it is, "redact" without what is found, "digest_only" not at all.
        boundary_class: of it; "internal" if nobody says.
        source_id: where it comes from.
        actor: who said or did it.
        tags: words of one's own.
        provenance: how it came here.
        ttl_days: how long it is kept, at most 90 days.

    Raises:
        InvalidArgument: there is no such source, mode or class, or no such number of days.
        LimitExceeded: it is too long.

    >>> kept = observed("chat", "mail x@example.com", now=0.0, redactor=Redactor())
    >>> kept.content, kept.boundary_class
    ('mail [email]', 'internal')

    """
    source_type, mode = check_one_of("source_type", source_type, SOURCES), check_one_of("mode", mode, MODES)
    if isinstance(ttl_days, bool) or not isinstance(ttl_days, int) or not 1 <= ttl_days <= MOST_DAYS:
        raise InvalidArgument(f"ttl_days: is {shortly(ttl_days)}; give 1 to {MOST_DAYS}")
    if content is None:
        raise TypeError("content must be str, not NoneType")
    content = check_text("content", content)
    size = len(content.encode())
    if size > MAX_BYTES:
        raise LimitExceeded(f"content length in bytes: {size} is over the limit of {MAX_BYTES}")
    asked = "internal" if boundary_class is None else boundary_class
    asked = check_class(asked)
    at = epoch_seconds("now", now)
    assert at is not None
    found = redactor.redact(content)
    secret = found.holds_secret or asked == "secret"
    text = None if secret or mode == "digest_only" else content if mode == "raw" else found.text
    whole = "\x1f".join((source_type, source_id or "", actor or "", repr(at), content))
    return Observation(
        "obs_" + digest(whole)[:24], source_type, text, digest(content), len(content),
        "secret" if secret else asked, at, at + ttl_days * DAY, source_id, actor, short_words("tags", tags),
        json_mapping("provenance", provenance or {}), found.account(),
    )  # fmt: skip
