"""Filters as a reader of docs/guides/filters.md writes them, and their combinations: right ones, and wrong ones."""

from datetime import UTC, date, datetime

from byheart import Memory, field


def right(memory: Memory) -> None:
    memory.count({"metadata.room": "kitchen"})
    memory.count({"metadata.room": ["kitchen", "bathroom"]})
    memory.count({"metadata.room": ["kitchen", 1, True, None, 2.5]})
    memory.count({"importance": {">=": 0.5, "<": 1}})
    memory.count({"user_id": "ann", "metadata.floor": {"exists": False}})
    memory.count({"or": [{"user_id": "bob"}, {"metadata.floor": 1}]})
    memory.count({"topic": None, "tags": ["a", "b"], "created_at": {">=": "2026-05-03"}})
    memory.count({"metadata.day": {">": "2026-01-01"}, "created_at": {"<": datetime(2026, 1, 1, tzinfo=UTC)}})
    memory.count({"topic": {"not in": ["tea", "rice"]}, "kind": {"!=": "note"}, "metadata.n": {">": 0.2, "<=": 8}})
    memory.count({"metadata.a": 1, "or": [{"id": "a"}, {"importance": {">=": 0.5}}]})
    memory.count({"metadata.a": "x", "or": [{"id": "a"}, {"importance": {">=": 0.5}}]})
    memory.count({"metadata.a": None, "and": [{"or": [{"metadata.b": [1, 2]}, {"tags": "a"}]}], "kind": "note"})
    memory.count({"or": [{"metadata.a": {"exists": True}}, {"metadata.b": {"not in": ["a", 1]}}], "metadata.c": 1})
    memory.count({"metadata.a": 1, "not": {"kind": "note"}})
    memory.count({"metadata.a": {">": 1}, "not": {"or": [{"metadata.b": 2}, {"kind": "note"}]}})
    memory.count({"not": {"metadata.a": 1}, "kind": "note"})
    memory.count({"not": {"metadata.a": 1, "kind": ["a", "b"]}})
    memory.count({"and": [{"metadata.room": "kitchen"}, {"not": {"metadata.floor": {"<": 3}}}]})
    memory.count({"metadata.a": {"not": {"in": ["x", 1]}}, "metadata.b": True, "metadata.c": 2.5, "importance": 0.5})
    memory.count({"$or": [{"$and": [{"metadata.a": {"$in": [1, "b"]}}, {"archived": False}]}, {"$not": {"kind": "x"}}]})
    memory.count({"metadata.m2": {"$gte": 12, "$lt": 40}, "and": [{"tags": "a"}, {"or": [{"metadata.x": None}]}]})
    memory.count({"created_at": {"<": date(2026, 1, 1)}, "or": [{"asks": True}, {"metadata.x": {"$ne": "a"}}]})
    memory.count((field("metadata.floor") > 1) & ~field("user_id").is_in(["ann", "carl"]))


def wrong(memory: Memory) -> None:
    memory.count({"metadata.a": {"=>": 0.5}})  # E: dict-item
    memory.count({"metadata.a": 1, "kind": {"is": "a"}})  # E: dict-item
    memory.count({"metadata.a": 1, "or": [{"importance": {"=>": 0.5}}]})  # E: dict-item
    memory.count({"not": {"importance": {"=>": 0.5}}})  # E: dict-item
    memory.count({"metadata.a": {"in": 1}})  # E: dict-item
    memory.count({"metadata.a": {"exists": "yes"}})  # E: dict-item
    memory.count({"metadata.a": object()})  # E: dict-item
    memory.count({1: "a"})  # E: dict-item
