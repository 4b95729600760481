"""What the property tests draw: small vocabularies, so that ties, repetitions and collisions are the rule."""

from hypothesis import strategies as st

from byheart import profiles

WORDS = [
    "fox",
    "foxes",
    "red",
    "the",
    "re-index",
    "u.s.a",
    "3-day",
    "東京",
    "タワー",
    "café",
    "--x",
    "don't",
    "owl",
    "of",
]
ROLES = ["Comparison", "Explanation", "Procedure", "Definition", "Narrative", "Constraint"]
ACTS = ["compare", "explain", "recommend", "implement", "define", "describe"]
SCOPES = ["session", "project", "principle"]
CLASSES = ["public", "internal", "pii"]

# Sentences that state facts, whose names the words above ask for.
FACTS = [
    "Fox uses owl.",
    "The owl provides red café",
    "red café is relevant for 東京",
    "owl depends on Fox",
    "fox depends on u.s.a",
    "U.S.A provides owl",
    "foxes causes fox!",
]

texts = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
some_text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
maybe_text = st.none() | texts
ids = st.sampled_from([f"r{n}" for n in range(9)])


@st.composite
def records(draw, tenants=("default",)):
    """Return a record as a mapping, with few or many of the fields that retrieval sees."""
    record = {"text": draw(some_text | st.sampled_from(FACTS)), "id": draw(ids)}
    optional = {
        "role": st.sampled_from(ROLES),
        "topic": some_text,
        "claim": some_text,
        "procedure": some_text,
        "condition": some_text,
        "utility_note": some_text,
        "utility_acts": st.lists(st.sampled_from(ACTS), min_size=1, max_size=3),
    }
    if draw(st.integers(0, 4)) == 0:
        record |= {"subject": "Fox", "relation": "uses", "object": draw(st.sampled_from(["owl", "café", "fox"]))}
        record["confidence"] = draw(st.sampled_from([0.5, 1.0]))
    # Half of the records are plain texts, as most memories are.
    names = draw(st.just([]) | st.lists(st.sampled_from(sorted(optional)), unique=True))
    record |= {name: draw(optional[name]) for name in sorted(names)}
    record["tenant"] = draw(st.sampled_from(tenants))
    record["scope"] = draw(st.sampled_from(SCOPES))
    record["boundary_class"] = draw(st.sampled_from(CLASSES))
    record["created_at"] = 0.0
    return record


def unique(batch):
    """Return the batch with the last record of each tenant and id only."""
    return list({(record["tenant"], record["id"]): record for record in batch}.values())


def honoured(asked):
    """Return a question without its session where the profile makes nothing of one: such a recall is refused."""
    if profiles.get(asked["profile"]).tells_sessions:
        return asked
    return {name: value for name, value in asked.items() if name != "session_id"}


def unexplained(answer):
    """Return an answer as JSON can hold it, without its trace and the explanations of its hits."""
    told = answer.to_dict()
    del told["trace"]
    return {**told, "hits": [{**hit, "explanation": None} for hit in told["hits"]]}
