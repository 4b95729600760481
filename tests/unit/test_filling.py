"""A filled context: what stands beside hits, what is cut, in which order it is read, and what says so."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from byheart import Context, Memory, Record, errors
from byheart.conversation.candidates import Candidate
from byheart.conversation.context import Recent
from byheart.conversation.filling import Filling, fill, in_order, ranked
from byheart.conversation.passages import passage
from byheart.storage import InProcessStore

SESSIONS = {
    "trip": ["We land in Lisbon at noon.", "Who picks us up?", "My aunt Rosa does.", "Lovely.", "Bring the charger."],
    "tea": ["The kettle is descaled every spring.", "By whom?", "By Ada, who likes it."],
}
QUESTION = "who descaled the kettle in spring?"


@pytest.fixture
def memory() -> Memory:
    made = Memory()
    for day, (session, turns) in enumerate(SESSIONS.items()):
        for number, text in enumerate(turns):
            made.ingest_turn(text, session_id=session, id=f"{session}{number}", now=86_400 * day + number)
    return made


def shown(context: Context) -> list[tuple[str, str | None]]:
    return [(entry.id, entry.beside) for entry in context.entries]


def test_what_was_told_beside_a_hit_comes_with_it(memory: Memory) -> None:
    context = memory.context(QUESTION, 100, k=1)
    assert [hit.id for hit in context.recall] == ["tea0"]
    assert shown(context) == [("tea0", None), ("tea1", "tea0"), ("tea2", "tea0")]
    assert [(entry.kind, entry.score is None) for entry in context.entries] == [("hit", False), *[("hit", True)] * 2]
    assert [(row.id, row.beside, row.reason) for row in context.receipt] == [
        ("tea0", None, "accepted"), ("tea1", "tea0", "accepted"), ("tea2", "tea0", "accepted"),
    ]  # fmt: skip
    assert shown(memory.context(QUESTION, 100, k=1, policy="first_fit")) == [("tea0", None)]
    assert shown(memory.context(QUESTION, 100, "kb-balanced")) == [("tea0", None)]
    assert shown(memory.context(QUESTION, 100, "kb-balanced", policy="fill"))[1:] == [
        ("tea1", "tea0"), ("tea2", "tea0"),
    ]  # fmt: skip


def test_what_stands_beside_a_hit_is_of_the_time_that_was_asked_for() -> None:
    """By the time of the question, and not of the clock, which has passed the end of each of these turns."""
    memory = Memory()
    for number, text in enumerate(SESSIONS["tea"]):
        memory.ingest_turn(text, session_id="tea", id=f"tea{number}", now=number, durable="none")
        memory.update(f"tea{number}", expires_at=10 if number == 1 else 20)
    ids = [[each for each, _ in shown(memory.context(QUESTION, 100, k=1, now=now))] for now in (5, 15, 25)]
    assert ids == [["tea0", "tea1", "tea2"], ["tea0", "tea2"], []]


def test_a_session_is_read_in_its_order(memory: Memory) -> None:
    context = memory.context("does aunt Rosa like the kettle?", 100)
    ids = [entry.id for entry in context.entries]
    assert {"trip2", "tea0"} <= set(ids)
    for session in SESSIONS:
        own = [id for id in ids if id.startswith(session)]
        assert own == sorted(own) and len(own) > 2
        places = [ids.index(id) for id in own]
        assert places == [*range(places[0], places[0] + len(own))], "a session stands in one piece"
    assert context.text.index("We land") < context.text.index("My aunt Rosa")


def test_as_many_are_asked_for_as_may_fit() -> None:
    memory = Memory()
    memory.remember_many({"id": f"r{at}", "text": f"kettle number {at}"} for at in range(350))

    def shown(**given: Any) -> int:
        return len(memory.context("kettle", 10_000, **given).entries)

    assert (shown(), shown(k=7), shown(policy=Filling(deep=1)), shown(policy="first_fit")) == (300, 7, 100, 10)
    assert shown(profile="kb-balanced", policy="fill") == shown(profile="kb-balanced", policy=Filling(deep=1))
    assert len(memory.recall("kettle", k=350)) == 100, "a recall is as deep as it was"


LONG = "The kettle whistles. " + " ".join(f"Remark {number} is about something else." for number in range(60))


def test_a_long_entry_is_cut_behind_a_sentence_and_says_so() -> None:
    memory = Memory()
    memory.remember(LONG, id="long", created_at=0)
    [entry] = memory.context("kettle", 100).entries
    assert entry.cut and entry.text.endswith("else. …") and LONG.startswith(entry.text[:-2])
    assert 90 < entry.tokens <= 100
    context = memory.context("kettle", 100)
    assert [(row.id, row.reason, row.tokens) for row in context.receipt] == [("long", "cut", entry.tokens)]
    assert f'shown="{len(entry.text)} of {len(LONG)} characters"' in context.text
    assert memory.context("kettle", 29).entries == (), "less than 30 tokens are no sensible part"
    assert not memory.context("kettle", 1_000).entries[0].cut
    assert memory.context("kettle", 100, policy="first_fit").entries == ()


def test_of_a_long_entry_the_passage_is_shown_that_the_question_asks_about() -> None:
    memory = Memory()
    sections = [
        f"Section {at}. The plant {at} has a reactor. Its inspector was Dr {at}X. Rain fell." for at in range(400)
    ]
    memory.remember("\n\n".join(sections), id="report", created_at=0)
    for at in (217, 399, 0):
        [entry] = memory.context(f"who was the inspector of the reactor of plant {at}?", 60).entries
        assert entry.cut and f"The plant {at} has" in entry.text and f"Dr {at}X" in entry.text
        assert entry.text.startswith("… ") == (at > 0) and entry.text.endswith(" …") == (at < 399)
        assert 30 <= entry.tokens <= 60
    context = memory.context("inspector of the reactor of plant 217", 60)
    whole = len(memory.get("report").text)
    assert f'shown="{len(context.entries[0].text)} of {whole} characters"' in context.text


@pytest.mark.parametrize(
    ("room", "least", "said"),
    [
        (200, 1, "… f g. h."),
        (21, 1, "… c d. e key. f g. h."),
        (20, 1, "… c d. e key. f g. …"),
        (19, 1, "… c d. e key. …"),
        (14, 1, "… e key. …"),
        (10, 1, "… e key. …"),
        (9, 1, "a b. …"),
        (9, 7, None),
        (5, 1, None),
    ],
)
def test_a_passage_holds_the_sentence_that_is_asked_for(room: int, least: int, said: str | None) -> None:
    text = "a b. c d. e key. f g. h."
    found = passage(text, Fraction(room), len, least, "h." if room == 200 else "key.", str.split)
    assert (found and found[0]) == said


def test_a_short_entry_is_not_cut_in_its_turn_and_what_is_left_over_is_used() -> None:
    memory = Memory()
    for id, often in (("a", 3), ("b", 2), ("c", 1)):
        memory.remember("kettle " * often + "and its friends. " * 11, id=id)
    [a, b, c] = memory.context("kettle", 1_000).entries
    assert ([a.id, b.id, c.id], [a.tokens, b.tokens, c.tokens]) == (["a", "b", "c"], [52, 51, 49])
    cut = {
        budget: [(e.id, e.cut) for e in memory.context("kettle", budget, policy=Filling(long=0.5)).entries]
        for budget in (103, 131, 136, 152)
    }
    assert cut[152] == [("a", False), ("b", False), ("c", False)]
    assert cut[136] == [("a", False), ("b", False), ("c", True)]
    assert cut[131] == cut[103] == [("a", False), ("b", False)], "there are not 30 tokens left for another"
    memory.remember("kettle.", id="d")
    assert [(e.id, e.cut) for e in memory.context("kettle", 136, policy=Filling(long=0.5)).entries] == [
        ("a", False), ("b", False), ("d", False),
    ]  # fmt: skip


def test_what_a_question_may_not_find_does_not_stand_beside_a_hit(memory: Memory) -> None:
    def beside(**given: Any) -> list[str]:
        return [entry.id for entry in memory.context(QUESTION, 100, k=1, **given).entries][1:]

    assert beside() == ["tea1", "tea2"]
    assert beside(exclude=["tea1"]) == ["tea2"]
    assert beside(where={"metadata.seen": {"$exists": False}, "id": {"$ne": "tea2"}}) == ["tea1"]
    assert beside(until=86_402) == ["tea1"]
    memory.update("tea1", expires_at=90_000)
    assert (beside(now=89_999), beside(now=90_000)) == (["tea1", "tea2"], ["tea2"])
    memory.update("tea2", boundary_class="secret")
    assert beside(now=90_000) == []


def test_operators_hold_beside_hits(memory: Memory) -> None:
    entries = memory.context(f"{QUESTION} -ada", 100, k=1).entries
    assert [entry.id for entry in entries] == ["tea0", "tea1"]


def test_archived_turns_and_summaries_do_not_stand_beside_a_hit(memory: Memory) -> None:
    memory.remember("A summary of it.", id="sum", kind="summary", session_id="tea", created_at=86_401)
    memory.update("tea1", archived_by="sum")
    assert [entry.id for entry in memory.context(QUESTION, 100, k=1).entries] == ["tea0", "tea2"]


def test_invariants_and_recent_turns_are_not_repeated(memory: Memory) -> None:
    context = memory.context(f"{QUESTION} Rosa", 200, session_id="tea", recent=Recent(2, 0))
    assert [entry.id for entry in context.entries[:3]] == ["tea1", "tea2", "tea0"]
    assert [entry.kind for entry in context.entries[:3]] == ["recent", "recent", "hit"]
    assert len({entry.id for entry in context.entries}) == len(context.entries) > 4


def test_a_turn_by_the_name_of_an_invariant_is_not_shown_beside_a_hit() -> None:
    store = InProcessStore()
    other, ruled = Memory(store=store), Memory(store=store, invariants=[{"id": "tea1", "text": "Be kind."}])
    for number, text in enumerate(SESSIONS["tea"]):
        other.ingest_turn(text, session_id="tea", id=f"tea{number}", now=number)
    assert [entry.text for entry in ruled.context(QUESTION, 200, k=1).entries] == [
        "Be kind.", SESSIONS["tea"][0], SESSIONS["tea"][2],
    ]  # fmt: skip


def test_the_same_words_twice_cost_once(memory: Memory) -> None:
    memory.ingest_turn("by WHOM?", session_id="tea", id="tea9", now=86_403)
    memory.ingest_turn("The kettle again.", session_id="tea", id="tea10", now=86_404)
    texts = [entry.text.lower() for entry in memory.context("kettle", 200, k=2).entries]
    assert sorted(texts) == sorted(set(texts)) and "by whom?" in texts


def test_of_one_id_in_two_cells_the_right_one_is_looked_beside() -> None:
    store = InProcessStore()
    for name, thing in (("internal", "kettle"), ("public", "teapot")):
        memory = Memory(store=store, boundary={"scopes": ["project"], "classes": [name]})
        memory.ingest_turn(f"The {thing} of {name}.", session_id="s", id="k", boundary_class=name, now=1)
        memory.ingest_turn(f"Quite {name} remarks!", session_id="s", id=f"r-{name}", boundary_class=name, now=2)
    memory = Memory(store=store)
    inside = {"scopes": ["project"], "classes": ["internal", "public"]}
    for thing, name in (("kettle", "internal"), ("teapot", "public")):
        context = memory.context(thing, 300, boundary=inside, k=1)
        assert shown(context) == [("k", None), (f"r-{name}", "k")]


def turn(id: str, text: str, **fields: Any) -> Record:
    return Record(text=text, id=id, tenant="t", scope="project", boundary_class="internal", **fields)


def test_worth_is_a_share_of_the_hit() -> None:
    hits = [(turn("a", "first"), 1.0), (turn("b", "second"), 0.7), (turn("c", "third"), 0.1)]
    beside = [((turn("x", "before"),), (turn("y", "after"),)), ((), (turn("c2", "third"),))]
    order = ranked(hits, beside, Filling(before=(0.5,), after=(0.8,)))
    assert [(each.record.id, each.beside) for each in order] == [
        ("a", None), ("y", "a"), ("b", None), ("c", None), ("x", "a"),
    ]  # fmt: skip
    near = [((turn("b", "second"),), ()), ((), ()), ((), (turn("a", "first"),))]
    assert [each.record.id for each in ranked(hits, near, Filling())] == ["a", "b", "c"], "a hit loses nothing by it"
    same = ranked([(turn("a", "first"), -1.0), (turn("b", "second"), 3.0)], [], Filling())
    assert [each.record.id for each in same] == ["a", "b"], "hits stay in their order, whatever their scores"


def test_hits_of_one_text_are_all_charged() -> None:
    hits = [(turn("a", "same"), 1.0), (turn("b", "same"), 0.9)]
    assert [each.record.id for each in ranked(hits, [], Filling())] == ["a", "b"]


def test_sessions_stand_by_their_best_and_others_alone() -> None:
    rows = [("b", "s1", 5.0), ("n", None, 9.0), ("x", "s2", 1.0), ("a", "s1", 4.0), ("m", None, 1.0)]
    given = [Candidate(turn(id, id, session_id=session, created_at=at), 1.0) for id, session, at in rows]
    assert [each.record.id for each in in_order(given)] == ["a", "b", "n", "x", "m"]


def costs(candidate: Candidate, part: str | None) -> float:
    return len(candidate.record.text if part is None else part)


def part(text: str, room: Fraction, cost: Callable[[str], float], least: float) -> tuple[str, float] | None:
    return passage(text, room, cost, least, "", str.split)


def test_sums_are_compared_without_rounding() -> None:
    given = [Candidate(turn(str(at), str(at)), 1.0) for at in range(11)]
    for cost, inside in ((0.1, 9), (0.125, 8)):  # ten times 0.1 are a little more than 1
        choices = fill(given, {}, 1.0, 0.0, lambda *_, cost=cost: cost, lambda each: each.record.text, Filling(), part)
        assert sum(choice.text is not None for choice in choices) == inside


def test_short_ones_are_not_cut_in_their_turn_and_one_is_cut_into_what_is_left() -> None:
    given = [Candidate(turn(id, f"{id}a. {id}b. {id}c."), 1.0) for id in "wxyz"]  # 11 characters, 7 or 11 as a part

    def filled(budget: float, long: float) -> list[str | None]:
        choices = fill(given, {}, budget, 0.0, costs, lambda each: each.record.text, Filling(least=5, long=long), part)
        return [choice.text for choice in choices]

    assert filled(17, 1.0) == ["wa. wb. wc.", "xa. …", None, None]
    assert filled(23, 1.0) == ["wa. wb. wc.", "xa. xb. xc.", None, None]
    assert filled(34.5, 0.0) == ["wa. wb. wc.", "xa. xb. xc.", "ya. yb. yc.", None]
    short = Candidate(turn("s", "s."), 1.0)
    for other, long in ((given[1], 1.0), (Candidate(given[1].record, None, "w"), 0.0)):
        choices = fill(
            [given[0], other, short], {}, 20, 0.0, costs, lambda e: e.record.text, Filling(least=5, long=long), part
        )
        assert [choice.text for choice in choices] == ["wa. wb. wc.", "xa. …", "s."]
    parts = fill(given[:3], {}, 10, 0.0, costs, lambda each: each.record.text, Filling(least=5, long=1.0), part)
    assert [choice.text for choice in parts] == ["wa. wb. …", None, None], "one part at most of what is left over"
    small = fill([given[0], short], {}, 10, 0.0, costs, lambda e: e.record.text, Filling(least=5), part)
    assert [choice.text for choice in small] == ["wa. …", "s."], "a part takes half, and what shorter ones leave"
    alone = fill([given[0]], {}, 10, 0.0, costs, lambda e: e.record.text, Filling(least=5), part)
    assert [(choice.text, choice.reason) for choice in alone] == [("wa. wb. …", "cut")], "and all of it alone"


class Odd:
    """A tokenizer that finds less in some longer texts, and more in the first entry."""

    def count(self, text: str) -> int:
        return 9 if 'number="M1"' in text else 50 if text.endswith("b. …") else 2 + 5 * text.count("…")


def test_estimates_need_not_grow_with_the_text() -> None:
    for text in ("a. b. c. d.", "a. b. c.", "b. c."):
        [choice] = fill(
            [Candidate(turn("a", text), 1.0)], {}, 7, 0, lambda each, part: 90 if part is None else Odd().count(part),
            lambda each: each.record.text, Filling(least=5), part,
        )  # fmt: skip
        assert choice.text is None if text == "b. c." else choice.text == "a. …", "what costs too much is no part"


def test_what_numbers_cost_is_counted_in_the_end() -> None:
    memory = Memory()
    memory.remember_many({"id": id, "text": f"kettle {id}"} for id in "abc")
    counts = {}
    for budget in (8, 14, 15, 40):
        context = memory.context("kettle", budget, tokens=Odd(), count_frame=True)
        counts[budget] = len(context.entries)
        assert sum(row.tokens for row in context.receipt if row.reason == "accepted") <= budget
    assert counts == {8: 0, 14: 2, 15: 3, 40: 3}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Filling(before=(1.5,)), "before: is 1.5"),
        (lambda: Filling(after=(-0.1,)), "after: is -0.1"),
        (lambda: Filling(least=0), "least: is 0"),
        (lambda: Filling(long=2.0), "long: is 2.0"),
        (
            lambda: Memory().context("a", 5, policy="full"),
            "policy: 'full' is unknown; use one of prefix, first_fit, fill",
        ),
    ],
)
def test_what_is_no_filling_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        make()


@pytest.mark.parametrize(
    ("room", "least", "start"), [(30, 4, "Five."), (30, 12, "Five."), (8, 4, "Six."), (30, 16, "Three.")]
)
def test_a_passage_begins_where_it_says_enough_and_fits(room: int, least: int, start: str) -> None:
    text = "One one. Two. Three. Four. Five. Six."
    found = passage(text, Fraction(room), len, least, "six.", lambda text: text.lower().split())
    assert found is not None and found[0].startswith(f"\N{HORIZONTAL ELLIPSIS} {start}") and found[0].endswith("Six.")
