"""Faults that somebody with only the README met: receipts that cannot be copied, sums that nothing explains."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument
from byheart.mcp.failures import failure_of
from byheart.patterns import gate_signals


def test_the_receipt_of_a_turn_is_copied_and_pickled() -> None:
    receipt = Memory().ingest_turn("I live in Oslo now, with a cat.", session_id="s", user_id="ann")
    for again in (pickle.loads(pickle.dumps(receipt)), copy.deepcopy(receipt)):
        assert again == receipt and again.gate.signals == receipt.gate.signals
    signals = gate_signals("we decided to deploy v1.2 to src/main.rs; I prefer tea")
    again = pickle.loads(pickle.dumps(signals))
    assert again == signals and again.counts == signals.counts and again.tokens == signals.tokens


def test_an_export_into_a_folder_that_is_not_there_names_the_users_file(tmp_path: Path) -> None:
    memory = Memory()
    memory.remember("the kettle leaks", id="a")
    with pytest.raises(InvalidArgument, match=r"the folder of .*x.jsonl does not exist") as told:
        memory.export_to(tmp_path / "none" / "x.jsonl")
    assert "byheart-new" not in str(told.value)


def test_each_summand_of_an_activation_is_worked_out_again_from_its_explanation() -> None:
    memory = Memory(embedder=HashingEmbedder())
    memory.remember_many([{"id": "a", "text": "an engine"}, {"id": "b", "text": "a programme of engines, and of tea"}])
    found = memory.recall("engine programme", profile="activation", explain=True)
    assert found.hits
    for row, hit in enumerate(found.hits):
        said = str(hit.explanation)
        alpha = float(re.search(r"alpha ([0-9.]+) x s_vec, which is \(cosine \+ 1\) / 2", said)[1])  # type: ignore[index]
        cosine = found.table.columns["dense"][row]
        changes = {change.name: change for change in hit.explanation.changes}  # type: ignore[union-attr]
        if cosine is not None:
            assert changes["vector_part"].operand == alpha * ((cosine + 1.0) / 2.0)
        if "text_part" in changes:
            assert changes["text_part"].operand == (1.0 - alpha) * found.table.columns["s_text"][row]  # type: ignore[operator]
        assert changes["g"].operand == found.table.columns["g"][row]


def test_a_host_of_the_protocol_is_told_the_rule_and_no_option_of_ours() -> None:
    with pytest.raises(Exception) as told:
        Memory(noise="refuse").remember("hello there")
    failure = failure_of(told.value)
    assert failure.code == "NOISE_REFUSED" and "greeting" in failure.message and "noise=None" not in failure.message
