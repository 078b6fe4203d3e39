"""Metadata as YAML above the Markdown."""

import json
from collections.abc import Mapping

LONGEST = 1_000
"""Characters of a value."""

NAMES = {
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


def front_matter(facts: Mapping[str, str | None]) -> str:
    """Write what is known of a page; JSON's texts are YAML's, too (YAML 1.2, 1.3)."""
    lines = [
        f"{name}: {json.dumps(value[:LONGEST], ensure_ascii=False)}"
        for field, name in NAMES.items()
        if (value := facts.get(field))
    ]
    return "\n".join(["---", *lines, "---", "", ""])
