"""Filters: the same question asked of some records only, by their fields and by metadata of one's own."""

from datetime import UTC, datetime

import byheart
from byheart import field

MAY = datetime(2026, 5, 1, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)

TICKETS = [
    {"id": "T1", "text": "The login page is slow.", "user_id": "ann", "metadata": {"team": "web", "votes": 3}},
    {"id": "T2", "text": "The login fails for guests.", "user_id": "bob", "metadata": {"team": "web", "votes": 40}},
    {"id": "T3", "text": "Slow login since May.", "user_id": "ann", "metadata": {"team": "app", "labels": ["p1"]}},
]


def main() -> None:
    """Remember some tickets, and ask for some of them."""
    memory = byheart.Memory()
    for day, ticket in enumerate(TICKETS, 1):
        memory.remember({**ticket, "created_at": MAY.replace(day=day)})

    def ids(
        where: byheart.Filter | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> list[str]:
        return sorted(hit.id for hit in memory.recall("login is slow", where=where, since=since, until=until))

    web = byheart.Filter.parse({"metadata.team": "web"})
    popular = field("metadata.votes") >= 10
    urgent = field("metadata.labels") == "p1"
    print("all:", ids())
    print("of the web team:", ids(web))
    print("popular or urgent:", ids(popular | urgent))
    print("not of ann:", ids(~(field("user_id") == "ann")))
    print("made in May, from the 2nd on:", ids(since=MAY.replace(day=2), until=JUNE))
    assert ids(web) == ["T1", "T2"] and ids(popular | urgent) == ["T2", "T3"]
    assert ids(~(field("user_id") == "ann")) == ["T2"]
    assert ids(since=MAY.replace(day=2), until=JUNE) == ["T2", "T3"]

    # The JSON form travels: it stands in the receipt, and makes the same filter again.
    receipt = memory.recall("login is slow", where=web & popular).to_dict()["receipt"]
    print("in the receipt:", receipt["filter"])
    assert byheart.Filter.parse(receipt["filter"]) == web & popular


if __name__ == "__main__":
    main()
