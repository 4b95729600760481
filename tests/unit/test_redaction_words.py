"""Words that detectors go by, each by itself: names of secrets, what speaks of a field, and what announces a number.

They are written again here: who takes one off, or misspells it, leaks what stands beside it.
"""

from __future__ import annotations

import pytest

from byheart.boundary.redaction.fields import fields, is_told
from byheart.boundary.redaction.telephones import telephones

NAMES = (
    "password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "contraseña", "mot de passe", "パスワード",
    "密码", "密碼", "pass", "pwd", "pw", "secret", "token", "credential", "credentials", "api key", "access_key",
    "private-key", "secret key", "signing_key", "encryption key", "auth key", "account key", "master key", "apikey",
    "secret_key_base",
)  # fmt: skip
SPEAKING = (
    "required optional missing empty unset set invalid expired changed unchanged reset field fields string str text "
    "bytes int integer number bool boolean none null nil undefined true false yes no unknown redacted hidden removed "
    "masked omitted n/a tbd todo example value values"
)
PROSE = "incorrect wrong valid correct here see ask is was the a an in on and or not"
BEFORE = (
    "telephone", "telefon", "telephon", "telefone", "tel", "phone", "fon", "mobile", "mobil", "movil", "móvil", "cell",
    "cellphone", "handy", "fax", "call", "ring", "dial", "whatsapp", "sms", "téléphone", "telefono", "teléfono", "tél",
    "portable", "電話", "携帯", "でんわ", "ファックス", "my number", "his number", "her number", "our number",
    "their number", "meine nummer", "deine nummer", "seine nummer", "ihre nummer", "unsere nummer", "mi numero",
    "su número", "mon numero", "son numéro", "mio numero", "suo numero",
)  # fmt: skip
BETWEEN = "me us him her them at on is my number no nr nummer unter auf an ist under es est 番号 は が"
BEHIND = "phone tel mobile mobil cell fax handy"
NUMBER = "4829133"


def told(text: str) -> list[str]:
    return [text[start:end] for start, end in telephones(text)]


def secrets(text: str) -> list[str]:
    return [text[start:end] for start, end in fields(text)]


@pytest.mark.parametrize("name", NAMES)
def test_each_name_of_a_secret_is_known(name: str) -> None:
    assert secrets(f"{name}: hunter2") == secrets(f"{name.upper()}: hunter2") == ["hunter2"]
    assert secrets("colour: hunter2") == []


@pytest.mark.parametrize("word", SPEAKING.split())
def test_each_word_that_speaks_of_a_field_is_no_secret(word: str) -> None:
    assert secrets(f"password: {word}") == secrets(f"password={word}") == secrets(f"token={word.title()}") == []
    assert secrets(f"password={word}q7") == [f"{word}q7"]


@pytest.mark.parametrize("word", PROSE.split())
def test_each_word_of_prose_is_no_secret_where_blanks_stand_before_it(word: str) -> None:
    assert secrets(f"password: {word}") == []
    assert secrets(f"password={word}") == [word]
    assert (is_told(word), is_told(word, tight=True)) == (False, True)


@pytest.mark.parametrize("word", BEFORE)
def test_each_word_that_announces_a_number_is_known(word: str) -> None:
    assert told(f"{word} {NUMBER}") == [NUMBER]
    assert told(f"order {NUMBER}") == []


@pytest.mark.parametrize("word", BETWEEN.split())
def test_each_small_word_may_stand_between(word: str) -> None:
    assert told(f"phone {word} {NUMBER}") == [NUMBER]
    assert told(f"phone order {NUMBER}") == []


@pytest.mark.parametrize("word", BEHIND.split())
def test_each_word_behind_a_number_tells_what_it_is(word: str) -> None:
    assert told(f"{NUMBER} ({word})") == [NUMBER]
    assert told(f"{NUMBER} (order)") == []
