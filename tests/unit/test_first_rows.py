"""The first rows of words decide an answer of `auto`: what lies outside the boundary has no say in it."""

from byheart import Memory

INSIDE = {"boundary": {"scopes": ["project"]}, "now": 100.0}
TEXTS = [f"deploy {' '.join(f'w{number}x{place}' for place in range(6))}" for number in range(60)]
TEXTS[3] = "The deploy of team Oak runs on Monday."
TWINS = [TEXTS[3], TEXTS[3].replace("Monday", "Friday")]  # one says what a record inside says


def filled(outside: list[str]) -> Memory:
    memory = Memory()
    for number, text in enumerate(TEXTS):
        memory.remember(text, id=f"r{number:02}", created_at=number)
    for number, text in enumerate(outside):
        memory.remember(text, id=f"o{number}", scope="user", created_at=number)
    return memory


def test_statements_outside_that_say_nearly_the_same_change_nothing() -> None:
    there, here = filled(TWINS), filled([])
    assert any(record.near_duplicates for record in there.records(boundary={"scopes": ["user"]}))
    for question in ("when does the deploy of team Oak run?", "deploy"):
        ours, theirs = there.recall(question, k=3, **INSIDE), here.recall(question, k=3, **INSIDE)
        assert ours == theirs and ours.to_dict() == theirs.to_dict()
        assert str(ours.table).splitlines()[1:] == str(theirs.table).splitlines()[1:]  # the first has the times it took


def test_what_says_as_much_goes_before_a_summary_from_behind_the_first_rows() -> None:
    memory = Memory()
    memory.remember("The kettle is in the kitchen.", id="a", kind="summary")
    for number in range(40):
        memory.remember("The kettle is in the kitchen, as they say.", id=f"b{number:02}", metadata={"n": number})
    few, told = (memory.recall("kettle kitchen", k=1, explain=explain) for explain in (False, True))
    assert [(hit.id, hit.score) for hit in few] == [(hit.id, hit.score) for hit in told]
    assert few[0].id == "b39", "what was said last"


def test_first_rows_that_say_the_same_do_not_decide_by_themselves() -> None:
    memory = Memory()
    for number in range(30):
        memory.remember("The kettle is blue.", id=f"k{number:02}", user_id=f"u{number}")
    memory.remember("In the manual of the old kettle nothing is said about its lid.", id="manual")
    for profile, first in (("kb-fast", "k00"), ("auto", "k29")):
        assert [hit.id for hit in memory.recall("kettle", k=2, profile=profile)] == [first, "manual"], profile
