"""Values that people say have changed: in the words of each, the newer one stands first for who asks for it."""

import pytest

from byheart import Memory
from byheart.patterns.property_evidence import has_an_amount
from byheart.patterns.updating import updates

BESIDE = (
    "The boiler was serviced in June.",
    "Karl plays the cello.",
    "We had soup for lunch.",
    "The library closes at six on weekdays.",
)
DAY = 86_400.0
NOW = 1.7e9 + 40 * DAY

RENTS = (
    "My rent is 980 euros.",
    "The rent is 980 euros a month.",
    "Our rent costs 980 euros.",
    "I pay 980 euros rent.",
)
RISES = (
    "The rent is going up to 1,080.",
    "My rent's going up to 1,080 from May.",
    "The rent has gone up to 1,080 a month.",
    "My rent went up to 1,080.",
    "They raised the rent to 1,080.",
    "The rent goes up to 1,080 in May.",
    "The rent will go up to 1,080.",
    "My rent just went up, it is 1,080 now.",
    "The rent will be 1,080 from May.",
    "The rent went from 980 to 1,080.",
    "My rent has dropped to 1,080.",
    "The rent is being raised to 1,080.",
    "The rent is now 1,080.",
)
OTHERS = (
    ("I live in Utrecht.", "I relocated to Ghent for the job.", "Where do I live?"),
    ("I live in Utrecht.", "I settled in Ghent.", "Which city do I live in?"),
    ("I live in Utrecht.", "I'm in Ghent now, moved last week.", "Where do I live?"),
    ("I'm living in Utrecht.", "My new home is in Ghent.", "Where do I live?"),
    ("I work at Philips.", "I changed jobs, I'm at ASML.", "Where do I work?"),
    ("My employer is Philips.", "I switched jobs and I'm now at ASML.", "Who is my employer?"),
    ("The shop opens at 9.", "The shop will open at 8 from now on.", "When does the shop open?"),
    ("The shop opens at 9.", "The shop's opening time changed to 8.", "What time does the shop open?"),
    ("I take 20 mg of Lisinopril.", "The doctor put me on 40 mg of Lisinopril.", "How much Lisinopril do I take?"),
    ("Ann's boyfriend is Tom.", "Ann left Tom, she's with Leo now.", "Who is Ann's boyfriend?"),
    ("We live at 14 Alder Lane.", "We moved to 27 Chestnut Avenue.", "Where do we live?"),
    ("My address is 14 Alder Lane.", "I moved to 27 Chestnut Avenue.", "What is my address?"),
    ("I live on Alder Lane.", "Our new address is 27 Chestnut Avenue.", "What is my address?"),
    ("I work at Halden & Co.", "First day at Northlight!", "Where do I work?"),
    ("I work at Halden & Co.", "From today I'm self-employed.", "Where do I work?"),
    ("Mark works for the council.", "Mark is at the Canal Trust now.", "Where does Mark work?"),
    ("Mark works for the council.", "Mark quit the council.", "Where does Mark work?"),
    ("Netflix is 10.99 a month.", "Netflix has gone up to 14.99.", "How much does Netflix cost?"),
    ("Nora is 112 cm tall.", "Nora is 121 cm now.", "How tall is Nora?"),
    ("Bins go out on Mondays.", "Council moved the bins to Wednesdays.", "When do the bins go out?"),
    ("My passport expires in June 2024.", "Passport renewed, valid until March 2034.", "When does my passport expire?"),
    ("I'm down to 68 kg.", "I weigh 70 kg again.", "What is my weight?"),
    (
        "Team meeting is on Monday at ten.",
        "We can't do Monday, so the team meeting is on Wednesday.",
        "When is the team meeting?",
    ),
)


def first(*texts: str, asked: str, now: float = NOW) -> str:
    memory = Memory()
    for at, text in enumerate((*BESIDE, *texts)):
        memory.remember(text, created_at=1.7e9 + at * DAY)
    return memory.recall(asked, now=now)[0].record.text


@pytest.mark.parametrize("newer", RISES)
@pytest.mark.parametrize("older", RENTS)
def test_an_amount_without_its_currency_is_one_where_it_went_up(older: str, newer: str) -> None:
    assert first(older, newer, asked="How much is my rent?", now=NOW + 365 * DAY) == newer


@pytest.mark.parametrize(("older", "newer", "question"), OTHERS)
def test_what_has_changed_stands_first(older: str, newer: str, question: str) -> None:
    assert first(older, newer, asked=question) == newer


def test_what_changed_of_something_else_does_not() -> None:
    rent = "The rent is 980 euros a month."
    assert first(rent, "The temperature goes up to 30 in May.", asked="How much is the rent?") == rent
    assert first("I live in Utrecht.", "My brother settled in Ghent.", asked="Where do I live?") == "I live in Utrecht."
    tom = "Ann's boyfriend is Tom."
    assert first(tom, "Ann left Rome.", asked="Who is Ann's boyfriend?") == tom


