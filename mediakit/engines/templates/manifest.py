"""The manifest of a template: name, size, keys and labels. It is stored as TOML and checked by one schema."""

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates.fonts import Family
from mediakit.engines.templates.items import ITEM_MAX_LENGTHS, ITEMS_GROUP, MAX_ITEM_ROWS, item_key_names
from mediakit.engines.templates.keys import COMMON_KEYS, FORBID_UNKNOWN, Key


@dataclass(frozen=True, config=FORBID_UNKNOWN)
class Label:
    """A fixed text of a template."""

    en: str
    es: str


@dataclass(frozen=True, kw_only=True, config=FORBID_UNKNOWN, repr=False)
class Manifest:
    """Describes a template."""

    name: str
    description: str
    width: int
    """Width of the page, in pixels."""
    height: int
    """Height of the page, in pixels."""
    keys: tuple[Key, ...]
    labels: dict[str, Label]
    groups: dict[str, tuple[str, ...]]
    """Keys that forms show together, by title; other keys are ungrouped."""
    families: tuple[Family, ...] = ("sans",)
    pdf_format: PaperFormat = "A4"
    grows: bool = False
    """Whether the page may be as high as its content."""
    tabular_digits: bool = False
    """Whether all digits have the same width."""

    @cached_property
    def by_name(self) -> dict[str, Key]:
        """Every key by its name; the keys of all templates are last."""
        return {key.name: key for key in (*self.keys, *COMMON_KEYS)}

    @property
    def landscape(self) -> bool:
        """Whether a PDF has landscape orientation."""
        return self.width > self.height


@dataclass(frozen=True, config=FORBID_UNKNOWN)
class _Items:
    """The item rows of a manifest file: eight rows of keys with the same columns."""

    after: str
    """Name of the key that precedes the item keys."""
    columns: tuple[str, ...]
    en: list[list[str]]
    """Example rows in English."""
    es: list[list[str]]
    """Example rows in Spanish."""

    def keys(self) -> list[dict[str, Any]]:
        """Return the item keys in the format of the file."""
        return [
            {
                "name": f"item{row}_{column}",
                "max_length": ITEM_MAX_LENGTHS[column],
                "en": self.en[row - 1][index] if row <= len(self.en) else "",
                "es": self.es[row - 1][index] if row <= len(self.es) else "",
            }
            for row in range(1, MAX_ITEM_ROWS + 1)
            for index, column in enumerate(self.columns)
        ]


def read_manifest(file: Path) -> dict[str, Any]:
    """Return the fields of a manifest file; its item rows are expanded to keys."""
    fields = tomllib.loads(file.read_text(encoding="utf-8"))
    fields = {"name": file.stem, "labels": {}, "groups": {}, **fields}
    if "items" in fields:
        items = TypeAdapter(_Items).validate_python(fields.pop("items"))
        position = next(index for index, key in enumerate(fields["keys"], 1) if key["name"] == items.after)
        fields["keys"][position:position] = items.keys()
        if ITEMS_GROUP in fields["groups"]:
            fields["groups"][ITEMS_GROUP] = item_key_names(items.columns)
    return fields
