"""An API key that is shown nowhere: not by repr, str, formatting, pickling or copying into logs by accident."""

from __future__ import annotations

from typing import NoReturn

from ...errors import InvalidArgument


class Secret:
    """A key; `reveal` is the only way to it.

    Raises:
        InvalidArgument: it holds what no header can carry; the message does not show it.

    >>> Secret("sk-123"), f"{Secret('sk-123')}"
    (Secret(***), 'Secret(***)')

    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"api_key must be str, not {type(value).__name__}")
        if not value or not all("!" <= character <= "~" for character in value):
            raise InvalidArgument("api_key: is empty, or holds white space or characters outside ASCII; check its copy")
        self._value = value

    def reveal(self) -> str:
        """Return the key itself, to be sent and not to be kept."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled or copied; open what uses it anew")
