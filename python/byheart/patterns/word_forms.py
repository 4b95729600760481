"""Irregular word forms, which no stemmer brings together: "went" says "go", too, "mice" says "mouse".

They are English, as the stems are. Records have the bases beside the forms (`kinds`), and questions go by the bases.
Left out are forms that mean something else more often ("ground", "rose", "lay"), and stop words ("was", "had", "got").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from .letters import small_words

if TYPE_CHECKING:
    from .._core import Analyzer

_FORMS: Final = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bind bound;
bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt;
buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug;
draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed;
feel felt; fight fought; find found; flee fled; fling flung; fly flew flown; forbid forbade forbidden;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; give gave given; go went gone; grow grew grown;
hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led;
leap leapt; learn learnt; leave left; lend lent; lie lain; light lit; lose lost; make made; mean meant; meet met;
mistake mistook mistaken; outgrow outgrew outgrown; overcome overcame; oversee oversaw overseen; pay paid; prove proven;
rebuild rebuilt; rethink rethought; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise risen; run ran;
say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken;
speed sped; spell spelt; spend spent; spill spilt; spin spun; spring sprang sprung; stand stood; steal stole stolen;
stick stuck; sting stung; strike struck; strive strove striven; swear swore sworn; sweep swept; swell swollen;
swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
throw threw thrown; undergo underwent undergone; understand understood; undertake undertook undertaken;
wake woke woken; wear wore worn; weave wove woven; weep wept; win won; withdraw withdrew withdrawn; write wrote written;
child children; foot feet; goose geese; half halves; knife knives; loaf loaves; man men; mouse mice; shelf shelves;
thief thieves; tooth teeth; wife wives; wolf wolves; woman women;
analysis analyses; appendix appendices; bacterium bacteria; criterion criteria; crisis crises; diagnosis diagnoses;
hypothesis hypotheses; index indices; matrix matrices; phenomenon phenomena; thesis theses; vertex vertices
"""
BASE_OF: Final = {form: base for base, *forms in map(str.split, _FORMS.split(";")) for form in forms}
"""The base of each form."""


def by_base(text: str, terms: Sequence[str], analyzer: Analyzer) -> Sequence[str]:
    """Return the terms of a question with those of irregular forms replaced by the terms of their bases.

    What holds a form holds its base, so that a record with either is found.

    >>> from byheart import Analyzer
    >>> by_base("Where did we go?", ["go"], Analyzer()), by_base("Who went?", ["went"], Analyzer())
    (['go'], ['go'])
    """
    forms = _forms(text, analyzer)
    if not forms:  # as of most questions
        return terms
    base_of = dict(
        zip(analyzer.terms(" ".join(forms)), analyzer.terms(" ".join([BASE_OF[form] for form in forms])), strict=True)
    )
    return [base_of.get(term, term) for term in terms]


def _forms(text: str, analyzer: Analyzer) -> list[str]:
    """Return the irregular forms in a text, in order; none for an analyser without stems."""
    known = bases_for(analyzer)
    return list(filter(known.__contains__, small_words(text))) if known else []


def bases_for(analyzer: Analyzer) -> Mapping[str, str]:
    """Return the bases by form; none for an analyser without stems."""
    return BASE_OF if analyzer.name.endswith("+porter") else {}
