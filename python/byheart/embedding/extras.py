"""Optional packages, which only an extra brings: imported when they are used, and named when they are missing."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from ..errors import MissingExtra


def import_extra(module: str, extra: str) -> Any:
    """Return an optional module.

    Args:
        module: its name, such as "tokenizers".
        extra: the extra of byheart that installs it.

    Raises:
        MissingExtra: it is not installed; the message says what to install.

    >>> import_extra("math", "static").floor(2.5)
    2

    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(_advice(module, extra, str(error)), name=module) from error


def package_folder(package: str, extra: str) -> Path:
    """Return where a package lies, without running any of its code.

    Raises:
        MissingExtra: it is not installed; the message says what to install.

    >>> package_folder("json", "static").name
    'json'

    """
    specification = importlib.util.find_spec(package)
    folders = list(specification.submodule_search_locations or []) if specification else []
    if not folders:
        raise MissingExtra(_advice(package, extra, "no such package"), name=package)
    return Path(folders[0])


def _advice(module: str, extra: str, said: str) -> str:
    return f"{module}: cannot be imported ({said}); `pip install 'byheart[{extra}]'` brings it"
