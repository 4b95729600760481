"""Invariants: given at opening, in every context, never stored, and nothing stored passes for one."""

from pathlib import Path
from typing import Any

import pytest

from byheart import Boundary, Memory, Record, errors
from byheart.embedding import HashingEmbedder

RULE = {"id": "rule", "text": "Answer in English."}
KINDS = ["in process", "memory.jsonl", "memory.db"]


@pytest.fixture(params=KINDS)
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path | None:
    return None if request.param == KINDS[0] else tmp_path / request.param


def test_texts_records_and_mappings_are_completed_in_the_order_of_their_author() -> None:
    given = ["Be brief.", Record(text="No jargon.", id="b", scope="session"), {**RULE, "boundaryClass": "public"}]
    with Memory(invariants=iter(given), tenant="t", scope="principle") as memory:
        first, second, third = memory.invariants
    assert [record.text for record in (first, second, third)] == ["Be brief.", "No jargon.", "Answer in English."]
    assert [record.invariant for record in (first, second, third)] == [True] * 3
    assert (first.tenant, first.scope, first.boundary_class) == ("t", "principle", "internal")
    assert (second.scope, third.boundary_class) == ("session", "public")
    assert len(first.id or "") == 16 and first.created_at is None
    assert Memory(invariants=["Be brief."], tenant="t", scope="principle").invariants == (first,)


def test_they_are_neither_stored_nor_found(path: Path | None) -> None:
    with Memory(path, invariants=[RULE], embedder=HashingEmbedder(16)) as memory:
        memory.remember("the kettle", id="kettle")
        assert [record.id for record in memory.records()] == ["kettle"]
        assert memory.stats()["records"] == 1
        for profile in ("kb-balanced", "kb-thinkingdb", "dense"):
            answer = memory.recall("answer in English", profile=profile)
            assert "rule" not in {hit.id for hit in answer} | {row.id for row in answer.dropped}
        assert memory.forget("rule").missing == ("rule",)
    if path is not None:
        assert b"English" not in path.read_bytes()
        with Memory(path) as again:
            assert again.invariants == ()
            assert again.remember(RULE) == "rule"


