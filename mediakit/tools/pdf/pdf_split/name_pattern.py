"""The pattern of the parts' file names."""

import re
from collections.abc import Mapping

from mediakit.core.media import safe_name

PLACEHOLDERS = ("name", "n", "title", "label", "first", "last")

ALLOWED = "{name}, {n}, {n:03}, {title}, {label}, {first} and {last}"

MAX_NAME_LENGTH = 110
"""Characters of a name; the extension and a number that makes it unique are added."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}|[{}]")
_KNOWN = re.compile(rf"(?:({'|'.join(PLACEHOLDERS)})|(n|first|last):0([1-9]))", re.ASCII)


def check_pattern(pattern: str) -> str:
    """Return a pattern such as `{name}-{n:03}` without the extension `.pdf`.

    Raises:
        ValueError: A placeholder is unknown.
    """
    for match in _PLACEHOLDER.finditer(pattern):
        if match[1] is None or not _KNOWN.fullmatch(match[1]):
            raise ValueError(f"can have {ALLOWED}, got {match[0]}.")
    return pattern.removesuffix(".pdf")


def filled(pattern: str, values: Mapping[str, str | int]) -> str:
    """Return the pattern with its values, as a file name that is valid on all operating systems."""
    text = _PLACEHOLDER.sub(lambda match: _value(match[1], values), pattern)
    return f"{safe_name(safe_name(text)[:MAX_NAME_LENGTH])}.pdf"


def _value(placeholder: str, values: Mapping[str, str | int]) -> str:
    name, _, width = placeholder.partition(":")
    return str(values[name]).zfill(int(width or 0))


def safe_stem(stem: str) -> str:
    """Return the name of a file for `{name}`; `document` if it is unknown."""
    return safe_name(stem)[:MAX_NAME_LENGTH] if stem.strip(" .") else "document"
