"""The profile `activation`: words and vectors on one scale, fused, times what a record is worth.

Below the threshold nothing is accepted, so that an answer may be empty; of what says the same the best stays, and few
records about one entity. `byheart.boundary.policy.Retrieval` holds every number, as a policy, the environment or a call
sets them.
"""
# docs/sources.md: B1.2.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..boundary.policy.retrieval import Retrieval
from ..ranking.activation.ranked import stages
from .profile import Leg, Profile


def activation(
    settings: Retrieval | None = None,
    *,
    full_text: bool = True,
    vectors: bool = True,
    calibration: Mapping[str, Mapping[str, Any]] | None = None,
    results: int | None = None,
) -> Profile:
    """Return the profile `activation` with these numbers.

    Args:
        settings: the parameters; None for the usual ones.
        full_text: whether words are looked for in the index; if not, in the texts, letter by letter.
        vectors: whether vectors are looked at; if not, words have all of the weight.
        calibration: coefficients by leg ("text", "vec"), as `Calibration.to_dict` gives them.
        results: how many results there are at most, where that is more than the parameters say: up to four times as
            many are looked at in any case, so that more of them changes none that come before.

    >>> profile = activation()
    >>> [(leg.retriever, leg.pool) for leg in profile.legs], profile.max_results
    ([('lexical', 48), ('dense', 96)], 12)

    """
    chosen = settings or Retrieval()
    words, nearest = chosen.candidates
    how = "words" if chosen.text_fallback == "words" else "query"
    text = Leg("lexical", words) if full_text else Leg("substring", words, settings={"how": how})
    return Profile(
        name="activation",
        legs=(text, Leg("dense", nearest)) if vectors else (text,),
        stages=stages(chosen, calibration=calibration, results=results),
        pool=max(chosen.k_final, results or 0),
        max_results=chosen.k_final,
    )
