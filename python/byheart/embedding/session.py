"""A model folder, opened: an ONNX graph that was tried once, its tokenizer, and what its files hash to.

onnxruntime and tokenizers are imported here, when a folder is opened, and nowhere else. Nothing is downloaded; the
session runs on the processor with as many threads as were asked for, telemetry off, and logs nothing: errors are
raised.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .extras import import_extra
from .profiles import Pooling
from .windows import Ids

INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
TOKEN_VECTORS: Final = ("last_hidden_state", "token_embeddings")
READY_VECTORS: Final = ("sentence_embedding", "text_embeds", "embeddings")
# What a graph may give: the rank of an output and its usual names, the better ones first; a rank that is not 3 is a
# vector a row, ready. A cross-encoder's is a vector of one logit.
Outputs: TypeAlias = Sequence[tuple[int, Sequence[str]]]
VECTORS: Final[Outputs] = ((3, TOKEN_VECTORS), (2, READY_VECTORS))
LOGITS: Final[Outputs] = ((2, ("logits",)),)
WHOLE_NUMBERS: Final = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_FATAL_ONLY: Final = 4


class Session:
    """A graph that makes vectors of token ids.

    Args:
        file: the ONNX file; weights that it keeps in files beside it are found there.
        threads: threads that one operator may use.
        padding: the id that fills up the shorter rows of a batch; masked, so any id that exists will do.
        outputs: what is wanted of the graph: `VECTORS` or `LOGITS`.

    Raises:
        MissingExtra: onnxruntime is not installed.
        ModelError: the file is damaged, asks for inputs that no text has, or gives no vectors.

    """

    def __init__(self, file: Path, *, threads: int, padding: int = 0, outputs: Outputs = VECTORS) -> None:
        self._file, self._padding = file, padding
        self._session = open_graph(file, threads)
        self._inputs = self._checked_inputs()
        self._output, self.ready = self._chosen_output(outputs)
        self._width: int | None = None  # known from the first run on
        # A graph that finds its scales while it runs finds them over the whole batch (operator names stand in the file
        # as they are), and one without a mask sees padding: a text's vector would depend on its neighbours.
        self.alone = "attention_mask" not in self._inputs or _contains(file, b"DynamicQuantize")

    def vectors(
        self, rows: Sequence[Ids], pooling: Pooling, segments: Sequence[Ids] | None = None
    ) -> list[NDArray[np.float64]]:
        """Run one batch and return a vector for each row of ids, in order.

        Token vectors are pooled over a row's own tokens in float64, padding left out; a ready vector is taken as it is.
        `segments` says of each token of each row which text of a pair it is of; 0 by default.

        Raises:
            ModelError: the graph failed, or gave something of another shape.

        """
        lengths = [len(row) for row in rows]
        given = self._run(self._feeds(rows, lengths, segments))
        wanted = (len(rows), *(() if self.ready else (max(lengths),)), self._width or given.shape[-1])
        if given.shape != wanted or given.dtype.kind != "f":
            raise ModelError(
                f"{self._file}: the output {self._output!r} is of {given.dtype}, shape {given.shape}, for"
                f" {len(rows)} rows of {max(lengths)} tokens; these are no vectors of texts"
            )
        self._width = given.shape[-1]
        if self.ready:
            return list(given.astype(np.float64))
        if pooling == "cls":
            return list(given[:, 0].astype(np.float64))
        return [
            np.add.reduce(given[row, :length], axis=0, dtype=np.float64) / length for row, length in enumerate(lengths)
        ]

    def _run(self, feeds: dict[str, NDArray[Any]]) -> NDArray[Any]:
        try:
            (given,) = self._session.run([self._output], feeds)
            return np.atleast_1d(given)
        except Exception as error:
            rows, length = feeds["input_ids"].shape
            raise ModelError(
                f"{self._file}: the graph failed on {rows} rows of {length} tokens ({first_line(error)}); if it cannot"
                " take as many, give a smaller max_tokens; if its tokenizer.json is another model's, get the right one"
            ) from error

    def _feeds(
        self, rows: Sequence[Ids], lengths: Sequence[int], segments: Sequence[Ids] | None
    ) -> dict[str, NDArray[Any]]:
        """Return the inputs that the graph asks for, padded on the right to the longest row."""
        ids = np.full((len(rows), max(lengths)), self._padding, np.int64)
        for row, (tokens, length) in enumerate(zip(rows, lengths, strict=True)):
            ids[row, :length] = tokens
        types = np.zeros_like(ids)
        for row, its in enumerate(segments or ()):
            types[row, : len(its)] = its
        columns = np.arange(max(lengths), dtype=np.int64)
        known = {
            "input_ids": ids,
            "attention_mask": columns < np.array(lengths)[:, None],
            "token_type_ids": types,
            "position_ids": np.broadcast_to(columns, ids.shape),
        }
        return {name: np.ascontiguousarray(known[name], dtype) for name, dtype in self._inputs.items()}

    def _checked_inputs(self) -> dict[str, Any]:
        """Return the graph's inputs with their types; all must be known."""
        inputs = {each.name: WHOLE_NUMBERS.get(each.type) for each in self._session.get_inputs()}
        unknown = [name for name, dtype in inputs.items() if name not in INPUTS or dtype is None]
        if unknown or "input_ids" not in inputs:
            raise ModelError(
                f"{self._file}: its inputs are {', '.join(inputs) or 'none'}; a text gives {', '.join(INPUTS)} as whole"
                f" numbers{': unknown is ' + ', '.join(unknown) if unknown else ', input_ids at least'}"
            )
        return inputs

    def _chosen_output(self, wanted: Outputs) -> tuple[str, bool]:
        """Return the output to take, and whether it is a vector a row already."""
        outputs = {each.name: len(each.shape) for each in self._session.get_outputs()}
        for rank, names in wanted:
            of_rank = [name for name, its in outputs.items() if its == rank]
            named = [name for name in names if name in of_rank]
            if named or len(of_rank) == 1:
                return (named or of_rank)[0], rank != 3
        known = " or ".join(f"one of {', '.join(names)} (rank {rank})" for rank, names in wanted)
        raise ModelError(f"{self._file}: its outputs are {', '.join(outputs)}; wanted is {known}")


