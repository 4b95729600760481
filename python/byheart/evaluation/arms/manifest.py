"""The manifest of a run: program, dataset, questions, parameters and machine.

Secrets of a configuration stay out: the value of a key that sounds like one is replaced, however deep it lies.
"""
# docs/sources.md: A3.6.7.

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ... import __version__
from .histories import Dataset

SCHEMA: Final = "byheart/run-manifest/v0.2"
SECRETS: Final = ("token", "secret", "password", "apikey", "api_key")
REDACTED: Final = "***REDACTED***"
_PROGRAMS: Final = ("numpy", "lancedb", "onnxruntime")


def manifest(
    dataset: Dataset,
    provider: str,
    config: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    run_id: str,
    created: str,
) -> dict[str, Any]:
    """Return the manifest of one arm.

    Args:
        dataset: what is asked.
        provider: what is asked for answers.
        config: its settings; secrets are taken out here.
        parameters: of the run: top_k, sample, and so on.
        run_id: names the run.
        created: the time in UTC, as ISO 8601 has it.

    """
    return {
        "schema": SCHEMA,
        "track": "retrieval",
        "run_id": run_id,
        "created_at_utc": created,
        "toolkit": {"name": "byheart", "version": __version__, "git_commit": commit()},
        "provider": {"name": provider, "config": redacted(config)},
        "dataset": {
            "name": dataset.name,
            "path": dataset.path,
            "sha256": dataset.sha256,
            "meta": redacted(dataset.meta),
            "left_out": dict(dataset.left_out),
            "first_session": dataset.first_session,
        },
        "parameters": dict(parameters),
        "runtime": {
            "python": platform.python_version(),
            "platform": platform.platform(),
            "packages": {name: _version(name) for name in _PROGRAMS},
        },
    }


def redacted(value: Any) -> Any:
    """Return a value without secrets.

    >>> redacted({"url": "http://x", "auth": [{"apiKey": "s", "Gateway-Token": "t"}]})
    {'url': 'http://x', 'auth': [{'apiKey': '***REDACTED***', 'Gateway-Token': '***REDACTED***'}]}
    """
    if isinstance(value, Mapping):
        return {name: REDACTED if _is_secret(name) else redacted(each) for name, each in value.items()}
    return [redacted(each) for each in value] if isinstance(value, (list, tuple)) else value


def commit(folder: Path | None = None) -> str | None:
    """Return the commit that the program was checked out at; None of one that was installed.

    A repository of somebody else that merely holds the environment is no answer: the folder has to be one of its files.
    """
    here = Path(__file__).resolve().parents[2] if folder is None else folder
    if _git(here, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    return _git(here, "rev-parse", "HEAD")


def _git(folder: Path, *arguments: str) -> str | None:
    """Return what git says; None where there is none, or it refuses."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def _is_secret(name: object) -> bool:
    return any(word in str(name).lower() for word in SECRETS)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
