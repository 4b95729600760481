"""A name with a number behind an underscore is found before names like it, however the question writes it."""

import pytest

from byheart import Memory

CAUSES = {1040: "disk full", 1041: "lease expired", 1042: "bad checksum", 1043: "no route to host", 1044: "clock skew"}
NAMES = ["option_{}", "test_case_{}", "ERR_{}", "issue_{}", "step_{}_done", "col_{}", "worker_{}", "add_col_{}.sql"]


@pytest.fixture
def codes() -> Memory:
    memory = Memory()
    for code, cause in CAUSES.items():
        memory.remember(f"ERR_{code}: {cause}", id=str(code), created_at=code)
    return memory


@pytest.mark.parametrize(
    "question", ["what does ERR_1042 mean?", "ERR_1042", "err_1042?", "ERR 1042", "ERR-1042", "err1042"]
)
def test_a_code_is_found_before_others(codes: Memory, question: str) -> None:
    first, *others = codes.recall(question)
    assert first.id == "1042" and len(others) == 4
    assert all(first.score > 5 * other.score for other in others)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("written", ["{}", "what does {} do?"])
def test_a_name_is_found_before_those_with_other_numbers(name: str, written: str) -> None:
    memory = Memory()
    for number in range(30, 60):
        memory.remember(f"{name.format(number)} controls the daemon.", id=str(number))
    for number in (31, 42, 57):
        assert memory.recall(written.format(name.format(number)), 3)[0].id == str(number)


def test_a_whole_name_goes_before_its_parts() -> None:
    memory = Memory()
    memory.remember("The user has a name, and we get it.", id="parts", created_at=1)
    memory.remember("We call getUserName once more today.", id="whole", created_at=0)
    memory.remember("We call getUserMail once more today.", id="other", created_at=2)
    first, second = memory.recall("getUserName", 2)
    assert first.id == "whole" and first.score > 1.2 * second.score
    assert "all:getusernam " in str(memory.explain("getUserName", "whole"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [("HS3", "hs"), ("what is in HS3?", "hs"), ("HS 3", "hs"), ("H104", "h"), ("K2.17", "room"), ("K2", "course")],
)
def test_a_room_is_found_with_a_blank_and_without(asked: str, found: str) -> None:
    memory = Memory()
    memory.remember_many([f"Garden bed {number} holds roses." for number in range(20)])
    memory.remember("The exam is in HS 3.", id="hs")
    memory.remember("Lecture in room H 104.", id="h")
    memory.remember("Advanced Statistics, Prof. Wagner, room K 2.17.", id="room")
    memory.remember("German course K2 on Tuesday.", id="course")
    assert memory.recall(asked)[0].id == found
