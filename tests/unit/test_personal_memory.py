"""A memory of some twenty facts, as an assistant has: it answers what it knows, and is empty where it knows nothing."""

from __future__ import annotations

import pytest

from byheart import Memory

FACTS = {
    "home": "I live in Bergen with my wife Ida and our dog Pixel.",
    "flight": "My flight to Lisbon is on the 3rd of May, TAP 755, seat 14C.",
    "allergy": "I'm allergic to peanuts and shellfish.",
    "wifi": "Our wifi password is on the back of the router in the hallway.",
    "birthday": "Ida's birthday is on 12 September.",
    "boiler": "The boiler was serviced in March by Nordvarme AS.",
    "seat": "I prefer window seats and vegetarian meals when flying.",
    "car": "The car is a 2019 Volvo V60 and needs winter tyres by November.",
    "school": "My daughter Sofie starts school in August at Fjellskolen.",
    "dentist": "The dentist appointment moved to Tuesday at 9:30.",
    "database": "Production database runs PostgreSQL 15 on host db-prod-02.",
    "rust": "We decided to use Rust for the ingestion service instead of Go.",
    "freeze": "Deploys are frozen from December 18 to January 4.",
    "key": "The staging API key rotates every 30 days.",
    "error": "Error E1042 means that the payment gateway timed out.",
    "invoices": "Maria from accounting approves invoices above 5,000 euros.",
    "retro": "Our retro is every second Thursday at 14:00.",
    "report": "The customer Acme wants the report exported as CSV.",
    "coffee": "I take my coffee black, no sugar.",
    "gym": "My gym membership ends on June 30.",
}
KNOWN = {
    "where do I live?": "home",
    "when do I fly to Lisbon?": "flight",
    "what am I allergic to?": "allergy",
    "wifi password": "wifi",
    "who serviced the boiler?": "boiler",
    "what car do I have?": "car",
    "dentist": "dentist",
    "which database do we use in production?": "database",
    "postgres version": "database",
    "why rust": "rust",
    "can I deploy on December 20?": "freeze",
    "E1042": "error",
    "what format does Acme want?": "report",
    "how do I drink my coffee?": "coffee",
    "what is my wife called?": "home",
    "coffe": "coffee",
}
UNKNOWN = [
    "how do I renew a passport?", "what is the capital of Mongolia?", "recipe for lasagne",
    "who won the world cup in 1998?", "explain quantum entanglement", "how tall is Mount Everest?",
    "when was the French revolution?", "my blood type", "what is my mother's name?", "phone number of the plumber",
]  # fmt: skip


@pytest.mark.parametrize("size", [20, 12, 5, 1])
def test_what_is_known_is_answered_and_nothing_else(size: int) -> None:
    with Memory() as memory:
        held = list(FACTS)[:size]
        for id in held:
            memory.remember(FACTS[id], id=id)
        for question, id in KNOWN.items():
            assert id not in held or id in [hit.id for hit in memory.recall(question, 3)], question
        for question in UNKNOWN:
            assert not memory.recall(question).hits, question
