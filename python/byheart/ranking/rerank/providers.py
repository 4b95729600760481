"""Wire formats: what each provider wants to be sent, and where its answer has the scores.

A provider is data and two functions: one from a query and documents to headers and a body, one from the JSON that came
back to scores. `register` adds one, under a name of its own. Nothing here knows a network.
"""
# docs/sources.md: A2.3.1.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from ...errors import InvalidArgument, UnknownProvider
from ...light.classes import dataclass
from .protocol import Scored

Headers: TypeAlias = dict[str, str]
Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: `top_n` of the documents, by `model`."""

    model: str
    query: str
    documents: Sequence[str]
    top_n: int


Parser: TypeAlias = Callable[[Any], list[Scored] | None]


@dataclass(frozen=True, slots=True)
class Provider:
    """A wire format.

    Attributes:
        name: what it is registered under.
        body: from a request to a JSON object.
        parse: from the JSON of an answer to scores; None if it has another shape.
        key_header: the header that carries the key.
        key_prefix: what stands before the key there.
        headers: further headers.
        key_required: whether the provider refuses who has no key.
        endpoint, model: where it is asked, and for which model, if the caller does not say; "" where the caller must.

    """

    name: str
    body: Callable[[Request], Body]
    parse: Parser
    key_header: str = "Authorization"
    key_prefix: str = "Bearer "
    headers: Mapping[str, str] = field(default_factory=dict)
    key_required: bool = True
    endpoint: str = ""
    model: str = ""

    def build(self, request: Request, api_key: str | None) -> tuple[Headers, Body]:
        """Return headers and body; without a key there is no header for it."""
        key = {self.key_header: f"{self.key_prefix}{api_key}"} if api_key else {}
        return {"Content-Type": "application/json", **key, **self.headers}, self.body(request)


def entries_at(*path: str, score: str) -> Parser:
    """Return a parser of answers whose list lies at `path`; each entry has "index", and its score under `score`.

    An entry without a whole index is passed over: it speaks of no document. One whose score is no number, or not
    finite, has the score NaN: its document came back, and what it is worth is not known.

    >>> entries_at("data", score="score")({"data": [{"index": 1, "score": 0.5}, {"score": 1.0}, {"index": 0}]})
    [Scored(index=1, score=0.5), Scored(index=0, score=nan)]
    >>> entries_at("data", score="score")({"results": []})

    """

    def parse(data: Any) -> list[Scored] | None:
        for step in path:
            data = data.get(step) if isinstance(data, Mapping) else None
        if not isinstance(data, list):
            return None
        entries = [entry for entry in data if isinstance(entry, Mapping)]
        found = [
            Scored(int(entry["index"]), _number(entry.get(score))) for entry in entries if _is_whole(entry.get("index"))
        ]
        return found if found or not data else None

    return parse


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return float("nan")
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return float("nan")


def _plain(request: Request) -> Body:
    return {
        "model": request.model,
        "query": request.query,
        "documents": list(request.documents),
        "top_n": request.top_n,
    }


def _pinecone(request: Request) -> Body:
    documents = [{"text": document} for document in request.documents]
    return {**_plain(request), "documents": documents, "rank_fields": ["text"]}


def _voyage(request: Request) -> Body:
    body = _plain(request)
    return {**{name: value for name, value in body.items() if name != "top_n"}, "top_k": request.top_n}


def _dashscope(request: Request) -> Body:
    return {"model": request.model, "input": {"query": request.query, "documents": list(request.documents)}}


def _tei(request: Request) -> Body:
    return {"query": request.query, "texts": list(request.documents)}


_RESULTS: Final = entries_at("results", score="relevance_score")

_PROVIDERS: dict[str, Provider] = {
    each.name: each
    for each in (
        Provider("jina", _plain, _RESULTS, endpoint="https://api.jina.ai/v1/rerank", model="jina-reranker-v3"),
        Provider("siliconflow", _plain, _RESULTS),
        Provider(
            "pinecone",
            _pinecone,
            entries_at("data", score="score"),
            key_header="Api-Key",
            key_prefix="",
            headers={"X-Pinecone-API-Version": "2024-10"},
        ),
        Provider("voyage", _voyage, entries_at("data", score="relevance_score")),
        Provider("dashscope", _dashscope, entries_at("output", "results", score="relevance_score")),
        Provider("tei", _tei, entries_at(score="score"), key_required=False, model="tei"),
    )
}


def register(provider: Provider) -> None:
    """Add a provider.

    Raises:
        InvalidArgument: its name is empty, or stands for another provider already.

    >>> register(Provider("docs-example", lambda request: {"q": request.query}, entries_at("hits", score="s")))
    >>> "docs-example" in names()
    True

    """
    if not isinstance(provider, Provider):
        raise TypeError(f"provider must be a Provider, not {type(provider).__name__}")
    if not provider.name:
        raise InvalidArgument("provider: its name is empty")
    if _PROVIDERS.setdefault(provider.name, provider) is not provider:
        raise InvalidArgument(f"provider {provider.name!r}: is registered already; give it another name")


def names() -> tuple[str, ...]:
    """Return the names of all providers, in order of registration.

    >>> names()[:2]
    ('jina', 'siliconflow')
    """
    return tuple(_PROVIDERS)


def provider(name: str) -> Provider:
    """Return the provider of a name.

    Raises:
        UnknownProvider: there is none; the message lists those that there are.

    >>> provider("jina").model
    'jina-reranker-v3'

    """
    if isinstance(name, str) and name in _PROVIDERS:
        return _PROVIDERS[name]
    raise UnknownProvider(f"rerank provider: {name!r} is not registered; there are {', '.join(_PROVIDERS)}")


def build(
    name: str, *, api_key: str | None, model: str, query: str, documents: Sequence[str], top_n: int | None = None
) -> tuple[Headers, Body]:
    """Return the headers and the body of a request to a provider.

    Args:
        name: the provider's.
        api_key: None or "" for none.
        model: the provider's name of the model.
        query: what was asked.
        documents: texts.
        top_n: how many scores are wanted; all of them by default.

    Raises:
        UnknownProvider: there is no provider of this name.

    >>> build("tei", api_key=None, model="", query="tea", documents=["hot tea"])
    ({'Content-Type': 'application/json'}, {'query': 'tea', 'texts': ['hot tea']})

    """
    wanted = len(documents) if top_n is None else top_n
    return provider(name).build(Request(model, query, documents, wanted), api_key)


def parse(name: str, data: Any) -> list[Scored] | None:
    """Return the scores in a provider's answer; None if it has another shape than that provider's.

    Raises:
        UnknownProvider: there is no provider of this name.

    >>> parse("voyage", {"data": [{"index": 0, "relevance_score": 0.5}]})
    [Scored(index=0, score=0.5)]

    """
    return provider(name).parse(data)
