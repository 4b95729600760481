"""Filters on the command line: `--where`, `--since` and `--until`, as `Memory` takes them."""

import io
import json
from pathlib import Path

import pytest

import byheart
from byheart.cli import main

from .conftest import Run

DAY = 86_400
ROOMS = {"a": ("kitchen", 0), "b": ("hall", DAY), "c": ("kitchen", 2 * DAY)}


@pytest.fixture
def filled(memory_file: Path) -> Path:
    """Fill the memory file with three records in two rooms, made a day apart."""
    with byheart.Memory(memory_file) as memory:
        for id, (room, made) in ROOMS.items():
            memory.remember(f"the lamp {id}", id=id, metadata={"room": room}, created_at=made, topic="lamp")
    return memory_file


def found(answer: str) -> list[str]:
    return sorted(hit["id"] for hit in json.loads(answer)["hits"])


FILTERS = {
    "json": (["--where", '{"metadata.room": "kitchen"}'], "ac"),
    "operators": (["--where", '{"not": {"created_at": {">=": 86400}}}'], "a"),
    "field=value": (["--where", "metadata.room=hall"], "b"),
    "one field twice widens": (["--where", "metadata.room=hall", "--where", "metadata.room=kitchen"], "abc"),
    "json narrows": (["--where", '{"metadata.room": "kitchen"}', "--where", '{"created_at": {"<": 1}}'], "a"),
    "both forms": (["--where", "topic=lamp", "--where", '{"metadata.room": "hall"}'], "b"),
    "since": (["--since", "1970-01-02T00:00:00Z"], "bc"),
    "until": (["--until", "86400"], "a"),
    "since and until": (["--since", "86400", "--until", "1970-01-03T00:00:00+00:00"], "b"),
    "where and since": (["--where", "metadata.room=kitchen", "--since", "1"], "c"),
}


@pytest.mark.parametrize(("options", "expected"), FILTERS.values(), ids=FILTERS)
def test_a_recall_finds_what_the_filter_lets_through(run: Run, filled: Path, options: list[str], expected: str) -> None:
    assert found(run("recall", "lamp", *options, "--json")) == list(expected)


@pytest.mark.parametrize(("options", "expected"), FILTERS.values(), ids=FILTERS)
def test_records_exports_and_forgets_by_the_same_filter(
    run: Run, filled: Path, options: list[str], expected: str
) -> None:
    listed = json.loads(run("records", *options, "--json"))
    assert [record["id"] for record in listed["records"]] == list(expected)
    copy = filled.parent / "copy.jsonl"
    assert json.loads(run("export", str(copy), *options, "--json")) == {"exported": len(expected)}
    assert json.loads(run("forget", *options, "--yes", "--json"))["forgotten"] == list(expected)
    rest = [record["id"] for record in json.loads(run("records", "--json"))["records"]]
    assert rest == [id for id in ROOMS if id not in expected]
    with byheart.Memory() as other:
        other.import_from(copy)
        assert [record.id for record in other.records()] == list(expected)


def test_an_explanation_knows_the_filter(run: Run, filled: Path) -> None:
    plain = json.loads(run("explain", "lamp", "b", "--json"))
    alone = json.loads(run("explain", "lamp", "b", "--where", "metadata.room=hall", "--json"))
    assert alone["score"] == plain["score"] > 0
    assert ("rank 2" in plain["notes"][0], "rank 1" in alone["notes"][0]) == (True, True)
    assert json.loads(run("explain", "lamp", "b", "--since", "172800", "--json"))["score"] == 0


def test_records_are_listed_in_order_and_up_to_a_limit(run: Run, filled: Path) -> None:
    assert run("records", "--limit", "1").splitlines() == [
        "a  1970-01-01T00:00:00+00:00  lamp", "     the lamp a", "more behind --cursor " + cursor(run, filled),
    ]  # fmt: skip
    ordered = json.loads(run("records", "--order-by=-created_at", "--limit", "2", "--json"))
    assert [record["id"] for record in ordered["records"]] == ["c", "b"]
    last = json.loads(run("records", "--order-by=-created_at", "--cursor", ordered["cursor"], "--json"))
    assert ([record["id"] for record in last["records"]], last["cursor"]) == (["a"], None)
    assert run("records", "--where", "topic=none") == "no records\n"


def cursor(run: Run, filled: Path) -> str:
    return str(json.loads(run("records", "--limit", "1", "--json"))["cursor"])


