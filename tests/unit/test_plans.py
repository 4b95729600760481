"""What a recall by each profile reads of records: the columns and words that the directory keeps of them."""

from __future__ import annotations

import pytest

from byheart import profiles
from byheart.recall.plan import plan_of

READ = {
    "kb-fast": ("", ""),
    "kb-balanced": ("", ""),
    "kb-thinkingdb": ("", ""),
    "dense": ("", ""),
    "router": ("", ""),
    "hybrid": ("updated_at created_at importance length", ""),
    "auto": (
        "created_at valid_from seen_at length opening mark",
        "speaker,asking,metadata.noise,session_id,kind,user_id",
    ),
    "scoped": ("updated_at created_at decay_rate", "source id,session_id,user_id,kind"),
    "discovery": ("updated_at created_at access_count authority", "invariant"),
    "activation": ("utility confidence quality created_at updated_at text_mark", "kind"),
}


@pytest.mark.parametrize("name", READ)
def test_a_profile_reads_what_the_directory_keeps(name: str) -> None:
    plan = plan_of(profiles.get(name))
    columns, words = READ[name]
    assert (" ".join(plan.columns), ",".join(plan.words)) == (columns, words)
    assert plan.told == (name == "auto") and not plan.reads_records
