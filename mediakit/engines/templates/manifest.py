"""The manifest of a template: name, size, keys and labels. It is stored as TOML; `Manifest` is its schema."""

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates.items import (
    DEFAULT_ITEM_MAX_LENGTH,
    ITEM_MAX_LENGTHS,
    ITEMS_GROUP,
    MAX_ITEM_ROWS,
    item_key_names,
)
from mediakit.engines.templates.keys import COMMON_KEYS, Key

MANIFEST_FILE, FIRST_STYLE_FILE = "template.toml", "template.html"
DESIGNS = Path(__file__).parent / "designs"
"""The folder of the templates of this package, which have the same format as all others."""
DEFAULT_STYLE = "default"
"""Name of the style of a template that has one style."""


@dataclass(frozen=True)
class Label:
    """A fixed text of a template."""

    en: str
    es: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Manifest:
    """Describes a template."""

    name: str
    folder: Path
    """The folder with the manifest and the HTML files."""
    description: str
    width: int
    """Width of the page, in pixels."""
    height: int
    """Height of the page, in pixels."""
    keys: tuple[Key, ...]
    labels: dict[str, Label]
    groups: dict[str, tuple[str, ...]]
    """Keys that forms show together, by title; other keys are ungrouped."""
    styles: tuple[str, ...] = (DEFAULT_STYLE,)
    """Names of the designs. The first is `template.html`, the others are `NAME.html`."""
    item_columns: tuple[str, ...] = ()
    """Columns of the item rows."""
    pdf_format: PaperFormat = "A4"
    grows: bool = False
    """Whether the page may be as high as its content."""
    tabular_digits: bool = False
    """Whether all digits have the same width."""

    @property
    def is_bundled(self) -> bool:
        """Whether the template is one of this package."""
        return self.folder.parent == DESIGNS

    @cached_property
    def by_name(self) -> dict[str, Key]:
        """Every key by its name; the keys of all templates are last."""
        return {key.name: key for key in (*self.keys, *COMMON_KEYS)}

    def style_file(self, style: str) -> str:
        """Return the name of the HTML file of a style."""
        return FIRST_STYLE_FILE if style == self.styles[0] else f"{style}.html"

    @property
    def landscape(self) -> bool:
        """Whether a PDF has landscape orientation."""
        return self.width > self.height


@dataclass(frozen=True)
class _Items:
    """The item rows of a manifest file: eight rows of keys with the same columns."""

    columns: tuple[str, ...]
    after: str = ""
    """Name of the key that precedes the item keys; by default, they are last."""
    max_lengths: dict[str, int] = field(default_factory=dict)
    """Maximum number of characters by column, for other columns than those of invoices."""
    en: list[list[str]] = field(default_factory=list)
    """Example rows in English."""
    es: list[list[str]] = field(default_factory=list)
    """Example rows in Spanish."""

    def keys(self) -> list[Key]:
        """Return the item keys, row by row."""
        return [
            Key(
                f"item{row}_{column}",
                self.max_lengths.get(column, ITEM_MAX_LENGTHS.get(column, DEFAULT_ITEM_MAX_LENGTH)),
                self.en[row - 1][index] if row <= len(self.en) else "",
                self.es[row - 1][index] if row <= len(self.es) else "",
            )
            for row in range(1, MAX_ITEM_ROWS + 1)
            for index, column in enumerate(self.columns)
        ]


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the fields of `Manifest` from a template folder; its item rows are expanded to keys.

    Raises:
        TypeError: The file has an unknown field, or a required one is missing.
    """
    fields = tomllib.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    keys = [Key(**key) for key in fields.pop("keys")]
    groups = {title: tuple(names) for title, names in fields.pop("groups", {}).items()}
    if "items" in fields:
        items = _Items(**fields.pop("items"))
        position = next((index for index, key in enumerate(keys, 1) if key.name == items.after), len(keys))
        keys[position:position] = items.keys()
        groups[ITEMS_GROUP] = item_key_names(items.columns)
        fields["item_columns"] = tuple(items.columns)
    return {
        **fields,
        "name": folder.name,
        "folder": folder,
        "keys": tuple(keys),
        "labels": {name: Label(**label) for name, label in fields.get("labels", {}).items()},
        "groups": groups,
        "styles": tuple(fields.get("styles", (DEFAULT_STYLE,))),
    }
