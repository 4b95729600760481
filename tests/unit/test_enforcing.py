"""What a policy admits, and what it says of what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from byheart.boundary.policy import DEFAULT_POLICY, read_policy
from byheart.boundary.policy.enforcing import Enforcer
from byheart.errors import BoundaryViolation
from byheart.records import Record

CLASSES = {"internal": {"allow": ["*"], "redact": ["seat"]}, "public": {"allow": ["*"]}}
CLASSES["pii"] = {"allow": ["*"], "escalation": "deny"}
SCOPES = {"session": {"ttl": "14d", "max_tokens": 100}}
POLICY = read_policy({"version": "1.2.0", "boundary_classes": CLASSES, "scopes": SCOPES})
KEY = "sk-" + "a1B2c3D4" * 6
SECRET = "holds a secret (a key, a token, a password), and "


def enforcer() -> Enforcer:
    return Enforcer(POLICY, detectors={"seat": lambda text: [(0, 3)] if text.startswith("12B") else []})


@pytest.mark.parametrize(
    ("scope", "boundary_class", "said"),
    [
        ("session", "secret", "boundary_class: 'secret' is not remembered under a policy; nothing was"),
        ("session", "odd", "boundary_class: 'odd' is closed by policy 0.1.0"),
        ("odd", "internal", "scope: 'odd' is none of policy 0.1.0; there are: session, project, principle"),
    ],
)
def test_a_place_that_is_none_of_the_policy_is_refused_by_name(scope: str, boundary_class: str, said: str) -> None:
    with pytest.raises(BoundaryViolation) as told:
        Enforcer(DEFAULT_POLICY).admit(Record(text="tea"), scope, boundary_class)
    assert str(told.value) == said


@pytest.mark.parametrize(
    ("record", "boundary_class", "said"),
    [
        (Record(text="tea"), "pii", "boundary_class: 'pii' is closed by policy 1.2.0"),
        (Record(text=KEY), "public", f"record: {SECRET}is not remembered; leave that out"),
        (Record(text="tea", id=KEY), "public", f"id: {SECRET}names are kept as they are; use another one"),
        (Record(text="tea", user_id=KEY), "public", f"user_id: {SECRET}names are kept as they are; use another one"),
    ],
)
def test_what_is_denied_or_holds_a_secret_is_refused(record: Record, boundary_class: str, said: str) -> None:
    with pytest.raises(BoundaryViolation) as told:
        enforcer().admit(record, "session", boundary_class)
    assert str(told.value) == said


def test_what_is_of_no_class_is_internal() -> None:
    record = Record(text="12B by the window")
    hidden = "[seat] by the window"
    assert enforcer().clean(record).text == enforcer().clean_text(record.text) == hidden
    assert enforcer().clean(record.completed(boundary_class="internal")).text == hidden
    assert enforcer().clean(record.completed(boundary_class="public")).text == record.text
    assert enforcer().admit(record, "session", "internal").text == hidden
    assert enforcer().admit(record, "session", "public").text == record.text


def test_each_word_of_a_list_is_looked_at() -> None:
    record = Record(text="tea", tags=("12B", "window"))
    assert enforcer().admit(record, "session", "internal").tags == ("[seat]", "window")
    assert enforcer().admit(record, "session", "public") == record


def test_a_policy_without_scopes_says_that_there_are_none() -> None:
    none = Enforcer(replace(DEFAULT_POLICY, scopes={}))
    with pytest.raises(BoundaryViolation, match=r"there are: none$"):
        none.admit(Record(text="tea"), "session", "internal")


def test_a_record_lives_as_long_as_its_scope_says() -> None:
    assert (enforcer().lifetime("session"), enforcer().lifetime("odd")) == (14 * 86_400, None)
