from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, SupportsIndex, TypeAlias, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

__all__ = [
    "Absolute",
    "AdaptiveRetrieval",
    "Agreement",
    "Analyzer",
    "Awaiting",
    "Closure",
    "DenseExplanation",
    "DenseIndex",
    "Directory",
    "GatePatterns",
    "GateSignals",
    "Handful",
    "HyperVector",
    "HypervectorIndex",
    "LexicalExplanation",
    "LexicalIndex",
    "LexicalPart",
    "Marking",
    "NoiseFilter",
    "Numbering",
    "Partition",
    "Proposal",
    "ProposedLeg",
    "Ranking",
    "RetrievalDecision",
    "Staged",
    "SymbolicIndex",
    "SymbolicProof",
    "Table",
    "__build__",
    "__version__",
    "active_isa",
    "arrow_stream",
    "available_isas",
    "bm25_idf",
    "bm25_part",
    "cascade_trace",
    "check_rule",
    "check_symbol",
    "cosine",
    "cosines",
    "derived_confidence",
    "exp",
    "extract_fact",
    "find_spans",
    "gate_signals",
    "hypervector_reach",
    "identifier_parts",
    "is_noise",
    "ln",
    "maximal_marginal_relevance",
    "near_duplicates",
    "opened",
    "ordinary_texts",
    "path_score",
    "porter_stem",
    "should_skip_retrieval",
    "stop_words",
    "symbol_key",
    "symbol_tokens",
]

_Triple: TypeAlias = tuple[str, str, str]
_Vector: TypeAlias = NDArray[np.float32] | array[float]
_Vectors: TypeAlias = _Vector | Sequence[_Vector]
_Scalar: TypeAlias = str | float | bool
_Fields: TypeAlias = Mapping[str, _Scalar | Sequence[_Scalar] | None]
_Filter: TypeAlias = tuple[Any, ...]  # ("in", field, values), ("not", filter) and so on: see Partition.rows

