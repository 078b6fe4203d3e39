"""Sample texts for the templates: short and long texts, emoji and other scripts."""

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

KINDS = ("short", "long", "emoji", "zh", "ar", "he")
"""The kinds of sample texts. The last three are scripts: Chinese, Arabic and Hebrew."""

ITEM_COLUMNS = ("name", "qty", "price", "total")
"""Columns of the rows of `items`; rows may have fewer."""


def sample_texts(template: str, kind: str, lang: str) -> dict[str, str]:
    """Return sample texts for a template, by key.

    Args:
        template: The name of the template.
        kind: One of KINDS.
        lang: `en` or `es`; ignored by the kinds `zh`, `ar` and `he`.
    """
    texts = tomllib.loads((FOLDER / f"{template}.toml").read_text(encoding="utf-8"))
    values: dict[str, Any] = texts[kind] if kind in texts else texts[lang][kind]
    rows: list[list[str]] = values.pop("items", [])
    cells = {
        f"item{number}_{column}": text
        for number, row in enumerate(rows, 1)
        for column, text in zip(ITEM_COLUMNS, row, strict=False)
    }
    return values | cells
