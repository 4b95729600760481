"""Bounds of what people read: how much of a list, a text or a name is told, and from where on it is cut or refused.

Each is asked at its bound and one beyond it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import byheart
from byheart.boundary.policy.version import Version
from byheart.cli.importer import _all_of
from byheart.conversation.compaction import timestamp
from byheart.errors import BoundaryViolation, ByheartError, InvalidArgument, InvalidPolicy
from byheart.evaluation.converters import sessions
from byheart.mcp.wording import nothing_found
from byheart.recall.showing import table
from byheart.records import Record
from byheart.retrieval.symbolic import fact_of


@pytest.mark.parametrize(("length", "end"), [(60, "x')"), (61, "x…')")])
def test_a_record_on_a_line_shows_60_characters_of_its_text(length: int, end: str) -> None:
    assert repr(Record(text="x" * length)) == f"Record(None, text='{'x' * 59}{end}"


@pytest.mark.parametrize(("number", "behind"), [(50, ""), (51, "<td>and 1 more</td>"), (53, "<td>and 3 more</td>")])
def test_a_table_in_a_notebook_has_50_rows(number: int, behind: str) -> None:
    shown = table("tea", ["place"], [[place] for place in range(number)])
    assert shown.count("<td>") == min(number, 50) + bool(behind)
    assert "more" not in shown if not behind else behind in shown


@pytest.mark.parametrize(("number", "cut"), [(3, False), (4, True)])
def test_a_page_on_a_line_shows_three_records(number: int, cut: bool) -> None:
    memory = byheart.Memory()
    memory.remember_many([f"Tea number {place}." for place in range(number)])
    shown = repr(memory.records())
    assert (shown.count("Record("), shown.endswith(", ...])")) == (3, cut)


@pytest.mark.parametrize(("number", "cut"), [(5, False), (6, True)])
def test_a_context_on_a_line_shows_five_entries(number: int, cut: bool) -> None:
    memory = byheart.Memory()
    memory.remember_many(
        [f"The tea of {name} is green." for name in ("Ann", "Bob", "Eve", "Joe", "Mia", "Tim")[:number]]
    )
    context = memory.context("whose tea is green?", 2_000)
    assert len(context.entries) == number
    shown = repr(context)
    assert [f"M{place} " in shown for place in range(1, number + 1)] == [place <= 5 for place in range(1, number + 1)]
    assert shown.endswith(", ...])") == cut


@pytest.mark.parametrize(("number", "more"), [(2, ""), (100, ""), (101, "; and 1 more"), (103, "; and 3 more")])
def test_a_hundred_files_are_named_that_cannot_be_imported(number: int, more: str) -> None:
    said = str(_all_of([InvalidArgument(f"file {place}") for place in range(number)]))
    named = "; ".join(f"file {place}" for place in range(min(number, 100)))
    assert said == f"{number} files cannot be imported: {named}{more}"


def test_one_file_that_cannot_be_imported_is_its_own_error_and_foreign_ones_are_foreign() -> None:
    foreign, wrong = BoundaryViolation("a"), InvalidArgument("b")
    assert _all_of([wrong]) is wrong
    assert [type(_all_of(errors)) for errors in ([foreign, foreign], [foreign, wrong], [wrong, wrong])] == [
        BoundaryViolation, InvalidArgument, InvalidArgument,
    ]  # fmt: skip


def test_a_message_of_20_000_characters_is_told_whole_and_a_longer_one_without_its_middle() -> None:
    whole = "a" * 10_000 + "b" * 10_000
    assert str(ByheartError(whole)) == whole
    told = str(ByheartError("a" * 10_001 + "b" * 10_000))
    assert told == f"{'a' * 10_000} … {'b' * 9_997}" and len(told) == 20_000


@pytest.mark.parametrize(("length", "read"), [(512, True), (513, False)])
def test_what_a_plain_fact_names_has_512_bytes_at_most(length: int, read: bool) -> None:
    assert (fact_of(Record(text=f"Ann uses {'x' * length}")) is not None) == read


def test_a_version_has_128_characters_at_most() -> None:
    longest = f"1.0.0-{'a' * 122}"
    assert str(Version.read(longest)) == longest
    with pytest.raises(InvalidPolicy, match="no SemVer"):
        Version.read(f"{longest}a")


def test_a_model_reads_four_reasons_of_300_characters() -> None:
    assert nothing_found(["a", "b", "c", "d", "e"]) == "nothing was found\na\nb\nc\nd"
    assert nothing_found(["x" * 300, "y" * 301]) == f"nothing was found\n{'x' * 300}\n{'y' * 300} …"


@pytest.mark.parametrize(
    ("given", "time"), [(2**63 - 1, 2**63 - 1), (2**63, 0), (-(2**63), -(2**63)), (-(2**63) - 1, 0)]
)
def test_a_time_that_is_a_text_fits_64_bits(given: int, time: int) -> None:
    assert timestamp(str(given)) == time
    assert timestamp(given) == given, "a number is what it is"


@pytest.mark.parametrize(("number", "more"), [(20, ""), (21, "; and 1 more"), (23, "; and 3 more")])
def test_twenty_problems_of_a_collection_are_told(tmp_path: Path, number: int, more: str) -> None:
    path = tmp_path / "sessions.json"
    path.write_text(json.dumps({"name": "tea", "questions": [1] * number}), encoding="utf-8")
    with pytest.raises(InvalidArgument) as told:
        list(sessions.read(path))
    named = "; ".join(f"questions[{place}]: is no object" for place in range(20))
    assert str(told.value) == f"{path}: {named}{more}"
