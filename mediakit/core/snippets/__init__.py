"""Calls as code to copy: Python, curl, JavaScript, an HTTP request, or a shell command.

Options at their defaults are omitted. Text is written in the snippet, so that what is copied runs; files are read by
their paths. Text that is too long to copy is read from a file, which a comment names.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mediakit.core.messages import choice_hint, quote
from mediakit.core.snippets.call import PLACEHOLDER_NAMES
from mediakit.core.snippets.http import DEFAULT_URL, KEY, curl, http, shell
from mediakit.core.snippets.programs import javascript, python, python_batch, python_client
from mediakit.core.spec import DescribedTool
from mediakit.errors import InvalidInput

__all__ = [
    "DEFAULT_URL",
    "KEY",
    "LANGUAGES",
    "curl",
    "example_values",
    "http",
    "javascript",
    "python",
    "python_batch",
    "python_client",
    "shell",
    "write",
]

MAX_EXAMPLE_LENGTH = 200
"""Characters of the longest HTML that examples in the documentation contain."""

LANGUAGES: Mapping[str, Callable[[DescribedTool, Mapping[str, Any]], str]] = {
    "python": python,
    "curl": curl,
    "javascript": javascript,
    "http": http,
    "shell": shell,
}


LANGUAGE_SYNONYMS = {"python": "py", "javascript": "js, node, typescript, fetch", "shell": "bash, sh, cli, command"}


def write(language: str, tool: DescribedTool, values: Mapping[str, Any]) -> str:
    """Return a call in one of `LANGUAGES`.

    Raises:
        InvalidInput: The language is unknown.
    """
    if language not in LANGUAGES:
        hint = choice_hint(language, list(LANGUAGES), LANGUAGE_SYNONYMS)
        raise InvalidInput(f"language: must be one of {', '.join(LANGUAGES)}, got {quote(language)}.{hint}")
    return LANGUAGES[language](tool, values)


def example_values(tool: DescribedTool, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an example as documentation shows them: files by name, long HTML as a file."""
    html = {each.name for each in tool.parameters if each.kind == "html"}
    return {name: _shown(value, is_html=name in html) for name, value in values.items()}


def _shown(value: Any, *, is_html: bool) -> Any:
    if isinstance(value, list):
        return [_shown(item, is_html=False) for item in value]
    if isinstance(value, Path):
        return Path(value.name)
    return Path(PLACEHOLDER_NAMES["text/html"]) if is_html and len(value) > MAX_EXAMPLE_LENGTH else value
