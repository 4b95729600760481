"""Errors and notes of the package in the words of the command line: options in place of arguments."""

import re
from pathlib import Path

import pytest

from byheart.cli import main
from byheart.cli.wording import IN_WORDS

from .conftest import Run

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "byheart"


def test_what_is_put_in_other_words_is_what_the_package_says() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path.parent.name != "cli"]
    joined = [re.sub(r'"\s*f?"', "", text) for text in texts]  # strings that go on in the next line
    assert len(IN_WORDS) >= 5 and len(joined) > 100
    assert not [said for said in IN_WORDS if not any(said in text for text in joined)]


def test_marks_that_left_something_out_name_the_option(run: Run) -> None:
    run("remember", "The kettle is blue.")
    told = run("recall", "kettle -blue", code=1)
    assert told.endswith("note: '-blue' left out 1 record; --no-operators takes marks as text\n")
    assert "--no-operators takes marks as text" in run("recall", "kettle -blue", "--explain", code=1)
    many = " ".join(f"+word{number}" for number in range(200))
    assert "ask with --no-operators to have such marks taken as plain text" in run("recall", many, code=2)


def test_what_a_record_says_is_shown_as_it_is(run: Run) -> None:
    run("remember", "To have marks as text ask with operators=False.", "--id", "by cell=x")
    for more in ([], ["--explain"]):
        told = run("recall", "marks as text", *more)
        assert "by cell=x" in told and "ask with operators=False" in told


def test_a_context_names_the_option_in_its_notes(
    run: Run, memory_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("remember", "The kettle is blue.")
    assert main(["context", "kettle -blue", "--budget", "50", "-m", str(memory_file)]) == 1
    assert "left out 1 record; --no-operators takes marks as text" in capsys.readouterr().err


def test_a_relation_that_there_is_not_names_the_options(run: Run) -> None:
    told = run("remember", "--subject", "Ann", "--relation", "lives_in", "--object", "Kyoto", code=2)
    assert "others are declared by --relations, or --single-valued for those with one value at a time" in told
    assert "Memory(" not in told and "=[" not in told


def test_the_last_turns_of_no_session_name_the_option(run: Run) -> None:
    run("remember", "The kettle is blue.")
    told = run("context", "kettle", "--recent", "--budget", "50", code=2)
    assert told == "byheart: --session: is missing; say whose turns are meant\n"


def test_missing_vectors_name_the_command(run: Run) -> None:
    run("remember", "The kettle is blue.")
    if run("stats").split(":")[0].endswith(".jsonl"):
        return  # whose vectors are made for the call
    told = run("recall", "kettle", "--profile", "dense", "--embedder", "hashing")
    assert "note: dense: 1 of 1 records have no vector (`byheart embed` makes them)" in told


def test_missing_vectors_that_are_given_name_the_option(run: Run, memory_file: Path) -> None:
    if memory_file.suffix == ".jsonl":
        return  # which keeps none
    run("remember", "The kettle is blue.", "--id", "a", "--vectors", "mine:3", "--vector", "[1, 0, 0]")
    run("update", "a", "--text", "The kettle is red.")
    told = run("recall", "kettle", "--profile", "dense", "--vectors", "mine:3", "--vector", "[1, 0, 0]")
    assert "1 of 1 records have no vector (remember them again under their ids, with --vector)" in told
    assert "1 of 1 records" not in run("recall", "kettle", "--vectors", "mine:3", "--profile", "kb-fast")


def test_vectors_of_another_model_name_the_command(run: Run, memory_file: Path) -> None:
    if memory_file.suffix == ".jsonl":
        return
    run("remember", "The kettle is blue.", "--embedder", "hashing")
    told = run("recall", "kettle", "--vectors", "mine:3", "--vector", "[1, 0, 0]", code=2)
    assert "family is 'hashing' in what is stored, 'mine' in what is given" in told
    assert told.endswith(
        "; name the embedder that made the vectors, or make them anew: `byheart embed --embedder NAME`\n"
    )
    assert "{" not in told


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        (("kettle", "--where", "topic=x"), "ids and a filter"),
        (("kettle", "--source", "a.md"), "ids and --source"),
        (("--until", "10", "--source", "a.md"), "a filter and --source"),
        (("kettle", "--since", "0", "--source", "a.md"), "ids and a filter and --source"),
    ],
)
def test_of_what_says_which_records_go_only_one_may_be_given(run: Run, typed: tuple[str, ...], given: str) -> None:
    run("remember", "The kettle is blue.", "--id", "kettle")
    told = run("forget", *typed, code=2)
    assert f"{given} are given, and only one of them may be" in told
    assert "give ids, or a filter, or --source (see" in run("forget", code=2)
    assert run("get", "kettle") == "The kettle is blue.\n"
