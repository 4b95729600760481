"""The formulas of activation as macros of DuckDB, each tried when it is installed.

Vectors are lists of numbers, times are epoch seconds. A macro that does not give the figure that it must is an error:
scores would be wrong without anybody noticing. No lambdas are used, whose spelling differs between versions of DuckDB.
"""
# docs/sources.md: B1.17.1, B1.23.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...embedding.extras import import_extra
from ...errors import SqlFunctionError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_UTILITY = "(0.6e0 + 0.4e0 * sigmoid(utility_z))"
_CONFIDENCE = "(0.5e0 + 0.5e0 * least(greatest(confidence::DOUBLE, 0e0), 1e0))"
_RECENCY = "(0.3e0 + 0.7e0 * least(greatest(recency::DOUBLE, 0e0), 1e0))"
_QUALITY = "(0.5e0 + 0.5e0 * least(greatest(quality::DOUBLE, 0e0), 1e0))"
_DECAY = """CASE WHEN ts IS NULL THEN 0e0
         ELSE exp(-ln(2e0) * greatest(({moment} - ts::DOUBLE) / 86400e0, 0e0) / half_life_days::DOUBLE) END"""

# Each stands behind those that it is made of: DuckDB looks them up when one is made.
MACROS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "cos_sim",
        ((
            "a, b",
            "list_dot_product(a::DOUBLE[], b::DOUBLE[]) / nullif(sqrt(list_dot_product(a::DOUBLE[], a::DOUBLE[]))"
            " * sqrt(list_dot_product(b::DOUBLE[], b::DOUBLE[])), 0e0)",
        ),),
    ),
    (
        "norm_cos",
        ((
            "similarity",
            "CASE WHEN similarity IS NOT NULL THEN (least(greatest(similarity::DOUBLE, -1e0), 1e0) + 1e0) / 2e0 END",
        ),),
    ),
    (
        "recency_decay",
        (
            ("ts, half_life_days", _DECAY.format(moment="epoch(now())")),
            ("ts, half_life_days, moment", _DECAY.format(moment="moment::DOUBLE")),
        ),
    ),
    (
        "sigmoid",
        (("x", "CASE WHEN x::DOUBLE >= 0e0 THEN 1e0 / (1e0 + exp(-x::DOUBLE))"
               " ELSE exp(x::DOUBLE) / (1e0 + exp(x::DOUBLE)) END"),),
    ),
    (
        "g_rerank",
        (
            ("utility_z, confidence, recency", f"{_UTILITY} * {_CONFIDENCE} * {_RECENCY}"),
            ("utility_z, confidence, recency, quality", f"{_UTILITY} * {_CONFIDENCE} * {_RECENCY} * {_QUALITY}"),
        ),
    ),
    (
        "hybrid_score",
        ((
            "s_text, s_vec, alpha",
            "alpha::DOUBLE * coalesce(s_vec::DOUBLE, 0e0) + (1e0 - alpha::DOUBLE) * coalesce(s_text::DOUBLE, 0e0)",
        ),),
    ),
)  # fmt: skip
"""Each macro: its name, and its forms, which are parameters and what they become."""

FIGURES: tuple[tuple[str, tuple[Any, ...], float | None], ...] = (
    ("cos_sim", ([1.0, 0.0], [0.6, 0.8]), 0.6),
    ("cos_sim", ([2.0, 0.0], [-1.0, 0.0]), -1.0),
    ("cos_sim", ([0.0, 0.0], [1.0, 0.0]), None),
    ("norm_cos", (0.5,), 0.75),
    ("norm_cos", (None,), None),
    ("recency_decay", (0.0, 30.0, 30.0 * 86_400.0), 0.5),
    ("recency_decay", (86_400.0, 30.0, 0.0), 1.0),
    ("recency_decay", (None, 30.0, 0.0), 0.0),
    ("recency_decay", (0.0, 1.0), 0.0),
    ("sigmoid", (0.0,), 0.5),
    ("sigmoid", (-800.0,), 0.0),
    ("sigmoid", (800.0,), 1.0),
    ("g_rerank", (0.0, 0.5, 1.0), 0.6),
    ("g_rerank", (800.0, 2.0, -1.0), 0.3),
    ("g_rerank", (0.0, 0.5, 1.0, 0.0), 0.3),
    ("hybrid_score", (0.4, 0.8, 0.65), 0.66),
    ("hybrid_score", (None, 0.9, 0.5), 0.45),
)
"""Each function: its arguments, and what it gives."""
UNEQUAL: tuple[str, tuple[Any, ...]] = ("cos_sim", ([1.0, 2.0, 3.0], [1.0, 2.0]))
"""What is refused: vectors of two widths have no cosine."""
TOLERANCE = 1e-12
"""The mathematics of other people's databases may differ from ours in the last bits."""

Call = Callable[[str, Sequence[Any]], Any]  # gives what a function gives for arguments; raises what refuses them


def install(connection: DuckDBPyConnection) -> None:
    """Make the macros in a connection of DuckDB, for as long as it is open, and try each of them.

    Raises:
        SqlFunctionError: this DuckDB cannot make them (it needs 1.1), or one gives another figure than it must.
        MissingExtra: there is no DuckDB.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> install(connection)
    >>> connection.execute("SELECT norm_cos(cos_sim([1, 0], [0.6, 0.8]))").fetchone()
    (0.8,)

    """
    duckdb = import_extra("duckdb", "duckdb")
    for name, forms in MACROS:
        said = ", ".join(f"({parameters}) AS {body}" for parameters, body in forms)
        try:
            connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}{said}")
        except duckdb.Error as error:
            raise SqlFunctionError(
                f"macro {name}: DuckDB {duckdb.__version__} cannot make it ({error}); use DuckDB 1.1 or newer"
            ) from None

    def call(name: str, arguments: Sequence[Any]) -> Any:
        places = ", ".join(f"${number}" for number in range(1, len(arguments) + 1))
        row = connection.execute(f"SELECT {name}({places})", list(arguments)).fetchone()
        return None if row is None else row[0]

    check(call, duckdb.Error)


def check(call: Call, refusal: type[Exception]) -> None:
    """Try every function of SQL by what it must give.

    Args:
        call: calls a function of the database.
        refusal: the error by which the database refuses.

    Raises:
        SqlFunctionError: one gives another figure, or takes what it has to refuse, or is not there.

    """
    for name, arguments, expected in FIGURES:
        try:
            found = call(name, arguments)
        except refusal as error:
            raise SqlFunctionError(f"{name}{arguments}: fails ({error}), and must give {expected}") from None
        if not _is(found, expected):
            raise SqlFunctionError(f"{name}{arguments}: gives {found}, and must give {expected}")
    name, arguments = UNEQUAL
    try:
        found = call(name, arguments)
    except refusal:
        return
    raise SqlFunctionError(f"{name}{arguments}: gives {found}, and must refuse vectors of two widths")


def _is(found: Any, expected: float | None) -> bool:
    if expected is None or not isinstance(found, (int, float)):
        return found is expected
    return abs(found - expected) <= TOLERANCE
