"""The registry of tools: how another one is added, under which names tools are listed, and what is not offered."""

import json
from dataclasses import replace

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart
from byheart.errors import BoundaryViolation, InvalidArgument, StoreBusy
from byheart.mcp.dispatch import Dispatch
from byheart.mcp.failures import Refused
from byheart.mcp.registry import Registry
from byheart.mcp.schemas import checker, closed, number, or_null, several, text, whole
from byheart.mcp.tool import PCE, Answer, Arguments, Call, Service, Tool
from byheart.mcp.tools import TOOLS

from .test_mcp_tools import BASE, PCE_NAMES, SHORT


def upsert(call: Call, arguments: Arguments) -> Answer:
    wrong = {
        "violation": BoundaryViolation("outside"),
        "expired": Refused("EXPIRED", "make another", at=1),
        "busy": StoreBusy("/x"),
    }
    if arguments["text"] in wrong:
        raise wrong[arguments["text"]]
    return Answer({"id": call.memory.remember(arguments["text"])})


UPSERT = Tool(
    name="pce.memory.upsert",
    group=PCE,
    title="Upsert",
    description="Keep a claim.",
    arguments=closed({"text": text(100)}, ["text"]),
    result=closed({"id": text()}, ["id"]),
    handler=upsert,
    changes=True,
    envelope=True,
    codes={InvalidArgument: "UPSERT_FAILED"},
)


def test_another_tool_is_one_entry_and_one_handler() -> None:
    memory = byheart.Memory(noise="refuse")
    registry = Registry.of((*BASE, UPSERT), "pce")
    dispatch = Dispatch(Service(memory, policy_version=lambda: "1.2.0"), registry)
    assert [name for name, _ in registry] == ["pce_memory_upsert"], "some hosts refuse dots"
    trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    for spelling in ("pce.memory.upsert", "pce_memory_upsert"):
        outcome = dispatch(spelling, {"text": f"Ann likes tea by {spelling}."}, trace=trace)
        assert set(outcome.data) == {"data", "policy_version", "request_id", "trace_id"}
        assert outcome.data["policy_version"] == "1.2.0" and set(outcome.data["data"]) == {"id"}
        assert outcome.data["trace_id"] == trace[3:35] and json.loads(outcome.text) == outcome.data
    codes = {
        said: dispatch("pce_memory_upsert", {"text": said}).data for said in ("violation", "expired", "busy", "hello")
    }
    assert [codes[said]["error"]["code"] for said in codes] == ["BOUNDARY_DENIED", "EXPIRED", "BUSY", "UPSERT_FAILED"]
    assert codes["expired"]["error"]["details"] == {"at": 1} and codes["expired"]["policy_version"] == "1.2.0"
    assert "/x" not in str(codes["busy"])


def test_names_are_listed_as_they_are_asked_for() -> None:
    def listed(wanted: str, names: str = "underscores") -> list[str]:
        return [name for name, _ in Registry.of((*BASE, UPSERT), wanted, names=names)]

    assert listed("pce", "dots") == listed("pce.memory.upsert") == ["pce.memory.upsert"]
    assert listed("pce", "both") == ["pce.memory.upsert", "pce_memory_upsert"]
    assert listed("get, memory_store,get") == ["get", "memory_store"]
    assert listed("files") == ["memory"] and listed("all") == [*SHORT, "memory", "pce_memory_upsert"]
    assert listed("short,files") == [*SHORT, "memory"]
    for wrong in ("recal", "", "short,,"):
        with pytest.raises(InvalidArgument, match="does not exist"):
            listed(wrong)
    with pytest.raises(InvalidArgument, match="names: is 'no'"):
        listed("all", "no")
    names = [name for name, _ in Registry.of(TOOLS, "all", names="dots")]
    assert names == [*SHORT, "memory", *PCE_NAMES]
    with pytest.raises(InvalidArgument, match="two of them are called 'get'"):
        Registry.of((*BASE, replace(UPSERT, name="get")), "all")


def test_a_tool_that_is_not_offered_cannot_be_called() -> None:
    dispatch = Dispatch(Service(byheart.Memory()), Registry.of(TOOLS, "recall"))
    assert set(dispatch.registry.called) == {"recall"}
    with pytest.raises(KeyError):
        dispatch("forget", {"id": "x"})


def test_whole_numbers_that_come_as_floats_are_whole_at_any_depth():
    within = closed({"lines": several(whole(-1, 9)), "share": number(0, 1), "k": or_null(whole(1, 9))})
    check = checker(replace(UPSERT, arguments=closed({"within": within, "all": several(within)})))
    given = {"lines": [1.0, -1], "share": 1.0, "k": 2.0}
    made = check({"within": given, "all": [given, {"k": None}]})
    assert repr(made["within"]) == "{'lines': [1, -1], 'share': 1.0, 'k': 2}"
    assert repr(made["all"]) == f"[{made['within']}, {{'k': None}}]"


def test_what_is_wrong_with_an_argument_names_it() -> None:
    tool = replace(UPSERT, arguments=closed({"text": text(100), "share": number(0, 1)}, ["text"]))
    check = checker(tool)
    with pytest.raises(
        InvalidArgument, match=r"arguments: there is no 'shar'; did you mean 'share'\?; there are: share, text"
    ):
        check({"text": "tea", "shar": 1})
    with pytest.raises(InvalidArgument, match=r"arguments\.share: is 2; give at most 1"):
        check({"text": "tea", "share": 2})
    with pytest.raises(InvalidArgument, match=r"arguments\.share: is -0\.5; give at least 0"):
        check({"text": "tea", "share": -0.5})


def test_the_reason_of_a_hit_is_what_its_score_is_made_of() -> None:
    memory = byheart.Memory()
    memory.remember("the kettle is blue", id="kettle", created_at=1.7e9)
    service = Service(memory=memory)
    [tool] = [each for each in TOOLS if each.name == "recall"]
    [hit] = tool.handler(Call(service, "1", "2"), {"query": "kettle"}).data["hits"]
    assert "score=" in hit["reason"] and "word_share=" in hit["reason"]
    assert not any(name in hit["reason"] for name in ("created_at", "scope", "length"))
