"""The ingestion gate, by plain `re` and plain sums."""
# docs/sources.md: A1.6.

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .length import UNICODE_SPACE, gate_tokens

I = re.ASCII | re.IGNORECASE  # noqa: E741 - short, as in `re`
A = re.ASCII
M = re.ASCII | re.MULTILINE
S = re.ASCII | re.DOTALL


class Row(NamedTuple):
    """A pattern, and what it weighs in which signal."""

    name: str
    weights: Mapping[str, float]
    pattern: str
    flags: re.RegexFlag = A


_HASH = "[0-9a-f]{7,40}"
_COMMON = [
    Row("code fence", {"T": 0.5}, "```.+?```", S),
    Row("shell command", {"T": 0.4}, r"^\s*\$|\b(git|npm|pnpm|yarn|go|docker|make|kubectl)\b", M),
    Row(
        "stack trace",
        {"T": 0.5},
        r"\b(panic:|goroutine [0-9]+|stack trace|traceback|exception:|at [^: \t\n\v\f\r]+:[0-9]+)\b",
        I,
    ),
    Row("hash", {"T": 0.3}, rf"\b({_HASH}|0x[0-9a-fA-F]+)\b"),
    Row("date", {"D_nl": 0.3}, r"\b(\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{2,4})\b"),
    Row("quantity", {"D_nl": 0.2}, r"\b\d+(\.\d+)?\b"),
    Row(
        "human name",
        {"D_nl": 0.3},
        r"\b(mr|mrs|ms|dr|prof)\.?\s+[a-z]{2,}\b|\bmy (manager|teammate|friend|colleague)\s+[a-z]{2,}\b",
        I,
    ),
    Row("preference", {"D_nl": 0.4}, r"\b(i prefer|i like|i love|i enjoy|my favorite)\b", I),
    Row("fact assertion", {"D_nl": 0.3}, r"\b(i work at|my [a-z]+ is|i live in|i am|i have)\b", I),
    Row("git reference", {"P": 0.4}, rf"\b({_HASH}|HEAD|main|master|origin/[\w./-]+)\b"),
    Row(
        "decision",
        {"A": 0.5},
        r"\b(switched to|use .+ instead|migrated to|replaced with|decided to|standardize on)\b",
        I,
    ),
    Row("resolution", {"A": 0.4}, r"\b(fixed|resolved|patched|corrected|unblocked)\b", I),
    Row("milestone", {"A": 0.3}, r"\b(deployed|merged|released|shipped|rolled out)\b", I),
    Row("configuration", {"A": 0.4}, r"\b(set \w+ to|configured|configuration changed|env var|environment var)\b", I),
    Row("data structure", {"D_tech": 0.3}, r"\b(struct|interface|type|enum|map\[)\b", I),
    Row("dependency", {"D_tech": 0.3}, r"\b(import|require|go\.mod|package\.json|dependency|depends on)\b", I),
    Row("test case", {"D_tech": 0.2}, r"\b(func Test\w+|it\(|describe\(|test\()\b", I),
    Row("doc comment", {"D_tech": 0.2}, r"^\s*//|/\*\*|///", M),
]
_ORIGINAL = [
    Row("file path", {"T": 0.4, "P": 0.4}, r"(\./|\.\./|/)?[\w.-]+(/[\w.-]+)+"),
    Row("function definition", {"T": 0.4, "D_tech": 0.4}, r"\b(func|def|class)\b|\b[a-zA-Z_]\w*\s*\("),
    Row("URL or endpoint", {"T": 0.3, "P": 0.3}, r"https?://\S+|/[a-zA-Z0-9._~/-]+"),
    Row("function reference", {"P": 0.3}, r"\b[a-zA-Z_]\w*(\.[a-zA-Z_]\w*)?\s*\("),
    Row("error code", {"P": 0.5}, r"\b(ERR_\w+|E\w{2,}|HTTP\s+[45]\d\d|[45]\d\d)\b", I),
]
_STRICT = [
    Row(
        "file path",
        {"T": 0.4, "P": 0.4},
        r"(\.\.?/|/)[\w.-]+(/[\w.-]+)+|[\w.-]+(/[\w.-]+){2,}|[\w.-]+/[\w-]+(\.\w+)+\b",
    ),
    Row(
        "function definition",
        {"T": 0.4, "D_tech": 0.4},
        r"\b(func|def|class)\s+\w+(\s*[(:{<]|\s+(extends|implements)\b)|\b[a-zA-Z_]\w*\(",
    ),
    Row("URL or endpoint", {"T": 0.3, "P": 0.3}, r"""https?://\S+|(^|[\s"'`(=,])/[a-zA-Z0-9._~/-]+"""),
    Row("function reference", {"P": 0.3}, r"\b[a-zA-Z_]\w*(\.[a-zA-Z_]\w*)?\("),
    Row("error code", {"P": 0.5}, r"\b(ERR_[A-Z0-9_]+|E[A-Z0-9_]{2,}|HTTP\s+[45]\d\d|[45]\d\d)\b"),
]
_GO, _MAKE, _YARN = (
    "go (build|fmt|generate|get|install|mod|run|test|tool|vet)",
    r"make (-\w+|all|build|check|clean|install|lint|test)",
    "yarn (add|build|dev|install|remove|run|start|test|upgrade)",
)
_STRICTER = {
    "shell command": Row(
        "shell command",
        {"T": 0.4},
        rf"^\s*\$\s+[a-zA-Z./]|\b(git|npm|pnpm|docker|kubectl)\b|\b({_GO}|{_MAKE}|{_YARN})\b",
        M,
    )
}
_STRICT_COMMON = [_STRICTER.get(row.name, row) for row in _COMMON]
PROFILES = {"strict": [*_STRICT, *_STRICT_COMMON], "1.3.5": [*_ORIGINAL, *_COMMON]}
_NO_MATCH = {
    "file path": re.compile(r"(\d{1,2}/\d{1,2}/\d{2,4}|\d{4}/\d{1,2}/\d{1,2})[.-]*", A),
    "stack trace": re.compile(r"at \d{1,2}:\d{1,2}", I),
    "hash": re.compile(r"\d+|[a-f]+", A),
}


