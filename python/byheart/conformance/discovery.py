"""Adapters of two-pass discovery: `twopass.*`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.errors import InvalidArgument, InvariantBudgetError
from byheart.ranking.discovery import Document, assemble, authority_weight, final_score
from byheart.ranking.keywords import coverage

from .registry import feature

_OPTIONS = {"top_k": "top_k", "k1": "k1", "k2": "k2", "theta1": "floor", "kappa": "kappa"} | {
    "hop_decay": "hop_decay",
    "theta_hop": "hop_floor",
}
_DOCUMENT = {"id": "id", "sim": "similarity", "omega": "authority_weight", "m": "coverage", "toks": "tokens"} | {
    "hops": "hops",
    "invariant": "invariant",
}


@feature("twopass.omega", "age_s", "acc", "max_acc", "a", optional=("weights", "smoothing", "lambda_r"))
def _omega(given: Mapping[str, Any]) -> float:
    options = _renamed(given, {"weights": "weights", "smoothing": "smoothing", "lambda_r": "rate"})
    return authority_weight(given["age_s"], given["acc"], given["max_acc"], given["a"], **options)


@feature("twopass.coverage", "keywords", "terms")
def _coverage(given: Mapping[str, Any]) -> float:
    return coverage(given["keywords"], given["terms"])


@feature("twopass.s_final", "omega", "sim", "m", "kappa")
def _final(given: Mapping[str, Any]) -> float:
    return final_score(given["omega"], given["sim"], given["m"], given["kappa"])


@feature("twopass.assemble", "docs", "budget", optional=tuple(_OPTIONS))
def _assemble(given: Mapping[str, Any]) -> dict[str, Any]:
    documents = [Document(**_renamed(document, _DOCUMENT)) for document in given["docs"]]
    try:
        found = assemble(documents, given["budget"], **_renamed(given, _OPTIONS))
    except (InvalidArgument, InvariantBudgetError):
        return {"error": True}
    return {
        "injected": list(found.injected),
        "sigma": dict(found.scores),
        "c2": list(found.second_pass),
        "hop": list(found.hops),
        "tokens": found.tokens,
    }


def _renamed(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {name: given[key] for key, name in names.items() if key in given}
