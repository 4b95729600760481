"""The stages of agreement over one search, in one pass: the table that they make one after the other, to the last bit.

Most recalls ask one search, and then each stage does little: one list of scores is divided, weighted, and cut. Seven
tables for that cost more than the search. Where anything is out of the ordinary, there is no pass, and the stages run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import gt, le

from ..boundary import SEPARATOR
from . import pruning
from .agreement import (
    RECORDS_FOR_A_FLOOR,
    AgreementFusion,
    DropDuplicates,
    DropUnlike,
    GapPruning,
    Normalise,
    ScoreFloor,
)
from .algebra import Stage
from .candidates import Applied, Candidates, Dropped

_CHAIN = (DropUnlike, Normalise, AgreementFusion, ScoreFloor, DropDuplicates, GapPruning)

Hashes = Callable[[Sequence[str]], Sequence[bytes | None]]


def one_pass(
    stages: Sequence[Stage],
    name: str,
    hits: Sequence[tuple[str, float]],
    *,
    tops: Mapping[str, float],
    inside: int,
    hashes: Hashes,
    k: int,
    notes: tuple[str, ...] = (),
) -> tuple[Candidates, bool] | None:
    """Return the table of a search after the stages and the cut at `k`, and whether more rows could not change it.

    Args:
        stages: of the profile.
        name: of the retriever.
        hits: what it proposes, best first.
        tops: the best raw score by retriever (`StageContext.tops`).
        inside: how many records lie inside the boundary.
        hashes: gives the content hashes of rows, None for one that is not there.
        k: the cut.
        notes: those of the table at the beginning.

    Returns:
        None where the stages have to run: these are others, or a row needs more than a pass looks at.

    """
    if tuple(map(type, stages)) != _CHAIN or name not in ("lexical", "dense") or not hits:
        return None
    _, _, fusion, floor, _, gap = stages
    assert isinstance(fusion, AgreementFusion) and isinstance(floor, ScoreFloor) and isinstance(gap, GapPruning)
    keys, raw = zip(*hits, strict=True)
    weight = fusion.weights.get(name)
    if weight is None or SEPARATOR in "".join(keys) or (name == "dense" and not raw[-1] > 0.0):
        return None
    scaled, detail = _scaled(name, raw, tops)
    summands = tuple([weight * score for score in scaled])
    scores = tuple([0.0 + summand for summand in summands])
    if not math.isfinite(scores[0]) or not _in_order(scores, keys):
        return None
    rows, dropped, cuts = list(range(len(keys))), list[Dropped](), False
    if not floor.literal and inside < RECORDS_FOR_A_FLOOR:
        few = f"{inside} records inside the boundary, fewer than {RECORDS_FOR_A_FLOOR}"
        notes = (*notes, f"minimum score {floor.at_least:g} waived: {few}")
    elif scores[-1] < floor.at_least:
        least = floor.at_least
        first_out = next(row for row in rows if scores[row] < least)
        dropped += [Dropped(keys[row], f"below minimum ({scores[row]:.4f} < {least:g})") for row in rows[first_out:]]
        rows, cuts = rows[:first_out], True
    contents = hashes(keys[: len(rows)])
    if None in contents:
        return None
    if len(set(contents)) < len(contents):
        rows = _without_repeated(rows, keys, contents, dropped)
    if rows and scores[rows[-1]] < scores[rows[0]] * gap.gap:
        left = pruning.kept([scores[row] for row in rows], gap.gap)
        limit = scores[rows[0]] * gap.gap
        dropped += [Dropped(keys[row], f"gap ({scores[row]:.4f} < {limit:.4f})") for row in rows[left:]]
        rows, cuts = rows[:left], True
    certain = cuts or (len(rows) >= k and scores[rows[k - 1]] > scores[rows[-1]])
    beyond = f"beyond k ({k})"
    dropped += [Dropped(keys[row], beyond) for row in rows[k:]]
    rows = rows[:k]
    columns = {name: raw, f"{name}_normalised": scaled, "score": scores, f"{name}_weighted": summands}
    if rows and rows[-1] == len(rows) - 1:  # the first rows
        keys, columns = keys[: len(rows)], {each: values[: len(rows)] for each, values in columns.items()}
    else:
        keys = tuple([keys[row] for row in rows])
        columns = {each: tuple([values[row] for row in rows]) for each, values in columns.items()}
    applied = Applied(f"{name}_weighted", "add", False, name, f"weight {weight:g} x {detail}")
    return Candidates(keys, columns, tuple(dropped), notes, (applied,)), certain


def _scaled(name: str, raw: Sequence[float], tops: Mapping[str, float]) -> tuple[tuple[float, ...], str]:
    """Return raw scores on the common scale, and how they came there, as `Normalise` and `AgreementFusion` say it."""
    if name == "dense":
        return tuple([score if score < 1.0 else 1.0 for score in raw]), "cosine, clamped to [0, 1]"
    best = tops.get(name)
    if best is None:
        best = max(raw)
    divisor = best if best > 1.0 else 1.0
    return tuple([score / divisor for score in raw]), f"raw / max(best raw {tops.get(name, 0.0):.6f}, 1)"


def _in_order(scores: Sequence[float], keys: Sequence[str]) -> bool:
    """Return whether rows stand by score descending, then by key."""
    if all(map(gt, scores, scores[1:])):
        return True
    order = list(zip([-score for score in scores], keys, strict=True))
    return all(map(le, order, order[1:]))


def _without_repeated(
    rows: list[int], keys: Sequence[str], contents: Sequence[bytes | None], dropped: list[Dropped]
) -> list[int]:
    """Return the first row of each content; the others are dropped."""
    first: dict[bytes | None, int] = {}
    left = []
    for row, content in zip(rows, contents, strict=True):
        if first.setdefault(content, row) == row:
            left.append(row)
        else:
            dropped.append(Dropped(keys[row], f"duplicate of {keys[first[content]]}"))
    return left
