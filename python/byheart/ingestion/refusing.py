"""The refusal of lines that a source may not bring: those of another cell, and those of files that byheart wrote.

Who imports a file says where its records go; the file is somebody else's word, and may neither write into another
tenant nor give a record a class that opens it to others. An export holds records of any origin and cell, which
come back by another way; read as lines of a source they would be the file's, and go with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import BoundaryViolation, InvalidArgument
from ..records import Record
from ..storage.lines import FORMAT

_CELL: Final = ("tenant", "scope", "boundary_class")


def check_foreign(row: Mapping[str, Any], where: str) -> None:
    """Refuse the first line of a file that byheart wrote, wherever it stands.

    Args:
        row: what the line says.
        where: the source and the line, for errors.

    Raises:
        InvalidArgument: it is one.

    >>> check_foreign({"format": "byheart-jsonl", "text": "a record whose metadata says so"}, "a.jsonl, line 1")

    """
    if row.get("format") == FORMAT and "text" not in row:
        raise InvalidArgument(
            f"{where}, parsing: byheart wrote this file, as an export or a memory; bring its records back by"
            " `byheart import --exported FILE` (Memory.import_from), or keep it out of what is imported"
        )


def check_cell(record: Record, where: str, cell: Mapping[str, Any]) -> None:
    """Refuse a record whose line names another cell than the one that its source is read for.

    Args:
        record: of the line.
        where: the source and the line, for errors.
        cell: tenant, scope and boundary_class, as far as the source is held to them.

    Raises:
        BoundaryViolation: it names another.

    >>> check_cell(Record(text="tea", tenant="acme"), "a.jsonl, line 1", {"tenant": "acme", "scope": None})

    """
    for name in _CELL:
        said, held = getattr(record, name), cell.get(name)
        if held is not None and said != held:
            raise BoundaryViolation(
                f"{where}: names {name} {said!r}, and the import is for {held!r}; import it for that {name}, or take"
                " that out of the line"
            )
