"""Reranking without a network: wire formats, blends, plain functions as rerankers."""

import contextvars
import math
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from byheart.errors import InvalidArgument, RerankFailed, UnknownProvider
from byheart.ranking import rerank
from byheart.ranking.rerank import providers
from byheart.ranking.rerank.apply import Operands, blend, blend_operands, cosine_operands, cosines
from byheart.ranking.rerank.protocol import CallableReranker, Reranker, Scored, time_left

TEXTS = ["hot tea", "a cat"]
JSON = {"Content-Type": "application/json"}
BEARER = JSON | {"Authorization": "Bearer K"}
PLAIN = {"model": "M", "query": "q", "documents": TEXTS, "top_n": 1}

# ---- wire formats

REQUESTS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "jina": (BEARER, PLAIN),
    "siliconflow": (BEARER, PLAIN),
    "pinecone": (
        JSON | {"Api-Key": "K", "X-Pinecone-API-Version": "2024-10"},
        PLAIN | {"documents": [{"text": "hot tea"}, {"text": "a cat"}], "rank_fields": ["text"]},
    ),
    "voyage": (BEARER, {"model": "M", "query": "q", "documents": TEXTS, "top_k": 1}),
    "dashscope": (BEARER, {"model": "M", "input": {"query": "q", "documents": TEXTS}}),
    "tei": (BEARER, {"query": "q", "texts": TEXTS}),
}
RELEVANCE, SCORE = [{"index": 1, "relevance_score": 0.5}], [{"index": 1, "score": 0.5}]
ANSWERS: dict[str, Any] = {
    "jina": {"results": RELEVANCE},
    "siliconflow": {"results": RELEVANCE},
    "pinecone": {"data": SCORE},
    "voyage": {"data": RELEVANCE},
    "dashscope": {"output": {"results": RELEVANCE}},
    "tei": SCORE,
}
SHIPPED = ("jina", "siliconflow", "pinecone", "voyage", "dashscope", "tei")


def test_every_shipped_provider_is_looked_at() -> None:
    assert providers.names()[:6] == SHIPPED == tuple(REQUESTS) == tuple(ANSWERS)


@pytest.mark.parametrize("name", SHIPPED)
def test_requests(name: str) -> None:
    given = providers.build(name, api_key="K", model="M", query="q", documents=TEXTS, top_n=1)
    assert given == REQUESTS[name]


@pytest.mark.parametrize("name", SHIPPED)
def test_without_a_key_there_is_no_header_for_it(name: str) -> None:
    headers, _ = providers.build(name, api_key=None, model="M", query="q", documents=TEXTS)
    assert headers == {key: value for key, value in REQUESTS[name][0].items() if "K" not in value.split()}


def test_all_documents_are_wanted() -> None:
    assert providers.build("jina", api_key="K", model="M", query="q", documents=TEXTS)[1]["top_n"] == 2


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_are_read_where_their_provider_puts_them(name: str) -> None:
    read = {each: providers.parse(name, answer) for each, answer in ANSWERS.items()}
    assert read[name] == [Scored(1, 0.5)]
    same = [each for each in SHIPPED if type(ANSWERS[each]) is type(ANSWERS[name])]
    for each in set(SHIPPED) - set(same):
        assert read[each] is None


@pytest.mark.parametrize("data", [None, 7, "results", [], {}, {"results": None}, {"results": {}}, {"output": [1]}])
@pytest.mark.parametrize("name", SHIPPED)
def test_other_shapes_are_not_understood(name: str, data: Any) -> None:
    assert providers.parse(name, data) == ([] if name == "tei" and data == [] else None)


def test_no_results_are_results() -> None:
    assert providers.parse("jina", {"results": []}) == []


@pytest.mark.parametrize("index", [None, "0", True, 0.5, math.nan, math.inf, [0]])
def test_an_entry_without_a_whole_index_is_passed_over(index: Any) -> None:
    entry = {"index": index, "relevance_score": 0.9}
    assert providers.parse("jina", {"results": [entry, *RELEVANCE]}) == [Scored(1, 0.5)]
    assert providers.parse("jina", {"results": [entry]}) is None


@pytest.mark.parametrize("score", [None, "0.5", True, [0.5], math.nan, 10**400])
def test_an_entry_without_a_usable_score_came_back_all_the_same(score: Any) -> None:
    (found,) = providers.parse("jina", {"results": [{"index": 0, "relevance_score": score}]}) or []
    assert found.index == 0
    assert math.isnan(found.score)
    assert blend([0.8, 0.5], [found]) == [Scored(0, 0.4), Scored(1, 0.4)]


