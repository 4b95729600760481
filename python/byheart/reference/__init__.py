"""The definition of every score, in plain Python: what the tests believe.

For reading a formula whole, for recomputing a score by hand, and as the oracle that the core is held to, bit
by bit. It is slow on purpose, remembers no state, and imports nothing but the standard library. Not
for use in a program: that is what `byheart.Memory` and the indexes are for.

    mathematics   ln, exp and asin that give the same bits everywhere
    text, porter  text to terms, in two modes
    lexical       BM25 over weighted fields, and its explanation
    handful       BM25 of some texts among themselves, and what else their words say of each other
    xxh3          the hash under the random vectors
    hypervector   make, bind, bundle, permute, compare and encode 4,096 bits
    nearest       the score of a record of hypervectors
    diversity     cosine similarity, and selections of what is unlike
    cascade       the score of a record with an embedding, and the Matryoshka cascade
    filters       which records a filter matches
    fusion        normalise, fuse, prune
    embedding     a text's hashed counts, the mean of token rows, unit length
    knowledge     roles, acts, ids, content hashes
    profiles      kb-fast, kb-balanced and kb-thinkingdb as data
    memory        the whole recall of these three
    symbols       names of things, and the facts that sentences state
    rules         what follows from what
    symbolic      bounded closure over facts, its proofs and their scores
    budget        what fits a budget
    quoting       how a text stands in a prompt, and how it is read back
    length        lengths, scripts, token estimates, the recent tail
    noise         texts that are not worth keeping
    adaptive      queries that need no memory
    summaries     the turns that stand for a cluster, a model's confidence, what a summary keeps
    compaction    which turns of a session one summary stands for
    gate          the ingestion gate, its signals and its calibration
    scoped        the score of `scoped` recall
    discovery     its two-pass discovery
    hybrid        the hybrid pipeline, from two lists to an answer
    vitality      how alive a record is, and how use keeps it young
    standing      which statements hold, and in whose place others stand
    rerank        blends of a score with a reranker's, or with a cosine
    router        a router of two stages, and the fusion and the cuts of its first one

No sum of floats is made by `sum()`, which compensates since CPython 3.12: the loops are the definition.
"""
