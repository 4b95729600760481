"""Commands as they answered: what each prints, where, and with which exit code, of a made-up folder at a made-up time.

What is changed on purpose is written anew: `python -m tests.regression.test_kept_commands`. Versions, times of the
clock, sizes, what is drawn and what the processor can do are left out. Some commands are wrong on purpose: what is told
then is kept as well.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from byheart import Memory
from byheart.cli import main

from .scenes import NOTES, NOW, TURNS

KEPT = Path(__file__).with_name("commands")
MASKS = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{16,64}\b"), "<drawn>"),
    (re.compile(r"\b1(?:79|[89]\d)\d{7}(?:\.\d+)?\b"), "<clock>"),
    (
        re.compile(r"\b20(?:26-1\d|2[7-9]-\d\d|[3-9]\d-\d\d)-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)?"),
        "<time>",
    ),
    (re.compile(r"\b\d+(?:[.,]\d+)? ?(?:us|ms|s|seconds|bytes|[kKMG]i?B)\b"), "<measured>"),
    (re.compile(r"\b(?:Linux|macOS|Windows)-\S+"), "<platform>"),
    (re.compile(r"\b\d+\.\d+\.\d+\b"), "<version>"),
    (re.compile(r"\b(?:portable|avx2|avx512)\b"), "<instructions>"),
)
LONGEST = 1_500
"""Characters of a stream: of a longer one the beginning and the end are kept."""
SCRIPTS: dict[str, str] = {
    "notes": """
        import notes -m F
        import notes -m F --json
        import notes -m F --sync
        import notes/kettle.md nowhere.md -m F
        import facts.jsonl -m F --facts
        import lines.jsonl -m F --scope house --class public
        import -m F
        list -m F
        list -m F --json --limit 2 --order-by=-id
        list -m F --where topic=kitchen --since 2020-01-01
        list -m F --where 'importance>=nothing'
        list -m F --order-by mood
        recall "where is the boiler?" -m F --now NOW
        recall "where is the boiler?" -m F --now NOW --explain -k 2
        recall "where is the boiler?" -m F --now NOW --json --profile kb-fast
        recall "where is the boiler?" -m F --profile nothing
        recall "xyzzy plugh" -m F
        recall water -m F --profile hybrid --set max_results=2 --now NOW
        recall water -m F --profile hybrid --set max_result=2
        recall boiler -m F --profile dense
        recall boiler -m F --exclude boiler --mode approx --now NOW -k 99
        recall boiler -m F -k 0
        recall 'the "water tank" -old' -m F --now NOW
        recall boiler -m F --user ann --class secret --now NOW
        remember "The boiler is on the roof." -m F --id roof --created-at NOW
        explain "where is the boiler?" roof -m F --now NOW
        explain "where is the boiler?" roof -m F --now NOW --json
        explain "where is the boiler?" nobody -m F
        context "boiler water" -m F --budget 40 --now NOW
        context "boiler water" -m F --budget 40 --now NOW --json
        context "boiler water" -m F --budget -4
        replay nothing.json -m F
        """,
    "records": """
        remember "The ferry leaves at noon." -m F --id ferry --created-at NOW --tag boat --metadata room=hall
        remember "The ferry leaves at noon." -m F --created-at NOW --json
        remember "The ferry leaves at one." -m F --id later --supersedes ferry --created-at NOW --importance 0.5
        remember -m F --id nothing
        remember "x" -m F --importance much
        remember "x" -m F --id "" --created-at tomorrow
        remember "Ferry uses diesel." -m F --subject ferry --relation uses --object diesel --id fact --created-at NOW
        remember "Ferry eats diesel." -m F --subject ferry --relation eats --object diesel
        remember "x" -m F --vector "[1, 2]"
        get ferry -m F
        get nobody -m F
        show ferry -m F
        show ferry -m F --json
        show nobody -m F
        update ferry -m F --topic sea --clear tags
        update ferry -m F --clear id
        update ferry -m F --if-version 1 --topic lake
        update nobody -m F --topic sea
        update ferry -m F
        history ferry -m F
        history ferry -m F --json
        stats -m F
        stats -m F --json
        users -m F
        sessions -m F
        forget nobody -m F
        forget --where topic=sea -m F --dry-run
        forget --where topic=sea -m F --yes
        forget later -m F --json
        forget -m F
        purge -m F --now NOW
        purge -m F --dry-run --json
        check -m F
        check -m F --json
        rebuild -m F
        rebuild -m F --json
        export out.jsonl -m F
        export out.jsonl -m F
        backup copy.db -m F
        backup copy.db -m F
        list -m copy.db
        embed -m F
        embed -m F --embedder hashing
        embed -m F --embedder nobody
        doctor -m nowhere.db
        nothing
        recall -m F --unknown
        recall kettle -m F --preset talk
        recall kettle -m nowhere.db
        """,
    "talk": """
        import turns.jsonl -m F --exported
        sessions -m F
        sessions -m F --json
        users -m F
        users -m F --json
        recall "when does my flight leave?" -m F --session talk --now NOW
        context "when does my flight leave?" -m F --session talk --recent --budget 60 --now NOW
        context flight -m F --recent
        compact -m F --session talk --target 3 --force --keep-recent 2
        recall "when does my flight leave?" -m F --session talk --now NOW
        history t1 -m F
        list -m F --json --limit 1 --where kind=summary
        compact -m F --session talk
        compact -m F --session nobody --json
        compact -m F
        list -m F --where kind=summary
        expand nobody -m F
        stats -m F
        """,
}
FILES = {"notes": "m.db", "records": "m.jsonl", "talk": "m.db"}


def prepare() -> None:
    """Write the files that commands read into the folder."""
    Path("notes").mkdir()
    for note in NOTES[:6]:
        Path("notes", f"{note['id']}.md").write_text(f"# {note['id']}\n\n{note['text']}\n", encoding="utf-8")
        os.utime(Path("notes", f"{note['id']}.md"), (NOW, NOW))
    Path("notes", "odd.bin").write_bytes(b"\x00\x01")
    lines = "".join(json.dumps({"created_at": NOW, **note}) + "\n" for note in NOTES)
    Path("lines.jsonl").write_text(lines, encoding="utf-8")
    Path("facts.jsonl").write_text('{"subject": "ferry", "relation": "uses", "object": "diesel"}\n', encoding="utf-8")
    with Memory() as memory:
        for at, (role, text) in enumerate(TURNS):
            turn: dict[str, str] = {"session_id": "talk", "user_id": "ann", "role": role, "id": f"t{at}"}
            memory.ingest_turn(text, created_at=NOW + at, **turn)  # type: ignore[arg-type]
        memory.export_to("turns.jsonl", {"kind": "turn"})


def printed(text: str) -> list[str]:
    """Return what a stream shows, with marks where it is another each time."""
    for pattern, mark in MASKS:
        text = pattern.sub(mark, text)
    text = text.replace(os.path.realpath("."), "HERE")
    return (text if len(text) <= LONGEST else text[: LONGEST // 2] + "\n[...]\n" + text[-LONGEST // 2 :]).splitlines()


def lines(script: str) -> Iterator[str]:
    """Yield what each command of a script prints, its errors behind it, and its exit code if it is not 0."""
    prepare()
    file = FILES[script]
    for line in SCRIPTS[script].strip().splitlines():
        words = shlex.split(line.strip().replace("-m F", f"-m {file}").replace("NOW", str(NOW)))
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(words)
            except SystemExit as error:
                code = int(error.code or 0)
        yield f"$ {line.strip()}" + (f"    [{code}]" if code else "")
        yield from printed(out.getvalue())
        yield from (f"! {each}" for each in printed(err.getvalue()))


def told(script: str) -> str:
    """Return what a script gives, in an environment that says nothing of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BYHEART_")}
    with mock.patch.dict(os.environ, {**kept, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}, clear=True):
        return "\n".join(lines(script)) + "\n"


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_command_answers_as_it_was_kept(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    there = (KEPT / f"{script}.txt").read_text(encoding="utf-8").splitlines()
    assert len(there) > 60
    assert told(script).splitlines() == there


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for script in SCRIPTS:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            (KEPT / f"{script}.txt").write_text(told(script), encoding="utf-8")
