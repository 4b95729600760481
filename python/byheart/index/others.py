"""The indexes of other people's retrievers over a tenant's records, which lie beside the core's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import CorruptIndex
from ..retrieval import protocol
from ..retrieval.protocol import Batch, Settings


class Others(dict[str, Any]):
    """Indexes of retrievers that are not ours, by name; a lazy one's is there once somebody has learnt it.

    Args:
        settings: what they are made with.

    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        for retriever in protocol.with_index():
            index = None if retriever.lazy else retriever.new_index(settings)
            if index is not None:
                self[retriever.name] = index

    def put(self, batch: Batch) -> None:
        """Index records, in place of those with the same ids in the same cells."""
        for name, index in list(self.items()):
            if len(batch.ids) == len(batch.records):
                protocol.get(name).put(index, batch, self._settings)
            else:  # an id of several cells: what it was known by has changed, so the index is learnt anew
                del self[name]

    def remove(self, rows: Sequence[str]) -> None:
        """Take records out, named by their rows; unknown ones are ignored."""
        for name, index in self.items():
            protocol.get(name).remove(index, rows)

    def sections(self) -> Iterator[tuple[str, bytes]]:
        """Give what `restore` makes the same indexes of; lazy ones are learnt anew when they are asked for."""
        for name, index in self.items():
            retriever = protocol.get(name)
            if not retriever.lazy:
                yield retriever.section or name, retriever.write(index)

    def restore(self, sections: Mapping[str, bytes]) -> None:
        """Become the indexes that gave these sections; whatever their retrievers raise is raised.

        Raises:
            CorruptIndex: one was made with other settings.
            KeyError: the section of one is missing.

        """
        for name in list(self):
            retriever = protocol.get(name)
            if not retriever.lazy:
                index = retriever.read(sections[retriever.section or name])
                if retriever.made_with(index) != retriever.made_with(self[name]):
                    raise CorruptIndex("index generation: a section is of other settings")
                self[name] = index
