"""benches/stores: byheart's side runs from end to end on few records, and the page is that of the numbers kept."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import byheart

PACKAGE = Path(byheart.__file__).parents[1]
RECORDS, SINGLES, QUESTIONS = 60, 5, 9


@pytest.fixture
def folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = root / "benches" / "stores"
    monkeypatch.syspath_prepend(str(found.parent))
    monkeypatch.syspath_prepend(str(found))
    return found


@pytest.fixture
def data(folder: Path, tmp_path: Path) -> ModuleType:
    found = importlib.import_module("data")
    found.prepare(tmp_path, RECORDS, QUESTIONS)
    return found


def test_records_are_the_same_in_every_process_and_for_every_number(data: ModuleType, tmp_path: Path) -> None:
    batches = list(data.items(tmp_path, 0, RECORDS))
    items = [item for batch in batches for item in batch]
    rest = next(data.items(tmp_path, 40, RECORDS))

    assert [item.number for item in items] == list(range(RECORDS))
    assert all(120 < len(item.text.encode()) <= 250 for item in items)
    assert all(abs(float(item.vector @ item.vector) - 1.0) < 1e-5 and len(item.vector) == 384 for item in items)
    assert [(item.id, item.text, item.vector.tobytes()) for item in rest] == [
        (item.id, item.text, item.vector.tobytes()) for item in items[40:]
    ]


def test_byheart_answers_every_kind_of_question_exactly(data: ModuleType, tmp_path: Path) -> None:
    """It is opened again in between, as the page says."""
    adapter = importlib.import_module("adapter")
    store = adapter.Byheart(tmp_path)
    store.create()
    for batch in data.items(tmp_path, 0, RECORDS):
        store.add(batch)
    store.sync()
    store.settle()
    store.close()
    store.open()
    texts = {item.number: item.text for batch in data.items(tmp_path, 0, RECORDS) for item in batch}

    questions = data.questions(tmp_path)
    assert len(questions) == QUESTIONS
    first = 0, 0
    for asked in questions:
        near, few = store.vector(asked.vector), store.filtered(asked.vector, asked.group)
        assert {number for number, _ in near} == asked.nearest
        assert {number for number, _ in few} == asked.nearest_of_group and len(few) == 1
        by_words, by_both = store.text(asked.words), store.hybrid(asked.words, asked.vector)
        first = first[0] + (near[0] in by_words[:3]), first[1] + (near[0] in by_both[:3])
        assert all(texts[number] == text for number, text in (*near, *few, *by_words, *by_both))
    assert min(first) > QUESTIONS / 2, f"by words, by both: the record that the question was made of is first {first}"
    store.close()


def test_every_store_has_a_face(folder: Path) -> None:
    stores = importlib.import_module("rivals").stores()
    pinned = {line.partition("==")[0] for line in (folder / "requirements.txt").read_text("utf-8").splitlines()}

    assert next(iter(stores)) == "byheart" and len(stores) == 6
    assert {name for kind in stores.values() for name in kind.packages} - {"byheart"} < pinned
    assert all(kind.promise and kind.vectors and kind.imports for kind in stores.values())


def test_one_command_measures_every_line(folder: Path, tmp_path: Path) -> None:
    if sys.platform != "linux":
        return  # what a process holds is read from /proc
    out = tmp_path / "results.json"
    sizes = ["--records", str(RECORDS), "--singles", str(SINGLES), "--questions", str(QUESTIONS), "--rounds", "1"]
    command = [sys.executable, str(folder / "run.py"), "--only", "byheart", *sizes, "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr

    kept = json.loads(out.read_text(encoding="utf-8"))
    values = {row["case"]: row["values"]["byheart"] for row in kept["rows"]}
    assert list(values) == [case for _, case, _, _ in importlib.import_module("run").cases()] and len(values) > 20
    assert all(value > 0 for value in values.values())
    assert values["question by vector, recall@10"] == values["question by filtered, recall@10"] == 1.0
    text = importlib.import_module("page").tables(kept)
    assert text.count("\n| question by ") == 10 and f"### {RECORDS} records" in text


def test_the_page_is_that_of_the_numbers_kept(folder: Path) -> None:
    page = importlib.import_module("page")
    written = (folder / "README.md").read_text(encoding="utf-8").partition(page.BEGIN)[2]
    results = sorted(folder.glob("results-*.json"))
    assert results
    for path in results:
        kept = json.loads(path.read_text(encoding="utf-8"))
        assert page.tables(kept).strip() in written, f"{path.name}: run page.py --write"
        for versions in kept["versions"].values():
            pins = (folder / "requirements.txt").read_text(encoding="utf-8")
            assert all(f"\n{each.replace(' ', '==')}\n" in pins for each in versions.split(", ") if each)


def test_what_is_installed_is_counted_once(folder: Path) -> None:
    installed = importlib.import_module("installed")
    assert installed.closure(["byheart"]) == {"byheart", "numpy"}
    assert {"pytest", "pluggy", "packaging"} < installed.closure(["pytest"])
    assert installed.megabytes({"byheart"}) > 1