def open_graph(file: Path, threads: int) -> Any:
    """Return the `onnxruntime.InferenceSession` of a file, on the processor.

    Raises:
        MissingExtra: onnxruntime is not installed.
        ModelError: the file is missing or damaged.

    """
    # From 1.31 on it reports to its maker as soon as it is imported, and the call below comes too late for that.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    runtime = import_extra("onnxruntime", "onnx")
    runtime.disable_telemetry_events()
    try:
        return runtime.InferenceSession(str(file), _options(runtime, threads), providers=["CPUExecutionProvider"])
    except Exception as error:  # its classes are many, and no two releases agree on them
        raise ModelError(f"{file}: onnxruntime cannot open it ({first_line(error)}); get the file anew") from error


def open_tokenizer(file: Path) -> Any:
    """Return the `tokenizers.Tokenizer` of a file, told neither to truncate nor to pad.

    Raises:
        MissingExtra: tokenizers is not installed.
        ModelError: the file is missing or damaged.

    """
    tokenizers = import_extra("tokenizers", "onnx")
    if not file.is_file():
        raise ModelError(f"{file}: is missing; it lies beside the model where that is published")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the package raises Exception itself
        raise ModelError(f"{file}: is no tokenizer ({first_line(error)}); get the file anew") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def find_model(folder: Path) -> Path:
    """Return the ONNX file of a folder: model.onnx, or the only one there is.

    Raises:
        ModelError: there is no folder, no ONNX file, or several without a model.onnx.

    """
    if not folder.is_dir():
        raise ModelError(f"{folder}: is no folder; `byheart models assemble` makes one")
    found = sorted(folder.glob("*.onnx"))
    if folder / "model.onnx" in found:
        return folder / "model.onnx"
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "no .onnx file at all"
        raise ModelError(f"{folder}: holds {names}; one must be there, or be called model.onnx")
    return found[0]


def digest(model: Path, tokenizer: Path) -> str:
    """Return the SHA-256 of a model's files, its name aside: the graph, weights kept beside it, the tokenizer."""
    names = (f"{model.name}.", f"{model.name}_")
    beside = sorted(path for path in model.parent.iterdir() if path.name.startswith(names) and path.is_file())
    whole = hashlib.sha256()
    for path in (model, *beside, tokenizer):
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _options(runtime: Any, threads: int) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = _FATAL_ONLY
    # Threads that have nothing to do sleep: the process belongs to somebody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def _contains(path: Path, wanted: bytes) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(wanted) >= 0


def first_line(error: Exception) -> str:
    """Return the first line of what an error says, 200 characters of it: the runtime's go on for pages."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
