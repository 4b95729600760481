"""A page about an evaluation, for a browser: one file, without scripts and network, light or dark as its reader is.

It is made of the mapping that `Evaluation.to_dict` gives, timings included, so a file of numbers can be shown later.
Every text of the collection is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from . import drawing
from .drawing import COLOURS, duration
from .measures import MAIN
from .page_style import sheet
from .resampling import Interval
from .tables import SHOWN, heading, interval, share

_LISTED: Final = 8  # queries on each side of a difference
_HITS: Final = 5


def page(found: Mapping[str, Any]) -> str:
    """Return the page of an evaluation.

    Args:
        found: what `Evaluation.to_dict()` gives.

    """
    told, profiles = found["collection"], found["profiles"]
    counts = f"{told['judged']:,} judged queries over {told['documents']:,} documents"
    if told["unanswerable"]:
        counts += f", and {told['unanswerable']:,} that nothing answers"
    parts = [
        f"<h1>{escape(told['name'])}</h1>",
        f'<p class="soft">{counts}. Means at k = {found["config"]["k"]}, with intervals of 95 % over queries.</p>',
        _summary(found),
        _quality(found),
        _types(found),
        _abstention(found) if told["unanswerable"] else "",
        _waterfall(found),
        *(_difference(found, other) for other in profiles[1:]),
        _notes(profiles),
        _settings(found),
    ]
    title = f"{escape(told['name'])}: {', '.join(escape(each['name']) for each in profiles)}"
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>{title}</title>\n<style>{sheet()}</style></head>\n'
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _name(found: Mapping[str, Any], name: str) -> str:
    """Return a profile's name behind its colour."""
    at = [each["name"] for each in found["profiles"]].index(name) % COLOURS
    return f'<span class="swatch c{at}"></span>{escape(name)}'


def _summary(found: Mapping[str, Any]) -> str:
    profiles, k = found["profiles"], found["config"]["k"]
    best = {name: max((_mean(each, name) for each in profiles), default=0.0) for name in SHOWN}
    head = ["profile", *(heading(name, k) for name in SHOWN), "p50", "p95"]
    head += ["beside the first"] if len(profiles) > 1 else []
    rows = []
    for each in profiles:
        cells = [_name(found, each["name"])]
        for name in SHOWN:
            mean = _mean(each, name)
            text = share(mean)
            if name == MAIN and name in each["means"]:
                ends = each["means"][name]
                text += f" <small>{share(ends['low'])} to {share(ends['high'])}</small>"
            cells.append(f'<span class="best">{text}</span>' if mean == best[name] and len(profiles) > 1 else text)
        times = found["timings"]["recall_microseconds"][each["name"]]
        cells += [duration(times["p50"]), duration(times["p95"])]
        cells += [_beside(each)] if len(profiles) > 1 else []
        rows.append(cells)
    return f'<div class="card">{_table(head, rows)}</div>'


def _beside(each: Mapping[str, Any]) -> str:
    """Return how far a profile is ahead of the first one, in colour where the interval leaves out 0."""
    beside = each["beside"]
    if beside is None or MAIN not in beside:
        return '<span class="soft">the first</span>'
    difference = Interval(**beside[MAIN])
    kind = ("gain" if difference.mean > 0 else "loss") if difference.decided else "soft"
    mean, rest = interval(difference, sign=True).split(" ", 1)
    return f'<span class="{kind}">{mean}</span> <small>{rest.strip("()")}</small>'


def _quality(found: Mapping[str, Any]) -> str:
    times = found["timings"]["recall_microseconds"]
    points = [
        {
            "name": each["name"],
            **each["means"][MAIN],
            "p50": times[each["name"]]["p50"],
            "p95": times[each["name"]]["p95"],
        }
        for each in found["profiles"]
        if MAIN in each["means"]
    ]
    if not points:
        return ""
    measure = heading(MAIN, found["config"]["k"])
    return _section(
        "Quality beside latency",
        "High and left is better. The upright line is the interval of the mean; latency is on a logarithmic scale.",
        f'<div class="card">{drawing.scatter(points, measure)}</div>',
    )


def _types(found: Mapping[str, Any]) -> str:
    names = {name: row["queries"] for each in found["profiles"] for name, row in each["by_type"].items()}
    if len(names) < 2:
        return ""
    head = ["profile", *(f"{escape(name)} <small>{count}</small>" for name, count in names.items())]
    best = {name: max(each["by_type"].get(name, {}).get(MAIN, 0.0) for each in found["profiles"]) for name in names}
    rows = []
    for each in found["profiles"]:
        cells = [_name(found, each["name"])]
        for name in names:
            mean = each["by_type"].get(name, {}).get(MAIN, 0.0)
            is_best = mean == best[name] and len(found["profiles"]) > 1
            cells.append(f'<span class="best">{share(mean)}</span>' if is_best else share(mean))
        rows.append(cells)
    lead = f"{heading(MAIN, found['config']['k'])}; the small number is how many queries there are."
    return _section("By type of query", lead, f'<div class="card">{_table(head, rows, escaped=True)}</div>')


