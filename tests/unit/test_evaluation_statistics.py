"""Parts are drawn by a digest of the id, intervals are the same on every run, abstention is counted both ways."""

import hashlib
import math

import pytest

from byheart.errors import InvalidArgument
from byheart.evaluation import metrics
from byheart.evaluation.abstention_metrics import abstention
from byheart.evaluation.datasets import Collection, Document, Query
from byheart.evaluation.dates import moment
from byheart.evaluation.digests import of_collection
from byheart.evaluation.resampling import Interval, bootstrap, paired
from byheart.evaluation.splits import EIGHT_ONE_ONE, TWO_WAY, part_of, split

IDS = [f"query {number}" for number in range(4_000)]


def test_a_part_is_a_digest_of_the_id_alone() -> None:
    for id in IDS[:50]:
        place = int(hashlib.sha256(id.encode()).hexdigest()[:16], 16) / 2**64
        assert part_of(id) == ("train" if place < 0.8 else "valid" if place < 0.9 else "test")
        assert part_of(id, TWO_WAY) == ("dev" if place < 0.5 else "test")


def test_parts_are_about_as_large_as_asked() -> None:
    parts = [part_of(id) for id in IDS]
    for name, size in EIGHT_ONE_ONE.items():
        share, expected = parts.count(name) / len(parts), size / 10
        assert abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / len(parts))


def test_a_split_divides_queries_and_their_judgements_and_leaves_documents() -> None:
    documents = (Document("d", "kettle"),)
    whole = Collection("c", documents, tuple(Query(id, "?") for id in IDS), {id: {"d": 1} for id in IDS})
    parts = {name: split(whole, name) for name in TWO_WAY}
    assert sorted(query.id for part in parts.values() for query in part.queries) == sorted(IDS)
    for part in parts.values():
        assert part.documents == documents and set(part.grades) == {query.id for query in part.queries}
    with pytest.raises(InvalidArgument, match="there is no part 'train'; there are dev, test"):
        split(whole, "train")


@pytest.mark.parametrize("ratio", [{}, {"dev": 0}, {"dev": 1, "test": -1}])
def test_a_ratio_that_divides_nothing_is_refused(ratio: dict[str, int]) -> None:
    with pytest.raises(InvalidArgument, match="divides nothing"):
        part_of("q", ratio)


def test_an_interval_is_the_same_on_every_run_and_holds_the_mean() -> None:
    values = [math.sqrt(number) % 1.0 for number in range(40)]
    found = bootstrap(values)
    assert found == bootstrap(values) and found != bootstrap(values, stream=8)
    assert found.low < found.mean == math.fsum(values) / len(values) < found.high


def test_the_interval_of_a_large_sample_is_that_of_the_normal_distribution() -> None:
    values = [float(number % 7) for number in range(700)]
    mean, error = metrics.estimate(values)
    found = bootstrap(values)
    assert found.low == pytest.approx(mean - 1.96 * error, abs=0.1 * error)
    assert found.high == pytest.approx(mean + 1.96 * error, abs=0.1 * error)


def test_a_narrower_level_lies_inside_a_wider_one() -> None:
    values = [float(number) for number in range(30)]
    narrow, wide = bootstrap(values, level=0.5), bootstrap(values, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_pairs_are_compared_query_by_query() -> None:
    first = [float(number) for number in range(100)]
    assert paired(first, [value + 0.25 for value in first]) == Interval(0.25, 0.25, 0.25)
    assert paired(first, list(reversed(first))).decided is False
    with pytest.raises(InvalidArgument, match="has 1 values beside 2"):
        paired([1.0, 2.0], [1.0])


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, 1.0]])
def test_what_has_no_mean_has_no_interval(values: list[float]) -> None:
    with pytest.raises(InvalidArgument, match="finite numbers"):
        bootstrap(values)


def test_no_resample_and_no_level_are_refused() -> None:
    for wrong in ({"resamples": 0}, {"level": 1.0}, {"level": 0.0}):
        with pytest.raises(InvalidArgument, match="resamples, level"):
            bootstrap([1.0], **wrong)


def test_abstention_is_counted_on_both_sides() -> None:
    answers = [(True, True)] * 6 + [(True, False)] * 2 + [(False, False)] * 3 + [(False, True)]
    found = abstention(answers)
    assert (found.unanswerable, found.answerable) == (4, 8)
    assert (found.right, found.false, found.precision) == (0.75, 0.25, 0.6)
    assert found.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_abstention_of_one_kind_alone_says_what_it_cannot_say() -> None:
    assert abstention([(True, True)]) == (0, 1, None, 0.0, None, None)
    assert abstention([(False, True)]) == (1, 0, 0.0, None, None, None)
    assert abstention([(False, True), (True, False)]).f1 == 0.0
    assert abstention([]) == (0, 0, None, None, None, None)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02", 86400.0),
        ("1970-01-01T01:00:00+01:00", 0.0),
        ("12:01 AM on 1 January, 1970", 60.0),
        ("1970/01/01 (Thu) 00:02", 120.0),
        ("1 January, 1970", 0.0),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_read_as_they_are_written(text: str, seconds: float | None) -> None:
    assert moment(text) == seconds


def test_a_digest_is_of_what_a_collection_says() -> None:
    one = Collection("a", (Document("d", "x"),), (Query("q", "?"), Query("p", "?")), {"q": {"d": 1}, "p": {"d": 0}})
    same = Collection("b", one.documents, one.queries, {"p": {"d": 0}, "q": {"d": 1}})
    assert of_collection(one) == of_collection(same)
    for other in (
        Collection("a", (Document("d", "y"),), one.queries, one.grades),
        Collection("a", one.documents, one.queries[:1], {"q": {"d": 1}}),
        Collection("a", one.documents, one.queries, {"q": {"d": 2}, "p": {"d": 0}}),
    ):
        assert of_collection(other) != of_collection(one)
