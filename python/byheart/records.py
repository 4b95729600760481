"""The record: one model of what is remembered, for all retrievers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, field, fields
from functools import partial
from typing import Any

from . import knowledge
from ._core import check_symbol
from .errors import InvalidArgument, UnknownField
from .frozen import Document, copier, teller, without_version
from .frozen.read_only import NOTHING, ReadOnlyDict, changeable, read_only
from .frozen.sorted_json import sorted_json
from .light.classes import dataclass
from .light.expressions import expression
from .validation import (
    MAX_ID_BYTES,
    MAX_ITEMS,
    MAX_TEXT_BYTES,
    check_class,
    check_finite,
    check_flag,
    check_id,
    check_name,
    check_named,
    check_one_of,
    check_share,
    check_text,
    counted,
    epoch_seconds,
    json_mapping,
    nearest,
    plain_number,
    plain_text,
    short_words,
    shortly,
    strings,
)

OTHER_WORDS = {
    "title": "topic", "name": "topic", "content": "text", "body": "text", "page_content": "text", "author": "speaker",
    "timestamp": "created_at", "date": "created_at", "time": "created_at", "ttl": "expires_at", "type": "kind",
    "namespace": "scope", "payload": "metadata",
}  # fmt: skip
"""What other stores call a field, for messages about an unknown one."""
SUMMARY = "summary"
"""The kind of a record that stands for others."""

NAMES_OF_SOMEBODY = ("user_id", "session_id")
"""The fields that say whose a record is, and of which conversation: a name is one, in whatever form it was written."""
SHARES = ("importance", "confidence", "quality", "authority", "decay_rate")
_TEXTS = ("text", "role", "topic", "claim", "procedure", "condition", "utility_note", "subject", "relation",
          "object", "kind", "category", "session_id", "user_id", "speaker", "source_words")  # fmt: skip
_TIMES = ("created_at", "updated_at", "expires_at", "accessed_at", "valid_from", "valid_to", "recency_anchor",
          "decayed_at", "superseded_at", "superseded_from", "superseded_to", "seen_at")  # fmt: skip
_MAPPINGS = ("provenance", "metadata")
_IDS = ("id", "archived_by", "superseded_by")
_LISTS = ("utility_acts", "entities", "links", "source_ids", "parent_unit_ids", "child_unit_ids",
          "derived_from_unit_ids", "supersedes", "contradicts", "near_duplicates")  # fmt: skip
_COUNTS = ("access_count", "seen_count")
_TRIPLE = ("subject", "relation", "object")
_LONGEST_TITLE = 400  # characters, where it stands beside its text
_LONGEST_NAME = 64
# A mark of ASCII ends a word, since addresses hold it too; those of other scripts end a question anywhere.
_QUESTION = expression(r"\?(?=[\"'\u201d\u2019)\]]*(?:\s|\Z))|[\uff1f\u061f]")
_LONGEST_SHOWN = 60
_SHOWN = ("tenant", "scope", "boundary_class", "kind")  # where a record is shown on a line

Revision = tuple[float, str, tuple[str, ...]]
"""A change of a record: when, how ("remembered", "replaced", "updated"), and which fields."""
_SAYING = frozenset({"text", "claim", "procedure", "condition", *_TRIPLE})  # a title names what says something


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Record(Document):
    """One memory. A plain text is a record whose claim is that text; one without a text has a title or data instead.

    Texts are at most 10 MB; shares (importance, confidence, quality, authority) lie in [0, 1], utility has no bounds;
    times are datetimes, ISO text (in UTC without a zone) or epoch seconds, kept as epoch seconds. `tenant`, `scope` and
    `boundary_class` are filled in by the memory where they are missing, and so are `id` and `created_at`.

    What lexical and hypervector recall see: role, topic, claim, condition, procedure, utility acts, utility
    note. The text is part of the claim, unless claim or procedure say the same. Where no acts are given, the role's own
    acts count.

    A fact is given as subject, relation and object, all or none. `ku_type` is "atomic" (as without
    one), "composite" or "aggregate"; the latter two carry no fact, and name the records that they are made of.

    `tags` are up to 64 words of at most 64 characters, and `speaker` says who said it (see `said_by`). `recency_anchor`
    is when it last helped, as feedback has it, and `decayed_at` when utility and quality were what they are.

    It holds from `valid_from` on and before `valid_to`. `supersedes` names the records in whose place it stands, of
    these `contradicts` those that it does by its fact alone; `superseded_by` the record that stands in its own, known
    since `superseded_at`, for times from `superseded_from` on and before `superseded_to` (always without them).
    `seen_count` and `seen_at` say how often it was said and when last, `near_duplicates` which records say nearly the
    same with another value, and `revisions` what was changed of it: when, how, and which fields (see
    `Memory.history`). The memory keeps these.

    A summary is of kind "summary", names what it was made of in `source_ids`, and says by `decay_rate` how much of that
    it lost (1 - confidence). `source_words` are the words that those say and it does not: by them `auto` finds it. A
    record that a summary stands for names it in `archived_by`: it is kept and not found.

    >>> Record(text="Ploinky provides sandboxing.", topic="Ploinky").indexed()["claim"]
    'Ploinky provides sandboxing.'
    """

    text: str = ""
    id: str | None = None
    tenant: str | None = None
    scope: str | None = None
    boundary_class: str | None = None
    kind: str | None = None
    role: str | None = None
    topic: str | None = None
    claim: str | None = None
    procedure: str | None = None
    condition: str | None = None
    utility_acts: tuple[str, ...] = ()
    utility_note: str | None = None
    subject: str | None = None
    relation: str | None = None
    object: str | None = None
    importance: float | None = None
    confidence: float | None = None
    utility: float | None = None
    quality: float | None = None
    authority: float | None = None
    decay_rate: float | None = None
    access_count: int = 0
    created_at: float | None = None
    updated_at: float | None = None
    expires_at: float | None = None
    accessed_at: float | None = None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    invariant: bool = False
    entities: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    source_words: str | None = None
    archived_by: str | None = None
    ku_type: str | None = None
    parent_unit_ids: tuple[str, ...] = ()
    child_unit_ids: tuple[str, ...] = ()
    derived_from_unit_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    valid_from: float | None = None
    valid_to: float | None = None
    superseded_by: str | None = None
    superseded_at: float | None = None
    superseded_from: float | None = None
    superseded_to: float | None = None
    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    seen_count: int = 1
    seen_at: float | None = None
    near_duplicates: tuple[str, ...] = ()
    revisions: tuple[Revision, ...] = field(default=(), compare=False)  # what became of it is no part of what it is
    speaker: str | None = None
    recency_anchor: float | None = None
    decayed_at: float | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every field; nothing is half made."""
        for name, given in _given(self):
            if (plain := _CHECKS[name](name, given)) is not given:
                object.__setattr__(self, name, plain)
        if not self.text:
            object.__setattr__(self, "text", self.claim or self.procedure or "")
        if (self.text == "" or self.text.isspace()) and not (self.topic or self.subject or self.metadata):
            raise InvalidArgument("text: is empty; a record needs a text, or at least a topic, a fact or metadata")
        if len(self.text) + len(self.claim or "") + sum(map(len, self.utility_acts)) > MAX_TEXT_BYTES // 5:
            for name, value in self.indexed().items():  # a text beside a claim is one field with it, and so are acts
                check_text(f"{name} as it is searched", value)
        if self.valid_from is not None and self.valid_to is not None and self.valid_to < self.valid_from:
            raise InvalidArgument("valid_to: lies before valid_from; a fact ends after it has begun")
        self._check_fact()

    def __hash__(self) -> int:
        """Return a hash of what most records differ in: mappings have none."""
        return hash((self.id, self.text))

    def _check_fact(self) -> None:
        """Refuse half a fact, a symbol that cannot be compared, and the fact of a record that is made of others."""
        missing = [name for name in _TRIPLE if not getattr(self, name)]
        if len(missing) == len(_TRIPLE):
            return
        if missing:
            raise InvalidArgument(f"fact: {' and '.join(missing)} missing; give subject, relation and object, or none")
        if self.ku_type not in (None, "atomic"):
            raise InvalidArgument(f"fact: a record of ku_type {self.ku_type!r} carries none; give it to an atomic one")
        check_name("relation", self.relation or "")
        check_symbol("subject", self.subject or "")
        check_symbol("object", self.object or "")

    def indexed(self) -> dict[str, str]:
        """Return the texts that retrieval sees, by field, in the order of summation; absent ones are left out."""
        values = (
            ("role", self.role),
            ("topic", self.topic),
            ("claim", self._whole_claim()),
            ("condition", self.condition),
            ("procedure", self.procedure),
            ("utility_acts", " ".join(self.acts())),
            ("utility_note", self.utility_note),
        )
        return {name: value for name, value in values if value}

    def _whole_claim(self) -> str:
        if self.claim is None and self.procedure is None:  # as most are
            return self.text
        return "\n".join(part for part in (self.claim, self.unstated_text()) if part)

    def unstated_text(self) -> str | None:
        """Return the text, if it says something else than claim and procedure do.

        >>> Record(text="We met in Bern.", claim="Bern").unstated_text(), Record(claim="Bern").unstated_text()
        ('We met in Bern.', None)
        """
        return self.text if self.text not in (self.claim, self.procedure, "") else None

    def acts(self) -> tuple[str, ...]:
        """Return the utility acts, or those of the role where none are given."""
        return self.utility_acts or knowledge.ROLE_DEFAULT_ACTS.get(self.role or "", ())

    def gist(self) -> str:
        """Return the text, or the title of a record that has none.

        >>> Record(topic="Kettle", metadata={"litres": 2}).gist()
        'Kettle'
        """
        return self.text or self.topic or ""

    def titled(self) -> str | None:
        r"""Return the title of a text as one line that is not too long; None where either is missing.

        >>> Record(topic="Kettle\n care", text="Descale it.").titled(), Record(topic="Kettle").titled()
        ('Kettle care', None)
        """
        return " ".join(self.topic.split())[:_LONGEST_TITLE].strip() or None if self.topic and self.text else None

    def embedded(self) -> str:
        r"""Return what vectors are made of: the title and the text, as far as they are there.

        >>> Record(topic="Kettle", text="Descale it in spring.").embedded()
        'Kettle\nDescale it in spring.'
        """
        return "\n".join(part for part in (self.topic, self.text) if part)

    def said_by(self) -> str | None:
        """Return who said it: the speaker, or else the name before a first colon; None if nobody is named.

        >>> Record(text="Ann: the tea is ready").said_by(), Record(text="redis: no connection").said_by()
        ('Ann', None)
        """
        if self.speaker is not None:
            return self.speaker
        name, _, rest = self.text[: _LONGEST_NAME + 2].partition(":")
        if not rest[:1].isspace() or len(name) > _LONGEST_NAME or "\n" in name:  # first: it takes the least time
            return None
        words = name.split()
        is_name = 0 < len(words) <= 3 and not any(word[0].islower() for word in words)
        return name.strip() if is_name else None

    def asks(self) -> bool:
        """Return whether the text asks something: a question mark ends a word in it.

        >>> Record(text="Tea? Or coffee.").asks(), Record(text="See /page?id=7").asks()
        (True, False)
        """
        text = self.text
        return ("?" in text or "\uff1f" in text or "\u061f" in text) and _QUESTION.search(text) is not None

    @property
    def version(self) -> str:
        """A digest of all that the record says: records are equal if their versions are.

        >>> one, other = Record(text="tea", id="a"), Record(text="tea", id="a")
        >>> one.version == other.version, one.version == Record(text="Tea", id="a").version
        (True, False)
        """
        return knowledge.digest(self.canonical())[:32]

    def canonical(self) -> str:
        """Return the record as one line of JSON with sorted keys, its revisions too: as stores keep it."""
        return sorted_json()(dict(self._filled()))

    def completed(self, **values: Any) -> Record:
        """Return a copy with these fields, which must have been checked: nothing is checked again."""
        for name in _MAPPINGS:
            if name in values:
                values[name] = read_only(dict(sorted(values[name].items())))  # in the order in which it is read again
        return _copied(self, values)

    def retold(self, values: Mapping[str, Any]) -> Record:
        """Return a copy with these fields, as `completed` does; none is a mapping."""
        return _copied(self, values)

    def says_since(self, change: Revision) -> bool:
        """Return whether a change is one since which the record says what it said then: of a text, of a fact.

        >>> record = Record(text="tea", topic="drinks")
        >>> [record.says_since((1.0, "updated", (name,))) for name in ("text", "condition", "topic", "importance")]
        [True, True, False, False]
        """
        _, how, names = change
        return how != "updated" or not _SAYING.isdisjoint(names) or (not self.text and "topic" in names)

    def content_hash(self) -> str:
        """Return the hash under which two records are duplicates of each other: of all that retrieval sees."""
        claim = self._whole_claim()
        said = (self.role, self.topic, claim, self.procedure, self.condition, self.subject, self.relation, self.object)
        return knowledge.digest_again("\x1f".join([part or "" for part in said]))  # in `HASHED_FIELDS`' order

    def canonical_data(self) -> str:
        """Return the metadata as one line of JSON with sorted keys."""
        return sorted_json()(self.metadata)

    def __repr__(self) -> str:
        """Show what the record is known by, and how it begins; `to_dict` says all of it."""
        named = "".join(f", {name}={getattr(self, name)!r}" for name in _SHOWN if getattr(self, name) is not None)
        gist = self.gist()
        return (
            f"Record({self.id!r}{named}, text={gist if len(gist) <= _LONGEST_SHOWN else gist[:_LONGEST_SHOWN] + '…'!r})"
        )

    def _form(self) -> dict[str, Any]:
        """Return the fields by name, without those that have their default value, and without the revisions."""
        return {name: value for name, value in self._filled() if name != "revisions"}

    def _filled(self) -> Iterator[tuple[str, Any]]:
        for name, value in _told(self):
            if type(value) is ReadOnlyDict:
                value = changeable(value)
            yield name, list(value) if isinstance(value, tuple) else value

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Record:
        """Return the record that a mapping describes; names may be snake_case or camelCase.

        Raises:
            UnknownField: a key that records do not have.
            UnsupportedFormat: `to_dict` of another version of byheart wrote it.
            TypeError: it is no mapping.

        """
        return cls._read(without_version("record", mapping), "record")

    @classmethod
    def _read(cls, given: Mapping[str, Any], where: str) -> Record:
        values: dict[str, Any] = {}
        for key, value in given.items():
            name = key if key in _FIELD_NAMES else _snake_case(plain_text(key))
            if name not in _FIELD_NAMES:
                near = nearest(OTHER_WORDS.get(str(key), str(key)), _FIELD_NAMES)
                raise UnknownField(f"record: unknown field {key!r}{near}; data of your own goes into metadata")
            values[name] = value
        made = _copied(_SAYS_NOTHING, values)  # in half the time: a constructor sets sixty fields by a call each
        made.__post_init__()
        return made