def test_records_outside_the_boundary_are_not_listed(run: Run, filled: Path) -> None:
    run("remember", "the door code is 4417", "--class", "secret", "--id", "door")
    assert "4417" not in run("records")
    assert "4417" in run("records", "--class", "secret")
    assert run("records", "--tenant", "nobody") == "no records\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--where", '{"topic": '], "--where: is no JSON"),
        (["--where", '{"topic": "a", "topic": "b"}'], "--where: the key 'topic' stands twice"),
        (["--where", '{"importance": NaN}'], "--where: NaN is no JSON"),
        (["--where", "topic"], "--where: 'topic' is neither FIELD=VALUE nor a filter in JSON"),
    ],
)
def test_what_is_no_filter_is_wrong_usage(run: Run, filled: Path, options: list[str], message: str) -> None:
    for command in (["recall", "lamp"], ["explain", "lamp", "a"], ["records"], ["forget", "--yes"], ["export", "x"]):
        assert message in run(*command, *options, code=2)
    assert len(json.loads(run("records", "--json"))["records"]) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--where", '{"colour": 1}'], "unknown field 'colour'"),
        (["--where", '{"importance": {"~": 1}}'], "'~'"),
        (["--since", "yesterday"], "'yesterday' is no ISO time"),
        (["--until", "2026-05-03T25:00:00"], "is no ISO time"),
        (["--since", "5", "--until", "4"], "is after until"),
    ],
)
def test_a_filter_that_cannot_be_used_is_one_line(run: Run, filled: Path, options: list[str], message: str) -> None:
    for command in (["recall", "lamp"], ["explain", "lamp", "a"], ["records"], ["forget", "--yes"], ["export", "x"]):
        error = run(*command, *options, code=2)
        assert message in error and error.count("\n") == 1
    assert not (filled.parent / "x").exists()
    assert len(json.loads(run("records", "--json"))["records"]) == 3


def test_forgetting_by_time_asks_first(run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for option in ("--since", "--until"):
        assert "without being asked" in run("forget", option, "1970-01-02T00:00:00Z", code=2)
    assert "ids and a filter are given" in run("forget", "a", "--since", "0", code=2)
    assert "give ids, or a filter, or --source" in run("forget", code=2)
    assert len(json.loads(run("records", "--json"))["records"]) == 3


def test_a_recall_may_be_told_the_time(run: Run, memory_file: Path) -> None:
    with byheart.Memory(memory_file) as memory:
        memory.remember("the lamp is lent", id="lent", created_at=0, expires_at="1970-01-02T00:00:00Z")
    assert found(run("recall", "lamp", "--now", "1970-01-01T12:00:00Z", "--json")) == ["lent"]
    assert found(run("recall", "lamp", "--now", "1970-01-03T00:00:00+01:00", "--json", code=1)) == []
    assert "now: 'noon' is no ISO time" in run("recall", "lamp", "--now", "noon", code=2)


YEARS = {
    "recall --until": ["recall", "lamp", "--until", "2026"],
    "recall --since": ["recall", "lamp", "--since", "1999"],
    "recall --as-of": ["recall", "lamp", "--as-of", "2026"],
    "recall --now": ["recall", "lamp", "--now", "2026"],
    "recall --where": ["recall", "lamp", "--where", "created_at=2026"],
    "forget --until": ["forget", "--yes", "--until", "2026"],
    "purge --now": ["purge", "--now", "2020"],
    "remember --created-at": ["remember", "the lamp is new", "--created-at", "2026"],
    "update --expires-at": ["update", "a", "--expires-at", " 2030 "],
}


@pytest.mark.parametrize("command", YEARS.values(), ids=YEARS)
def test_a_bare_year_is_not_taken_as_seconds(run: Run, filled: Path, command: list[str]) -> None:
    before = filled.read_bytes()
    said = run(*command, code=2)
    year = command[-1].removeprefix("created_at=").strip()
    assert f"'{year}' is a year, not seconds; write {year}-01-01" in said and said.count("\n") == 1
    assert command[-2] in said and filled.read_bytes() == before


def test_seconds_stay_seconds(run: Run, filled: Path) -> None:
    for seconds in ("0", "999", "1e3", "86400", "-1", "2026.5"):
        assert len(found(run("recall", "lamp", f"--since={seconds}", "--json"))) >= 2
    assert found(run("recall", "lamp", "--where", '{"created_at": {"<": 2026}}', "--json")) == ["a"], "JSON has types"


@pytest.mark.parametrize("command", ["recall", "explain", "records", "forget", "export"])
def test_the_help_tells_of_filters(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = capsys.readouterr().out
    assert all(word in said for word in ("--where", "--since", "--until", "JSON"))
