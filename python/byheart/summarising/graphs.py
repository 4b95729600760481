"""The graphs of a sequence-to-sequence model, opened: a source goes in once, then logits come token by token.

A decoder without memory reads all earlier tokens again for each one. One with memory is given the keys and values of
the earlier tokens, and reads the last alone; those of the source are the first run's for good, since later runs give
them empty, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..embedding.session import WHOLE_NUMBERS, first_line, open_graph
from ..errors import ModelError
from .greedy import Logits
from .model_folder import ModelFiles

Values = Mapping[str, NDArray[Any]]
_PAST, _PRESENT, _OF_SOURCE, _BRANCH = "past_key_values.", "present.", ".encoder.", "use_cache_branch"
_REAL: Final = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}
_TYPES: Final[Mapping[str, Any]] = {**WHOLE_NUMBERS, **_REAL, "tensor(bool)": np.bool_}


class GraphFile:
    """One graph: what it takes, what it gives, and a run that fails with its name.

    Args:
        file: the ONNX file.
        threads: threads that one operator may use.
        known: what can be given to it besides keys and values.
        wanted: the output that it must have.

    Raises:
        MissingExtra: onnxruntime is not installed.
        ModelError: the file is damaged, asks for something else, or does not give what is wanted.

    """

    def __init__(self, file: Path, threads: int, known: Sequence[str], wanted: str) -> None:
        self.file = file
        self._session = open_graph(file, threads)
        self._inputs = {each.name: (_TYPES.get(each.type), each.shape) for each in self._session.get_inputs()}
        outputs = [each.name for each in self._session.get_outputs()]
        self.past = [name for name in self._inputs if name.startswith(_PAST)]
        self.merged = _BRANCH in self._inputs
        unknown = [
            name for name, (dtype, _) in self._inputs.items() if dtype is None or name not in (*known, *self.past)
        ]
        if unknown or "input_ids" not in self._inputs or wanted not in outputs:
            raise ModelError(
                f"{file}: takes {', '.join(self._inputs) or 'nothing'} and gives {', '.join(outputs)}; it must take"
                f" input_ids, and no more than {', '.join(known)}, and give {wanted}"
            )
        self.outputs = frozenset(outputs)

    def run(self, given: Values, wanted: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Return the wanted outputs by name, for the inputs that the graph asks for out of those given."""
        feeds = {name: np.ascontiguousarray(given[name], dtype) for name, (dtype, _) in self._inputs.items()}
        try:
            return dict(zip(wanted, self._session.run(list(wanted), feeds), strict=True))
        except Exception as error:  # the runtime's classes are many
            raise ModelError(
                f"{self.file}: the graph failed on {given['input_ids'].shape[1]} tokens ({first_line(error)}); if it"
                " cannot take as many, give a smaller tokens_limit or max_new_tokens; if its tokenizer.json is another"
                " model's, get the right one"
            ) from error

    def no_past(self) -> dict[str, NDArray[Any]]:
        """Return keys and values of no token, which a merged graph asks for even where it does not look at them."""
        shapes = {name: self._inputs[name][1] for name in self.past}
        return {
            name: np.zeros([size if isinstance(size, int) else int(axis == 0) for axis, size in enumerate(shape)])
            for name, shape in shapes.items()
        }


class SequenceModel:
    """An encoder and its decoder; holds nothing of a text, so threads may share it.

    Raises:
        MissingExtra: onnxruntime is not installed.
        ModelError: a file is damaged, or the graphs do not fit together.

    """

    def __init__(self, files: ModelFiles, threads: int) -> None:
        self.encoder = GraphFile(files.encoder, threads, ("input_ids", "attention_mask"), "last_hidden_state")
        known = ("input_ids", "encoder_hidden_states", "encoder_attention_mask", _BRANCH)
        self.decoder = GraphFile(files.decoder, threads, known, "logits")
        self.later = self.decoder if self.decoder.merged else None
        if files.later is not None:
            self.later = GraphFile(files.later, threads, known, "logits")
        if self.decoder.past and not self.decoder.merged:
            raise ModelError(f"{files.decoder}: takes keys and values from the first token on; that is not built")
        if self.later is not None:
            _check_memory(self.decoder, self.later.past)
            _check_memory(self.later, [name for name in self.later.past if _OF_SOURCE not in name])

    def read(self, ids: NDArray[np.int64]) -> Reading:
        """Return a source that was read, shape (n,), from which a text can be made."""
        mask = np.ones((1, len(ids)), np.int64)
        (hidden,) = self.encoder.run(
            {"input_ids": ids[np.newaxis], "attention_mask": mask}, ["last_hidden_state"]
        ).values()
        if hidden.ndim != 3 or hidden.shape[:2] != mask.shape:
            raise ModelError(f"{self.encoder.file}: gave shape {hidden.shape} for 1 text of {len(ids)} tokens")
        return Reading(self, {"encoder_hidden_states": hidden, "encoder_attention_mask": mask})


class Reading:
    """A source that was read, and the memory of the tokens so far; for one text, in one thread."""

    def __init__(self, model: SequenceModel, source: Values) -> None:
        self._model, self._source = model, source
        self._past: dict[str, NDArray[Any]] = {}

    def logits_after(self, tokens: Sequence[int]) -> Logits:
        """Return the logits of the next token, shape (vocabulary,), in float64; see `greedy`.

        Raises:
            ModelError: the graph failed, or gave something of another shape, NaN, or no likeliest token.

        """
        graph, ids, past = self._model.decoder, list(tokens), self._past
        if self._model.later is not None and past:
            graph, ids = self._model.later, ids[-1:]
        elif graph.merged:
            past = graph.no_past()
        known = {"input_ids": np.array([ids], np.int64), _BRANCH: np.array([bool(self._past)]), **self._source, **past}
        kept = self._kept()
        outputs = graph.run(known, ["logits", *(_present(name) for name in kept)])
        for name in kept:
            self._past[name] = outputs[_present(name)]
        return _checked(graph.file, outputs["logits"], len(ids))

    def _kept(self) -> list[str]:
        """Return what the next run will be given of this one."""
        names = self._model.later.past if self._model.later else []
        return [name for name in names if name not in self._past or _OF_SOURCE not in name]


def _check_memory(graph: GraphFile, past: Sequence[str]) -> None:
    """Refuse a graph that does not give what the next run takes."""
    missing = [_present(name) for name in past if _present(name) not in graph.outputs]
    if missing:
        raise ModelError(f"{graph.file}: does not give {', '.join(missing)}; export the model anew")


def _present(past: str) -> str:
    """Return the output that becomes this input of the next run."""
    return _PRESENT + past.removeprefix(_PAST)


def _checked(file: Path, logits: NDArray[Any], tokens: int) -> Logits:
    """Return the last row of the logits, of which one must be the largest; -inf says that a token is impossible."""
    if logits.ndim != 3 or logits.shape[:2] != (1, tokens) or not logits.shape[2] or logits.dtype.kind != "f":
        raise ModelError(
            f"{file}: gave logits of {logits.dtype}, shape {logits.shape}, for 1 text of {tokens} tokens; these are no"
            " logits of tokens"
        )
    last: Logits = logits[0, -1].astype(np.float64)
    if not np.isfinite(last.max()):  # that of NaN and anything is NaN
        raise ModelError(f"{file}: gave NaN or infinity for logits; the model is damaged or the wrong one")
    return last
