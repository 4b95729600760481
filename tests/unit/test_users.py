"""A recall that says for whom it is: that user's records and nobody's, in every profile; this session's higher."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import CannotHonour, InvalidArgument
from byheart.profiles import NAMES, Leg, Profile, get
from byheart.ranking.agreement import AgreementFusion
from byheart.ranking.algebra import StageContext, violations
from byheart.ranking.candidates import join
from byheart.ranking.registry import stage_from_dict
from byheart.ranking.session_stages import ThisSession

NOW = 2_000_000.0
QUESTION = "when is the kettle descaled"
USERS, SESSIONS = ("ann", "bob", "cid"), ("s1", "s2", "s3")
WORDS = Profile("words", (Leg("lexical"),), (AgreementFusion(), ThisSession(0.2)))
TOLD = [name for name in NAMES if get(name).tells_sessions]


@pytest.fixture(params=[True, False], ids=["vectors", "words"])
def memory(request: pytest.FixtureRequest) -> byheart.Memory:
    """Return what three users said in three sessions that they share, what is known of each, and what is nobody's."""
    made = byheart.Memory(embedder=HashingEmbedder(64) if request.param else None)
    common: dict[str, Any] = {"created_at": NOW - 60}
    records = [
        {"id": f"{user or 'none'}-{session or 'none'}", "text": f"the kettle of {user} is descaled {session}",
         "user_id": user, "session_id": session, "kind": "turn" if session else None,
         "links": ["bob-s1", "none-none"], **common}
        for user in (*USERS, None)
        for session in (*SESSIONS, None)
    ]  # fmt: skip
    made.remember_many(records)
    return made


def owners(found: Any) -> set[str]:
    """Return whose the records are that were looked at, those that fell below a floor too."""
    return {id.partition("-")[0] for id in (*[hit.id for hit in found], *[row.id for row in found.dropped])}


@pytest.mark.parametrize("profile", [*NAMES, WORDS], ids=lambda one: getattr(one, "name", one))
@pytest.mark.parametrize("user", USERS)
def test_no_profile_finds_another_users_records(memory: byheart.Memory, profile: Any, user: str) -> None:
    for session in (None, *SESSIONS):
        whose: dict[str, Any] = {"user_id": user}
        if session is not None and get(profile).tells_sessions:
            whose["session_id"] = session
        for explain in (False, True):
            found = memory.recall(QUESTION, k=20, profile=profile, now=NOW, explain=explain, **whose)
            assert user in owners(found) <= {user, "none"}, (session, [hit.id for hit in found])
        context = memory.context(QUESTION, 9_999, profile, now=NOW, **whose)
        assert {entry.id.partition("-")[0] for entry in context.entries} <= {user, "none"}


@pytest.mark.parametrize("profile", ["kb-balanced", "dense", "hybrid", "router", WORDS])
def test_a_user_is_found_in_all_sessions_and_so_is_what_is_nobodys(memory: byheart.Memory, profile: Any) -> None:
    wide = replace(get(profile), pool=50)
    found = {hit.id for hit in memory.recall("kettle descaled", k=50, profile=wide, user_id="ann", now=NOW)}
    seen = {each.id for each in memory.records({"user_id": ["ann", None]})}
    assert len(seen) == 8 and found <= seen
    if profile in ("kb-balanced", "dense", WORDS):
        every = {hit.id for hit in memory.recall("kettle descaled", k=50, profile=wide, now=NOW)}
        assert found == every & seen and {"ann-s1", "ann-s2", "ann-s3", "ann-none"} <= found


def test_what_a_user_may_find_keeps_its_score(memory: byheart.Memory) -> None:
    def scores(**whose: Any) -> dict[str, str]:
        found = memory.recall("kettle descaled", k=50, profile="dense", now=NOW, **whose)
        return {hit.id: hit.score.hex() for hit in found}

    if memory._engine.embedder is not None:
        every, own = scores(), scores(user_id="bob")
        assert own and own == {id: score for id, score in every.items() if id in own}


def test_this_session_stands_higher(memory: byheart.Memory) -> None:
    def ids(**whose: Any) -> list[str]:
        return [hit.id for hit in memory.recall("kettle descaled", k=50, profile=WORDS, now=NOW, **whose)]

    plain, here = ids(user_id="ann"), ids(user_id="ann", session_id="s2")
    assert sorted(plain) == sorted(here) and {*here[:2]} == {"ann-s2", "none-s2"}
    assert [id for id in here if not id.endswith("s2")] == [id for id in plain if not id.endswith("s2")]
    assert ids(session_id="s2")[:4] != ids()[:4], "without a user too"


