"""Calls as code to copy: Python, curl, an HTTP request, or a shell command.

Options at their defaults are omitted. A value that is too long to read is replaced by the name of a file that would
hold it, so snippets are always valid and never long.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mediakit.core.messages import quote
from mediakit.core.snippets.http import DEFAULT_URL, KEY, curl, http
from mediakit.core.snippets.python import python
from mediakit.core.snippets.shell import shell
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput

__all__ = ["DEFAULT_URL", "KEY", "LANGUAGES", "curl", "http", "python", "shell", "write"]


LANGUAGES: Mapping[str, Callable[[Tool[..., Any], Mapping[str, Any]], str]] = {
    "python": python,
    "curl": curl,
    "http": http,
    "shell": shell,
}


def write(language: str, tool: Tool[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call in one of `LANGUAGES`.

    Raises:
        InvalidInput: The language is unknown.
    """
    if language not in LANGUAGES:
        raise InvalidInput(f"language: must be one of {', '.join(LANGUAGES)}, got {quote(language)}.")
    return LANGUAGES[language](tool, values)