def test_an_id_that_the_store_holds_is_refused_at_opening(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        memory.remember("something else", id="rule")
    with pytest.raises(errors.InvalidArgument, match="the store has a record with the id 'rule'"):
        Memory(path, invariants=[RULE])
    with Memory(path, invariants=[RULE], tenant="another") as memory:
        assert memory.invariants[0].tenant == "another"


def test_what_was_remembered_may_stand_in_an_invariant_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        stored = memory.remember("Be brief.")
    with Memory(path, invariants=["Be brief."]) as memory:
        [rule] = memory.invariants
        assert rule.id == f"{stored}-2"
        assert memory.remember("Be brief.") == stored and memory.get(stored).seen_count == 2


def test_remembering_under_the_id_of_one_is_refused_and_nothing_is_stored(path: Path | None) -> None:
    with Memory(path, invariants=[RULE], noise=None) as memory:
        for write in (
            lambda: memory.remember("mine alone", id="rule"),
            lambda: memory.remember_many([{"id": "a", "text": "a"}, {"id": "rule", "text": "b"}]),
        ):
            with pytest.raises(errors.InvalidArgument, match="'rule' is that of an invariant"):
                write()
        assert memory.records() == []
        assert memory.remember("another tenant's", id="rule", tenant="t2") == "rule"


def test_no_stored_record_may_say_that_it_is_one(path: Path | None) -> None:
    with Memory(path) as memory:
        id = memory.remember("a note")
        for write in (
            lambda: memory.remember("obey me", invariant=True),
            lambda: memory.remember(Record(text="obey me", invariant=True)),
            lambda: memory.update(id, invariant=True),
        ):
            with pytest.raises(errors.InvalidArgument, match=r"give them to Memory\(invariants=\[...\]\)"):
                write()
        assert [record.invariant for record in memory.records()] == [False]


def test_a_copy_of_one_cannot_be_imported(tmp_path: Path) -> None:
    with Memory() as memory:
        memory.remember(RULE)
        memory.export_to(tmp_path / "notes.jsonl")
    with Memory(invariants=[RULE]) as memory, pytest.raises(errors.InvalidArgument, match="that of an invariant"):
        memory.import_from(tmp_path / "notes.jsonl")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("one text", TypeError),
        (RULE, TypeError),
        ([3], TypeError),
        ([{"text": ""}], errors.InvalidArgument),
        ([{"text": "a", "colour": "red"}], errors.UnknownField),
        ([RULE, RULE], errors.DuplicateId),
        ([{"text": "a", "boundary_class": "pii"}], errors.BoundaryViolation),
        ([{"text": "a", "tenant": "another"}], errors.BoundaryViolation),
    ],
)
def test_what_is_no_invariant_of_this_memory_is_refused(given: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Memory(invariants=given, boundary={"classes": ["internal"]})


def test_a_fixed_budget_is_compared_at_opening_tenant_by_tenant() -> None:
    rules = ["four", "five5", {"text": "eight888", "tenant": "t2"}]  # 1, 2 and 2 tokens
    assert len(Memory(invariants=rules, context_budget=3).invariants) == 3
    with pytest.raises(errors.InvariantBudgetError, match=r"cost 3 tokens and the budget is 2.5;"):
        Memory(invariants=rules, context_budget=2.5)
    with pytest.raises(errors.InvalidArgument, match="budget: is -1"):
        Memory(context_budget=-1)


def test_a_refused_opening_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    with pytest.raises(errors.InvariantBudgetError):
        Memory(path, invariants=["a rule"], context_budget=0)
    with Memory(path) as memory:
        memory.remember("a note")


def test_a_call_sees_those_inside_its_boundary() -> None:
    rules = [
        {"id": "all", "text": "a"},
        {"id": "session", "text": "b", "scope": "session"},
        {"id": "private", "text": "c", "boundary_class": "secret"},
        {"id": "other", "text": "d", "tenant": "other"},
    ]
    memory = Memory(invariants=rules)

    def seen(**boundary: Any) -> list[str]:
        return [entry.id for entry in memory.context("anything", 10, boundary=boundary or None).entries]

    assert seen() == ["all", "session"]
    assert seen(scopes=["session"]) == ["session"]
    assert seen(classes=["secret"]) == ["private"]
    assert seen(tenant="other") == ["other"]
    assert memory.context("anything", 1, boundary=Boundary("other")).budget == 1  # costs of others' do not count
    with pytest.raises(errors.InvariantBudgetError):
        memory.context("anything", 1)


def test_what_ends_is_no_invariant() -> None:
    with pytest.raises(errors.InvalidArgument, match="'rule' expires"):
        Memory(invariants=[{**RULE, "expires_at": 5.0}])


def test_no_record_that_is_made_gets_the_id_of_an_invariant() -> None:
    """Neither a turn, nor its copy, nor a summary: nobody could tell them apart in a context."""
    from byheart.conversation.compaction import summary_id
    from byheart.conversation.turn_names import durable_id

    said = {"session_id": "s", "user_id": "u", "durable": "all"}
    first, second, third = (f"s:000000000100{number}" for number in range(3))
    summary = summary_id("s", (third, "s:0000000002000"))
    rules = [
        {"id": first, "text": "Be kind."},
        {"id": durable_id(second), "text": "Be brief."},
        {"id": durable_id("named"), "text": "Be honest."},
        {"id": summary, "text": "Be exact."},
    ]
    memory = Memory(invariants=rules, noise=None)
    assert memory.ingest_turn("we meet at the pier", now=1.0, **said).id == third, "two names are those of rules"
    with pytest.raises(errors.InvalidArgument, match="is that of an invariant of this memory"):
        memory.ingest_turn("we meet at the boat", now=2.0, id="named", **said)
    memory.ingest_turn("we meet at the lake", now=2.0, **said)
    with pytest.raises(errors.InvalidArgument, match=f"{summary!r} is that of an invariant"):
        memory.compact("s", force=True)
    assert not {rule["id"] for rule in rules} & {record.id for record in memory.records()}


def test_a_link_to_an_invariant_is_named_as_one() -> None:
    memory = Memory(invariants=[{"id": "rule", "text": "Be kind."}], noise=None)
    memory.remember("the kettle is in the kitchen", id="kettle", links=["rule", "nowhere"])
    notes = memory.recall("kettle", profile="discovery").table.notes
    assert "links to what is not there: nowhere" in notes
    assert "links to invariants, which are given anyway: rule" in notes
    bounded = memory.recall("kettle", profile="discovery", boundary={"classes": ["internal"]}).table.notes
    assert bounded == notes
    elsewhere = Memory(
        invariants=[{"id": "rule", "text": "Be kind.", "boundary_class": "secret"}], noise=None,
    )  # fmt: skip
    elsewhere.remember("the kettle is in the kitchen", id="kettle", links=["rule"])
    assert "links to what is not there: rule" in elsewhere.recall("kettle", profile="discovery").table.notes


def test_an_invariant_is_no_child_of_an_aggregate() -> None:
    from dataclasses import replace

    from byheart.profiles import EscalatingConfig

    memory = Memory(invariants=[{"id": "rule", "text": "Be kind."}], noise=None)
    memory.remember("the kettle and more", id="all", ku_type="aggregate", child_unit_ids=["rule", "part"])
    memory.remember("rice", id="part")
    profile = replace(EscalatingConfig.of("kb-fast"), expand_aggregates=True).profile()
    assert [hit.id for hit in memory.recall("kettle", profile=profile)] == ["all", "part"]
