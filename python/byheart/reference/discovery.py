"""Two-pass discovery, as its source writes it: documents are mappings of its symbols."""
# docs/sources.md: A1.7.

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .mathematics import ln
from .scoped import recency
from .text import is_ideographic


def authority_weight(
    age: float | None,
    uses: float,
    most: float,
    authority: float,
    weights: Sequence[float] = (0.5, 0.2, 0.3),
    rate: float = 1e-5,
    smoothing: str = "plain",
) -> float:
    """Return omega(d), at most 1.

    >>> authority_weight(0.0, 5, 5, 1.0, (0, 1, 0)), authority_weight(0.0, 9, 9, 0.0, (0, 1, 0), smoothing="plus_one")
    (1.0, 0.9602525677891275)
    """
    frequency = 0.0
    if most > 0:
        frequency = ln(1.0 + uses) / (ln(1.0 + most) if smoothing == "plain" else ln(1.0 + most + 1.0))
    if frequency > 1.0:
        frequency = 1.0
    omega = weights[0] * recency(age, rate)
    omega = omega + weights[1] * frequency
    omega = omega + weights[2] * authority
    return omega if omega < 1.0 else 1.0


def final_score(omega: float, similarity: float, coverage: float, kappa: float = 0.3) -> float:
    """Return S_final(d).

    >>> final_score(1.0, 1.0, 0.0, 1.0), final_score(1.0, -0.5, 1.0)
    (0.5, 0.0)
    """
    likeness = 0.0 if similarity < 0.0 else 1.0 if similarity > 1.0 else similarity
    return omega * likeness * (1.0 + kappa * coverage) / (1.0 + kappa)


def terms(text: str, singles: bool) -> list[str]:
    """Return the pieces that key terms are made of, with `singles` also the single characters of unspaced writing.

    >>> terms("Is κάθε 猫が?", False), terms("猫", False), terms("猫が", True)
    (['κάθε', '猫が'], ['猫'], ['猫', 'が', '猫が'])
    """
    found: list[str] = []
    run = ""
    kind = "nothing"
    for character in unicodedata.normalize("NFKC", text).lower() + " ":
        is_word = character == "_" or character.isalnum() or unicodedata.category(character)[0] == "M"
        new_kind = "nothing" if not is_word else "unspaced" if is_ideographic(character) else "spaced"
        if new_kind != kind:
            if kind == "spaced" and len(run) > 2:
                found.append(run)
            if kind == "unspaced":
                if singles or len(run) == 1:
                    found.extend(run)
                found.extend(run[at] + run[at + 1] for at in range(len(run) - 1))
            run = ""
        run += character
        kind = new_kind
    return found


def coverage(keys: Sequence[str], among: Collection[str]) -> float:
    """Return M_norm(K, d); 0 without a key.

    >>> coverage(["a", "b", "b"], ["b"])
    0.5
    """
    unique = list(dict.fromkeys(keys))
    return len([key for key in unique if key in among]) / len(unique) if unique else 0.0


def discover(
    documents: Sequence[Mapping[str, Any]],
    budget: float,
    k1: int = 16,
    k2: int = 8,
    theta1: float = 0.2,
    kappa: float = 0.3,
    hop_decay: float = 0.5,
    theta_hop: float = 0.15,
) -> dict[str, Any] | None:
    """Return what is injected, sigma, C1, C2, C_hop* and the tokens; None where the invariants exceed the budget.

    Args:
        documents: with `id`, `sim`, `omega`, `m`, `toks`, `hops` and `invariant`.
        budget: tau.
        k1: size of the first pass.
        k2: of the second.
        theta1: lowest similarity.
        kappa: what key terms count.
        hop_decay: the share of a parent that a hop keeps.
        theta_hop: lowest score over a link.

    >>> found = discover([{"id": "a", "sim": 0.5, "omega": 1, "m": 1, "toks": 3, "hops": [], "invariant": False}], 3)
    >>> found["injected"], found["sigma"]
    (['a'], {'a': 0.5})

    """
    by_id = {document["id"]: document for document in documents}
    invariants = [document for document in documents if document["invariant"]]
    variants = [document for document in documents if not document["invariant"]]
    first = sorted(variants, key=lambda document: (-document["sim"], document["id"]))[:k1]
    first = [document for document in first if document["sim"] >= theta1]
    final = {each["id"]: final_score(each["omega"], each["sim"], each["m"], kappa) for each in first}
    second = sorted(final, key=lambda id: (-final[id], id))[:k2]
    hop: dict[str, float] = {}
    for id in second:
        for target in by_id[id]["hops"]:
            if target in by_id and not by_id[target]["invariant"] and target not in second:
                hop[target] = max(hop.get(target, 0.0), hop_decay * final[id])
    hop = {id: score for id, score in hop.items() if score >= theta_hop}
    sigma = {id: final[id] for id in second} | hop
    order = sorted(sigma, key=lambda id: (-sigma[id], id))
    injected = [document["id"] for document in invariants]
    tokens = 0
    for document in invariants:
        tokens += document["toks"]
    if tokens > budget:
        return None
    for id in order:
        if tokens + by_id[id]["toks"] > budget:
            break
        tokens += by_id[id]["toks"]
        injected.append(id)
    return {
        "injected": injected,
        "sigma": sigma,
        "c1": [document["id"] for document in first],
        "c2": second,
        "hop": [id for id in order if id in hop],
        "tokens": tokens,
    }