DEFAULTS: Mapping[str, Any] = {
    spec.name: NOTHING if spec.default is MISSING else spec.default for spec in fields(Record)
}
"""What each field of a record is where nothing is said of it, in their order."""
_FIELD_NAMES = frozenset(DEFAULTS)
_told = teller(DEFAULTS, always="text")
_copied = copier(Record)


def _named(what: str, name: str | None) -> str | None:
    return check_named(what, check_text(what, name))


def _supersedes(what: str, given: Any) -> tuple[str, ...]:
    return strings(what, (given,) if isinstance(given, str) else given)


def _count(what: str, given: Any) -> int:
    count = plain_number(given)
    if type(count) is not int or not 0 <= count < 2**53:
        raise InvalidArgument(f"{what}: is {shortly(given)}; it must be a whole number of at least 0")
    return count


def _mapping(what: str, given: Any) -> ReadOnlyDict:
    return read_only(json_mapping(what, given))


def _flag(what: str, given: Any) -> bool:
    check_flag(what, given)
    return bool(given)


def _unit_type(what: str, given: str) -> str:
    return check_one_of(what, given, knowledge.UNIT_TYPES)


def _revisions(what: str, given: Any) -> tuple[Revision, ...]:
    return tuple(map(_revision, counted(what, given, MAX_ITEMS)))