def test_the_stage_keeps_its_promises() -> None:
    table = (
        join({"lexical": [("a", 0.5), ("b", 0.4)]}).scored("part", "add", [0.5, 0.4]).with_column("scope", [1.0, 0.0])
    )
    here = StageContext(now=0.0, k=2, session_id="s")
    assert ThisSession(0.2)(table, here).ids == ("b", "a") and violations(ThisSession(0.2), table, here) == []
    assert ThisSession(0.2)(table, StageContext(now=0.0, k=2)) is table
    assert stage_from_dict(ThisSession(0.3).to_dict()) == ThisSession(0.3)
    with pytest.raises(InvalidArgument):
        ThisSession(-0.1)


@pytest.mark.parametrize("profile", [name for name in NAMES if name not in TOLD])
def test_a_profile_that_tells_no_sessions_apart_refuses_one(memory: byheart.Memory, profile: str) -> None:
    with pytest.raises(CannotHonour, match=f"session_id: profile '{profile}' ranks no session higher; use a profile"):
        memory.recall("kettle", profile=profile, session_id="s1")
    with pytest.raises(CannotHonour, match="session_id"):
        memory.explain("kettle", "ann-s1", profile=profile, session_id="s1")
    assert memory.context("kettle", 200, profile, session_id="s1", recent=True).entries


def test_which_profiles_tell_sessions_apart() -> None:
    assert "scoped" in TOLD and "kb-fast" not in TOLD and WORDS.tells_sessions


def test_a_profile_may_refuse_users(memory: byheart.Memory) -> None:
    alone = replace(WORDS, users="refused")
    with pytest.raises(CannotHonour, match="user_id: profile 'words' knows no users"):
        memory.recall("kettle", profile=alone, user_id="ann")
    assert memory.recall("kettle", profile=alone, session_id="s1").hits
    with pytest.raises(InvalidArgument, match="own_and_shared, scoped, refused"):
        replace(WORDS, users="all")


def test_a_profile_is_written_and_read_with_what_it_makes_of_users() -> None:
    for profile in (get("scoped"), replace(WORDS, users="refused"), WORDS):
        assert Profile.from_dict(profile.to_dict()) == profile
    assert (get("scoped").keeps_to, get("kb-fast").keeps_to) == ("own_and_shared", "own_and_shared")
    assert "users" not in WORDS.to_dict()
    alone = replace(get("scoped"), users=None)
    assert alone.keeps_to == "scoped", "legs with places have the last word"
    assert replace(alone, legs=(*alone.legs, Leg("lexical"))).keeps_to == "own_and_shared", "unless one has none"
    with pytest.raises(InvalidArgument, match="no leg says within what it looks"):
        replace(WORDS, users="scoped")


def test_a_summary_of_a_shared_session_tells_no_user_of_another(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        said = [
            ("ann", "my passport number is seven"),
            ("bob", "my parrot is called Otto"),
            (None, "the boat leaves at nine"),
            ("ann", "the passport lies in the drawer"),
            ("bob", "the parrot likes nuts"),
            (None, "bring the red bag"),
        ]
        for at, (user, text) in enumerate(said):
            memory.ingest_turn(text, session_id="s", user_id=user, created_at=at, now=9.0, durable="none")
        done = memory.compact("s", target=2, force=True, now=9.0)
        whose = {memory.get(id).user_id: [turn.text for turn in memory.expand(id)] for id in done.summaries}
        assert whose.keys() == {"ann", "bob", None}
        assert all("passport" in text for text in whose["ann"]) and all("parrot" in text for text in whose["bob"])
        assert {hit.record.user_id for hit in memory.recall("parrot passport boat", user_id="ann")} == {"ann", None}


def test_what_both_sides_said_on_monday_is_found_on_tuesday() -> None:
    """A prompt for a user, as hosts make it: every turn of an earlier session can stand in it, and no other user's."""
    memory = byheart.Memory(embedder=HashingEmbedder(64))
    for user in ("ann", "bob"):
        said = {"session_id": f"monday of {user}", "user_id": user, "now": NOW}
        memory.ingest_turn(f"I, {user}, take the ferry to Tallinn at nine", **said)
        memory.ingest_turn(f"Noted, {user}: the ferry to Tallinn leaves from pier four", role="ai", **said)
    for question, answer in (
        ("which pier does the ferry leave from?", "pier four"),
        ("who takes it at nine?", "at nine"),
    ):
        context = memory.context(question, 200, session_id="tuesday", user_id="ann", now=NOW)
        assert answer in context.text and "bob" not in context.text


def test_the_last_turns_are_never_another_users() -> None:
    memory = byheart.Memory()
    memory.ingest_turn("My salary is 4200 euros.", session_id="monday", user_id="ann")
    memory.ingest_turn("I like chess.", session_id="monday", user_id="bob")
    memory.ingest_turn("How can I help?", session_id="monday", role="assistant")

    def told(**whose: str) -> list[str]:
        context = memory.context("chess?", 200, session_id="monday", recent=True, **whose)
        return [entry.text for entry in context.entries if entry.kind == "recent"]

    assert told(user_id="bob") == ["I like chess.", "How can I help?"]
    assert told(user_id="eve") == ["How can I help?"]
    assert len(told()) == 3
