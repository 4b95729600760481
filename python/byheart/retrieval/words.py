"""The retriever of words: BM25 over all fields of a record as if they were one, in which a title counts twice.

It searches the index of the lexical retriever: counts and lengths of the fields are added up when a question comes
(Robertson, Zaragoza and Taylor, 2004, "Simple BM25 extension to multiple weighted fields"). How soon repetitions stop
counting, and how much length counts, follow the lengths of the records there are, unless the memory was given a preset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from .._core import Analyzer, Partition, Proposal, ordinary_texts
from ..patterns.word_forms import by_base
from ..ranking.explanation import Explanation, shown
from ..records import Record
from .asking_words import content_of, has_asian, language_asked
from .function_words import function_words, light_for, stop_words_of
from .identifiers import names_of_code, parts_of, wholes_of
from .inflection import COMPOUNDING, marked_stems, stems_of
from .lexical import FIELD_WEIGHTS, PARTS, PRESETS, as_explanation
from .marked_terms import MARK, all_marked, marked, marked_states
from .naming_styles import in_other_styles
from .protocol import NO_SETTINGS, Found, LegQuery, Settings
from .question import Question
from .spellings import Spelled, apart, in_one, maybe_closed
from .together import CoreRetriever, found_by
from .words_shown import Terms, parts_shown

WEIGHTS: Final = tuple(2 if name == "topic" else 1 for name in (*FIELD_WEIGHTS, PARTS))
"""How often a word of each field counts, in the order of the fields."""

BESIDE: Final = 1_000.0
"""How rare a word is, which ordinary English texts hold, is taken down as much as so many of them beside the records
would take it down: a few hundred records cannot tell a common word ("happened", "give") from a rare one ("Skoda"),
since neither is in many of them. What no such text holds is as rare as the records say.

On four sets of notes that nobody chose rules on (`benches/quality/notes.py`) MRR grows from .662, .787, .751 and .693
to .696, .794, .758 and .714, and 34 of 480 known questions have an empty answer in place of 39; of 240 unknown ones 196
are answered in place of 194. With 3,000 it is .701, .801, .773 and .717, but "rent arrears" is refused where one record
says rent: of two words the one that is held is mostly the topic, however common it is.
In conversations none count: what was told around a turn says more there.
"""

AROUND: Final[Mapping[str, Any]] = {
    "by": ("session_id", "user_id"),
    "order": "created_at",
    "without": ("kind", "summary"),
    "asks": "asks",
    "asking": "asking",
    "asked": 4.0,
    "asked_all": 4.0,
    "short": 24.0,
    "reach": 2,
    "first": 20,
    "decay": 0.5,
    "k1": 0.9,
    "b": 0.4,
    "dense": 0.1,
    "floor": 0.2,
}
"""What a conversation is, how far around a record it is looked at, and how whole conversations are scored.

What follows a question is its answer: a turn right before one counts four times (`asked`) where it asks something. With
0.15 in place of 0.25 for what was told before (`ranking.told`) that adds 0.017 to nDCG@10 on locomo-dev (0.009 to
0.025; as much on either half of the questions); three times add 0.013, five 0.019, four for both turns before 0.012.
One that ends in a question counts `asked_all` times more by the share of it that asks: eight times if it does nothing
else. That adds 0.0113 (0.0048 to 0.0184) beside `ranking.told.Asking`; two times add 0.0044, three 0.0085, five 0.0120,
eight 0.0132. An answer of more than `short` terms, as assistants give, says more itself: what is extra is divided by
how many times as long it is. On locomo-dev, where few are, that changes nothing (0.000, -0.004 to 0.005).

