"""The parameters of activation: what a policy, the environment or a call may set, and what holds where none does."""
# docs/sources.md: B1.5.2, B1.14, decision 11.

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ...errors import InvalidPolicy
from ...frozen import Document
from ...light.classes import dataclass
from ...validation import MAX_K, nearest, shortly

HALF_LIVES: Mapping[str, float] = {"fact": 120.0, "task": 14.0, "preference": 90.0, "policy_hint": 365.0}
"""Days by kind, where no policy says otherwise."""
HALF_LIFE = 30.0
"""Days of any other kind."""
ENVIRONMENT = "BYHEART_RETRIEVAL_"

_FIELDS = {
    "hybrid.alpha": "alpha",
    "hybrid.k_txt": "k_txt",
    "hybrid.k_vec": "k_vec",
    "hybrid.k_final": "k_final",
    "hybrid.recency_half_life_days": "half_life_days",
    "hybrid.dynamic_alpha": "dynamic_alpha",
    "hybrid.dynamic_k": "dynamic_k",
    "hybrid.alpha_short": "alpha_short",
    "hybrid.alpha_long": "alpha_long",
    "hybrid.long_query_tokens": "long_query_tokens",
    "hybrid.text_fallback": "text_fallback",
    "rerank.use_quality": "use_quality",
    "rerank.recency_half_life_days": "half_life_days",
    "rerank.recency_anchor": "recency_anchor",
    "rerank.recency.half_life_days_by_kind": "half_life_days_by_kind",
    "diversity.lambda": "trade_off",
    "diversity.entity_cap": "entity_cap",
    "timeout_ms.activate": "activate_ms",
    "timeout_ms.search": "search_ms",
    "min_score": "min_score",
}
_SHARES = {"alpha": (0.3, 0.9), "alpha_short": (0.3, 0.5), "alpha_long": (0.7, 0.85), "trade_off": (0.0, 1.0),
           "min_score": (0.0, 1.0)}  # fmt: skip
_COUNTS = {"k_txt": MAX_K, "k_vec": MAX_K, "k_final": MAX_K, "long_query_tokens": 4_096, "entity_cap": 4_096,
           "activate_ms": 600_000, "search_ms": 600_000}  # fmt: skip
