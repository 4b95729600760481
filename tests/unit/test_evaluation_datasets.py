"""Collections load as they are written, and say where they are damaged."""

from itertools import islice
from pathlib import Path

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation.datasets import Document, Query, load, read_documents, read_queries

CORPUS = """\
{"id": "c1/1", "conv": "c1", "session": 1, "speaker": "Ada", "text": "The engine weaves algebra."}

{"id": "c2/1", "conv": "c2", "speaker": "Charles", "text": "Gears, mostly.", "title": "Gears"}
{"id": "d", "text": "Line\\u2028separators stay inside a text.", "title": ""}
"""
QUERIES = """\
{"id": "q1", "text": "what weaves?", "conv": "c1", "category": 4, "category_name": "single-hop"}
{"id": "q2", "text": "what grinds?", "conv": "c2"}
{"id": "q3", "text": "unjudged"}
"""
QRELS = "q1\tc1/1\t2\nq2\tc2/1\t0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tiny"
    made.mkdir()
    for name, content in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels.tsv", QRELS)):
        (made / name).write_text(content, encoding="utf-8")
    return made


def test_a_collection_keeps_the_order_of_its_files(folder: Path) -> None:
    collection = load(folder)
    assert collection.name == "tiny"
    assert [document.id for document in collection.documents] == ["c1/1", "c2/1", "d"]
    assert collection.documents[0] == Document("c1/1", "The engine weaves algebra.", None, "Ada", "c1", "1")
    assert collection.queries[0] == Query("q1", "what weaves?", "c1", "4")
    assert collection.grades == {"q1": {"c1/1": 2}, "q2": {"c2/1": 0}}


def test_a_name_given_as_text_or_with_dots_is_a_folder_like_any(folder: Path) -> None:
    assert load(str(folder / "..") + "/tiny/.").name == "tiny"


def test_only_queries_with_something_relevant_count(folder: Path) -> None:
    assert [query.id for query in load(folder).judged()] == ["q1"]


def test_a_document_becomes_a_record(folder: Path) -> None:
    turn, titled, plain = (document.record() for document in load(folder).documents)
    assert (turn.text, turn.tenant, turn.topic) == ("Ada: The engine weaves algebra.", "c1", None)
    assert (turn.session_id, titled.session_id) == ("1", None)
    assert (titled.text, titled.tenant, titled.topic) == ("Charles: Gears, mostly.", "c2", "Gears")
    assert (plain.tenant, plain.topic) == (None, None)


def test_a_date_is_kept_as_it_is_and_becomes_a_time(folder: Path) -> None:
    line = '{"id": "e", "text": "x", "date": "1:56 pm on 8 May, 2023"}\n{"id": "f", "text": "x", "date": "in May"}\n'
    (folder / "corpus.jsonl").write_text(CORPUS + line, encoding="utf-8")
    dated, undated = load(folder).documents[-2:]
    assert (dated.date, dated.record().created_at) == ("1:56 pm on 8 May, 2023", 1683554160.0)
    assert (undated.date, undated.record().created_at) == ("in May", None)


def test_a_query_has_a_type_and_may_have_no_answer(folder: Path) -> None:
    line = '{"id": "q4", "text": "x", "category": 3, "answerable": false}\n'
    (folder / "queries.jsonl").write_text(QUERIES + line, encoding="utf-8")
    queries = load(folder).queries
    assert [query.type for query in queries] == ["single-hop", None, None, "3"]
    assert [query.answerable for query in queries] == [True, True, True, False]


def test_files_are_read_a_line_at_a_time(folder: Path) -> None:
    (folder / "corpus.jsonl").write_text(CORPUS + "{broken", encoding="utf-8")
    (folder / "queries.jsonl").write_text(QUERIES + "{broken", encoding="utf-8")
    assert [document.id for document in islice(read_documents(folder), 3)] == ["c1/1", "c2/1", "d"]
    assert [query.id for query in islice(read_queries(folder), 3)] == ["q1", "q2", "q3"]
    with pytest.raises(InvalidArgument, match=r"corpus\.jsonl:5"):
        list(read_documents(folder))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("corpus.jsonl", CORPUS + "{broken", "corpus.jsonl:5"),
        ("corpus.jsonl", CORPUS + CORPUS.splitlines()[0], "corpus.jsonl:5: id 'c1/1' occurs twice"),
        ("corpus.jsonl", CORPUS + '{"id": 3, "text": ""}', "corpus.jsonl:5: 'id' is missing or no text"),
        (
            "corpus.jsonl",
            CORPUS + '{"id": "e", "text": "", "title": 3}',
            "corpus.jsonl:5: 'title' is missing or no text",
        ),
        ("queries.jsonl", '{"id": "q", "text": "", "answerable": 0}', "queries.jsonl:1: 'answerable' is neither"),
        ("queries.jsonl", '["q1"]', "queries.jsonl:1: 'id' is missing or no text"),
        ("qrels.tsv", "q1 c1/1 1", "qrels.tsv:1: is not query, document and a whole grade"),
        ("qrels.tsv", "q1\tc1/1\t-1", "qrels.tsv:1: is not query, document and a whole grade"),
        ("qrels.tsv", QRELS + "q9\tc1/1\t1", "qrels.tsv:3: judges query 'q9'"),
        ("qrels.tsv", QRELS + "q1\tzz\t1", "qrels.tsv:3: judges document 'zz'"),
    ],
)
def test_damage_is_named_with_its_place(folder: Path, name: str, content: str, message: str) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidArgument, match=message.replace("(", r"\(")):
        load(folder)


def test_bytes_that_are_no_utf_8_are_named(folder: Path) -> None:
    (folder / "corpus.jsonl").write_bytes(b'{"id": "\xff"}')
    with pytest.raises(InvalidArgument, match=r"corpus\.jsonl: is not UTF-8"):
        load(folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "qrels.tsv").unlink()
    with pytest.raises(InvalidArgument, match=r"qrels\.tsv: cannot be read \(No such file"):
        load(folder)
