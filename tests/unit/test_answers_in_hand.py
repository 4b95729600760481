"""Answers that people hold: places and slices, short lines, tables of notebooks, data frames, Arrow."""

from __future__ import annotations

import gc
import html.parser
import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart._core import arrow_stream
from byheart.embedding import HashingEmbedder
from byheart.errors import MissingExtra
from byheart.recall import arrow
from byheart.recall.hits import snippet
from byheart.recall.showing import columns, table

from ..counts import examples

HOSTILE = '</td></table><script>alert(1)</script><img src=x onerror="alert(1)">\u202e&lt; "\'`$e^{i}$\x00\n'


@pytest.fixture
def memory() -> Iterator[byheart.Memory]:
    with byheart.Memory() as memory:
        memory.remember("Steep the green tea.", id="tea", created_at=60, metadata={"colour": "red", "cups": [1, 2]})
        memory.remember("Wash the rice, drink tea.", id="rice", created_at="2026-03-03", user_id="ann")
        memory.remember("The boat leaves with tea.", id="boat", topic="Trips", metadata={"colour": "blue"})
        yield memory


def test_an_answer_is_held_as_a_sequence_of_its_hits(memory: byheart.Memory) -> None:
    answer = memory.recall("tea")
    assert len(answer) == 3 and bool(answer) and list(answer) == list(answer.hits)
    assert answer[0] is answer.hits[0] and answer[-1] is answer.hits[-1]
    assert answer[1:] == answer.hits[1:] and type(answer[1:]) is tuple and answer[5:] == ()
    assert "tea" in answer and "kettle" not in answer and answer[0] in answer and 5 not in answer
    with pytest.raises(IndexError):
        answer[3]
    with pytest.raises(TypeError):
        answer["tea"]  # type: ignore[call-overload]
    nothing = byheart.Memory().recall("tea")
    assert not nothing and len(nothing) == 0 and "tea" not in nothing and nothing[:1] == ()


def test_an_answer_tells_the_places_of_its_hits(memory: byheart.Memory) -> None:
    answer = memory.recall("tea")
    assert [answer.index(hit) for hit in answer] == [answer.index(hit.id) for hit in answer] == [0, 1, 2]
    assert list(reversed(answer)) == list(answer.hits[::-1])
    assert (answer.count("tea"), answer.count(answer[0]), answer.count("kettle")) == (1, 1, 0)
    last = answer[2].id
    assert answer.index(last, 1) == answer.index(last, -1) == answer.index(last, 2, 3) == 2
    for wrong in ((last, 0, 2), ("kettle",), (5,)):
        with pytest.raises(ValueError, match="is no hit of this answer"):
            answer.index(*wrong)  # type: ignore[arg-type]
    match answer.hits:
        case (first, *rest):
            assert (first, *rest) == answer[:]
    assert not isinstance(answer, Sequence), "polars takes a sequence row by row, and asks for no Arrow stream"


def test_metadata_is_filtered_by_and_comes_back_in_hits(memory: byheart.Memory) -> None:
    [hit] = memory.recall("tea", where={"metadata.colour": "red"})
    assert hit.id == "tea" and hit.metadata == {"colour": "red", "cups": [1, 2]}
    assert {hit.id for hit in memory.recall("tea", where={"metadata.cups": 2})} == {"tea"}
    assert [record.metadata for record in memory.records({"metadata.colour": "blue"})] == [{"colour": "blue"}]


def test_they_are_short_on_a_line(memory: byheart.Memory) -> None:
    long = memory.remember("tea " * 10_000, id="long")
    for _ in range(40):
        memory.remember(f"tea {_}")
    answer, context = memory.recall("tea", k=30), memory.context("tea", 500)
    shown = [answer, context, answer[0], memory.get(long), memory.records(), memory.records(limit=2), memory]
    assert [type(each).__name__ for each in shown] == [
        "Recall", "Context", "Hit", "Record", "Page", "Page", "Memory",
    ]  # fmt: skip
    for each in shown:
        line = repr(each)
        assert line.startswith(type(each).__name__ + "(") and len(line) < 600 and "\n" not in line
    assert f"{len(answer)} hits" in repr(answer) and repr(answer[0]) in repr(answer)
    assert repr(memory.records(limit=2)).startswith("Page(2 records, more behind: [Record(")
    assert f"{context.tokens:g} of 500 tokens" in repr(context)
    assert repr(memory.get("boat")) == (
        "Record('boat', tenant='default', scope='project', boundary_class='internal', text='The boat leaves with tea.')"
    )
    assert repr(byheart.Memory().recall("x", adaptive=True)).startswith("Recall(0 hits")
    many = byheart.Memory()
    for number in range(4):
        found = repr(many.recall("tea"))
        assert (found.count("Hit("), "..." in found.rpartition("Hit(")[2]) == (number, False), "three at most"
        many.remember(f"tea {number}", id=f"r{number}")
    assert repr(many.recall("tea")).count("Hit(") == 3 and repr(many.recall("tea")).endswith(", ...])")
    assert "skipped='skip: continuation'" in repr(byheart.Memory().recall("go ahead", adaptive=True))


