"""A recall asked again by its receipt: the same answer, or which record changed; in Python and on the command line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

import byheart
import byheart.cli
from byheart import profiles
from byheart.cli import replaying
from byheart.embedding import HashingEmbedder
from byheart.errors import BoundaryViolation, InvalidArgument, UnsupportedFormat
from byheart.evaluation.receipt_replay import replay
from byheart.profiles.router import RouterConfig

from .conftest import Run


def written(answer: byheart.Recall) -> dict[str, Any]:
    return json.loads(json.dumps(answer.receipt.to_dict()))


@pytest.fixture
def memory() -> byheart.Memory:
    made = byheart.Memory(embedder=HashingEmbedder())
    made.remember("The kettle is descaled every spring.", id="spring", created_at=0, kind="note")
    made.remember("A blue kettle stands on the stove.", id="blue", created_at=0, session_id="s")
    made.remember("Ada drinks tea.", id="tea", created_at=0, kind="note")
    return made


@pytest.mark.parametrize("name", profiles.NAMES)
def test_every_profile_is_replayed(memory: byheart.Memory, name: str) -> None:
    whose = {"user_id": "ann"} | ({"session_id": "s"} if profiles.get(name).tells_sessions else {})
    answer = memory.recall("the kettle", profile=name, where={"kind": "note"}, exclude=["tea"], **whose)
    done = replay(memory, written(answer))
    assert done.same and done.changed == () and done.receipt == answer.receipt


def test_all_that_was_asked_is_asked_again(memory: byheart.Memory) -> None:
    answer = memory.recall("kettle", 1, profile="router", boundary={"classes": ["internal"]}, now=5.0, act="explain")
    receipt = written(answer)
    done = replay(memory, receipt)
    assert done.same and written(answer) == json.loads(json.dumps(done.receipt.to_dict()))
    assert receipt["settings"]["legs"][1]["when"] == "if_gate" and receipt["routing"]["reason"]


def test_a_record_that_changed_is_named(memory: byheart.Memory) -> None:
    receipt = written(memory.recall("kettle", profile="router"))
    memory.remember("The kettle is descaled every autumn.", id="spring", created_at=0, kind="note")
    assert "record 'spring' changed" in replay(memory, receipt).changed
    memory.forget("blue")
    done = replay(memory, receipt)
    assert not done.same and "record 'blue' is no hit any more" in done.changed
    memory.touch("spring")
    memory.remember("A kettle.", id="new", created_at=0)
    assert "record 'new' is a hit now" in replay(memory, receipt).changed


def test_a_use_changes_no_record(memory: byheart.Memory) -> None:
    receipt = written(memory.recall("kettle"))
    memory.touch("spring")
    assert replay(memory, receipt).changed == ()


@pytest.mark.parametrize("used", [{"access_count": 3}, {"accessed_at": 9.0}, {"quality": 0.5}])
def test_a_digest_is_of_all_but_uses(memory: byheart.Memory, used: dict[str, Any]) -> None:
    before = memory.recall("tea", profile="kb-fast").receipt.digests
    memory.remember({**memory.get("tea").to_dict(), "updated_at": None, **used})
    assert (memory.recall("tea", profile="kb-fast").receipt.digests == before) is ("quality" not in used)
    before = memory.recall("tea", profile="kb-fast").receipt.digests
    assert memory.remember("Ada drinks tea.", kind="note", created_at=9.0) == "tea" and memory.get("tea").seen_at == 9.0
    assert memory.recall("tea", profile="kb-fast").receipt.digests == before, "said again"


def test_scores_that_moved_without_a_changed_record(memory: byheart.Memory) -> None:
    receipt = written(memory.recall("kettle"))
    memory.remember("Something else.", id="other", created_at=0)
    done = replay(memory, receipt)
    assert not done.same and done.changed[-1] == "records: was 3, is 4"
    assert any("scores" in line for line in done.changed)


def test_only_what_is_different_is_told(memory: byheart.Memory) -> None:
    receipt = written(memory.recall("kettle", 2, profile="kb-fast"))
    (id, _), hits, digests = receipt["hits"][1], receipt["hits"], receipt["digests"]
    fewer = receipt | {"hits": hits[:1], "digests": digests[:1]}
    assert replay(memory, fewer).changed == (f"record {id!r} is a hit now",)
    turned = receipt | {"hits": hits[::-1], "digests": digests[::-1]}
    assert replay(memory, turned).changed == ("the order of the hits",)
    assert replay(memory, turned | {"records": 9}).changed == ("records: was 9, is 3",)


def test_receipts_that_cannot_be_replayed(memory: byheart.Memory) -> None:
    with pytest.raises(InvalidArgument, match="settings, k, boundary, hits"):
        replay(memory, {"query": "x"})
    with pytest.raises(InvalidArgument, match="more digests than hits"):
        replay(memory, written(memory.recall("kettle")) | {"hits": []})
    vector = HashingEmbedder().embed_queries(["kettle"])[0]
    receipt = written(memory.recall("kettle", profile="dense", vector=vector))
    with pytest.raises(InvalidArgument, match="vector"):
        replay(memory, receipt)
    assert replay(memory, receipt, vector=vector).same
    with pytest.raises(TypeError, match=r"^vector must be a list of numbers"):
        replay(memory, receipt, vector="x")
    held = written(memory.recall("kettle", profile=profiles.get("router")))
    reranked = RouterConfig().profile(lambda query, texts: [0.0] * len(texts))
    with pytest.raises(InvalidArgument, match="an object"):
        replay(memory, held | {"settings": reranked.to_dict()})


def test_a_receipt_widens_nothing() -> None:
    wide = byheart.Memory()
    wide.remember("A secret kettle.", id="s", boundary_class="secret")
    receipt = written(wide.recall("kettle", boundary={"classes": ["secret"]}))
    assert receipt["hits"]
    with pytest.raises(BoundaryViolation):
        replay(byheart.Memory(boundary={"classes": ["public"]}), receipt)


# ---- the command


def test_the_command(
    run: Run, memory_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("remember", "The kettle is descaled every spring.", "--id", "spring")
    run("remember", "A blue kettle.", "--id", "blue")
    shown = run("recall", "kettle", "--profile", "router", "--json")
    file = tmp_path / "receipt.json"
    file.write_text(shown, encoding="utf-8")
    assert run("replay", str(file)) == "the same 2 hits, with the same scores\n"
    file.write_text(json.dumps(json.loads(shown)["receipt"]), encoding="utf-8")
    assert json.loads(run("replay", str(file), "--json"))["same"] is True
    monkeypatch.setattr("sys.stdin", io.StringIO(shown))
    assert run("replay", "-").startswith("the same")
    if Path("/dev/zero").exists():
        monkeypatch.setattr(replaying, "_MOST", 1_000_000)
        assert byheart.cli.main(["replay", "/dev/zero", "-m", str(memory_file)]) == 2
        assert "/dev/zero: is longer than 1000000 bytes" in capsys.readouterr().err
        monkeypatch.setattr("sys.stdin", io.StringIO("[" * 1_000_001))
        assert byheart.cli.main(["replay", "-", "-m", str(memory_file)]) == 2
        assert "-: is longer than 1000000 characters" in capsys.readouterr().err
    run("forget", "blue")
    code = byheart.cli.main(["replay", str(file), "-m", str(memory_file)])
    printed = capsys.readouterr()
    assert code == 1 and "record 'blue' is no hit any more" in printed.out
    assert printed.err == "byheart: the answer is another one\n"


@pytest.mark.parametrize(
    ("content", "message"), [("[]", "holds no receipt"), ("{", "is no JSON"), ("{}", "has no query")]
)
def test_the_command_refuses_what_is_no_receipt(run: Run, tmp_path: Path, content: str, message: str) -> None:
    run("remember", "A kettle.", "--id", "k")
    file = tmp_path / "receipt.json"
    file.write_text(content, encoding="utf-8")
    assert message in run("replay", str(file), code=2)
    assert "absent.json" in run("replay", "absent.json", code=2)


def test_what_was_asked_of_the_superseded_is_asked_of_them_again(memory: byheart.Memory) -> None:
    memory.remember_many(
        [
            {"text": "Ann lives in Rome", "id": "rome", "superseded_by": "oslo"},
            {"text": "Ann lives in Oslo", "id": "oslo"},
        ]
    )
    answer = memory.recall("Where does Ann live?", include_superseded=True, deadline=60.0, min_strength=0.0)
    assert {"rome", "oslo"} <= {hit.id for hit in answer}
    done = replay(memory, written(answer))
    assert done.same and done.receipt.include_superseded and done.receipt.deadline == 60.0


@pytest.mark.parametrize("version", [9, "1", True, None])
def test_a_receipt_of_another_version_is_refused(version: object) -> None:
    memory = byheart.Memory()
    memory.remember("The kettle is red.", id="k", created_at=0)
    receipt = memory.recall("kettle").receipt.to_dict() | {"schema_version": version}
    with pytest.raises(UnsupportedFormat, match=r"schema_version is .*; this version of byheart reads 1"):
        replay(memory, receipt)
