"""The words of other stores for verbs and options, and those that are written here: for messages about unknown ones."""

from __future__ import annotations

from collections.abc import Mapping

OPTIONS: Mapping[str, str] = {"limit": "k", "top_k": "k", "n_results": "k", "filter": "where", "filters": "where"}
"""What other stores call an option, for messages about an unknown one."""

HINTS: Mapping[tuple[str, str], str] = {
    ("", "tenant"): """; write boundary={"tenant": ...}""",
    ("", "tenant_id"): """; write boundary={"tenant": ...}""",
    ("", "scope"): """; write boundary={"scopes": [...]}""",
    ("", "boundary_class"): """; write boundary={"classes": [...]}""",
    ("search", "user_id"): """; an actor is no wall: write where={"user_id": ...}""",
    ("activate", "user_id"): """; an actor is no wall: write where={"user_id": ...}""",
    ("forget", "user_id"): """; write where={"user_id": ...}""",
    ("forget", "session_id"): """; write where={"session_id": ...}""",
    ("forget", "filter"): "; did you mean 'where'?",
    ("records", "offset"): "; the next page is asked for by cursor=, which the page before has",
    ("records", "user_id"): """; write where={"user_id": ...}""",
    ("records", "session_id"): """; write where={"session_id": ...}""",
    ("count", "user_id"): """; write where={"user_id": ...}""",
}
"""What to write in the place of an option that other stores have, by verb and option; "" for every recall."""

BY_NAME: Mapping[str, tuple[int, str]] = {
    "update": (2, "what changes is given by name, as in update(id, text=...)"),
}
"""What to say of more arguments than a verb takes without names: how many it takes, the memory counted in."""

VERBS: Mapping[str, str] = {
    "add": "remember", "add_memory": "remember", "add_texts": "remember_many", "add_documents": "remember_many",
    "add_many": "remember_many", "insert": "remember", "store": "remember", "save": "remember", "put": "remember",
    "write": "remember", "append": "remember", "remember_all": "remember_many",
    "query": "recall", "retrieve": "recall", "ask": "recall", "find": "recall", "lookup": "recall",
    "search_memories": "recall", "search_memory": "recall", "similarity_search": "recall",
    "get_all": "records", "get_memories": "records", "list": "records", "all": "records", "filter": "records",
    "remove": "forget", "delete_all": "forget", "delete_memory": "forget", "reset": "forget",
    "clear": "forget", "edit": "update", "modify": "update", "set": "update", "size": "count", "length": "count",
    "export": "export_to", "dump": "export_to", "load": "import_from", "import_jsonl": "import_from",
    "add_message": "ingest_turn", "add_messages": "ingest_turn", "add_turn": "ingest_turn", "commit": "flush",
    "persist": "flush", "get_context": "context", "build_context": "context", "snapshot": "backup",
}  # fmt: skip
"""What other stores call a verb, for messages about an unknown one."""
