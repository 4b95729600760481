r"""Activation as one statement of SQL: boundary, both legs, their union, fusion, worth, threshold and order.

    inside      the records that the call may see, before anything else looks
    population  mean and sample deviation of utility among them
    txt, vec    the candidates of words and of vectors, each cut to its pool by a total order
    joined      the union of both: by a full outer join, or by the union of their ids and two left joins
    scored      S, g and their product, with every part

The tables are those of `tables`, the functions those of `macros`. Parameters are named: `$patterns` for LIKE with
ESCAPE '\', `$words` for full text, `$vector`, `$model`, `$scopes` (NULL for every one), `$classes`, `$now`, `$alpha`,
`$min_score`, `$k_txt`, `$k_vec`, `$kinds` and `$half_lives` side by side, `$half_life` of other kinds, `$anchored`,
`$use_quality`. All rows come back in order, with `accepted` saying whether the score is enough: what is below has to
be told too. One of each text, and few about an entity, are left to whoever asks (`activation`).
"""
# docs/sources.md: B1.2, B1.4, B1.5, B1.7, B1.22.

from __future__ import annotations

from ...errors import InvalidArgument

TEXTS = ("substring", "fts")
VECTORS = ("scan", "hnsw")
JOINS = ("outer", "union")

_INSIDE = """inside AS (
  SELECT *, expires_at IS NULL OR expires_at > $now::DOUBLE AS alive
  FROM claims
  WHERE ($scopes::VARCHAR[] IS NULL OR list_contains($scopes::VARCHAR[], scope))
    AND list_contains($classes::VARCHAR[], boundary_class)
),
population AS (
  SELECT CASE WHEN min(utility) = max(utility) THEN min(utility) ELSE avg(utility) END AS mean,
         CASE WHEN count(*) < 2 OR min(utility) = max(utility) THEN 1e0 ELSE stddev_samp(utility) END AS deviation
  FROM inside
),"""

_SUBSTRING = r"""held AS (
  SELECT place, alive, row_number() OVER (ORDER BY coalesce(created_at, 0e0) DESC, place) AS rank
  FROM inside
  WHERE EXISTS (
    SELECT 1 FROM unnest($patterns::VARCHAR[]) AS wanted(pattern) WHERE normalized_text LIKE pattern ESCAPE '\'
  )
),
txt AS (
  SELECT place, rank, NULL::DOUBLE AS bm25, 1e0 / (1e0 + rank) AS s_text
  FROM held WHERE alive ORDER BY rank LIMIT $k_txt
),"""

_FTS = """held AS (
  SELECT place, alive, bm25, row_number() OVER (ORDER BY bm25 DESC, place) AS rank
  FROM (SELECT place, alive, fts_main_claims.match_bm25(place, $words) AS bm25 FROM inside)
  WHERE bm25 IS NOT NULL
),
ends AS (SELECT min(bm25) AS low, max(bm25) AS high FROM held WHERE rank <= $k_txt),
txt AS (
  SELECT place, row_number() OVER (ORDER BY rank) AS rank, bm25,
         least(greatest((bm25 - low) / greatest(high - low, 1e-6), 0e0), 1e0) AS s_text
  FROM held, ends WHERE alive ORDER BY rank LIMIT $k_txt
),"""

_SCAN = """vec AS (
  SELECT place, similarity, norm_cos(similarity) AS s_vec
  FROM (
    SELECT c.place, cos_sim(v.embedding, $vector::DOUBLE[]) AS similarity
    FROM claim_vectors v JOIN inside c USING (place)
    WHERE v.model_version = $model AND c.alive
  )
  WHERE similarity IS NOT NULL
  ORDER BY similarity DESC, place LIMIT $k_vec
),"""

_HNSW = """near AS (
  SELECT place FROM claim_vectors_near
  ORDER BY array_cosine_distance(embedding, $vector::FLOAT[{dimensions}]) LIMIT {looked_at}
),
vec AS (
  SELECT place, similarity, norm_cos(similarity) AS s_vec
  FROM (
    SELECT c.place, cos_sim(v.embedding, $vector::DOUBLE[]) AS similarity
    FROM near JOIN claim_vectors v USING (place) JOIN inside c USING (place)
    WHERE v.model_version = $model AND c.alive
  )
  WHERE similarity IS NOT NULL
  ORDER BY similarity DESC, place LIMIT $k_vec
),"""

_OUTER = """joined AS (
  SELECT place, t.rank, t.bm25, t.s_text, v.similarity, v.s_vec
  FROM txt t FULL OUTER JOIN vec v USING (place)
),"""

_UNION = """ids AS (SELECT place FROM txt UNION SELECT place FROM vec),
joined AS (
  SELECT ids.place, t.rank, t.bm25, t.s_text, v.similarity, v.s_vec
  FROM ids LEFT JOIN txt t ON t.place = ids.place LEFT JOIN vec v ON v.place = ids.place
),"""

