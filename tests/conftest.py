"""What every test may ask for: the shared folder, and Hypothesis settings with a name."""

import functools
import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

ROOT = Path(__file__).resolve().parent.parent
ROOM = 2_000_000_000
"""So many bytes have to be free where the files of all tests lie in memory; a whole run leaves a tenth of it."""


def in_memory() -> str | None:
    """Return the folder whose files lie in memory, if there is one with room that lets programs run."""
    folder = Path("/dev/shm")
    if not folder.is_dir():
        return None
    found = os.statvfs(folder)
    return str(folder) if found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC else None


if "TMPDIR" not in os.environ and (folder := in_memory()):  # no disk has to turn for each write of a memory's file
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = None  # so that it is looked up anew

# No deadline: the machine may be busy. A failing example prints a blob that replays it (tests/README.md says how).
COMMON = {"deadline": None, "print_blob": True, "derandomize": False}
settings.register_profile("default", max_examples=50, **COMMON)
settings.register_profile("ci", max_examples=50, **COMMON | {"derandomize": True})
settings.register_profile("quick", max_examples=20, **COMMON)
settings.register_profile("first", max_examples=100, phases=[Phase.explicit, Phase.generate], **COMMON)
settings.register_profile("mutants", max_examples=20, phases=[Phase.explicit, Phase.generate], **COMMON)
settings.register_profile("long", max_examples=250, suppress_health_check=[HealthCheck.too_slow], **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in the background: tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Have no later collection of garbage look at some ten thousand tests and what they imported."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with published cases and judged collections; skip the test where it is not at hand."""
    folder = Path(os.environ.get("BYHEART_SHARED", ROOT.parent / "shared"))
    if not (folder / "vectors").is_dir():
        pytest.skip(f"needs the shared folder (BYHEART_SHARED or ../shared): {folder} has no vectors/")
    return folder


@pytest.fixture(scope="session", autouse=True)
def errors_speak() -> Iterator[None]:
    """Let whichever test meets an error of byheart fail if the error says nothing."""
    from byheart.errors import ByheartError

    def begun(self: ByheartError, *said: object, **named: object) -> None:
        assert said and isinstance(said[0], str) and said[0].strip(), f"{type(self).__name__} without a message: {said}"
        super(ByheartError, self).__init__(*said, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ByheartError, "__init__", begun)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_parser() -> Iterator[None]:
    """Have commands that run in this process read by one parser: to build it takes longer than most commands do."""
    from byheart.cli import parser

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parser, "build_parser", functools.cache(parser.build_parser))
        yield
