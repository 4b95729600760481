"""A search over joined fields that leaves most records out finds what one over all of them finds, to the last bit."""

import random

import pytest

from byheart._core import Analyzer, HypervectorIndex, LexicalIndex, Partition
from byheart.retrieval.filter.canonical import membership
from byheart.retrieval.marked_terms import MARK

from ..counts import examples

FIELDS = {"role": 0.5, "topic": 1.5, "claim": 1.0}
AROUND = {
    "by": ["session_id"], "order": "created_at", "without": ("kind", "summary"),
    "asks": "asks", "asking": "asking", "asked": 1.0, "asked_all": 0.0,
    "short": 1.0, "reach": 1, "first": 0, "decay": 0.5,
    "k1": 0.9, "b": 0.4, "dense": 0.0, "floor": 0.0,
}  # fmt: skip
WORDS = [f"w{number}" for number in range(400)]
RECORDS, SEARCHES = 2_500, 40


def word(rng):
    term = WORDS[min(int(rng.paretovariate(0.6)) - 1, len(WORDS) - 1)]
    return MARK + term if rng.random() < 0.1 else term


def document(rng):
    made = {"claim": " ".join(word(rng) for _ in range(rng.randint(0, 40)))}
    if rng.random() < 0.5:
        made["topic"] = " ".join(word(rng) for _ in range(rng.randint(1, 5)))
    return made


def new_partition():
    return Partition(LexicalIndex(FIELDS, analyzer=Analyzer()), HypervectorIndex(FIELDS), None, ["created_at"])


def found(partition, terms, leg, **more):
    proposal = partition.propose([{"retriever": "words", "mark": MARK, **leg}], [""], terms=terms, **more)
    return proposal.hits(0), proposal.legs[0].most


@pytest.mark.parametrize("number", range(examples(30)))
def test_what_is_left_out_is_none_of_the_best(number):
    rng = random.Random(number)
    pruned, whole = new_partition(), new_partition()  # a conversation makes the second look at every record
    ids = [f"r{at:04}" for at in range(RECORDS)]
    documents = [document(rng) for _ in ids]
    kinds = [{"kind": rng.choice(["turn"] * 20 + ["note"])} for _ in ids]
    pruned.put(ids, documents, kinds)
    whole.put(ids, documents, [{**kinds[0], "session_id": "s"}, *kinds[1:]])
    for _ in range(SEARCHES):
        if rng.random() < 0.2:
            changed = rng.sample(ids[1:], rng.randint(1, 3))
            texts = [document(rng) for _ in changed]
            removed = rng.random() < 0.5
            for each in (pruned, whole):
                if removed:
                    each.remove(changed)
                each.put(changed, texts, [{"kind": "turn"} for _ in changed])
        terms = [WORDS[min(int(rng.paretovariate(0.4)) - 1, len(WORDS) - 1)] for _ in range(rng.randint(1, 6))]
        terms = [f"{term}{MARK}{rng.choice(WORDS)}" if rng.random() < 0.3 else term for term in terms]  # with a stem
        terms += [MARK + term for term in rng.sample(WORDS[:6], rng.choice([0, 0, 1, 3]))]  # light ones
        saturation = rng.choice([None, None, (1.2, 0.75), (0.0, 0.0), (2.0, 1.0)])
        leg = {"k": rng.randint(1, 40), "saturation": saturation, "whole": True}
        leg["weights"] = rng.choice([(1, 2, 1), (1, 2, 1), (0, 1, 1), (0, 0, 1)])
        kept = membership("kind", (rng.choice(["turn", "note"]),)) if rng.random() < 0.4 else None
        there = found(pruned, terms, leg, filter=kept)
        assert there == found(whole, terms, {**leg, "around": AROUND}, filter=kept)


def test_what_is_kept_of_a_term_is_not_that_of_the_term_with_a_stem():
    rng = random.Random(7)
    documents = [document(rng) for _ in range(RECORDS)]
    known, fresh = new_partition(), new_partition()
    for each in (known, fresh):
        each.put([f"r{at:04}" for at in range(RECORDS)], documents, [{"kind": "turn"}] * RECORDS)
    leg = {"k": 5, "saturation": (1.2, 0.75), "whole": True, "weights": (1, 2, 1)}
    for _ in range(50):  # until the lists are looked through by what their records may add
        found(known, ["w3", "w5"], leg)
    asked = [f"w3{MARK}w0", "w5"]
    assert found(known, asked, leg) == found(fresh, asked, leg) != found(known, ["w3", "w5"], leg)
