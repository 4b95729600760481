"""Arguments of every verb of a memory, drawn for who is inside a boundary and for others outside it."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import strategies as st

from byheart.profiles import EscalatingConfig

from .strategies import honoured

NOW = 1_000_000.0
CLASSES_OF = {"inside": ["public", "internal"], "other classes": ["pii", "secret"], "other scopes": ["internal"],
              "other tenant": ["internal"]}  # fmt: skip
SCOPES_OF = {"inside": ["s", "project"], "other classes": ["s", "project"], "other scopes": ["t"],
             "other tenant": ["s", "project"]}  # fmt: skip
WORDS = ["tea", "rice", "soup", "kettle", "boat"]
IDS = [f"r{number}" for number in range(4)]
WITH_CHILDREN = dataclasses.replace(EscalatingConfig.of("kb-balanced"), expand_aggregates=True).profile()


def records(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "text": texts,
            "id": st.sampled_from([None, *IDS, *([] if where == "inside" else ["rule"])]),
            "scope": st.sampled_from(SCOPES_OF[where]),
            "boundary_class": st.sampled_from(CLASSES_OF[where]),
            "created_at": st.sampled_from([0.0, 1.0, 2.0]),
        },
        optional={
            "user_id": st.sampled_from(["ann", "bob"]),
            "session_id": st.sampled_from(["x", "x", "y"]),
            "category": st.sampled_from(["food", "home"]),
            "expires_at": st.sampled_from([1.0, NOW + 1]),
            "links": st.lists(ids, max_size=2),
            "tags": st.lists(st.sampled_from(WORDS), max_size=2, unique=True),
            "kind": st.sampled_from(["turn", "memory"]),
            "access_count": st.sampled_from([0, 3, 50]),
            "provenance": st.fixed_dictionaries({"source_id": ids}),
            "archived_by": st.just("summary:1"),
            "child_unit_ids": st.lists(ids, min_size=2, max_size=3),
        },
    ).map(_sound)


def _sound(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields that go together; what is archived is so by itself, for no other name is surely there."""
    archived = {"archived_by": fields["id"]} if "archived_by" in fields else {}
    return {**fields, **archived, **({"ku_type": "aggregate"} if "child_unit_ids" in fields else {})}


def statements(where: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return records that say how they stand beside others: facts, statements, and whatever they supersede."""
    facts = st.sampled_from(WORDS).map(lambda word: {"subject": "cup", "relation": "part_of", "object": word})
    like = st.sampled_from(["we meet at {}", "{} is part of the boat"]).flatmap(
        lambda form: st.sampled_from(WORDS).map(lambda word: {"text": form.format(word)})
    )
    more = st.one_of(facts, like, st.fixed_dictionaries({"supersedes": st.lists(ids, min_size=1, max_size=2)}))
    held = st.fixed_dictionaries({}, optional={"valid_from": st.sampled_from([0.0, NOW]), "valid_to": st.just(NOW)})

    def said(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
        fields, *others = parts
        whole = {name: value for other in (fields, *others) for name, value in other.items()}
        made_of = ("child_unit_ids", "ku_type") if "subject" in whole else ()
        return {name: value for name, value in whole.items() if name not in made_of}

    return st.tuples(records(where), more, held).map(said)


def batches(where: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    def once(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return list({record["id"] or number: record for number, record in enumerate(records)}.values())

    return st.lists(records(where), min_size=1, max_size=5).map(once)


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ids = st.sampled_from(IDS)
wheres = st.sampled_from(
    [{"user_id": "ann"}, {"category": "food"}, {"tags": "tea"}, {"kind": "summary"}, {"access_count": {">=": 1}}]
)
cells = st.tuples(st.sampled_from(["s", "project", "t"]), st.sampled_from(["public", "internal", "secret"]))
asked = st.fixed_dictionaries(
    {
        "query": st.one_of(texts, st.just("what happened on 1 January 1970?")),
        "profile": st.sampled_from(
            ["auto", "kb-fast", "kb-balanced", "dense", "hybrid", "scoped", "discovery", WITH_CHILDREN]
        ),
    },
    optional={
        "session_id": st.sampled_from(["x", "y"]),
        "user_id": st.sampled_from(["ann", "bob"]),
        "category": st.sampled_from(["food", "home"]),
        "exclude": st.lists(ids, max_size=2),
        "where": wheres,
        "k": st.integers(1, 3),
        "mode": st.sampled_from(["exact", "early_exit", "approx"]),
        "as_of": st.sampled_from([1.0, NOW]),
        "include_superseded": st.booleans(),
    },
).map(honoured)


def turns(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "text": texts,
            "session_id": st.sampled_from(["x", "x", "y"]),
            "now": st.sampled_from([1.0, 1.0, 2.0]),
            "boundary_class": st.sampled_from(CLASSES_OF[where]),
        },
        optional={
            "user_id": st.sampled_from(["ann", "bob"]),
            "id": ids,
            "durable": st.sampled_from(["all", "none", "gate"]),
            "durable_duplicates": st.just("refuse"),
        },
    )


changes = st.fixed_dictionaries(
    {},
    optional={
        "text": texts,
        "category": st.sampled_from(["food", "home"]),
        "expires_at": st.sampled_from([1.0, NOW + 1]),
        "boundary_class": st.sampled_from(["public", "internal", "secret"]),
        "scope": st.sampled_from(["s", "project", "t"]),
    },
)
nothing = st.just(dict[str, Any]())
called = st.fixed_dictionaries(
    {"query": texts, "now": st.sampled_from([3.0, 4.0])},
    optional={"k": st.integers(1, 3), "where": wheres, "scope": st.just(["s"]), "after": st.just(1)},
)


def claims(where: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"text": texts.map("a claim of {}".format), "scope": st.sampled_from(SCOPES_OF[where]),
         "boundary_class": st.sampled_from(CLASSES_OF[where])},
        optional={"entities": st.lists(st.sampled_from(WORDS), max_size=2, unique=True)},
    )  # fmt: skip
