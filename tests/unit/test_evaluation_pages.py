"""The page of an evaluation is one file, well formed, without scripts and network, and shows what was measured."""

import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from byheart import profiles
from byheart.embedding import HashingEmbedder
from byheart.evaluation import drawing, pages
from byheart.evaluation.datasets import Collection, load
from byheart.evaluation.pages import page
from byheart.evaluation.runner import evaluate

from . import judged

VOID = {"meta", "br"}
SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)


class Checker(HTMLParser):
    """Notices tags that are not closed in order, and everything that could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        assert not {"src", "href", "srcset", "action"} & {name for name, _ in attrs}, tag
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(text: str) -> Checker:
    parser = Checker()
    parser.feed(text)
    parser.close()
    assert parser.open == [] and not {"script", "link", "img", "iframe", "object"} & parser.seen.keys()
    assert "@import" not in text and "url(" not in text and "http" not in text
    return parser


@pytest.fixture
def told(tmp_path: Path) -> Collection:
    return load(judged.conversations(tmp_path / "told"))


@pytest.fixture
def found(told: Collection) -> Mapping[str, Any]:
    return evaluate(told, ["kb-balanced", "dense", "hybrid"], embedder=HashingEmbedder(16)).to_dict()


def test_the_page_is_whole_and_loads_nothing(found: Mapping[str, Any]) -> None:
    text = page(found)
    parser = checked(text)
    assert (parser.seen["h1"], parser.seen["svg"], parser.seen["table"]) == (1, 1 + 1 + 2, 2)
    assert "prefers-color-scheme:dark" in text and "color-scheme:light dark" in text
    for said in ("told", "kb-balanced", "hybrid beside kb-balanced", "single-hop", found["config_digest"]):
        assert said in parser.text
    assert page(found) == text


def test_every_number_of_the_summary_is_on_the_page(found: Mapping[str, Any]) -> None:
    parser = checked(page(found))
    for each in found["profiles"]:
        for name in ("ndcg", "recall", "mrr"):
            assert f"{each['means'][name]['mean']:.3f}".removeprefix("0") in parser.text


def test_texts_of_a_collection_cannot_become_tags(told: Collection) -> None:
    evil = "<script>alert(1)</script> & bicycle"
    queries = tuple(replace(query, text=f"{evil} {query.text}", label="<b>") for query in told.queries)
    collection = replace(told, name="<i>told", queries=queries)
    one = replace(profiles.get("dense"), name="<u>one", pool=1)  # a hit where two are right, so that they differ
    parser = checked(page(evaluate(collection, ["kb-balanced", one]).to_dict()))
    assert parser.seen["details"] >= 1 and "<u>one" in parser.text
    assert "<i>told" in parser.text and "<script>alert(1)</script> & bicycle" in parser.text


def test_the_steps_of_a_query_follow_each_other_on_one_scale() -> None:
    laps = [("a", 1000.0, {"search": 400.0, "cut": 200.0}), ("b", 500.0, {"search": 500.0})]
    svg = ElementTree.fromstring(drawing.waterfall(laps))
    bars = [(float(bar.get("x", "")), float(bar.get("width", ""))) for bar in svg.iter("rect")]
    (left, whole), search, cut, (other, half), again = bars
    assert whole == pytest.approx(2 * half, abs=0.2)
    assert search == (left, pytest.approx(0.4 * whole, abs=0.2))
    assert cut == (pytest.approx(left + 0.4 * whole, abs=0.2), pytest.approx(0.2 * whole, abs=0.2))
    assert other == left and again == (left, half)


def test_a_dot_stands_where_its_numbers_are() -> None:
    def point(name: str, mean: float, p50: float) -> dict[str, Any]:
        return {"name": name, "mean": mean, "low": mean - 0.1, "high": mean + 0.1, "p50": p50, "p95": 2 * p50}

    points = [point("slow", 0.5, 10_000.0), point("fast", 0.4, 100.0), point("middle", 0.2, 1_000.0)]
    svg = ElementTree.fromstring(drawing.scatter(points, "nDCG@10"))
    slow, fast, middle = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in svg.iter("circle")]
    assert slow[0] - middle[0] == pytest.approx(middle[0] - fast[0], abs=0.2), "latency is logarithmic"
    assert middle[1] - fast[1] == pytest.approx(2 * (fast[1] - slow[1]), abs=0.2), "quality is linear, upwards"


@pytest.mark.parametrize("slowest", [2_000.0, 200_000.0, 2_000_000.0])
def test_the_scale_of_latency_ends_where_the_drawing_does(slowest: float) -> None:
    point = {"name": "a", "mean": 0.5, "low": 0.4, "high": 0.6, "p50": 1_000.0, "p95": slowest}
    svg = ElementTree.fromstring(drawing.scatter([point], "nDCG@10"))
    axis = next(line for line in svg.iter("line") if line.get("class") == "axis")
    begin, end = float(axis.get("x1", "")), float(axis.get("x2", ""))
    upright = [float(line.get("x1", "")) for line in svg.iter("line") if line.get("x1") == line.get("x2")]
    assert len(upright) > 1 and all(begin <= place <= end for place in upright)


def test_names_do_not_cover_each_other() -> None:
    points = [
        {"name": f"p{at}", "mean": 0.5, "low": 0.4, "high": 0.6, "p50": 100.0 + at, "p95": 200.0} for at in range(8)
    ]
    svg = ElementTree.fromstring(drawing.scatter(points, "nDCG@10"))
    heights = sorted(float(text.get("y", "")) for text in svg.iter("text") if "name" in (text.get("class") or ""))
    assert len(heights) == 8 and min(b - a for a, b in pairwise(heights)) >= 16.9
    assert heights[0] > 0 and heights[-1] < 400


@pytest.mark.parametrize(
    ("values", "kinds"), [([0.0, -0.5, 0.25], {"gain", "loss"}), ([0.0], set()), ([1.0], {"gain"})]
)
def test_differences_are_drawn_on_their_side(values: list[float], kinds: set[str]) -> None:
    svg = ElementTree.fromstring(drawing.differences(values, "a", "b"))
    assert {path.get("class") for path in svg.iter("path")} == kinds


def test_losses_and_gains_are_listed_the_greatest_first() -> None:
    def profile(name: str, values: list[float], beside: object) -> dict[str, Any]:
        answers = [
            {"query": f"q{at}", "type": None, "hits": [], "measures": {"ndcg": value}}
            for at, value in enumerate(values)
        ]
        return {"name": name, "answers": answers, "beside": beside}

    first, second = profile("a", [0.5] * 4, None), profile("b", [0.1, 0.6, 0.3, 0.9], {})
    found = {"profiles": [first, second], "texts": {f"q{at}": f"question {at}" for at in range(4)}}
    text = pages._difference(found, second)
    assert re.findall(r"<b class=.(\w+).>([^<]+)</b>(question \d)", text) == [
        ("loss", "-.400", "question 0"),
        ("loss", "-.200", "question 2"),
        ("gain", "+.400", "question 3"),
        ("gain", "+.100", "question 1"),
    ]
    assert "b is better on 2 queries, worse on 2, and the same on 0." in text


@pytest.mark.parametrize("number", [8, 9])
def test_eight_losses_and_eight_gains_are_listed_with_five_hits_each(number: int) -> None:
    moved = [sign * at / 32 for sign in (-1, 1) for at in range(1, number + 1)]
    hits = [(f"hit {at}", 0.5, 0) for at in range(6)]

    def profile(name: str, values: list[float]) -> dict[str, Any]:
        measured = [{"query": f"q{at}", "hits": hits, "measures": {"ndcg": value}} for at, value in enumerate(values)]
        return {"name": name, "answers": measured, "beside": {}}

    first, second = profile("a", [0.5] * len(moved)), profile("b", [0.5 + each for each in moved])
    text = pages._difference(
        {"profiles": [first, second], "texts": {f"q{at}": "-" for at in range(len(moved))}}, second
    )
    listed = re.findall(r"<b class=.(\w+).>", text)
    assert listed == ["loss"] * 8 + ["gain"] * 8
    assert re.findall(r"<li>hit (\d)", text) == list("01234") * 2 * len(listed)


def test_one_profile_and_one_type_make_a_page_too(tmp_path: Path) -> None:
    collection = load(judged.subjects(tmp_path / "subjects", unanswerable=True))
    parser = checked(page(evaluate(collection, ["kb-fast"]).to_dict()))
    assert "Abstention" in parser.text and "By type of query" not in parser.text and parser.seen["svg"] == 2


def test_every_drawing_of_a_page_is_well_formed(found: Mapping[str, Any]) -> None:
    drawings = SVG.findall(page(found))
    assert len(drawings) == 4
    for each in drawings:
        assert ElementTree.fromstring(each).tag == "svg"


def test_the_steps_of_a_profile_have_its_colour() -> None:
    laps = [(f"p{number}", 10.0, {"search": 4.0}) for number in range(drawing.COLOURS + 1)]
    kinds = re.findall(r'class="(fill c[^"]*)"', drawing.waterfall(laps))
    assert kinds == [f"fill c{number % drawing.COLOURS}" for number in range(drawing.COLOURS + 1)]
