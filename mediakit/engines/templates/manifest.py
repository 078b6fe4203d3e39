"""The manifest of a template: name, size, keys and labels. It is stored as TOML; `Manifest` is its schema."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates.fonts import Family
from mediakit.engines.templates.items import ITEM_MAX_LENGTHS, ITEMS_GROUP, MAX_ITEM_ROWS, item_key_names
from mediakit.engines.templates.keys import COMMON_KEYS, Key


@dataclass(frozen=True)
class Label:
    """A fixed text of a template."""

    en: str
    es: str


@dataclass(frozen=True, kw_only=True, repr=False)
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


@dataclass(frozen=True)
class _Items:
    """The item rows of a manifest file: eight rows of keys with the same columns."""

    after: str
    """Name of the key that precedes the item keys."""
    columns: tuple[str, ...]
    en: list[list[str]]
    """Example rows in English."""
    es: list[list[str]]
    """Example rows in Spanish."""

    def keys(self) -> list[Key]:
        """Return the item keys, row by row."""
        return [
            Key(
                f"item{row}_{column}",
                ITEM_MAX_LENGTHS[column],
                self.en[row - 1][index] if row <= len(self.en) else "",
                self.es[row - 1][index] if row <= len(self.es) else "",
            )
            for row in range(1, MAX_ITEM_ROWS + 1)
            for index, column in enumerate(self.columns)
        ]


def read_manifest(file: Path) -> dict[str, Any]:
    """Return the fields of `Manifest` from a file; its item rows are expanded to keys.

    Raises:
        TypeError: The file has an unknown field, or a required one is missing.
    """
    fields = tomllib.loads(file.read_text(encoding="utf-8"))
    keys = [Key(**key) for key in fields.pop("keys")]
    groups = {title: tuple(names) for title, names in fields.pop("groups", {}).items()}
    if "items" in fields:
        items = _Items(**fields.pop("items"))
        position = next(index for index, key in enumerate(keys, 1) if key.name == items.after)
        keys[position:position] = items.keys()
        groups[ITEMS_GROUP] = item_key_names(items.columns)
    return {
        **fields,
        "name": file.stem,
        "keys": tuple(keys),
        "labels": {name: Label(**label) for name, label in fields.get("labels", {}).items()},
        "groups": groups,
        "families": tuple(fields.get("families", ("sans",))),
    }