An answer often has no word of the question: what was told around the `first` 20 hits is proposed, too. That adds 0.023
(0.016 to 0.030; 0.021 and 0.025 on the halves); around 10 it adds 0.022, the next turn of 10 alone 0.021.
"""


def telling(reach: int) -> Mapping[str, Any]:
    """Return what asks the core for the records told so many steps around others."""
    return {"weights": WEIGHTS, "saturation": None, "mark": MARK, "around": {**AROUND, "reach": reach}}


def around(asked: LegQuery) -> Mapping[str, Any]:
    """Return how conversations are looked at in a recall: cosines count from what unrelated texts reach."""
    if not asked.converses or (unrelated := asked.unrelated()) <= AROUND["floor"]:
        return AROUND
    return {**AROUND, "floor": unrelated}


class Words(CoreRetriever):
    """Words of all fields together: the best by BM25."""

    name = "words"
    takes = NO_SETTINGS
    open_ended = True

    def form(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return the terms, those of the parts of identifiers, and light ones."""
        return {"terms": _asked(asked).terms}

    def leg(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return how fields are added up, and whether conversations are looked at."""
        return {**_fields(asked), "around": around(asked) if asked.told else None}

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return what it says, how much it could be (k1 + 1 times what the terms weigh), and how familiar it is."""
        said = proposal.legs[leg]
        return found_by(proposal, leg, most=said.most, familiarity=said.familiarity)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation:
        """Return the raw score taken apart, and what it is a share of; 0 if no term occurs in the record."""
        [place] = asked.core.places([id])
        terms, joined = _asked(asked).terms, tuple(_fields(asked).values())
        told = asked.core.explain_words(terms, *place, cells=asked.cells, joined=joined)
        explanation = as_explanation(told)
        parts = parts_shown(explanation.parts, asked, asked.record(id), _asked(asked))
        most = () if found.most is None else (_weighing(found.most, told.k1),)
        return replace(explanation, parts=parts, notes=most)


def whole_session(asked: LegQuery, id: str) -> Explanation | None:
    """Return how well the words of a record's whole session fit, taken apart; None for one that is in none."""
    [place] = asked.core.places([id])
    if place is None:
        return None
    leg, terms = {**_fields(asked), "around": AROUND}, _asked(asked).terms
    told = asked.core.explain_whole(terms, leg, *place, cells=asked.cells)
    if told is None:
        return None
    explanation, k1 = as_explanation(told[0]), told[0].k1
    most = told[1] * (k1 + 1.0)
    if most == 0.0:
        return explanation
    among = "a session counts as one text, among sessions"
    return replace(explanation, score=explanation.sum / most, divisor=most, notes=(f"{_weighing(most, k1)}; {among}",))


def length_of(asked: LegQuery, id: str) -> int:
    """Return how many terms a record has, those of a title counted twice: so long it is to `auto`."""
    [place], record = asked.core.places([id]), asked.record(id)
    if place is None or record is None or asked.settings is None:
        return 0
    analyzer = asked.settings.analyzer
    terms = analyzer.terms(" ".join(document(record, analyzer).values()))[:1]  # any of its own tells
    told = asked.core.explain_words(terms, *place, cells=asked.cells, joined=tuple(_fields(asked).values()))
    return told.parts[0].length if told.parts else 0


LONG: Final = 4.0
"""So many times the average length a text counts as at most where it is told how much of a question it says: a word
that stands in one log alone is known, however long that is. The score by which it is ordered is as it was."""


def lift_of(asked: LegQuery, id: str) -> float:
    """Return how many times as much a record would score by words if it were no longer than that; 1 for most."""
    [place] = asked.core.places([id])
    if place is None:
        return 1.0
    joined = tuple(_fields(asked).values())
    told = asked.core.explain_words(_asked(asked).terms, *place, cells=asked.cells, joined=joined)
    scored = lifted = 0.0
    for part in told.parts:
        if part.length <= LONG * part.average_length:
            return 1.0
        length, most = (
            told.k1 * (1.0 - told.b + told.b * ratio) for ratio in (part.length / part.average_length, LONG)
        )
        scored += part.value
        lifted += part.value * (part.term_frequency + length) / (part.term_frequency + most)
    return lifted / scored if scored > 0.0 else 1.0


def _weighing(most: float, k1: float) -> str:
    """Return in figures how much the question's words weigh."""
    weight = f"({shown(k1)} + 1) x {shown(most / (k1 + 1.0))}"
    return f"{shown(most)} = {weight}: (k1 + 1) x the idf of all words of the question, found or not"


def document(record: Record, analyzer: Analyzer) -> dict[str, str]:
    """Return the texts of a record by field, as the index of words takes them in.

    With the parts of identifiers, the bases of irregular forms, the stems of other languages, the verbs of states and
    function words that say something; and with the words of what a summary stands for.
    """
    texts = record.indexed()
    said, source = "\n".join(texts.values()), record.source_words
    parts = [marked(said, analyzer), *marked_stems(said, analyzer), *marked_states(said, analyzer)]
    if source is not None:
        parts += [all_marked(source, analyzer), *marked_stems(source, analyzer)]
    return {**texts, PARTS: " ".join(filter(None, parts))} if any(parts) else texts


def _asked(asked: LegQuery) -> Terms:
    return terms_once(asked.worked_out, asked.question, asked.settings, asked.core, asked.cells)


def terms_once(
    worked_out: dict[str, tuple[Question, Any]],
    question: Question,
    settings: Settings | None,
    core: Partition,
    cells: Sequence[str],
) -> Terms:
    """Return `terms_of`, worked out once in a run: other spellings are looked for among all terms that there are."""
    known = worked_out.get(Words.name)
    if known is None or known[0] is not question:
        known = worked_out[Words.name] = question, terms_of(question, settings, core, cells)
    terms: Terms = known[1]
    return terms


def terms_of(question: Question, settings: Settings | None, core: Partition, cells: Sequence[str]) -> Terms:
    """Return what is looked for: the terms of a question, the parts of identifiers, near terms and light ones."""
    if settings is None or not isinstance(question.query, str):
        return Terms(question.terms)
    analyzer = settings.analyzer
    said = content_searched(question, analyzer)
    terms, parts = by_base(said, question.terms, analyzer), parts_of(said)
    parts = analyzer.terms(" ".join(parts)) if parts else parts
    if not said.isascii() and has_asian(said):
        from .asking_asian import without_pieces  # its patterns are compiled where a question needs them

        terms = without_pieces(terms)
    light = function_words(question.query, analyzer) if terms else ()
    language = language_asked(question.query, analyzer)
    stems = stems_of(question.query, language, analyzer)
    near: Mapping[str, str] = {}
    stop_words = stop_words_of(analyzer)
    own, others = _with_stems([*terms, *parts], stems), analyzer.terms(maybe_closed(said, stop_words))
    held = core.held_terms([*own, *others], MARK, cells=cells)
    spelled = in_one(terms, said, analyzer, core, cells) if any(held[len(own) :]) else Spelled(terms, {})
    if not all(held[: len(own)]):  # mostly all are
        missing = {term for term, is_held in zip([*terms, *parts], held, strict=False) if not is_held}
        if has_asian(said):
            from .asking_asian import without_strays

            spelled = spelled._replace(terms=without_strays(spelled.terms, question.query, missing))
        hyphened = apart(spelled.terms, said, missing, analyzer, core, cells)
        terms, read_for = hyphened.terms, {**spelled.read_for, **hyphened.read_for}
        near = _near([*terms, *parts], stems, core, cells)
        if language in COMPOUNDING:
            compounds = _compounds([term for term in terms if term not in near.values()], stems, core, cells)
            near, terms = {**near, **compounds}, [term for term in terms if term not in compounds.values()]
        spelled = Spelled(terms, read_for)
    terms = spelled.terms
    if not (parts or light or near or stems):
        return Terms(terms, spelled.read_for)
    wholes = set(analyzer.terms(" ".join(wholes_of(said)))).difference(parts) if parts else set[str]()
    # Who has all parts of a name says it; who has it whole says it better: a name of code counts twice then.
    kept, whole = terms, list[str]()
    if wholes:
        kept, whole = [[term for term in terms if (term in wholes) is light] for light in (False, True)]
        named = _names_held(said, whole, analyzer, core, cells)
        kept, whole = [*kept, *named, *named], [term for term in whole if term not in named]
    styled = [term for term in in_other_styles(said, analyzer) if term not in wholes] if parts else []
    found = [*_with_stems([*kept, *parts], stems), *near, *(MARK + word for word in (*whole, *styled, *light))]
    return Terms(found, {**near, **spelled.read_for}, stems)


def _names_held(
    said: str, wholes: Sequence[str], analyzer: Analyzer, core: Partition, cells: Sequence[str]
) -> list[str]:
    """Return those of some terms that are names of code which a record holds as they are written."""
    names = set(analyzer.terms(" ".join(names_of_code(said))))
    found = [term for term in wholes if term in names]
    held = core.held_terms(found, MARK, cells=cells) if found else ()
    return [term for term, is_held in zip(found, held, strict=True) if is_held]


def content_searched(question: Question, analyzer: Analyzer) -> str:
    """Return the text of a question without words that only ask, and with values as records write them."""
    said = content_of(question.text, analyzer)
    if not question.read_as:  # as most
        return said
    if all(each.words in said for each in question.read_as):
        return question.searched(said)
    return content_of(question.searched(question.text), analyzer)  # a word of a value only asks elsewhere: "3 de mayo"


def _with_stems(terms: Sequence[str], stems: Mapping[str, str]) -> list[str]:
    """Return terms as they are asked for: those of inflected words with their stems, which count as the same term."""
    return [f"{term}{MARK}{stems[term]}" if term in stems else term for term in terms] if stems else [*terms]


def _near(terms: Sequence[str], stems: Mapping[str, str], core: Partition, cells: Sequence[str]) -> Mapping[str, str]:
    """Return the terms nearest to those that no record holds, as misspelled words are read; none that is there already.

    What a question weighs counts the misspelled word, too: that it is one is a guess. On cosqa-dev, where questions are
    full of errors, that adds 0.0070 to nDCG@10 (0.0013 to 0.0145), on scifact-train 0.0015 (-0.0012 to 0.0043), on
    locomo-dev 0.0003 (-0.0006 to 0.0017). With substitutions as one edit locomo-dev loses 0.0009 (-0.0031 to 0.0011):
    there most words that no record holds are right.
    """
    strange = [term for term in terms if not ordinary_texts(term)]  # "contact" is no "contract"
    nearest = core.nearest_terms(_with_stems(strange, stems), MARK, cells=cells)
    return {near: term for near, term in zip(nearest, strange, strict=True) if near is not None and near not in terms}


def _compounds(
    terms: Sequence[str], stems: Mapping[str, str], core: Partition, cells: Sequence[str]
) -> Mapping[str, str]:
    """Return the compound words that hold a term which no record holds, each with the term."""
    found = zip(core.compounds(_with_stems(terms, stems), MARK, cells=cells), terms, strict=True)
    return {word: term for words, term in found for word in words if word not in terms}


def _fields(asked: LegQuery) -> Mapping[str, Any]:
    return fields_of(asked.settings, converses=asked.converses)


def fields_of(settings: Settings | None, *, converses: bool) -> Mapping[str, Any]:
    """Return how fields are added up: weights, k1 and b (None: by the lengths there are), the mark, texts beside.

    `converses`: whether a record inside the boundary is part of a conversation.
    """
    preset = "default" if settings is None else settings.preset
    is_english = settings is not None and bool(light_for(settings.analyzer))
    return _fields_of(preset, is_beside=is_english and not converses)


@lru_cache(maxsize=32)
def _fields_of(preset: str, *, is_beside: bool) -> Mapping[str, Any]:
    saturation = None if preset == "default" else PRESETS[preset]
    return {"weights": WEIGHTS, "saturation": saturation, "mark": MARK, "beside": BESIDE if is_beside else 0.0}
