"""The profile `router`: words and vectors first, a second source where they cover too little, a rerank if asked for.

    RouterConfig().profile()                         QMD's rules, then vectors
    RouterConfig(stage2="lancedb").profile()         any retriever that was registered
    RouterConfig(estimate="p95").profile(reranker)   with a third stage

Where fewer than three records are found first, the second source fills up to ten. Where three to nine are, nothing is
filled up: the answer is shorter than asked for, by design. Fusion goes by ranks, so that a filter can change scores.
"""
# docs/sources.md: A3.1 to A3.4.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Literal

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..ranking.algebra import Stage
from ..ranking.qmd.marks import KeepMarks
from ..ranking.rerank import CallableReranker, Reranker
from ..ranking.rerank.protocol import Judge
from ..ranking.router import fusion
from ..ranking.router.gate import CAP_MS, MIN_MUST, P95_TARGET_MS
from ..ranking.router.routing import NAMES, Constants
from ..ranking.router.stage import Route
from ..validation import check_text, keep_plain
from ..words import RetrieverName, RouterFusion
from .gated import IfGate
from .naming import settings
from .profile import Leg, Profile

_ALIASES = {told: name for name, told in NAMES.items() if told != name}


@dataclass(frozen=True, slots=True)
class RouterConfig:
    """The settings of the router, with its source's defaults.

    Attributes:
        stage1: the retriever that is asked first.
        stage2: the one that fills up: "dense", or any that was registered.
        mode: "append_fill", or "rrf_fusion" for reciprocal ranks over both lists.
        top_k: hits; where filling ends.
        n1, n2: what each stage proposes.
        max_append: the most hits of the second stage.
        min_must: with so many records of the first stage the second is not asked.
        k_rrf: how slowly ranks lose weight.
        cap_ms: milliseconds that the second stage may take.
        p95_target_ms: what 95 of 100 questions may take in all, over a run.
        always_stage2: ask the second stage whatever the first found.
        estimate: what the second stage is expected to take: milliseconds, "p95" of the last searches, or None.

    Raises:
        InvalidArgument: a value is outside its range.

    """

    stage1: RetrieverName | str = "qmd"
    stage2: RetrieverName | str = "dense"
    mode: RouterFusion = "append_fill"
    top_k: int = 10
    n1: int = 20
    n2: int = 20
    max_append: int = 10
    min_must: int = MIN_MUST
    k_rrf: int = fusion.K_RRF
    cap_ms: float = CAP_MS
    p95_target_ms: float = P95_TARGET_MS
    always_stage2: bool = False
    estimate: float | Literal["p95"] | None = None

    def __post_init__(self) -> None:
        """Check all of it by making what it stands for."""
        keep_plain(self)
        for name in ("stage1", "stage2"):
            check_text(name, getattr(self, name))
        if self.stage1 == self.stage2:
            raise InvalidArgument(f"stage2: is {self.stage2!r}, as stage1 is; two stages ask two retrievers")
        self.constants()
        object.__setattr__(self, "estimate", self.gate().estimate)  # a plain number

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> RouterConfig:
        """Return the configuration that a mapping describes; names in snake_case or camelCase, receipts' names too.

        Raises:
            UnknownField: a name that is no setting; the message gives the nearest one.
            InvalidArgument: a value is outside its range, or one setting is given twice.

        >>> RouterConfig.from_dict({"topK": 5, "fusion": "rrf_fusion"}).top_k
        5

        """
        known = {spec.name: spec.default for spec in fields(cls)}
        return cls(**settings("configuration", mapping, known, _ALIASES))

    def merged(self, partial: Mapping[str, Any]) -> RouterConfig:
        """Return the configuration with some settings changed; names and errors are those of `from_dict`."""
        return replace(self, **settings("configuration", partial, self.to_dict(), _ALIASES))

    def to_dict(self) -> dict[str, Any]:
        """Return every setting by its name in snake_case."""
        return asdict(self)

    def constants(self) -> Constants:
        """Return the constants, as `byheart.ranking.router.routing.route` takes them."""
        return Constants(**{spec.name: getattr(self, spec.name) for spec in fields(Constants)})

    def gate(self) -> IfGate:
        """Return the condition of the second leg."""
        return IfGate(self.min_must, self.cap_ms, self.estimate, self.always_stage2)

    def profile(self, reranker: Reranker | Judge | None = None) -> Profile:
        """Return the profile "router" with these settings.

        Args:
            reranker: the third stage, an object or a function `f(query, texts)`; None: there is no third stage.

        >>> [leg.retriever for leg in RouterConfig().profile().legs]
        ['qmd', 'dense']

        """
        third: tuple[Stage, ...] = ()
        if reranker is not None:
            from ..ranking.router.blended import BlendByPlace  # on use: most routers have none

            third = (BlendByPlace(reranker if isinstance(reranker, Reranker) else CallableReranker(reranker)),)
        route = Route(self.stage1, self.stage2, self.mode, self.top_k, self.max_append, self.k_rrf)
        legs = (Leg(self.stage1, self.n1), Leg(self.stage2, self.n2, when=self.gate()))
        return Profile(
            "router", legs, (KeepMarks(), route, *third), pool=max(self.n1, self.top_k), max_results=self.top_k
        )
