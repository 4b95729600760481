"""Facts that change: said again, superseded, valid for a time, nearly the same; in each kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main as command_line
from byheart.embedding import HashingEmbedder
from byheart.errors import ByheartError, InvalidArgument, RecordNotFound
from byheart.storage import InProcessStore

KINDS = ["in process", "memory.jsonl", "memory.db"]
PROFILES = ["auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "dense", "hybrid", "scoped", "discovery", "activation"]


class Place:
    """Where memories of one kind are opened, again and again."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.path = None if kind == "in process" else folder / kind
        self.store = InProcessStore() if self.path is None else None

    @contextmanager
    def open(self, **how: Any) -> Iterator[byheart.Memory]:
        where: dict[str, Any] = {"store": self.store} if self.path is None else {"path": self.path}
        memory = byheart.Memory(**{"single_valued": ["lives_in"], **where, **how})
        yield memory
        if self.path is not None:  # what is closed in this process is gone
            memory.close()


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    yield Place(request.param, tmp_path)


def found(memory: byheart.Memory, question: str, **how: Any) -> list[str]:
    return [hit.id for hit in memory.recall(question, **how)]


# ---- said again


def test_the_same_text_of_the_same_owner_is_one_record_seen_again(place: Place) -> None:
    with place.open() as memory:
        first = memory.remember("I like tea.", user_id="ann", created_at=1, metadata={"room": "hall"}, receipt=True)
        again = memory.remember(" I like tea.\n", user_id="ann", created_at=5, metadata={"n": 2}, receipt=True)
        assert (first.status, again.status, again.id, again.seen_count) == ("new", "same", first.id, 2)
        for who in ({"user_id": "bob"}, {}, {"user_id": "ann", "scope": "work"}, {"user_id": "ann", "kind": "note"}):
            other = memory.remember("I like tea.", **who, receipt=True)
            assert other.status == "new" and not other.id.endswith("-2"), who
        assert memory.remember("I like tea.", user_id="ann", topic="drinks", receipt=True).status == "new"
    with place.open() as memory:
        assert memory.remember("I like tea.", user_id="ann", created_at=3) == first.id, "no third copy"
        record = memory.get(first.id)
        assert (record.text, record.created_at, record.seen_count, record.seen_at) == ("I like tea.", 1.0, 3, 5.0)
        assert record.metadata == {"room": "hall", "n": 2}
        assert memory.count({"seen_count": {">": 1}}) == 1 and memory.check() == []


def test_one_call_may_say_it_twice_and_a_recall_gives_one_hit(place: Place) -> None:
    with place.open() as memory:
        ids = memory.remember_many(["green tea", {"text": " green tea"}, "black tea"])
        assert ids[0] == ids[1] != ids[2] and memory.get(ids[0]).seen_count == 2
        assert found(memory, "green") == [ids[0]]


def test_an_equal_fact_is_one_record_too_and_another_time_another_fact(place: Place) -> None:
    fact = {"subject": "Ann", "relation": "uses", "object": "Vim"}
    with place.open() as memory:
        first = memory.remember("Ann uses Vim.", **fact)
        assert memory.remember("It is Vim that Ann uses.", **fact, receipt=True).status == "same"
        assert memory.remember("Ann uses Vim.", **fact, valid_to=9, receipt=True).status == "new"
        assert memory.get(first).seen_count == 2


def test_what_was_said_before_and_is_over_archived_or_superseded_is_said_anew(place: Place) -> None:
    with place.open(noise=None) as memory:
        memory.remember("one thing", id="over", expires_at=1)
        memory.remember("two things", id="archived", archived_by="archived")
        memory.remember("three things", id="old")
        memory.remember("four things", id="new", supersedes="old")
        for text in ("one thing", "two things", "three things"):
            assert memory.remember(text, receipt=True).status == "new", text


def test_turns_of_a_conversation_are_kept_each(place: Place) -> None:
    with place.open() as memory:
        for at in (1, 2):
            memory.ingest_turn("My flight is on Tuesday.", session_id="s", user_id="ann", now=at)
            memory.remember("Fine, then.", session_id="s", created_at=at)
        assert memory.count({"session_id": "s"}) == 4


def test_a_title_without_a_text_is_remembered_found_and_one(place: Place) -> None:
    with place.open() as memory:
        first = memory.remember({"topic": "Kettle descaling"}, receipt=True)
        assert memory.remember("", topic=" Kettle descaling ", receipt=True).id == first.id
        assert found(memory, "kettle") == [first.id]
        data = [memory.remember({"topic": "Kettle", "metadata": {"litres": n}}) for n in (1, 2)]
        assert data[0] != data[1], "of a record without a text the data is what it says"


# ---- superseded


@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_finds_what_is_superseded_and_each_does_when_asked(profile: str) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    memory.remember("The kettle uses water.", id="old", created_at=1)
    memory.remember("The kettle uses steam.", id="new", created_at=5, supersedes="old")

    def ids(**how: Any) -> set[str]:
        if profile == "activation":
            return {item.claim_id for item in memory.activate("kettle uses", now=how.pop("now", 9), **how)}
        return set(found(memory, "kettle uses", profile=profile, now=9, **how))

    both = ids(include_superseded=True)
    assert both <= {"old", "new"} and ids() == both - {"old"} and ids(as_of=3) == both - {"new"}
    assert both == {"old", "new"} or profile in ("discovery",)


