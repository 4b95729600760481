"""The commands over conversations: compact, expand, and what forget says of summaries."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart import summarising
from byheart.cli import main
from byheart.summarising import FunctionSummariser, Turn

from .conftest import Run


def talk(memory_file: Path, count: int = 4) -> None:
    words = ("tea", "cake", "garden", "kettle")
    with byheart.Memory(memory_file) as memory:
        memory.remember_many(
            {"id": f"t{at}", "text": f"Turn {at} of the {words[at % 4]}.", "session_id": "s1", "created_at": at + 1.0}
            for at in range(count)
        )


def compacted(run: Run, *arguments: str) -> dict[str, Any]:
    return json.loads(run("compact", "--session", "s1", "--target", "2", "--json", *arguments))


def test_turns_are_put_behind_summaries(run: Run, memory_file: Path) -> None:
    talk(memory_file)
    shown = run("compact", "--session", "s1", "--target", "2").splitlines()
    assert shown[0].startswith("4 turns archived; summaries: 2, extractive, mean confidence 0.")
    assert [line.startswith("  summary:") for line in shown[1:3]] == [True, True]
    assert shown[3:] == ["note: no embedder: turns were chosen by their words, hashed"]
    assert run("compact", "--session", "s1").startswith("nothing to compact")
    assert run("recall", "turn of the tea", "-k", "9").count("summary:") == 2
    assert run("compact", "--session", "s3").splitlines() == [
        "nothing to compact", "note: session 's3': no record that can be seen here is of it",
    ]  # fmt: skip


def test_what_is_behind_a_summary_is_shown(run: Run, memory_file: Path) -> None:
    talk(memory_file)
    done = compacted(run, "--embedder", "hashing") if memory_file.suffix == ".db" else compacted(run)
    assert (done["did_compact"], done["turns_removed"], done["declined"]) == (True, 4, [])
    first, second = done["summaries"]
    assert run("expand", first) == "t0\n     Turn 0 of the tea.\nt1\n     Turn 1 of the cake.\n"
    turns = json.loads(run("expand", second, "--json"))
    assert [(turn["id"], turn["archived_by"]) for turn in turns] == [("t2", second), ("t3", second)]
    assert "is no summary" in run("expand", "t0", code=2)
    assert "lies inside the boundary" in run("expand", first, "--class", "secret", code=1)


def test_deleted_turns_are_gone(run: Run, memory_file: Path) -> None:
    talk(memory_file)
    shown = run("compact", "--session", "s1", "--target", "2", "--delete").splitlines()
    assert shown[0].startswith("4 turns deleted")
    assert run("expand", shown[1].strip(), code=1).startswith("nothing is behind it any more")


def test_a_summariser_that_fails_is_stood_in_for_if_that_is_asked_for(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(turns: Sequence[Turn]) -> tuple[str, float]:
        raise RuntimeError("no model")

    monkeypatch.setattr(summarising, "OnnxSummariser", lambda folder: FunctionSummariser(failing, str(folder)))
    talk(memory_file)
    arguments = ("compact", "--session", "s1", "--force", "--summariser", "anywhere")
    assert "anywhere: failed with RuntimeError: no model" in run(*arguments, code=2)
    shown = run(*arguments, "--fallback")
    assert "4 turns archived; summaries: 1, extractive" in shown and "the turns were extracted instead" in shown


def test_turns_that_are_left_alone_are_named(run: Run, memory_file: Path) -> None:
    talk(memory_file)
    with byheart.Memory(memory_file) as memory:
        memory.update("t1", expires_at=4e9)
    assert "left alone: t1 (it expires: a summary would outlive it, " in run("compact", "--session", "s1", "--force")
    assert run("compact", "--session", "s1", "--force", "--keep-recent", "9").startswith("nothing to compact")


def test_forgetting_says_what_follows(run: Run, memory_file: Path) -> None:
    talk(memory_file, 6)
    first, second, third = compacted(run)["summaries"]
    assert run("forget", "t1") == (
        f"1 record forgotten\nsummaries that went with them: {first}\narchived before, found again: t0\n"
    )
    assert json.loads(run("forget", second, "--json")) == {
        "forgotten": [second],
        "missing": [],
        "summaries": [],
        "released": ["t2", "t3"],
        "copies": [],
        "reinstated": [],
        "untouched": [],
        "damaged": [],
    }
    assert run("forget", third, "--with-turns") == "3 records forgotten\n"
    assert [record.id for record in byheart.Memory(memory_file).records()] == ["t0", "t2", "t3"]


def test_a_turn_is_remembered_with_its_session(run: Run, memory_file: Path) -> None:
    run("remember", "The kettle is descaled every spring.", "--id", "a", "--session", "s1", "--user", "u1")
    [record] = byheart.Memory(memory_file).records()
    assert (record.session_id, record.user_id) == ("s1", "u1")


def test_a_model_that_is_not_there_is_named(run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(memory_file)
    missing = str(memory_file.parent / "no-model")
    shown = run("compact", "--session", "s1", "--force", "--summariser", missing, code=2)
    assert "no-model" in shown
    assert main(["compact", "--session", "s1", "--memory", missing]) == 2
    assert "there is no such memory" in capsys.readouterr().err


def test_a_recall_says_for_whom_it_is(run: Run, memory_file: Path) -> None:
    with byheart.Memory(memory_file) as memory:
        for name, session in (("a", "s1"), ("b", "s2")):
            text = f"The kettle of {session} is descaled."
            memory.remember(text, id=name, session_id=session, category=session)
    found = run("recall", "which kettle?", "--profile", "scoped", "--session", "s2", "--json")
    assert [hit["id"] for hit in json.loads(found)["hits"]] == ["b"]
    found = run("recall", "which kettle?", "--category", "s1", "--json")
    assert [hit["id"] for hit in json.loads(found)["hits"]] == ["a"]
    assert "no leg of the profile proposed it" in run(
        "explain", "which kettle?", "a", "--profile", "scoped", "--session", "s2"
    )


def test_the_help_of_expand_shows_an_id_as_summaries_have_it_and_where_it_comes_from(
    run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(memory_file)
    [made, *_] = compacted(run)["summaries"]
    with pytest.raises(SystemExit):
        main(["expand", "--help"])
    shown = capsys.readouterr().out
    [example] = re.findall(r"^  byheart expand (\S+)", shown, re.MULTILINE)
    form = r"summary:[0-9a-f]{16}"
    assert re.fullmatch(form, made) and re.fullmatch(form, example)
    assert "`byheart list --where kind=summary`" in " ".join(shown.split())
    assert made in run("list", "--where", "kind=summary")
