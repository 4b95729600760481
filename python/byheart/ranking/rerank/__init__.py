"""A second opinion on the best candidates: cross-encoders in this process or behind HTTP, and what to do without.

    protocol        what a reranker is; a function as one
    providers       what providers behind HTTP want to be sent, and how they answer
    apply           what an opinion does to scores; the cosine in its place
    client          asks a provider (`HttpReranker`), through
    channel         a kept client whose calls end on time, and
    secret          a key that is shown nowhere
    cross_encoder   a model in a local folder (`OnnxCrossEncoder`)
    stage           all of this as a stage of a recall

The last two rerankers are imported when they are asked for: they need a client and a runtime.
"""
# docs/sources.md: A2.3.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import RerankFailed
from .protocol import CallableReranker, Reranker, Scored
from .providers import Provider, register

if TYPE_CHECKING:
    from .client import HttpReranker
    from .cross_encoder import OnnxCrossEncoder

__all__ = [
    "CallableReranker",
    "HttpReranker",
    "OnnxCrossEncoder",
    "Provider",
    "RerankFailed",
    "Reranker",
    "Scored",
    "register",
]


def __getattr__(name: str) -> Any:
    if name == "HttpReranker":
        from .client import HttpReranker

        return HttpReranker
    if name == "OnnxCrossEncoder":
        from .cross_encoder import OnnxCrossEncoder

        return OnnxCrossEncoder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