def test_the_old_one_is_kept_marked_and_left_out_of_a_context(place: Place) -> None:
    with place.open() as memory:
        memory.remember("The tea is at three.", id="old", created_at=1, session_id="s")
        done = memory.remember("The tea is at four.", id="new", created_at=5, session_id="s", supersedes=["old"],
                               receipt=True)  # fmt: skip
        assert done.superseded == ("old",) and memory.count() == 2
        old = memory.get("old")
        assert (old.superseded_by, old.superseded_at, memory.get("new").supersedes) == ("new", 5.0, ("old",))
        for recent in (False, True):
            block = memory.context("when is tea?", 200, session_id="s", recent=recent, now=9).text
            assert "four" in block and "three" not in block
        assert "three" in memory.context("when is tea?", 200, as_of=2).text
    with place.open() as memory:
        assert found(memory, "tea") == ["new"] and found(memory, "tea", as_of=1) == ["old"]


def test_nothing_follows_from_a_superseded_fact() -> None:
    memory = byheart.Memory(single_valued=["part_of"])
    memory.remember("Loom is part of Mill.", id="old", created_at=1)
    memory.remember("Mill provides cloth.", id="mill", created_at=1)
    memory.remember("Loom is part of Barn.", id="new", created_at=2)

    def proofs(**how: Any) -> str:
        return str(memory.recall("loom", profile="kb-thinkingdb", explain=True, **how).trace)

    assert "stated by old" in proofs(include_superseded=True) and "stated by old" not in proofs()


def test_a_fact_in_a_relation_of_one_value_takes_the_place_of_the_earlier_one(place: Place) -> None:
    with place.open() as memory:
        for at, town in enumerate(["Rome", "Paris", "Oslo"]):
            memory.remember(f"I live in {town}.", id=town, user_id="ann", created_at=at)
        memory.remember("I live in Bern.", id="Bern", user_id="bob", created_at=9)
        memory.remember("Ann's home", id="stated", subject="I", relation="lives_in", object="Kyiv", user_id="ann",
                        created_at=7)  # fmt: skip
        late = memory.remember("I live in Turin.", id="Turin", user_id="ann", created_at=0.5, receipt=True)
        assert (late.superseded, late.superseded_by) == (("Rome",), "Paris")
    with place.open() as memory:
        by = {record.id: (record.superseded_by, record.superseded_at) for record in memory.records()}
        assert by == {
            "Rome": ("Turin", 0.5), "Turin": ("Paris", 1.0), "Paris": ("Oslo", 2.0), "Oslo": ("stated", 7.0),
            "stated": (None, None), "Bern": (None, None),
        }  # fmt: skip
        assert [found(memory, "live", as_of=at, user_id="ann") for at in (0, 0.7, 1, 5)] == [
            ["Rome"], ["Turin"], ["Paris"], ["Oslo"],
        ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["Do I live in Oslo?", "I do not live in Oslo.", "If I live in Oslo, I ski.", "I live in Oslo. I ski.",
     "My aunt says that I should live in Oslo."],
)  # fmt: skip
def test_what_states_no_plain_fact_supersedes_nothing(text: str) -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    memory.remember("I live in Rome.", id="rome")
    assert memory.remember(text, receipt=True).superseded == () and memory.get("rome").superseded_by is None


@pytest.mark.parametrize(
    "text",
    ["I lived in Rome in 1999.", "I lived in Rome.", "I was living in Rome back then.", "I used to live in Rome.",
     "I have lived in Rome.", "I'll live in Rome.", "I live in fear of spiders.", "I live in interesting times.",
     "I live in a small flat.", "I live in A Small Flat.", "I worked at IBM.", "I work at night.",
     "I live in Rome on Mondays only."],
)  # fmt: skip
def test_what_is_past_or_has_no_name_supersedes_nothing_and_hides_nothing(text: str) -> None:
    memory = byheart.Memory(single_valued=["lives_in", "works_at"])
    memory.remember("I live in Oslo.", id="oslo")
    memory.remember("I work at Nokia.", id="nokia")
    assert memory.remember(text, id="more", receipt=True).superseded == ()
    assert memory.count({"superseded_by": {"exists": True}}) == 0
    assert "oslo" in found(memory, "where do I live?") and "nokia" in found(memory, "where do I work?")


@pytest.mark.parametrize(
    "text",
    ["I now live in Kiel, actually.", "I am living in Kiel.", "I'm living in New York.",
     "Now I live in the Netherlands.", "I live in Frankfurt am Main.", "I live in \u6771\u4eac."],
)  # fmt: skip
def test_what_plainly_says_a_name_of_now_supersedes(text: str) -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    memory.remember("I live in Oslo.", id="oslo")
    assert memory.remember(text, receipt=True).superseded == ("oslo",)


def test_a_stated_fact_supersedes_whatever_its_words() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    memory.remember("I live in Oslo.", id="oslo")
    fact = {"subject": "I", "relation": "lives_in", "object": "a small flat"}
    assert memory.remember("I lived there.", **fact, receipt=True).superseded == ("oslo",)


