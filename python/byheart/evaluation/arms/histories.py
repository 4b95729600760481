"""Histories and questions about them: what a bench asks, read of any format into one form.

Each question sees the sessions of its own history alone. Questions whose histories are equal share one, so that it is
remembered once. A judged collection counts as well: its conversations are histories, and what a query's relevant
documents lie in are its relevant sessions; a document without a session is one.
"""
# docs/sources.md: A3.6.4, A3.6.8, A3.6.11.

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ...errors import InvalidArgument
from .. import bench, digests
from ..converters import FORMATS
from ..converters.conversations import Conversation, Question, Session, Turn
from ..datasets import Collection, Document, load

FALLBACKS: Final = ("none", "first")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: what is right, and which of the dataset's histories it is about."""

    id: str
    text: str
    type: str | None
    ground_truth: str | None
    relevant: tuple[str, ...]
    history: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is asked about what.

    Attributes:
        name, path, sha256: which one it is; the digest of a folder is that of its collection.
        meta: what lies beside a file as `<file>.meta.json`; None without.
        histories: lists of sessions.
        questions: those that count, in the order of the file.
        left_out: by reason, questions of the file that do not count.
        first_session: how many questions were given the first session as their answer, since the file names none.

    """

    name: str
    path: str
    sha256: str
    meta: Mapping[str, Any] | None
    histories: tuple[tuple[Session, ...], ...]
    questions: tuple[Asked, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    first_session: int = 0

    def sampled(self, size: int | None, seed: int | None, limit: int | None = None) -> Dataset:
        """Return the dataset with the questions that `bench.sample` draws, and no other history than theirs."""
        drawn = [self.questions[at] for at in bench.sample(len(self.questions), size, seed, limit=limit)]
        kept = sorted({asked.history for asked in drawn})
        places = {old: new for new, old in enumerate(kept)}
        asked = tuple(replace(each, history=places[each.history]) for each in drawn)
        return replace(self, histories=tuple(self.histories[at] for at in kept), questions=asked)


def read(source: str | Path, format: str = "sessions", *, fallback: str = "none") -> Dataset:
    """Return the dataset in a file, or in the folder of a judged collection.

    Args:
        source: the file or the folder.
        format: of a file, one of `byheart.evaluation.converters.FORMATS`; a folder with a corpus.jsonl is a collection
            whatever this says.
        fallback: "first" takes the first session for the answer of a question whose file names none, as some published
            figures do, which flatters them; "none" leaves such questions out.

    Raises:
        InvalidArgument: an unknown format, a file that is not in it, or no question that counts.

    """
    path = Path(source)
    if fallback not in FALLBACKS:
        raise InvalidArgument(f"fallback: is {fallback!r}; use one of {', '.join(FALLBACKS)}")
    if (path / "corpus.jsonl").is_file():
        collection = load(path)
        told = _of_collection(collection)
        found = Dataset(collection.name, str(source), digests.of_collection(collection).split(":")[1], None, (), ())
    elif format not in FORMATS:
        raise InvalidArgument(f"format: {format!r} does not exist; there are {', '.join(FORMATS)}")
    else:
        told = list(FORMATS[format](path))
        found = Dataset(_name(path, format), str(source), _sha256(path), _meta(path), (), ())
        if format == "sessions":
            told = [_as_in_the_file(each) for each in told]
    found = _gathered(found, told, fallback)
    if not found.questions:
        raise InvalidArgument(f"{source}: has no question with a session that answers it; there is nothing to measure")
    return found


def _gathered(dataset: Dataset, told: Iterable[Conversation], fallback: str) -> Dataset:
    """Return the dataset with histories and questions, equal histories once."""
    histories: dict[str, int] = {}
    kept: list[tuple[Session, ...]] = []
    questions: list[Asked] = []
    left_out = {"unanswerable": 0, "unjudged": 0}
    first = 0
    for conversation in told:
        at = histories.setdefault(_same(conversation.sessions), len(histories))
        if at == len(kept):
            kept.append(conversation.sessions)
        for question in conversation.questions:
            right = sorted(question.sessions) if question.answerable or fallback == "first" else []
            if not right and fallback == "first" and conversation.sessions:
                right, first = [conversation.sessions[0].id], first + 1
            if right:
                text = question.text
                questions.append(Asked(question.id, text, question.type, question.ground_truth, tuple(right), at))
            else:
                left_out["unjudged" if question.answerable else "unanswerable"] += 1
    twice = {asked.id for asked in questions}
    if len(twice) != len(questions):
        raise InvalidArgument(f"{dataset.path}: two questions have one id; a report names each by its own")
    whole = replace(dataset, histories=tuple(kept), questions=tuple(questions), left_out=left_out, first_session=first)
    return whole.sampled(None, None) if questions else whole


def _same(sessions: Sequence[Session]) -> str:
    """Return what is equal for equal histories, whatever their turns are called."""
    said = ([(turn.speaker, turn.text) for turn in each.turns] for each in sessions)
    about = ([each.id, each.date, each.metadata] for each in sessions)
    return digests.digest(zip(about, said, strict=True))


def _of_collection(collection: Collection) -> list[Conversation]:
    """Return the conversations of a judged collection, in the order of its files."""
    sessions: dict[str | None, dict[str, list[Document]]] = {}
    home: dict[str, str] = {}
    for document in collection.documents:
        home[document.id] = session = _session_of(document)
        sessions.setdefault(document.conversation, {}).setdefault(session, []).append(document)
    asked: dict[str | None, list[Question]] = {}
    for query in collection.queries:
        right = frozenset(home[id] for id, grade in collection.grades.get(query.id, {}).items() if grade > 0)
        question = Question(query.id, query.text, query.type, frozenset(), right, query.answerable)
        asked.setdefault(query.conversation, []).append(question)
    return [
        Conversation(str(name), tuple(_of_documents(id, held) for id, held in sessions[name].items()), tuple(questions))
        for name, questions in asked.items()
        if name in sessions
    ]


def _session_of(document: Document) -> str:
    """Return the name of the session that a document lies in: the only one of that name among all conversations."""
    if document.session is None:
        return document.id
    if document.conversation is None or document.session.startswith(document.conversation):
        return document.session
    return f"{document.conversation}/{document.session}"


def _of_documents(id: str, held: list[Document]) -> Session:
    turns = tuple(Turn(each.id, each.speaker or "", each.text) for each in held)
    title = held[0].title if len(held) == 1 else None
    return Session(id, held[0].date, turns, {"title": title} if title else {})


def _as_in_the_file(told: Conversation) -> Conversation:
    """Return a conversation whose sessions are called as in the file, without the question's name before theirs."""
    before = f"{told.id}/"
    questions = (replace(each, sessions=frozenset(_without(before, each.sessions))) for each in told.questions)
    sessions = (replace(each, id=each.id.removeprefix(before)) for each in told.sessions)
    return Conversation(told.id, tuple(sessions), tuple(questions))


def _without(before: str, names: Iterable[str]) -> Iterator[str]:
    return (name.removeprefix(before) for name in names)


def _name(path: Path, format: str) -> str:
    """Return what a dataset is called: by itself, or as its file is."""
    if format == "sessions":
        return str(json.loads(path.read_text(encoding="utf-8"))["name"])
    return path.name.removesuffix(".json").removesuffix(".jsonl")


def _sha256(path: Path) -> str:
    """Return the digest of a file, or of the names and the bytes of all files below a folder."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    state = hashlib.sha256()
    for file in sorted(path.rglob("*.json")):
        state.update(f"{file.relative_to(path).as_posix()} {_sha256(file)}\n".encode())
    return state.hexdigest()


def _meta(path: Path) -> Mapping[str, Any] | None:
    """Return what lies beside a file as its metadata; what is no object counts as none."""
    beside = path.with_name(f"{path.name}.meta.json")
    if not beside.is_file():
        return None
    try:
        found = json.loads(beside.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidArgument(f"{beside}: {error}") from None
    return found if isinstance(found, dict) else None