class Signals(NamedTuple):
    """What a text shows."""

    T: float
    D_nl: float
    P: float
    A: float
    D_tech: float
    tokens: int
    counts: list[tuple[str, int]]


def signals(text: str, profile: str = "strict", norm: float = 1.5, unit: str = "byte") -> Signals:
    """Return the five sums of a text and the patterns that are there.

    >>> signals("my friend is here", "1.3.5").D_nl
    0.6
    """
    text = text.strip(UNICODE_SPACE)
    tokens = gate_tokens(text, unit) if text else 0
    sums, counts = dict.fromkeys(["T", "D_nl", "P", "A", "D_tech"], 0.0), []
    for row in PROFILES[profile]:
        found = [match[0] for match in re.finditer(row.pattern, text, row.flags)]
        if profile == "strict" and row.name in _NO_MATCH:
            found = [each for each in found if not _NO_MATCH[row.name].fullmatch(each)]
        if not found:
            continue
        counts.append((row.name, len(found) if "P" in row.weights else 1))
        for signal, weight in row.weights.items():
            sums[signal] += weight * (len(found) if signal == "P" else 1)
    norm = norm if norm > 0 else 1.5
    return Signals(
        min(sums["T"] / norm, 1.0),
        min(sums["D_nl"], 1.0),
        min(sums["P"] / max(tokens / 100, 1.0), 1.0),
        min(sums["A"], 1.0),
        min(sums["D_tech"], 1.0),
        tokens,
        counts,
    )


class Gate(NamedTuple):
    """The gating scalar and everything that it is made of."""

    G: float
    G_conv: float
    G_tech: float
    H: float
    R: float
    F: float
    S: float


def gate(seen: Signals, turn_hits: Sequence[float], durable_hits: Sequence[float], clamp: bool = True) -> Gate:
    """Return the gating scalar of a text from its signals and the cosines of the two searches' hits.

    >>> gate(signals("hello"), [], []).G
    0.35
    """
    turns = sorted(turn_hits, reverse=True)[:10]
    durable = sorted(durable_hits, reverse=True)[:5]
    total = 0.0
    for cosine in durable:
        total += max(cosine, 0.0) if clamp else cosine
    novelty = 1.0 - total / len(durable) if durable else 1.0
    frequency = min(len([cosine for cosine in turns if cosine >= 0.80]) / 5, 1.0)
    saturation = min(len([cosine for cosine in durable if cosine >= 0.85]) / 3, 1.0)
    repetition = frequency * (1.0 - saturation)
    conversational = 0.35 * novelty + 0.40 * repetition + 0.25 * seen.D_nl
    technical = 0.40 * seen.P + 0.35 * seen.A + 0.25 * seen.D_tech
    scalar = mix(seen.T, conversational, technical)
    return Gate(scalar, conversational, technical, novelty, repetition, frequency, saturation)


def mix(technicality: float, conversational: float, technical: float) -> float:
    """Return the convex mixture of the two branches, which no rounding moves outside them.

    >>> mix(0.5, 0.3, 0.9), mix(1.0, 0.3, 0.9)
    (0.6, 0.9)
    """
    mixed = (1.0 - technicality) * conversational + technicality * technical
    return sorted([conversational, mixed, technical])[1]


def isotonic(points: Sequence[tuple[float, float]]) -> list[float]:
    """Return the rising values nearest to the points' own, in the order of x: the min-max formula.

    Least squares under "never falls" has a closed form: at i, the largest over starts a <= i of the smallest mean of
    a..b over ends b >= i. Points of equal x are one, at their mean.

    >>> isotonic([(0.1, 0.0), (0.2, 1.0), (0.3, 0.0), (0.4, 1.0)])
    [0.0, 0.5, 0.5, 1.0]
    """
    pooled: dict[float, list[float]] = {}
    for x, y in sorted(points):
        pooled.setdefault(x, []).append(y)
    groups = list(pooled.values())

    def mean(first: int, last: int) -> float:
        total, count = 0.0, 0
        for group in groups[first : last + 1]:
            for value in group:
                total, count = total + value, count + 1
        return total / count

    return [
        max(min(mean(first, last) for last in range(place, len(groups))) for first in range(place + 1))
        for place in range(len(groups))
    ]