BESIDES = (
    ("Biscuit weighs 28 kg.", "I weigh 69 kg now, too many biscuits.", "How much does Biscuit weigh?"),
    (
        "Saw Dr. Lim, she's cutting the ramipril back.",
        "Amlodipine up to 10 mg, Dr. Abernathy wants to see me again in three months.",
        "When did I last see Dr. Lim?",
    ),
    (
        "Ramipril is stopped, Dr. Lim switched me to amlodipine 5 mg.",
        "Dr. Lim has retired, my new GP is Dr. Abernathy.",
        "What dose of amlodipine am I on?",
    ),
    (
        "We live at 14 Alder Lane, Brookfield.",
        "We started looking at houses. Alder Lane is too small with two kids and a dog.",
        "Where do we live?",
    ),
    (
        "Deployed checkout-service v3.11.0 to prod (ticket OPS-1180).",
        "Changed DB_POOL_SIZE from 20 to 35 for checkout-service.",
        "which version of checkout-service runs on prod?",
    ),
)


@pytest.mark.parametrize(("told", "beside", "question"), BESIDES)
def test_what_changed_beside_the_answer_stays_behind_it(told: str, beside: str, question: str) -> None:
    assert first(told, beside, asked=question) == told


def test_numbers_of_what_is_named_otherwise_update_nothing() -> None:
    newer = "Node worker-7 was replaced, its new IP is 10.20.7.71."
    older = "Upgraded the prod Kubernetes cluster to 1.29.2, node pool by node pool."
    assert not updates(newer, older)
    assert updates("The node is now 10.20.7.71.", "The node is 10.20.7.70.")


@pytest.mark.parametrize("price", ["29.90 a month", "10.99 per week", "11.20 a month"])
def test_a_price_with_two_places_is_no_time(price: str) -> None:
    assert has_an_amount(f"PureGym is {price}.")
    assert not has_an_amount("The train leaves at 10.20.")


def test_a_trip_answers_when_it_was() -> None:
    trip = "We went to Rome with the kids."
    for question in ("When did we go to Rome?", "When were we in Rome?"):
        assert first(trip, asked=question) == trip
    assert first("We got a puppy called Waffle.", asked="When did we get Waffle?").endswith("Waffle.")
    memory = Memory()
    memory.remember("Tom likes soup.")
    assert not memory.recall("When did Tom go to Rome?")


ROLES = (
    ("On-call week 49: Sofia (primary), Jonas (secondary).", "On-call week 49 was changed from Sofia to Jonas."),
    ("Kubernetes prod cluster runs 1.28.5.", "Upgraded the prod Kubernetes cluster to 1.29.2, node pool by node pool."),
    ("My hairdresser is Lou.", "Lou moved to Spain, I go to Becca now."),
    ("I earn 52,000 at Northlight.", "I got a raise to 58,500."),
    ("I earn 52,000 at Northlight.", "Got a raise, 58,500 now."),
)
ASKED = (
    "who is on call in week 49?",
    "which kubernetes version runs on prod?",
    "Who is my hairdresser?",
    "How much do I earn?",
    "What is my salary?",
)


@pytest.mark.parametrize(("pair", "question"), list(zip(ROLES, ASKED, strict=True)))
def test_who_and_what_it_is_now_stands_first(pair: tuple[str, str], question: str) -> None:
    assert first(*pair, asked=question) == pair[1]


@pytest.mark.parametrize(
    ("told", "known", "unknown"),
    [
        ("HTTP 504 from the gateway: reports are too slow.", "why HTTP 504?", "why HTTP 502 from the gateway?"),
        ("exit code 137 means the OOM killer.", "what does exit code 137 mean?", "what does exit code 139 mean?"),
        ("Error 1213: Deadlock found when trying to get lock.", "error 1213", "error 1205"),
    ],
)
def test_a_code_that_nothing_says_is_answered_by_no_other(told: str, known: str, unknown: str) -> None:
    memory = Memory()
    memory.remember(told)
    assert memory.recall(known).hits and not memory.recall(unknown).hits


def conversation(*turns: tuple[str, str]) -> Memory:
    memory = Memory()
    for at, (role, text) in enumerate(turns):
        memory.ingest_turn(text, role=role, session_id="s", user_id="helen", now=1.7e9 + 20 * at)
    return memory


def test_who_says_that_they_do_not_know_stands_behind_what_is_known() -> None:
    memory = conversation(
        ("user", "Our electrician is Mr. Bell, from Park Street."),
        ("assistant", "I don't have our electrician on file."),
    )
    hits = memory.recall("Who is our electrician?", user_id="helen", now=1.7e9 + 90).hits
    assert hits[0].text.startswith("Our electrician is Mr. Bell")


def test_what_an_assistant_takes_down_wrongly_stands_behind_what_was_said() -> None:
    memory = conversation(
        ("user", "The wedding is on 6 September."), ("assistant", "Okay, noted: wedding on 5 September.")
    )
    found = memory.recall("When is the wedding?", user_id="helen", now=1.7e9 + 90)
    assert found.hits[0].text == "The wedding is on 6 September."
