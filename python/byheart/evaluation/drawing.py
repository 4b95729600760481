"""Drawings in SVG of an evaluation: quality beside latency, the steps of a query, differences query by query.

Colours are classes of the page that holds them (`byheart.evaluation.pages`), so that a drawing follows its theme.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from . import tables
from .tables import share

WIDTH: Final = 920
COLOURS: Final = 8


def scatter(points: Sequence[Mapping[str, Any]], measure: str) -> str:
    """Return quality beside latency: a dot for each profile, with the interval of its quality and a line to its p95.

    Args:
        points: of each profile `name`, `mean`, `low`, `high`, `p50` and `p95`, in the order of their colours.
        measure: the heading of the vertical axis.

    """
    left, right, top, bottom = 64, WIDTH - 150, 16, 340
    slow, fast = max(point["p95"] for point in points), min(point["p50"] for point in points)
    begin, end = math.floor(math.log10(fast) * 2) / 2, math.ceil(math.log10(slow) * 2 + 1e-9) / 2
    step = _step(max(point["high"] for point in points))
    highest = step * math.ceil(max(point["high"] for point in points) / step + 1e-9)

    def x(microseconds: float) -> float:
        place = (math.log10(microseconds) - begin) / (end - begin)
        return float(left + place * (right - left))

    def y(value: float) -> float:
        return float(bottom - value / highest * (bottom - top))

    parts = [f'<line class="axis" x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}"/>']
    for number in range(round(highest / step) + 1):
        at = y(number * step)
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(_text(left - 8, at + 4, share(number * step, digits=2), "tick end"))
    for tick in _ticks(begin, end):
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{top}" y2="{bottom}"/>')
        parts.append(_text(x(tick), bottom + 18, _short(tick), "tick middle"))
    parts.append(_text((left + right) / 2, bottom + 38, "a recall: dot p50, line to p95", "label middle"))
    parts.append(
        f'<text class="label middle" transform="translate(16 {(top + bottom) / 2}) rotate(-90)">'
        f"{escape(measure)}</text>"
    )
    names = _apart([y(point["mean"]) for point in points], 17.0, top + 6.0, bottom - 2.0)
    for at, (point, height) in enumerate(zip(points, names, strict=True)):
        parts.append(_dot(at, point, x, y, height, right))
    return _svg(bottom + 48, parts, f"{measure} beside latency")


def _dot(at: int, point: Mapping[str, Any], x: Any, y: Any, height: float, right: float) -> str:
    """Return a dot with its whiskers, and its name on the right, joined to it by a thin line."""
    middle, level, low, high = x(point["p50"]), y(point["mean"]), y(point["low"]), y(point["high"])
    told = f"{point['name']}: {share(point['mean'])}, p50 {duration(point['p50'])}, p95 {duration(point['p95'])}"
    return (
        f'<g class="c{at % COLOURS}"><title>{escape(told)}</title>'
        f'<line class="lead" x1="{middle:.1f}" y1="{level:.1f}" x2="{right + 8}" y2="{height:.1f}"/>'
        f'<line class="mark" x1="{middle:.1f}" x2="{x(point["p95"]):.1f}" y1="{level:.1f}" y2="{level:.1f}"/>'
        f'<line class="mark" x1="{middle:.1f}" x2="{middle:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>'
        f'<circle class="fill" cx="{middle:.1f}" cy="{level:.1f}" r="6"/>'
        f'<text class="name fill" x="{right + 12}" y="{height + 4:.1f}">{escape(point["name"])}</text></g>'
    )


def waterfall(laps: Sequence[tuple[str, float, Mapping[str, float]]]) -> str:
    """Return the steps of one query, one after the other, for each profile on one scale of time.

    Args:
        laps: of each profile its name, the microseconds of the whole recall and those of each step.

    """
    left, right, row, gap = 190, WIDTH - 80, 18, 12
    longest = max(max(total, math.fsum(steps.values())) for _, total, steps in laps) or 1.0
    step = _step(longest)
    scale = (right - left) / (step * math.ceil(longest / step))
    parts, top = [], 22.0
    for at, (name, total, steps) in enumerate(laps):
        parts.append(_text(8, top + 13, name, f"name fill c{at % COLOURS}"))
        parts.append(_bar(left, top, total * scale, row - 4, f"whole c{at % COLOURS}", f"{name}: {duration(total)}"))
        parts.append(_text(left + total * scale + 6, top + 12, duration(total), "tick"))
        begun, top = 0.0, top + row
        for label, spent in steps.items():
            told = f"{label}: {duration(spent)}"
            parts.append(_text(left - 10, top + 12, label, "tick end"))
            place = left + begun * scale
            parts.append(_bar(place, top, max(1.0, spent * scale), row - 6, f"fill c{at % COLOURS}", told))
            parts.append(_text(place + max(1.0, spent * scale) + 6, top + 11, duration(spent), "tick faint"))
            begun, top = begun + spent, top + row
        top += gap
    behind = []
    for number in range(math.ceil(longest / step) + 1):
        place = left + number * step * scale
        behind.append(f'<line class="grid" x1="{place:.1f}" x2="{place:.1f}" y1="16" y2="{top - gap:.0f}"/>')
        behind.append(_text(place, 11, _short(number * step), "tick middle"))
    return _svg(top, behind + parts, "the steps of one query")


def differences(values: Sequence[float], first: str, second: str) -> str:
    """Return a bar for each query: by how far the second profile is ahead, the greatest losses on the left."""
    left, right, top, bottom = 64, WIDTH - 16, 12, 190
    ordered, middle = sorted(values), (top + bottom) / 2
    width = (right - left) / max(1, len(ordered))
    parts = []
    for level in (-1.0, -0.5, 0.0, 0.5, 1.0):
        at = middle - level * (bottom - top) / 2
        kind = "axis" if level == 0.0 else "grid"
        parts.append(f'<line class="{kind}" x1="{left}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(_text(left - 8, at + 4, share(level, sign=True, digits=1) if level else "0", "tick end"))
    for sign, kind in ((1.0, "gain"), (-1.0, "loss")):
        drawn = [(at, value) for at, value in enumerate(ordered) if value * sign > 0.0]
        if drawn:  # one outline for all bars of a side: thousands of queries stay a small drawing
            parts.append(f'<path class="{kind}" d="{_outline(drawn, left, width, middle, (bottom - top) / 2)}"/>')
    parts.append(_text(left + 6, bottom + 16, f"{first} is better", "label"))
    parts.append(_text(right - 6, bottom + 16, f"{second} is better", "label end"))
    return _svg(bottom + 26, parts, f"{second} beside {first}, query by query")


def _outline(drawn: Sequence[tuple[int, float]], left: float, width: float, zero: float, unit: float) -> str:
    """Return the outline of neighbouring bars."""
    first, last = drawn[0][0], drawn[-1][0] + 1
    steps = "".join(f"V{zero - value * unit:.1f}H{left + (at + 1) * width:.1f}" for at, value in drawn)
    return f"M{left + first * width:.1f} {zero:.1f}{steps}V{zero:.1f}H{left + last * width:.1f}Z"


def duration(microseconds: float) -> str:
    """Return a time as a page writes it.

    >>> duration(81.6)
    '82 µs'
    """
    return tables.duration(microseconds).replace("us", "µs")


def _apart(places: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Return heights for labels near their places, at least so far apart, as far as there is room.

    >>> _apart([10.0, 12.0, 50.0], 10.0, 0.0, 100.0)
    [6.0, 16.0, 50.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    groups: list[tuple[list[int], float]] = []  # labels that touch, and the height of their middle
    for at in order:
        group, middle = [at], places[at]
        while groups and middle - least * (len(group) - 1) / 2 < groups[-1][1] + least * (len(groups[-1][0]) + 1) / 2:
            before, _ = groups.pop()
            group = [*before, *group]
            middle = sum(places[each] for each in group) / len(group)
        room = least * (len(group) - 1) / 2
        groups.append((group, min(max(middle, top + room), bottom - room)))
    found = [0.0] * len(places)
    for group, middle in groups:
        for rank, each in enumerate(group):
            found[each] = middle + (rank - (len(group) - 1) / 2) * least
    return found


def _step(highest: float) -> float:
    """Return a round step that divides a scale into four to ten parts.

    >>> _step(0.61), _step(1480.0)
    (0.1, 200.0)
    """
    size = 10.0 ** math.floor(math.log10(highest)) if highest > 0.0 else 1.0
    return next(size * part for part in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0) if highest / (size * part) <= 8.0)


def _ticks(begin: float, end: float) -> list[float]:
    """Return 1, 2 and 5 of each power of ten between two powers of ten."""
    powers = range(math.floor(begin), math.ceil(end) + 1)
    every = (digit * 10.0**power for power in powers for digit in (1, 2, 5))
    return [tick for tick in every if 10.0**begin <= tick * 1.0001 and tick <= 10.0**end * 1.0001]


def _short(microseconds: float) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:g} {unit}"
    return f"{microseconds:g} µs" if microseconds else "0"


def _bar(x: float, y: float, width: float, height: float, kind: str, told: str) -> str:
    shape = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="2"'
    return f'<rect class="{kind}" {shape}><title>{escape(told)}</title></rect>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(height: float, parts: Sequence[str], label: str) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {math.ceil(height)}" role="img" aria-label="{escape(label)}">'
    return head + "".join(parts) + "</svg>"
