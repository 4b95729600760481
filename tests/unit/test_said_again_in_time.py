"""What is said again was said at two times: the first and the last of them, whichever came in first."""

from __future__ import annotations

from datetime import UTC, datetime

import byheart

NOW = "2026-12-01"


def at(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


def texts(memory: byheart.Memory, question: str, **options: object) -> list[str]:
    return [hit.text for hit in memory.recall(question, **options)]  # type: ignore[arg-type]


def test_it_was_said_first_and_last_in_whichever_order_it_came() -> None:
    memory = byheart.Memory()
    for day in ("2026-05-01", "2025-05-01", "2025-11-01"):
        id = memory.remember("The tap drips.", created_at=day)
    record = memory.get(id)
    assert (record.created_at, record.seen_at, record.seen_count) == (at("2025-05-01"), at("2026-05-01"), 3)
    assert texts(memory, "What drips?", as_of="2025-08-01") == ["The tap drips."]


def test_a_fact_said_again_holds_whatever_comes_late_from_between() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    for day, town in (("2025-01-01", "Graz"), ("2026-06-01", "Graz"), ("2025-09-01", "Vienna")):
        memory.remember(f"I live in {town}.", created_at=day)
    assert texts(memory, "Where do I live?", now=NOW) == ["I live in Graz."]
    [late] = [record for record in memory.records() if "Vienna" in record.text]
    assert late.superseded_at == at("2026-06-01")
    memory.remember("I live in Rome.", created_at="2026-07-01")
    assert texts(memory, "Where do I live?", now=NOW) == ["I live in Rome."]


def test_what_was_said_again_later_was_not_known_before() -> None:
    memory = byheart.Memory()
    memory.remember("I live in Graz.", created_at="2025-01-04")
    memory.remember("I live in Vienna.", created_at="2025-06-01")
    before = texts(memory, "Where do I live?", as_of="2025-08-01")
    memory.remember("I live in Graz.", created_at="2026-02-01")
    assert texts(memory, "Where do I live?", as_of="2025-08-01") == before == ["I live in Vienna.", "I live in Graz."]
    assert texts(memory, "Where do I live?", now=NOW)[0] == "I live in Graz."


def test_what_is_brought_in_newest_first_says_the_same() -> None:
    memory = byheart.Memory()
    for day, euros in (("2026-06-01", 900), ("2025-09-01", 800), ("2025-01-01", 900)):
        memory.remember(f"My rent is {euros} euros.", created_at=day)
    assert texts(memory, "What is my rent?", now=NOW)[0] == "My rent is 900 euros."


def test_it_is_of_both_times() -> None:
    memory = byheart.Memory()
    for day in ("2026-03-02", "2026-11-30"):
        memory.remember("Went for a run along the canal.", created_at=day)
    memory.remember("Went for a swim in the lake.", created_at="2026-11-12")
    for question in ("What did I do yesterday?", "What happened in March 2026?"):
        assert texts(memory, question, now=NOW) == ["Went for a run along the canal."]
    assert texts(memory, "What happened in November 2026?", now=NOW) == [
        "Went for a swim in the lake.", "Went for a run along the canal.",
    ]  # fmt: skip
    assert texts(memory, "Where did I go for a run yesterday?", now=NOW)[0] == "Went for a run along the canal."


def test_what_was_so_at_a_time_is_what_was_said_last_before_its_end() -> None:
    memory = byheart.Memory()
    for day, rent in (("2025-01-04", "780"), ("2025-09-16", "1,050"), ("2026-05-01", "1,120")):
        memory.remember(f"My rent is {rent} euros.", created_at=day)
    for time, rent in (("in August 2025", "780"), ("in October 2025", "1,050"), ("in March 2026", "1,050"),
                       ("in June 2026", "1,120"), ("in June last year", "780")):  # fmt: skip
        assert rent in texts(memory, f"What was my rent {time}?", now=NOW)[0]
    assert "1,120" in texts(memory, "What is my rent?", now=NOW)[0]


def test_a_fact_said_again_around_another_was_outdated_between() -> None:
    memory = byheart.Memory(single_valued=["lives_in"])
    for day, town in (("2025-01-01", "Rome"), ("2025-03-01", "Rome"), ("2025-02-01", "Oslo")):
        memory.remember(f"I live in {town}.", created_at=day)
    assert texts(memory, "Where do I live?", as_of="2025-01-15") == ["I live in Rome."]
    assert texts(memory, "Where do I live?", as_of="2025-02-15") == ["I live in Oslo."]
    assert texts(memory, "Where do I live?", as_of="2025-03-15") == ["I live in Rome."]
    both = texts(memory, "Where do I live?", as_of="2025-02-15", include_superseded=True)
    assert sorted(both) == ["I live in Oslo.", "I live in Rome."]


def test_a_history_begins_when_it_was_said_first() -> None:
    memory = byheart.Memory()
    id = memory.remember("I like tea.", created_at=9)
    memory.update(id, importance=0.5, updated_at=10)
    memory.remember("I like tea.", created_at=2)
    assert [(each.at, each.what) for each in memory.history(id)] == [
        (2.0, "remembered"), (9.0, "said again"), (10.0, "updated"),
    ]  # fmt: skip
