"""What `help` says of a memory: the verbs first, with an example, and every keyword of a verb with its meaning."""

import pydoc
import re

import pytest

import byheart
from byheart import Hit, Memory, Recall, RecallOptions
from byheart.cli import main
from byheart.memory.fields import RecordChanges, RecordFields
from byheart.memory.options import ActivationOptions
from byheart.rules import SHIPPED

TEN = ("remember", "update", "forget", "recall", "explain", "context", "get", "records", "ingest_turn", "history")


def test_the_first_page_has_an_example_and_the_ten_verbs() -> None:
    page = pydoc.plain(pydoc.render_doc(Memory)).split("Args:")[0]

    assert page.index(">>> with Memory()") < page.index("remember(text")
    for verb in TEN:
        assert re.search(rf"\n [ |]+{verb}\(.*\) +[a-z]", page), verb
    assert len(page.splitlines()) < 60


def test_each_verb_is_named_on_the_first_page() -> None:
    page = Memory.__doc__.split("Args:")[0] if Memory.__doc__ else ""
    verbs = {name for name, value in vars(Memory).items() if callable(value) and not name.startswith("_")}
    verbs -= {f"a{name}" for name in verbs} | {"delete", "close", "replace_sources", "tenants", "embed", "version",
                                               "active_context", "observation"}  # fmt: skip

    assert len(verbs) > 30
    assert not {verb for verb in verbs if not re.search(rf"\b{verb}\b", page)}


@pytest.mark.parametrize(
    ("verb", "keywords"),
    [("recall", RecallOptions), ("activate", ActivationOptions), ("remember", RecordFields), ("update", RecordChanges)],
)
def test_the_help_of_a_verb_says_what_each_keyword_means(verb: str, keywords: type) -> None:
    page = pydoc.plain(pydoc.render_doc(getattr(Memory, verb))).split("Keywords:")[1]
    told = {name for line in re.findall(r"^\s+([a-z_, ]+): ", page, re.MULTILINE) for name in line.split(", ")}

    assert len(keywords.__annotations__) >= 10
    assert set(keywords.__annotations__) <= told


def test_the_help_of_a_memory_prints_no_rule_of_those_that_hold_by_default() -> None:
    assert "tool_to_capability" not in pydoc.plain(pydoc.render_doc(Memory))
    for rules, held in ((None, SHIPPED), ((), ()), (SHIPPED[:2], SHIPPED[:2])):
        assert Memory(rules=rules)._engine.settings.vocabulary.rules == held
    assert Memory()._engine.settings.vocabulary.rules == SHIPPED


def test_the_package_says_where_to_begin() -> None:
    assert "help(byheart.Memory)" in pydoc.plain(pydoc.render_doc(byheart))


def words_of(what: object) -> str:
    """Return the help of something on one line."""
    return " ".join(pydoc.plain(pydoc.render_doc(what)).replace("|", " ").split())


@pytest.mark.parametrize("what", [Recall.sufficient, Recall.strength, Hit])
def test_the_help_of_a_strength_says_that_it_is_about_the_topic_and_fitted_on_english(what: object) -> None:
    page = words_of(what)
    assert "enough to answer from" not in page
    assert "about the topic" in page and "for its reader to say" in page
    assert "English" in page and "little words count as words" in page


def test_help_says_where_hits_are_not_in_the_order_of_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["recall", "--help"])
    for page in (words_of(Memory.recall), words_of(Recall), " ".join(capsys.readouterr().out.split())):
        assert "says nearly the same" in page and "newer one" in page
