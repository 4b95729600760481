"""Promises of one sentence each, of the command line, the tools and the stores, that nothing else here looks at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import byheart
from byheart.activation.feedback import representative
from byheart.cli import main, writing
from byheart.conversation.compaction import route
from byheart.conversation.context import Recent
from byheart.embedding import HashingEmbedder, Vectors
from byheart.errors import StoreError, StoreReplaced, UnknownField
from byheart.mcp.failures import Refused
from byheart.mcp.file_paths import words_of
from byheart.mcp.files import MAX_CHARACTERS, Files
from byheart.profiles.files import changed
from byheart.ranking.strength import Strength
from byheart.ranking.tokens import HostTokens
from byheart.recall import run as running
from byheart.records import Record
from byheart.storage import key_of
from byheart.storage.sqlite import SqliteStore

from .conftest import Run
from .store_files import record, texts
from .test_cli import stored, typed_input

# ---- the command line


def test_a_message_is_searched_for_with_its_marks_unless_it_is_asked_whether_it_is_a_question(run: Run) -> None:
    run("remember", "The kettle is descaled every spring.", "--id", "kettle")
    assert "nothing found" in run("recall", "the kettle -spring", code=1)
    assert "kettle" in run("recall", "the kettle -spring", "--adaptive")


@pytest.mark.parametrize("answer", [b"y\n", b"YES\n", b" yes \n"])
def test_yes_in_full_forgets_too(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    run("remember", "Tea.", "--topic", "tea")
    typed_input(monkeypatch, answer, terminal=True)
    assert main(["forget", "--where", "topic=tea", "--memory", str(memory_file)]) == 0
    assert stored(memory_file) == {}


def test_what_comes_while_somebody_is_asked_is_not_forgotten(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        run("remember", f"text {name}", "--id", name, "--topic", "tea")

    def asked(ids: Sequence[str]) -> None:
        assert tuple(ids) == ("a", "b", "c", "d")
        with byheart.Memory(memory_file) as other:
            other.remember("text new", id="new", topic="tea")

    monkeypatch.setattr(writing, "_ask", asked)
    typed_input(monkeypatch, b"", terminal=True)
    assert run("forget", "--where", "topic=tea") == "4 records forgotten\n"
    assert list(stored(memory_file)) == ["new"]


def test_a_backup_may_lie_in_the_home_folder(
    run: Run, memory_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    run("remember", "Tea.", "--id", "tea")
    name = f"copy{memory_file.suffix}"
    run("backup", f"~/{name}")
    assert stored(home / name) == {"tea": "Tea."}


# ---- tools


def test_a_range_of_lines_that_reaches_beyond_the_end_ends_there() -> None:
    files = Files(byheart.Memory())
    files.run({"command": "create", "path": "/memories/tea.md", "file_text": "one\ntwo\nthree"})
    shown = files.run({"command": "view", "path": "/memories/tea.md", "view_range": [2, 99]})
    assert shown.splitlines()[1:] == ["     2\ttwo", "     3\tthree"]


def test_a_file_that_is_renamed_is_found_by_the_words_of_its_new_name() -> None:
    memory = byheart.Memory()
    files = Files(memory)
    files.run({"command": "create", "path": "/memories/green_tea.md", "file_text": "Three minutes."})
    files.run({"command": "rename", "old_path": "/memories/green_tea.md", "new_path": "/memories/brown_rice.md"})
    assert (
        memory.get("/memories/brown_rice.md").topic == words_of("/memories/brown_rice.md") != words_of("green_tea.md")
    )


def test_a_file_may_be_as_long_as_the_limit_and_no_letter_longer() -> None:
    files = Files(byheart.Memory())
    edit = {"command": "create", "path": "/memories/long.md", "file_text": "a" * MAX_CHARACTERS}
    assert "created" in files.run(edit)
    with pytest.raises(Refused, match="1000001 characters are over the limit of 1000000"):
        files.run({**edit, "path": "/memories/longer.md", "file_text": "a" * (MAX_CHARACTERS + 1)})


# ---- conversations and signals


def test_a_score_with_an_underscore_is_no_number() -> None:
    assert route(["1_0"], True) == "extractive" and route(["1.0"], True) == "abstractive"


def test_what_is_archived_at_once_needs_no_vector() -> None:
    seen: list[str] = []

    class Counting(HashingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            seen.extend(texts)
            return super().embed_documents(texts)

    embedder = Counting(16)
    memory = byheart.Memory(embedder=embedder)
    assert memory.ingest_turn("thanks!", session_id="s", user_id="ann", now=1).archived and not seen
    memory.ingest_turn("I prefer the window seat.", session_id="s", user_id="ann", now=2)
    assert seen


def test_of_what_is_near_the_likest_is_repeated() -> None:
    cell = {"tenant": "t", "scope": "s", "boundary_class": "internal"}
    one, near, nearest = (Record(id=id, text=id, created_at=1, **cell) for id in ("one", "near", "nearest"))
    assert representative(one, [near, nearest], similarities={"near": 0.96, "nearest": 0.99}, now=9) is nearest


def test_what_would_not_be_kept_for_good_repeats_nothing_that_is() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    first = memory.ingest_turn("I prefer the window seat.", session_id="s", user_id="ann", now=1, durable="all")
    for durable, names in (("gate", None), ("all", first.durable_id)):
        again = memory.ingest_turn(
            "I prefer the window seat.", session_id="t", user_id="ann", now=5, durable=durable,
            durable_duplicates="refuse",
        )  # fmt: skip
        assert (again.durable_id, again.duplicate_of) == (None, names)


def test_the_last_turns_that_are_left_alone_fit_the_tokens_that_were_given() -> None:
    memory = byheart.Memory(noise=None)
    for at, said in enumerate(["Tea is at four.", "Bring cake to it.", "Ann comes later.", "The hall is cold."]):
        memory.ingest_turn(said, session_id="s", id=f"t{at}", now=at)
    one = HostTokens().count("The hall is cold.")
    done = memory.compact("s", force=True, keep_recent=Recent(0, budget=one))
    assert done.turns_removed == 3 and [turn.id for turn in memory.expand(done.summaries[0])] == ["t0", "t1", "t2"]


def test_where_several_cells_have_an_id_its_version_is_that_of_the_cell_named(tmp_path: Path) -> None:
    for name in ("public", "internal"):
        with byheart.Memory(tmp_path / "memory.db", boundary={"classes": [name]}) as part:
            part.remember(f"Tea, {name}.", id="tea")
    with byheart.Memory(tmp_path / "memory.db") as memory:
        cells = [("project", "public"), ("project", "internal")]
        versions = [memory.version("tea", cell=cell) for cell in cells]
        assert versions == [memory.get("tea", cell=cell).version for cell in cells] and len({*versions}) == 2


def test_what_is_asked_as_of_a_time_is_asked_at_that_time_unless_another_is_named() -> None:
    memory = byheart.Memory()
    memory.remember("Tea is at four.", id="tea", created_at=1, expires_at=9e9)
    assert memory.recall("tea", as_of=5).receipt.now == 5.0
    assert memory.recall("tea", as_of=5, now=7).receipt.now == 7.0


def test_a_strength_that_a_recall_asks_for_counts_before_that_of_the_profile() -> None:
    stage = Strength(floor=0.9)
    floors = [stage.figures({"words": 1.0}, 2.0, (1.0, 1.0), None, least)["floor"] for least in (0.1, 0.0, None)]
    assert floors == [0.1, 0.0, 0.9]


def test_a_fact_may_hold_for_a_moment_alone() -> None:
    assert Record(text="Tea.", valid_from=5, valid_to=5).valid_to == 5.0


def test_of_several_legs_of_one_retriever_none_is_named_by_it() -> None:
    scoped = byheart.profiles.get("scoped")
    assert [leg.retriever for leg in scoped.legs].count("dense") > 1
    with pytest.raises(UnknownField, match="there is no 'dense'"):
        changed(scoped, {"legs.dense.pool": 7})
    assert changed(scoped, {"legs.1.pool": 7}).legs[1].pool == 7


def test_two_tags_of_which_nothing_else_is_left_are_one() -> None:
    memory = byheart.Memory(policy="default")
    id = memory.remember("They wrote.", tags=["ann@example.com", "mail", "bob@example.com"])
    assert memory.get(id).tags == ("[email]", "mail")


def test_laps_are_microseconds_and_those_of_one_name_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0, 5_000, 7_000, 17_000])
    monkeypatch.setattr(running, "perf_counter_ns", lambda: next(times))
    laps = running.Laps()
    for name in ("search", "cut", "search"):
        laps.lap(name)
    assert laps.timings == {"search": 15.0, "cut": 2.0}


# ---- stores


def test_a_file_that_is_moved_away_while_it_is_open_is_not_answered_from(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("Tea is hot.", id="tea")
        assert memory.get("tea").text == memory.recall("tea")[0].text == "Tea is hot."
        (tmp_path / "memory.db").rename(tmp_path / "away.db")
        for ask in (lambda: memory.get("tea"), lambda: memory.recall("tea"), memory.count, memory.records):
            with pytest.raises(StoreReplaced, match="was moved or removed while it was open"):
                ask()


def test_a_store_that_is_closed_has_written_what_waited(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = SqliteStore(path, durability="normal")
    store.write_if([], [record("a")], [], None, [key_of(record("a"))])
    store.close()
    with SqliteStore(path) as again:
        assert list(texts(again)) == ["a"]


def test_a_write_ahead_log_that_would_be_played_into_the_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "backup.db-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(600))
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        with pytest.raises(StoreError, match="would be taken for the backup's"):
            memory.backup(tmp_path / "backup.db")


def test_a_backup_of_which_somebody_has_made_vectors_is_a_memory_of_its_own(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("text a", id="a")
        memory.backup(target)
        for id in "bcdef":
            memory.remember(f"text {id}", id=id)
        with byheart.Memory(target, embedder=HashingEmbedder(16)) as copy:
            assert copy.embed().made == 1
        with pytest.raises(StoreError, match="no older backup of this memory that nothing was written to since"):
            memory.backup(target)
    assert list(stored(target)) == ["a"]
