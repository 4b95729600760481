"""The report of a benchmark of activation for people: pass lines first, then each gold with its arms and its grid."""
# docs/sources.md: B1.21.4, B1.21.5, B1.21.6.

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .activation_results import SHOWN, Line, Report, empty
from .results import ProfileResult
from .tables import heading, interval, share, table


def markdown(found: Report, *, timings: bool = True) -> str:
    """Return the report as Markdown: the pass lines first, then each gold with its arms and its grid.

    Without timings it is the same text on every run.
    """
    told, k = found.collection, found.config["k"]
    parts = [
        f"**{told['name']}**, benchmark of activation: {told['documents']} claims; intervals of 95 %; "
        f"{found.config_digest[:19]}",
        table(
            ["pass line", "limit", "figure", "verdict"],
            [_row(line, k) for line in found.lines() if timings or line.name != "activate_p90_ms"],
        ),
    ]
    for gold in found.golds:
        tested, times = len(gold.hybrid.answers), gold.milliseconds()
        parts.append(
            f"Gold: {_GOLDS[gold.name]}. {tested} queries of test; alpha {gold.alpha:g} is chosen on {gold.valid}."
        )
        head = [
            "arm",
            *(heading(name, k) for name in SHOWN),
            "empty",
            "failed",
            *(("p50 ms", "p90 ms") if timings else ()),
        ]
        rows = [_cells(arm.name, arm) for arm in gold.arms]
        rows.append(_cells(f"Hybrid, alpha {share(gold.usual_alpha, digits=2)}", gold.usual))
        if timings:
            rows = [row + _times(times.get(row[0], {})) for row in rows]
        parts.append(table(head, rows))
        if gold.grid:
            names = ["alpha on valid", *(f"{step.alpha:.2f}" for step in gold.grid)]
            tried = [
                [heading("ndcg", k), *(share(step.ndcg) for step in gold.grid)],
                [heading("recall", k), *(share(step.recall) for step in gold.grid)],
            ]
            parts.append(table(names, tried))
    parts.append("\n".join(_notes(found)))
    return "\n\n".join(parts)


_GOLDS: Final = {
    "claims": "the claim that a pseudo query was taken from",
    "judgements": "what people judged",
}


def _row(line: Line, k: int) -> list[str]:
    about = "" if line.alpha is None else f", {line.gold}, alpha {share(line.alpha, digits=2)}"
    verdict = "passed" if line.passed else "not passed"
    if line.name == "activate_p90_ms":
        return ["activate p90", f"<= {line.limit:g} ms", f"{line.figure:.1f} ms", verdict]
    if line.name == "fallback_share":
        return ["search_fallback / search", f"<= {line.limit:.0%}", f"{line.figure:.2%}", verdict]
    return [heading(line.name, k) + about, f">= {share(line.limit, digits=2)}", share(line.figure), verdict]


def _cells(name: str, arm: ProfileResult) -> list[str]:
    cells = [name]
    for measure in SHOWN:
        mean = arm.intervals.get(measure)
        cells.append("" if mean is None else interval(mean) if measure in ("recall", "ndcg") else share(mean.mean))
    return [*cells, str(empty(arm)), str(len(arm.failed))]


def _times(milliseconds: Mapping[str, float | None]) -> list[str]:
    values = (milliseconds.get(name) for name in ("p50", "p90"))
    return ["" if value is None else f"{value:.2f}" for value in values]


def _notes(found: Report) -> list[str]:
    told, done = found.collection, found.activated
    lines = [
        f"- activate: {done.asked} queries, {done.empty} empty contexts, {done.events['search']} events `search`, "
        f"{done.events['search_fallback']} events `search_fallback`"
    ]
    if told["short"] or told["common"]:
        lines.append(
            f"- claims of valid and test without a pseudo query: {told['short']} have fewer than "
            f"{found.config['words']} words, {told['common']} have no words of their own"
        )
    if all(gold.name != "judgements" for gold in found.golds):
        lines.append("- nobody has judged queries of test: the gold is that of the claims alone")
    for gold in found.golds:
        if not gold.grid:
            lines.append(f"- {gold.name}: valid has no query, so that alpha is the usual one")
        for arm in gold.arms:
            lines += [f"- {gold.name}, {arm.name}: {note} ({count})" for note, count in arm.notes.items()]
    return lines