def test_a_text_that_fits_its_line_is_shown_whole() -> None:
    assert [snippet("x" * length, 10) for length in (9, 10, 11)] == ["x" * 9, "x" * 10, "x" * 9 + "\u2026"]
    assert snippet("one\n two\tthree", 9) == "one two\u2026"


def test_a_memory_says_where_it_lies_and_what_it_was_opened_with(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path, embedder=HashingEmbedder(16)) as memory:
        memory.remember_many(["tea", {"text": "rice", "tenant": "rival"}])
        assert repr(memory) == (
            f"Memory({str(path)!r}, records=2, tenants=2, embedder='hashing 16', analyzer='unicode+english+porter', "
            "preset='default')"
        )
    assert repr(memory) == f"Memory({str(path)!r}, closed)"
    with byheart.Memory(path, read_only=True) as reading:
        assert repr(reading).endswith(", read_only)")
    with byheart.Memory(tmp_path / "memory.jsonl") as text, byheart.Memory(policy="default") as governed:
        assert repr(text).startswith(f"Memory({str(tmp_path / 'memory.jsonl')!r}, records=0")
        assert repr(governed).startswith("Memory(in process") and "policy='0.1.0'" in repr(governed)


def test_a_bounded_memory_counts_what_it_may_see(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as whole, byheart.Memory(path, boundary={"classes": ["public"]}) as bounded:
        before = repr(bounded)
        whole.remember_many([{"text": "payroll", "boundary_class": "secret"}, {"text": "x", "tenant": "rival"}])
        bounded.count()
        assert repr(bounded) == before and "records=0, tenants=0, boundary=(tenant 'default'" in before
        bounded.remember("tea", boundary_class="public")
        assert "records=1, tenants=1" in repr(bounded)


def test_it_waits_for_nobody_long_to_be_shown(memory: byheart.Memory) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with memory._engine.indexes.lock:
            held.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    try:
        assert repr(memory).startswith("Memory(in process, analyzer=")
    finally:
        done.set()
        thread.join()


class Seen(html.parser.HTMLParser):
    """Notes which tags and attributes there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@settings(max_examples=examples(300))
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.just(HOSTILE))
def test_no_text_breaks_out_of_a_table(text: str) -> None:
    with byheart.Memory() as memory:
        memory.remember(f"tea {text}", id="i" + text[:50], topic=text, kind=text, created_at=0)
        for shown in (memory.recall("tea"), memory.records(), memory.context("tea", 1_000)):
            seen = Seen(shown._repr_html_())
            assert set(seen.tags) <= {"table", "caption", "tr", "th", "td"} and seen.attributes <= {"class"}
            assert seen.tags.count("tr") == 2 and seen.tags.count("table") == 1
            assert not set("".join(seen.texts)) & {"\u202e", "\x00", "\n"}


def test_a_table_is_small_whatever_it_shows(memory: byheart.Memory) -> None:
    made = table("many", ["text"], [["tea " * 1_000]] * 1_000)
    assert len(made) < 20_000 and "and 950 more" in made
    assert 'class="tex2jax_ignore mathjax_ignore"' in made  # or a notebook would draw $...$ as a formula


def test_what_a_policy_hides_is_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as plain:
        plain.remember(
            "Write to ada@example.com about tea", id="mail", topic="ada@example.com", boundary_class="public"
        )
    with byheart.Memory(path, policy="default") as governed:
        answer = governed.recall("tea, ada@example.com", k=1)
        shown = [answer, answer[0], answer[0].record, governed.records(), governed.context("tea", 100), governed]
        told = [repr(each) for each in shown] + [each._repr_html_() for each in shown if hasattr(each, "_repr_html_")]
        told += [json.dumps(answer.to_dict()), str(answer.to_pandas().to_dict()), str(pa.table(answer).to_pydict())]
        assert len(told) >= 11 and "mail" in told[0] and not [each for each in told if "ada@" in each]


# ---- data frames and Arrow


def test_a_data_frame_has_a_row_a_hit(memory: byheart.Memory) -> None:
    answer = memory.recall("tea")
    frame = answer.to_pandas()
    assert list(frame.columns) == [column.name for column in columns(answer.hits)]
    assert list(frame["id"]) == [hit.id for hit in answer] and list(frame["score"]) == [hit.score for hit in answer]
    assert str(frame["created_at"].dtype) == "datetime64[us, UTC]"
    rows = frame.set_index("id")
    assert rows.loc["rice", "created_at"].isoformat() == "2026-03-03T00:00:00+00:00"
    assert rows.loc["tea", "metadata"] == {"colour": "red", "cups": [1, 2]} and rows.loc["rice", "user_id"] == "ann"
    assert len(byheart.Memory().recall("tea").to_pandas()) == 0


def test_without_pandas_the_error_says_what_to_install(memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="`pip install pandas` brings it"):
        memory.recall("tea").to_pandas()


def test_arrow_takes_an_answer_as_it_is_and_lets_go_of_it(memory: byheart.Memory) -> None:
    answer = memory.recall("tea")
    made = pa.table(answer)
    made.validate(full=True)
    assert made.column_names == [column.name for column in columns(answer.hits)]
    assert made["id"].to_pylist() == [hit.id for hit in answer]
    assert [value.hex() for value in made["score"].to_pylist()] == [hit.score.hex() for hit in answer]
    assert made["user_id"].to_pylist() == [hit.record.user_id for hit in answer]
    assert made.schema.field("created_at").type == pa.timestamp("us", tz="UTC")
    assert [json.loads(each) for each in made["metadata"].to_pylist()] == [hit.metadata for hit in answer]
    column = made["text"]
    texts = column.to_pylist()
    del made, answer
    gc.collect()
    assert column.to_pylist() == texts  # a column outlives its table


def test_the_end_of_the_calendar_comes_through() -> None:
    memory = byheart.Memory()
    for id, time in (("z", "9999-12-31T23:59:59.999999Z"), ("year", "9999-12-31"), ("first", "0001-01-01")):
        memory.remember(f"the tea of {id}", id=id, created_at=time)
    years = {row["id"]: row["created_at"].year for row in pa.table(memory.recall("tea")).to_pylist()}
    assert years == {"z": 9999, "year": 9999, "first": 1}
    assert memory.count({"created_at": "9999-12-31T23:59:59.999999Z"}) == 1


def resident() -> int:
    """Return the bytes that this process holds."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what a process holds")