_SCORED = """timed AS (
  SELECT j.*, c.key, c.id, c.created_at, c.text_mark, c.confidence, c.quality,
         (c.utility - p.mean) / p.deviation AS utility_z,
         coalesce(CASE WHEN $anchored THEN c.recency_anchor END, c.updated_at, c.created_at) AS ts_eff,
         coalesce(list_extract($half_lives::DOUBLE[], list_position($kinds::VARCHAR[], c.kind)),
                  $half_life::DOUBLE) AS half_life_days
  FROM joined j JOIN inside c ON c.place = j.place CROSS JOIN population p
),
scored AS (
  SELECT *, hybrid_score(s_text, s_vec, $alpha) AS S,
         recency_decay(ts_eff, half_life_days, $now) AS recency
  FROM timed
),
weighed AS (
  SELECT *, CASE WHEN $use_quality THEN g_rerank(utility_z, confidence, recency, quality)
                 ELSE g_rerank(utility_z, confidence, recency) END AS g
  FROM scored
)
SELECT key, id, S * g AS score_final, s_text, s_vec, S, g, sigmoid(utility_z) AS util,
       least(greatest(confidence, 0e0), 1e0) AS conf, recency AS rec,
       CASE WHEN $use_quality THEN least(greatest(quality, 0e0), 1e0) END AS quality_share,
       rank, bm25, similarity, ($now::DOUBLE - ts_eff) / 86400e0 AS age_days, created_at, text_mark,
       S * g >= $min_score::DOUBLE AS accepted
FROM weighed
ORDER BY score_final DESC, created_at DESC NULLS LAST, place
"""

TEMPLATE = r"""WITH txt AS (
  SELECT id, 1.0 / (1.0 + ROW_NUMBER() OVER (ORDER BY created_at DESC)) AS s_text
  FROM claims
  WHERE lower(text) LIKE '%'||lower($q)||'%'
    AND scope IN ('session','project','principle')
  LIMIT $k_txt
),
vec AS (
  SELECT v.claim_id AS id, norm_cos(cos_sim(v.embedding, $qvec)) AS s_vec
  FROM claim_vectors v JOIN claims c ON c.id=v.claim_id
  WHERE c.scope IN ('session','project','principle')
  LIMIT $k_vec
),
joined AS (
  SELECT coalesce(t.id, v.id) AS id,
         coalesce(t.s_text, 0) AS s_text,
         coalesce(v.s_vec, 0)  AS s_vec
  FROM txt t FULL OUTER JOIN vec v ON t.id = v.id
),
ranked AS (
  SELECT j.id, ($alpha) * j.s_vec + (1-$alpha) * j.s_text AS S FROM joined j
)
SELECT c.id,
       (r.S) *
       (0.6 + 0.4 * 1/(1+exp(-c.utility))) *
       (0.5 + 0.5 * c.confidence) *
       (0.3 + 0.7 * recency_decay(c.created_at, 30, $now)) AS score_final
FROM ranked r
JOIN claims c ON c.id=r.id
ORDER BY score_final DESC
LIMIT $k_final;
"""
"""The template of the source to the letter, but for parameters being `$name` and the time being one of them.

For comparison only. It knows no classes, cuts its pools in no order, takes wildcards in a question for wildcards, and
utility for its z-score; `statement` mends all of that.
"""


def statement(
    text: str = "substring",
    vectors: str = "scan",
    join: str = "outer",
    *,
    dimensions: int = 1,
    looked_at: int = 96,
) -> str:
    """Return the statement.

    Args:
        text: "substring", or "fts" where the claims have an index of words.
        vectors: "scan" of all vectors, or "hnsw" where they have an approximate index.
        join: "outer" or "union": both give the same.
        dimensions: the width of the vectors, which "hnsw" has to be told.
        looked_at: how many neighbours "hnsw" is asked for.

    Raises:
        InvalidArgument: there is no such form.

    >>> "FULL OUTER JOIN" in statement(), "UNION" in statement(join="union")
    (True, True)

    """
    for what, given, known in (("text", text, TEXTS), ("vectors", vectors, VECTORS), ("join", join, JOINS)):
        if given not in known:
            raise InvalidArgument(f"{what}: {given!r} is no form of it; use one of {', '.join(known)}")
    parts = (
        _INSIDE,
        _SUBSTRING if text == "substring" else _FTS,
        _SCAN if vectors == "scan" else _HNSW.format(dimensions=int(dimensions), looked_at=int(looked_at)),
        _OUTER if join == "outer" else _UNION,
        _SCORED,
    )
    return "WITH " + "\n".join(parts)
