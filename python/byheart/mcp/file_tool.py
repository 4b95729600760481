"""The tool `memory`: the commands of `memory_20250818` for hosts that speak this protocol."""

from __future__ import annotations

from .failures import Refused
from .files import FIELDS, MAX_CHARACTERS, WRITES, Files
from .schemas import closed, several, text, whole
from .tool import FILES, Answer, Arguments, Call, Tool

_PATH = text(512)
_TEXT = text(MAX_CHARACTERS, minLength=0)


def _memory(call: Call, arguments: Arguments) -> Answer:
    if call.service.read_only and arguments["command"] in WRITES:
        raise Refused("READ_ONLY", "this memory is only read; nothing was changed")
    said = Files(call.memory, call.service.boundary_class).run(arguments)
    return Answer({"text": said}, said)


TOOLS = (
    Tool(
        name="memory",
        group=FILES,
        title="Memory files",
        description=(
            "Notes of your own as files below /memories: view a file or folder, create, str_replace, insert, delete, "
            "rename. Look there before you begin, and keep what you learn."
        ),
        arguments=closed(
            {
                "command": {"type": "string", "enum": list(FIELDS)},
                "path": _PATH,
                "view_range": several(whole(-1, MAX_CHARACTERS), 2, "First and last line.") | {"minItems": 2},
                "file_text": _TEXT,
                "old_str": text(MAX_CHARACTERS),
                "new_str": _TEXT,
                "insert_line": whole(0, MAX_CHARACTERS),
                "insert_text": _TEXT,
                "old_path": _PATH,
                "new_path": _PATH,
            },
            ["command"],
        ),
        result=closed({"text": {"type": "string"}}, ["text"]),
        handler=_memory,
        changes=True,
        destructive=True,
        idempotent=False,
        max_bytes=4_194_304,
    ),
)
