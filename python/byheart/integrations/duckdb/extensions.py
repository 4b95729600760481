"""The extensions of DuckDB that activation can use, and what is done where one cannot be loaded.

    fts  full text in the place of substrings    (L2 for L0)
    vss  an approximate index of vectors in the place of looking at all of them    (L3 for L1)

Nothing is fetched: an extension is used if it lies where DuckDB looks for it. Without one the answer comes from
substrings and exact vectors, and says so; that is no error.
"""
# docs/sources.md: B1.19.1, B1.13.3.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...embedding.extras import import_extra
from ...errors import InvalidArgument
from .reading import Held

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

EXTENSIONS = ("fts", "vss")
LEG_OF = {"fts": "text", "vss": "vec"}
USED = {"text": "L0", "vec": "L1"}
"""What a leg is when nothing is loaded: substrings, and the cosines of all vectors."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """A leg that could not look as it was asked to; `to_dict` is the payload of an event of topic `search_fallback`.

    Attributes:
        leg: "text" or "vec".
        why: the reason.
        used: what looked in its place: "L0" (substrings), "L1" (all vectors), or "none".

    """

    leg: str
    why: str
    used: str

    topic = "search_fallback"

    def to_dict(self) -> dict[str, str]:
        """Return the event's payload.

        >>> Fallback("text", "fts cannot be loaded", "L0").to_dict()
        {'leg': 'text', 'why': 'fts cannot be loaded', 'used': 'L0'}
        """
        return {"leg": self.leg, "why": self.why, "used": self.used}


def load(
    connection: DuckDBPyConnection, wanted: Sequence[str], folder: str | None
) -> tuple[frozenset[str], tuple[Fallback, ...]]:
    """Load the extensions that are there, without the network; return which, and what is done without the others.

    Args:
        connection: an open one.
        wanted: names of `EXTENSIONS`.
        folder: where DuckDB looks for extensions; None for its own.

    Raises:
        InvalidArgument: an extension that activation has no use for.

    """
    duckdb = import_extra("duckdb", "duckdb")
    for name in wanted:
        if name not in EXTENSIONS:
            raise InvalidArgument(f"extensions: {name!r} is of no use here; name any of {', '.join(EXTENSIONS)}")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    if folder is not None:
        connection.execute("SET extension_directory = $folder", {"folder": folder})
    loaded, missing = set(), []
    for name in dict.fromkeys(wanted):
        try:
            connection.execute(f"LOAD {name}")
        except duckdb.Error as error:
            missing.append(_missing(name, error))
        else:
            loaded.add(name)
    return frozenset(loaded), tuple(missing)


def index(
    connection: DuckDBPyConnection, loaded: frozenset[str], held: Held
) -> tuple[frozenset[str], tuple[Fallback, ...]]:
    """Make the indexes of what is loaded over tables just filled; return which there are, and what failed."""
    duckdb = import_extra("duckdb", "duckdb")
    made, failed = set(), []
    for name in sorted(loaded):
        try:
            if name == "fts":
                connection.execute(_FTS)
            elif held.dimensions is not None:
                connection.execute(_NEAR.format(dimensions=held.dimensions))
                connection.execute(
                    "CREATE INDEX near ON claim_vectors_near USING HNSW (embedding) WITH (metric = 'cosine')"
                )
        except duckdb.Error as error:
            failed.append(_missing(name, error, "make its index"))
        else:
            made.add(name)
    return frozenset(made), tuple(failed)


_FTS = (
    "PRAGMA create_fts_index('claims', 'place', 'normalized_text', stemmer = 'porter', stopwords = 'none',"
    r" ignore = '[^\p{L}\p{N}_]+', strip_accents = 0, lower = 0, overwrite = 1)"
)
_NEAR = """CREATE OR REPLACE TABLE claim_vectors_near AS
SELECT place, embedding::FLOAT[{dimensions}] AS embedding FROM claim_vectors
WHERE list_dot_product(embedding, embedding) > 0e0"""


def _missing(name: str, error: Exception, what: str = "be loaded from where this DuckDB looks for it") -> Fallback:
    """Return what is told; without the message of DuckDB, which names folders of the machine."""
    leg = LEG_OF[name]
    return Fallback(leg, f"{name}: cannot {what} ({type(error).__name__})", USED[leg])
