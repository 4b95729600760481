"""Turns rows into tables, and puts them between the markers of benches/README.md.

What is asked of a case, and what limits it, is written by hand in bars.toml and only read here.
"""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- tables: begin; written by `make bench` -->", "<!-- tables: end -->"
BARS = Path(__file__).resolve().parent / "bars.toml"
NO_RIVALS = ("byheart", "C++ baseline")
Row = Mapping[str, Any]


def number(value: float) -> str:
    """Return a value with three digits that mean something."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in rows) + "\n"


def merged(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return one row a case: cases that ran once for each rival are put together, byheart's value the median of all."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    ours: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        key = row["area"], row["case"]
        one = found.setdefault(key, {**row, "values": {}, "ratios": {}, "agreement": {}, "all_facts": []})
        ours.setdefault(key, []).append(row["values"]["byheart"])
        for name in ("values", "agreement"):
            one[name] |= row[name]
        for name, ratio in row["ratios"].items():
            one["ratios"].setdefault(name, []).append(ratio)
        one["all_facts"].append(row["facts"])
    for key, one in found.items():
        one["values"]["byheart"] = statistics.median(ours[key])
        one["ratios"] = {name: statistics.median(ratios) for name, ratios in one["ratios"].items()}
        numeric = {name for facts in one["all_facts"] for name in facts if not isinstance(facts[name], str)}
        one["facts"] = {name: statistics.median(facts[name] for facts in one["all_facts"]) for name in sorted(numeric)}
    return list(found.values())


def footprints(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the bytes a record as one row."""
    values = {row["engine"]: row["bytes_a_record"] for row in rows if row["area"] == "footprint"}
    if "byheart" not in values:
        return []
    ratios = {name: value / values["byheart"] for name, value in values.items() if name != "byheart"}
    case = {"area": "lexical memory", "case": "zipf, 1,000,000 records", "unit": "bytes/record"}
    return [case | {"values": values, "ratios": ratios, "agreement": {}, "facts": {}, "limit": None}]