@pytest.mark.parametrize("name", ["lives in", "Lives-In", " lives  in "])
def test_a_relation_is_known_however_its_words_are_joined(name: str) -> None:
    memory = byheart.Memory(single_valued=[name])
    memory.remember("I live in Oslo.", id="oslo")
    fact = {"subject": "I", "relation": "lives_in", "object": "Rome"}
    assert memory.remember("I moved.", id="rome", **fact, receipt=True).superseded == ("oslo",)


def test_what_a_store_or_an_export_holds_is_taken_with_relations_of_its_own(place: Place, tmp_path: Path) -> None:
    with place.open() as memory:
        for at, town in enumerate(["rome", "oslo"]):
            memory.remember(f"Ann: {town}", id=town, subject="ann", relation="lives_in", object=town, created_at=at)
        memory.export_to(tmp_path / "all.jsonl")
    with place.open(single_valued=[]) as memory:
        memory.update("oslo", topic="home", importance=0.5)
        assert (memory.get("oslo").topic, found(memory, "rome oslo ann")) == ("home", ["oslo"])
        for state in (
            lambda: memory.remember("x y z", subject="a", relation="lives_in", object="b"),
            lambda: memory.update("oslo", relation="livesin"),
        ):
            with pytest.raises(InvalidArgument, match=r"relations=.*single_valued="):
                state()
    other = byheart.Memory()
    assert other.import_from(tmp_path / "all.jsonl") == 2
    assert [record.superseded_by for record in other.records()] == [None, "oslo"] and other.check() == []


def test_the_command_line_and_the_settings_declare_relations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)

    def run(*words: str) -> int:
        return command_line(list(words))

    declared = ("-m", "me.db", "--single-valued", "lives in")
    assert run("remember", "I live in Rome.", "--id", "rome", *declared) == 0
    assert run("remember", "I live in Oslo.", "--id", "oslo", *declared) == 0
    assert run("export", "all.jsonl", "-m", "me.db") == run("import", "--exported", "all.jsonl", "-m", "two.db") == 0
    Path("byheart.toml").write_text('memory = "me.db"\nsingle_valued = ["lives_in"]\n', encoding="utf-8")
    assert run("remember", "I live in Bern.", "--id", "bern") == 0
    with byheart.Settings.read().open() as memory:
        assert [memory.get(id).superseded_by for id in ("rome", "oslo", "bern")] == ["oslo", "bern", None]
        memory.remember("I live in Kyiv.", id="kyiv")
        assert memory.get("bern").superseded_by == "kyiv"


def test_without_a_declared_relation_nothing_is_superseded_by_itself() -> None:
    memory = byheart.Memory()
    memory.remember("I live in Rome.", id="rome", created_at=1)
    assert memory.remember("I live in Paris.", id="paris", created_at=2, receipt=True).superseded == ()
    assert found(memory, "where do I live?") == ["paris", "rome"]


def test_what_an_assistant_says_of_itself_supersedes_nothing() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    memory.ingest_turn("I live in Rome.", session_id="s", user_id="ann", now=1, durable="none")
    reply = memory.ingest_turn("I live in Clouds.", session_id="s", user_id="ann", role="assistant", now=2)
    moved = memory.ingest_turn("I live in Paris.", session_id="s", user_id="ann", now=3, durable="all")
    assert reply.superseded == () and len(moved.superseded) == 1
    assert memory.get(moved.superseded[0]).superseded_by == moved.durable_id


def test_forgetting_what_supersedes_brings_the_old_one_back(place: Place) -> None:
    with place.open() as memory:
        for number in range(4):
            memory.remember(f"number {number} of the tea", id=f"n{number}", created_at=number,
                            supersedes=[f"n{number - 1}"] if number else [])  # fmt: skip
        assert memory.forget("n2", dry_run=True).reinstated == ()
        memory.forget("n2")
        assert memory.get("n1").superseded_by == "n3", "what stood in the place of the forgotten one does"
        assert memory.get("n3").supersedes == ("n1",)
        assert memory.forget("n3", dry_run=True).reinstated == memory.forget("n3").reinstated == ("n1",)
        assert found(memory, "tea") == ["n1"]
    with place.open() as memory:
        memory.forget(where={"id": "n1"})
        assert (found(memory, "tea"), memory.get("n0").superseded_at, memory.check()) == (["n0"], None, [])


def test_what_is_purged_or_replaced_with_its_source_supersedes_nothing_any_more(place: Place) -> None:
    with place.open() as memory:
        memory.remember("old tea", id="a", created_at=1)
        memory.remember("new tea", id="b", created_at=2, supersedes="a", expires_at=5)
        memory.purge(now=9)
        assert memory.get("a").superseded_by is None
        memory.replace_sources({"doc": [byheart.Record(text="doc tea", id="c", supersedes="a",
                                                       provenance={"source_name": "doc"})]})  # fmt: skip
        assert memory.get("a").superseded_by == "c"
        memory.replace_sources({"doc": []})
        assert memory.get("a").superseded_by is None


def test_a_new_text_under_a_superseded_id_is_a_new_statement(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="home", created_at=1)
        memory.remember("I live in Paris.", id="away", created_at=2)
        memory.remember("I live in Rome.", id="home", created_at=1, topic="home")
        assert memory.get("home").superseded_by == "away", "the same text stays superseded"
        done = memory.remember("I live in Oslo.", id="home", created_at=3, receipt=True)
        assert (done.status, done.superseded, done.superseded_by) == ("replaced", ("away",), None)
        assert found(memory, "live") == ["home"] and memory.get("home").supersedes == ("away",)


