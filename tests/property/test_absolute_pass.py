"""The pass of the core does to a proposal what the stages of the profile auto do, to the last bit."""

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from byheart import Memory, Recall, Record
from byheart.embedding import HashingEmbedder
from byheart.ranking.near_rows import MANY
from byheart.recall import absolute, run

from ..counts import examples
from ..printed import checked

WORDS = ["fox", "foxes", "red", "owl", "東京", "café", "den", "getUserName", "user"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
names = st.sampled_from([None, "Ann", "Fox", "Straße"])
statements = st.builds(
    "the {} fox of Ann Berg lives in {}".format,
    st.sampled_from(["red", "red", "old", "red and old"]),
    st.sampled_from(["Rome", "Bern", "Oslo", "Wien", "Rome on the Tiber"]),
)

ROOMS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Ivy", "Oak", "Pine", "Rowan", "Yew"]
OTHERS = [
    "Room Fir is next to the door",
    "An oak stands there",
    "The retro of last year",
    "Yew or oak",
    "A new retro room",
]
# And more than are linked of one form.
ROOMS += ["Acacia", "Beech", "Cherry", "Douglas", "Ebony", "Ficus", "Guava", "Holly"]
FORMS = [
    "The next retro is in room {}.",
    "The next lunch is in room {}.",
    "Our retro is in {}.",
    "{} had the next retro.",
]


@st.composite
def batches(draw: Any) -> list[Record]:
    """Return records, some of which say the same or nearly so, some in conversations, some marked as noise."""
    talks, texts = draw(st.booleans()), draw(st.sampled_from([sentences, statements, sentences | statements]))
    names_of = draw(st.permutations(range(draw(st.integers(4, 30)))))  # ids are in another order than the records came
    return [
        Record(
            text=draw(texts) + draw(st.sampled_from(["", "", "?", ". Red fox?", "? The den."])),
            id=f"r{number:02}",
            topic=draw(st.none() | sentences),
            kind=draw(st.sampled_from([None, "turn", "summary", "memory"])),
            session_id=draw(st.sampled_from([None, "s1", "s2"])) if talks else None,
            user_id=draw(st.sampled_from([None, "ann"])) if talks else None,
            speaker=draw(names) if talks else None,
            scope=draw(st.sampled_from(["project", "other"])),
            created_at=draw(st.none() | st.sampled_from([0.0, 1.0, 2.0, 90_000.0])),
            metadata=draw(st.sampled_from([{}, {}, {"noise": "greeting"}])) if talks else {},
        )
        for number in names_of
    ]


options = st.fixed_dictionaries(
    {"k": st.integers(1, 30), "min_strength": st.sampled_from([None, 0.0, 0.999]), "now": st.just(10.0)},
    optional={
        "session_id": st.sampled_from(["s1", "absent"]),
        "user_id": st.just("ann"),
        "where": st.sampled_from([{"kind": "turn"}, {"id": ["r00", "r01", "r02"]}]),
        "exclude": st.just(["r03"]),
    },
)
questions = st.tuples(
    sentences | st.sampled_from(["where does the red fox of Ann Berg live", "Ann Berg in Bern"]),
    st.sampled_from(["", " may I", " said Ann", " STRASSE", " last May", " -owl", ' "red fox"']),
)


@settings(max_examples=examples(600))
@given(batch=batches(), question=questions, embedder=st.booleans(), asked=options)
def test_the_pass_is_the_stages(batch: list[Record], question: tuple[str, str], embedder: bool, asked: Any) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    near = any(record.near_duplicates for record in memory.records())
    passed = compared(memory, "".join(question), asked)
    event(f"{'passed' if passed else 'the stages ran'}{', near-duplicates' if near else ''}")


@st.composite
def many_of_one_form(draw: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Return notes of few forms, as many of each as a record names or somewhat fewer or more, and what is forgotten."""
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=3, unique=True))
    of_each = st.sampled_from([1, 2, 3, MANY - 1, MANY, MANY + 1, MANY + 2, 2 * MANY, len(ROOMS)])
    texts = [form.format(room) for form in forms for room in draw(st.permutations(ROOMS))[: draw(of_each)]]
    texts += draw(st.lists(st.sampled_from(texts), max_size=3))  # said again
    texts += draw(st.lists(st.sampled_from(OTHERS), min_size=2, unique=True))
    times = st.sampled_from(draw(st.sampled_from([[None], [1.0], [1.0, 2.0], [None, *range(9)]])))
    talks = draw(st.booleans())
    notes = [
        {
            "text": text,
            "id": f"r{number:02}",
            "created_at": draw(times),
            "session_id": draw(st.sampled_from([None, "s1", "s2"])) if talks else None,
            "kind": draw(st.sampled_from([None, "turn", "memory"])) if talks else None,
        }
        for number, text in zip(draw(st.permutations(range(len(texts)))), draw(st.permutations(texts)), strict=True)
    ]
    return notes, draw(st.lists(st.sampled_from([note["id"] for note in notes]), max_size=3, unique=True))


@settings(max_examples=examples(600))
@given(
    notes=many_of_one_form(),
    question=st.sampled_from(["where is the next retro?", "is the next retro in room Fir?", "Oak or Yew", "the retro"]),
    embedder=st.booleans(),
    at_once=st.booleans(),
    asked=options,
)
@example(  # what has nothing of the question is brought in beside what it says nearly the same as
    notes=(
        [
            {"text": text, "id": f"r{number:02}", "created_at": None, "session_id": None, "kind": None}
            for number, text in enumerate([
                "The next retro is in room Alder.", "The next lunch is in room Yew.",
                "The next lunch is in room Birch.",
                "Our retro is in Alder.", "Room Fir is next to the door", "An oak stands there",
            ])
        ],
        [],
    ),
    question="Oak or Yew", embedder=True, at_once=False, asked={"k": 3, "min_strength": None, "now": 10.0},
)  # fmt: skip
def test_the_pass_puts_many_of_one_form_in_the_order_of_the_stages(
    notes: tuple[list[dict[str, Any]], list[str]], question: str, embedder: bool, at_once: bool, asked: Any
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    told, forgotten = notes
    for batch in [told] if at_once else [[note] for note in told]:
        memory.remember_many(batch)
    for id in forgotten:
        if id in memory:
            memory.forget(id)
    most = max((len(record.near_duplicates) for record in memory.records()), default=0)
    passed = compared(memory, question, {**asked, "min_strength": 0.0})
    event(f"{'passed' if passed else 'the stages ran'}, {most} named at most")


CHANGING = [
    ("My landlord is Mr. Patel.", "The landlord raised the rent to 950.", "My landlord is Mr. Osei."),
    ("The exam is on 17 March in hall B.", "The exam was moved to 24 March.", "The exam is on 17 March in hall C."),
    ("I live in Rome.", "I live in Paris.", "I moved to Paris."),
    ("My phone is a Pixel.", "I sold my phone for 200 euros.", "My phone is a Fairphone."),
    ("The parcel is at the north gate.", "The parcel was cancelled.", "The parcel is at the post office."),
    ("The exam is in hall B.", "Correction: hall C, not hall B.", "The exam is in hall D."),
]
BESIDE = ["The brass kettle of Ann Berg is on the shelf.", "A brass bell hangs over us.", "Ann Berg paints the shelf."]
ALL = "{} spoke of the landlord, of the exam, of the phone, of the parcel and of how to live there for long."
SPOKE = [ALL.format(who) for who in ("Two nurses", "The bakers", "My cousins", "Old sailors")]
"""So that enough is found that no other leg is asked."""
NARROW = [
    (
        "Who is my landlord?",
        "When is the exam?",
        "Where do I live?",
        "How much is my phone?",
        "Who has the parcel?",
        "Where is the exam?",
    ),
    (
        "Is my landlord nice?",
        "Is the exam hard?",
        "Do I live well?",
        "Is my phone old?",
        "Which parcel is it?",
        "Is the exam easy?",
    ),
    (
        "Who is Patel?",
        "Who is in hall B?",
        "Who likes Rome?",
        "Who has a Pixel?",
        "Who waits at the north gate?",
        "Who sits in hall B?",
    ),
    ("Patel", "hall B", "Rome", "Pixel", "north gate", "hall B"),
]
MORE = ["", " the brass kettle of Ann Berg is on the shelf", " a brass bell", " Ann Berg paints the shelf"]


@st.composite
def changing(draw: Any) -> tuple[list[dict[str, Any]], str]:
    """Return statements told anew or changed, one after the other or at once, summarised or not, and what is asked."""
    which = draw(st.integers(0, len(CHANGING) - 1))
    texts = draw(st.permutations(CHANGING[which]))[: draw(st.integers(2, 3))]
    others = draw(st.lists(st.sampled_from(BESIDE), max_size=3, unique=True))
    at = draw(st.sampled_from([1.0, 0.0]))
    notes = [
        {"text": text, "id": f"r{number}", "created_at": 1.0 + at * number}
        for number, text in enumerate([*texts, *others, *SPOKE])
    ]
    if draw(st.booleans()):  # what says as much of the question goes before it, and what changes that along with it
        notes.append({"text": " ".join(texts), "id": "r9", "created_at": 9.0, "kind": "summary"})
    return notes, draw(st.sampled_from(NARROW))[which] + draw(st.sampled_from(MORE))


@settings(max_examples=examples(600))
@given(given=changing(), k=st.integers(1, 6))
def test_the_pass_asks_the_texts_of_near_duplicates_as_the_stages_do(
    given: tuple[list[dict[str, Any]], str], k: int
) -> None:
    memory, (notes, question) = Memory(), given
    for note in notes:
        memory.remember_many([note])
    passed = compared(memory, question, {"k": k, "min_strength": 0.0, "now": 10.0})
    linked = any(record.near_duplicates for record in memory.records())
    event(f"{'passed' if passed else 'the stages ran'}{', linked' if linked else ''}")


ANSWERING = [
    "I am allergic to nuts.",
    "Tom is allergic to fish.",
    "My sister is allergic to milk.",
    "I'm not allergic to wheat.",
    "Tom is not allergic to eggs.",
    "My dentist is Dr. Orr.",
    "I have a new dentist, Dr. Salis.",
    "Tom's dentist is Dr. Bell.",
    "My dentist now has a new chair.",
    "The last biscuit is gone.",
    "Sauna with Tom at the lake.",
    "Sauna at the hotel with my dentist and two of his friends.",
    "The first sauna with Tom was at the pool.",
]
ASKING = [
    "What am I allergic to?",
    "What is Tom allergic to?",
    "What am I not allergic to?",
    "Who is my dentist?",
    "Who is Tom's dentist?",
    "Where was my last sauna?",
    "Where was the first sauna with Tom?",
    "my dentist and the sauna",
]


@settings(max_examples=examples(600))
@given(
    texts=st.lists(st.sampled_from(ANSWERING), min_size=2, max_size=10),
    talks=st.booleans(),
    question=st.sampled_from(ASKING),
    k=st.integers(1, 12),
)
def test_the_pass_asks_the_texts_who_is_asked_for_as_the_stages_do(
    texts: list[str], talks: bool, question: str, k: int
) -> None:
    memory = Memory()
    told = [*texts, *(f"The {kind} lot is allergic to a dentist in a sauna." for kind in ("red", "old", "odd", "wet"))]
    for number, text in enumerate(told):
        session = f"s{number % 3}" if talks else None
        memory.remember(text, id=f"r{number:02}", created_at=number * 30_000.0, session_id=session)
    asked = {"min_strength": 0.0, "now": 1e6}
    passed = compared(memory, question, {"k": k, **asked})
    first, whole = memory.recall(question, k, **asked), memory.recall(question, 30, **asked)
    assert [hit.id for hit in first] == [hit.id for hit in whole][:k]
    event("passed" if passed else "the stages ran")


PROPERTIES = [
    "Emma is six.",
    "Emma wears size 38.",
    "Emma plays the cello on Mondays.",
    "Emma's brother Karl is 12 years old.",
    "I was born in 1990.",
    "Karl's phone number is 555-1234.",
    "Karl called from the road.",
    "My bike is green.",
    "The bike of Emma cost 300 euros.",
    "The green bike of Emma was sold.",
]
OF_PROPERTIES = [
    "How old is Emma?",
    "How old is Karl?",
    "What is Karl's phone number?",
    "What is Emma's phone number?",
    "How much did my bike cost?",
    "How old is my bike?",
    "When is Emma's birthday?",
    "Where does Karl live?",
    "Which weight has the bike of Emma?",
    "Who plays the cello?",
    "And what did the green bike cost?",
    "How often does Emma play the cello?",
    "Karl's number plate?",
]


@settings(max_examples=examples(600))
@given(
    texts=st.lists(st.sampled_from(PROPERTIES), min_size=1, max_size=8),
    others=st.integers(0, 30),
    at_once=st.booleans(),
    question=st.sampled_from(OF_PROPERTIES),
    k=st.integers(1, 12),
    least=st.sampled_from([None, 0.0]),
)
def test_the_pass_asks_the_texts_for_a_property_as_the_stages_do(
    texts: list[str], others: int, at_once: bool, question: str, k: int, least: float | None
) -> None:
    memory = Memory()
    told = [f"Emma and Karl live by bike and phone number {number}." for number in range(others)] + texts
    batches = [told] if at_once else [[text] for text in told]
    for number, batch in enumerate(batches):
        memory.remember_many(
            [Record(text=text, id=f"r{number:02}{at:02}", created_at=float(number)) for at, text in enumerate(batch)]
        )
    passed = compared(memory, question, {"k": k, "min_strength": least, "now": 100.0})
    table = memory.recall(question, k, min_strength=least, now=100.0).table
    unsaid = "unsaid" in (table.figures.get("strength") or {})
    event(f"{'passed' if passed else 'the stages ran'}{', unsaid' if unsaid else ''}")


def compared(memory: Memory, question: str, asked: Any) -> bool:
    """Hold the answer of a pass against that of the stages; return whether there was a pass."""
    passes: list[Any] = []

    def watched(*given: Any) -> Any:
        passes.append(fused(*given))
        return passes[-1]

    fused = run.fused
    first = memory.recall(question, **asked)
    with patch.object(run, "fused", watched), patch.object(absolute, "FIRST", 1_000):
        there = memory.recall(question, **asked)
    with patch.object(run, "fused", lambda *given: None):
        told = memory.recall(question, **asked)
    assert (first.hits, first.degraded, first.receipt) == (told.hits, told.degraded, told.receipt)
    assert (first.strength, first.nearest) == (told.strength, told.nearest)
    assert without_dropped(there) == without_dropped(told)
    assert sorted(there.dropped) == sorted(told.dropped)  # behind the first k rows stand as the texts were not asked
    kept = [(each.strength, each.nearest, replace(each.table, dropped=())) for each in (there, told)]
    assert kept[0] == kept[1]
    assert [hit.strength for hit in there] == [hit.strength for hit in told]
    return any(found is not None for found in passes)


@settings(max_examples=examples(300))
@given(batch=batches(), question=questions, embedder=st.booleans(), asked=options)
def test_each_printed_row_comes_out_of_what_stands_there(
    batch: list[Record], question: tuple[str, str], embedder: bool, asked: Any
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    answer = memory.recall("".join(question), explain=True, **asked)
    for name in checked(answer):
        event(name)


def without_dropped(answer: Recall) -> dict[str, Any]:
    return {name: value for name, value in answer.to_dict().items() if name != "dropped"}


def test_where_records_say_nearly_the_same_the_newer_stands_first() -> None:
    memory = Memory()
    memory.remember_many([f"the tea of the {at}th floor is {at} minutes old" for at in "abcdef"])
    memory.remember("Ann Berg lives in the city of Rome", id="b", user_id="ann", created_at=1)
    memory.remember("Ann Berg lives in the city of Bern", id="c", user_id="ann", created_at=2)
    assert memory.get("c").near_duplicates == ("b",)
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        answer = memory.recall("tea of the floor and where Ann Berg lives", 9, user_id="ann", min_strength=0)
    assert [hit.id for hit in answer][:2] == ["c", "b"]


def without_stages(memory: Memory, question: str, k: int = 5) -> Recall:
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        return memory.recall(question, k, min_strength=0, now=1e6)


def spoken_of() -> Memory:
    memory = Memory()
    memory.remember_many([Record(text=text, id=f"s{at}", created_at=float(at)) for at, text in enumerate(SPOKE)])
    return memory


def test_what_no_search_found_is_brought_in_without_the_stages() -> None:
    memory = spoken_of()
    memory.remember("The exam is in hall B.", id="old", created_at=20.0)
    memory.remember("Correction: hall C, not hall B.", id="new", created_at=30.0)
    assert memory.get("new").near_duplicates == ("old",)
    answer = without_stages(memory, "Where is the exam?")
    assert {hit.id for hit in answer.hits[:2]} == {"old", "new"}
    columns = dict(zip([hit.id for hit in answer], answer.table.columns["near_duplicate"], strict=True))
    assert columns["old"] is None and columns["new"] == answer.hits[0].score == answer.hits[1].score
    assert compared(memory, "Where is the exam?", {"k": 5, "min_strength": 0.0, "now": 1e6})


def test_what_is_brought_in_and_has_changed_goes_first_without_the_stages() -> None:
    memory = spoken_of()
    memory.remember_many([f"The {kind} boiler hums in flat {kind}." for kind in ("red", "odd", "wet", "tall", "wild")])
    old = "We decided on a heat pump in place of the boiler, Vaillant 12 kW, installers are Ynni Da, start on 1st June"
    memory.remember(old, id="old", created_at=20.0)
    new = "Ynni Da postponed, the heat pump's going in from 22 June instead, no hot water for two days"
    memory.remember(new, id="new", created_at=30.0)
    ids = [hit.id for hit in without_stages(memory, "in place of the boiler?", 30)]
    assert ids.index("new") == ids.index("old") - 1
    assert compared(memory, "in place of the boiler?", {"k": 30, "min_strength": 0.0, "now": 1e6})


def test_what_has_changed_goes_first_without_the_stages_and_only_if_it_is_asked_for() -> None:
    memory = spoken_of()
    memory.remember("The exam is on 17 March in hall B.", id="old", created_at=20.0)
    memory.remember("The exam was moved to 24 March.", id="new", created_at=30.0)
    assert [hit.id for hit in without_stages(memory, "When is the exam?", 1)] == ["new"]
    assert [hit.id for hit in without_stages(memory, "In which hall is the exam?", 1)] == ["old"]


def test_whose_fact_is_asked_for_goes_first_without_the_stages() -> None:
    memory = spoken_of()
    memory.remember_many([f"A {kind} goat is allergic to straw." for kind in ("red", "odd", "wet", "tall", "wild")])
    memory.remember("Tom is allergic to nuts.", id="toms", created_at=20.0)
    memory.remember("I am allergic to penicillin, says the letter of the old clinic.", id="mine", created_at=20.0)
    mine, toms = without_stages(memory, "What am I allergic to?", 30).hits[:2]
    assert (mine.id, toms.id) == ("mine", "toms") and mine.score < toms.score
    assert [hit.id for hit in without_stages(memory, "What am I allergic to?", 1)] == ["mine"]


def test_a_durable_copy_told_later_goes_before_an_older_one_in_the_pass_as_in_the_stages() -> None:
    memory = Memory()
    rome, bern = ("the red fox of Ann Berg lives in " + city for city in ("Rome", "Bern"))
    memory.remember_many(
        [
            Record(text=rome, id="a", topic="fox", kind="memory", created_at=0.0),
            Record(text=bern, id="b"),
            Record(text=rome, id="d"),
            Record(text=rome, id="c", kind="memory"),
        ]
    )
    for k in (1, 2, 3):
        compared(memory, "where does the red fox of Ann Berg live", {"k": k, "min_strength": None, "now": 10.0})


@pytest.mark.parametrize("many", [2, 3, MANY, MANY + 1, MANY + 2, 2 * MANY, 16, 60])
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_many_of_one_form_take_the_pass(many: int, embedder: HashingEmbedder | None) -> None:
    memory = Memory(embedder=embedder)
    for at in range(many):
        memory.remember(f"The rent of flat {at} is due.", id=f"r{at:02}", created_at=at)
    memory.remember_many(["A flat tyre again", "Somebody painted the third flat green."])
    named = [record.id for record in memory.records() if record.near_duplicates]
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        answer = memory.recall("which rent of a flat is due?", 60, min_strength=0)
    in_turn = [hit.id for hit in answer if hit.id in named]
    assert len(named) > 1 and in_turn == sorted(named, reverse=True)


def test_a_usual_question_takes_the_pass_and_one_that_names_a_time_does_not() -> None:
    memory = Memory()
    memory.remember_many(
        [Record(text=f"tea with milk and {at} is tea of the {at} kind", session_id="s1") for at in range(20)]
    )
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")):
        assert len(memory.recall("tea with milk", 5, session_id="s1")) == 5
        assert len(memory.recall("may I have tea with milk", 5, session_id="s1")) == 5
    with patch.object(run, "_round", side_effect=AssertionError("the stages ran")), pytest.raises(AssertionError):
        memory.recall("tea with milk last May", 5, session_id="s1")
