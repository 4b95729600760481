"""The word of a text that tells a state in other words: what it changes to, and not what it leaves."""

from __future__ import annotations

import pytest

from byheart.patterns.state_words import state_words


@pytest.mark.parametrize(
    "text",
    [
        "I have now joined Bosch.",
        "I left Siemens and joined Bosch.",
        "I quit Siemens and joined Bosch.",
    ],
)
def test_words_of_an_end_or_of_the_present_tell_no_state(text: str) -> None:
    assert state_words(text) == {"work": "joined", "job": "joined"}
