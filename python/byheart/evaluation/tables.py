"""Tables of an evaluation in Markdown, aligned so that they read well in a terminal too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .measures import MAIN, MEASURES
from .resampling import Interval
from .results import Evaluation, ProfileResult

SHOWN = ("ndcg", "recall", "recall_all", "hit", "precision", "mrr")


def markdown(found: Evaluation, *, timings: bool = True) -> str:
    """Return an evaluation as Markdown: all profiles, then by type of query, abstention, and what was degraded."""
    parts = [_heading(found), table(*_profiles(found, timings))]
    parts += [table(*_types(found))] if len(_type_names(found)) > 1 else []
    parts += [table(*_abstention(found))] if found.collection["unanswerable"] else []
    parts += ["\n".join(_notes(found))]
    return "\n\n".join(part for part in parts if part)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the first column is of words, the others are of numbers.

    >>> print(table(["", "hits"], [["kb-fast", "3"]]))
    |         | hits |
    |---------|-----:|
    | kb-fast |    3 |
    """
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(1, *(len(row[at]) for row in cells)) for at in range(len(head))]
    ruled = "|".join("-" * (widths[0] + 2) if at == 0 else "-" * (width + 1) + ":" for at, width in enumerate(widths))
    lines = [_line(row, widths) for row in cells]
    return "\n".join([lines[0], f"|{ruled}|", *lines[1:]])


def interval(found: Interval, *, sign: bool = False) -> str:
    """Return a mean and its interval.

    >>> interval(Interval(0.5, 0.4, 0.6)), interval(Interval(0.05, -0.01, 0.1), sign=True)
    ('.500 (.400 to .600)', '+.050 (-.010 to +.100)')
    """
    mean, low, high = (share(value, sign=sign) for value in found)
    return f"{mean} ({low} to {high})"


def share(value: float, *, sign: bool = False, digits: int = 3) -> str:
    """Return a number without the zero before its point.

    >>> share(0.25), share(-0.25), share(1.0), share(0.0, sign=True)
    ('.250', '-.250', '1.000', '+.000')
    """
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1.0 and text.lstrip("+-").startswith("0.") else text


def duration(microseconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> duration(81.6), duration(2500.0), duration(3.2e6)
    ('82 us', '2.5 ms', '3.2 s')
    """
    for unit, size in (("us", 1.0), ("ms", 1e3)):
        if microseconds < 1000.0 * size:
            value = microseconds / size
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{microseconds / 1e6:.1f} s"


def heading(measure: str, k: int) -> str:
    """Return the heading of a measure: "nDCG@10"."""
    return MEASURES[measure].heading.replace("@k", f"@{k}")


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    (first, width), *others = zip(row, widths, strict=True)
    cells = [first.ljust(width), *(cell.rjust(width) for cell, width in others)]
    return f"| {' | '.join(cells)} |"


def _heading(found: Evaluation) -> str:
    told = found.collection
    counts = f"{told['judged']} judged queries, {told['documents']} documents"
    counts += f", {told['unanswerable']} queries that nothing answers" if told["unanswerable"] else ""
    return f"**{told['name']}**: {counts}; intervals of 95 %; {found.config_digest[:19]}"


def _profiles(found: Evaluation, timings: bool) -> tuple[list[str], list[list[str]]]:
    k, baseline = found.config["k"], found.profiles[0]
    head = ["profile", *(heading(name, k) for name in SHOWN)]
    head += [f"{heading(MAIN, k)} beside {baseline.name}"] * (len(found.profiles) > 1) + ["p50", "p95"] * timings
    return head, [_profile(found, each, baseline, timings) for each in found.profiles]


def _profile(found: Evaluation, each: ProfileResult, baseline: ProfileResult, timings: bool) -> list[str]:
    row = [each.name]
    for name in SHOWN:
        mean = each.intervals.get(name)
        row.append("" if mean is None else interval(mean) if name == MAIN else share(mean.mean))
    if len(found.profiles) > 1:
        beside = None if each is baseline else each.beside(baseline).get(MAIN)
        row.append("" if beside is None else interval(beside, sign=True))
    times = found.latency(each.name) if timings else {}
    return row + [duration(times[name]) for name in ("p50", "p95") if name in times]


def _type_names(found: Evaluation) -> dict[str, float]:
    """Return the types of all profiles with how many queries they have."""
    return {name: row["queries"] for each in found.profiles for name, row in each.by_type.items()}


def _types(found: Evaluation) -> tuple[list[str], list[list[str]]]:
    names = _type_names(found)
    head = [heading(MAIN, found.config["k"]), *(f"{name} ({count:.0f})" for name, count in names.items())]
    rows = []
    for each in found.profiles:
        means = (each.by_type.get(name) for name in names)
        rows.append([each.name, *("" if row is None else share(row[MAIN]) for row in means)])
    return head, rows


def _abstention(found: Evaluation) -> tuple[list[str], list[list[str]]]:
    rows = []
    for each in found.profiles:
        counted = each.abstention
        values = (counted.right, counted.false, counted.precision, counted.f1)
        rows.append([each.name, *("" if value is None else share(value) for value in values)])
    return ["abstention", "right", "false", "precision", "F1"], rows


def _notes(found: Evaluation) -> list[str]:
    lines = []
    for each in found.profiles:
        lines += [f"- {each.name}: {note} ({count} of {len(each.answers)})" for note, count in each.notes.items()]
        if each.failed:
            means = share(each.with_failures.get(MAIN, 0.0))
            first = each.failed[0]
            lines.append(
                f"- {each.name}: {len(each.failed)} recalls failed and count in no mean; counted as 0, "
                f"{heading(MAIN, found.config['k'])} is {means}. The first is {first.query}: {first.failure}"
            )
    if found.collection["undated"]:
        lines.append(f"- {found.collection['undated']} documents have no date that can be read")
    return lines