def test_a_compaction_leaves_alone_what_is_superseded(place: Place) -> None:
    with place.open() as memory:
        for number in range(3):
            memory.remember(f"turn {number} about tea", id=f"t{number}", session_id="s", created_at=number,
                            supersedes=["t0"] if number == 2 else [])  # fmt: skip
        done = memory.compact("s", force=True, sources="delete", now=9)
        assert {id for each in done.declined for id in each.source_ids} >= {"t0", "t2"}
        assert memory.get("t0").superseded_by == "t2"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"supersedes": "nobody"}, RecordNotFound),
        ({"supersedes": "hidden"}, RecordNotFound),
        ({"supersedes": ["a", "new"]}, InvalidArgument),
        ({"supersedes": "of bob"}, InvalidArgument),
        ({"supersedes": "in work"}, InvalidArgument),
        ({"id": "a", "supersedes": "b"}, InvalidArgument),
        ({"id": "a", "supersedes": "c"}, InvalidArgument),
        ({"supersedes": [3]}, TypeError),
        ({"valid_from": 5, "valid_to": 1}, InvalidArgument),
        ({"seen_count": -1}, InvalidArgument),
        ({"revisions": ["x"]}, InvalidArgument),
        ({"receipt": 1}, TypeError),
    ],
)
def test_bad_input_is_one_typed_error_and_nothing_is_done(place: Place, given: Any, error: type[Exception]) -> None:
    with place.open() as whole:
        whole.remember("hidden", id="hidden", boundary_class="secret")
    with place.open(boundary={"classes": ["internal"]}) as memory:
        memory.remember("tea one", id="a", created_at=1)
        memory.remember("tea two", id="b", created_at=2, supersedes="a")
        memory.remember("tea three", id="c", created_at=3, supersedes="b")
        memory.remember("tea of bob", id="of bob", user_id="bob")
        memory.remember("tea at work", id="in work", scope="work")
        before = memory.records()
        with pytest.raises(error) as caught:
            memory.remember("new tea", **{"id": "new", **given})
        assert memory.records() == before
        assert "hidden" not in str(caught.value).replace("'hidden'", ""), "as of one that nobody has"
        for change in ({"superseded_by": "a"}, {"superseded_by": "nobody"}, {"supersedes": ["b"]}):
            with pytest.raises(ByheartError):
                memory.update("a", **change)
        with pytest.raises(InvalidArgument):
            memory.update("c", superseded_by="a")  # which c stands above
        assert memory.records() == before


