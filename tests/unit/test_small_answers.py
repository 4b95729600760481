"""Small things: names of metadata that are taken, boundaries without scopes, orders by date, accounts of a bank."""

from __future__ import annotations

from typing import Any

import pytest

import byheart
from byheart import Boundary, Memory
from byheart.boundary.redaction import Redactor
from byheart.boundary.redaction.cards import accounts
from byheart.conversation.gate import NAMES
from byheart.errors import BoundaryViolation, InvalidArgument, UnknownField
from byheart.memory.governed import PolicyOptions


@pytest.mark.parametrize("metadata", [{"role": "x"}, {"gating_score": 9}, {"gating_t": 1}])
def test_a_name_of_metadata_that_is_taken_is_refused(metadata: dict[str, Any]) -> None:
    memory = byheart.Memory()
    [name] = metadata
    with pytest.raises(InvalidArgument, match=f"metadata: '{name}' is written by the memory"):
        memory.ingest_turn("I drive a bus daily.", session_id="s", user_id="ann", metadata=metadata)
    assert memory.count() == 0


def test_other_names_and_the_role_that_it_is_are_kept() -> None:
    memory = byheart.Memory()
    done = memory.ingest_turn(
        "I drive a bus daily.", session_id="s", user_id="ann", role="human",
        metadata={"source": "web", "gating": 1, "role": "user"},
    )  # fmt: skip
    assert done.id is not None and done.gate is not None
    kept = memory.get(done.id).metadata
    assert set(done.gate.to_metadata()) == NAMES <= set(kept)
    assert (kept["source"], kept["gating"], kept["role"]) == ("web", 1, "user")


def test_a_boundary_that_names_no_scopes_means_those_that_are_open() -> None:
    memory = Memory(policy="default", policy_options=PolicyOptions(allow=("answer:task", "tool:contact-lookup")))
    memory.remember("The kettle is Ann's.", id="pii", boundary_class="pii")
    memory.remember("The kettle is red.", id="internal")
    assert [hit.id for hit in memory.recall("kettle", boundary=Boundary(classes=("pii",)))] == ["pii"]
    closed = Memory(policy="default")
    with pytest.raises(BoundaryViolation, match=r"classes \('pii',\) go beyond"):
        closed.recall("kettle", boundary=Boundary(classes=("pii",)))
    with pytest.raises(BoundaryViolation, match=r"scopes \('elsewhere',\) go beyond"):
        memory.recall("kettle", boundary=Boundary(scopes=("elsewhere",)))


@pytest.mark.parametrize("name", ["date", "-date", "time"])
def test_an_order_by_date_is_pointed_to_when_a_record_was_made(name: str) -> None:
    with pytest.raises(UnknownField, match="did you mean 'created_at'"):
        byheart.Memory().records(order_by=name)


@pytest.mark.parametrize(
    "number", ["DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19", "DE89-3704-0044-0532-0130-00"]
)
def test_an_account_is_hidden_whole_where_a_part_of_it_is(number: str) -> None:
    assert Redactor(["phone"]).redact(f"IBAN {number}, by Friday").text == "IBAN [phone], by Friday"
    assert Redactor().redact(f"IBAN {number}, by Friday").text == "IBAN [card], by Friday"
    assert Redactor().redact(f"call 4155552671 or pay {number}").text == "call [phone] or pay [card]"


@pytest.mark.parametrize(
    "number", ["DE89370400440532013000", "NO9386011117947", "MT84MALT011000012345MTLCAST001S", "NL91ABNA0417164300"]
)
def test_an_account_without_blanks_is_hidden_as_one_with_them_is(number: str) -> None:
    assert Redactor().redact(f"IBAN:{number}.").text == "IBAN:[card]."
    wrong = number[:2] + str((int(number[2:4]) + 1) % 100).zfill(2) + number[4:]
    assert Redactor(["card"]).redact(wrong).text == wrong


def test_what_is_no_account_is_hidden_as_before() -> None:
    assert Redactor().redact("DE88 3704 0044 0532 0130 00").text == "DE[phone]"
    assert Redactor(["phone"], literal=True).redact("DE89 3704 0044 0532 0130 00").text == "DE[phone]"


def test_accounts_beside_each_other_are_told_apart() -> None:
    text = "DE89 3704 0044 0532 0130 00 GB29 NWBK 6016 1331 9268 19 ASAP"
    assert [text[start:end] for start, end in accounts(text)] == [text[:27], text[28:-5]]
    assert list(accounts("AB12 " * 10_000)) == [] and list(accounts("AB12" * 10_000)) == []
    assert Redactor().redact(text).text == "[card] [card] ASAP"
