"""Answers as people look at them: a table for notebooks, columns for data frames. Imported on use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from ..errors import MissingExtra
from ..records import Record
from .arrow import Column
from .hits import Hit, snippet

_OWN = ("tenant", "scope", "boundary_class", "kind", "topic", "user_id", "session_id")
_MOST = 50  # rows of a table
_NO_TIME = -(2**63)  # as NumPy writes it


def table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table for a notebook, every value escaped; formulas inside texts stay texts.

    >>> table("<b>", ["text"], [["<script>"]])[:92]
    '<table class="tex2jax_ignore mathjax_ignore"><caption>&lt;b&gt;</caption><tr><th>text</th></'
    """
    lines = [_line("th", headings), *(_line("td", row) for row in rows[:_MOST])]
    if len(rows) > _MOST:
        lines.append(_line("td", [f"and {len(rows) - _MOST} more"]))
    return (
        f'<table class="tex2jax_ignore mathjax_ignore"><caption>{_escaped(caption)}</caption>{"".join(lines)}</table>'
    )


def _line(tag: str, values: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_escaped(value)}</{tag}>' for value in values)}</tr>"


def _escaped(value: object) -> str:
    from html import escape

    shown = "" if value is None else f"{value:.4f}" if isinstance(value, float) else snippet(str(value), 200)
    return escape(shown)


def columns(hits: Sequence[Hit]) -> list[Column]:
    """Return the hits as columns: what a row of a table says of each.

    Metadata is JSON in a text, since its values may be of any kind.
    """
    records = [hit.record for hit in hits]
    return [
        Column("id", "text", [hit.id for hit in hits]),
        Column("score", "float", [hit.score for hit in hits]),
        Column("strength", "float", [hit.strength for hit in hits]),
        Column("text", "text", [hit.text for hit in hits]),
        Column("created_at", "time", [_microseconds(record.created_at) for record in records]),
        *(Column(name, "text", [getattr(record, name) for record in records]) for name in _OWN),
        Column("metadata", "text", [_json(record) for record in records]),
    ]


def _microseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1e6)


def _json(record: Record) -> str:
    import json

    return json.dumps(record.metadata, ensure_ascii=False, sort_keys=True)


def frame(hits: Sequence[Hit]) -> Any:
    """Return the hits as a data frame of pandas, one a row, best first; metadata as mappings.

    Raises:
        MissingExtra: pandas is not installed.

    """
    try:
        pandas, np = import_module("pandas"), import_module("numpy")
    except ImportError as error:
        raise MissingExtra(f"pandas: cannot be imported ({error}); `pip install pandas` brings it") from error
    made: dict[str, Any] = {column.name: pandas.Series(column.values, dtype=object) for column in columns(hits)}
    for name in ("score", "strength"):
        made[name] = made[name].astype(np.float64)
    times = np.array([_NO_TIME if time is None else time for time in made["created_at"]], dtype=np.int64)
    made["created_at"] = pandas.DatetimeIndex(times.view("datetime64[us]")).tz_localize("UTC")
    made["metadata"] = pandas.Series([dict(hit.record.metadata) for hit in hits], dtype=object)
    return pandas.DataFrame(made)
