"""Two-pass discovery: many by likeness, few by authority and words, then their links.

    formulas    authority, the normalised second-pass score, the sizes of the passes
    stages      the two passes as stages
    hops        what their records link to
    assembly    what is injected under a token budget, and what became of every document

A profile of its own, beside `scoped`.
"""
# docs/sources.md: A1.7.

from .assembly import Assembly, Document, Fate, assemble
from .formulas import authority_weight, final_score
from .hops import Hops
from .stages import AuthorityWeight, CoarseFloor, KeywordBoost, SecondPass, Similarity

__all__ = [
    "Assembly",
    "AuthorityWeight",
    "CoarseFloor",
    "Document",
    "Fate",
    "Hops",
    "KeywordBoost",
    "SecondPass",
    "Similarity",
    "assemble",
    "authority_weight",
    "final_score",
]
