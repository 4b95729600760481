"""The events of a memory: each with its time, the policy in force, and figures.

The log only grows. It holds no text that somebody wrote: a payload is numbers, short words and ids, and what a detector
finds in a word is hidden. When a record is forgotten its id becomes a digest, here as everywhere.
"""
# docs/sources.md: B1.13, decision 28.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, field
from functools import lru_cache
from typing import Any

from ..boundary.policy import Retrieval
from ..boundary.redaction import Redactor
from ..errors import InvalidArgument
from ..frozen import Document
from ..light.classes import dataclass
from ..ranking.activation import Ranked
from ..validation import check_id, json_mapping, nearest
from ..words import Topic, words_of
from .ids import ID_KEYS

TOPICS: tuple[str, ...] = words_of(Topic)
MAX_WORD = 256
"""Characters of a text in a payload."""
_TEXT_KEYS = frozenset({"text", "query", "content", "payload", "snippet", "body"})


@dataclass(frozen=True, slots=True)
class Event(Document):
    """One entry of the log; `number` is its place, from 1."""

    number: int
    at: float
    topic: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None
    trace_id: str | None = None


class EventLog(Document):
    """The events of a memory, in order.

    >>> log = EventLog([Event(1, 0.0, "search", {"hits": 3}), Event(2, 0.0, "search_fallback")])
    >>> log.count("search"), log.fallback_share()
    (1, 1.0)
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events = tuple(events)

    @classmethod
    def _hints(cls) -> Mapping[str, tuple[str, Any]]:
        return {"events": ("tuple[Event, ...]", MISSING)}

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, the oldest first."""
        return self._events

    def __iter__(self) -> Iterator[Event]:
        """Give the events, the oldest first."""
        return iter(self._events)

    def __len__(self) -> int:
        """Return how many events there are."""
        return len(self._events)

    def __eq__(self, other: object) -> bool:
        """Return whether another log has the same events."""
        return self._events == other._events if isinstance(other, EventLog) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # payloads are mappings

    def __repr__(self) -> str:
        """Show how many there are, and of what."""
        topics = sorted({event.topic for event in self._events})
        return f"EventLog({len(self)} events{': ' if topics else ''}{', '.join(topics)})"

    def count(self, topic: str) -> int:
        """Return how many events there are of a topic."""
        return sum(event.topic == topic for event in self._events)

    def fallback_share(self) -> float:
        """Return how many searches in one had to do without a side that was there to be asked; 0 without searches."""
        searches = self.count("search")
        return self.count("search_fallback") / searches if searches else 0.0


def checked(topic: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload of an event, which holds no text of anybody: figures, short words and ids.

    Raises:
        InvalidArgument: there is no such topic, or the payload holds a text.

    >>> checked("search", {"hits": 3, "note": "mail x@example.com"})
    {'hits': 3, 'note': 'mail [email]'}

    """
    if topic not in TOPICS:
        raise InvalidArgument(f"topic: {topic!r} does not exist{nearest(topic, TOPICS)}")
    said: dict[str, Any] = _without_texts(json_mapping("payload", payload), topic, False)
    return said


def _without_texts(payload: Any, where: str, ids: bool) -> Any:
    if isinstance(payload, dict):
        for key in payload:
            if key.lower() in _TEXT_KEYS:
                raise InvalidArgument(f"event {where}: has {key!r}; an event holds no text, but digests and figures")
        return {key: _without_texts(value, f"{where}.{key}", key in ID_KEYS) for key, value in payload.items()}
    if isinstance(payload, list):
        return [_without_texts(value, where, ids) for value in payload]
    if not isinstance(payload, str):
        return payload
    if ids:
        check_id(payload)
        return payload
    if len(payload) > MAX_WORD:
        raise InvalidArgument(f"event {where}: holds a text of {len(payload)} characters; at most {MAX_WORD}")
    return _hidden(payload)


@lru_cache(maxsize=1_024)
def _hidden(word: str) -> str:
    """Return a short word without what a detector finds in it; the same few stand in every event."""
    return _REDACTOR.redact(word).text


_REDACTOR = Redactor()


def of_activation(
    ranked: Ranked,
    settings: Retrieval,
    *,
    policy_version: str | None,
    candidates: tuple[int, int],
    context: str | None = None,
    chosen: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the payload of an activation or a search.

    Args:
        ranked: what came of it.
        settings: the parameters that held.
        policy_version: of the policy that held; None without one.
        candidates: how many each side was asked for in the end.
        context: the id of the active context; None for a search.
        chosen: names of parameters that the question's form chose.

    >>> found = of_activation(Ranked(items=(), below=("a",), alpha=0.65), Retrieval(), policy_version=None,
    ...                       candidates=(48, 96))
    >>> found["below"], found["k_vec"]
    ({'ids': ['a'], 'reason': 'below_threshold'}, 96)

    """
    payload: dict[str, Any] = {
        "policy_version": policy_version,
        "alpha": ranked.alpha,
        "k_txt": candidates[0],
        "k_vec": candidates[1],
        "k_final": settings.k_final,
        "accepted": len(ranked.items),
        "below": {"ids": list(ranked.below), "reason": "below_threshold"},
        "figures": ranked.figures,
    }
    if context is not None:
        payload["context"] = context
    if chosen:
        payload["chosen"] = list(chosen)
    return payload
