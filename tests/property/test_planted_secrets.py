"""No secret of a known form gets into the files of a memory under the usual policy, whatever stands around it."""

from __future__ import annotations

import contextlib
import string
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

import byheart
from byheart.boundary.redaction import Redactor
from byheart.errors import BoundaryViolation

from ..counts import examples

SIGNS = string.ascii_letters + string.digits
mixed = st.builds(
    "{}{}{}".format,
    st.text(string.ascii_lowercase, min_size=6, max_size=9),
    st.text(string.digits, min_size=3, max_size=4),
    st.text(SIGNS, min_size=8, max_size=12),
)
long = st.text(SIGNS, min_size=40, max_size=40)
names = st.sampled_from(
    ["password", "Password", "passwd", "DB_PASSWORD", "passwort", "api_key", "OPENAI_API_KEY", "client_secret",
     "access_token", "x-api-key", "AWS_SECRET_ACCESS_KEY", "パスワード"]
)  # fmt: skip
fields = st.sampled_from(
    ["{name}={value}", "{name} = {value}", "{name}: {value}", "{name}='{value}'", '{name} = "{value}"',
     "{name}: '{value}'",
     "export {name}='{value}'", '{{"{name}": "{value}"}}', "{{'{name}': '{value}'}}", "url?{name}={value}&x=1",
     "{name}:\t`{value}`", "{name} => '{value}',"]
)  # fmt: skip
places = st.sampled_from(
    ["postgres://admin:{value}@db/prod", "https://ann:{value}@example.com/x", "Authorization: Basic {value}",
     "Bearer {value}"]
)  # fmt: skip
tokens = st.sampled_from(
    ["glpat-{value}", "hf_{value}", "AIza{value}", "sk_live_{value}", "ghp_{value}", "sk-{value}", "npm_{value}",
     "SG.{value}.{value}", "whsec_{value}"]
)  # fmt: skip
planted = (
    st.tuples(fields, names, mixed).map(lambda each: (each[0].format(name=each[1], value=each[2]), each[2]))
    | st.tuples(places, mixed).map(lambda each: (each[0].format(value=each[1]), each[1]))
    | st.tuples(tokens, long).map(lambda each: (each[0].format(value=each[1]), each[1]))
)
around = st.sampled_from(
    ["", " ", "\n", "Of the harbour: ", "ann@example.com ", "call 5551234, ", "password: required\n", "it's ", '"', "(",
     "token = ", "secret: ", "[secret] ", "2026-05-03 ", "電話 ", "- "]
)  # fmt: skip


@settings(max_examples=examples(2_000))
@given(around, planted, around)
@example("", ("password=hunter2@example.com", "hunter2"), "")
@example("token = ", ("https://ann:hunter22@example.com/x", "hunter22"), "")
def test_a_planted_secret_is_found_and_what_is_cleaned_is_clean(before, secret, after):
    redactor = Redactor()
    said, value = secret
    found = redactor.redact(before + said + after)
    assert found.holds_secret and value not in found.text
    assert not redactor.finds(found.text)


@settings(max_examples=examples(250), deadline=None)
@given(st.lists(st.tuples(around, planted, around), min_size=1, max_size=4))
def test_no_planted_secret_is_in_the_files(told):
    with tempfile.TemporaryDirectory() as folder:
        with byheart.Memory(Path(folder) / "m.db", policy="default") as memory:
            memory.remember("The kettle is descaled every spring.")
            for before, (said, _), after in told:
                text = before + said + after
                for write in (
                    lambda text=text: memory.remember(text),
                    lambda text=text: memory.remember("tea", metadata={"note": text}),
                    lambda text=text: memory.ingest_turn(text, session_id="s", user_id="u"),
                ):
                    with contextlib.suppress(BoundaryViolation):
                        write()
                memory.observe("chat", text, now=0)
                memory.recall(text)
        files = b"".join(path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())
    assert b"kettle" in files
    assert not [value for _, (_, value), _ in told if value.encode() in files]
