"""Relations of one value: which facts take the place of an earlier one, who declares them, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

import byheart
from byheart.cli import main as command_line
from byheart.errors import InvalidArgument

from .reopened import Place, found


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
