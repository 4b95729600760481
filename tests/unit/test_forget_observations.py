"""Observations are erased when somebody asks, by their id or with the user who said them, and nobody else's are."""

from pathlib import Path

import pytest

from byheart import Memory, errors
from byheart.validation import CLASSES


@pytest.fixture(params=["in process", "memory.db", "memory.jsonl"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return None if request.param == "in process" else tmp_path / request.param


def opened(path: Path | None) -> Memory:
    return Memory() if path is None else Memory(path)


def is_kept(memory: Memory, id: str) -> bool:
    try:
        return memory.observation(id, boundary={"classes": list(CLASSES)}, now=1).id == id
    except errors.RecordNotFound:
        return False


def test_by_its_id(path: Path | None) -> None:
    with opened(path) as memory:
        kept, other = (memory.observe("chat", text, actor="ada", now=0) for text in ("By the fridge.", "On the door."))
        assert memory.forget(kept.id, dry_run=True).ids == (kept.id,) and is_kept(memory, kept.id)
        receipt = memory.forget([kept.id, "unknown", kept.id])
        assert (receipt.ids, receipt.missing) == ((kept.id,), ("unknown",))
        assert not is_kept(memory, kept.id) and is_kept(memory, other.id)
        assert memory.forget(kept.id).missing == (kept.id,)
    if path is not None:
        held = b"".join(each.read_bytes() for each in path.parent.rglob("*") if each.is_file())
        assert b"fridge" not in held and kept.id.encode() not in held and kept.content_digest.encode() not in held
        assert b"On the door" in held


def test_with_the_user_who_said_it(path: Path | None) -> None:
    with opened(path) as memory:
        mine = memory.observe("chat", "My code is on the fridge.", actor="ada", now=0)
        secret = memory.observe("chat", "And on the door.", actor="ada", boundary_class="secret", now=0)
        others = memory.observe("chat", "Ada has a fridge.", actor="bob", now=0)
        nobody = memory.observe("system", "A door opened.", now=0)
        note = memory.remember("I like tea.", user_id="ada")
        for filter in ({"tags": ["x"]}, {"not": {"user_id": "ada"}}):
            assert memory.forget(where=filter).ids == ()  # type: ignore[arg-type]
        assert is_kept(memory, mine.id) and is_kept(memory, nobody.id), "a filter that names no users is about records"
        assert set(memory.forget(where={"user_id": "ada"}).ids) == {mine.id, secret.id, note}
        assert [is_kept(memory, each.id) for each in (mine, others, nobody)] == [False, True, True]
        assert memory.forget(where={"user_id": ["bob", "eve"]}).ids == (others.id,)


def test_a_filter_says_more_than_whose(path: Path | None) -> None:
    with opened(path) as memory:
        work, home = (memory.observe("chat", tag, actor="ada", tags=[tag], now=0) for tag in ("work", "home"))
        assert memory.forget(where={"user_id": "ada", "tags": ["work"]}).ids == (work.id,)
        assert is_kept(memory, home.id)


def test_what_is_outside_stays_and_is_not_told(path: Path | None) -> None:
    if path is None:
        return
    with Memory(path) as memory:
        secret = memory.observe("chat", "The vault.", actor="ada", boundary_class="secret", now=0)
        plain = memory.observe("chat", "The tea.", actor="ada", now=0)
        there = memory.observe("chat", "Far away.", actor="ada", scope="away", now=0)
    with Memory(path, boundary={"classes": ["internal"]}) as bounded:
        assert bounded.forget(secret.id).missing == (secret.id,)
        assert secret.id not in bounded.forget(where={"user_id": "ada"}, cell=("nowhere", "internal")).ids
        assert set(bounded.forget(where={"user_id": "ada"}).ids) == {plain.id, there.id}
    with Memory(path) as memory:
        assert memory.forget(where={"user_id": "ada"}).ids == (secret.id,)


def test_what_others_observe_meanwhile_goes_too(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as memory, Memory(tmp_path / "memory.db") as other:
        first = memory.observe("chat", "One.", actor="ada", now=0)
        look, later = memory._engine.eraser.observed, list[str]()

        def looked(*given: object) -> object:
            found = look(*given)  # type: ignore[arg-type]
            if not later:
                later.append(other.observe("chat", "Two.", actor="ada", now=0).id)
            return found

        memory._engine.eraser.observed = looked  # type: ignore[assignment]
        assert set(memory.forget(where={"user_id": "ada"}).ids) == {first.id, *later}
        assert not is_kept(other, later[0])


def test_events_name_it_no_more(path: Path | None) -> None:
    with opened(path) as memory:
        kept = memory.observe("chat", "By the fridge.", now=0)
        assert any(kept.id in str(event.to_dict()) for event in memory.events())
        memory.forget(kept.id)
        assert not any(kept.id in str(event.to_dict()) for event in memory.events())


def test_a_claim_that_was_made_of_it_goes_with_the_user(path: Path | None) -> None:
    with opened(path) as memory:
        kept = memory.observe("chat", "I have asthma.", actor="ada", now=0).id
        made: dict[str | None, str] = {}
        for user, text in (None, "Ada has asthma."), ("ada", "Ada has trouble breathing."), ("bob", "My wife is ill."):
            claim = memory.upsert(text, provenance={"at": 1}, boundary_class="internal", observation_id=kept)
            made[user] = memory.update(claim.id, user_id=user)
        alone = memory.upsert("Tea is hot.", provenance={"at": 1}, boundary_class="internal").id
        foreseen = memory.forget(where={"user_id": "ada"}, dry_run=True)
        receipt = memory.forget(where={"user_id": "ada"})
        assert (foreseen.ids, foreseen.copies) == (receipt.ids, receipt.copies)
        assert {*receipt.ids, *receipt.copies} == {kept, made[None], made["ada"]}
        assert receipt.untouched == (made["bob"],), "another user's stays, and is told"
        assert {record.id for record in memory.records()} == {made["bob"], alone}


def test_it_is_told_where_it_goes_with_its_claim(path: Path | None) -> None:
    with opened(path) as memory:
        kept = memory.observe("chat", "Bob drinks tea.", actor="bob", now=0).id
        claim = memory.upsert(
            "Bob drinks tea daily.", provenance={"at": 1}, boundary_class="internal", observation_id=kept
        ).id
        for receipt in (memory.forget(claim, dry_run=True), memory.forget(claim)):
            assert (receipt.ids, receipt.copies) == ((claim,), (kept,))
        assert not is_kept(memory, kept)


def test_in_one_cell_alone(path: Path | None) -> None:
    with opened(path) as memory:
        here = memory.observe("chat", "Asthma.", actor="ada", boundary_class="pii", now=0).id
        there = memory.observe("chat", "A cat.", actor="ada", now=0).id
        cell = ("project", "pii")
        for receipt in (memory.forget(where={"user_id": "ada"}, cell=cell, dry_run=dry) for dry in (True, False)):
            assert (receipt.ids, receipt.untouched) == ((here,), (there,))
        assert not is_kept(memory, here) and is_kept(memory, there)
        assert memory.forget(there, cell=cell).missing == (there,) and is_kept(memory, there)


def test_a_boundary_of_the_call_is_kept_to_whatever_the_cell(path: Path | None) -> None:
    with opened(path) as memory:
        here = memory.observe("chat", "Asthma.", actor="ada", boundary_class="pii", now=0).id
        for cell, classes in ((("project", "pii"), ["internal"]), (("project", "internal"), ["pii"])):
            given = {"cell": cell, "boundary": {"classes": classes}}
            for receipt in (
                memory.forget(where={"user_id": "ada"}, **given),  # type: ignore[arg-type]
                memory.forget(here, **given),  # type: ignore[arg-type]
            ):
                assert here not in receipt.ids and is_kept(memory, here)
