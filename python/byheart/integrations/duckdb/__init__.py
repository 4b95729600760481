"""Activation as SQL: a memory's records as tables of DuckDB, and one statement that ranks them.

    macros      the formulas as macros of DuckDB, tried when they are installed
    functions   the same as functions of SQLite
    reading     the copy: the records of a memory, or records and vectors
    tables      claims and their vectors, filled from that
    statement   the one statement; and the template of its source, to the letter
    extensions  full text and approximate vectors, where DuckDB has them, and what is done without
    activation  `DuckActivation`: open, search, look at the tables

For those who want to look at a memory in SQL, and as a second, independent account of what activation says. Not for
speed: `Memory.recall` is many times as fast. Nothing here writes to a memory, and no table reaches a disk. Needs the
extra `duckdb`; `functions` needs nothing.
"""

from .activation import Activated, DuckActivation
from .extensions import Fallback
from .functions import register
from .macros import install
from .statement import TEMPLATE, statement

__all__ = ["TEMPLATE", "Activated", "DuckActivation", "Fallback", "install", "register", "statement"]
