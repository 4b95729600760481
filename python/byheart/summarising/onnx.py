"""Summaries by a sequence-to-sequence model in a local folder: T5 and its kin, with onnxruntime on the processor.

Greedy decoding, so the same turns give the same summary; on one machine the same
bytes, since the runtime's sums differ between processors in the last bits. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..embedding.session import open_tokenizer
from ..embedding.windows import Windows
from ..errors import InvalidArgument, ModelError, SummaryError
from ..validation import check_at_least_one, check_text
from .confidence import confidence_of
from .graphs import SequenceModel
from .greedy import greedy
from .model_folder import find_files, read_decoding
from .protocol import Summary, Turn, check_summariser_name, check_turns


class OnnxSummariser:
    """Turns to a summary with the model in a folder; a `Summariser`.

    The model reads the prefix and the trimmed turns, a line each, blank ones left out. What it writes is cut at
    `max_new_tokens`. The confidence is the geometric mean of its tokens' probabilities (`confidence_of`): how sure the
    model was, not whether it is right; `preservation` measures that.

    Args:
        folder: holds `encoder_model.onnx` and `decoder_model.onnx` as Hugging Face Optimum exports them, or
            `encoder.onnx` and `decoder.onnx`; beside them `tokenizer.json` and, but for T5, `config.json` or
            `generation_config.json`. `decoder_with_past_model.onnx` or `decoder_model_merged.onnx` make it faster.
        max_new_tokens: the most tokens of a summary, at least 1.
        prefix: what stands before the turns; "summarize: " is what T5 was trained on.
        name: what summaries have as `method`.
        tokens_limit: the most tokens that the model gets to read, prefix and special ones included. The turns' end is
            left out where they have more, and the summary says `truncated`.
        threads: threads that the model may use.

    Raises:
        InvalidArgument: a setting is outside its range, or beyond the places that the model has for tokens.
        MissingExtra: onnxruntime or tokenizers is not installed.
        ModelError: a file is missing or damaged, or the graphs are none of a sequence-to-sequence model.

    >>> import json, tempfile, numpy as np
    >>> from byheart.embedding.onnx_file import Graph
    >>> def lookup(rows, output):
    ...     graph, (length, width) = Graph("lookup"), np.shape(rows)
    ...     graph.input("input_ids", "int64", ("batch", "sequence"))
    ...     table = graph.constant("table", np.array(rows, np.float32))
    ...     graph.output(graph.node("Gather", table, "input_ids", name=output), "float32", ("batch", "sequence", width))
    ...     return graph.to_bytes()
    >>> words = {"type": "WordLevel", "vocab": {"<pad>": 0, "</s>": 1, "a": 2, "cup": 3}, "unk_token": "a"}
    >>> tokenizer = json.dumps({"model": words, "pre_tokenizer": {"type": "Whitespace"}})
    >>> after = [[0, 0, 9, 0], [0, 0, 0, 0], [0, 0, 0, 9], [0, 9, 0, 0]]  # "<pad>", then "a", "cup", "</s>"
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     _ = (folder / "encoder_model.onnx").write_bytes(lookup(np.eye(4), "last_hidden_state"))
    ...     _ = (folder / "decoder_model.onnx").write_bytes(lookup(after, "logits"))
    ...     _ = (folder / "tokenizer.json").write_text(tokenizer)
    ...     summary = OnnxSummariser(folder).summarise([Turn("t1", "tea, please")])
    >>> summary.text, round(summary.confidence, 4), summary.truncated
    ('a cup', 0.9996, False)

    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        max_new_tokens: int = 64,
        prefix: str = "summarize: ",
        name: str = "onnx-t5",
        tokens_limit: int = 512,
        threads: int = 1,
    ) -> None:
        self._name = check_summariser_name(name)
        self._most = check_at_least_one("max_new_tokens", max_new_tokens)
        check_at_least_one("tokens_limit", tokens_limit)
        check_at_least_one("threads", threads)
        check_prefix(prefix)
        files = find_files(Path(folder))
        self._tokenizer = open_tokenizer(files.tokenizer)
        self._decoding = read_decoding(Path(folder), self._tokenizer)
        self._check_places(tokens_limit)
        try:
            # A window as long as its stride is the beginning of the text: the first is read, more mean truncated.
            self._windows = Windows(self._tokenizer, tokens_limit, tokens_limit, prefix)
        except InvalidArgument as error:
            raise InvalidArgument(f"tokens_limit: is too small ({error})") from None
        self._model = SequenceModel(files, threads)
        self._try()

    @property
    def name(self) -> str:
        """Return what its summaries have as `method`."""
        return self._name

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return the summary that the model writes; all turns are its sources.

        Raises:
            SummaryError: the turns hold no text, or the model wrote none.
            InvalidArgument, TypeError, LimitExceeded: the turns are refused.
            ModelError: the model failed, or gave NaN.

        """
        asked = check_turns(turns)
        lines = [turn.text.strip() for turn in asked]
        windows = self._windows.of("\n".join(line for line in lines if line))
        if not windows:
            raise SummaryError(f"{self._name}: the turns hold no text that the model can read; nothing was written")
        reading = self._model.read(windows[0].ids)
        tokens, logprobs = greedy(reading.logits_after, self._decoding.start, self._decoding.ends, self._most)
        text = self._text(tokens)
        return Summary(
            text, confidence_of(logprobs), self._name, tuple(turn.id for turn in asked), truncated=len(windows) > 1
        )

    def _text(self, tokens: Sequence[int]) -> str:
        try:
            return str(self._tokenizer.decode(tokens, skip_special_tokens=True)).strip()
        except Exception as error:  # the package raises Exception itself
            raise ModelError(f"tokenizer.json: cannot put {len(tokens)} tokens into words ({error})") from error

    def _check_places(self, tokens_limit: int) -> None:
        """Refuse more tokens than a model with numbered places has."""
        places, before = self._decoding.positions, len(self._decoding.start)
        if places is not None and tokens_limit > places:
            raise InvalidArgument(f"tokens_limit: is {tokens_limit}, but the model takes {places} at once")
        if places is not None and self._most + before > places:
            raise InvalidArgument(f"max_new_tokens: is {self._most}, but the model has places for {places - before}")

    def _try(self) -> None:
        """Run both graphs once, so that a model that cannot work is refused here and not at the first summary."""
        for text in ("a", "1", "."):
            windows = self._windows.of(text)
            if windows:
                greedy(self._model.read(windows[0].ids).logits_after, self._decoding.start, self._decoding.ends, 2)
                return
        raise ModelError("tokenizer.json: has no token for 'a', '1' or '.'; it is another model's")


def check_prefix(prefix: str) -> None:
    """Refuse a prefix that is no text."""
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be str, not {type(prefix).__name__}")
    check_text("prefix", prefix)
