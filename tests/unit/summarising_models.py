"""Small models of the summariser that writes, and turns that it is given."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from byheart.summarising import OnnxSummariser, Turn

from ..models import tiny

Make = Callable[..., OnnxSummariser]
TURNS = [Turn("a", " The kettle "), Turn("b", "\n"), Turn("c", "is hot .")]
WIDTH = len(tiny.VOCABULARY)

MODELS = {
    "without memory": tiny.summariser,
    "with memory": tiny.summariser_with_memory,
    "merged": tiny.merged_summariser,
}


def opener(folder: Path) -> Make:
    """Return what writes a model into a folder and opens it; `config` goes into config.json."""

    def opened(
        files: Mapping[str, bytes] | None = None, config: Mapping[str, Any] | None = None, **settings: Any
    ) -> OnnxSummariser:
        made = tiny.write_summariser(folder, files or tiny.summariser(), **(config or {}))
        return OnnxSummariser(made, **{"prefix": "", **settings})

    return opened