def test_a_provider_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(providers, "_PROVIDERS", dict(providers._PROVIDERS))
    own = providers.Provider(
        "own", lambda request: {"ask": request.query}, lambda data: [Scored(0, data["s"])], key_header="X-Key"
    )
    providers.register(own)
    providers.register(own)
    assert providers.names()[-1] == "own"
    headers, body = providers.build("own", api_key="K", model="", query="q", documents=[])
    assert (headers["X-Key"], body) == ("Bearer K", {"ask": "q"})
    assert providers.parse("own", {"s": 0.5}) == [Scored(0, 0.5)]
    with pytest.raises(InvalidArgument, match="'own': is registered already"):
        providers.register(providers.Provider("own", own.body, own.parse))
    with pytest.raises(InvalidArgument, match="name is empty"):
        providers.register(providers.Provider("", own.body, own.parse))
    with pytest.raises(TypeError):
        providers.register("own")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Jina", "", None, ["jina"]])
def test_an_unknown_provider(name: Any) -> None:
    with pytest.raises(UnknownProvider, match=r"is not registered; there are jina, .*tei"):
        providers.provider(name)


# ---- blends


def test_what_is_not_finite_is_refused_among_the_rows_own_scores() -> None:
    for call in (lambda: blend_operands([math.nan], []), lambda: cosine_operands([math.inf], [0.0])):
        with pytest.raises(InvalidArgument, match="score of row 0"):
            call()
    with pytest.raises(InvalidArgument, match="2 scores for 1 rows"):
        blend_operands([0.5], [], lexical=[0.5, 0.5])
    with pytest.raises(InvalidArgument, match="2 for 1 rows"):
        cosine_operands([0.5], [0.5, 0.5])


def test_floors_hold_exact_words() -> None:
    assert blend_operands([0.8], [Scored(0, 0.0)], lexical=[0.75]) == [Operands(0.95)]
    assert blend_operands([0.8], [Scored(0, 0.0)], lexical=[0.6]) == [Operands(0.9)]
    assert blend_operands([0.8], [Scored(0, 0.0)], lexical=[0.59]) == [Operands(0.5)]
    assert blend_operands([0.8], [Scored(0, 1.0)], lexical=[0.75]) == [Operands(0.4, 0.6)]
    assert blend_operands([0.8, 0.8, 0.8], [], lexical=[0.75, 0.6, None]) == [
        Operands(1.0),
        Operands(0.95),
        Operands(0.8),
    ]


def test_cosines() -> None:
    array = np.array([3.0, 4.0], np.float32)
    assert cosines(array, [[3.0, 4.0], [-4.0, 3.0], np.zeros(2), array]) == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("query", "vectors", "reason"),
    [
        (None, [[1.0]], "the query has no vector"),
        ([1.0], [[1.0], None], "a record has no vector"),
        ([1.0], [[1.0], [1.0, 0.0]], "vectors of different dimensions"),
        ([1.0], [[math.nan]], "a vector is not finite"),
    ],
)
def test_cosines_of_all_rows_or_none(query: Any, vectors: list[Any], reason: str) -> None:
    with pytest.raises(RerankFailed) as caught:
        cosines(query, vectors)
    assert caught.value.reason == reason


# ---- plain functions


def one_each(query: str, documents: Any) -> list[float]:
    return [float(query in text) for text in documents]


def test_a_function_is_a_reranker() -> None:
    reranker = CallableReranker(one_each, name="words")
    assert isinstance(reranker, Reranker)
    assert repr(reranker) == "CallableReranker('words')"
    for deadline in (None, time.monotonic() + 60.0):
        assert reranker.scores("tea", TEXTS, deadline=deadline) == [Scored(0, 1.0), Scored(1, 0.0)]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([0.5, 1], [Scored(0, 0.5), Scored(1, 1.0)]),
        (np.array([0.5, 0.25], np.float32), [Scored(0, 0.5), Scored(1, 0.25)]),
        ([(1, 0.5)], [Scored(1, 0.5)]),
        ([[np.int64(1), np.float32(0.5)]], [Scored(1, 0.5)]),
        ([Scored(1, 0.5)], [Scored(1, 0.5)]),
        (iter([(0, 0.5)]), [Scored(0, 0.5)]),
        ([(7, 0.5), (-1, 2.0)], [Scored(7, 0.5), Scored(-1, 2.0)]),
        ([], []),
    ],
)
def test_what_a_function_may_give(given: Any, found: list[Scored]) -> None:
    assert CallableReranker(lambda query, documents: given).scores("tea", TEXTS) == found


