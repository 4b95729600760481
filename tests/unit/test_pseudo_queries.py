"""Pseudo queries: words of a claim that no other claim has, drawn the same way on every run."""

from dataclasses import replace

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation.datasets import Collection, Document, Query
from byheart.evaluation.pseudo_queries import draw, ngrams
from byheart.evaluation.splits import part_of
from byheart.ranking.activation.question_form import token_count, token_spans


def claims(*texts: str, conversation: str | None = None, first: int = 0) -> tuple[Document, ...]:
    return tuple(
        Document(f"{conversation or 'd'}{number}", text, conversation=conversation)
        for number, text in enumerate(texts, first)
    )


def drawn_of(documents: tuple[Document, ...], words: int = 5) -> dict[str, Query]:
    found = draw(Collection("c", documents, (), {}), ("train", "valid", "test"), words)
    return {query.id: query for part in found.parts.values() for query in part.queries}


TEXTS = [
    f"Number {n} of the {what}s was mended {n} times by the {n} hands of {what} makers in spring {n}."
    for n in range(10, 30)
    for what in ("kettle", "violin")
]


def test_each_asks_for_its_claim_by_words_that_stand_there_and_nowhere_else() -> None:
    documents = claims(*TEXTS)
    whole = draw(Collection("c", documents, (Query("q", "?"),), {"q": {"d0": 1}}), ("train", "valid", "test"))
    seen = 0
    for part, found in whole.parts.items():
        assert found.documents == documents, "every claim can be found"
        for query in found.queries:
            assert part_of(query.id) == part and found.grades[query.id] == {query.id: 1}
            assert [each.id for each in documents if query.text in each.text] == [query.id]
            assert token_count(query.text) == 5
            seen += 1
        assert set(found.grades) == {query.id for query in found.queries}
    assert seen == len(documents) == 40 and (whole.short, whole.common) == (0, 0)


def test_the_same_whatever_the_order_and_drawn_from_all_over_the_text() -> None:
    documents = claims(*TEXTS)
    one, two = drawn_of(documents), drawn_of(documents[::-1])
    assert one == two
    places = {text.index(one[f"d{number}"].text) for number, text in enumerate(TEXTS)}
    assert len(places) > 5, "not always the first words"


def test_claims_without_words_of_their_own_are_counted_and_not_asked_for() -> None:
    said_twice = claims("We will see us in Bern.", "we  will see us in BERN", "Far too short.")
    found = draw(Collection("c", said_twice, (), {}), ("train", "valid", "test"))
    assert (found.short, found.common) == (1, 2)
    assert not any(part.queries for part in found.parts.values())


def test_another_conversation_may_say_the_same() -> None:
    apart = claims("We will see us in Bern.", conversation="a") + claims("We will see us in Bern.", conversation="b")
    assert {query.conversation for query in drawn_of(apart).values()} == {"a", "b"}


def test_japanese_has_words_of_two_characters() -> None:
    text = "解約APIの命名規約はどこですか"
    assert [text[begin:end] for begin, end in token_spans(text)][:3] == ["解約", "API", "の命"]
    assert ngrams(text, 3)[0] == "解約APIの命"
    [query] = drawn_of(claims(text), words=3).values()
    assert query.text in text


def test_other_parts_do_not_ask() -> None:
    found = draw(Collection("c", claims(*TEXTS), (), {}), ("valid",))
    assert list(found.parts) == ["valid"]
    assert {part_of(query.id) for query in found.parts["valid"].queries} == {"valid"}
    assert found.parts["valid"].name == "c, claims of valid"


@pytest.mark.parametrize(
    ("changed", "message"), [({"parts": ("dev",)}, "no part 'dev'"), ({"words": 0}, "words: is 0")]
)
def test_what_cannot_be_drawn(changed: dict, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        draw(replace(Collection("c", claims(*TEXTS), (), {})), **changed)