@pytest.mark.parametrize("take", [lambda capsule: None, lambda capsule: pa.table(capsule)], ids=["nobody", "a table"])
def test_what_a_stream_holds_is_let_go_of(take: Callable[[Any], object]) -> None:
    class Held:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return arrow.stream([arrow.Column("text", "text", ["x" * 1_000_000]), arrow.Column("f", "float", [0.5])])

    for _ in range(10):
        take(Held())
        Held().__arrow_c_stream__()
    before = resident()
    for _ in range(200):
        take(Held())
        Held().__arrow_c_stream__()
    assert resident() - before < 100_000_000, "each holds a megabyte"


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ([("a", "text", ["x"]), ("b", "float", [])], "different lengths"),
        ([("a", "flag", [True])], "there is no kind"),
        ([("a\0b", "text", ["x"])], "zero byte"),
    ],
)
def test_columns_that_are_no_table_are_refused(columns: list[tuple[str, str, list[Any]]], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        arrow_stream(columns)


values = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
numbers = st.none() | st.floats(allow_nan=False)
times = st.none() | st.integers(-(10**18), 10**18)


@settings(max_examples=examples(500))
@given(st.lists(st.tuples(values, numbers, times), max_size=20))
def test_every_column_comes_through_to_the_last_bit(rows: list[tuple[Any, Any, Any]]) -> None:
    class Held:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            kinds = ("text", "float", "time")
            return arrow.stream([arrow.Column(kind, kind, [row[at] for row in rows]) for at, kind in enumerate(kinds)])

    made = pa.table(Held())
    made.validate(full=True)
    assert made["text"].to_pylist() == [row[0] for row in rows]
    assert repr(made["float"].to_pylist()) == repr([row[1] for row in rows])
    assert made["time"].cast(pa.int64()).to_pylist() == [row[2] for row in rows]


def test_the_error_of_a_consumer_comes_through_where_the_stream_goes(memory: byheart.Memory) -> None:
    """A consumer in C gives up with an error that is set, and lets go of the capsule that it holds."""
    answer = memory.recall("tea")
    for _ in range(3):
        with pytest.raises(TypeError, match=r"ord\(\) expected"):
            list(map(ord, map(answer.__arrow_c_stream__, [None])))


def test_a_slip_of_a_consumer_is_an_error_and_no_end_of_the_process(memory: byheart.Memory) -> None:
    """What it took is let go of beside the error, where no Python may run."""
    answer = memory.recall("tea")
    with pytest.raises((ValueError, KeyError, pa.ArrowInvalid)):
        pa.table(answer, schema=pa.schema([("nope", pa.int64())]))
    with pytest.raises(KeyError):
        pa.table(answer).column("nope")
    with pytest.raises((ValueError, pa.ArrowInvalid)):
        pa.table(answer).cast(pa.schema([("nope", pa.int64())]))
    with pytest.raises(ZeroDivisionError):
        for batch in pa.RecordBatchReader.from_stream(answer):
            batch.num_rows / 0
    taken: list[pa.Table] = []
    thread = threading.Thread(target=lambda: taken.append(pa.table(answer)))
    thread.start()
    thread.join()
    assert taken[0].num_rows == len(answer)


def test_an_empty_answer_is_an_empty_table() -> None:
    made = pa.table(byheart.Memory().recall("tea"))
    assert made.num_rows == 0 and made.num_columns == 13
