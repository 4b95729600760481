"""The arms of the benchmark of activation: its levels of search one by one, and all of it, each as a profile.

    L0        substrings: the whole question, letter by letter
    L1        vectors, all of them
    L2        words, the full text
    L3        vectors, approximately
    Hybrid    words and vectors: what `Memory.activate` runs

Each arm is the profile `activation` with other legs. The stages, the threshold among them, are the same ones.
"""
# docs/sources.md: B1.19.1, B1.21.4.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..boundary.policy import Retrieval
from ..profiles import Profile
from ..profiles.activation import activation

HYBRID: Final = "Hybrid"
ALPHAS: Final = tuple(step / 100 for step in range(30, 91, 5))
"""Shares of vectors of which the validation part chooses one."""


def arms(settings: Retrieval | None = None) -> Mapping[str, Profile]:
    """Return the arms by name, with these parameters.

    >>> [(name, [leg.retriever for leg in arm.legs], arm.mode) for name, arm in arms().items()][2:]
    [('L2', ['lexical'], 'exact'), ('L3', ['dense'], 'approx'), ('Hybrid', ['lexical', 'dense'], 'exact')]
    """
    whole = activation(settings)
    vectors = replace(whole, legs=tuple(leg for leg in whole.legs if leg.retriever == "dense"))
    return {
        "L0": activation(settings, full_text=False, vectors=False),
        "L1": vectors,
        "L2": activation(settings, vectors=False),
        "L3": vectors.in_mode("approx"),
        HYBRID: whole,
    }


def hybrids(settings: Retrieval | None = None) -> Mapping[float, Profile]:
    """Return the arm "Hybrid" under each share of vectors there is to choose from.

    >>> len(hybrids()), min(hybrids()), max(hybrids())
    (13, 0.3, 0.9)
    """
    base = settings or Retrieval()
    return {alpha: activation(replace(base, alpha=alpha)) for alpha in ALPHAS}
