"""Every error says something: in all tests one that does not is a failure (`errors_speak` in `tests/conftest.py`)."""

from typing import Any

import pytest

from byheart import errors

KINDS: dict[str, Any] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.ByheartError) and "__init__" not in vars(kind)
}


@pytest.mark.parametrize("name", sorted({"ByheartError", *KINDS}))
def test_an_error_without_words_fails_the_test_that_meets_it(name: str) -> None:
    kind = KINDS.get(name, errors.ByheartError)
    assert str(kind("is full")) == "is full"
    for said in [(), (None,), ("",), (" ",)]:
        with pytest.raises(AssertionError, match="without a message"):
            kind(*said)
