"""A name that another style writes is found before records that hold its parts alone."""

from __future__ import annotations

import pytest

from byheart import Analyzer, Memory
from byheart.retrieval.naming_styles import in_other_styles

CAMEL = "getUserById loads a user from the cache before the database."
SNAKE = "get_user_by_id loads a user from the cache before the database."
SQL = "SELECT o.id, o.total FROM orders o WHERE o.user_id = ? ORDER BY o.id"


@pytest.mark.parametrize("written", [CAMEL, SNAKE])
@pytest.mark.parametrize("asked", ["getUserById", "get_user_by_id", "what does get_user_by_id do?", "GetUserByID"])
def test_a_name_is_found_in_another_style(written: str, asked: str) -> None:
    memory = Memory()
    memory.remember_many([written, SQL, "The build takes ten minutes."])
    first = memory.recall(asked, explain=True)[0]
    assert first.text == written
    as_written = (asked.lower() == "getuserbyid") == (written == CAMEL)
    assert ("light: no part of what the words weigh" in str(first.explanation)) is not as_written


def test_a_name_is_found_where_it_is_called_before_what_says_its_parts_alone() -> None:
    code = "def verify_signature(body, header):\n    expected = digest(body)\n    return expected == header"
    talk = "To verify a signature, verify it once: a signature that was verified twice is refused."
    memory = Memory()
    others = [
        f"The {name} closes at six, and opens again in the morning." for name in ("office", "pool", "bank", "zoo")
    ]
    memory.remember_many([talk, code, "Verify the signature of a guest.", "A signature is verified by Ann.", *others])
    assert memory.recall("verify_signature")[0].text == code
    assert memory.recall("where is verify_signature defined?")[0].text == code
    assert memory.recall("who verifies a signature?")[0].text != code


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("parse_http_header", ["parsehttpheader", "parse_http_header"]),
        ("HTTPServer,", ["httpserver", "http_server"]),
        ("the red kettle", []),
        ("C++ and don't", []),
    ],
)
def test_the_terms_of_other_styles(text: str, terms: list[str]) -> None:
    assert in_other_styles(text, Analyzer(stem=False)) == terms