def kernels(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the throughput of the Rust benchmarks as rows, so that a bar can be set on them."""
    found = []
    for row in rows:
        if row["area"] == "kernels" and row["throughput"]:
            value, unit = row["throughput"].split()
            common = {"area": "kernels", "case": f"{row['bench']}: {row['case']}", "unit": unit, "limit": None}
            found.append(common | {"values": {"byheart": float(value)}, "ratios": {}, "agreement": {}, "facts": {}})
    return found


def best_rival(row: Row, wanted: str = "") -> tuple[str, float] | None:
    """Return the rival that comes nearest to byheart, or is farthest ahead of it, and byheart's lead over it."""
    rivals = {
        name: ratio
        for name, ratio in row["ratios"].items()
        if name not in NO_RIVALS and name != row["limit"] and name.startswith(wanted) and not name.startswith("byheart")
    }
    return min(rivals.items(), key=lambda item: item[1]) if rivals else None


def judged(bar: Row, row: Row) -> tuple[str, str, bool]:
    """Return what is asked, what was measured, and whether it is enough."""
    unit = row["unit"]
    if "fact" in bar:
        measured = row["facts"][bar["fact"]]
        asked = f"{bar['says']} {'≤' if 'at_most' in bar else '≥'} {number(bar.get('at_most', bar.get('at_least', 0)))}"
        return (
            asked,
            number(measured),
            measured <= bar.get("at_most", measured) and measured >= bar.get("at_least", measured),
        )
    if "of_limit" in bar:
        measured = row["ratios"][row["limit"]]
        return f"≥ {bar['of_limit']} of a {row['limit']}", f"{measured:.2f}", measured >= bar["of_limit"]
    if "ratio" in bar:
        best = best_rival(row, bar.get("rival", ""))
        assert best is not None, f"{row['case']}: a ratio is asked, and there is no rival {bar.get('rival', '')}"
        return (
            f"≥ {bar['ratio']:g}x {bar.get('rival', 'the best rival')}",
            f"{best[1]:.2f}x {best[0]}",
            best[1] >= bar["ratio"],
        )
    measured = row["values"]["byheart"]
    if "at_most" in bar:
        return f"≤ {number(bar['at_most'])} {unit}", f"{number(measured)} {unit}", measured <= bar["at_most"]
    return f"≥ {number(bar['at_least'])} {unit}", f"{number(measured)} {unit}", measured >= bar["at_least"]


def floors(rows: Sequence[Row], bars: Sequence[Row]) -> str:
    """Return the table of what was asked, what came out, and what limits it."""
    by_case = {(row["area"], row["case"]): row for row in rows}
    lines = []
    for bar in bars:
        row = by_case.get((bar["area"], bar["case"]))
        if row is not None:
            asked, measured, met = judged(bar, row)
            time = f"{number(row['values']['byheart'])} {row['unit']}"
            met_text = "yes" if met else "**no**"
            lines.append(
                (bar["area"], bar["case"], asked, measured, time, met_text, bar.get("goal", ""), bar.get("limit", ""))
            )
    head = ("area", "case", "asked", "measured", "byheart", "met", "goal beyond it", "what limits it")
    missing = [f"{bar['area']}: {bar['case']}" for bar in bars if (bar["area"], bar["case"]) not in by_case]
    return table(head, lines) + (f"Not measured in this run: {'; '.join(missing)}.\n\n" if missing else "")


def area(rows: Sequence[Row], missing: str = "") -> str:
    """Return the table of one area: a line a case, a column an engine."""
    names = list(dict.fromkeys(name for row in rows for name in row["values"]))
    names.sort(key=lambda name: (name != "byheart", any(name == row["limit"] for row in rows)))
    lines = []
    for row in rows:
        cells = [f"{row['case']} ({row['unit']})"]
        for name in names:
            cell = number(row["values"][name]) if name in row["values"] else missing
            if name in row["ratios"]:
                ratio = row["ratios"][name]
                cell += f" ({ratio:.2f}x" if ratio >= 0.1 else f" ({ratio:.2g}x"
                cell += f", top 10: {row['agreement'][name]:.2f})" if name in row["agreement"] else ")"
            cells.append(cell)
        lines.append(cells)
    return table(["case", *names], lines)


def parts(row: Row) -> str:
    """Return a table of where time goes, with bars to look at."""
    total = sum(row["parts"].values())
    lines = [
        (name, f"{value:.1f}", f"{value / total:.0%}", "█" * max(1, round(30 * value / total)))
        for name, value in row["parts"].items()
    ]
    return f"**{row['case']}**\n\n" + table(("part", "median", "share", ""), [*lines, ("all", f"{total:.1f}", "", "")])


def tables(found: Mapping[str, Any]) -> str:
    """Return all tables."""
    rows: list[Row] = found["rows"]
    cases = merged(row for row in rows if "values" in row) + footprints(rows)
    bars = tomllib.loads(BARS.read_text(encoding="utf-8"))["bar"]
    text = "".join(f"- {name}: {value}\n" for name, value in found["machine"].items())
    sums = [(row["case"], row["crc32"]) for row in rows if row["area"] == "corpus"]
    text += "- corpora (CRC-32): " + ", ".join(f"{case} {value}" for case, value in sums) + "\n\n"
    text += "### What is asked, and what came out\n\n" + floors([*cases, *kernels(rows)], bars)
    for name in dict.fromkeys(row["area"] for row in cases):
        text += f"### {name.capitalize()}\n\n" + area([row for row in cases if row["area"] == name])
    text += "### Where the time of a recall goes (us), and of an import (ms)\n\n"
    text += "".join(parts(row) for row in rows if "parts" in row)
    text += "### Calls from Python (pytest-benchmark, median)\n\n"
    text += table(("call", "us"), [(row["case"], number(row["us"])) for row in rows if row["area"] == "calls"])
    rust = [(row["bench"], row["case"], row["time"], row["throughput"]) for row in rows if row["area"] == "kernels"]
    if rust:
        text += "### Kernels in Rust (divan, median)\n\n" + table(("bench", "case", "time", "throughput"), rust)
    failed = [row["case"] for row in rows if row["area"] == "failed"]
    return text + ("**Failed, and missing above:** " + ", ".join(failed) + "\n" if failed else "")


def write(readme: Path, text: str, begin_with: str = BEGIN) -> None:
    """Put the tables between the markers; everything else stays."""
    old = readme.read_text(encoding="utf-8")
    before, begin, rest = old.partition(begin_with)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{readme}: the markers of the tables are missing")
    readme.write_text(f"{before}{begin_with}\n\n{text}\n{END}{after}", encoding="utf-8")