@pytest.mark.parametrize(
    ("revision", "error", "said"),
    [
        ("x", InvalidArgument, "revisions: 'x' is none; one is a time, a word and names of fields"),
        ((1.0, 3, ["text"]), TypeError, "revisions must be str, not int"),
        ((None, "updated", ["text"]), InvalidArgument, "revisions: one says no time"),
        ((1.0, "updated", [3]), TypeError, "revisions must be str, not int"),
        ((1.0, "updated", "text"), TypeError, "revisions must be a list of str, not str"),
    ],
)
def test_what_is_no_revision_is_refused_by_name(revision: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        byheart.Record(text="tea", revisions=[revision])
    assert str(caught.value) == said


def test_an_update_may_say_what_supersedes_and_that_nothing_does(place: Place) -> None:
    with place.open() as memory:
        memory.remember("tea one", id="a", created_at=1)
        memory.remember("tea two", id="b", created_at=2)
        memory.update("a", superseded_by="b", updated_at=7)
        assert (memory.get("a").superseded_at, found(memory, "tea")) == (7.0, ["b"])
        memory.update("a", superseded_by=None)
        assert memory.get("a").superseded_at is None and set(found(memory, "tea")) == {"a", "b"}


# ---- what follows a change


def moved(memory: byheart.Memory, **newer: Any) -> None:
    memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
    memory.remember("I live in Oslo.", **{"id": "o", "user_id": "a", "created_at": 2, **newer})
    assert memory.get("r").superseded_by == "o" and memory.get("o").contradicts == ("r",)


CHANGES: dict[str, Any] = {
    "updated": lambda memory: memory.update("o", text="The weather is fine."),
    "replaced": lambda memory: memory.remember("The weather is fine.", id="o", user_id="a", created_at=2),
    "another's now": lambda memory: memory.update("o", user_id="b"),
    "replaced by another's": lambda memory: memory.remember("I live in Oslo.", id="o", user_id="b", created_at=2),
    "no longer so": lambda memory: memory.update("o", text="I lived in Oslo."),
}


@pytest.mark.parametrize("how", CHANGES)
def test_what_a_fact_superseded_is_reinstated_when_the_fact_is_gone(place: Place, how: str) -> None:
    with place.open() as memory:
        moved(memory)
        CHANGES[how](memory)
    with place.open() as memory:
        old, new = memory.get("r"), memory.get("o")
        assert (old.superseded_by, old.superseded_at, new.supersedes, new.contradicts) == (None, None, (), ())
        assert found(memory, "where do I live?", user_id="a")[0] == "r" and memory.check() == []
        assert [each.what for each in memory.history("r")] == ["remembered"], "no name of what is another's"


def test_what_was_named_stays_superseded_unless_the_names_change(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        memory.remember("I live in Oslo.", id="o", user_id="a", created_at=2, supersedes="r")
        memory.update("o", text="The weather is fine.")
        assert memory.get("r").superseded_by == "o"
        memory.remember("The weather is bad.", id="o", user_id="a", created_at=3)
        assert (memory.get("r").superseded_by, memory.get("o").supersedes) == ("o", ("r",))
        memory.update("r", superseded_by=None)
        assert (memory.get("r").superseded_by, memory.get("o").supersedes) == (None, ())


def test_an_earlier_fact_is_handed_on_when_the_one_between_changes(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
        memory.remember("I live in Kiel.", id="k", user_id="a", created_at=3)
        memory.update("o", text="The weather is fine.")
        assert (memory.get("r").superseded_by, memory.get("r").superseded_at) == ("k", 3.0)
        assert (memory.get("o").superseded_by, memory.get("k").supersedes) == (None, ("r",))


def test_without_the_relation_declared_a_change_frees_what_the_fact_hid(place: Place) -> None:
    with place.open() as memory:
        moved(memory)
    with place.open(single_valued=[]) as memory:
        memory.update("o", text="The weather is fine.")
        assert found(memory, "where do I live?", user_id="a")[0] == "r"


@pytest.mark.parametrize("profile", PROFILES[:4])
def test_a_fact_supersedes_for_the_times_at_which_it_holds(place: Place, profile: str) -> None:
    def live(at: float) -> list[str]:
        return found(memory, "where do I live?", profile=profile, now=at, user_id="a")

    with place.open() as memory:
        moved(memory)
        memory.update("o", valid_to=50)
        assert (live(40), live(50)) == (["o"], ["r"])
        memory.update("o", valid_from=20)
        assert (live(10), live(20), live(60)) == (["r"], ["o"], ["r"])
        assert found(memory, "where do I live?", profile=profile, as_of=60) == ["r"]
    with place.open() as memory:
        memory.update("o", valid_from=None, valid_to=None)
        assert (live(10), live(60), memory.get("r").superseded_to) == (["o"], ["o"], None)
        memory.remember("I live in Kiel.", id="k", user_id="a", created_at=3, valid_from=5, valid_to=9)
        assert (live(4), live(6), live(10)) == (["o"], ["k"], ["o"])


def test_what_is_over_hides_nothing_and_a_purge_changes_no_answer(place: Place) -> None:
    with place.open() as memory:
        moved(memory, expires_at=100)
        assert found(memory, "where do I live?", now=99) == ["o"]
        assert found(memory, "where do I live?", now=100) == found(memory, "where do I live?", now=500) == ["r"]
        assert memory.context("where do I live?", 100, now=500).text.count("I live in") == 1
        memory.purge(now=500)
        assert found(memory, "where do I live?", now=500) == ["r"] and memory.get("r").superseded_by is None
    with place.open() as memory:  # the one above stands for what the one between hid
        for number in range(3):
            before = [f"t{number - 1}"] if number else []
            memory.remember(f"The tea is at {number}.", id=f"t{number}", supersedes=before, created_at=number,
                            expires_at=9 if number == 1 else None)  # fmt: skip
        assert found(memory, "when is tea?", now=20) == ["t2"]


def test_said_again_for_longer_it_supersedes_for_longer() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    moved(memory, expires_at=8e9)
    memory.remember("I live in Oslo.", user_id="a", created_at=3, expires_at=9e9)
    assert memory.get("r").superseded_to == 9e9 and found(memory, "where do I live?", now=8.5e9) == ["o"]


@pytest.mark.parametrize("scope", ["project", "other"])
@pytest.mark.parametrize("order", [1, -1])
def test_what_another_of_the_call_replaces_is_not_said_again(scope: str, order: int) -> None:
    with byheart.Memory() as memory:
        memory.remember("Rice is in the jar.", id="r", scope="project")
        batch = [{"text": "Rice is in the jar."}, {"text": "Tea is in the tin.", "id": "r", "scope": scope}][::order]
        told = {each.id: each.status for each in memory.remember_many(batch, receipt=True)}
        assert sorted(told.values()) == ["new", "replaced"] and told["r"] == "replaced"
        assert {record.id: record.text for record in memory.records()}["r"] == "Tea is in the tin."
        assert sorted(record.text for record in memory.records()) == ["Rice is in the jar.", "Tea is in the tin."]


def test_an_update_to_a_fact_stands_as_if_it_were_said(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        memory.remember("The weather is fine.", id="w", user_id="a", created_at=2)
        memory.update("w", text="I live in Lima.")
        assert (found(memory, "where do I live?"), memory.get("w").contradicts) == (["w"], ("r",))
        memory.remember("I live in Bonn.", id="b", user_id="b", created_at=1)
        memory.update("w", user_id="b")
        assert [memory.get(id).superseded_by for id in "rbw"] == [None, "w", None]
        memory.update("r", subject="I", relation="lives_in", object="Kyiv", user_id="b")
        assert memory.get("r").superseded_by == "w", "where its time is"


def test_an_update_links_near_duplicates_again(place: Place) -> None:
    with place.open(single_valued=[]) as memory:
        memory.remember("We meet at noon.", id="a", created_at=1)
        memory.remember("We meet at one.", id="b", created_at=2)
        memory.remember("Tea is brewed slowly here.", id="c", created_at=3)
        memory.update("b", text="We meet at two.")
        assert (memory.get("a").near_duplicates, memory.get("b").near_duplicates) == (("b",), ("a",))
        memory.update("c", text="We meet at six.")
        assert set(memory.get("c").near_duplicates) == {"a", "b"} and "c" in memory.get("a").near_duplicates


def test_a_fact_that_was_taken_from_the_text_follows_it_and_a_stated_one_stays() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    taken = {"subject": "Loom", "relation": "uses", "object": "yarn"}
    memory.remember("Loom uses yarn.", id="f", **taken)
    memory.update("f", text="Loom uses silk.")
    assert memory.get("f").object == "silk"
    memory.update("f", text="It rains.")
    assert (memory.get("f").subject, memory.get("f").object) == (None, None)
    memory.remember("The loom takes yarn.", id="s", **taken)
    memory.update("s", text="The loom takes silk.")
    assert memory.get("s").object == "yarn"
    memory.update("s", text="Loom uses wool.", object="wool yarn")
    assert memory.get("s").object == "wool yarn"


def test_the_copy_of_a_turn_that_changes_supersedes_by_what_it_says_now(place: Place) -> None:
    with place.open() as memory:
        memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
        turn = memory.ingest_turn("I live in Oslo.", session_id="s", user_id="a", now=2, durable="all")
        assert memory.get("r").superseded_by == turn.durable_id
        memory.update(turn.id, text="The weather is fine.")
        assert (memory.get(turn.durable_id).text, memory.get("r").superseded_by) == ("The weather is fine.", None)


@pytest.mark.parametrize("field", ["superseded_by", "archived_by"])
def test_a_name_that_is_not_there_is_refused(place: Place, field: str, tmp_path: Path) -> None:
    with place.open() as whole:
        whole.remember("hidden", id="hidden", boundary_class="secret")
    with place.open(boundary={"classes": ["internal"]}) as memory:
        memory.remember("tea", id="tea")
        for name in ("no-such", "hidden"):
            for state in (
                lambda name=name: memory.remember("new tea", id="new", **{field: name}),
                lambda name=name: memory.remember("tea", id="tea", **{field: name}),
                lambda name=name: memory.update("tea", **{field: name}),
            ):
                with pytest.raises(ByheartError, match=name):
                    state()
        assert memory.count() == 1 and getattr(memory.get("tea"), field) is None
        memory.remember_many([{"text": "old cup", "id": "x", field: "y"}, {"text": "cup of bone", "id": "y"}])
        assert getattr(memory.get("x"), field) == "y"
        memory.export_to(tmp_path / "all.jsonl")
    other = byheart.Memory()
    assert other.import_from(tmp_path / "all.jsonl") == 3 and getattr(other.get("x"), field) == "y"


# ---- valid for a time


def test_a_record_is_found_while_it_holds(place: Place) -> None:
    with place.open() as memory:
        memory.remember("open in spring", id="a", valid_from=datetime(2026, 3, 1, tzinfo=UTC), created_at=1,
                        valid_to="2026-06-01T00:00:00Z")  # fmt: skip
        memory.remember("open always", id="b", created_at=1)
        memory.remember("open till then", id="c", created_at=1, valid_to=1_780_272_000.0)
    with place.open() as memory:
        begun, ended = 1_772_323_200.0, 1_780_272_000.0
        for at, wanted in ((begun - 1, "bc"), (begun, "abc"), (ended - 1, "abc"), (ended, "b")):
            assert set(found(memory, "open", now=at)) == set(wanted), at
            assert set(found(memory, "open", now=9e9, as_of=at)) == set(wanted), at
        assert set(found(memory, "open")) <= set("abc"), "as the clock has it"
        assert len(memory.records()) == 3 and "not valid" in str(memory.explain("open", "a", now=ended))


def test_with_nothing_superseded_or_dated_no_time_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="a", created_at=1)
    monkeypatch.setattr("time.time", lambda: pytest.fail("the clock was read"))
    assert memory.recall("tea").receipt.now is None
    assert memory.recall("tea", as_of=0).hits == () and memory.recall("tea", as_of=1).receipt.as_of == 1.0


@pytest.mark.parametrize("remembered", [False, True])
def test_a_source_that_says_the_same_as_before_says_nothing_again(place: Place, remembered: bool) -> None:
    def said(source: str) -> list[byheart.Record]:
        return [byheart.Record(text=text, provenance={"source_name": source}) for text in ("green tea", "black tea")]

    with place.open() as memory:
        if remembered:
            memory.remember("green tea")
        for _ in range(3):
            ids = memory.replace_sources({"a.md": said("a.md"), "b.md": said("b.md")})
            held = {record.id: record for record in memory.records()}
            assert len(set(ids)) == 4 == len(held) - remembered and set(ids) <= held.keys()
            assert {record.seen_count for record in held.values()} == {1}
        memory.replace_sources({"a.md": []})
        assert memory.count({"source": "b.md"}) == 2 and memory.check() == []


# ---- near-duplicates


def test_near_duplicates_stand_side_by_side_the_newer_first(place: Place) -> None:
    with place.open(single_valued=[]) as memory:
        memory.remember("I live in Rome", id="rome", user_id="ann", created_at=1)
        memory.remember("Rome has a very long history of its own", id="city", created_at=2)
        done = memory.remember("I live in Paris", id="paris", user_id="ann", created_at=3, receipt=True)
        memory.remember("I live in Oslo", id="bob's", user_id="bob", created_at=4)
        assert done.near_duplicates == ("rome",) and memory.get("rome").near_duplicates == ("paris",)
    with place.open() as memory:
        ids = found(memory, "Rome")
        assert ids.index("paris") == ids.index("rome") + 1, "no word finds it, and it stands right behind"
        assert found(memory, "where do I live?", user_id="ann")[:2] == ["paris", "rome"], "the newer comes first"
        assert found(memory, "Rome", where={"id": ["rome", "city"]}).count("paris") == 0
        text = memory.context("Rome", 200).text
        assert "in Paris" in text and "in Rome" in text
        memory.update("rome", text="The sea is blue in summer")
        assert memory.get("paris").near_duplicates == ()
        memory.remember("I live in Bern", id="bern", user_id="ann", created_at=5)
        memory.forget("bern")
        assert memory.get("paris").near_duplicates == () and memory.check() == []


def test_what_fits_the_question_comes_before_what_is_nearly_the_same() -> None:
    memory = byheart.Memory()
    memory.remember("I have an appointment with the dentist on Monday.", id="dentist", user_id="ann", created_at=1)
    memory.remember("I have an appointment with the barber on Monday.", id="barber", user_id="ann", created_at=2)
    assert memory.get("barber").near_duplicates == ("dentist",)
    question = "when is my dentist appointment?"
    assert found(memory, question) == ["dentist", "barber"] and found(memory, question, k=1) == ["dentist"]
    assert "dentist" in memory.context(question, 14).text
    assert found(memory, "when is my appointment?") == ["barber", "dentist"]


def test_a_form_that_many_records_have_does_not_take_the_places_of_others() -> None:
    memory = byheart.Memory()
    for flat in range(16):
        memory.remember(f"The rent of flat {flat} is due.", id=f"r{flat}", user_id="ann", created_at=flat)
    memory.remember("Somebody painted the third flat of the old house in a cheerful green.", id="green", created_at=20)
    answer = memory.recall("is the rent of flat 3 due?")
    assert answer[0].id == "r3" and answer.strength == answer[0].strength
    assert sum(hit.id.startswith("r") for hit in memory.recall("green flat", 4, min_strength=0)) == 3
    assert found(memory, "green flat")[0] == "green"
    told = memory.recall("is the rent of flat 3 due?", 16, min_strength=0, explain=True)
    assert [row.reason for row in told.dropped if "near-dup" in row.reason] == []


@pytest.mark.parametrize("said_in", ["internal", "secret"])
def test_a_record_of_another_cell_that_has_the_id_of_a_near_duplicate_is_not_brought_in(
    place: Place, said_in: str
) -> None:
    other = {"internal": "secret", "secret": "internal"}[said_in]
    with place.open(single_valued=[], boundary={"classes": [said_in]}) as memory:
        memory.remember("I live in Rome", id="rome", user_id="ann", boundary_class=said_in, created_at=1)
        memory.remember("I live in Paris", id="paris", user_id="ann", boundary_class=said_in, created_at=2)
        assert memory.get("rome").near_duplicates == ("paris",)
    with place.open(boundary={"classes": [other]}) as memory:
        memory.remember("a harbour at dusk", id="paris", boundary_class=other, created_at=3)
    with place.open(single_valued=[]) as memory:
        answer = memory.recall("Rome", boundary={"classes": ["internal", "secret"]}, min_strength=0)
        assert "rome" in answer
        assert "a harbour at dusk" not in [hit.text for hit in answer]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Rome", "Do I live in Paris?"),
        ("I live in Rome", "I live in Rome now"),
        ("The capital of France is Paris", "The capital of Italy is Rome"),
        ("amber tea cup", "amber tea pot"),
        ("We meet at noon at the old harbour and then we walk up the hill to the mill", "We meet at one"),
    ],
)
def test_what_is_no_other_value_of_the_same_is_not_linked(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one)
    assert memory.remember(other, receipt=True).near_duplicates == ()


def test_a_form_that_many_records_have_is_no_correction_and_costs_no_more() -> None:
    memory = byheart.Memory()
    memory.remember_many([f"This is the note number {number}" for number in range(200)])
    assert memory.remember("This is the note number 999", receipt=True).near_duplicates == ()
    linked = memory.count({"near_duplicates": {"exists": True}})
    assert linked <= 20, "those that came before it was a form"


def test_one_record_names_at_most_four_near_duplicates_the_newest(place: Place) -> None:
    with place.open() as memory:
        for number in range(18):
            memory.remember(f"The rent of flat {number} is due.", id=f"r{number:02}", created_at=number)
        links = {record.id: record.near_duplicates for record in memory.records()}
    assert max(map(len, links.values())) == 4 and links["r17"] == ()
    assert set(links["r16"]) == {"r12", "r13", "r14", "r15"}
    assert all(id in links[other] for id, others in links.items() for other in others), "each names the other"


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_an_assistant_says_is_never_linked(role: str) -> None:
    memory = byheart.Memory()
    for number, word in enumerate(["tea", "rice"]):
        memory.ingest_turn(f"Understood, I noted that {word}.", session_id="s", role=role, now=number)
    assert memory.count() == 2 and memory.count({"near_duplicates": {"exists": True}}) == 0


# ---- history


def test_history_tells_what_happened_and_no_text(place: Place) -> None:
    with place.open() as memory:
        memory.remember("We meet at noon.", id="a", user_id="ann", session_id="s", created_at=1)
        memory.remember("We meet at one, secretly.", id="a", user_id="ann", session_id="s", created_at=2)
        memory.update("a", topic="meeting", updated_at=3)
        memory.feedback("a", "helpful", now=120)
        memory.remember("We do not meet.", id="b", user_id="ann", session_id="s", created_at=200, supersedes="a")
    with place.open() as memory:
        told = memory.history("a")
        assert [(each.at, each.what, each.by) for each in told] == [
            (1.0, "remembered", None), (2.0, "replaced", None), (3.0, "updated", None), (120, "helpful", None),
            (200.0, "superseded", "b"),
        ]  # fmt: skip
        assert (told[0].user_id, told[0].session_id, told[2].fields) == ("ann", "s", ("topic",))
        assert [(each.what, each.by) for each in memory.history("b")] == [("remembered", None), ("supersedes", "a")]
        assert "noon" not in repr(told) and "secretly" not in repr(told)
        memory.forget("b")
        assert "superseded" not in [each.what for each in memory.history("a")]
        memory.forget("a")
        with pytest.raises(RecordNotFound):
            memory.history("a")
        if place.path is not None:
            assert b"noon" not in place.path.read_bytes() and b"secretly" not in place.path.read_bytes()


def test_history_of_what_was_said_again_compacted_and_taken_over(place: Place) -> None:
    with place.open() as memory:
        tea = memory.remember("green tea", created_at=1)
        memory.remember("green tea ", created_at=8)
        [_, again] = memory.history(tea)
        assert (again.at, again.what, again.count) == (8.0, "said again", 2)
        for number in range(3):
            memory.remember(f"turn {number}", id=f"t{number}", session_id="s", created_at=number)
        [summary] = memory.compact("s", force=True, now=50).summaries
        assert [(each.at, each.what, each.by) for each in memory.history("t0")][-1] == (50, "compacted", summary)
        memory.remember("mine", id="x", user_id="ann", created_at=1)
        memory.remember("yours", id="x", user_id="bob", created_at=2)
        assert [(each.at, each.what, each.user_id) for each in memory.history("x")] == [(2.0, "remembered", "bob")]


def test_of_many_changes_the_last_are_kept() -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="a", created_at=0)
    for at in range(1, 100):
        memory.update("a", importance=at / 100, updated_at=at)
    told = memory.history("a")
    assert (len(told), told[-1].at) == (64, 99.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I weigh 82 kg.", "I weigh 79 kg now."),
        ("I have two kids.", "I have three kids."),
        ("Lunch costs 12 euros.", "Lunch costs 14 euros."),
        ("My phone number is 555-0101.", "My phone number is now 555-0199."),
        ("My dog is called Rex.", "My dog is now called Max."),
        ("Tom's birthday is on 4 June.", "Sorry, Tom's birthday is on 6 June."),
        ("My flight is on the 3rd.", "Actually my flight is on the 5th, not the 3rd."),
        ("My flight is on the 3rd.", "No, my flight is on the 5th."),
        ("The dentist is at 9:15.", "Sorry, the dentist is at 10:15, not 9:15."),
        ("Mein Termin ist am 3. Mai.", "Mein Termin ist doch am 5. Mai."),
    ],
)
def test_a_correction_is_linked_with_what_it_corrects_and_comes_first(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one, id="one", user_id="ann", created_at=1)
    assert memory.remember(other, id="other", user_id="ann", created_at=2, receipt=True).near_duplicates == ("one",)
    shared = [word for word in one.rstrip(".").split() if word in other.rstrip(".").split()]
    question = " ".join(word for word in shared if word.isalpha())
    assert found(memory, question, user_id="ann", min_strength=0)[:2] == ["other", "one"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have two kids.", "I have two cars."),
        ("I have two kids.", "I have a red car."),
        ("No dogs are allowed here.", "No cats were seen over there."),
        ("What is my PIN, 4711?", "What is my PIN, 4712?"),
        ("tell me of flight 3", "tell me of flight 5"),
    ],
)
def test_what_says_something_else_or_asks_is_not_linked(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one, id="one")
    assert memory.remember(other, receipt=True).near_duplicates == ()


def test_more_than_sixteen_numbers_in_one_place_are_a_form() -> None:
    memory = byheart.Memory()
    for number in range(40):
        done = memory.remember(f"I have {number + 2} kids in class.", created_at=number, receipt=True)
    assert done.near_duplicates == ()


def test_the_newer_stands_first_however_often_the_older_was_said_in_one_talk() -> None:
    memory = byheart.Memory()
    for day in (1, 2, 3):
        memory.ingest_turn("I weigh 82 kg.", session_id="w", user_id="ann", created_at=day * 86_400.0)
    memory.ingest_turn("I weigh 79 kg.", session_id="later", user_id="ann", created_at=5 * 86_400.0)
    found = memory.recall("how much do I weigh?", user_id="ann")
    assert [hit.text for hit in found] == ["I weigh 79 kg.", "I weigh 82 kg."]