def _revision(given: Any) -> Revision:
    """Return a change of a record, checked: when, how, and which fields."""
    try:
        at, how, names = given
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"revisions: {shortly(given)} is none; one is a time, a word and names of fields"
        ) from None
    how = check_text("revisions", how, MAX_ID_BYTES)
    when = epoch_seconds("revisions", at)
    if when is None:
        raise InvalidArgument("revisions: one says no time")
    return when, how, strings("revisions", names)


def _snake_case(key: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"record: field names are str, not {type(key).__name__}")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in key)


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(_TEXTS, check_text),
    **dict.fromkeys(NAMES_OF_SOMEBODY, _named),
    "role": partial(check_text, limit=MAX_ID_BYTES),
    **dict.fromkeys(_LISTS, strings),
    "supersedes": _supersedes,
    **dict.fromkeys(SHARES, check_share),
    "utility": check_finite,
    **dict.fromkeys(_TIMES, epoch_seconds),
    "tags": short_words,
    **dict.fromkeys(_IDS, lambda _, id: check_id(id)),
    "tenant": check_name,
    "scope": check_name,
    "boundary_class": lambda _, name: check_class(name),
    **dict.fromkeys(_COUNTS, _count),
    "revisions": _revisions,
    **dict.fromkeys(_MAPPINGS, _mapping),
    "invariant": _flag,
    "ku_type": _unit_type,
}
"""What checks each field, in order, and returns it as it is kept."""
_given = teller({name: DEFAULTS[name] for name in _CHECKS}, same=True)
_SAYS_NOTHING = _copied(Record(text="-"), DEFAULTS)
