"""Front matter: a YAML block with title, author, date and language at the beginning of a document."""

import re
from collections.abc import Mapping
from typing import Any

from mediakit.engines.rich_text.document import FrontMatter
from mediakit.engines.rich_text.languages import is_language

MAX_CHARACTERS = 20_000
"""A longer block is not front matter."""

MAX_FIELD_CHARACTERS = 500

_BLOCK = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"^[\w-]+[ \t]*:", re.MULTILINE)


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it.

    Only a YAML mapping is front matter: text between two thematic breaks stays text.
    """
    match = _BLOCK.match(text, 0, MAX_CHARACTERS)
    if not match or not _KEY.search(match[1]):
        return FrontMatter(), text
    values = _read(match[1])
    if values is None:
        return FrontMatter(), text
    return _front_matter(values), text[match.end() :]


def _read(block: str) -> Mapping[Any, Any] | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        values = YAML(typ="safe", pure=True).load(block)
    except (YAMLError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None
    return values if isinstance(values, Mapping) else None


def _front_matter(values: Mapping[Any, Any]) -> FrontMatter:
    lang = _text(values.get("lang") or values.get("language"))
    return FrontMatter(
        title=_text(values.get("title")),
        author=_text(values.get("author") or values.get("authors")),
        date=_text(values.get("date")),
        lang=lang if is_language(lang) else "",
    )


def _text(value: Any) -> str:
    """Return a value as one line: the items of a list, and the `name` of a mapping."""
    if isinstance(value, Mapping):
        value = value.get("name")
    if isinstance(value, list):
        items = (item.get("name") if isinstance(item, Mapping) else item for item in value[:20])
        return ", ".join(filter(None, map(_scalar, items)))
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, list | set | Mapping):
        return ""
    return " ".join(str(value)[:MAX_FIELD_CHARACTERS].split())