@pytest.mark.parametrize(
    "given",
    [[0.5], [0.5, 0.5, 0.5], ["0.5", "0.5"], [True, False], [(0.0, 0.5)], [(0, "a")], [(0, 1, 2)], [0.5, (1, 2)]],
)
def test_what_a_function_may_not_give(given: Any) -> None:
    with pytest.raises(RerankFailed, match=r"^invalid shape"):
        CallableReranker(lambda query, documents: given).scores("tea", TEXTS)


@pytest.mark.parametrize("given", [None, 0.5])
def test_what_is_no_list_is_a_failure_of_the_function(given: Any) -> None:
    with pytest.raises(RerankFailed, match=r"^own raised TypeError$"):
        CallableReranker(lambda query, documents: given, name="own").scores("tea", TEXTS)


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_what_a_function_raises_is_a_failure(deadline: float | None) -> None:
    def broken(query: str, documents: Any) -> list[float]:
        raise KeyError("boom")

    with pytest.raises(RerankFailed) as caught:
        CallableReranker(broken, name="own").scores("q", TEXTS, deadline=deadline and time.monotonic() + deadline)
    assert caught.value.reason == "own raised KeyError"
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_function_that_hangs_is_left_behind() -> None:
    release = threading.Event()

    def hangs(query: str, documents: Any) -> list[float]:
        release.wait()
        return [0.0, 0.0]

    before = time.monotonic()
    with pytest.raises(RerankFailed, match=r"^timeout$"):
        CallableReranker(hangs).scores("q", TEXTS, deadline=before + 0.3)
    assert time.monotonic() - before < 3.0
    release.set()


def test_a_function_sees_its_callers_context() -> None:
    who = contextvars.ContextVar("who", default=0.0)
    who.set(0.5)
    reranker = CallableReranker(lambda query, documents: [who.get()])
    assert reranker.scores("q", ["a"], deadline=time.monotonic() + 60.0) == [Scored(0, 0.5)]


def test_no_time_is_no_call() -> None:
    called: list[str] = []
    reranker = CallableReranker(lambda query, documents: called.append(query) or [0.0])
    for deadline in (time.monotonic(), time.monotonic() - 100.0, -math.inf):
        with pytest.raises(RerankFailed, match=r"^timeout: no time was left"):
            reranker.scores("q", ["a"], deadline=deadline)
    assert not called
    with pytest.raises(RerankFailed):
        time_left(time.monotonic() + 5.0, reserve=6.0)


def test_functions_and_names_are_checked() -> None:
    with pytest.raises(TypeError, match="judge must be a function"):
        CallableReranker("words")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="name"):
        CallableReranker(one_each, name="")


def test_a_failure_survives_pickling() -> None:
    import pickle

    again = pickle.loads(pickle.dumps(RerankFailed("HTTP 503")))
    assert (again.reason, str(again)) == ("HTTP 503", "HTTP 503")


def test_what_is_heavy_is_imported_when_it_is_asked_for() -> None:
    program = (
        "import sys\nfrom byheart.ranking import rerank\n"
        "light = not {'asyncio', 'httpx2', 'numpy', 'ssl'} & set(sys.modules)\n"
        "print(light, rerank.HttpReranker.__name__, rerank.OnnxCrossEncoder.__name__, hasattr(rerank, 'Nothing'))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True HttpReranker OnnxCrossEncoder False\n"


def test_a_missing_client_names_its_extra() -> None:
    program = (
        "import sys; sys.modules['httpx2'] = None\n"
        "from byheart.errors import MissingExtra\n"
        "from byheart.ranking.rerank.client import HttpReranker\n"
        "try:\n    HttpReranker(api_key='K')\n"
        "except MissingExtra as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'byheart[rerank]'" in done.stdout


@pytest.mark.parametrize("pair", [(True, 0.5), (0, True), (0.0, 0.5), (0, "0.5"), (0,)])
def test_a_pair_of_a_callable_is_a_whole_number_and_a_score(pair: tuple[object, ...]) -> None:
    with pytest.raises(RerankFailed, match="neither one score a document nor pairs"):
        CallableReranker(lambda query, texts: [pair]).scores("tea", ["one"])


def test_a_name_that_the_package_lacks_is_named() -> None:
    with pytest.raises(AttributeError, match=r"^module 'byheart\.ranking\.rerank' has no attribute 'OnnxReranker'$"):
        _ = rerank.OnnxReranker
