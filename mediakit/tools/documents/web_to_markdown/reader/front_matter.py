"""Metadata as YAML front matter for Markdown."""

import json
from collections.abc import Mapping

MAX_VALUE_CHARACTERS = 1_000

KEYS = {
    "title": "title",
    "byline": "author",
    "published_time": "date",
    "site_name": "site",
    "language": "lang",
    "description": "description",
    "url": "source",
    "canonical": "canonical",
    "image": "image",
}
"""Front matter keys by field."""


def front_matter(fields: Mapping[str, str | None]) -> str:
    """Return the metadata as YAML. Values are JSON strings, which are valid YAML (YAML 1.2, 1.3)."""
    lines = [
        f"{key}: {json.dumps(value[:MAX_VALUE_CHARACTERS], ensure_ascii=False)}"
        for field, key in KEYS.items()
        if (value := fields.get(field))
    ]
    return "\n".join(["---", *lines, "---", "", ""])
