"""The closed words of the public interface, as types: what arguments take that may be one of few texts.

Each list is spelled here and nowhere else; what checks a word at run time reads it from here (`words_of`).
"""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, TypeAlias, get_args

Time: TypeAlias = float | str | date
"""A time: epoch seconds, ISO text ("2026-05-03"), a datetime or a date; UTC where no zone is named."""

# ---- records

BoundaryClass = Literal["public", "internal", "pii", "secret"]
"""How far a record may be seen: the class of its cell."""
UnitType = Literal["atomic", "composite", "aggregate"]
"""One statement, several, or a summary of children; only the first carries a fact."""
KnowledgeRole = Literal[
    "Comparison", "Explanation", "Procedure", "Definition", "Evaluation", "Diagnostic", "Constraint", "Narrative",
    "Description",
]  # fmt: skip
"""What a record is for; a role of one's own is taken too, and serves no act."""
Act = Literal[
    "compare", "explain", "recommend", "diagnose", "implement", "verify", "define", "evaluate", "identify", "describe"
]
"""What an answer is for."""
ClaimKind = Literal["fact", "preference", "task", "policy_hint"]
"""How fast a claim ages."""

# ---- memories

Preset = Literal["default", "conversation"]
"""k1 and b of the lexical index."""
Hypervectors = Literal["subwords", "ngrams", "tokens", "embedding"]
"""What a text's hypervector is made of."""
Noise = Literal["mark", "refuse"]
"""What becomes of a text that says nothing worth remembering."""
PatternProfile = Literal["byheart", "1.0.11", "1.1.0-beta.11"]
"""Whose patterns say what is noise, or which question needs no memory."""
GatePatternProfile = Literal["strict", "1.3.5"]
"""Whose patterns say what a text shows to the gate."""
TokenUnit = Literal["byte", "codepoint"]
"""What tokens are estimated by."""
AnalyzerMode = Literal["unicode", "ascii"]
"""How texts are cut into terms: by Unicode, or by the letters of ASCII alone."""
LengthUnit = Literal["codepoint", "utf16"]
"""What a text's length is counted in."""
EmbedderName = Literal["hashing", "wordllama"]
"""An embedder that a name is enough for."""

# ---- recalls

Operation = Literal["add", "multiply", "divide"]
"""How a column changes a score."""

ProfileName = Literal[
    "auto", "hybrid", "scoped", "discovery", "activation", "router", "kb-fast", "kb-balanced", "kb-thinkingdb", "dense"
]
"""A profile of byheart's own."""
VectorMode = Literal["exact", "early_exit", "approx", "by_model"]
"""How vectors are searched."""
ExitRule = Literal["strict", "at_least"]
"""What a best score has to do to its threshold for a cascade to leave at a tier: exceed it, or reach it."""
Rescore = Literal["full", "tier"]
"""Which scores the hits of a cascade have: those of the last tier, or of the tier that answers."""
RetrieverName = Literal["lexical", "words", "hypervector", "dense", "symbolic", "substring", "columns", "qmd"]
"""A retriever of byheart's own."""
Owner = Literal["session", "user", "global"]
"""Whose records a leg looks at."""
UserRule = Literal["own_and_shared", "scoped", "refused"]
"""What a recall that names a user finds."""
Packing = Literal["prefix", "first_fit", "fill"]
"""How a context is packed."""
Escalation = Literal["never", "few", "full", "always"]
"""When a second retriever is asked."""
HybridMode = Literal["hybrid", "vector"]
"""Whether the profile "hybrid" searches words beside vectors."""
RerankMode = Literal["cross-encoder", "lightweight", "none"]
"""Who reranks."""
HybridFusion = Literal["bonus15", "weighted", "rrf"]
"""How "hybrid" joins words and vectors."""
Normaliser = Literal["logistic", "ratio", "min_max", "none"]
"""What brings BM25 scores below 1."""
VectorScore = Literal["cosine", "inverse_distance"]
"""What a vector's nearness is told as."""
VectorPool = Literal["pool", "limit"]
"""How much "hybrid" fetches where it searches vectors alone."""
DecayBase = Literal["e", "half_life"]
"""What a half-life means: the time constant of exp, or the time after which half is left."""
RouterFusion = Literal["append_fill", "rrf_fusion"]
"""How "router" joins its two stages."""
Smoothing = Literal["plain", "plus_one"]
"""How counts of links are smoothed in "discovery"."""
Operator = Literal["==", "!=", "in", "not in", ">", ">=", "<", "<=", "exists", "not"]
"""What a filter may ask of a field."""

# ---- conversations

Speaker = Literal["user", "human", "assistant", "ai", "system", "tool"]
"""Who says a turn, in the words that hosts use."""
Durable = Literal["gate", "all", "none"]
"""Whether a turn is kept for good."""
Duplicates = Literal["keep", "refuse"]
"""What becomes of a turn of which nearly the same is kept already."""
TurnedDown = Literal["question", "reply", "chatter"]
"""Why the gate lets a message not pass, whatever its score."""
Stated = Literal["number", "time", "name", "preference", "plan", "request", "change", "fact"]
"""What a message may state for which it is kept."""
TurnsFate = Literal["archive", "delete"]
"""What becomes of turns behind a new summary."""
SummaryTime = Literal["newest", "compaction"]
"""When a summary is from."""
Trivial = Literal["summarise", "decline"]
"""What is done with a cluster of one turn."""
SourcesFate = Literal["release", "forget"]
"""What becomes of the turns behind a summary that is forgotten."""

# ---- receipts

Remembered = Literal["new", "same", "replaced"]
"""What became of a record that was remembered."""
EntryKind = Literal["invariant", "recent", "hit"]
"""Why an entry stands in a context."""

# ---- activation

Signal = Literal["helpful", "harmful", "outdated", "duplicate"]
"""What feedback says of a record."""
ObservationSource = Literal["chat", "tool", "file", "http", "system"]
"""Where something was seen or heard."""
ObservationMode = Literal["raw", "redact", "digest_only"]
"""How much of an observation is kept."""
Topic = Literal[
    "ingest", "integrate", "search", "filter", "answer", "critic", "policy", "activate", "search_fallback", "benchmark",
    "schema",
]  # fmt: skip
"""What an event of the log is about."""


def words_of(kind: Any) -> tuple[str, ...]:
    """Return the words of one of these types, in their order.

    >>> words_of(Preset)
    ('default', 'conversation')
    """
    return get_args(kind)
