"""The keys of `--json`, as the guide lists them: what programs read stays."""

import json
import re
from pathlib import Path

import pytest

from byheart import BackupReceipt, CompactReceipt, Explanation, Happened, Page, Recall, Session, User
from byheart.cli.parser import build_parser
from byheart.frozen import SCHEMA_VERSION, Document

from .conftest import Run
from .test_cli_help import commands

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "command_line.md"
WORD = re.compile(r"`([a-z_]+)`")
SETUP = (
    ("remember", "Steep the tea for three minutes.", "--id", "tea"),
    ("remember", "turn one of the tea", "--id", "t1", "--session", "s", "--created-at", "1"),
    ("remember", "turn two of the tea", "--id", "t2", "--session", "s", "--user", "ann", "--created-at", "2"),
)
CALLS: dict[str, list[tuple[str, ...]]] = {
    "remember": [("remember", "x", "--id", "x")],
    "update": [("update", "tea", "--topic", "t")],
    "recall": [("recall", "tea"), ("recall", "tea", "--explain")],
    "context": [("context", "tea", "--budget", "50")],
    "explain": [("explain", "tea", "tea")],
    "replay": [("replay", "receipt.json")],
    "list": [("list",)],
    "get": [("get", "tea")],
    "show": [("show", "tea")],
    "forget": [("forget", "tea"), ("forget", "--where", "topic=none", "--yes")],
    "purge": [("purge",)],
    "history": [("history", "tea")],
    "sessions": [("sessions",)],
    "users": [("users",)],
    "backup": [("backup", "BACKUP")],
    "import": [("import", "n"), ("import", "n", "--sync"), ("import", "--exported", "out.jsonl")],
    "compact": [("compact", "--session", "s", "--force")],
    "expand": [("expand", "SUMMARY")],
    "stats": [("stats",)],
    "check": [("check",)],
    "rebuild": [("rebuild",)],
    "export": [("export", "more.jsonl")],
    "embed": [("embed", "--embedder", "hashing")],
    "doctor": [("doctor",)],
}
BESIDE = {"recall": {"--explain"}, "forget": {"--where"}, "import": {"--sync", "--exported"}, "purge": set()}


def documented() -> dict[str, str]:
    """Return what the guide says of each command."""
    table = GUIDE.read_text(encoding="utf-8").split("## JSON")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.MULTILINE)
    return {command: keys for names, keys in rows for command in WORD.findall(names)}


def keys_of(said: str, options: set[str]) -> set[str]:
    """Return the keys that the guide promises of a call with these options."""
    always, *more = said.split("; ")
    if "--exported" in options:
        return set(WORD.findall(more[-1])) - {"exported"}
    kept = [always, *(each for each in more if f"`{min(options, default='-')}`" in each)]
    kept += [each for each in more if each.startswith("without ids") and "--where" in options]
    return set(WORD.findall(re.sub(r"\(.*?\)", "", " ".join(kept))))


def test_every_command_with_json_is_in_the_guide() -> None:
    having = {
        name
        for name, parser in commands(build_parser())
        if "--json" in parser._option_string_actions and " " not in name
    }
    numbers = {"eval", "bench"}  # whose files say themselves what they are
    assert len(CALLS) >= 20 and documented().keys() == having - numbers == CALLS.keys()


@pytest.mark.parametrize("command", CALLS)
def test_the_keys_are_those_of_the_guide(run: Run, memory_file: Path, command: str) -> None:
    for words in SETUP:
        run(*words)
    (memory_file.parent / "receipt.json").write_text(run("recall", "tea", "--json"))
    (memory_file.parent / "n").mkdir()
    (memory_file.parent / "n" / "a.txt").write_text("Rinse the rice.")
    run("export", "out.jsonl")
    said = documented()[command]
    summary = (
        json.loads(run("compact", "--session", "s", "--force", "--json"))["summaries"] if command == "expand" else []
    )
    if command == "embed" and memory_file.suffix == ".jsonl":
        return  # a text file keeps no vectors
    for words in CALLS[command]:
        stands_for = {"SUMMARY": "".join(summary[:1]), "BACKUP": f"backup{memory_file.suffix}"}
        asked = [stands_for.get(word, word) for word in words]
        nothing = command == "forget" and "--where" in words
        told = json.loads(run(*asked, "--json", code=1 if nothing else 0))
        if "a list" in said:
            assert isinstance(told, list) and all(isinstance(each, dict) for each in told)
            continue
        told = told["default"] if command == "stats" else told
        options = {word for word in words if word in BESIDE.get(command, set())} | (
            {"--where"} if command == "purge" else set()
        )
        assert set(told) >= keys_of(said, options) != set(), words


def test_the_keys_below_are_those_of_the_guide(run: Run, memory_file: Path) -> None:
    for words in SETUP:
        run(*words)
    said = documented()["recall"]
    [inner] = re.findall(r"`hits` \(each (.*?)\)", said)
    assert set(json.loads(run("recall", "tea", "--json"))["hits"][0]) >= set(WORD.findall(inner)) != set()
    if memory_file.suffix == ".db":
        damaged = memory_file.read_bytes().replace(b"three minutes", b"seven minutes")
        memory_file.write_bytes(damaged)
        problem = json.loads(run_checked(run))[0]
        assert set(problem) == set(WORD.findall(documented()["check"]))


@pytest.mark.parametrize(
    ("words", "kind"),
    [(("list",), Page), (("list", "--limit", "1"), Page), (("recall", "tea"), Recall), (("history", "tea"), Happened),
     (("explain", "tea", "tea"), Explanation), (("sessions",), Session), (("users",), User),
     (("compact", "--session", "s", "--force"), CompactReceipt), (("backup", "BACKUP"), BackupReceipt)],
)  # fmt: skip
def test_what_a_verb_gives_back_has_one_form(
    run: Run, memory_file: Path, words: tuple[str, ...], kind: type[Document]
) -> None:
    for each in SETUP:
        run(*each)
    asked = [f"backup{memory_file.suffix}" if word == "BACKUP" else word for word in words]
    told = json.loads(run(*asked, "--json"))
    for each in told if isinstance(told, list) else [told]:
        assert kind.from_dict(each).to_dict() == each and each["schema_version"] == SCHEMA_VERSION


def run_checked(run: Run) -> str:
    """Return the JSON of a check that finds something: its line on standard error is left aside."""
    import contextlib
    import io

    from byheart.cli import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        file = next(path for path in Path().iterdir() if path.suffix == ".db")
        assert main(["check", "--json", "-m", str(file)]) == 1
    return said.getvalue()
