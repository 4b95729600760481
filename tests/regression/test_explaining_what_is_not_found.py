"""What cannot be found is explained too: an archived record, an ended one, one that nothing proposes."""

import pytest

from byheart import Memory, profiles
from byheart.embedding import HashingEmbedder

NOW = 2_000_000.0


@pytest.mark.parametrize("profile", profiles.NAMES)
def test_what_cannot_be_found_is_explained_too(profile: str) -> None:
    for embedder in (None, HashingEmbedder()):
        memory = Memory(embedder=embedder)
        memory.remember_many(
            [
                {"id": "k", "text": "the kettle is descaled every spring", "created_at": NOW},
                {"id": "old", "text": "the kettle is old", "archived_by": "k", "created_at": NOW},
                {"id": "over", "text": "the kettle is cold", "expires_at": NOW - 1, "created_at": NOW - 2},
                {"id": "far", "text": "a boat at sea", "created_at": NOW},
            ]
        )
        told = {id: str(memory.explain("kettle", id, profile=profile, now=NOW)) for id in ("old", "over", "far")}
        assert "archived" in told["old"] and "expired" in told["over"]
        assert "expired" not in told["far"] and "archived" not in told["far"]
        told["k"] = str(memory.explain("kettle", "k", profile=profile, now=NOW, exclude=["k"]))
        assert "excluded" in told["k"]
