"""What other stores call a verb or an option leads to the name that it has here."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart import Memory
from byheart.memory.other_words import BY_NAME, HINTS, OPTIONS, VERBS

CALLED = {
    "remember": "add add_memory insert store save put write append",
    "remember_many": "add_texts add_documents add_many remember_all",
    "recall": "query retrieve ask find lookup search_memories search_memory similarity_search",
    "records": "get_all get_memories list all filter",
    "forget": "remove delete_all delete_memory reset clear",
    "update": "edit modify set",
    "count": "size length",
    "export_to": "export dump",
    "import_from": "load import_jsonl",
    "ingest_turn": "add_message add_messages add_turn",
    "flush": "commit persist",
    "context": "get_context build_context",
    "backup": "snapshot",
}
"""By verb, what it is called in other stores."""

KEYS = {"tenant": "tenant", "tenant_id": "tenant", "scope": "scopes", "boundary_class": "classes"}
WALL = {name: f'; write boundary={{"{key}": ' for name, key in KEYS.items()}
MEANT: dict[tuple[str, str], str] = {
    **{("recall", name): said for name, said in WALL.items()},
    **{("activate", name): said for name, said in WALL.items() if name != "scope"},
    **{("recall", name): "; did you mean 'k'?" for name in ("limit", "top_k", "n_results")},
    **{("recall", name): "; did you mean 'where'?" for name in ("filter", "filters")},
    ("search", "user_id"): '; an actor is no wall: write where={"user_id": ...}',
    ("activate", "user_id"): '; an actor is no wall: write where={"user_id": ...}',
    ("forget", "user_id"): '; write where={"user_id": ...}',
    ("forget", "session_id"): '; write where={"session_id": ...}',
    ("forget", "filter"): "; did you mean 'where'?",
    ("records", "offset"): "; the next page is asked for by cursor=, which the page before has",
    ("records", "user_id"): '; write where={"user_id": ...}',
    ("records", "session_id"): '; write where={"session_id": ...}',
    ("count", "user_id"): '; write where={"user_id": ...}',
}
"""By verb and option, what the error says."""


@pytest.fixture(scope="module")
def memory() -> Memory:
    return byheart.Memory()


@pytest.mark.parametrize(("verb", "words"), CALLED.items())
def test_a_verb_by_another_name_is_named(memory: Memory, verb: str, words: str) -> None:
    assert callable(getattr(memory, verb))
    for word in words.split():
        with pytest.raises(AttributeError, match=f"no attribute '{word}'; it is called '{verb}' here"):
            getattr(memory, word)


def test_these_are_all_the_words() -> None:
    assert {word: verb for verb, words in CALLED.items() for word in words.split()} == VERBS
    options = {option for _, option in MEANT}
    assert options == {*OPTIONS, *(option for _, option in HINTS)} and list(BY_NAME) == ["update"]


@pytest.mark.parametrize(("verb", "option"), MEANT)
def test_an_option_of_others_leads_to_the_one_there_is(memory: Memory, verb: str, option: str) -> None:
    with pytest.raises(TypeError, match=f"there is no (option|argument) '{option}'") as told:
        call: Any = getattr(memory, verb)
        call(**({} if verb in ("records", "count", "forget") else {"query": "tea"}), **{option: 1})
    assert MEANT[verb, option] in str(told.value)


def test_what_changes_is_given_by_name(memory: Memory) -> None:
    update: Any = memory.update
    with pytest.raises(TypeError, match=r"what changes is given by name, as in update\(id, text=\.\.\.\)"):
        update("a", "tea")
