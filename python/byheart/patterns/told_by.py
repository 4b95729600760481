"""Other words by which people tell what they ask for: a wife by whom one married, a job by where one works.

They stand in for a word of a question that nothing of whom it asks about says. Everyday English, by hand; beside the
table, British and American spellings, who does what ("teacher", "teach"), and what one does of a kind ("sport", "jog").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .kinds import names_of_kinds

_TOLD: Final = """
wife husband spouse: marry husband wife spouse; marriage wedding: marry wed; married: husband wife spouse wedding;
girlfriend boyfriend partner: girlfriend boyfriend wife husband marry;
job occupation profession career living employer employment: work job employ hire; work: job employ career;
hometown birthplace origin from: born birth native hometown; born: birthday birth native; birthday: born;
live home residence: live address apartment flat reside home street; address: live street flat apartment lane;
heavy weight: weigh; tall height: tall height; age old: born birthday age turn; big size large: size;
price cost expensive fee charge: cost price pay charge fee; pay: cost charge price owe; salary income wage earn: earn
salary pay; rent: lease rent; debt: owe; owe: debt borrow lend; lend: borrow; borrow: lend;
magazine newspaper: subscribe read; party: vote; vote: election party;
quit stop: quit stop resign leave; resign: quit leave; fired: dismiss; expire: expire end run valid renew;
hate dislike: hate dislike stand loathe detest; like love enjoy prefer: like love enjoy prefer favourite fond fan;
favourite favorite: prefer love like; own: own buy bought belong; buy purchase: buy order purchase get;
appointment: meet see visit; meet meeting: meet appointment; begin start: begin start; finish end: finish end;
fix repair mend: fix repair mend; broken break: break damage crack; trip travel holiday vacation: travel fly visit trip;
flight: fly; destination: go travel fly; visit: visit trip see; teacher: teach; coach trainer: coach train;
author writer: write; degree major: study graduate; university college: study graduate degree; studied: degree;
death: die; die: death pass; birth: born; arrive: arrive come land; depart leave: leave depart; nickname: call;
guest guests: invite; pregnant: expect baby due; due: expect deadline; deadline: due; hair: haircut hairdresser;
scared afraid fear: fear afraid scare phobia terrify; allergic allergy: allergic allergy intolerant;
password: password passcode; passcode: passcode password pin code; pin: pin code passcode;
code: code pin passcode; contact: call phone e-mail reach;
dinner lunch breakfast: eat cook; diet: eat vegan vegetarian; wake: wake rise alarm; asleep sleep: bed sleep;
cook: cook bake recipe; owner: own belong; boss manager supervisor: manage supervise report lead;
landlord: rent; tenant: rent; winner: win; win: win winner; driver: drive; drive: car drive;
gift present: gift give gave present;
located location: stand lie; store keep kept: keep store put; hidden: hide put; lost: lose lost miss;
ill sick: ill sick; doctor: treat; speak: fluent speak; language: speak; savings: save; bill: pay; exam: test exam;
test: exam test; wear: wear put; smoke: smoke cigarette; exercise: exercise train workout gym; gym: workout train;
photo: photograph shoot; movie: watch; film: watch; song: sing listen; subscription: subscribe;
reservation booking: book reserve; dog: puppy; cat: kitten; cow: calf; sheep: lamb; horse: foal pony;
roommate flatmate housemate: roommate flatmate housemate; childhood: grow born raise young;
raised: grow born; commute: cycle bike drive bus train tram walk;
son: boy lad kid child eldest youngest twins; daughter: girl lass kid child eldest youngest twins;
wife: missus wed hitched; husband: hubby wed hitched; friend: mate pal buddy;
grandmother: gran granny nan nana; grandfather: grandad granddad gramps; boss: chief;
mother: birth raise; father: raise; doctor: gp physician surgery practice clinic; dentist: surgery practice clinic;
vet: clinic practice surgery; hairdresser barber: salon; mechanic: garage; teacher: school;
pharmacist: pharmacy;
book booked: reserve book; cancel: cancel call; delay: delay late postpone; late: delay late
"""
_SPELLINGS: Final = (
    ("our", "or"), ("tre", "ter"), ("ise", "ize"), ("isa", "iza"), ("isi", "izi"), ("yse", "yze"), ("ogue", "og"),
    ("ll", "l"), ("ence", "ense"), ("cheque", "check"), ("tyre", "tire"), ("grey", "gray"), ("gramme", "gram"),
    ("lough", "low"), ("kerb", "curb"), ("aero", "air"), ("ewellery", "ewelry"), ("pyjama", "pajama"), ("ae", "e"),
    ("oe", "e"), ("storey", "story"), ("aught", "aft"), ("mould", "mold"), ("sulph", "sulf"), ("sceptic", "skeptic"),
    ("tyle", "tile"), ("cosy", "cozy"), ("axe", "ax"), ("moustache", "mustache"), ("aluminium", "aluminum"),
)  # fmt: skip
"""What British and American words have of each other."""
_LEAST_SPELLED: Final = 4
_LEAST_MISSPELLED: Final = 5
_MOST: Final = 48
_WHO_DOES: Final = expression(r"(?P<verb>[a-z]{3,}?)(?P<twice>([bdgklmnprt])\3)?(?:er|or|ist)s?")


def told_by(word: str) -> list[str]:
    """Return the words by which that is told for which a word of a question, in small letters, asks; the best first.

    >>> told_by("wife")[:2], told_by("tires")[:1], "teach" in told_by("teacher"), "jogging" in told_by("sport")
    (['marry', 'husband'], ['tyres'], True, True)
    """
    one = word if word in _table() else word.removesuffix("s")
    found = [*_spelled(word), *_table().get(one, ()), *_done(word), *_of_kind().get(word, ())]
    if one not in _table():
        meant = [each for each in _misspelled(word) if each in _table()]
        found += [*meant, *(told for each in meant for told in _table()[each]), *_misspelled(word)]
    return [each for each in dict.fromkeys(found) if each != word][:_MOST]


def _spelled(word: str) -> Iterator[str]:
    if len(word) < _LEAST_SPELLED:
        return
    for british, american in _SPELLINGS:
        for one, other in ((british, american), (american, british)):
            at = word.find(one) if len(one) > 1 else -1
            if at >= 0:
                yield word[:at] + other + word[at + len(one) :]


def _misspelled(word: str) -> list[str]:
    """Return what a word may be with two letters swapped, one doubled, or one of two: its stem may be another one."""
    if len(word) < _LEAST_MISSPELLED:
        return []
    pairs = range(1, len(word) - 1)
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in pairs]
    single = [word[:at] + word[at + 1 :] for at in pairs if word[at] == word[at + 1]]
    return [*swapped, *single, *(word[:at] + word[at] + word[at:] for at in range(1, len(word)))]


def _done(word: str) -> Iterator[str]:
    """Give the verb of who does it, and who does what a verb says."""
    found = _WHO_DOES.fullmatch(word)
    if found is not None:
        verb, twice = found["verb"], found["twice"]
        yield from ([verb + twice[0], verb + twice] if twice else [verb, f"{verb}e"])


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for entry in filter(str.strip, _TOLD.split(";")):
        asked, told = map(str.split, entry.split(":"))
        for word in asked:
            found[word] = (*found.get(word, ()), *told)
    return found


@lru_cache(maxsize=1)
def _of_kind() -> Mapping[str, tuple[str, ...]]:
    """Return what one does of each kind: it is told by its verb, too, which says no kind."""
    found: dict[str, list[str]] = {}
    for word, names in names_of_kinds().items():
        if word.endswith("ing"):
            for name in names:
                found.setdefault(name, []).append(word)
    return {name: tuple(words) for name, words in found.items()}
