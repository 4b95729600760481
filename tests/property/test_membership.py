"""Whose records are whose, as its definition says: after any history, asked in between or not, stored and restored."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.index.membership import Membership
from byheart.records import Record

IDS = [f"r{number}" for number in range(6)]
SESSIONS, USERS, CATEGORIES = ("s1", "s2"), ("ann", "bob"), ("tea", "rice")

records = st.builds(
    Record,
    text=st.just("-"),
    session_id=st.none() | st.sampled_from(SESSIONS),
    user_id=st.none() | st.sampled_from(USERS),
    category=st.none() | st.sampled_from(CATEGORIES),
    kind=st.sampled_from([None, "turn", "turn", "summary"]),
    metadata=st.sampled_from([{}, {"role": "user"}, {"role": "assistant"}]),
    archived_by=st.sampled_from([None, None, "summary:1"]),
    access_count=st.sampled_from([0, 0, 2]),
    source_ids=st.lists(st.sampled_from(IDS), max_size=3, unique=True).map(tuple),
)
histories = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from(IDS), records),
        st.tuples(st.just("leave"), st.sampled_from(IDS), st.none()),
        st.tuples(st.sampled_from(["ask", "restore"]), st.none(), st.none()),
    ),
    max_size=12,
)


def defined(kept: dict[str, Record]) -> dict[str, Any]:
    """Return every answer, looked up record by record."""

    def those(meant: Any) -> set[str]:
        return {id for id, record in kept.items() if meant(record)}

    said = those(lambda one: one.kind == "turn" and one.metadata.get("role", "user") == "user")
    turns, summaries = those(lambda one: one.kind == "turn"), those(lambda one: one.kind == "summary")
    found: dict[str, Any] = {
        "archived": those(lambda one: one.archived_by is not None),
        "uses": {id: record.access_count for id, record in kept.items() if record.access_count > 0},
        "owned": bool(those(lambda one: (one.session_id, one.user_id) != (None, None))),
        "nobody's": those(lambda one: (one.session_id, one.user_id) == (None, None)),
    }
    for name in SESSIONS:
        found[name] = those(lambda one, name=name: one.session_id == name)
    for name in CATEGORIES:
        found[name] = those(lambda one, name=name: one.category == name)
    for name in USERS:
        own = those(lambda one, name=name: one.user_id == name)
        found[name] = own & said, own - turns
        found[f"{name} elsewhere"] = [own - turns - found[session] for session in SESSIONS] + [own - turns]
    for id in IDS:
        found[f"of {id}"] = {one for one in summaries if id in kept[one].source_ids}
    return found


def answered(members: Membership, kept: dict[str, Record]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "archived": members.archived,
        "uses": members.uses,
        "owned": bool(members.owned),
        "nobody's": members.commons(kept),
    }
    found |= {name: members.within("session", name, None) for name in SESSIONS}
    found |= {name: members.of_category(name) for name in CATEGORIES}
    for name in USERS:
        found[name] = members.said_by(name), members.known_of(name)
        found[f"{name} elsewhere"] = [members.within("user", session, name) for session in (*SESSIONS, None)]
    return found | {f"of {id}": members.summaries_of(id) for id in IDS}


@settings(max_examples=1_000)
@given(histories)
def test_membership_is_its_definition(history: list[tuple[str, str, Record]]) -> None:
    members, kept = Membership(), dict[str, Record]()
    for verb, id, record in history:
        if verb in ("put", "leave"):
            members.leave(id)
            kept.pop(id, None)
        if verb == "put":
            members.put(id, record)
            kept[id] = record
        if verb == "restore":
            table, members = json.loads(json.dumps(members.table())), Membership()
            members.restore(table, kept)
        if verb == "ask":
            assert answered(members, kept) == defined(kept)
    assert answered(members, kept) == defined(kept)