_FLAGS = ("dynamic_alpha", "dynamic_k", "use_quality", "recency_anchor")
_FALLBACKS = ("whole", "words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval(Document):
    """Every parameter of activation. Checked when made; a value outside its range is refused, never bent.

    Attributes:
        alpha: the share of vectors in the fused score, 0.3 to 0.9.
        k_txt, k_vec: candidates of words and of vectors; None: four and eight times k_final.
        k_final: results.
        half_life_days: of recency, for kinds without one of their own; None: as `half_life` says.
        half_life_days_by_kind: of single kinds.
        dynamic_alpha: whether the question's form chooses alpha: `alpha_short` for one or two tokens, code,
            quotations and addresses, `alpha_long` from `long_query_tokens` tokens on.
        dynamic_k: whether a side that finds fewer than k_final / 2 is asked once more, with its k doubled.
        text_fallback: "whole": the question is one substring; "words": any of its words.
        use_quality: whether quality is a factor.
        recency_anchor: whether recency counts from the last helpful use rather than the last change.
        min_score: below it nothing is accepted.
        trade_off: of relevance against unlikeness; 1 is relevance alone.
        entity_cap: results about one entity.
        activate_ms, search_ms: how long each may take.

    >>> Retrieval().candidates, Retrieval(k_final=5).candidates, Retrieval().half_life("task")
    ((48, 96), (20, 40), 14.0)

    """

    alpha: float = 0.65
    k_txt: int | None = None
    k_vec: int | None = None
    k_final: int = 12
    half_life_days: float | None = None
    half_life_days_by_kind: Mapping[str, float] | None = None
    dynamic_alpha: bool = False
    dynamic_k: bool = True
    alpha_short: float = 0.40
    alpha_long: float = 0.775
    long_query_tokens: int = 12
    text_fallback: str = "whole"
    use_quality: bool = False
    recency_anchor: bool = False
    min_score: float = 0.15
    trade_off: float = 0.85
    entity_cap: int = 2
    activate_ms: int = 15_000
    search_ms: int = 10_000

    def __post_init__(self) -> None:
        """Check every value."""
        for name, (low, high) in _SHARES.items():
            _between(name, getattr(self, name), low, high)
        for name, most in _COUNTS.items():
            value = getattr(self, name)
            if value is None and name in ("k_txt", "k_vec"):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise InvalidPolicy(f"retrieval: {name} is {shortly(value)}; give a whole number from 1 to {most}")
        for name in _FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise InvalidPolicy(f"retrieval: {name} is {shortly(getattr(self, name))}; it is true or false")
        if self.text_fallback not in _FALLBACKS:
            raise InvalidPolicy(
                f"retrieval: text_fallback is {self.text_fallback!r}; use one of {', '.join(_FALLBACKS)}"
            )
        if self.half_life_days is not None:
            _days("half_life_days", self.half_life_days)
        if self.half_life_days_by_kind is not None:
            if not isinstance(self.half_life_days_by_kind, Mapping):
                raise InvalidPolicy("retrieval: half_life_days_by_kind is a mapping of kinds to days")
            for kind, days in self.half_life_days_by_kind.items():
                _days(f"half_life_days_by_kind.{kind}", days)

    @property
    def candidates(self) -> tuple[int, int]:
        """How many candidates words and vectors are first asked for."""
        text = self.k_txt if self.k_txt is not None else min(4 * self.k_final, MAX_K)
        return text, self.k_vec if self.k_vec is not None else min(8 * self.k_final, MAX_K)

    def half_life(self, kind: str | None) -> float:
        """Return the days in which recency halves: the policy's of the kind, of all kinds, or the usual.

        >>> Retrieval(half_life_days=60.0).half_life("fact"), Retrieval().half_life("fact"), Retrieval().half_life(None)
        (60.0, 120.0, 30.0)
        """
        return half_life_of(kind, self.half_life_days, self.half_life_days_by_kind or {})

    @classmethod
    def of(cls, *layers: Mapping[str, Any]) -> Retrieval:
        """Return the parameters of layers of settings, of which the first that says something counts.

        >>> Retrieval.of({"alpha": 0.5}, {"alpha": 0.7, "k_final": 6}).candidates
        (24, 48)
        """
        said: dict[str, Any] = {}
        for layer in reversed(layers):
            said |= layer
        return cls(**said)


def half_life_of(kind: str | None, days: float | None, by_kind: Mapping[str, float]) -> float:
    """Return the days in which the recency of a kind halves: its own, those of all kinds, or the usual ones.

    >>> half_life_of("task", None, {}), half_life_of("task", 60.0, {}), half_life_of("task", 60.0, {"task": 7.0})
    (14.0, 60.0, 7.0)
    """
    if kind is not None and kind in by_kind:
        return float(by_kind[kind])
    return float(days) if days is not None else HALF_LIVES.get(kind or "", HALF_LIFE)


def read_settings(tree: Any) -> dict[str, Any]:
    """Return the settings that the part `retrieval` of a policy makes, by the names of `Retrieval`, checked.

    Raises:
        InvalidPolicy: a key that does not exist, or a value outside its range.

    >>> read_settings({"hybrid": {"alpha": 0.5}, "rerank": {"use_quality": True}})
    {'alpha': 0.5, 'use_quality': True}

    """
    found: dict[str, Any] = {}
    _walk(tree, "", found)
    Retrieval(**found)
    return found


def _walk(tree: Any, prefix: str, found: dict[str, Any]) -> None:
    if not isinstance(tree, Mapping):
        raise InvalidPolicy(f"retrieval{'.' + prefix if prefix else ''}: is no mapping")
    for key, value in tree.items():
        path = f"{prefix}.{key}" if prefix else str(key)
        if path in _FIELDS:
            field = _FIELDS[path]
            if field in found and found[field] != value:
                raise InvalidPolicy(f"retrieval.{path}: says {value!r}, and another key says {found[field]!r}")
            found[field] = value
        elif any(known.startswith(path + ".") for known in _FIELDS):
            _walk(value, path, found)
        else:
            raise InvalidPolicy(f"retrieval.{path}: is no parameter{nearest(path, _FIELDS)}")


def of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of variables such as BYHEART_RETRIEVAL_ALPHA, by the names of `Retrieval`, checked.

    >>> of_environment({"BYHEART_RETRIEVAL_ALPHA": "0.5", "HOME": "/"})
    {'alpha': 0.5}
    """
    known = {ENVIRONMENT + spec.name.upper(): spec.name for spec in fields(Retrieval) if "by_kind" not in spec.name}
    found: dict[str, Any] = {}
    for name in sorted(environment):
        if not name.startswith(ENVIRONMENT):
            continue
        if name not in known:
            raise InvalidPolicy(f"{name}: is no parameter{nearest(name, known)}")
        found[known[name]] = _typed(name, known[name], environment[name].strip())
    Retrieval(**found)
    return found


def _typed(name: str, field: str, text: str) -> Any:
    try:
        if field in _FLAGS:
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        return int(text) if field in _COUNTS else text if field == "text_fallback" else float(text)
    except (KeyError, ValueError):
        raise InvalidPolicy(f"{name}: {text[:60]!r} is no value of {field}") from None


def _between(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise InvalidPolicy(f"retrieval: {name} is {shortly(value)}; it lies between {low} and {high}")


def _days(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < math.inf:
        raise InvalidPolicy(f"retrieval: {name} is {shortly(value)}; give a number of days above 0")