def _abstention(found: Mapping[str, Any]) -> str:
    rows = []
    for each in found["profiles"]:
        counted = (each["abstention"][name] for name in ("right", "false", "precision", "f1"))
        cells = ("" if value is None else share(value) for value in counted)
        rows.append([_name(found, each["name"]), *cells])
    lead = "Right: no hit where nothing answers. False: no hit where something would have."
    head = ["profile", "right", "false", "precision", "F1"]
    return _section("Abstention", lead, f'<div class="card">{_table(head, rows)}</div>')


def _waterfall(found: Mapping[str, Any]) -> str:
    """Return the steps of the query on which the slowest profile takes its median time."""
    laps = found["timings"]["laps"]
    slowest = max(laps, key=lambda name: found["timings"]["recall_microseconds"][name]["p50"])
    ordered = sorted(laps[slowest], key=lambda lap: (lap["total"], lap["query"]))
    query = ordered[len(ordered) // 2]["query"]
    shown = []
    for each in found["profiles"]:
        lap = next(lap for lap in laps[each["name"]] if lap["query"] == query)
        shown.append((each["name"], lap["total"], lap["steps"]))
    lead = (
        f"The query is <q>{escape(found['texts'][query])}</q>. The pale bar is the whole recall as its caller sees it."
    )
    return _section("One query, step by step", lead, f'<div class="card">{drawing.waterfall(shown)}</div>')


def _difference(found: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return where a profile differs from the first one, query by query."""
    first = found["profiles"][0]
    base = {answer["query"]: answer for answer in first["answers"] if answer.get("measures")}
    pairs = [
        (answer["measures"][MAIN] - base[answer["query"]]["measures"][MAIN], base[answer["query"]], answer)
        for answer in other["answers"]
        if answer.get("measures") and answer["query"] in base
    ]
    better, worse = (sum(value * sign > 0 for value, _, _ in pairs) for sign in (1, -1))
    lead = (
        f"{escape(other['name'])} is better on {better:,} queries, worse on {worse:,}, "
        f"and the same on {len(pairs) - better - worse:,}."
    )
    pairs.sort(key=lambda pair: (pair[0], pair[1]["query"]))
    bars = drawing.differences([value for value, _, _ in pairs], first["name"], other["name"])
    listed = [pair for pair in pairs[:_LISTED] if pair[0] < 0] + [
        pair for pair in pairs[: -_LISTED - 1 : -1] if pair[0] > 0
    ]
    lists = "".join(_pair(found, first["name"], other["name"], *pair) for pair in listed)
    inside = f'<div class="card">{bars}</div>' + (f'<div class="card">{lists}</div>' if lists else "")
    return _section(f"{escape(other['name'])} beside {escape(first['name'])}", lead, inside)


def _pair(
    found: Mapping[str, Any], first: str, second: str, value: float, one: Mapping[str, Any], two: Mapping[str, Any]
) -> str:
    kind = "gain" if value > 0 else "loss"
    columns = ""
    for name, answer in ((first, one), (second, two)):
        hits = "".join(map(_hit, answer["hits"][:_HITS])) or "<li>nothing</li>"
        columns += f"<div>{_name(found, name)}<ol>{hits}</ol></div>"
    text = escape(found["texts"][one["query"]])
    return (
        f'<details><summary><b class="{kind}">{share(value, sign=True)}</b>{text}</summary>'
        f'<div class="pair">{columns}</div></details>'
    )


def _hit(hit: Sequence[Any]) -> str:
    """Return one hit: its id, set off where it is relevant, and its score."""
    id, score, grade = hit
    kind = ' class="right"' if grade else ""
    return f"<li{kind}>{escape(str(id))} <small>{score:.4g}</small></li>"


def _notes(profiles: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f"<dt>{escape(each['name'])}</dt><dd>{escape(note)} <small>({count} of {each['queries']})</small></dd>"
        for each in profiles
        for note, count in each["notes"].items()
    ]
    lines += [
        f"<dt>{escape(each['name'])}</dt><dd>{each['failed']} recalls failed and count in no mean</dd>"
        for each in profiles
        if each["failed"]
    ]
    return _section("Not as asked", "", f'<div class="card"><dl>{"".join(lines)}</dl></div>') if lines else ""


def _settings(found: Mapping[str, Any]) -> str:
    config, told = found["config"], found["collection"]
    rows = {
        "collection": told["digest"],
        "configuration": found["config_digest"],
        "byheart": config["version"],
        "embedder": config["embedder"] or "none",
        "preset": config["preset"],
        "filled in": f"{found['timings']['build_seconds']:.1f} s",
    }
    rows |= {f"profile {each['name']}": each["digest"] for each in found["profiles"]}
    inside = "".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in rows.items())
    return _section("How it was measured", "", f'<div class="card"><dl>{inside}</dl></div>')


def _mean(each: Mapping[str, Any], name: str) -> float:
    return float(each["means"].get(name, {}).get("mean", 0.0))


def _section(title: str, lead: str, inside: str) -> str:
    told = f'<p class="lead-in">{lead}</p>' if lead else ""
    return f"<section><h2>{title}</h2>{told}{inside}</section>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, escaped: bool = False) -> str:
    """Return a table; cells are HTML already, and headings too if `escaped` says so."""
    heads = "".join(f"<th>{cell if escaped else escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