class _Array(Protocol):  # exports a C-contiguous buffer: numpy.ndarray, array.array
    @property
    def itemsize(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any: ...

__version__: str
__build__: str

def active_isa() -> str:
    """The instruction set in use; BYHEART_ISA forces one."""

def arrow_stream(columns: list[tuple[str, str, list[Any]]], /) -> object:
    """Returns the capsule of an Arrow stream that gives columns of equally many values as one batch: of each its name,
    what its values are ("text", "float", or "time": microseconds since 1970 in UTC), and these, None for none.
    """

def available_isas() -> list[str]:
    """The instruction sets that this processor can run, slowest first."""

def bm25_idf(records: int, document_frequency: int) -> float:
    """ln((records - df + 0.5) / (df + 0.5) + 1) with the pinned logarithm."""

def ordinary_texts(term: str) -> float:
    """How many of 1,000 ordinary English texts of twenty words hold a term, 0.0 for one not known to be common."""

def bm25_part(tf: float, dl: float, avgdl: float, idf: float, k1: float, b: float) -> float:
    """What one term adds to a score, before the weight of its field."""

def hypervector_reach(parts: int, other: int) -> float:
    """The field score to expect of two bundles of these sizes when the smaller lies in the larger."""

def cascade_trace(
    best: Sequence[float | None],
    tiers: Sequence[int],
    *,
    thresholds: Sequence[float] | None = None,
    exit_rule: str = "strict",
    budget_spent: bool = False,
) -> list[dict[str, Any]]:
    """The tiers that a cascade visits when their best scores are these (None: the tier holds nothing): the loop of
    `DenseIndex.search`, for reading and for checking by hand.
    """

def check_rule(
    rule: tuple[str, Sequence[_Triple], _Triple, float, int | None], relations: Sequence[str] | None = None
) -> None:
    """Refuses a rule that is not a positive Horn clause, naming the fault; `relations`: those that exist (None:
    any).
    """

def check_symbol(what: str, text: str) -> None:
    """Refuses a symbol of more than 512 bytes, or one without a letter or number."""

def cosine(a: _Array, b: _Array) -> float | None:
    """The cosine of two float64 arrays of one length, -1.0 to 1.0; None where one of them is zero."""

def cosines(vector: _Array, others: Sequence[_Array]) -> list[float | None]:
    """The cosine of a vector with each of others, as `cosine` gives it: None where one of the two is zero."""

def derived_confidence(premises: Sequence[float], weight: float) -> float:
    """How sure a conclusion is: the premises multiplied in order, times the weight of the rule."""

def exp(x: float) -> float:
    """e to the power of x, pinned: the same bits on every machine. NaN gives NaN."""

def extract_fact(text: str) -> tuple[str, str, str, float] | None:
    """The fact that a sentence states: subject, relation, object, confidence; or None."""

def ln(x: float) -> float:
    """The natural logarithm of x, pinned: the same bits on every machine. ln(0) is -inf; NaN or a negative number gives
    NaN.
    """

def maximal_marginal_relevance(
    scores: _Array | Sequence[float],
    vectors: _Array | Sequence[_Array | None],
    k: int,
    trade_off: float = 0.85,
    *,
    groups: Sequence[Sequence[int]] | None = None,
    cap: int = 1,
) -> list[int]:
    """Indices of at most `k` candidates that are relevant and unlike each other, in the order of their selection."""

def near_duplicates(vectors: Sequence[_Array], threshold: float) -> list[int]:
    """Indices of the vectors whose cosine with one before them, which is no such itself, is above the threshold."""

def path_score(raw: float, steps: int, touches_goal: bool, from_seed: bool) -> float:
    """What a proof of `steps` steps is worth, with the default penalty and bonuses."""

def symbol_key(text: str, mode: str = "unicode") -> str:
    """What a symbol is compared by: lower case, all but words and hyphens made a space."""

def symbol_tokens(text: str, mode: str = "unicode") -> list[str]:
    """The words of a symbol's key without stop words, unstemmed."""

def identifier_parts(text: str) -> list[str] | None:
    """The parts of the identifiers in a text of ASCII, in order; None for one that is not of ASCII alone."""

def opened(text: str, mark: str) -> list[str]:
    """The pieces of a text in turns: one of ASCII, with blanks in the place of marks that join words of which the index
    knows the parts, and one of other writing as it is.
    """

def porter_stem(word: str) -> str:
    """The stem of a lower-case word by Porter's algorithm (1980, with Porter's own two later changes)."""

def stop_words() -> list[str]:
    """The words that the analyzer drops: 115 English function words."""

def find_spans(pattern: str, text: str) -> list[tuple[int, int]]:
    """Where a pattern stands in a text, as pairs of start and end in code points, from left to right."""

def is_noise(
    text: str,
    profile: str = "byheart",
    *,
    filter_denials: bool = True,
    filter_meta: bool = True,
    filter_boilerplate: bool = True,
    length_unit: str | None = None,
) -> str | None:
    """Why a text is noise, as "group: rule"; None if it is not."""

def should_skip_retrieval(
    query: str, profile: str = "byheart", *, min_length: int | None = None, length_unit: str | None = None
) -> RetrievalDecision:
    """Whether a query can do without the memory, with the reason."""

def gate_signals(text: str, profile: str = "strict", *, norm: float = 1.5, token_unit: str = "byte") -> GateSignals:
    """What a text shows to the ingestion gate. Profiles: "strict", and "1.3.5", the original's."""

@final
class NoiseFilter:
    """The noise rules of a profile with patterns of your own behind them: `own` gives (name, pattern)."""
    def __new__(cls, profile: str = "byheart", own: Sequence[tuple[str, str]] = ()) -> NoiseFilter: ...
    def reason(
        self,
        text: str,
        *,
        filter_denials: bool = True,
        filter_meta: bool = True,
        filter_boilerplate: bool = True,
        length_unit: str | None = None,
    ) -> str | None:
        """Why a text is noise; None if it is not. As `is_noise`."""
    @property
    def profile(self) -> str:
        """The name of the profile."""
    @property
    def rules(self) -> list[tuple[str, str, str, str]]:
        """The rules in the order in which they are tried: group, name, language, pattern."""

@final
class RetrievalDecision:
    """Whether a query can do without the memory, and what decided it. True in a condition if it can."""
    @property
    def skip(self) -> bool:
        """The query needs no memory."""
    @property
    def reason(self) -> str:
        """ "group: rule" of what decided it."""
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class AdaptiveRetrieval:
    """The rules of adaptive retrieval with patterns of your own behind them: `force` and `skip` give (name,
    pattern).
    """
    def __new__(
        cls,
        profile: str = "byheart",
        force: Sequence[tuple[str, str]] = (),
        skip: Sequence[tuple[str, str]] = (),
    ) -> AdaptiveRetrieval: ...
    def decide(self, query: str, *, min_length: int | None = None, length_unit: str | None = None) -> RetrievalDecision:
        """Whether a query can do without the memory. As `should_skip_retrieval`."""
    @property
    def profile(self) -> str:
        """The name of the profile."""
    @property
    def rules(self) -> list[tuple[str, str, str, str]]:
        """The rules in the order in which they are tried: group, name, language, pattern."""

@final
class GateSignals:
    """What a text shows to the ingestion gate: five sums, each from 0 to 1, and the patterns that they are made of."""
    @property
    def technicality(self) -> float:
        """T: how likely the text is about technical things."""
    @property
    def natural_density(self) -> float:
        """D_nl: facts in natural language."""
    @property
    def specificity(self) -> float:
        """P: technical specificity, by length."""
    @property
    def actionability(self) -> float:
        """A: actions and decisions."""
    @property
    def technical_density(self) -> float:
        """D_tech: technical structure."""
    @property
    def tokens(self) -> int:
        """What the gate's estimator makes of the trimmed text; 0 for an empty one."""
    @property
    def counts(self) -> list[tuple[str, int]]:
        """The patterns that are there: how often those of P match, 1 for the others."""
    @staticmethod
    def of(values: Sequence[float], tokens: int, counts: Sequence[tuple[str, int]]) -> GateSignals:
        """The signals with these values, in the order T, D_nl, P, A, D_tech: what copying and pickling call."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class GatePatterns:
    """The gate's patterns with some of your own behind them: `own` gives (signal, name, pattern, weight)."""
    def __new__(cls, profile: str = "strict", own: Sequence[tuple[str, str, str, float]] = ()) -> GatePatterns: ...
    def signals(self, text: str, *, norm: float = 1.5, token_unit: str = "byte") -> GateSignals:
        """What a text shows. As `gate_signals`."""
    @property
    def profile(self) -> str:
        """The name of the profile."""
    @property
    def rules(self) -> list[tuple[str, list[float], str]]:
        """The patterns in the order in which they are added up: name, weights in T, D_nl, P, A and D_tech, pattern."""

@final
class Analyzer:
    """Text to terms: normalise, split, drop stop words, stem."""
    def __new__(cls, stem: bool = True, stop_words: str | None = "english", mode: str = "unicode") -> Analyzer: ...
    def terms(self, text: str) -> list[str]:
        """The terms of a text, in order, repetitions kept. Raises LimitExceeded above 10 MB."""
    def held(self, texts: Sequence[str], phrases: Sequence[str], mark: str = "") -> list[int]:
        """Which of some phrases each text holds, word for word: bit n of a text's number stands for phrase n, of 64 at
        most.
        """
    def inflected(self, text: str, language: str | None = None) -> list[tuple[str, str, str]]:
        """The words of a text whose stem in their language is another than their term: word, term and stem of each,
        once.
        """
    @property
    def name(self) -> str:
        """The name that index headers carry, such as "unicode+english+porter"."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Marking:
    """The parts of identifiers, what words say beside themselves and the function words of texts of ASCII, as terms
    with a mark.
    """
    def __new__(
        cls, analyzer: Analyzer, mark: str, beside: Mapping[str, Sequence[str]], light: Sequence[str]
    ) -> Marking: ...
    def marked(self, text: str) -> str | None:
        """The terms, each behind the mark, as one text, which is empty where there are none; None for a text that is
        not of ASCII alone, or has parts of more than 10 MB.
        """

@final
class Handful:
    """A handful of texts that are scored among themselves: BM25 without an index (k1 = 0.6, b = 0.3)."""
    def __new__(cls, analyzer: Analyzer, texts: Sequence[str]) -> Handful: ...
    @property
    def lengths(self) -> list[int]:
        """How many terms each text has."""
    def shares(self, query: Sequence[str]) -> list[float]:
        """Of each text the BM25 of a query's terms, as a share of what these weigh here; 0 where they weigh nothing."""
    def kin(self, worth: Sequence[float], query: Sequence[str]) -> list[float]:
        """Of each text the BM25 of ten words of the ten best texts that others have too, and that the query has not."""
    def rich(self) -> list[float]:
        """Of each text how much rarer its terms are for its length than is usual among them: -1 to 1."""

@final
class Ranking(Sequence[tuple[str, float]]):
    """Hits of one search, best first: an immutable sequence of `(id, score)`."""
    @property
    def ids(self) -> list[str]:
        """Ids, best first."""
    @property
    def scores(self) -> list[float]:
        """Scores, in the order of ids."""
    @property
    def counters(self) -> dict[str, int]:
        """Work done: names and counts."""
    @property
    def tier(self) -> int | None:
        """The tier that answered, counted from 1; None for a search without tiers."""
    @property
    def dimensions(self) -> int | None:
        """How many dimensions that tier looks at; None for a search without tiers."""
    @property
    def trace(self) -> list[dict[str, Any]]:
        """The tiers visited, in order: tier, dimensions, best score, whether the search ended by it, records in it."""
    @property
    def timings(self) -> list[float]:
        """Milliseconds in each of these tiers (for queries that shared a pass: that of the pass). The only part that
        differs between equal searches.
        """
    @property
    def idf_sum(self) -> float | None:
        """The idf of all terms of the query in the searched cells, added up in order: terms that no record holds count
        too, and a repeated one each time. None for a search without terms.
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[tuple[str, float]]: ...
    def __iter__(self) -> Iterator[tuple[str, float]]: ...
    def __eq__(self, value: object, /) -> bool: ...

@final
class LexicalPart:
    """One query term found in one field, with every number that its contribution is made of."""
    @property
    def field(self) -> str: ...
    @property
    def term(self) -> str: ...
    @property
    def weight(self) -> float: ...
    @property
    def idf(self) -> float: ...
    @property
    def document_frequency(self) -> int: ...
    @property
    def ordinary_frequency(self) -> float: ...
    @property
    def term_frequency(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def average_length(self) -> float: ...
    @property
    def value(self) -> float: ...

@final
class LexicalExplanation:
    """Parts in order, their sum in that order, factors on it in order, the score: recomputed, the score's bits."""
    @property
    def id(self) -> str:
        """Id of the record."""
    @property
    def parts(self) -> list[LexicalPart]:
        """Contributions, fields outer, query terms inner."""
    @property
    def sum(self) -> float:
        """0.0, then the values of the parts added one by one."""
    @property
    def factors(self) -> list[tuple[str, float]]:
        """Names and factors that the sum is multiplied by, in order."""
    @property
    def score(self) -> float:
        """What a search gives for this record."""
    @property
    def records(self) -> int:
        """Records in the searched cells."""
    @property
    def beside(self) -> float:
        """Ordinary texts that count beside them where it is asked how rare a term is."""
    @property
    def k1(self) -> float:
        """The index's k1."""
    @property
    def b(self) -> float:
        """The index's b."""

@final
class LexicalIndex:
    """An inverted index with weighted fields, scored by BM25 (Robertson and others, 1994)."""
    def __new__(
        cls,
        fields: Mapping[str, float] | None = None,
        k1: float = 1.2,
        b: float = 0.75,
        analyzer: Analyzer | None = None,
    ) -> LexicalIndex: ...
    def add(
        self,
        ids: Sequence[str],
        documents: Sequence[str] | Sequence[Mapping[str, str]],
        *,
        cells: str | Sequence[str] | None = None,
        labels: Sequence[str | None] | None = None,
    ) -> None:
        """Adds documents under these ids: texts (for the first field) or mappings of field names to texts."""
    def remove(self, ids: Sequence[str]) -> int:
        """Removes the records with these ids and answers how many there were."""
    def search(
        self,
        query: str | Sequence[str],
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        boosts: Mapping[str, float] | None = None,
        among: Sequence[str] | AbstractSet[str] | None = None,
    ) -> Ranking:
        """The best `k` (1 to 100,000) records: score descending, then id ascending."""
    def search_many(
        self,
        queries: Sequence[str | Sequence[str]],
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        threads: int = 1,
    ) -> list[Ranking]:
        """As `search` for many queries, spread over `threads` (1 to 256); the answers do not depend on their number."""
    def explain(
        self,
        query: str | Sequence[str],
        id: str,
        *,
        cells: str | Sequence[str] | None = None,
        boosts: Mapping[str, float] | None = None,
    ) -> LexicalExplanation:
        """How a search scores one record: parts in order, their sum, factors, score (0.0 for no hit)."""
    def to_bytes(self) -> bytes:
        """The index as bytes: versioned, checksummed, equal for equal content."""
    @staticmethod
    def from_bytes(data: bytes) -> LexicalIndex:
        """The index that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones."""
    @property
    def analyzer(self) -> Analyzer:
        """The terms that a query text becomes."""
    @property
    def fields(self) -> dict[str, float]:
        """Field names and weights, in the order of summation."""
    @property
    def k1(self) -> float:
        """How soon repetitions of a term stop counting."""
    @property
    def b(self) -> float:
        """How much the length of a field counts."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class HyperVector:
    """4,096 bits that stand for a key, a set or a sequence. Immutable."""
    @staticmethod
    def random(key: str) -> HyperVector:
        """The vector of a key: the same bits for the same key, everywhere and always."""
    @staticmethod
    def from_bytes(b: bytes) -> HyperVector:
        """The vector of these 512 bytes; its `parts` are 1."""
    @staticmethod
    def bundle(vectors: Sequence[HyperVector], weights: Sequence[int] | None = None) -> HyperVector:
        """The majority of each bit, in any order; no vectors give the zero vector."""
    @staticmethod
    def encode_tokens(tokens: Sequence[str]) -> HyperVector:
        """Tokens as a set: the bundle of their vectors, repetitions counted."""
    @staticmethod
    def encode_ngrams(tokens: Sequence[str]) -> HyperVector:
        """Tokens as a sequence: each one bound to its place, and to its successor."""
    @staticmethod
    def encode_subwords(tokens: Sequence[str]) -> HyperVector:
        """Tokens by their letters: words that share runs of three or four are alike."""
    @staticmethod
    def from_embedding(vector: _Array) -> HyperVector:
        """An embedding (float32, 1 to 4,096 dimensions) by the signs of 4,096 random projections."""
    @staticmethod
    def from_embeddings(matrix: _Array) -> list[HyperVector]:
        """As `from_embedding`, for each row of a float32 array of shape (n, dimensions)."""
    @property
    def parts(self) -> int:
        """How many vectors were bundled into this one; no part of equality, and not in the bytes."""
    def permute(self, n: int) -> HyperVector:
        """All bits rotated left by 8 * n; n is any int."""
    def similarity(self, b: HyperVector) -> float:
        """The part of the bits that agree, 0.0 to 1.0; unrelated vectors are near 0.5."""
    def __xor__(self, value: HyperVector, /) -> HyperVector: ...
    def __rxor__(self, value: HyperVector, /) -> HyperVector: ...
    def __bytes__(self) -> bytes: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class HypervectorIndex:
    """Records with hypervectors; the nearest ones to a query by Hamming distance, exactly."""
    def __new__(
        cls, fields: Mapping[str, float] | None = None, combine: str = "sum", floor: float = 0.0
    ) -> HypervectorIndex: ...
    def add(
        self,
        ids: Sequence[str],
        vectors: Sequence[HyperVector] | Sequence[Mapping[str, HyperVector]],
        *,
        cells: str | Sequence[str] | None = None,
    ) -> None:
        """Adds records under these ids: hypervectors, or mappings of field names to hypervectors."""
    def remove(self, ids: Sequence[str]) -> int:
        """Removes the records with these ids and answers how many there were."""
    def search(
        self,
        vector: HyperVector | Mapping[str, HyperVector],
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        among: Sequence[str] | AbstractSet[str] | None = None,
    ) -> Ranking:
        """The best `k` (1 to 100,000) records: score descending, then id ascending."""
    def search_many(
        self,
        vectors: Sequence[HyperVector] | Sequence[Mapping[str, HyperVector]],
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        threads: int = 1,
    ) -> list[Ranking]:
        """As `search` for many queries, several in one pass, spread over `threads` (1 to 256); the answers do not
        depend on their number.
        """
    def to_bytes(self) -> bytes:
        """The index as bytes: versioned, checksummed, equal for equal content."""
    @staticmethod
    def from_bytes(data: bytes) -> HypervectorIndex:
        """The index that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones."""
    @property
    def fields(self) -> dict[str, float] | None:
        """Field names and weights, in the order of summation; None for an index without fields."""
    @property
    def combine(self) -> str:
        """How the scores of fields are combined: "sum" or "adaptive"."""
    @property
    def floor(self) -> float:
        """Scores must lie above it."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class SymbolicIndex:
    """Facts of records in cells, and the rules by which more follows from them."""
    def __new__(
        cls,
        relations: Sequence[str],
        rules: Sequence[tuple[str, Sequence[_Triple], _Triple, float, int | None]] = (),
        preferred: Sequence[str] = (),
        mode: str = "unicode",
    ) -> SymbolicIndex: ...
    def add(
        self,
        ids: Sequence[str],
        facts: Sequence[tuple[str, str, str, float]],
        *,
        cells: str | Sequence[str] | None = None,
    ) -> None:
        """Adds one fact for each id: (subject, relation, object, confidence). A record with the same id is replaced."""
    def remove(self, ids: Sequence[str]) -> int:
        """Removes the records with these ids and answers how many there were."""
    def search(
        self,
        terms: Sequence[str],
        text: str | None = None,
        k: int = 32,
        *,
        cells: str | Sequence[str] | None = None,
        among: Sequence[str] | AbstractSet[str] | None = None,
        without: Sequence[str] | None = None,
        options: Mapping[str, float] | None = None,
        deadline: float | None = None,
    ) -> Closure:
        """What follows from the facts of the cells near a query, and the best `k` records that it rests on."""
    @property
    def facts(self) -> int:
        """How many different facts are stated."""
    @property
    def relations(self) -> list[str]:
        """The relations that facts may name."""
    def to_bytes(self) -> bytes:
        """The index as bytes: versioned, checksummed, equal for equal content."""
    @staticmethod
    def from_bytes(data: bytes) -> SymbolicIndex:
        """The index that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer ones."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class Closure:
    """What came out of a search of a SymbolicIndex."""
    @property
    def ids(self) -> list[str]:
        """Ids of the candidates, best first."""
    @property
    def scores(self) -> list[float]:
        """The score of each candidate's best proof, in the order of ids."""
    @property
    def normalised(self) -> list[float]:
        """Scores divided by the best of them, or by 1 if that is less."""
    @property
    def seeds(self) -> list[tuple[str, int]]:
        """Keys and scores of the facts from which the closure grew, best first."""
    @property
    def derived(self) -> list[SymbolicProof]:
        """Derived facts with their proofs, by key."""
    @property
    def proofs(self) -> list[SymbolicProof]:
        """The proofs that matter to the query, the most telling first."""
    def proof_of(self, id: str) -> SymbolicProof | None:
        """The best proof that a candidate is a part of; None for a record that is no candidate."""
    @property
    def exhausted(self) -> bool:
        """True if attempts or time ran out; what was found so far stands."""
    @property
    def counters(self) -> dict[str, int]:
        """Work done: names and counts."""
    def __len__(self) -> int: ...

@final
class SymbolicProof:
    """A fact that holds, and why."""
    @property
    def fact(self) -> tuple[str, str, str]:
        """Subject, relation and object, as written."""
    @property
    def key(self) -> str:
        """How the fact is named and ordered: subject|relation|object."""
    @property
    def raw(self) -> float:
        """How sure it is."""
    @property
    def rule(self) -> str | None:
        """The rule by which it follows; None for a stated fact."""
    @property
    def weight(self) -> float | None:
        """The weight of that rule; None for a stated fact."""
    @property
    def premises(self) -> list[SymbolicProof]:
        """Proofs of the premises, in order."""
    @property
    def rules(self) -> list[str]:
        """Rules used, in order, the last one last."""
    @property
    def base(self) -> list[str]:
        """Keys of the stated facts that it rests on."""
    @property
    def length(self) -> int:
        """Steps, rules included."""
    @property
    def touches_goal(self) -> bool:
        """Is a query term among the tokens of the fact?"""
    @property
    def rests_on_seed(self) -> bool:
        """Does it rest on a seed?"""
    @property
    def score(self) -> float:
        """What the proof is worth."""
    @property
    def stated_by(self) -> list[str]:
        """Ids of the first eight records inside the cells that state the fact; none for a derived one."""
    @property
    def statements(self) -> int:
        """How many records inside the cells state the fact."""

@final
class DenseExplanation:
    """A score and what it is made of: the cosine in each tier; the last one's dot product; that, cut to [-1, 1]."""
    @property
    def id(self) -> str:
        """Id of the record."""
    @property
    def tiers(self) -> list[tuple[int, float]]:
        """(dimensions, cosine of the prefixes) of each tier."""
    @property
    def dot(self) -> float:
        """The dot product of the two rows."""
    @property
    def score(self) -> float:
        """What a search gives for this record."""

@final
class Numbering:
    """Which number a store has given each key: a tuple of tenant, scope, class and id."""
    def __new__(cls) -> Numbering: ...
    def learn(self, rows: Iterable[tuple[int, bytes, bytes, bytes, bytes, bytes]]) -> tuple[int, bytes]:
        """Takes in rows of a store, one after another: tuples of a number and of tenant, scope, class, id and checksum
        as bytes. Returns how many there were and the sum of the checksums, as a little-endian number of 16 bytes that
        overflows. A key that comes twice has one number. After an error nothing was taken in.
        """
    def get(self, key: object) -> int | None:
        """The number of a key; None if it has none."""
    def put(self, key: tuple[str, str, str, str], number: int) -> int | None:
        """Gives a key its number, in place of the one it had, and returns that; LimitExceeded for names that no record
        can have.
        """
    def take(self, key: object) -> int | None:
        """Forgets a key and returns its number; None if it has none."""
    def copy(self) -> Numbering:
        """The same keys and numbers, which stay as they are whatever becomes of these."""
    def items(self, start: int = 0, end: int | None = None) -> list[tuple[tuple[str, str, str, str], int]]:
        """The keys in some places and their numbers, in any order: all of them without `end`; places are numbered from
        0 to below `places`.
        """
    @property
    def places(self) -> int:
        """How many places there are: no fewer than keys."""
    def of_tenant(self, tenant: str) -> list[tuple[str, str, str, str]]:
        """The keys of a tenant."""
    def named(self, numbers: Sequence[int]) -> dict[int, tuple[str, str, str, str]]:
        """The keys that have these numbers, by number."""
    def missing(self, partitions: dict[str, Partition], apart: str) -> list[tuple[str, str, str, str]] | None:
        """The keys that are in none of these partitions, by tenant; a tenant that is `apart` has none to be in. None if
        a partition is empty, or holds what has no number here.
        """
    def awaiting(self, partitions: dict[str, Partition]) -> Awaiting:
        """What the partitions by tenant await, by the numbers of these keys."""
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...

@final
class Table:
    """Rows of bytes by key, and the vectors that models made of what the keys stand for; a key is a tuple of tenant,
    scope, class and id. It is kept once, and a vector as the object that was given.
    """
    def __new__(cls) -> Table: ...
    def put(self, key: tuple[str, str, str, str], row: bytes) -> None:
        """Puts a row, in place of the one that the key had; LimitExceeded for names that no record can have."""
    def row(self, key: object) -> bytes | None:
        """The row of a key; None if it has none."""
    def rows(self, keys: Iterable[object]) -> list[bytes | None]:
        """The row of every key, in order; None where there is none."""
    def items(self) -> list[tuple[tuple[str, str, str, str], bytes]]:
        """All keys that have a row, with their rows, as of one moment, in any order."""
    def remove(self, key: object) -> None:
        """Forgets the row of a key, if it has one; its vectors stay."""
    def keep(self, model: str, key: tuple[str, str, str, str], vector: bytes) -> None:
        """Keeps the vector that a model made of what a key stands for, in place of the one that the key had; errors as
        in `put`.
        """
    def vector(self, model: str, key: object) -> bytes | None:
        """The vector of a model and a key; None if there is none."""
    def vectors(self, model: str) -> list[tuple[tuple[str, str, str, str], bytes]]:
        """All keys that have a vector of a model, with their vectors, as of one moment, in any order."""
    def remove_vectors(self, key: object) -> None:
        """Forgets the vectors of a key, of every model."""
    def has_others(self, model: str) -> bool:
        """Whether a vector of another model is kept."""
    def keep_only(self, model: str) -> None:
        """Forgets the vectors of every other model."""
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...

@disjoint_base
class Directory:
    """The records of one tenant as they are: which there are, where they lie, and what filters ask of them. Every
    `Partition` is one.
    """
    def sizes(self, cells: str | Sequence[str] | None = None) -> dict[str, tuple[int, int]]:
        """Keys of cells (None: of all) that hold records: for each how many can be found, and how many are archived."""
    def without_vector(self, cells: str | Sequence[str] | None = None) -> int:
        """How many records of cells can be found and have no embedding, though there is an index of them."""
    def any_ends(self, cells: str | Sequence[str] | None = None) -> bool:
        """Whether a record of cells (None: of all) has an end."""
    def rows(self, filter: _Filter | None = None, cells: str | Sequence[str] | None = None) -> list[str]:
        """The rows of the records of cells that match a filter, archived ones too, in order."""
    def first(
        self,
        column: str | None,
        most: int,
        *,
        down: bool = False,
        behind: tuple[float | None, str, str] | None = None,
        filter: _Filter | None = None,
        cells: str | Sequence[str] | None = None,
    ) -> list[str]:
        """The rows of the first records of cells that match a filter, archived ones too, in an order: by the numbers in
        a column, records without one last, or by id without a column; where numbers are equal ids decide, and then
        cells.
        """
    def holding(
        self,
        groups: Sequence[Sequence[str]],
        cells: str | Sequence[str] | None = None,
        *,
        filter: _Filter | None = None,
        now: float | None = None,
        gone: _Filter | None = None,
    ) -> list[str]:
        """The rows of the records of cells that can be found and hold one term of each of some groups, in whichever
        field, in order.
        """
    def bearing(self, column: str, number: float, limit: int) -> list[str] | None:
        """The rows of the records that have a number in a column which is kept in order, archived ones too, in order;
        None if there are more than `limit`, of which no more are looked at.
        """
    def linked(self, field: str, limit: int, cells: str | Sequence[str] | None = None) -> list[bytes] | None:
        """The hashes of the records of cells that name others in a field by their ids, and of those of these cells that
        are named; None if more than `limit` name any, or one has no hash.
        """
    def count(
        self, filter: _Filter | None = None, cells: str | Sequence[str] | None = None, *, blank: bool = False
    ) -> int:
        """How many records of cells match a filter, archived ones too; with `blank` those of them that can be found and
        have no embedding, though there is an index of them.
        """
    def counts(
        self, field: str, filter: _Filter | None = None, cells: str | Sequence[str] | None = None
    ) -> list[tuple[_Scalar, int]]:
        """How many records of cells that match a filter have each value of a field, in the order of the values."""
    def greatest(self, column: str, cells: str | Sequence[str] | None = None) -> float | None:
        """The greatest number in a column among the records of cells that can be found; None if there is none."""
    def numbers(self, column: str, cells: str | Sequence[str] | None = None) -> list[float]:
        """The numbers in a column of the records of cells that can be found and have one, smallest first."""
    def rows_of(self, id: str) -> list[str]:
        """The rows of the records with an id, in the order of their cells."""
    def findable(self, ids: Sequence[str], cells: str | Sequence[str]) -> list[str | None]:
        """Of each id the row of its first record, in the order of their cells, that lies in one of these and can be
        found; None where there is none.
        """
    def places(self, rows: Sequence[str]) -> list[tuple[str, str] | None]:
        """Id and cell of each row; None for a row that is not known."""
    def is_active(self, row: str) -> bool:
        """Whether the record of a row is known and can be found: it is not archived."""
    def beside(self, rows: Sequence[str], leg: dict[str, Any]) -> list[tuple[list[str], list[str]]]:
        """The rows told right before each one in its conversation, and those right after it, the nearest first."""
    def values(self, field: str, row: str) -> list[_Scalar]:
        """The values that the record of a row has in a field, in order; none for an unknown one."""
    def column(self, name: str, ids: Sequence[str], cells: str | Sequence[str] | None = None) -> list[float | None]:
        """The numbers that records have in a column, None for those without one; ids lie in the cell "" without
        `cells`.
        """
    def hashes(self, rows: Sequence[str]) -> list[bytes | None]:
        """The hash of each row, or None."""
    def vectors(self, rows: Sequence[str]) -> tuple[bytes, list[bool]]:
        """The embeddings of rows, divided by their lengths: float32 numbers, little-endian, of those that have one, in
        order; and for each row whether it has.
        """
    def hypervectors(self, rows: Sequence[str]) -> list[bytes | None]:
        """What the index of hypervectors holds of rows, as bytes: for each field a byte that says whether the row has
        it, and then how many parts it was made of (4 bytes) and the vector (512 bytes); None where it holds nothing.
        """
    def facts(self, rows: Sequence[str]) -> list[tuple[str, float] | None]:
        """The facts that rows state, in the form that symbols are compared in, and how sure each is; None for a row
        without one, and for all of them before facts are learnt.
        """
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class Awaiting:
    """What some partitions await, by the numbers that a store has given their keys."""
    def bring(self, rows: Iterable[tuple[Any, ...]]) -> int | None:
        """Takes in embeddings that are awaited (`Partition.come`), some while the next ones are read: rows of a store's
        vectors, tuples of a number of their own, that of the record's key and bytes of float32. Others are passed over,
        and rows of other things. Returns the last row's own number, None without rows.
        """

@final
class Partition(Directory):
    """The records of one tenant: which there are, what filters ask of them, and the indexes over them."""
    def __new__(
        cls,
        lexical: LexicalIndex,
        hypervectors: HypervectorIndex,
        dense: DenseIndex | None = None,
        columns: Sequence[str] | None = None,
        ordered: Sequence[str] | None = None,
        end: str | None = None,
    ) -> Partition: ...
    def put(
        self,
        ids: Sequence[str],
        documents: Sequence[str | Mapping[str, str]],
        fields: Sequence[_Fields],
        cells: str | Sequence[str] | None = None,
        *,
        labels: Sequence[str | None] | None = None,
        hypervectors: Sequence[HyperVector | Mapping[str, HyperVector] | None] | None = None,
        embeddings: Sequence[bytes | _Vector | None] | None = None,
        lent: bool = False,
        facts: Sequence[tuple[str, str, str, float] | None] | None = None,
        hashes: Sequence[bytes | None] | None = None,
    ) -> None:
        """Takes in records, in place of those with the same ids in the same cells. All or nothing."""
    def archive(self, ids: Sequence[str], fields: Sequence[_Fields], cells: str | Sequence[str] | None = None) -> None:
        """Takes records out of every index and keeps what their fields say; unknown ones become known."""
    def remove(self, ids: Sequence[str], cells: str | Sequence[str] | None = None) -> int:
        """Forgets records and answers how many were known; without `cells` those with these ids in whichever cell."""
    def begin_facts(self, index: SymbolicIndex) -> None:
        """Begins an index of facts with the settings of an empty one; `learn` and `put` fill it."""
    def learn(
        self,
        ids: Sequence[str],
        facts: Sequence[tuple[str, str, str, float]],
        cells: str | Sequence[str] | None = None,
    ) -> None:
        """Takes in facts of records that are known and not archived."""
    def encode(
        self,
        ids: Sequence[str],
        hypervectors: Sequence[HyperVector | Mapping[str, HyperVector] | None],
        cells: str | Sequence[str] | None = None,
    ) -> None:
        """Takes in hypervectors of records that are known and not archived: for each a mapping, or None."""
    @property
    def deferred(self) -> bool:
        """Whether hypervectors are made when they are first asked for, and were not yet: until then a leg that asks
        them raises IndexNotMade.
        """
    def defer(self, deferred: bool) -> None:
        """Has hypervectors made later, or says that they have been made of all records that can be found."""
    def come(self, ids: Sequence[str], embeddings: Sequence[bytes], cells: str | Sequence[str] | None = None) -> None:
        """Takes in embeddings (bytes of float32) whose rows are awaited (see `to_bytes`); others are passed over, and
        unknown ids.
        """
    @property
    def lent(self) -> int:
        """How many embeddings are lent: the bytes that came with `put` are kept, and no second copy of them."""
    def wait_no_longer(self) -> list[tuple[str, str]]:
        """Waits for rows no longer, and returns id and cell of the records of which none came: these have no
        embedding.
        """
    @property
    def knows_facts(self) -> bool:
        """Whether the index of facts has been begun."""
    def propose(
        self,
        legs: Sequence[dict[str, Any]],
        cells: str | Sequence[str] | None = None,
        *,
        terms: Sequence[str] | None = None,
        boosts: Mapping[str, float] | None = None,
        hypervectors: HyperVector | Mapping[str, HyperVector] | None = None,
        vector: _Vector | None = None,
        symbols: tuple[Sequence[str], str | None] | None = None,
        filter: _Filter | None = None,
        now: float | None = None,
        gone: _Filter | None = None,
        columns: Sequence[str] | None = None,
        words: Sequence[str] | None = None,
        hashes: bool = False,
        listed: str | None = None,
    ) -> Proposal:
        """What each leg proposes, in one call."""
    def nearest_terms(
        self, terms: Sequence[str], mark: str = "", *, cells: str | Sequence[str] | None = None
    ) -> list[str | None]:
        """Of each term, the nearest one that the cells' records hold where they hold neither it nor what the mark makes
        of it; None where they hold it, where it has fewer than five letters or other signs, and where none is near.
        """
    def held_terms(
        self, terms: Sequence[str], mark: str = "", *, cells: str | Sequence[str] | None = None
    ) -> list[bool]:
        """Of each term, whether the cells' records hold it in one of its forms: itself, its stem, and what the mark
        makes of these.
        """
    def compounds(
        self, terms: Sequence[str], mark: str = "", *, most: int = 3, cells: str | Sequence[str] | None = None
    ) -> list[list[str]]:
        """Of each term that the cells' records hold in none of its forms, compound words that begin or end with it: so
        many at most, those in most records first.
        """
    def explain_words(
        self,
        terms: Sequence[str],
        id: str,
        cell: str = "",
        *,
        cells: str | Sequence[str] | None = None,
        boosts: Mapping[str, float] | None = None,
        joined: tuple[Sequence[int], tuple[float, float] | None, str, float] | None = None,
    ) -> LexicalExplanation:
        """How the words score one record: parts in order, their sum, factors, score (0.0 for no hit). With `joined`
        (weights by field; k1 and b, or None; a mark; the ordinary texts that count beside the records) over all fields
        as one, without boosts.
        """
    def explain_whole(
        self,
        terms: Sequence[str],
        leg: dict[str, Any],
        id: str,
        cell: str = "",
        *,
        cells: str | Sequence[str] | None = None,
    ) -> tuple[LexicalExplanation, float] | None:
        """How well the words of the whole conversation of a record fit, taken apart; and what the words weigh among
        conversations. None for a record that is in none. `leg` is as in `beside`.
        """
    def explain_vector(self, vector: _Vector, id: str, cell: str = "") -> DenseExplanation:
        """How an embedding scores one record, with what each tier says."""
    def to_bytes(self, *, vectors: bool = True) -> bytes:
        """The partition as bytes: versioned, checksummed, equal for equal content; without the facts. Without `vectors`
        the checksums of the embeddings stand in their place, and whoever reads it brings them (`come`).
        """
    @staticmethod
    def from_bytes(data: bytes) -> Partition:
        """The partition that `to_bytes` wrote. Raises CorruptIndex for damaged bytes, UnsupportedFormat for newer
        ones.
        """
    def is_like(self, other: Partition) -> bool:
        """Whether another partition has the same settings: those of its indexes, its columns, and when records end."""

@final
class Proposal:
    """What all legs propose. A row is a record, numbered from 0 in the order in which it was first proposed."""
    @property
    def legs(self) -> list[ProposedLeg]:
        """What each leg answers, in the order in which they were asked."""
    @property
    def keys(self) -> list[tuple[str, str]]:
        """Id and cell of each row."""
    @property
    def rows(self) -> list[str]:
        """What each record is known by: its id, or id, "\\x1f" and cell where several cells have the id."""
    def hits(self, leg: int) -> list[tuple[str, float]]:
        """What a leg found, best first: what each record is known by, and its score."""
    def whole(self, leg: int) -> tuple[int, float | None, float | None] | None:
        """How many hits a leg has where nothing is filtered, with the best and the least score unless the number alone
        was asked for; None if nothing was.
        """
    @property
    def columns(self) -> dict[str, list[float | None]]:
        """Columns by name: a number for each row, or None."""
    @property
    def words(self) -> dict[str, list[_Scalar | None]]:
        """Fields of values by name: the first value of each row, or None."""
    @property
    def hashes(self) -> list[bytes | None]:
        """The hash of each row, or None; empty if they were not asked for."""
    @property
    def has_ended(self) -> bool:
        """Whether records were left out because they have ended."""
    @property
    def closure(self) -> Closure | None:
        """What a leg over facts found, if there was one; its candidates are those that may be found."""
    def agreement(
        self,
        leg: int,
        *,
        weight: float,
        cosines: bool,
        floor: float | None,
        gap: float,
        k: int,
    ) -> Agreement | None:
        """What the stages of agreement make of one leg's rows, by their twin (`byheart.ranking.agreement`): the best
        `k` that reach `floor` (None: any), repeat no content and do not lie behind the `gap`. Scores are clamped
        where they are `cosines`; if not, they are divided by the best one. `hashes` were asked for. None where the
        stages have to run.
        """
    def __len__(self) -> int: ...

@final
class Agreement:
    """The rows that are left of one search after the stages of agreement, and why others are not."""
    @staticmethod
    def of(
        names: Sequence[str],
        raw: Sequence[float],
        hashes: Sequence[bytes | None],
        *,
        weight: float,
        cosines: bool,
        floor: float | None,
        gap: float,
        k: int,
        top: float | None = None,
    ) -> Agreement | None:
        """What the stages of agreement make of the rows of a search, best first: their names, raw scores and content
        hashes (16 bytes, or None). The other arguments are those of `Proposal.agreement`; `top` is the best raw
        score of the search unfiltered, if there is one.
        """
    @property
    def keys(self) -> tuple[str, ...]:
        """What the rows are known by, best first."""
    @property
    def scores(self) -> tuple[float, ...]:
        """Their scores."""
    @property
    def raw(self) -> tuple[float, ...]:
        """Their raw scores."""
    @property
    def scaled(self) -> tuple[float, ...]:
        """Their scores on the common scale, before the weight."""
    @property
    def dropped(self) -> list[tuple[str, str, float, str | None]]:
        """Rows that were dropped, in the order in which the stages drop them: name, "floor", "repeats", "gap" or "k",
        score, and the row that a repetition repeats.
        """
    @property
    def limit(self) -> float:
        """The least score that the gap leaves."""
    @property
    def is_certain(self) -> bool:
        """Whether rows behind those that came could not change which are left."""
    @property
    def given(self) -> int:
        """How many rows came."""
    @property
    def count(self) -> int:
        """How many rows the search proposes unfiltered, up to its k."""
    @property
    def top(self) -> float | None:
        """The best raw score of the unfiltered search, if that was asked for and there is one."""
    def __len__(self) -> int: ...

@final
class Staged:
    """The rows of two searches after the stages of hybrid recall, up to its hard minimum."""
    @staticmethod
    def of(
        partition: Partition,
        proposal: Proposal,
        *,
        dense: int,
        lexical: int,
        floor: float | None,
        now: float,
        vector: Sequence[float],
        minimum: float,
        window: int | None,
        recency: tuple[float, float],
        anchor: float,
        decay: float,
        hard: float,
    ) -> Staged | None:
        """What the stages make of a proposal of two legs, one over embeddings and one over words; `dense` and `lexical`
        say which. Hits of the first below `floor` do not count. Ages are those at `now`, epoch seconds; `vector` is
        the question's. The other arguments are those of the stages, as `byheart.HybridConfig` has them; `window`
        None leaves the comparison of vectors out. None where the stages have to run.
        """
    @property
    def keys(self) -> tuple[str, ...]:
        """What the rows that are left are known by, in order."""
    @property
    def columns(self) -> dict[str, tuple[float | None, ...]]:
        """Their columns by name, in the order in which the stages make them."""
    @property
    def changes(self) -> list[tuple[str, bool, bool]]:
        """What changed the score, in order: column, whether it multiplies, whether the score is clamped after."""
    @property
    def dropped(self) -> list[tuple[str, str, float]]:
        """Rows that were dropped, in the order in which the stages drop them: name, "minimum", "window" or "hard", and
        the score.
        """
    def __len__(self) -> int: ...

class _Texts(Protocol):
    def brought_in(self, ids: list[str], naming: list[str]) -> list[tuple[int, float]] | None: ...
    def has_changed(self, newer: str, older: str, fairly: bool) -> bool: ...
    def states_anew(self, newer: str, older: str) -> bool: ...
    def answers_too(self, newer: str, older: str) -> bool: ...

@final
class Absolute:
    """The rows of a proposal after the stages of the profile `auto`."""
    @staticmethod
    def of(
        proposal: Proposal,
        legs: Sequence[int],
        *,
        named: Callable[[str], bool],
        session_id: str | None,
        dense: tuple[float, float],
        floor: float,
        beside: tuple[float, float],
        whole: float,
        speaker: float,
        asking: float,
        session: float,
        noise: float,
        k: int,
        texts: _Texts | None = None,
        is_weak: bool = False,
    ) -> Absolute | None:
        """What the stages make of a proposal of a leg over words, and perhaps one over embeddings, `legs`. `named` says
        whether a question names a speaker; `session_id` is the session that it is asked in. The other arguments are
        those of the stages. Hashes were asked for. `texts` says what the texts of near-duplicates say of each other;
        of an answer that `is_weak`, no row is left. None where the stages have to run, as where these decide and None
        is given.
        """
    def arranged(self, order: Sequence[int], k: int) -> Absolute:
        """The same with the first rows in another order, `order` of their places, and cut at `k`."""
    def by_score(self, first: int) -> tuple[str, ...]:
        """What the first rows are known by in the order of their scores, repetitions too."""
    @property
    def keys(self) -> tuple[str, ...]:
        """What the rows that are left are known by, in order."""
    @property
    def scores(self) -> tuple[float, ...]:
        """Their scores."""
    @property
    def later(self) -> list[tuple[str, str]]:
        """Rows of later sessions, each with one that it may go before if texts say so: then the stages have to run."""

    @property
    def names(self) -> list[str]:
        """The names of the columns that came."""
    def column(self, name: str) -> tuple[float | None, ...] | None:
        """A column of theirs as it came; None where there is none of the name."""
    def strengths(
        self, curve: tuple[float, float, float, float], floor: float, familiarity: tuple[float, float]
    ) -> tuple[float, ...]:
        """How strong each is: 1 / (1 + exp(-(bias + words x share of the question's words + meaning x cosine above the
        floor + familiar x familiarity x share / the greatest share))), of `curve` the bias, words, meaning and
        familiar; `familiarity` is that of the question, and the greatest share of what may be found.
        """
    @property
    def is_certain(self) -> bool:
        """Whether rows behind those of a leg over words could change neither which rows are left nor their order, where
        no record is part of a conversation and none of the rows says nearly the same as another record.
        """
    def said(self, field: str) -> list[Any]:
        """What they say in a field that was asked for: the first value of each row, or None."""
    @property
    def changes(self) -> list[tuple[str, bool, tuple[float | None, ...]]]:
        """What changed their scores, in order: name of the column, whether it multiplies, and the column."""
    @property
    def dropped(self) -> list[tuple[str, str, str | None]]:
        """Rows that were dropped, in the order in which the stages drop them: name, "nothing", "repeats", "late",
        "weak" or "k", and the row that a repetition repeats.
        """
    def __len__(self) -> int: ...

@final
class ProposedLeg:
    """What one leg proposes."""
    @property
    def asked(self) -> bool:
        """Whether it was asked."""
    @property
    def rows(self) -> list[int]:
        """Rows, best first."""
    @property
    def scores(self) -> list[float]:
        """Scores, in the order of rows."""
    @property
    def whole(self) -> tuple[int, float | None, float | None] | None:
        """How many hits there are where nothing is filtered, with the best and the least score unless the number alone
        was asked for; None if nothing was.
        """
    @property
    def idf_sum(self) -> float | None:
        """What the terms of the query weigh in all, for a leg over words."""
    @property
    def most(self) -> float | None:
        """The score of a record that says all terms of the query, each as often as it counts, for a leg over joined
        fields.
        """
    @property
    def familiarity(self) -> float | None:
        """How much of the query the records speak about, 0 to 0.3, for a leg over joined fields: the root of the share
        of records that hold a term, a mean over the terms by idf, 1 at least, as for records of 25 terms.
        """
    @property
    def trace(self) -> list[dict[str, Any]]:
        """The tiers that a leg over embeddings visited."""
    def __len__(self) -> int: ...

@final
class DenseIndex:
    """Records with embeddings in Matryoshka tiers; the nearest ones to a query by cosine."""
    def __new__(cls, dimensions: int = 768, tiers: Sequence[int] | None = None) -> DenseIndex: ...
    def add(
        self,
        ids: Sequence[str],
        vectors: _Vectors,
        *,
        cells: str | Sequence[str] | None = None,
    ) -> None:
        """Adds records under these ids. `vectors`: float32 of shape (n, dimensions), or a list of single vectors."""
    def remove(self, ids: Sequence[str]) -> int:
        """Removes the records with these ids from every tier and answers how many there were."""
    def search(
        self,
        vector: _Vector,
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        mode: str = "exact",
        thresholds: Sequence[float] | None = None,
        exit_rule: str = "strict",
        rescore: str = "full",
        time_budget_ms: float | None = 50.0,
        shortlist: int | None = None,
        among: Sequence[str] | AbstractSet[str] | None = None,
    ) -> Ranking:
        """The best `k` (1 to 100,000) records: score descending, then id ascending. A zero vector finds nothing."""
    def search_many(
        self,
        vectors: _Vectors,
        k: int = 10,
        *,
        cells: str | Sequence[str] | None = None,
        threads: int = 1,
        mode: str = "exact",
        thresholds: Sequence[float] | None = None,
        exit_rule: str = "strict",
        rescore: str = "full",
        time_budget_ms: float | None = 50.0,
        shortlist: int | None = None,
    ) -> list[Ranking]:
        """As `search` for many queries (as `add` takes vectors), exact ones several in one pass, spread over `threads`
        (1 to 256); the answers do not depend on their number.
        """
    def score(self, vector: _Vector, id: str) -> float:
        """What an exact search for this vector gives for one record."""
    def explain(self, vector: _Vector, id: str) -> DenseExplanation:
        """That score taken apart, with what each tier says."""
    def vector(self, id: str) -> NDArray[np.float32]:
        """The row of a record: its vector divided by its length, as a read-only float32 array."""
    def prefixes(self, vector: _Vector) -> list[list[float]]:
        """The prefix of each tier divided by its own length, not yet rounded to float32."""
    def to_bytes(self) -> bytes:
        """The index as bytes; equal content gives equal bytes."""
    @staticmethod
    def from_bytes(data: bytes) -> DenseIndex:
        """Reads what `to_bytes` wrote; damaged bytes are a `CorruptIndex`."""
    @property
    def dimensions(self) -> int:
        """How many dimensions a vector has."""
    @property
    def tiers(self) -> list[int]:
        """How many dimensions each tier looks at."""
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...
