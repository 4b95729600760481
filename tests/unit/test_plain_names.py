"""Names in small letters, teams, addresses and handles are answers too: of code and machines most are such."""

import pytest

from byheart import Memory

OTHERS = [
    "The office closes at six.", "Lunch is at noon on Fridays.", "The printer needs toner.", "I like green tea.",
    "We use Postgres for storage.", "The bike is in the shed.", "Sam plays the violin.", "The stove was repaired.",
]  # fmt: skip
DAY = 86_400


def answered(text: str, question: str, others: int) -> list[str]:
    memory = Memory()
    for each in [text, *OTHERS[:others]]:
        memory.remember(each)
    return [hit.text for hit in memory.recall(question)]


@pytest.mark.parametrize("others", [0, 8])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The default branch is trunk.", "what is the default branch called?"),
        ("The default branch is trunk.", "what's the name of the default branch?"),
        ("The wifi network is maple.", "what is the wifi network called?"),
        ("The admin user is root.", "what is the admin user's name?"),
        ("The config file is app.toml.", "what is the config file called?"),
        ("The command is make lint.", "what is the command called?"),
        ("The database: orders", "what is the database called?"),
        ("my cat is momo", "what is my cat called?"),
        ("The queue is called jobs.", "which name does the queue have?"),
        ("The queue is called jobs.", "which queue name do we use?"),
        ("Report security bugs to security@acme.org.", "who do I report security bugs to?"),
        ("Write to [email] about the lease.", "who do I write to about the lease?"),
        ("The invoices are sent to accounting.", "who gets the invoices?"),
        ("About parking contact @marek.", "who do I contact about parking?"),
        ("Parking questions go to +49 30 1234.", "who do I contact about parking?"),
        ("Ping ops if the queue is stuck.", "who should I ping if the queue is stuck?"),
        ("Secrets are managed by vault.", "who manages secrets?"),
        ("Escalate outages to pagerduty.", "who do I escalate outages to?"),
    ],
)
def test_what_names_it_is_found(text: str, question: str, others: int) -> None:
    assert answered(text, question, others)[:1] == [text]


@pytest.mark.parametrize("text", ["The queue is full.", "The queue was deleted.", "The queue is now empty again."])
def test_how_it_is_names_nothing(text: str) -> None:
    assert answered(text, "what is the queue called?", 8) == []


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The queue is called jobs.", "The queue was renamed to tasks.", "what is the queue called?"),
        (
            "The main branch is called master.",
            "The main branch was renamed to trunk.",
            "what is the main branch called?",
        ),
    ],
)
def test_another_name_goes_before_the_older_one(old: str, new: str, question: str) -> None:
    memory = Memory()
    memory.remember(old, created_at=0)
    memory.remember(new, created_at=60 * DAY)
    assert [hit.text for hit in memory.recall(question, now=90 * DAY)] == [new, old]


@pytest.mark.parametrize("verb", ["set", "cut", "revised", "adjusted", "trimmed"])
@pytest.mark.parametrize("amount", ["€{}", "£{}", "${}", "{} €", "{} EUR", "{} dollars"])
@pytest.mark.parametrize("thing", ["rent", "marketing budget", "salary"])
def test_what_was_set_to_an_amount_goes_before_the_older_one(thing: str, amount: str, verb: str) -> None:
    memory = Memory()
    memory.remember(f"The {thing} is {amount.format(900)}.", created_at=0)
    last = memory.remember(f"The {thing} was {verb} to {amount.format(950)}.", created_at=60 * DAY)
    assert memory.recall(f"what is the {thing}?", now=90 * DAY)[0].id == last


@pytest.mark.parametrize("question", ["What's my PIN?", "What's the door code?"])
def test_a_pin_or_code_is_no_password(question: str) -> None:
    assert answered("Wifi password is sunny-otter-88, in case I forget.", question, 0) == []
    assert answered("The alarm PIN is 4821.", "What is the alarm code?", 0) == ["The alarm PIN is 4821."]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["My wife Els is a physiotherapist.", "My daughter Priya is 9."], "How old is Els?"),
        (["Our neighbour Greta has two dogs.", "Ann says she is 31."], "How old is Greta?"),
    ],
)
def test_what_another_one_is_in_the_same_session_is_no_answer(told: list[str], question: str) -> None:
    memory = Memory()
    for at, text in enumerate(told):
        memory.ingest_turn(text, session_id="a", user_id="u", now=30 * at)
    assert not memory.recall(question, user_id="u", now=DAY)


def test_what_goes_on_in_the_same_session_answers() -> None:
    memory = Memory()
    for at, text in enumerate(["My wife Els is a physiotherapist.", "She turned 40 in May."]):
        memory.ingest_turn(text, session_id="a", user_id="u", now=30 * at)
    assert len(memory.recall("How old is Els?", user_id="u", now=DAY)) == 2
