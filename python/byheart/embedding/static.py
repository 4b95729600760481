"""Static embeddings: a row for each token, the mean of a text's rows, at unit length. A model of some megabytes.

No network of layers is run, so a text takes about as long as cutting it into tokens, and words do not see their
neighbours. Tables trained as Matryoshka representations (Kusupati et al. 2022) can be cut to their first components.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgument, ModelError
from .extras import import_extra, package_folder
from .fingerprint import Fingerprint, check_dimensions
from .protocol import Vectors, check_texts, unit_rows
from .token_table import TokenTable
from .weights import read_file, read_tensors

EXTRA: Final = "static"
WORDLLAMA_DIMENSIONS: Final = (64, 128, 256)
WORDLLAMA: Final = "wordllama-l2-supercat"
"""The family of the embedder of the package `wordllama`."""

_WORDLLAMA_TABLE: Final = "weights/l2_supercat_256.safetensors"
_WORDLLAMA_TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"

Tokenize = Callable[[str], Sequence[int]]


class StaticEmbedder:
    """An embedder of a token table: the mean of a text's rows, at unit length.

    A text of any length is taken whole; one without tokens has a zero row. Documents and queries are treated alike.
    Make one with `wordllama`, `model2vec` or `from_arrays`. May be used by many threads.
    """

    def __init__(self, table: TokenTable, tokenize: Tokenize, *, family: str, version: str) -> None:
        """Join a table and the function that gives a text's tokens; `version` is a digest of both."""
        self._table = table
        self._tokenize = tokenize
        self._fingerprint = Fingerprint(family, table.dimensions, True, "", "", version)

    @classmethod
    def wordllama(cls, dimensions: int = 256) -> StaticEmbedder:
        """Return the embedder of the table that the package `wordllama` carries (English, 32,000 tokens, MIT licence).

        Only the package's two files are read; its code is not run, and nothing is fetched. Texts are put into lower
        case first, as the table expects.

        Args:
            dimensions: 64, 128 or 256, the widths for which the table was trained.

        Raises:
            InvalidArgument: another width.
            MissingExtra: `wordllama` or `tokenizers` is not installed; `byheart[static]` brings both.
            ModelError: the package does not hold the files, or they are damaged.

        """
        check_dimensions(dimensions)
        if dimensions not in WORDLLAMA_DIMENSIONS:
            raise InvalidArgument(f"dimensions: is {dimensions}; the table was trained for {WORDLLAMA_DIMENSIONS}")
        folder = package_folder("wordllama", EXTRA)
        return cls._load(
            WORDLLAMA,
            folder / _WORDLLAMA_TABLE,
            folder / _WORDLLAMA_TOKENIZER,
            dimensions=dimensions,
            lower_case=True,
            keep_unknown=True,
        )

    @classmethod
    def model2vec(cls, folder: str | Path, dimensions: int | None = None) -> StaticEmbedder:
        """Return the embedder of a model2vec folder, or of a static model of sentence-transformers.

        It holds model.safetensors and tokenizer.json, at its top or in 0_StaticEmbedding. Tokens that the tokenizer
        does not know are left out, as model2vec does; unlike there, a text is not cut off at 512 tokens.

        Args:
            folder: the model's folder; the family is its name.
            dimensions: keep the first so many components; None keeps all.

        Raises:
            InvalidArgument: the table has fewer dimensions.
            MissingExtra: `tokenizers` is not installed; `byheart[static]` brings it.
            ModelError: a file is missing or damaged, or the two do not match.

        """
        top = Path(folder)
        nested = top / "0_StaticEmbedding"
        place = nested if nested.is_dir() else top
        return cls._load(
            top.resolve().name,
            place / "model.safetensors",
            place / "tokenizer.json",
            dimensions=dimensions,
            lower_case=False,
            keep_unknown=False,
        )

    @classmethod
    def from_arrays(
        cls,
        table: NDArray[Any],
        tokenize: Tokenize,
        *,
        dimensions: int | None = None,
        weights: NDArray[Any] | None = None,
        mapping: NDArray[Any] | None = None,
        family: str = "arrays",
        tokenizer: str = "",
    ) -> StaticEmbedder:
        """Return an embedder of a table and a tokenizer of your own.

        Args:
            table: shape (rows, d).
            tokenize: gives the token numbers of a text; the same ones for the same text.
            dimensions: keep the first so many components; None keeps all.
            weights: see `TokenTable`, as is `mapping`.
            mapping: see there.
            family: the model's name, for its fingerprint.
            tokenizer: what names the tokenizer in the fingerprint, such as a digest of its file.

        Raises:
            InvalidArgument: the table has fewer dimensions.
            ModelError: the shapes do not go together, or a number is not finite.

        >>> words = {"red": 0, "fox": 1}
        >>> table = np.array([[1.0, 0.0], [0.0, 1.0]])
        >>> embedder = StaticEmbedder.from_arrays(table, lambda text: [words[word] for word in text.split()])
        >>> embedder.embed_queries(["fox", "red fox", ""]).tolist()
        [[0.0, 1.0], [0.7071067690849304, 0.7071067690849304], [0.0, 0.0]]

        """
        parts = [tokenizer.encode()]
        for array in (table, weights, mapping):
            given = b"" if array is None else str(array.dtype).encode() + repr(array.shape).encode() + array.tobytes()
            parts.append(hashlib.sha256(given).digest())
        version = _digest(*parts)
        return cls(TokenTable(table, weights, mapping, dimensions), tokenize, family=family, version=version)

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""
        return self._table.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what made the vectors: family, width, and a digest of table and tokenizer."""
        return self._fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text, shape (n, dimensions), unit or zero."""
        given = check_texts(texts)
        means = np.zeros((len(given), self.dimensions))
        for mean, text in zip(means, given, strict=True):
            mean[:] = self._table.mean(self._tokenize(text))
        return unit_rows(means)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return what `embed_documents` returns: a query is no different."""
        return self.embed_documents(texts)

    @classmethod
    def _load(
        cls, family: str, table: Path, tokenizer: Path, *, dimensions: int | None, lower_case: bool, keep_unknown: bool
    ) -> StaticEmbedder:
        """Return the embedder of a table's file and a tokenizer's."""
        tensors = read_tensors(table)
        rows = tensors.arrays.get("embeddings", tensors.arrays.get("embedding.weight"))
        if rows is None:
            raise ModelError(f"{table}: holds no token table (embeddings, or embedding.weight)")
        tokenize, made_by = _tokenizer(tokenizer, lower_case, keep_unknown)
        try:
            tokens = TokenTable(rows, tensors.arrays.get("weights"), tensors.arrays.get("mapping"), dimensions)
        except ModelError as error:
            raise ModelError(f"{table}: {error}") from None
        settings = f"lower_case={lower_case} keep_unknown={keep_unknown}"
        version = _digest(tensors.digest.encode(), made_by, settings.encode())
        return cls(tokens, tokenize, family=family, version=version)


def _tokenizer(path: Path, lower_case: bool, keep_unknown: bool) -> tuple[Tokenize, bytes]:
    """Return the function that gives a text's tokens, and a digest of what decides them."""
    tokenizers = import_extra("tokenizers", EXTRA)
    data = read_file(path)
    try:
        description = json.loads(data)
        # Neither is wanted: a text is taken whole. So they are no part of the digest either.
        description["truncation"] = description["padding"] = None
        canonical = json.dumps(description, sort_keys=True)
        tokenizer = tokenizers.Tokenizer.from_str(canonical)
        model = description["model"]
        unknown = (
            model.get("unk_id")
            if model.get("type") == "Unigram"
            else tokenizer.token_to_id(model.get("unk_token") or "")
        )
    except Exception as error:  # tokenizers raises bare Exception
        raise ModelError(f"{path}: is no tokenizer that can be read ({error})") from None

    def tokenize(text: str) -> Sequence[int]:
        # One at a time: in batches the package starts threads, after which forking is not safe.
        found: list[int] = tokenizer.encode(text.lower() if lower_case else text, add_special_tokens=False).ids
        return found if keep_unknown else [token for token in found if token != unknown]

    return tokenize, hashlib.sha256(canonical.encode()).digest()


def _digest(*parts: bytes) -> str:
    """Return a digest of the parts and of where each ends: 32 hexadecimal digits."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "little") + part)
    return state.hexdigest()[:32]
